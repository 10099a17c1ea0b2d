"""Kendall's tau as WMT counted it: of pairs that people set apart, or ranked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay.arrays import Array
from assay.errors import InputError, ParameterError
from assay.people.statistics.base import Grid, Grouping, Level, Statistic, Values


@dataclass(frozen=True)
class KendallLike(Statistic):
    """WMT's statistic of direct assessments."""

    name: ClassVar[str] = "kendall-like"
    label: ClassVar[str] = "Kendall-like (WMT17-20)"
    summary: ClassVar[str] = "only pairs that people set 25 points apart; a metric tie counts as wrong"
    source: ClassVar[str] = "Bojar et al. (2017)"
    levels: ClassVar[tuple[Level, ...]] = ("document", "segment")
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
        first, second = np.triu_indices(len(grid.metric), k=1)
        metric, human = (side[first] - side[second] for side in (grid.metric, grid.human))
        with np.errstate(invalid="ignore"):
            apart = np.abs(human) >= self.threshold
            concordant = apart & (np.sign(metric) * np.sign(human) > 0)
        values = np.zeros(len(draws))
        for here in draws.slices(6 * (grid.metric.shape[1] + len(first))):
            pairs = draws.systems[here][:, first] * draws.systems[here][:, second]
            right, total = (
                np.einsum("ds,ds->d", draws.weights[here], pairs @ counted.astype(np.float64))
                for counted in (concordant, apart)
            )
            # Without a pair to judge by it is 0, as in mt-metrics-eval.
            np.divide(2.0 * right - total, total, out=values[here], where=total > 0)
        return Values(values)


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
