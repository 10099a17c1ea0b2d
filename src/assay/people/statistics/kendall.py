"""Kendall's tau in its variants: pairs ordered alike less pairs ordered unlike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay.arrays import Array
from assay.errors import InputError, ParameterError
from assay.people.statistics.base import Grid, Grouping, ItemPairs, Level, Statistic, Values, distinct_rows
from assay.people.statistics.system_pairs import accuracy
from assay.significance.association import PairSums, kendall_b, kendall_c, tau_b, tau_c

_BELOW: tuple[Level, ...] = ("document", "segment")


class Kendall(Statistic):
    """Kendall's tau-b."""

    name: ClassVar[str] = "kendall"
    label: ClassVar[str] = "Kendall's tau-b"
    summary: ClassVar[str] = "pairs ordered alike less pairs ordered unlike, by the pairs that differ on each side"
    source: ClassVar[str] = "Kendall (1945)"
    usual: ClassVar[bool] = True
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ("none", "item")
    swaps_within_items: ClassVar[bool] = True

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        return kendall_b(metric, human, weights)

    def of_grid(self, grid: Grid) -> Values:
        if grid.grouping == "item":
            return Values(grid.by_item(lambda rows: _kendall_b_by_item(grid.item_pairs, rows)))
        return Values(grid.of_pairs(PairSums.kendall_b))


class KendallC(Statistic):
    """Kendall's tau-c, which is Stuart's."""

    name: ClassVar[str] = "kendall-c"
    label: ClassVar[str] = "Kendall's tau-c"
    summary: ClassVar[str] = "the same numerator, by the most it could be with so few distinct values"
    source: ClassVar[str] = "Stuart (1953)"

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        return kendall_c(metric, human, weights)

    def of_grid(self, grid: Grid) -> Values:
        if grid.grouping == "item":
            return Values(grid.by_item(lambda rows: _kendall_c_by_item(grid.item_pairs, grid.metric, grid.human, rows)))
        return Values(grid.of_pairs(PairSums.kendall_c))


@dataclass(frozen=True)
class KendallLike(Statistic):
    """WMT's statistic of direct assessments."""

    name: ClassVar[str] = "kendall-like"
    label: ClassVar[str] = "Kendall-like (WMT17-20)"
    summary: ClassVar[str] = "only pairs that people set 25 points apart; a metric tie counts as wrong"
    source: ClassVar[str] = "Bojar et al. (2017)"
    levels: ClassVar[tuple[Level, ...]] = _BELOW
    groupings: ClassVar[tuple[Grouping, ...]] = ("item",)

    #: People's scores have to differ by so much, in raw points of 0 to 100.
    threshold: float = 25.0

    def __post_init__(self) -> None:
        if not self.threshold > 0:
            raise ParameterError(f"kendall-like's threshold is {self.threshold}, but it takes a number above 0.")

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        """Of the pairs of one segment."""
        apart = np.abs(human[..., :, None] - human[..., None, :]) >= self.threshold
        pairs = apart * weights[..., :, None] * weights[..., None, :]
        sign = np.sign(metric[..., :, None] - metric[..., None, :]) * np.sign(human[..., :, None] - human[..., None, :])
        total = pairs.sum((-2, -1))
        right = (pairs * (sign > 0)).sum((-2, -1))
        return np.asarray(np.where(total > 0, (2.0 * right - total) / np.where(total > 0, total, 1.0), 0.0))

    def of_grid(self, grid: Grid) -> Values:
        """(Concordant less discordant) by their sum, over the pairs of all segments together."""
        draws = grid.draws
        systems, which = distinct_rows(draws.systems)
        concordant, apart = np.empty(len(draws)), np.empty(len(draws))
        for here in draws.slices(6 * grid.metric.shape[1]):
            rows = systems if len(systems) == 1 else systems[which[here]]
            counts = _kendall_like_counts(grid.item_pairs, rows, self.threshold)
            for total, count in zip((concordant, apart), counts, strict=True):
                total[here] = (draws.weights[here] * count).sum(axis=1)
        # Without a pair to judge by it is 0, as in mt-metrics-eval.
        return Values(np.divide(2.0 * concordant - apart, apart, out=np.zeros(len(draws)), where=apart > 0))


class Tau23(Statistic):
    """tau23, with ties as they are."""

    name: ClassVar[str] = "tau23"
    label: ClassVar[str] = "tau23"
    summary: ClassVar[str] = "pairs that agree less pairs that do not, by all pairs; ties count as they are"
    source: ClassVar[str] = "Deutsch et al. (2023)"
    levels: ClassVar[tuple[Level, ...]] = _BELOW
    groupings: ClassVar[tuple[Grouping, ...]] = ("item", "none", "system")
    swaps_within_items: ClassVar[bool] = True

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        return 2.0 * accuracy(metric, human, weights) - 1.0

    def of_grid(self, grid: Grid) -> Values:
        if grid.grouping == "item":
            return Values(grid.by_item(lambda rows: 2.0 * _agreement_by_item(grid.item_pairs, rows) - 1.0))
        return Values(grid.of_pairs(lambda sums: 2.0 * sums.agreement() - 1.0))


def _kendall_b_by_item(pairs: ItemPairs, systems: Array) -> Array:
    """Kendall's tau-b in each segment: draws by segments."""
    weights = pairs.weights(systems)
    return tau_b(
        weights @ (pairs.metric_sign * pairs.human_sign), weights @ pairs.metric_sign**2, weights @ pairs.human_sign**2
    )


def _kendall_c_by_item(pairs: ItemPairs, metric: Array, human: Array, systems: Array) -> Array:
    """Kendall's tau-c in each segment: draws by segments."""
    difference = pairs.weights(systems) @ (pairs.metric_sign * pairs.human_sign)
    total = systems @ (~np.isnan(metric)).astype(np.float64)
    classes = np.minimum(_classes(metric, systems), _classes(human, systems))
    return tau_c(2.0 * difference, total, classes)


def _agreement_by_item(pairs: ItemPairs, systems: Array) -> Array:
    """The share of pairs in each segment that both sides order alike, or tie: draws by segments."""
    weights = pairs.weights(systems)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((weights @ pairs.agree()) / (weights @ pairs.present.astype(np.float64)))


def _kendall_like_counts(pairs: ItemPairs, systems: Array, threshold: float) -> tuple[Array, Array]:
    """Concordant pairs and all pairs that people set apart by ``threshold``, draws by segments.

    A pair that the metric ties is not concordant.
    """
    with np.errstate(invalid="ignore"):
        apart = np.abs(pairs.human_difference) >= threshold
    concordant = apart & (pairs.metric_sign * pairs.human_sign > 0)
    weights = pairs.weights(systems)
    return weights @ concordant.astype(np.float64), weights @ apart.astype(np.float64)


def _classes(scores: Array, systems: Array) -> Array:
    """How many distinct scores each segment has among the systems drawn: draws by segments."""
    drawn = (systems > 0).astype(np.float64)
    present = ~np.isnan(scores)
    counts = drawn @ present.astype(np.float64)
    for system in range(1, len(scores)):
        equal = scores[:system] == scores[system]
        if equal.any():
            # It adds nothing where an earlier system that was drawn has the same score.
            seen = drawn[:, :system] @ equal.astype(np.float64) > 0
            counts -= drawn[:, system, None] * seen
    return np.asarray(counts)


class _RankingKendall(Statistic):
    """WMT's Kendall's tau on pairs that people ranked: of those that they decided, how many the metric orders alike.

    Its variants differ in how a metric's ties count. ``compute`` takes who won each pair (1 the first, -1 the second, 0
    nobody), the metric's first score less its second, and weights of pairs; weights over segments become those by
    ``weights[..., pairs.segment]``.
    """

    source: ClassVar[str] = "Callison-Burch et al. (2012); Macháček and Bojar (2013, 2014)"
    levels: ClassVar[tuple[Level, ...]] = ("segment",)
    groupings: ClassVar[tuple[Grouping, ...]] = ()
    fewest: ClassVar[int] = 1
    ranked: ClassVar[bool] = True
    #: What a tie of the metric adds to numerator and denominator; pairs that people tied never count.
    metric_tie: ClassVar[tuple[float, float]]

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        if np.isnan(metric).any():
            missing = int(np.isnan(metric).sum())
            raise InputError(f"{missing} of {len(metric)} pairs have no metric score. Leave these pairs out first.")
        above, below = self.metric_tie
        decided, tied = human != 0, metric == 0
        rows = np.empty((len(metric), 2))
        rows[:, 0] = np.where(tied, above, np.sign(metric) * human) * decided
        rows[:, 1] = np.where(tied, below, 1.0) * decided
        sums = weights @ rows
        top, bottom = sums[..., 0], sums[..., 1]
        return np.asarray(np.divide(top, bottom, out=np.full(np.shape(bottom), np.nan), where=bottom > 0))


class KendallWmt12(_RankingKendall):
    """Kendall's tau as WMT counted it in 2012."""

    name: ClassVar[str] = "kendall-wmt12"
    label: ClassVar[str] = "Kendall's tau (WMT12)"
    summary: ClassVar[str] = (
        "pairs that people ranked, ordered alike less ordered unlike; a metric's tie counts as wrong"
    )
    metric_tie: ClassVar[tuple[float, float]] = (-1.0, 1.0)


class KendallWmt13(_RankingKendall):
    """Kendall's tau as WMT counted it in 2013."""

    name: ClassVar[str] = "kendall-wmt13"
    label: ClassVar[str] = "Kendall's tau (WMT13)"
    summary: ClassVar[str] = (
        "pairs that people ranked, ordered alike less ordered unlike; a metric's tie does not count"
    )
    metric_tie: ClassVar[tuple[float, float]] = (0.0, 0.0)


class KendallWmt14(_RankingKendall):
    """Kendall's tau as WMT counted it in 2014."""

    name: ClassVar[str] = "kendall-wmt14"
    label: ClassVar[str] = "Kendall's tau (WMT14)"
    summary: ClassVar[str] = (
        "pairs that people ranked, ordered alike less ordered unlike; a metric's tie counts neither way, but is there"
    )
    metric_tie: ClassVar[tuple[float, float]] = (0.0, 1.0)
