"""acc23 with tie calibration (Deutsch et al., 2023): one threshold for all groups, chosen anew in each draw.

acc23 is the share of pairs on which metric and people agree, where calling a pair tied that people tie is agreement. A
metric with many digits ties nothing, so it is given the threshold up to which it calls a pair tied, whichever is best.
The value is the mean over groups of each group's share. Copies of an item that was drawn twice are no pair.

Within segments (grouping ``item``) all pairs are looked at. All cells together, or the segments of a system, make
too many pairs to go through in each draw. A seeded sample of them then serves the draws, and their values are moved by
what the sample is off on the observed data.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.meta.statistics.all_pairs import best_together
from assay.meta.statistics.draws import Array, Draws, check_grids
from assay.meta.statistics.pair_lists import Layout, Pairs
from assay.meta.statistics.thresholds import SortedPairs

#: Folds of segments for the held-out threshold.
FOLDS = 2
#: Pairs times draws in cache at a time.
CACHED_CELLS = 1_600_000
#: Lists of pairs up to this length are kept whole, if pairs times draws stay below the next number.
LISTED_PAIRS = 4_000_000
LISTED_CELLS = 200_000_000
#: Otherwise a sample of pairs, so that pairs times draws are about this many, within bounds.
SAMPLED_CELLS = 30_000_000
SAMPLED_PAIRS = (20_000, 2_000_000)
#: All cells together, each counted once, can be gone through up to so many pairs.
COUNTED_PAIRS = 40_000_000


@dataclass(frozen=True)
class Calibration:
    """Agreement per draw, the thresholds chosen, and how many of the pairs were looked at in each draw."""

    values: Array
    #: One per draw; with held-out folds, draws by folds.
    epsilons: Array
    pairs: int
    pairs_used: int

    @property
    def sampled(self) -> bool:
        return self.pairs_used < self.pairs


def calibrate(metric: Array, human: Array, draws: Draws, grouping: str, *, seed: int = 1) -> Calibration:
    """acc23 at the threshold that is best in each draw. tau23 at its own best threshold is 2 acc23 - 1."""
    metric, human = check_grids(metric, human, draws)
    layout = Layout(metric, human, grouping)
    once = _counts_once(draws)
    if grouping == "none" and once.all() and LISTED_PAIRS < layout.available <= COUNTED_PAIRS:
        value, epsilon = best_together(layout.metric[0], layout.human[0])
        filled = np.full(len(draws), value), np.full(len(draws), epsilon)
        return Calibration(*filled, layout.available, layout.available)
    pairs = _listed(layout, len(draws), seed)
    values, epsilons = _best(layout, pairs, draws)
    if len(pairs) < layout.available and len(draws) > 1:
        observed = Draws.observed(*metric.shape)
        whole = calibrate(metric, human, observed, grouping, seed=seed)
        values += whole.values - _best(layout, pairs, observed)[0]
        values[once], epsilons[once] = whole.values, whole.epsilons
    return Calibration(values, epsilons, layout.available, len(pairs))


def held_out(
    metric: Array, human: Array, draws: Draws, grouping: str, *, seed: int = 1, folds: int = FOLDS
) -> Calibration:
    """acc23 with the threshold for each fold of segments chosen on the other folds.

    Copies of a segment are in one fold. Where pairs reach across segments, those within a fold are judged by a
    threshold from pairs without it, and those from fold to fold are left out.
    """
    metric, human = check_grids(metric, human, draws)
    layout = Layout(metric, human, grouping)
    pairs = _listed(layout, len(draws), seed)
    fold = folds_of(metric.shape[1], folds, seed)
    values, epsilons = _held_out(layout, pairs, draws, fold, folds)
    if len(pairs) < layout.available and len(draws) > 1:
        observed = Draws.observed(*metric.shape)
        whole = held_out(metric, human, observed, grouping, seed=seed, folds=folds)
        values += whole.values - _held_out(layout, pairs, observed, fold, folds)[0]
        once = _counts_once(draws)
        values[once], epsilons[once] = whole.values, whole.epsilons
    return Calibration(values, epsilons, layout.available, len(pairs))


def folds_of(segments: int, folds: int, seed: int) -> NDArray[np.intp]:
    """Which fold each segment is in: at random, all of one size or nearly."""
    if not 2 <= folds <= segments:
        raise ParameterError(f"{segments} segments cannot be cut into {folds} folds; it takes 2 to {segments}.")
    return np.random.default_rng([seed, 5]).permutation(np.arange(segments) % folds)


def _counts_once(draws: Draws) -> NDArray[np.bool_]:
    """Which draws are the data as they are."""
    return np.asarray((draws.segments == 1).all(axis=1) & (draws.systems == 1).all(axis=1))


def _listed(layout: Layout, draws: int, seed: int) -> Pairs:
    listed = layout.available <= LISTED_PAIRS and layout.available * draws <= LISTED_CELLS
    if layout.grouping == "item" or listed:
        return layout.all_pairs()
    low, high = SAMPLED_PAIRS
    return layout.sample(min(max(SAMPLED_CELLS // draws, low), high), seed)


class _Weighed:
    """Pairs under a block of draws: the product of each pair's weights, and the groups' shares in the mean."""

    def __init__(self, pairs: Pairs, items: Array, groups: Array) -> None:
        self.group = pairs.group
        self.products = items[:, pairs.first] * items[:, pairs.second]
        self.totals = _by_group(self.products, pairs.group, groups.shape[1])
        there = self.totals > 0
        counted = groups * there
        with np.errstate(invalid="ignore", divide="ignore"):
            # Without a single pair anywhere this is NaN, and so is the value.
            self.shares = counted / np.where(there, self.totals, 1.0) / counted.sum(axis=1, keepdims=True)

    def changes(self, order: SortedPairs) -> Array:
        """What each sorted pair adds to the mean when the metric calls it tied: draws by pairs."""
        changes: Array = self.shares[:, self.group[order.order]]
        changes *= self.products[:, order.order] * order.gain
        return changes


def _best(layout: Layout, pairs: Pairs, draws: Draws) -> tuple[Array, Array]:
    order = SortedPairs.of(pairs.metric_difference, pairs.human_difference)
    right = (np.sign(pairs.metric_difference) == np.sign(pairs.human_difference)).astype(np.float64)
    values, epsilons = np.empty(len(draws)), np.empty(len(draws))
    for here in _blocks(len(draws), len(pairs)):
        items, groups = layout.weights(draws, here)
        weighed = _Weighed(pairs, items, groups)
        gain, epsilons[here] = order.best(weighed.changes(order))
        correct = _by_group(weighed.products * right, pairs.group, groups.shape[1])
        values[here] = (weighed.shares * correct).sum(axis=1) + gain
    return values, np.where(np.isnan(values), np.nan, epsilons)


def _held_out(layout: Layout, pairs: Pairs, draws: Draws, fold: NDArray[np.intp], folds: int) -> tuple[Array, Array]:
    one, other = (fold[segment] for segment in layout.segment_of(pairs))
    parts = []
    for number in range(folds):
        training = pairs.only((one != number) & (other != number))
        test = pairs.only((one == number) & (other == number))
        parts.append((training, SortedPairs.of(training.metric_difference, training.human_difference), test))
    values, epsilons = np.empty(len(draws)), np.empty((len(draws), folds))
    for here in _blocks(len(draws), len(pairs)):
        items, groups = layout.weights(draws, here)
        correct, total = np.zeros_like(groups), np.zeros_like(groups)
        for number, (training, order, test) in enumerate(parts):
            _, epsilons[here, number] = order.best(_Weighed(training, items, groups).changes(order))
            products = items[:, test.first] * items[:, test.second]
            total += _by_group(products, test.group, groups.shape[1])
            agree = _agree(test, epsilons[here, number])
            correct += _by_group(products * agree, test.group, groups.shape[1])
        there = total > 0
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = groups * there / (groups * there).sum(axis=1, keepdims=True)
            values[here] = (shares * correct / np.where(there, total, 1.0)).sum(axis=1)
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


def _blocks(draws: int, pairs: int) -> list[slice]:
    step = max(1, CACHED_CELLS // max(pairs, 1))
    return [slice(start, min(start + step, draws)) for start in range(0, draws, step)]
