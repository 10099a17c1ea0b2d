"""What a test set can show: the smallest difference it would find, and how long it would have to be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist


@dataclass(frozen=True)
class Power:
    """The reach of a comparison, from the standard error of its difference."""

    #: The smallest true difference that the test would find in ``power`` of all such test sets.
    detectable: float
    #: How many units of the same kind would show the difference that was seen; None where there is none.
    needed: int | None
    power: float
    alpha: float


def power_of(delta: float, standard_error: float, units: int, *, alpha: float = 0.05, power: float = 0.8) -> Power:
    """By the normal approximation: (z of alpha/2 + z of power) standard errors.

    >>> round(power_of(1.0, 0.5, 1000).detectable, 3), power_of(1.0, 0.5, 1000).needed
    (1.401, 1963)
    """
    normal = NormalDist()
    factor = normal.inv_cdf(1.0 - alpha / 2.0) + normal.inv_cdf(power)
    detectable = factor * standard_error
    needed = None if delta == 0.0 else math.ceil(units * (detectable / delta) ** 2)
    return Power(detectable, needed, power, alpha)
