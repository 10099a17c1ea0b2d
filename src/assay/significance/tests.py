"""Is the difference more than chance? Paired tests on sums of rows, two-sided.

Every test keeps three promises. Ties count against a difference, so two copies of one system give p = 1. A
simulated p-value counts the observed outcome itself (the +1 rule), so it is never 0. And the same draws serve all
systems and metrics.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array

TestName = Literal["randomisation", "bootstrap", "t", "wilcoxon"]
TESTS: tuple[TestName, ...] = ("randomisation", "bootstrap", "t", "wilcoxon")

#: Differences that are equal in exact arithmetic are equal here: rounding may not decide a tie.
_TOLERANCE = 1e-9


#: What arithmetic may add to a p-value: a share of the level that it is held against.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class PValue:
    """A p-value, and whether every outcome was enumerated rather than drawn."""

    value: float
    exact: bool = False


def is_significant(p: float, alpha: float) -> bool:
    """Whether a p-value, adjusted or not, is at most ``alpha``: the level itself is significant.

    What is equal in exact arithmetic is equal here: six times 0.05 by six is a little more in that of computers.

    >>> is_significant(0.05, 0.05), is_significant(0.05 * 6 / 6, 0.05), is_significant(0.0501, 0.05)
    (True, True, False)
    """
    return bool(p <= alpha * (1.0 + _ROUNDING))


def at_least(differences: Array, observed: float) -> NDArray[np.bool_]:
    """Which differences are as large as the observed one, whatever their sign; ties count."""
    return np.abs(differences) >= abs(observed) - _TOLERANCE * max(1.0, abs(observed))


def randomisation_p(differences: Array, observed: float, *, exact: bool) -> PValue:
    """From the differences under random swaps of the two systems' segments (Noreen, 1989).

    ``exact`` says that ``differences`` holds every swap there is, the identity among them.
    """
    reached = int(at_least(differences, observed).sum())
    if exact:
        return PValue(reached / len(differences), exact=True)
    return PValue((reached + 1) / (len(differences) + 1))


def bootstrap_p(differences: Array, observed: float, units: int) -> PValue:
    """From the differences of bootstrap samples, shifted so that the null hypothesis holds for them.

    What is drawn from n units varies less than n new units would. The deviations are therefore stretched by the square
    root of n/(n-1), and the tail is read as one of Student's t with n-1 degrees of freedom.
    """
    if units < 2:
        return PValue(1.0)
    reached = int(at_least(differences - observed, observed).sum())
    share = (reached + 1) / (len(differences) + 1)
    return PValue(stretched_tail(share, units))


def stretched_tail(share: float, units: int) -> float:
    """The two-sided tail of Student's t that belongs to a bootstrap's tail ``share``."""
    from scipy.special import ndtri, stdtr

    if share >= 1.0:
        return 1.0
    quantile = -float(ndtri(share / 2.0)) * np.sqrt((units - 1) / units)
    return min(1.0, 2.0 * float(stdtr(units - 1, -quantile)))


def t_p(first: Array, second: Array) -> PValue:
    """Student's paired t on segment scores; segments without a difference take part."""
    from scipy.special import stdtr

    differences = first - second
    units = len(differences)
    spread = float(differences.std(ddof=1)) if units > 1 else 0.0
    mean = float(differences.mean())
    if units < 2:
        return PValue(1.0)
    if spread <= _TOLERANCE * max(1.0, abs(mean)):
        # All segments moved alike: certain if they moved, nothing to see if not.
        return PValue(1.0 if abs(mean) <= _TOLERANCE else 0.0)
    return PValue(2.0 * float(stdtr(units - 1, -abs(mean) / (spread / np.sqrt(units)))))


def wilcoxon_p(first: Array, second: Array) -> PValue:
    """Wilcoxon's signed ranks on segment scores; zero differences are ranked and then dropped (Pratt, 1959)."""
    differences = first - second
    differences = np.where(np.abs(differences) <= _TOLERANCE, 0.0, differences)
    moved = int(np.count_nonzero(differences))
    if moved == 0:
        return PValue(1.0)
    from scipy.stats import wilcoxon

    exact = moved == len(differences) and moved <= 50 and len(np.unique(np.abs(differences))) == moved
    result = wilcoxon(differences, zero_method="pratt", correction=not exact, method="exact" if exact else "asymptotic")
    return PValue(float(result.pvalue), exact=exact)
