"""Intervals of shares: so many of so many."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from assay.errors import ParameterError
from assay.significance.intervals import Interval


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
