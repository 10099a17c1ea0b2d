"""Is the difference more than chance? Paired tests on sums of rows, two-sided; and what many of them say together.

Every test keeps three promises. Ties count against a difference, so two copies of one system give p = 1. A
simulated p-value counts the observed outcome itself (the +1 rule), so it is never 0. And the same draws serve all
systems and metrics. Of many comparisons at once p-values are adjusted, and ranks and clusters are those that the
evidence bears, as WMT reports them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.arrays import Array, Flags
from assay.errors import UnknownName

TestName = Literal["randomisation", "bootstrap", "t", "wilcoxon"]
TESTS: tuple[TestName, ...] = ("randomisation", "bootstrap", "t", "wilcoxon")

Correction = Literal["holm", "benjamini-hochberg", "none"]
_CORRECTIONS: tuple[Correction, ...] = ("holm", "benjamini-hochberg", "none")

#: Whether the first of two systems is significantly better than the second.
Better = Callable[[str, str], bool]

#: Differences that are equal in exact arithmetic are equal here: rounding may not decide a tie.
_TOLERANCE = 1e-9
#: Where many comparisons need more draws there are up to so many, with this margin below the level.
_MOST_DRAWS, _MARGIN = 100_000, 5
#: What arithmetic may add to a p-value: a share of the level that it is held against.
_ROUNDING = 1e-12


#: No test is so sure that a smaller p-value would mean anything: what is smaller to a computer would be 0.
_LEAST = float(np.finfo(np.float64).tiny)


def above_zero(p: float) -> float:
    """A p-value from a formula, which rounding makes no 0."""
    return max(p, _LEAST)


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


def reached(differences: Array, observed: float) -> Flags:
    """Which differences are as large as the observed one, whatever their sign; ties are."""
    return np.asarray(np.abs(differences) >= abs(observed) - _TOLERANCE * max(1.0, abs(observed)))


def randomisation_p(differences: Array, observed: float, *, exact: bool) -> PValue:
    """From the differences under random swaps of the two systems' segments (Noreen, 1989).

    Those count that are as large as the observed one, whatever their sign, ties among them. ``exact`` says that
    ``differences`` holds every swap there is, the identity among them.
    """
    count = int(reached(differences, observed).sum())
    if exact:
        return PValue(count / len(differences), exact=True)
    return PValue((count + 1) / (len(differences) + 1))


def bootstrap_p(differences: Array, observed: float, units: int) -> PValue:
    """From the differences of bootstrap samples, shifted so that the null hypothesis holds for them.

    What is drawn from n units varies less than n new units would. The deviations are therefore stretched by the square
    root of n/(n-1), and the tail is read as one of Student's t with n-1 degrees of freedom.
    """
    if units < 2:
        return PValue(1.0)
    # A draw in which nothing was drawn says nothing.
    drawn = differences[np.isfinite(differences)]
    return PValue(stretched_tail(randomisation_p(drawn - observed, observed, exact=False).value, units))


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
        # All units moved alike, to one side if they moved: as likely by chance as a coin that falls so every time.
        return PValue(1.0 if abs(mean) <= _TOLERANCE else above_zero(2.0 ** (1 - units)))
    return PValue(above_zero(2.0 * float(stdtr(units - 1, -abs(mean) / (spread / np.sqrt(units))))))


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
    return PValue(above_zero(float(result.pvalue)), exact=exact)


def draws_for(comparisons: int, alpha: float, usual: int) -> int:
    """How many draws the p-values of so many comparisons need: the smallest is then a fifth of what Holm asks for.

    >>> draws_for(1, 0.05, 10_000), draws_for(528, 0.05, 10_000), draws_for(4950, 0.05, 10_000)
    (10000, 52800, 100000)
    """
    return int(min(max(usual, math.ceil(round(_MARGIN * comparisons / alpha, 6))), max(usual, _MOST_DRAWS)))


def adjust(p_values: Sequence[float], correction: str) -> list[float]:
    """Adjusted p-values in the given order, to be held against the same level as one alone.

    ``holm`` (1979) bounds the chance of a single false alarm, ``benjamini-hochberg`` (1995) the share of false alarms.

    >>> adjust([0.01, 0.04, 0.03], "holm")
    [0.03, 0.06, 0.06]
    >>> adjust([0.01, 0.04, 0.03], "benjamini-hochberg")
    [0.03, 0.04, 0.04]
    """
    if correction not in _CORRECTIONS:
        raise UnknownName.of("correction", correction, _CORRECTIONS)
    values = np.asarray(p_values, dtype=np.float64)
    count = len(values)
    if correction == "none" or count == 0:
        return [float(value) for value in values]
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    if correction == "holm":
        stepped = np.maximum.accumulate(ranked * np.arange(count, 0, -1))
    else:
        stepped = np.minimum.accumulate((ranked * count / np.arange(1, count + 1))[::-1])[::-1]
    adjusted = np.empty(count)
    adjusted[order] = np.minimum(stepped, 1.0)
    # Never below the raw one, not even by rounding.
    return [max(float(round(value, 15)), float(raw)) for value, raw in zip(adjusted, values, strict=True)]


@dataclass(frozen=True)
class _Cluster:
    """Systems between which the evidence does not decide; all of them beat all of the next cluster."""

    rank: int
    systems: tuple[str, ...]


def clusters(ranked: Sequence[str], better: Better) -> list[_Cluster]:
    """Cut the ranking wherever every system above is significantly better than every system below.

    >>> wins = {("a", "c"), ("b", "c")}
    >>> [cluster.systems for cluster in clusters(["a", "b", "c"], lambda one, other: (one, other) in wins)]
    [('a', 'b'), ('c',)]
    """
    groups: list[_Cluster] = []
    start = 0
    for cut in range(1, len(ranked) + 1):
        if cut == len(ranked) or all(better(above, below) for above in ranked[:cut] for below in ranked[cut:]):
            groups.append(_Cluster(start + 1, tuple(ranked[start:cut])))
            start = cut
    return groups


def rank_range(system: str, systems: Sequence[str], better: Better) -> tuple[int, int]:
    """The best and the worst rank that the evidence leaves to a system."""
    others = [other for other in systems if other != system]
    above = sum(better(other, system) for other in others)
    below = sum(better(system, other) for other in others)
    return 1 + above, len(systems) - below
