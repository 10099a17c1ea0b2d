"""N-grams, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def ngrams(tokens: Sequence[str], length: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of this length stands in the tokens.

    >>> ngrams(["a", "b", "a", "b"], 2)
    Counter({('a', 'b'): 2, ('b', 'a'): 1})
    """
    return Counter(tuple(tokens[start : start + length]) for start in range(len(tokens) - length + 1))


def clipped(translation: Sequence[str], references: Sequence[Sequence[str]], length: int) -> Counter[tuple[str, ...]]:
    """The translation's n-grams, each counted at most as often as in the reference that has it most often.

    >>> clipped(["the"] * 7, [["the", "cat", "the"], ["the"]], 1)
    Counter({('the',): 2})
    """
    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= ngrams(reference, length)
    return ngrams(translation, length) & most
