"""GLEU by counters: n-grams in common, and those of the side that has more."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from oracles.ngrams import ngrams


def count(translation: Sequence[str], reference: Sequence[str], shortest: int, longest: int) -> tuple[int, int]:
    """Matches, and all n-grams of the longer side.

    >>> count("the cat sat".split(), "the cat".split(), 1, 4)
    (3, 6)
    """
    orders = range(shortest, longest + 1)
    common = sum((ngrams(translation, order) & ngrams(reference, order)).total() for order in orders)
    totals = [sum(ngrams(side, order).total() for order in orders) for side in (translation, reference)]
    return common, max(totals)


def best(
    translation: Sequence[str], references: Sequence[Sequence[str]], shortest: int, longest: int
) -> tuple[int, int]:
    """Against the reference with the highest score, the first on ties; those without any n-gram do not count."""
    found = [count(translation, reference, shortest, longest) for reference in references]
    return max((pair for pair in found if pair[1]), key=lambda pair: Fraction(*pair), default=(0, 0))
