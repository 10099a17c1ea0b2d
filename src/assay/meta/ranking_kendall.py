"""WMT's Kendall τ on rankings: of the pairs that people decided, how many does a metric order the same way?

All variants are a sum over pairs divided by a sum over pairs, so a row of two numbers per pair, or per segment, is all
that resampling needs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError, UnknownName

Values = NDArray[np.float64]

#: What a tie of the metric adds to numerator and denominator; pairs that people tied never count.
METRIC_TIES = {
    "wmt12": (-1.0, 1.0),
    "wmt13": (0.0, 0.0),
    "wmt14": (0.0, 1.0),
}


def kendall_rows(metric_first: Values, metric_second: Values, outcome: NDArray[np.int64], variant: str) -> Values:
    """Two numbers per pair (P × 2): what it adds to the numerator and to the denominator."""
    if variant not in METRIC_TIES:
        raise UnknownName.of("variant of Kendall's tau on rankings", variant, METRIC_TIES)
    difference = np.asarray(metric_first, dtype=np.float64) - np.asarray(metric_second, dtype=np.float64)
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
