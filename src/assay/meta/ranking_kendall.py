"""WMT's Kendall τ on rankings: of the pairs that people decided, how many does a metric order the same way?

All variants are a sum over pairs divided by a sum over pairs, so a row of two numbers per pair, or per segment, is all
that resampling needs.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError, UnknownName
from assay.meta.statistics.base import Grouping, Level, Statistic

Values = NDArray[np.float64]

#: What a tie of the metric adds to numerator and denominator; pairs that people tied never count.
METRIC_TIES = {
    "wmt12": (-1.0, 1.0),
    "wmt13": (0.0, 0.0),
    "wmt14": (0.0, 1.0),
}


def kendall_rows(metric_first: Values, metric_second: Values, outcome: NDArray[np.int64], variant: str) -> Values:
    """Two numbers per pair (P × 2): what it adds to the numerator and to the denominator."""
    difference = np.asarray(metric_first, dtype=np.float64) - np.asarray(metric_second, dtype=np.float64)
    return rows_of_differences(difference, outcome, variant)


def rows_of_differences(difference: Values, outcome: NDArray[np.int64] | Values, variant: str) -> Values:
    """The same from the differences between the metric's two scores of each pair."""
    if variant not in METRIC_TIES:
        raise UnknownName.of("variant of Kendall's tau on rankings", variant, METRIC_TIES)
    if np.isnan(difference).any():
        missing = int(np.isnan(difference).sum())
        raise InputError(f"{missing} of {len(difference)} pairs have no metric score. Leave these pairs out first.")
    agreement = np.sign(difference) * outcome
    top, bottom = METRIC_TIES[variant]
    decided = outcome != 0
    rows = np.empty((len(difference), 2))
    rows[:, 0] = np.where(difference == 0, top, agreement) * decided
    rows[:, 1] = np.where(difference == 0, bottom, 1.0) * decided
    return rows


def kendall_on_pairs(
    metric_first: Values,
    metric_second: Values,
    outcome: NDArray[np.int64],
    weights: Values | None = None,
    variant: str = "wmt14",
) -> Values:
    """Kendall's τ over pairs, one value per row of ``weights`` (... × P, by default all 1); NaN where nothing counts.

    Weights over segments become weights over pairs by ``weights[..., pairs.segment]``.
    """
    rows = kendall_rows(metric_first, metric_second, outcome, variant)
    sums = rows.sum(axis=0) if weights is None else np.asarray(weights, dtype=np.float64) @ rows
    return kendall_of_sums(sums)


def segment_rows(rows: Values, segment: NDArray[np.int64], segments: int) -> Values:
    """The rows of pairs added up per segment (S × 2)."""
    return np.stack([np.bincount(segment, weights=column, minlength=segments) for column in rows.T], axis=1)


def kendall_of_sums(sums: Values) -> Values:
    """τ from sums of rows (... × 2)."""
    top, bottom = sums[..., 0], sums[..., 1]
    value: Values = np.divide(top, bottom, out=np.full(np.shape(bottom), np.nan), where=bottom > 0)
    return value


class RankingKendall(Statistic):
    """Kendall's tau on pairs that people ranked; its variants differ in how a metric's ties count.

    ``compute`` takes who won each pair (1 the first, -1 the second, 0 nobody) and the metric's first score less its
    second.
    """

    source: ClassVar[str] = "Callison-Burch et al. (2012); Macháček and Bojar (2013, 2014)"
    levels: ClassVar[tuple[Level, ...]] = ("segment",)
    groupings: ClassVar[tuple[Grouping, ...]] = ()
    fewest: ClassVar[int] = 1
    ranked: ClassVar[bool] = True
    variant: ClassVar[str]

    def compute(self, human: Values, metric: Values, weights: Values) -> Values:
        return kendall_of_sums(weights @ rows_of_differences(metric, human, self.variant))


class KendallWmt12(RankingKendall):
    """Kendall's tau as WMT counted it in 2012."""

    name: ClassVar[str] = "kendall-wmt12"
    label: ClassVar[str] = "Kendall's tau (WMT12)"
    summary: ClassVar[str] = (
        "pairs that people ranked, ordered alike less ordered unlike; a metric's tie counts as wrong"
    )
    variant: ClassVar[str] = "wmt12"


class KendallWmt13(RankingKendall):
    """Kendall's tau as WMT counted it in 2013."""

    name: ClassVar[str] = "kendall-wmt13"
    label: ClassVar[str] = "Kendall's tau (WMT13)"
    summary: ClassVar[str] = (
        "pairs that people ranked, ordered alike less ordered unlike; a metric's tie does not count"
    )
    variant: ClassVar[str] = "wmt13"


class KendallWmt14(RankingKendall):
    """Kendall's tau as WMT counted it in 2014."""

    name: ClassVar[str] = "kendall-wmt14"
    label: ClassVar[str] = "Kendall's tau (WMT14)"
    summary: ClassVar[str] = (
        "pairs that people ranked, ordered alike less ordered unlike; a metric's tie counts neither way, but is there"
    )
    variant: ClassVar[str] = "wmt14"
