"""Few units: what the normal distribution promises, as Student's t keeps it."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray


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


def few_units_tail(units: int, tail: float) -> float:
    """The tail of a bootstrap of so many units that stands for ``tail`` of the truth, as if they were normal.

    >>> round(few_units_tail(20, 0.025), 4), round(few_units_tail(1000, 0.025), 4)
    (0.0159, 0.0248)
    """
    if units < 2:
        return tail
    stretch = float(np.sqrt(units / (units - 1)))
    return NormalDist().cdf(student_quantile(tail, max(units - 1.0, 3.0)) * stretch)


def widened_tail(influence: NDArray[np.float64], tail: float) -> float:
    """The tail of a bootstrap that stands for ``tail`` of the truth; ``influence`` is what each unit does to the score.

    A variance that is estimated from n values of kurtosis k is as good as one from 2n/(k-1) normal ones: those are the
    degrees of freedom of the t that is read instead of the normal. And samples of n vary less than the truth, by
    the root of n/(n-1).
    """
    units = len(influence)
    square = float((influence**2).sum())
    if units < 2 or square == 0.0:
        return tail
    kurtosis = units * float((influence**4).sum()) / square**2
    freedom = min(2.0 * units / max(kurtosis - 1.0, 1e-9), units - 1.0)
    return NormalDist().cdf(student_quantile(tail, max(freedom, 3.0)) * float(np.sqrt(units / (units - 1))))
