"""What ignores the order of words: PER both ways, precision, recall, F1 and Fmean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import log

from oracles.ngrams import ngrams

#: Common words, words of the translation, words of the reference.
Counts = tuple[int, int, int]


def count(translation: Sequence[str], reference: Sequence[str]) -> Counts:
    """Words in common, each as often as it stands on both sides.

    >>> count("the the cat".split(), "the cat sat".split())
    (2, 3, 3)
    """
    common = ngrams(translation, 1) & ngrams(reference, 1)
    return common.total(), len(translation), len(reference)


def errors(counts: Counts) -> int:
    """PER's: what is left of the longer side."""
    common, translation, reference = counts
    return max(translation, reference) - common


def per(rows: Sequence[Counts], surplus: str = "segment") -> Fraction:
    """Errors per reference word, charged per segment or once for all.

    >>> rows = [(1, 3, 1), (1, 1, 3)]
    >>> per(rows), per(rows, "corpus")
    (Fraction(1, 1), Fraction(1, 2))
    """
    common, translation, reference = (sum(column) for column in zip(*rows, strict=True))
    total = errors((common, translation, reference)) if surplus == "corpus" else sum(map(errors, rows))
    return Fraction(total, max(reference, 1))


def fmean(counts: Counts, recall_weight: Fraction) -> Fraction:
    """PR / (aP + (1 - a)R): 1 is recall alone, 0 precision alone, one half F1; two empty texts agree.

    >>> fmean((2, 4, 3), Fraction(1, 2)), fmean((2, 4, 3), Fraction(1)), fmean((2, 4, 3), Fraction(0))
    (Fraction(4, 7), Fraction(2, 3), Fraction(1, 2))
    """
    common, translation, reference = (int(number) for number in counts)
    if translation == reference == 0:
        return Fraction(1)
    if common == 0:
        return Fraction(0)
    precision, recall = Fraction(common, translation), Fraction(common, reference)
    return precision * recall / (recall_weight * precision + (1 - recall_weight) * recall)


def best(translation: Sequence[str], references: Sequence[Sequence[str]], recall_weight: Fraction) -> Counts:
    """The counts against the reference with the best score, the first on ties."""
    return max((count(translation, one) for one in references), key=lambda counts: fmean(counts, recall_weight))


def best_per(translation: Sequence[str], references: Sequence[Sequence[str]]) -> Counts:
    """The counts against the reference with the lowest PER, the first on ties."""
    return min((count(translation, one) for one in references), key=lambda counts: per([counts]))


def weighed(
    translation: Sequence[str], references: Sequence[Sequence[str]], weights: Mapping[str, float], other: float = 1.0
) -> tuple[float, float, float]:
    """What words in common weigh, and those of both sides; of several references the one with most of a word counts.

    >>> weighed("the the cat".split(), ["the cat sat".split()], {"the": 0.5})
    (1.5, 2.0, 2.5)
    >>> weighed("a b".split(), ["a a".split(), "b c".split()], {})
    (2.0, 2.0, 4.0)
    """
    ours, union = Counter(translation), Counter()
    for reference in references:
        union |= Counter(reference)

    def weight(words: Counter[str]) -> float:
        return sum((weights.get(word, other) * count for word, count in words.items()), 0.0)

    return weight(ours & union), weight(ours), weight(union)


def weighed_fmean(counts: Sequence[float], recall_weight: float) -> float:
    """PR / (aP + (1 - a)R) of weights; two texts in which nothing weighs agree."""
    common, translation, reference = counts
    if translation == reference == 0:
        return 1.0
    if common == 0:
        return 0.0
    return common / (recall_weight * reference + (1 - recall_weight) * translation)


def idf(documents: Sequence[Sequence[str]]) -> tuple[dict[str, float], float]:
    """ln((1 + N) / (1 + n)) + 1 of each word, and of words that no document has.

    >>> idf(["a b b".split(), ["a"]])[0]["a"]
    1.0
    """
    found = Counter(word for document in documents for word in set(document))
    every = 1 + len(documents)
    return {word: log(every / (1 + count)) + 1 for word, count in found.items()}, log(every) + 1
