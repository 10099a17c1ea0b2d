"""Is one metric closer to people than another? Tests on the same systems and segments, two-sided.

Here are Williams's test, for two Pearson correlations that share the human scores, and Turian et al.'s, Wilcoxon's over
pseudo-documents. PERM-BOTH, which serves any statistic, is in ``permutation``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assay.errors import ParameterError
from assay.meta.statistics.draws import Array
from assay.significance.association import spearman
from assay.significance.tests import wilcoxon_p


def williams_p(first: float, second: float, between: float, count: int) -> float:
    """Williams's test (1959) of two correlations with the same human scores (Graham and Baldwin, 2014).

    ``first`` and ``second`` are the metrics' correlations with people, ``between`` the one of the metrics with each
    other, ``count`` the number of systems. Student's t with ``count`` - 3 degrees of freedom; NaN below 4 systems.

    >>> round(williams_p(0.4, 0.5, 0.1, 103), 2)
    0.37
    """
    from scipy.special import stdtr

    if count < 4 or not np.isfinite([first, second, between]).all():
        return float("nan")
    if first == second:
        return 1.0
    determinant = 1.0 - first**2 - second**2 - between**2 + 2.0 * first * second * between
    mean = (first + second) / 2.0
    variance = 2.0 * max(determinant, 0.0) * (count - 1) / (count - 3) + mean**2 * (1.0 - between) ** 3
    if variance <= 0.0:
        return 0.0
    t = (first - second) * np.sqrt((count - 1) * (1.0 + between) / variance)
    return 2.0 * float(stdtr(count - 3, -abs(t)))


def pseudo_document_weights(segments: int, length: int, count: int = 1000, seed: int = 1) -> Array:
    """Which segments each of ``count`` pseudo-documents is made of: ``length`` different ones at random (0 and 1)."""
    if not 1 <= length <= segments:
        raise ParameterError(f"A pseudo-document of {length} segments cannot be made from {segments}.")
    generator = np.random.default_rng([seed, 7])
    weights = np.zeros((count, segments))
    for row in weights:
        row[generator.choice(segments, size=length, replace=False)] = 1.0
    return weights


@dataclass(frozen=True)
class PseudoDocumentTest:
    """Two metrics' correlations with people in each pseudo-document, and Wilcoxon's p between them."""

    first: Array
    second: Array
    p: float

    @property
    def delta(self) -> float:
        """The mean correlation of the first less that of the second."""
        return float(np.mean(self.first - self.second)) if len(self.first) else float("nan")


def pseudo_document_test(
    first: Array, second: Array, human: Array, statistic: Callable[[Array, Array], Array] = spearman
) -> PseudoDocumentTest:
    """Wilcoxon's signed ranks over pseudo-documents (Turian et al., 2003), from system scores, documents by systems.

    Pseudo-documents in which one of the two correlations is not defined are left out. They share segments, so they are
    not independent, as the test takes them to be: with many of them p is small for differences that a new test set
    need not show. It says which metric does better on these segments.
    """
    values = [statistic(np.asarray(scores, dtype=np.float64), human) for scores in (first, second)]
    defined = ~np.isnan(values[0]) & ~np.isnan(values[1])
    one, other = values[0][defined], values[1][defined]
    return PseudoDocumentTest(one, other, wilcoxon_p(one, other).value if len(one) else float("nan"))
