"""Agreement on pairs of systems: who is better, by how much, and how surely.

The two copies of a system that was drawn twice are no pair of systems. They would agree by construction (tied on both
sides), so they do not count here.

Soft pairwise accuracy (Thompson et al., 2024) asks whether metric and people are equally sure which system is better.
For each pair of systems both sides give a one-sided p-value. It is 1 less the mean distance of the two p-values. A
p-value here counts outcomes that equal the observed one by half (mid-p), so that those of a pair and of the same pair
the other way round add up to 1, and the order of the systems does not matter.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from assay.arrays import Array
from assay.errors import ParameterError
from assay.people.statistics.base import Grid, Grouping, Level, Ordering, Statistic, Values
from assay.significance.association import ROUNDING, from_moments
from assay.significance.draws import Draws, Units, swap_flags

#: Sums of swaps that are equal in exact arithmetic are equal here: rounding may not decide a tie.
_TOLERANCE = 1e-9


class Accuracy(Ordering):
    """Pairwise accuracy."""

    name: ClassVar[str] = "accuracy"
    label: ClassVar[str] = "pairwise accuracy"
    summary: ClassVar[str] = "the share of pairs of systems that metric and people order alike"
    source: ClassVar[str] = "Kocmi et al. (2021)"
    levels: ClassVar[tuple[Level, ...]] = ("system",)
    groupings: ClassVar[tuple[Grouping, ...]] = ()
    usual: ClassVar[bool] = True
    measure: ClassVar[str] = "agreement"

    def as_pearson(self, values: Array, points: int) -> Array:
        return super().as_pearson(2.0 * values - 1.0, points)

    def from_pearson(self, correlations: Array, points: int) -> Array:
        return (super().from_pearson(correlations, points) + 1.0) / 2.0


class PearsonOfDifferences(Statistic):
    """Pearson's correlation of the differences between all pairs of systems.

    Each pair can be subtracted one way or the other, and a centred correlation depends on it. The system that people
    find worse is subtracted from the better one; a pair that they find equal enters both ways, with half its weight
    each. So it does not depend on the order in which systems are listed. If every pair were taken both ways, the result
    would be Pearson's correlation of the systems themselves.
    """

    name: ClassVar[str] = "pearson-differences"
    label: ClassVar[str] = "Pearson's r of differences"
    summary: ClassVar[str] = "Pearson's r of the differences between pairs of systems, better less worse"
    source: ClassVar[str] = "Coughlin (2003); Lavie et al. (2004)"
    levels: ClassVar[tuple[Level, ...]] = ("system",)
    groupings: ClassVar[tuple[Grouping, ...]] = ()
    fewest: ClassVar[int] = 3
    usual: ClassVar[bool] = True

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        moments = np.zeros((6, *metric.shape[:-1]))
        for system in range(metric.shape[-1]):
            pairs = weights[..., system, None] * weights[..., system + 1 :]
            apart, people = (values[..., system, None] - values[..., system + 1 :] for values in (metric, human))
            # From the better to the worse; both ways of a tie add up to nothing.
            parts = (1.0, apart * np.sign(people), np.abs(people), apart**2, people**2, apart * people)
            moments += np.stack([(pairs * part).sum(axis=-1) for part in parts])
        return from_moments(moments)


class PairwiseDifferencePearson(Statistic):
    """Pearson's correlation of the differences between systems within segments, of all segments together.

    Only translations of one segment are held against each other, so that easy segments do not help a metric, and a
    large difference says more than a small one. Every pair enters both ways, so that the order of systems does not
    matter, and the mean difference is 0. The sum over the pairs of a segment follows from sums over its systems.
    """

    name: ClassVar[str] = "pdp"
    label: ClassVar[str] = "pairwise-difference Pearson"
    summary: ClassVar[str] = "Pearson's r of differences between systems on the same segment, of all segments together"
    source: ClassVar[str] = "DiIanni and Deutsch (2025)"
    levels: ClassVar[tuple[Level, ...]] = ("document", "segment")
    groupings: ClassVar[tuple[Grouping, ...]] = ("item",)

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        """Of the pairs of one segment."""
        number, x, y = (part.sum(axis=-1) for part in (weights, weights * metric, weights * human))
        xx, yy, xy = ((weights * part).sum(axis=-1) for part in (metric**2, human**2, metric * human))
        return from_moments(np.stack([number, x, y, xx, yy, xy]))

    def of_grid(self, grid: Grid) -> Values:
        there = ~np.isnan(grid.metric)
        sides = [np.where(there, side, 0.0) for side in (grid.metric, grid.human)]
        # Without the mean of their segment differences stay what they are, and rounding is less.
        count = np.maximum(there.sum(axis=0), 1)
        x, y = (np.where(there, side - side.sum(axis=0) / count, 0.0) for side in sides)
        values = np.empty(len(grid.draws))
        for here in grid.draws.slices(8 * x.shape[1]):
            systems, segments = grid.draws.systems[here], grid.draws.weights[here]
            number, of_x, of_y = systems @ there.astype(np.float64), systems @ x, systems @ y

            def total(products: Array, sums: Array, number: Array = number, segments: Array = segments) -> Array:
                """Over all pairs: how often a segment counts, times what its systems have together."""
                return np.asarray((segments * (number * products - sums)).sum(axis=1))

            xx, yy = total(systems @ (x * x), of_x**2), total(systems @ (y * y), of_y**2)
            xy = total(systems @ (x * y), of_x * of_y)
            whole = [total(systems @ (side * side), np.zeros(())) for side in sides]
            defined = (xx > ROUNDING * whole[0]) & (yy > ROUNDING * whole[1])
            below = np.sqrt(np.where(defined, xx, 1.0)) * np.sqrt(np.where(defined, yy, 1.0))
            values[here] = np.where(defined, np.clip(xy / below, -1.0, 1.0), np.nan)
        return Values(values)


def pair_p_values(contributions: Array, units: Units, *, samples: int = 1000, seed: int = 1) -> Array:
    """p-values (systems by systems) that the first system is no better than the second, by paired permutation.

    ``contributions`` (systems by segments) have the systems' scores as their means. In each of ``samples`` draws the
    two systems change places in ``units`` chosen at random, the same ones for all pairs; p is the share of draws in
    which the first then leads by as much as it did. A segment that one of the two lacks is left out for that pair;
    a pair without a common segment is NaN.
    """
    if samples < 1:
        raise ParameterError(f"samples is {samples}, but a permutation test takes at least 1.")
    differences, there = _differences(contributions)
    observed = differences.sum(axis=0)
    tolerance = _TOLERANCE * np.abs(differences).sum(axis=0)
    reached = np.zeros(len(observed))
    by_unit = units.sums(differences)
    for flags in swap_flags(units.keys, samples, seed):
        swapped = (1.0 - 2.0 * flags) @ by_unit - observed
        reached += (swapped > tolerance).sum(axis=0) + 0.5 * (np.abs(swapped) <= tolerance).sum(axis=0)
    return _square(np.where(there.any(axis=0), reached / samples, np.nan), len(contributions))


def pair_p_normal(contributions: Array, draws: Draws) -> Array:
    """The same p-values under each draw of units (draws by systems by systems), by the normal approximation.

    Under random swaps of units the sum of their differences has mean 0 and the sum of their squares as its variance.
    Copies of a unit that was drawn twice swap apart, as they would in data that repeat it.
    """
    from scipy.special import ndtr

    contributions = np.asarray(contributions, dtype=np.float64)
    if draws.weights.shape[1] != contributions.shape[1]:
        raise ParameterError(
            f"Draws of {draws.weights.shape[1]} segments do not fit contributions of {contributions.shape[1]}."
        )
    differences, there = _differences(contributions)
    # A segment's part in the square of its unit's difference.
    squares = differences * draws.units.sums(differences)[draws.units.codes]
    p_values = np.empty((len(draws), len(contributions), len(contributions)))
    for here in draws.slices(6 * len(contributions) ** 2 + contributions.shape[1]):
        weights = draws.weights[here]
        variance = weights @ squares
        score = (weights @ differences) / np.sqrt(np.where(variance > 0, variance, 1.0))
        p = np.where(weights @ there > 0, ndtr(-score), np.nan)
        p_values[here] = _square(p, len(contributions))
    return p_values


def _differences(contributions: Array) -> tuple[Array, Array]:
    """What each segment adds to the first system's lead, segments by pairs, and where both systems have it."""
    contributions = np.asarray(contributions, dtype=np.float64)
    first, second = np.triu_indices(len(contributions), k=1)
    differences = (contributions[first] - contributions[second]).T
    there = ~np.isnan(differences)
    return np.where(there, differences, 0.0), there.astype(np.float64)


def _square(pairs: Array, systems: int) -> Array:
    """p-values of pairs as a table of systems by systems, with a half on the diagonal."""
    table = np.full((*pairs.shape[:-1], systems, systems), 0.5)
    first, second = np.triu_indices(systems, k=1)
    table[..., first, second] = pairs
    table[..., second, first] = 1.0 - pairs
    return table


class SoftPairwiseAccuracy(Statistic):
    """1 less the mean distance of p-values over pairs of systems, which it is computed from rather than scores.

    They are systems by systems, and leading axes broadcast. Weights say how often each system was drawn; its copies are
    no pair. Pairs without a p-value do not count.
    """

    name: ClassVar[str] = "spa"
    label: ClassVar[str] = "soft pairwise accuracy"
    summary: ClassVar[str] = (
        "1 less the mean distance between the metric's and people's p-values for pairs of systems; "
        "the usual one, of the metric's scores of systems"
    )
    source: ClassVar[str] = "Thompson et al. (2024)"
    levels: ClassVar[tuple[Level, ...]] = ("system",)
    groupings: ClassVar[tuple[Grouping, ...]] = ()
    usual: ClassVar[bool] = True
    of_p_values: ClassVar[bool] = True
    tested: ClassVar[tuple[Grouping | None, ...]] = ()

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        first, second = np.triu_indices(metric.shape[-1], k=1)
        distance = np.abs(metric - human)[..., first, second]
        pairs = weights[..., first] * weights[..., second] * ~np.isnan(distance)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(1.0 - (pairs * np.nan_to_num(distance)).sum(axis=-1) / pairs.sum(axis=-1))


class SoftPairwiseAccuracyOfSegments(SoftPairwiseAccuracy):
    """The same, with the mean of a metric's segment scores as its score of a system.

    Where a metric's score of a system is that mean, both are the same; where it is not, as with BLEU, chrF and TER,
    this is about another score than the one that the metric has for systems.
    """

    name: ClassVar[str] = "spa-segments"
    label: ClassVar[str] = "soft pairwise accuracy, means of segments"
    summary: ClassVar[str] = "spa of the mean of the metric's segment scores, as in mt-metrics-eval"
    usual: ClassVar[bool] = False
    of_segment_means: ClassVar[bool] = True
