"""Pearson's, Spearman's and Kendall's correlations, and tau23, as statistics of ``assay meta``.

And Kendall's tau as WMT counted it: of pairs that people set apart, or ranked.
"""

from __future__ import annotations

from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.arrays import Array
from assay.errors import InputError
from assay.people.statistics.base import (
    Association,
    Grid,
    Grouping,
    Level,
    MetricPairs,
    Ordering,
    Statistic,
    Values,
    arranged,
)
from assay.significance.association import ROUNDING

_Scalar = TypeVar("_Scalar", bound=np.generic)

#: Correlations at which that of ranks is looked up.
_FINE = np.linspace(-1.0, 1.0, 2001)


class Pearson(Association):
    """Pearson's r."""

    name: ClassVar[str] = "pearson"
    label: ClassVar[str] = "Pearson's r"
    summary: ClassVar[str] = "how close the scores are to a straight line"
    source: ClassVar[str] = "Pearson (1895)"
    usual: ClassVar[bool] = True
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ("none",)
    measure: ClassVar[str] = "pearson"

    def as_pearson(self, values: Array, points: int) -> Array:
        del points
        return values

    def from_pearson(self, correlations: Array, points: int) -> Array:
        del points
        return correlations

    def swap_deltas(
        self, scores: Array, human: Array, grouping: Grouping, flags: NDArray[np.uint8], pairs: MetricPairs,
        *, threads: int = 1,
    ) -> Array:  # fmt: skip
        """All draws and pairs of metrics together: sums of scores and of their squares are linear in the swaps."""
        del threads
        flags = flags.reshape(len(flags), -1)
        first, second = np.array(pairs).T
        sums, counts = np.zeros((2, 2, len(flags), len(first)))
        for group in arranged(np.arange(human.size).reshape(human.shape), grouping):
            cells = group[~np.isnan(human.ravel()[group])]
            people = human.ravel()[cells]
            if len(cells) < 2 or (people == people[0]).all():
                continue
            people = people - people.mean()
            people /= np.sqrt((people**2).sum())
            shown = scores.reshape(len(scores), -1)[:, cells]
            shown = shown - shown.mean()
            moments = np.stack([shown, shown * shown, shown * people])
            moved = (flags[:, cells].astype(np.float64) @ moments.reshape(-1, len(cells)).T).reshape(len(flags), 3, -1)
            change = moved[:, :, second] - moved[:, :, first]
            for side, (metric, sign) in enumerate(((first, 1.0), (second, -1.0))):
                total, squares, products = (moments.sum(axis=2)[:, metric] + sign * change).transpose(1, 0, 2)
                variance = squares - total**2 / len(cells)
                defined = variance > ROUNDING * squares
                sums[side] += np.where(defined, products / np.sqrt(np.where(defined, variance, 1.0)), 0.0)
                counts[side] += defined
        with np.errstate(invalid="ignore", divide="ignore"):
            means = sums / counts
        return np.asarray(means[0] - means[1]).T


class Spearman(Association):
    """Spearman's rho."""

    name: ClassVar[str] = "spearman"
    label: ClassVar[str] = "Spearman's rho"
    summary: ClassVar[str] = "Pearson's r of ranks; ties share their mean rank"
    source: ClassVar[str] = "Spearman (1904)"
    usual: ClassVar[bool] = True
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ("none",)
    measure: ClassVar[str] = "spearman"

    def as_pearson(self, values: Array, points: int) -> Array:
        """The inverse of what Moran found, read off a fine table."""
        return np.asarray(np.interp(values, self.from_pearson(_FINE, points), _FINE))

    def from_pearson(self, correlations: Array, points: int) -> Array:
        """What rho is expected to be over so many points (Moran, 1948)."""
        sines = np.arcsin(correlations) + (points - 2) * np.arcsin(correlations / 2.0)
        return np.asarray(6.0 / np.pi / (points + 1) * sines)


def _in_groups(cells: NDArray[_Scalar], grouping: Grouping) -> NDArray[_Scalar]:
    """Systems by segments (the last two axes) as items by groups."""
    turned = {"none": cells.reshape(*cells.shape[:-2], -1, 1), "item": cells, "system": np.swapaxes(cells, -1, -2)}
    return np.ascontiguousarray(turned[grouping])


class _OfPairs(Association):
    """A share of pairs, of which two metrics may swap the scores in all draws at once."""

    def swap_deltas(
        self, scores: Array, human: Array, grouping: Grouping, flags: NDArray[np.uint8], pairs: MetricPairs,
        *, threads: int = 1,
    ) -> Array:  # fmt: skip
        """All draws and pairs of metrics together."""
        # Items by groups, as segments group their systems.
        cells = _in_groups(scores, grouping), _in_groups(human, grouping), _in_groups(flags, grouping)
        shares = kernels.swapped_shares(*cells, [*pairs], self.measure == "kendall_b", threads)
        sums, counts = shares.reshape(2, 2, len(flags), -1)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = sums / counts
        return np.asarray(means[0] - means[1]).T


class Kendall(_OfPairs, Ordering):
    """Kendall's tau-b."""

    name: ClassVar[str] = "kendall"
    label: ClassVar[str] = "Kendall's tau-b"
    summary: ClassVar[str] = "pairs ordered alike less pairs ordered unlike, by the pairs that differ on each side"
    source: ClassVar[str] = "Kendall (1945)"
    usual: ClassVar[bool] = True
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ("none", "item")
    measure: ClassVar[str] = "kendall_b"


class KendallC(Ordering):
    """Kendall's tau-c, which is Stuart's."""

    name: ClassVar[str] = "kendall-c"
    label: ClassVar[str] = "Kendall's tau-c"
    summary: ClassVar[str] = "the same numerator, by the most it could be with so few distinct values"
    source: ClassVar[str] = "Stuart (1953)"
    measure: ClassVar[str] = "kendall_c"


class Tau23(_OfPairs):
    """tau23, with ties as they are."""

    name: ClassVar[str] = "tau23"
    label: ClassVar[str] = "tau23"
    summary: ClassVar[str] = "pairs that agree less pairs that do not, by all pairs; ties count as they are"
    source: ClassVar[str] = "Deutsch et al. (2023)"
    levels: ClassVar[tuple[Level, ...]] = ("document", "segment")
    groupings: ClassVar[tuple[Grouping, ...]] = ("item", "none", "system")
    measure: ClassVar[str] = "tau23"


class KendallLike(Statistic):
    """WMT's statistic of direct assessments."""

    name: ClassVar[str] = "kendall-like"
    label: ClassVar[str] = "Kendall-like (WMT17-20)"
    summary: ClassVar[str] = "only pairs that people set 25 points apart; a metric tie counts as wrong"
    source: ClassVar[str] = "Bojar et al. (2017)"
    levels: ClassVar[tuple[Level, ...]] = ("document", "segment")
    groupings: ClassVar[tuple[Grouping, ...]] = ("item",)
    #: People's scores have to differ by so much, in raw points of 0 to 100.
    threshold: ClassVar[float] = 25.0

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
    tested: ClassVar[tuple[Grouping | None, ...]] = ()
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
