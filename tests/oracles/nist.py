"""NIST, written out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from oracles.bleu import Segment
from oracles.ngrams import clipped, ngrams


class Information:
    """How surprising an n-gram of the references is after its beginning, in bits.

    >>> information = Information([(["a"], [["a", "b", "a", "c"]])])
    >>> information.of(("a",)), information.of(("a", "b"))
    (1.0, 1.0)
    """

    def __init__(self, segments: Sequence[Segment], order: int = 5, zero_quirk: bool = True) -> None:
        self.counts: Counter[tuple[str, ...]] = Counter()
        self.words = 0
        self.zero_quirk = zero_quirk
        for _, references in segments:
            for reference in references:
                self.words += len(reference)
                for length in range(1, order + 1):
                    self.counts += ngrams(reference, length)

    def of(self, ngram: tuple[str, ...]) -> float:
        history = ngram[:-1]
        # Perl takes the string "0" for false, and so for no history.
        empty = history == () or (self.zero_quirk and history == ("0",))
        return math.log2((self.words if empty else self.counts[history]) / self.counts[ngram])


def length_penalty(length: float, reference: float) -> float:
    """One half at two thirds of the references' mean length.

    >>> round(length_penalty(2, 3), 12), length_penalty(4, 3), length_penalty(0, 3)
    (0.5, 1.0, 0.0)
    """
    if length >= reference:
        return 1.0
    beta = math.log(2) / math.log(1.5) ** 2
    return math.exp(-beta * math.log(length / reference) ** 2) if length else 0.0


def found(segments: Sequence[Segment], information: Information, order: int = 5) -> list[float]:
    """The information of all matches of these segments, by the length of the n-gram."""
    return [
        sum(
            times * information.of(ngram)
            for translation, references in segments
            for ngram, times in clipped(translation, references, n).items()
        )
        for n in range(1, order + 1)
    ]


def left_out(
    segments: Sequence[Segment], units: Sequence[int], counted: Sequence[bool] | None = None, order: int = 5
) -> list[list[float]]:
    """For each unit what the information of the matches is less if it is left out, and all is counted anew.

    Weights come from all segments that are left, matches from those of them that are ``counted``.
    """
    counted = counted or [True] * len(segments)
    without = []
    for unit in [None, *range(max(units) + 1)]:
        here = [number for number, other in enumerate(units) if other != unit]
        information = Information([segments[number] for number in here], order)
        without.append(found([segments[number] for number in here if counted[number]], information, order))
    return [[all_of - rest for all_of, rest in zip(without[0], others, strict=True)] for others in without[1:]]


def nist(segments: Sequence[Segment], information: Information, order: int = 5) -> float:
    """The score of these segments; information comes from the whole test set."""
    score = 0.0
    for n in range(1, order + 1):
        found, total = 0.0, 0
        for translation, references in segments:
            matches = clipped(translation, references, n)
            found += sum(times * information.of(ngram) for ngram, times in matches.items())
            total += ngrams(translation, n).total()
        score += found / max(total, 1)
    length = sum(len(translation) for translation, _ in segments)
    reference = sum(sum(map(len, references)) / len(references) for _, references in segments)
    return score * length_penalty(length, reference)
