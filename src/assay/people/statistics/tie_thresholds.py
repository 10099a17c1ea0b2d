"""Tie thresholds: pairs of cells that a grouping compares, and the threshold under which a metric agrees best.

Up to a threshold epsilon the metric calls a pair tied. Raising it past a pair changes that pair alone: one that people
tie becomes right (+1), one that the metric had ordered rightly becomes wrong (-1), any other stays wrong. So the
agreement at every threshold is a running sum along the pairs by rising distance, and the best one is its maximum.

All cells together, or the segments of a system, may make too many pairs to go through in each draw. At a given
threshold, though, the pairs that agree are v'Mv, where v says how often each segment was drawn and M (segments by
segments) holds how many pairs of two segments agree. So draws choose among a few thresholds, spread over those at which
the observed agreement is near its best.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.people.statistics.base import ItemPairs, weighted_mean
from assay.significance.association import BLOCK_CELLS
from assay.significance.draws import Draws, stream

_Indices = NDArray[np.intp]
#: Agreements that are equal in exact arithmetic are equal here, and the smallest threshold wins.
_EQUAL = 1e-12
#: Pairs that are bounded together in the search for a maximum.
STRETCH = 96
#: Tables of more segments by segments than this are slow and large.
FORM_SEGMENTS = 1500
#: Whole numbers up to this are exact in 32 bits.
_EXACT_FLOAT32 = 2**24
#: Thresholds that draws choose among, near the observed best.
_CANDIDATES = 9
#: Thresholds within segments, where each costs little: from 0 to the largest distance.
_ITEM_CANDIDATES = 41
#: How far below its best the observed agreement may be at a candidate.
_NEAR = 0.02


@dataclass(frozen=True)
class Pairs:
    """Pairs sorted by group; ``first`` and ``second`` count items within groups, whose weights are the draws'.

    Items are systems within a segment, segments within a system, or cells within the one group of all.
    """

    first: _Indices
    second: _Indices
    group: _Indices
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
        segments, systems = draws.weights[here], draws.systems[here]
        if self.grouping == "item":
            return _one_if_equal(systems), segments
        if self.grouping == "system":
            return _one_if_equal(segments), systems
        return _one_if_equal(segments[:, self.segment] * systems[:, self.system]), np.ones((len(segments), 1))

    def items_weigh_alike(self, draws: Draws) -> bool:
        """Whether all draws give the items of groups the same weights, and differ in groups at most."""
        segments, systems = (_one_if_equal(table) for table in (draws.weights, draws.systems))
        drawn = {"item": [systems], "system": [segments], "none": [segments, systems]}[self.grouping]
        return all(len(rows) == 1 for rows in drawn)

    def segment_of(self, pairs: Pairs) -> tuple[_Indices, _Indices]:
        """The segments of both cells of each pair."""
        if self.grouping == "item":
            return pairs.group, pairs.group
        if self.grouping == "system":
            return pairs.first, pairs.second
        return self.segment[pairs.first], self.segment[pairs.second]

    def all_pairs(self) -> Pairs:
        """Every pair of every group."""
        first, second = np.triu_indices(self.metric.shape[1], k=1)
        present = ~np.isnan(self.metric)
        group, pair = np.nonzero(present[:, first] & present[:, second])
        return self._pairs(first[pair], second[pair], group)

    def sample(self, count: int, seed: int) -> Pairs:
        """About ``count`` pairs at random, as many of each group as of any other."""
        generator = stream(seed, "pairs of acc23")
        first, second, group = [], [], []
        for number, row in enumerate(self.metric):
            items = np.flatnonzero(~np.isnan(row))
            if len(items) < 2:
                continue
            size = -(-count // len(self.metric))
            left = generator.integers(len(items), size=size)
            # The other is one of the rest, all of which are as likely.
            right = (left + generator.integers(1, len(items), size=size)) % len(items)
            first.append(items[left])
            second.append(items[right])
            group.append(np.full(size, number, dtype=np.intp))
        nothing = [np.empty(0, dtype=np.intp)]
        return self._pairs(*(np.concatenate(parts or nothing) for parts in (first, second, group)))

    def _pairs(self, first: _Indices, second: _Indices, group: _Indices) -> Pairs:
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


@dataclass(frozen=True)
class SortedPairs:
    """Pairs whose agreement a threshold can change, by rising distance in the metric."""

    #: Which of the pairs given, in order of distance.
    order: _Indices
    distance: Array
    #: +1 or -1: what happens to the agreement when the metric calls the pair tied.
    gain: Array
    #: Where each run of equal distances ends.
    ends: _Indices

    @classmethod
    def of(cls, pairs: Pairs) -> SortedPairs:
        distance = np.abs(pairs.metric_difference)
        tied = pairs.human_difference == 0
        concordant = pairs.metric_difference * np.sign(pairs.human_difference) > 0
        movable = np.flatnonzero((distance > 0) & (tied | concordant))
        order = movable[np.argsort(distance[movable], kind="stable")]
        ordered = distance[order]
        ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)[: len(ordered)])
        return cls(order=order, distance=ordered, gain=np.where(tied[order], 1.0, -1.0), ends=ends)

    def best(self, changes: Array) -> tuple[Array, Array]:
        """The largest running sum of ``changes`` (draws by sorted pairs), not below 0, and its threshold.

        ``changes`` is overwritten.
        """
        if not len(self.order):
            return np.zeros(len(changes)), np.zeros(len(changes))
        if 2 * len(self.ends) < len(self.order):
            changes = np.add.reduceat(changes, np.concatenate(([0], self.ends[:-1] + 1)), axis=1)
            sums = np.cumsum(changes, axis=1, out=changes)
        else:
            sums = np.cumsum(changes, axis=1, out=changes)
            if len(self.ends) < len(self.order):
                sums = sums[:, self.ends]
        highest = np.maximum(sums.max(axis=1), 0.0)
        first = (sums >= highest[:, None] - _EQUAL).argmax(axis=1)
        epsilon = np.where(highest > _EQUAL, self.distance[self.ends][first], 0.0)
        return highest, epsilon

    def best_of_groups(self, shares: Array, group: _Indices, changes: Array) -> tuple[Array, Array]:
        """The same where a pair changes the agreement by ``changes`` (one number each) times its group's share.

        ``shares`` are draws by groups, ``group`` says of which each sorted pair is. Stretches of pairs are summed by
        matrix products. The sum at a stretch's start, plus all that rises within it, bounds what the stretch can reach,
        and only those that may reach the maximum are gone through.
        """
        if not len(self.order):
            return np.zeros(len(shares)), np.zeros(len(shares))
        edges = self._edges()
        net, rise = (self._by_stretch(edges, shares, group, part) for part in (changes, np.maximum(changes, 0.0)))
        before = np.cumsum(net, axis=1) - net
        known = np.maximum((before + net).max(axis=1), 0.0)
        hopeful = before + rise >= known[:, None] - _EQUAL
        highest, epsilon = np.zeros(len(shares)), np.zeros(len(shares))
        is_end = np.zeros(len(self.order), dtype=bool)
        is_end[self.ends] = True
        for number in np.flatnonzero(hopeful.any(axis=0)):
            rows = np.flatnonzero(hopeful[:, number])
            members = np.arange(edges[number], edges[number + 1])
            sums = np.cumsum(shares[rows[:, None], group[members]] * changes[members], axis=1)
            ends = np.flatnonzero(is_end[members])
            sums = sums[:, ends] + before[rows, number, None]
            top = sums.max(axis=1)
            better = top > highest[rows] + _EQUAL
            first = (sums >= top[:, None] - _EQUAL).argmax(axis=1)[better]
            highest[rows[better]] = top[better]
            epsilon[rows[better]] = self.distance[members[ends[first]]]
        return highest, epsilon

    def at_of_groups(self, shares: Array, group: _Indices, changes: Array, epsilon: Array) -> Array:
        """The running sum up to one threshold per draw, with changes as above."""
        if not len(self.order):
            return np.zeros(len(shares))
        edges = self._edges()
        net = self._by_stretch(edges, shares, group, changes)
        before = np.cumsum(net, axis=1) - net
        passed = np.searchsorted(self.distance, epsilon, side="right")
        number = np.minimum(np.searchsorted(edges, passed, side="right") - 1, len(edges) - 2)
        # The rest of the way, within the stretch.
        rows = np.arange(len(shares))
        members = edges[number][:, None] + np.arange(np.diff(edges).max())
        inside = members < passed[:, None]
        members = np.where(inside, members, 0)
        rest = (shares[rows[:, None], group[members]] * changes[members] * inside).sum(axis=1)
        return np.asarray(before[rows, number] + rest)

    @staticmethod
    def _by_stretch(edges: _Indices, shares: Array, group: _Indices, changes: Array) -> Array:
        """What each stretch adds up to: draws by stretches."""
        stretch = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
        shape = (shares.shape[1], len(edges) - 1)
        table = np.bincount(group * shape[1] + stretch, weights=changes, minlength=shape[0] * shape[1])
        return np.asarray(shares @ table.reshape(shape))

    def _edges(self) -> _Indices:
        """Where stretches of about ``STRETCH`` pairs begin and end; equal distances are never parted."""
        wanted = np.arange(STRETCH, len(self.order), STRETCH)
        cuts = self.ends[np.minimum(np.searchsorted(self.ends, wanted), len(self.ends) - 1)] + 1
        return np.unique(np.concatenate(([0], cuts, [len(self.order)])))


def best_together(metric: Array, human: Array) -> tuple[float, float]:
    """The best share of agreeing pairs, and its threshold; the smallest of several.

    >>> best_together(np.array([1.0, 1.1, 3.0]), np.array([2.0, 2.0, 5.0]))
    (1.0, 0.10000000000000009)
    """
    order = np.argsort(metric, kind="stable")
    metric, ranks = metric[order], np.unique(human, return_inverse=True)[1].reshape(-1)[order].astype(np.int32)
    concordant, tied = _distances(metric, ranks)
    concordant.sort()
    tied.sort()
    pairs = len(metric) * (len(metric) - 1) // 2
    # Only past a pair that people tie can the agreement rise.
    thresholds = np.append(tied[:-1][tied[1:] > tied[:-1]], tied[-1:])
    thresholds = thresholds if len(thresholds) and thresholds[0] == 0 else np.append(0.0, thresholds)
    right = np.searchsorted(tied, thresholds, side="right") + (
        len(concordant) - np.searchsorted(concordant, thresholds, side="right")
    )
    best = int(right.argmax())
    return float(right[best] / pairs), float(thresholds[best])


def _distances(metric: Array, ranks: np.ndarray[tuple[int], np.dtype[np.int32]]) -> tuple[Array, Array]:
    """How far the metric sets apart the pairs that it orders as people do, and those that people tie."""
    concordant, tied = [], []
    step = max(1, BLOCK_CELLS // 4 // len(metric))
    for start in range(0, len(metric), step):
        stop = min(start + step, len(metric))
        distance = metric[None, start:] - metric[start:stop, None]
        # Each pair once: later cells, which have no smaller a score, against this stretch.
        later = np.arange(start, len(metric))[None, :] > np.arange(start, stop)[:, None]
        tied.append(distance[later & (ranks[None, start:] == ranks[start:stop, None])])
        concordant.append(distance[(distance > 0) & (ranks[None, start:] > ranks[start:stop, None])])
    return np.concatenate(concordant), np.concatenate(tied)


def candidates(pairs: SortedPairs, count: int, best: float) -> Array:
    """Thresholds near the best one, evenly spread over the distances of ``count`` pairs that these were sorted from."""
    curve = np.cumsum(pairs.gain)[pairs.ends] / max(count, 1)
    near = np.flatnonzero(curve >= max(curve.max(initial=0.0), 0.0) - _NEAR)
    if not len(near):
        return np.array([best])
    low, high = pairs.ends[near[0]], pairs.ends[near[-1]]
    spread = pairs.distance[np.linspace(low, high, _CANDIDATES - 1).astype(np.intp)]
    return np.unique(np.append(spread, best))


def spread_candidates(pairs: SortedPairs, best: float) -> Array:
    """Thresholds over the whole range, for draws of few systems may want quite another one than the observed data."""
    if not len(pairs.order):
        return np.array([best])
    places = np.linspace(0, len(pairs.order) - 1, _ITEM_CANDIDATES - 2).astype(np.intp)
    return np.unique(np.concatenate([[0.0, best], pairs.distance[places]]))


def agreement_at(metric: Array, human: Array, segments: Array, grouping: str, epsilons: Array) -> Array:
    """The share of pairs that agree at each threshold (draws by thresholds), by ``none`` or by ``system``."""
    present = ~np.isnan(metric)
    if grouping == "none":
        return _share(_together(metric, human, epsilons), segments, present.sum(axis=0).astype(np.float64))
    if (present == present[0]).all():
        tables = np.zeros((len(epsilons), metric.shape[1], metric.shape[1]), dtype=np.int32)
        for x, y in zip(metric, human, strict=True):
            _add_own(tables, x, y, epsilons)
        return _share(tables, segments, present[0].astype(np.float64)) / len(metric)
    shares = []
    for x, y, there in zip(metric, human, present, strict=True):
        tables = np.zeros((len(epsilons), len(x), len(x)), dtype=np.int32)
        _add_own(tables, x, y, epsilons)
        shares.append(_share(tables, segments, there.astype(np.float64)))
    defined = ~np.isnan(shares)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(defined, shares, 0.0).sum(axis=0) / defined.sum(axis=0))


def agreement_by_item_at(metric: Array, human: Array, draws: Draws, epsilons: Array) -> Array:
    """The mean over segments of the share of pairs that agree at each threshold: draws by thresholds."""
    pairs = ItemPairs(metric, human)
    tied, concordant = pairs.present & (pairs.human_sign == 0), pairs.metric_sign * pairs.human_sign > 0
    with np.errstate(invalid="ignore"):
        agreeing = [
            np.where(np.abs(pairs.metric_difference) <= epsilon, tied, concordant).astype(np.float64)
            for epsilon in epsilons
        ]
    present = pairs.present.astype(np.float64)
    agreement = np.empty((len(draws), len(epsilons)))
    for here in draws.slices(6 * (metric.shape[1] + len(pairs.first))):
        weights = pairs.weights(draws.systems[here])
        with np.errstate(invalid="ignore", divide="ignore"):
            total = weights @ present
            for column, table in enumerate(agreeing):
                agreement[here, column] = weighted_mean(weights @ table / total, draws.weights[here])
    return agreement


def _share(tables: NDArray[np.int32], segments: Array, counts: Array) -> Array:
    """Pairs that agree by all pairs of different cells, where a segment has ``counts`` of them."""
    pairs = ((segments @ counts) ** 2 - segments**2 @ counts) / 2.0
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack(_quadratic_forms(tables, segments), axis=1) / np.where(pairs > 0, pairs, np.nan)[:, None]


def _together(metric: Array, human: Array, epsilons: Array) -> NDArray[np.int32]:
    tables = np.zeros((len(epsilons), metric.shape[1], metric.shape[1]), dtype=np.int32)
    for system in range(len(metric)):
        # A pair of systems comes up in both orders, a system with itself in one.
        parts = np.zeros(tables.shape, dtype=np.int16)
        for other in range(system):
            _add_agreeing(parts, (metric[system], metric[other]), (human[system], human[other]), epsilons)
        tables += parts
        tables += parts.transpose(0, 2, 1)
        _add_own(tables, metric[system], human[system], epsilons)
    return tables


def _add_own(tables: NDArray[np.int32], metric: Array, human: Array, epsilons: Array) -> None:
    """Adds the pairs of one system's segments; a cell is no pair with itself."""
    _add_agreeing(tables, (metric, metric), (human, human), epsilons)
    diagonal = np.arange(len(metric))
    tables[:, diagonal, diagonal] -= ~np.isnan(metric)


def _add_agreeing(
    tables: NDArray[np.int16] | NDArray[np.int32],
    metric: tuple[Array, Array],
    human: tuple[Array, Array],
    epsilons: Array,
) -> None:
    """Adds the pairs of one system's segments with another's that agree at each threshold."""
    difference = metric[0][:, None] - metric[1][None, :]
    tied = human[0][:, None] == human[1][None, :]
    above = human[0][:, None] > human[1][None, :]
    concordant = np.where(above, difference > 0, difference < 0) & ~tied
    distance = np.abs(difference)
    for table, epsilon in zip(tables, epsilons, strict=True):
        near = distance <= epsilon
        # NaN is near nothing and ordered like nothing: a missing cell agrees with none.
        np.add(table, (near & tied) | (concordant & ~near), out=table, casting="unsafe")


def _quadratic_forms(tables: NDArray[np.int32], segments: Array) -> list[Array]:
    """v'Mv by 2 for each table, one number per draw."""
    largest = float(tables.max(initial=0)) * float(segments.sum(axis=1).max(initial=0.0))
    dtype = np.float32 if largest < _EXACT_FLOAT32 and (segments % 1 == 0).all() else np.float64
    drawn = segments.astype(dtype)
    return [np.einsum("bs,bs->b", segments, drawn @ table.astype(dtype)) / 2.0 for table in tables]
