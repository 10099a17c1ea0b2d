"""RIBES by lists of all n-grams: which words have a place in the reference, and how many pairs of them rise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations


def places(ngram: Sequence[str], words: Sequence[str]) -> list[int]:
    """Where an n-gram begins.

    >>> places("a b".split(), "a b a b".split())
    [0, 2]
    """
    return [start for start in range(len(words)) if list(words[start : start + len(ngram)]) == list(ngram)]


def ranks(translation: Sequence[str], reference: Sequence[str]) -> list[int]:
    """The place of each word that has one: by itself, or by the words behind it or before it.

    >>> ranks("the book was read by the boy".split(), "the boy read the book".split())
    [3, 4, 2, 0, 1]
    """
    found = []
    for index in range(len(translation)):
        for window in range(max(min(max(index, len(translation) - index + 1), len(reference)), 1)):
            behind, before = translation[index : index + window + 1], translation[max(index - window, 0) : index + 1]
            # A word alone is behind and before at once.
            if len(behind) == window + 1 and len(places(behind, translation)) == len(places(behind, reference)) == 1:
                found.append(places(behind, reference)[0])
                break
            if len(before) == window + 1 and len(places(before, translation)) == len(places(before, reference)) == 1:
                found.append(places(before, reference)[0] + window)
                break
    return found


def ribes(translation: Sequence[str], reference: Sequence[str], alpha: float = 0.25, beta: float = 0.1) -> float:
    """On 0 to 1.

    >>> round(ribes("Bob hit John yesterday".split(), "John hit Bob yesterday".split()), 6)
    0.5
    """
    order = ranks(translation, reference)
    if len(order) < 2:
        return 0.0
    pairs = list(combinations(order, 2))
    rising = sum(first < second for first, second in pairs) / len(pairs)
    brevity = min(1.0, math.exp(1 - len(reference) / len(translation)))
    return rising * (len(order) / len(translation)) ** alpha * brevity**beta
