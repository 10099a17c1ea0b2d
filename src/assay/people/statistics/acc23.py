"""acc23 with tie calibration (Deutsch et al., 2023): one threshold for all groups, chosen anew in each draw.

acc23 is the share of pairs on which metric and people agree, where calling a pair tied that people tie is agreement. A
metric with many digits ties nothing, so it is given the threshold up to which it calls a pair tied, whichever is best.
The value is the mean over groups of each group's share. Copies of an item that was drawn twice are no pair.

Within segments (grouping ``item``) all draws look at all pairs and all thresholds. Other groupings may have too many
pairs to go through in each draw. Then a seeded sample of pairs serves the draws, and their values are moved by what the
sample is off on the observed data.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.arrays import Array
from assay.people.statistics.base import (
    Association,
    Grid,
    Grouping,
    Level,
    MetricPairs,
    Values,
    arranged,
    mean_of_groups,
)
from assay.significance.draws import Draws, shuffled, stream

#: Folds of segments, or of documents, for the held-out threshold.
_FOLDS = 2
#: Up to so many pairs, and pairs times draws, all of them are gone through.
_LISTED_PAIRS = 30_000_000
LISTED_CELLS = 200_000_000
#: The fewest and the most pairs of a sample; with 1,000 draws it has 200,000, which make intervals some 2 % wider.
SAMPLED_PAIRS = (20_000, 2_000_000)

_Pairs = tuple[NDArray[np.uint32], NDArray[np.uint32]]


class Acc23(Association):
    """acc23 with a threshold that is chosen anew in each draw."""

    name: ClassVar[str] = "acc23"
    label: ClassVar[str] = "acc23, calibrated"
    summary: ClassVar[str] = "the share of pairs ordered alike, ties among them, at the metric's best tie threshold"
    source: ClassVar[str] = "Deutsch et al. (2023)"
    levels: ClassVar[tuple[Level, ...]] = ("document", "segment")
    groupings: ClassVar[tuple[Grouping, ...]] = ("item", "none", "system")
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ("item",)
    # Tie thresholds over all pairs of all segments take a minute, and nobody reports them.
    named_groupings: ClassVar[tuple[Grouping, ...]] = ("item",)
    tested: ClassVar[tuple[Grouping | None, ...]] = ("item",)
    #: At the threshold 0, in ``compute``.
    measure: ClassVar[str] = "agreement"

    def of_grid(self, grid: Grid) -> Values:
        """acc23 at the threshold that is best in each draw. tau23 at its own best threshold is 2 acc23 - 1."""
        pairs = _sample(grid)
        blocks = [
            kernels.best_thresholds(groups.cells, groups.weights, groups.counts, pairs) for groups in grid.groups()
        ]
        calibrated = Values(*np.concatenate(blocks, axis=1))
        if len(grid.draws) == 1:
            # Counts are exact, where a long running sum is off in its last digits.
            right, total, counts = agreement_at(grid, calibrated.epsilons)
            with np.errstate(invalid="ignore", divide="ignore"):
                calibrated.values[:] = mean_of_groups(right / total, counts)
            return calibrated
        first = Acc23.of_grid(self, replace(grid, draws=grid.draws.without_samples()))
        if pairs is not None:
            calibrated.values[:] += first.values - calibrated.values[0]
        calibrated.values[0], calibrated.epsilons[0] = first.values[0], first.epsilons[0]
        return calibrated

    def swap_deltas(
        self, scores: Array, human: Array, grouping: Grouping, flags: NDArray[np.uint8], pairs: MetricPairs,
        *, threads: int = 1,
    ) -> Array:  # fmt: skip
        """A segment's shares of right pairs, each metric at its own best threshold, change places as a whole.

        Mixed scores would have no threshold of their own.
        """
        del threads
        shares = []
        for metric in scores:
            grid = Grid.of(metric, human, Draws.observed(*human.shape), grouping)
            right, total, _ = agreement_at(grid, self.of_grid(grid).epsilons)
            shares.append(right[total > 0] / total[total > 0])
        # A segment's flag is that of its first cell.
        flips = 1.0 - 2.0 * flags[:, 0, (total > 0)[:, 0]]
        differences = np.array([shares[first] - shares[second] for first, second in pairs])
        with np.errstate(invalid="ignore"):
            return np.asarray(differences @ flips.T / differences.shape[1])


class Acc23HeldOut(Acc23):
    """acc23 with the threshold for each fold of segments chosen on the other fold.

    Copies of a segment are in one fold. Where pairs reach across segments, those within a fold are judged by a
    threshold from pairs without it, and those from fold to fold are left out.
    """

    name: ClassVar[str] = "acc23-heldout"
    label: ClassVar[str] = "acc23, held-out threshold"
    summary: ClassVar[str] = "acc23 with a tie threshold from other segments than those it is judged on"
    source: ClassVar[str] = "after Deutsch et al. (2023)"
    tested: ClassVar[tuple[Grouping | None, ...]] = ()

    def of_grid(self, grid: Grid) -> Values:
        units = grid.draws.units
        if len(units) < _FOLDS:
            return Values(np.full(len(grid.draws), np.nan))
        # At random, both with as many units or nearly.
        dealt = np.empty(len(units), dtype=np.int64)
        dealt[shuffled(units.keys, grid.seed, "folds of acc23")] = np.arange(len(units)) % _FOLDS
        fold = units.spread(dealt)
        epsilons = np.empty((len(grid.draws), _FOLDS))
        sampled = len(grid.draws) > 1 and _sample(grid) is not None
        folds, as_they_are = [], []
        for number in range(_FOLDS):
            training, test = (
                replace(grid, human=np.where(chosen, grid.human, np.nan)) for chosen in (fold != number, fold == number)
            )
            epsilons[:, number] = np.nan_to_num(super().of_grid(training).epsilons)
            *agreeing, counts = agreement_at(test, epsilons[:, number])
            folds.append(agreeing)
            if sampled:
                once = replace(test, draws=test.draws.without_samples())
                as_they_are.append(agreement_at(once, epsilons[:1, number])[:2])
        with np.errstate(invalid="ignore", divide="ignore"):
            values = mean_of_groups(np.divide(*np.sum(folds, axis=0)), counts)
            if sampled:
                values += mean_of_groups(np.divide(*np.sum(as_they_are, axis=0)), counts[:, :1]) - values[0]
        return Values(values, epsilons)


def agreement_at(grid: Grid, epsilons: Array) -> tuple[Array, Array, Array]:
    """What pairs weigh that agree up to one threshold per draw, all pairs, and their group: groups by draws."""
    pairs, done, blocks, counts = _sample(grid), 0, [], []
    for groups in grid.groups():
        here = np.ascontiguousarray(epsilons[done : done + groups.counts.shape[1]])
        blocks.append(kernels.agreement_at(groups.cells, groups.weights, here, pairs))
        counts.append(groups.counts)
        done += len(here)
    right, total = np.concatenate(blocks, axis=1).reshape(2, -1, done)
    return right, total, np.concatenate(counts, axis=1)


def _sample(grid: Grid) -> _Pairs | None:
    """Both places of some pairs, as many of each group as of any other; None where all can be gone through."""
    groups, draws = arranged(grid.human, grid.grouping), len(grid.draws)
    sizes = np.count_nonzero(~np.isnan(groups), axis=1)
    available = int((sizes * (sizes - 1) // 2).sum())
    if grid.grouping == "item" or (available <= _LISTED_PAIRS and available * draws <= LISTED_CELLS):
        return None
    low, high = SAMPLED_PAIRS
    count = -(-min(max(LISTED_CELLS // draws, low), high) // len(groups))
    generator = stream(grid.seed, "pairs of acc23")
    first, second = [], []
    for number in np.flatnonzero(sizes > 1):
        items = np.flatnonzero(~np.isnan(groups[number])) + number * groups.shape[1]
        left = generator.integers(len(items), size=count)
        # The other is one of the rest, all of which are as likely.
        right = (left + generator.integers(1, len(items), size=count)) % len(items)
        first.append(items[left])
        second.append(items[right])
    return np.concatenate(first).astype(np.uint32), np.concatenate(second).astype(np.uint32)
