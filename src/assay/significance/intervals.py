"""Intervals out of resampled scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.significance.student import widened_tail


@dataclass(frozen=True)
class Interval:
    """A range for a score, and how sure it is."""

    low: float
    high: float
    confidence: float = 0.95

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter((self.low, self.high))


def percentile_interval(
    resampled: NDArray[np.float64], confidence: float = 0.95, *, influence: NDArray[np.float64] | None = None
) -> Interval:
    """The middle ``confidence`` of the resampled scores (Efron's percentile interval).

    With the ``influence`` of each unit on the score it is widened for few units, as Student's t is against the normal.
    """
    if not 0.0 < confidence < 1.0:
        raise ParameterError(f"The confidence is {confidence}, but it takes a number between 0 and 1.")
    if len(resampled) == 0:
        raise ParameterError("An interval needs at least one sample.")
    tail = (1.0 - confidence) / 2.0
    if influence is not None:
        tail = widened_tail(influence, tail)
    low, high = quantiles(resampled, [tail, 1.0 - tail])
    return Interval(low, high, confidence)


def influence_of(jackknife: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each unit does to a score, from the scores without each of them."""
    influence: NDArray[np.float64] = jackknife.mean() - jackknife
    return influence


def quantiles(values: NDArray[np.float64], levels: Sequence[float]) -> list[float]:
    """Values at these shares of the sorted ones, with straight lines between them.

    The k-th of n stands at k/(n+1), so that what lies beyond it is as likely as it is meant to be.
    """
    ordered = np.sort(values)
    places = np.asarray(levels) * (len(ordered) + 1) - 1
    found: list[float] = np.interp(places, np.arange(len(ordered)), ordered).tolist()
    return found


def bca_interval(
    resampled: NDArray[np.float64], observed: float, jackknife: NDArray[np.float64], confidence: float = 0.95
) -> Interval:
    """Efron's bias-corrected and accelerated interval; ``jackknife`` holds the score without each unit in turn.

    It is widened for few units, as Student's t is against the normal: see ``widened_tail``.
    """
    normal = NormalDist()
    below = (np.count_nonzero(resampled < observed) + 0.5 * np.count_nonzero(resampled == observed)) / len(resampled)
    influence = influence_of(jackknife)
    square = float((influence**2).sum())
    if not 0.0 < below < 1.0 or square == 0.0:
        # Nothing varies, or all to one side: there is no bias to correct.
        return percentile_interval(resampled, confidence)
    bias = normal.inv_cdf(below)
    acceleration = float((influence**3).sum()) / (6.0 * square**1.5)
    tail = widened_tail(influence, (1.0 - confidence) / 2.0)

    def level(quantile: float) -> float:
        shifted = bias + quantile
        return normal.cdf(bias + shifted / (1.0 - acceleration * shifted))

    low, high = quantiles(resampled, [level(normal.inv_cdf(tail)), level(normal.inv_cdf(1.0 - tail))])
    return Interval(low, high, confidence)


def binomial_interval(count: int, of: int, confidence: float = 0.95) -> Interval:
    """Clopper and Pearson's interval of a share, between 0 and 1."""
    from scipy.special import betaincinv

    tail = (1.0 - confidence) / 2.0
    low = 0.0 if count == 0 else float(betaincinv(count, of - count + 1, tail))
    high = 1.0 if count == of else float(betaincinv(count + 1, of - count, 1.0 - tail))
    return Interval(low, high, confidence)
