"""Intervals of resampled scores and of shares, and how they are widened where units are few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError


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
    low, high = middle(resampled, (1.0 - confidence) / 2.0, influence=influence)
    return Interval(low, high, confidence)


def middle(
    values: NDArray[np.float64],
    tail: float,
    *,
    influence: NDArray[np.float64] | None = None,
    units: int | None = None,
) -> tuple[float, float]:
    """What lies between both tails of resampled values.

    Few units leave less beyond it: by what each does to the value (``influence``), or else by their number (``units``).
    """
    units = units if influence is None else len(influence)
    tail = tail if units is None else widened_tail(tail, units, influence)
    low, high = quantiles(values, [tail, 1.0 - tail])
    return low, high


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
    ends: list[float] = np.interp(places, np.arange(len(ordered)), ordered).tolist()
    return ends


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
    tail = widened_tail((1.0 - confidence) / 2.0, len(influence), influence)

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


def wilson_interval(successes: int, trials: int, confidence: float = 0.95) -> Interval:
    """Wilson's score interval (1927) of a share, from 0 to 1; sound near both ends, where most shares of ours are.

    >>> low, high = wilson_interval(99, 100)
    >>> round(low, 4), round(high, 4)
    (0.9455, 0.9982)
    """
    if not 0.0 < confidence < 1.0:
        raise ParameterError(f"The confidence is {confidence}, but it takes a number between 0 and 1.")
    if not 0 <= successes <= trials or trials == 0:
        raise ParameterError(f"{successes} of {trials} is no share.")
    quantile = NormalDist().inv_cdf((1.0 + confidence) / 2.0)
    share, spread = successes / trials, quantile**2 / trials
    centre = share + spread / 2.0
    half = quantile * sqrt(share * (1.0 - share) / trials + spread / (4.0 * trials))
    low, high = (centre - half) / (1.0 + spread), (centre + half) / (1.0 + spread)
    return Interval(0.0 if successes == 0 else low, 1.0 if successes == trials else high, confidence)


def student_quantile(tail: float, freedom: float) -> float:
    """The quantile of Student's t, by Cornish and Fisher's series: right to a per cent from 3 degrees of freedom on.

    Loading scipy for it would take longer than a whole bootstrap.

    >>> round(student_quantile(0.025, 10), 3), round(student_quantile(0.025, 1000), 3)
    (-2.228, -1.962)
    """
    z = NormalDist().inv_cdf(tail)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def widened_tail(tail: float, units: int, influence: NDArray[np.float64] | None = None) -> float:
    """The tail of a bootstrap of so many units that stands for ``tail`` of the truth.

    A variance that is estimated from n values of kurtosis k is as good as one from 2n/(k-1) normal ones: those are the
    degrees of freedom of the t that is read instead of the normal; k comes from the ``influence`` that each unit has on
    the score, without which they are taken as normal. And samples of n vary less than the truth, by the root of
    n/(n-1).

    >>> round(widened_tail(0.025, 20), 4), round(widened_tail(0.025, 1000), 4)
    (0.0159, 0.0248)
    """
    if units < 2:
        return tail
    freedom = units - 1.0
    if influence is not None:
        square = float((influence**2).sum())
        if square == 0.0:
            return tail
        kurtosis = units * float((influence**4).sum()) / square**2
        freedom = min(2.0 * units / max(kurtosis - 1.0, 1e-9), freedom)
    return NormalDist().cdf(student_quantile(tail, max(freedom, 3.0)) * float(np.sqrt(units / (units - 1))))
