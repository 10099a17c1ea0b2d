"""Bootstrap weights over segments, drawn once per question, and the intervals that are read from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from assay.meta.severity import Floats
from assay.results.result import Table
from assay.significance.intervals import influence_of, percentile_interval
from assay.significance.weights import bootstrap_counts

#: Up to so many units each is left out once, so that intervals can be widened for their small number.
FEW_UNITS = 250
#: Samples in which a statistic is not defined (nothing varies, say) may make up so much before there is no interval.
UNDEFINED_SHARE = 0.5


@dataclass(frozen=True)
class Estimate:
    """A value with its interval; None where it is not defined."""

    value: float | None
    low: float | None
    high: float | None


NOTHING = Estimate(None, None, None)


def rows_of(statistics: Mapping[str, Estimate], raters: int, items: int, prefix: str = "") -> Table:
    """A row per statistic: its value, its interval, and how many raters and items are behind it."""
    behind = {"raters": raters, "items": items}
    return [{"statistic": f"{prefix}{name}", **vars(estimate), **behind} for name, estimate in statistics.items()]


@dataclass(frozen=True, eq=False)
class Draws:
    """Rows of weights over units: all once, then the bootstrap samples, then all but one, if they are few."""

    weights: Floats = field(repr=False)
    samples: int

    @classmethod
    def of(cls, units: int, samples: int, seed: int) -> Draws:
        """Weights for so many segments."""
        parts = [np.ones((1, units)), *bootstrap_counts(units, samples, seed)]
        if 2 <= units <= FEW_UNITS:
            parts.append(1.0 - np.eye(units))
        return cls(np.vstack(parts), samples)

    def estimate(self, values: Floats, *, centred: bool = False) -> Estimate:
        """The value and its interval from the statistic under every row of weights; NaN where it is not defined.

        ``centred`` moves the samples, on Fisher's scale, until their median is the value: a segment that is drawn twice
        brings no new ratings, so that a reliability near 1 is lower in nearly all samples than in all the data.
        """
        if centred:
            values = _centred(values, self.samples)
        observed = float(values[0])
        if not np.isfinite(observed):
            return NOTHING
        if self.weights.shape[1] < 2:
            # A single segment says nothing of how others would turn out.
            return Estimate(observed, None, None)
        drawn = values[1 : 1 + self.samples]
        finite = drawn[np.isfinite(drawn)]
        if len(finite) <= UNDEFINED_SHARE * self.samples:
            return Estimate(observed, None, None)
        jackknife = values[1 + self.samples :]
        whole = len(jackknife) > 1 and bool(np.isfinite(jackknife).all())
        interval = percentile_interval(finite, influence=influence_of(jackknife) if whole else None)
        return Estimate(observed, interval.low, interval.high)


def _centred(values: Floats, samples: int) -> Floats:
    turned = np.arctanh(np.clip(values, -1.0 + 1e-12, 1.0 - 1e-12))
    drawn = turned[1 : 1 + samples]
    fine = drawn[np.isfinite(drawn)]
    if not len(fine):
        return values
    moved = turned.copy()
    moved[1 : 1 + samples] += turned[0] - np.median(fine)
    found: Floats = np.tanh(moved)
    return np.concatenate([values[:1], found[1:]])
