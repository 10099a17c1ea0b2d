"""acc23 with tie calibration (Deutsch et al., 2023): one threshold for all groups, chosen anew in each draw.

acc23 is the share of pairs on which metric and people agree, where calling a pair tied that people tie is agreement. A
metric with many digits ties nothing, so it is given the threshold up to which it calls a pair tied, whichever is best.
The value is the mean over groups of each group's share. Copies of an item that was drawn twice are no pair.

Draws of segments, judged within segments (grouping ``item``), look at all pairs and all thresholds. Other draws may
have too many pairs to go through. Then they choose among a few thresholds, over all pairs, where that is possible:
within segments, or if segments alone are drawn. Otherwise a seeded sample of pairs serves the draws, and their values
are moved by what the sample is off on the observed data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.errors import ParameterError
from assay.people.statistics.base import Grid, Grouping, Level, Statistic, Swapped, Values, check_grids
from assay.people.statistics.system_pairs import accuracy
from assay.people.statistics.tie_thresholds import (
    FORM_SEGMENTS,
    STRETCH,
    Layout,
    Pairs,
    SortedPairs,
    agreement_at,
    agreement_by_item_at,
    best_together,
    candidates,
    spread_candidates,
)
from assay.significance.association import BLOCK_CELLS
from assay.significance.draws import Draws, stream, swap_flags

#: Folds of segments for the held-out threshold.
_FOLDS = 2
#: Pairs times draws in cache at a time.
_CACHED_CELLS = 1_600_000
#: Lists of pairs up to this length are kept whole, if pairs times draws stay below the next number.
LISTED_PAIRS = 4_000_000
LISTED_CELLS = 200_000_000
#: Otherwise a sample, of so many pairs per cell of the grid, within bounds; intervals are then some 5 % too wide.
_SAMPLED_PER_CELL = 12
SAMPLED_PAIRS = (20_000, 2_000_000)
#: All cells together, each counted once, can be gone through up to so many pairs.
_COUNTED_PAIRS = 30_000_000
#: A threshold that is chosen on other items takes so many items.
_FEWEST_FOLDED = 2


class Acc23(Statistic):
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

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        """At the threshold 0."""
        return accuracy(metric, human, weights)

    def of_grid(self, grid: Grid) -> Values:
        return _calibrated(calibrate, grid)

    def is_tested(self, level: str, grouping: str | None) -> bool:
        del level
        return grouping == "item"

    def swap_deltas(
        self, scores: Array, human: Array, grouping: Grouping, *, samples: int, seed: int, threads: int = 1
    ) -> Iterator[Swapped]:
        """A segment's shares of right pairs, each metric at its own best threshold, change places as a whole.

        Mixed scores would have no threshold of their own.
        """
        del grouping, threads
        shares = np.stack([_segment_shares(grid, human) for grid in scores])
        shares = shares[:, ~np.isnan(shares[0])]
        flips = np.concatenate([1.0 - 2.0 * flags for flags in swap_flags(shares.shape[1], samples, seed)])
        for first, second in combinations(range(len(scores)), 2):
            difference = shares[first] - shares[second]
            observed = float(difference.mean()) if len(difference) else float("nan")
            yield first, second, observed, flips @ difference / max(len(difference), 1)


class Acc23HeldOut(Acc23):
    """acc23 with a threshold from other segments than those it is judged on."""

    name: ClassVar[str] = "acc23-heldout"
    label: ClassVar[str] = "acc23, held-out threshold"
    summary: ClassVar[str] = "acc23 with a tie threshold from other segments than those it is judged on"
    source: ClassVar[str] = "after Deutsch et al. (2023)"

    def of_grid(self, grid: Grid) -> Values:
        if grid.metric.shape[1] < _FEWEST_FOLDED:
            return Values(np.full(len(grid.draws), np.nan))
        return _calibrated(held_out, grid)

    def is_tested(self, level: str, grouping: str | None) -> bool:
        del level, grouping
        return False


def _calibrated(function: Callable[..., _Calibration], grid: Grid) -> Values:
    made = function(grid.metric, grid.human, grid.draws, grid.grouping, seed=grid.seed)
    epsilon = float(np.mean(made.epsilons[0]))
    return Values(made.values, epsilon if np.isfinite(epsilon) else None)


def _segment_shares(metric: Array, human: Array) -> Array:
    """The share of right pairs in each segment, at the threshold that is best for all of them."""
    epsilon = calibrate(metric, human, Draws.observed(*metric.shape), "item").epsilons[0]
    first, second = np.triu_indices(len(metric), k=1)
    difference, human_difference = metric[first] - metric[second], human[first] - human[second]
    there = ~np.isnan(human_difference)
    right = np.where(np.abs(difference) <= epsilon, human_difference == 0, difference * human_difference > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((right & there).sum(axis=0) / there.sum(axis=0))


@dataclass(frozen=True)
class _Calibration:
    """Agreement per draw, the thresholds chosen, and how many of the pairs were looked at in each draw."""

    values: Array
    #: One per draw; with held-out folds, draws by folds.
    epsilons: Array
    pairs: int
    pairs_used: int
    #: How many thresholds draws chose among; 0 where they chose among all.
    candidates: int = 0

    @property
    def sampled(self) -> bool:
        return self.pairs_used < self.pairs


def calibrate(metric: Array, human: Array, draws: Draws, grouping: str, *, seed: int = 1) -> _Calibration:
    """acc23 at the threshold that is best in each draw. tau23 at its own best threshold is 2 acc23 - 1."""
    metric, human = check_grids(metric, human, draws)
    layout = Layout(metric, human, grouping)
    once = _counts_once(draws)
    if grouping == "none" and once.all() and LISTED_PAIRS < layout.available <= _COUNTED_PAIRS:
        value, epsilon = best_together(layout.metric[0], layout.human[0])
        filled = np.full(len(draws), value), np.full(len(draws), epsilon)
        return _Calibration(*filled, layout.available, layout.available)
    pairs = _pairs(layout, draws, seed)
    listed = len(pairs) == layout.available and _is_listed(layout, draws)
    if listed or len(draws) == 1:
        return _Calibration(*_best(layout, pairs, draws), layout.available, len(pairs))
    observed = Draws.observed(*metric.shape)
    whole = calibrate(metric, human, observed, grouping, seed=seed)
    if grouping == "item" or _has_forms(layout, draws):
        if grouping == "item":
            thresholds = spread_candidates(SortedPairs.of(pairs), float(whole.epsilons[0]))
            agreement = agreement_by_item_at(metric, human, draws, thresholds)
        else:
            thresholds = candidates(SortedPairs.of(pairs), len(pairs), float(whole.epsilons[0]))
            agreement = agreement_at(metric, human, draws.weights, grouping, thresholds)
        best = np.where(np.isnan(agreement), -1.0, agreement).argmax(axis=1)
        values, epsilons = agreement[np.arange(len(draws)), best], thresholds[best]
        used, tried = layout.available, len(thresholds)
    else:
        values, epsilons = _best(layout, pairs, draws)
        values += whole.values - _best(layout, pairs, observed)[0]
        used, tried = len(pairs), 0
    values[once], epsilons[once] = whole.values, whole.epsilons
    return _Calibration(values, epsilons, layout.available, used, tried)


def held_out(
    metric: Array, human: Array, draws: Draws, grouping: str, *, seed: int = 1, folds: int = _FOLDS
) -> _Calibration:
    """acc23 with the threshold for each fold of segments chosen on the other folds.

    Copies of a segment are in one fold. Where pairs reach across segments, those within a fold are judged by a
    threshold from pairs without it, and those from fold to fold are left out.
    """
    metric, human = check_grids(metric, human, draws)
    layout = Layout(metric, human, grouping)
    pairs = _pairs(layout, draws, seed)
    fold = folds_of(metric.shape[1], folds, seed)
    values, epsilons = _held_out(layout, pairs, draws, fold, folds)
    if len(pairs) < layout.available and len(draws) > 1:
        observed = Draws.observed(*metric.shape)
        whole = held_out(metric, human, observed, grouping, seed=seed, folds=folds)
        values += whole.values - _held_out(layout, pairs, observed, fold, folds)[0]
        once = _counts_once(draws)
        values[once], epsilons[once] = whole.values, whole.epsilons
    return _Calibration(values, epsilons, layout.available, len(pairs))


def folds_of(segments: int, folds: int, seed: int) -> NDArray[np.intp]:
    """Which fold each segment is in: at random, all of one size or nearly."""
    if not 2 <= folds <= segments:
        raise ParameterError(f"{segments} segments cannot be cut into {folds} folds; it takes 2 to {segments}.")
    return stream(seed, "folds of acc23").permutation(np.arange(segments) % folds)


def _counts_once(draws: Draws) -> NDArray[np.bool_]:
    """Which draws are the data as they are."""
    return np.asarray((draws.weights == 1).all(axis=1) & (draws.systems == 1).all(axis=1))


def _pairs(layout: Layout, draws: Draws, seed: int) -> Pairs:
    """All pairs if there are few enough, else a sample; within segments always all."""
    if layout.grouping == "item" or _is_listed(layout, draws):
        return layout.all_pairs()
    low, high = SAMPLED_PAIRS
    wanted = high if len(draws) == 1 else _SAMPLED_PER_CELL * int(np.count_nonzero(~np.isnan(layout.metric)))
    return layout.sample(min(max(wanted, low), high), seed)


def _is_listed(layout: Layout, draws: Draws) -> bool:
    """Whether every draw can go through every pair."""
    if layout.grouping == "item" and (len(draws) == 1 or layout.items_weigh_alike(draws)):
        return True
    return layout.available <= LISTED_PAIRS and layout.available * len(draws) <= LISTED_CELLS


def _has_forms(layout: Layout, draws: Draws) -> bool:
    """Whether the agreement at a threshold is a quadratic form of the draws that is not too large to make."""
    few = layout.available <= _COUNTED_PAIRS and draws.weights.shape[1] <= FORM_SEGMENTS
    return few and bool((draws.systems == 1).all())


class _Weighed:
    """Pairs under a block of draws: the product of each pair's weights, and the groups' shares in the mean."""

    def __init__(self, pairs: Pairs, items: Array, groups: Array) -> None:
        self.group = pairs.group
        self.products = items[:, pairs.first] * items[:, pairs.second]
        self.totals = _by_group(self.products, pairs.group, groups.shape[1])
        self.shares = _shares(groups, self.totals)

    def best(self, order: SortedPairs) -> tuple[Array, Array]:
        """By how much the mean rises at its best threshold, and the threshold."""
        group, products = self.group[order.order], self.products[:, order.order] * order.gain
        if len(products) == 1:
            return order.best_of_groups(self.shares, group, products[0])
        products *= self.shares[:, group]
        return order.best(products)

    def right(self, pairs: Pairs, shares: Array) -> Array:
        """The agreement at threshold 0, where groups have these shares in the mean."""
        right = np.sign(pairs.metric_difference) == np.sign(pairs.human_difference)
        return np.asarray((shares * _by_group(self.products * right, self.group, shares.shape[1])).sum(axis=1))

    def at(self, order: SortedPairs, pairs: Pairs, shares: Array, epsilon: Array) -> Array:
        """The agreement at one threshold per draw."""
        if len(self.products) == 1:
            group, changes = self.group[order.order], self.products[0, order.order] * order.gain
            return self.right(pairs, shares) + order.at_of_groups(shares, group, changes, epsilon)
        correct = _by_group(self.products * _agree(pairs, epsilon), self.group, shares.shape[1])
        return np.asarray((shares * correct).sum(axis=1))


def _shares(groups: Array, totals: Array) -> Array:
    """What one pair of each group weighs in the mean over the groups that have any; NaN if none has."""
    there = totals > 0
    counted = groups * there
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(counted / np.where(there, totals, 1.0) / counted.sum(axis=1, keepdims=True))


def _best(layout: Layout, pairs: Pairs, draws: Draws) -> tuple[Array, Array]:
    order = SortedPairs.of(pairs)
    values, epsilons = np.empty(len(draws)), np.empty(len(draws))
    for here in _blocks(layout, pairs, draws):
        weighed = _Weighed(pairs, *layout.weights(draws, here))
        gain, epsilons[here] = weighed.best(order)
        values[here] = weighed.right(pairs, weighed.shares) + gain
    return values, np.where(np.isnan(values), np.nan, epsilons)


def _held_out(layout: Layout, pairs: Pairs, draws: Draws, fold: NDArray[np.intp], folds: int) -> tuple[Array, Array]:
    first, second = (fold[segment] for segment in layout.segment_of(pairs))
    training = [pairs.only((first != number) & (second != number)) for number in range(folds)]
    test = [pairs.only((first == number) & (second == number)) for number in range(folds)]
    training_orders, test_orders = ([SortedPairs.of(part) for part in parts] for parts in (training, test))
    values, epsilons = np.zeros(len(draws)), np.empty((len(draws), folds))
    for here in _blocks(layout, pairs, draws):
        items, groups = layout.weights(draws, here)
        judged = [_Weighed(part, items, groups) for part in test]
        shares = _shares(groups, np.sum([weighed.totals for weighed in judged], axis=0))
        for number, (part, order) in enumerate(zip(training, training_orders, strict=True)):
            _, epsilons[here, number] = _Weighed(part, items, groups).best(order)
            values[here] += judged[number].at(test_orders[number], test[number], shares, epsilons[here, number])
    return values, epsilons


def _agree(pairs: Pairs, epsilon: Array) -> NDArray[np.bool_]:
    """Whether metric and people agree on each pair under one threshold per draw: draws by pairs."""
    tied = pairs.human_difference == 0
    concordant = pairs.metric_difference * np.sign(pairs.human_difference) > 0
    return np.where(np.abs(pairs.metric_difference) <= epsilon[:, None], tied, concordant)


def _by_group(values: Array, group: NDArray[np.intp], groups: int) -> Array:
    """Sums over pairs of one group, of which lists are sorted: rows by groups."""
    sums = np.zeros((len(values), groups))
    if values.shape[1]:
        starts = np.flatnonzero(np.diff(group, prepend=-1))
        sums[:, group[starts]] = np.add.reduceat(values, starts, axis=1)
    return sums


def _blocks(layout: Layout, pairs: Pairs, draws: Draws) -> Iterator[slice]:
    """Stretches of draws: short ones if each has its own weights for every pair, else long ones."""
    if layout.items_weigh_alike(draws):
        return draws.slices(8 * (len(pairs) // STRETCH + len(layout.metric)))
    return draws.slices(len(pairs) * BLOCK_CELLS // _CACHED_CELLS)
