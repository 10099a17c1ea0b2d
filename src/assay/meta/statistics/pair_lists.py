"""Pairs of cells that a grouping compares, as lists: all of them, or a seeded sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.meta.statistics.draws import Array, Draws

Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Pairs:
    """Pairs sorted by group; ``first`` and ``second`` count items within groups, whose weights are the draws'.

    Items are systems within a segment, segments within a system, or cells within the one group of all.
    """

    first: Indices
    second: Indices
    group: Indices
    metric_difference: Array
    human_difference: Array
    #: How many pairs there are, of which these may be a sample.
    available: int

    def __len__(self) -> int:
        return len(self.first)

    def only(self, members: NDArray[np.bool_]) -> Pairs:
        """Those of the pairs."""
        return Pairs(
            self.first[members],
            self.second[members],
            self.group[members],
            self.metric_difference[members],
            self.human_difference[members],
            self.available,
        )


class Layout:
    """Which items and groups a grouping makes of a grid, and what they weigh in draws."""

    def __init__(self, metric: Array, human: Array, grouping: str) -> None:
        self.grouping = grouping
        if grouping == "none":
            self.system, self.segment = np.nonzero(~np.isnan(metric))
            metric, human = (grid[self.system, self.segment][None] for grid in (metric, human))
        elif grouping == "item":
            metric, human = metric.T, human.T
        #: Groups by items.
        self.metric, self.human = metric, human
        sizes = np.count_nonzero(~np.isnan(metric), axis=1)
        self.pairs_per_group = sizes * (sizes - 1) // 2
        self.available = int(self.pairs_per_group.sum())

    def weights(self, draws: Draws, here: slice) -> tuple[Array, Array]:
        """What items and groups weigh: draws by items (or one row for all of them), draws by groups."""
        segments, systems = draws.segments[here], draws.systems[here]
        if self.grouping == "item":
            return _one_if_equal(systems), segments
        if self.grouping == "system":
            return _one_if_equal(segments), systems
        return _one_if_equal(segments[:, self.segment] * systems[:, self.system]), np.ones((len(segments), 1))

    def items_weigh_alike(self, draws: Draws) -> bool:
        """Whether all draws give the items of groups the same weights, and differ in groups at most."""
        segments, systems = (_one_if_equal(table) for table in (draws.segments, draws.systems))
        drawn = {"item": [systems], "system": [segments], "none": [segments, systems]}[self.grouping]
        return all(len(rows) == 1 for rows in drawn)

    def segment_of(self, pairs: Pairs) -> tuple[Indices, Indices]:
        """The segments of both cells of each pair."""
        if self.grouping == "item":
            return pairs.group, pairs.group
        if self.grouping == "system":
            return pairs.first, pairs.second
        return self.segment[pairs.first], self.segment[pairs.second]

    def all_pairs(self) -> Pairs:
        """Every pair of every group."""
        one, other = np.triu_indices(self.metric.shape[1], k=1)
        present = ~np.isnan(self.metric)
        group, pair = np.nonzero(present[:, one] & present[:, other])
        return self._pairs(one[pair], other[pair], group)

    def sample(self, count: int, seed: int) -> Pairs:
        """About ``count`` pairs at random, as many of each group as of any other."""
        generator = np.random.default_rng([seed, 6])
        first, second, group = [], [], []
        for number, row in enumerate(self.metric):
            items = np.flatnonzero(~np.isnan(row))
            if len(items) < 2:
                continue
            size = -(-count // len(self.metric))
            one = generator.integers(len(items), size=size)
            # The other is one of the rest, all of which are as likely.
            other = (one + generator.integers(1, len(items), size=size)) % len(items)
            first.append(items[one])
            second.append(items[other])
            group.append(np.full(size, number, dtype=np.intp))
        nothing = [np.empty(0, dtype=np.intp)]
        return self._pairs(*(np.concatenate(parts or nothing) for parts in (first, second, group)))

    def _pairs(self, first: Indices, second: Indices, group: Indices) -> Pairs:
        return Pairs(
            first=first,
            second=second,
            group=group,
            metric_difference=self.metric[group, first] - self.metric[group, second],
            human_difference=self.human[group, first] - self.human[group, second],
            available=self.available,
        )


def _one_if_equal(rows: Array) -> Array:
    return rows[:1] if (rows == rows[:1]).all() else rows
