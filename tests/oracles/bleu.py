"""BLEU and modified BLEU, written out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from oracles.ngrams import clipped, ngrams

Segment = tuple[Sequence[str], Sequence[Sequence[str]]]


@dataclass
class Counts:
    """What is added up over segments."""

    length: int
    reference: float
    matches: list[int]
    totals: list[int]


def chosen_length(length: int, references: Sequence[Sequence[str]], choice: str) -> float:
    """The reference length of a segment: of two equally close the shorter.

    >>> [chosen_length(3, [["a"] * 4, ["a"] * 2], choice) for choice in ("closest", "shortest", "average")]
    [2, 2, 3.0]
    """
    lengths = sorted(len(reference) for reference in references)
    if choice == "average":
        return sum(lengths) / len(lengths)
    return lengths[0] if choice == "shortest" else min(lengths, key=lambda one: abs(one - length))


def count(segments: Sequence[Segment], order: int = 4, reference_length: str = "closest") -> Counts:
    """The sums over all segments."""
    total = Counts(0, 0.0, [0] * order, [0] * order)
    for translation, references in segments:
        total.length += len(translation)
        total.reference += chosen_length(len(translation), references, reference_length)
        for index in range(order):
            total.matches[index] += clipped(translation, references, index + 1).total()
            total.totals[index] += ngrams(translation, index + 1).total()
    return total


def brevity_penalty(counts: Counts) -> float:
    """1 unless the translation is shorter than its reference."""
    if counts.length >= counts.reference:
        return 1.0
    return math.exp(1 - counts.reference / counts.length) if counts.length else 0.0


def precisions(counts: Counts, smoothing: str, value: float | None) -> list[float | None]:
    """One per order, as sacreBLEU smooths; ``None`` from the first order that the translation is too short for."""
    found: list[float | None] = []
    halving = 1.0
    for index, (matches, total) in enumerate(zip(counts.matches, counts.totals, strict=True)):
        added = (1.0 if value is None else value) if smoothing == "add-k" and index > 0 else 0.0
        if total + added == 0 or None in found:
            found.append(None)
        elif matches + added > 0:
            found.append((matches + added) / (total + added))
        elif smoothing == "exp":
            halving /= 2
            found.append(halving / total)
        elif smoothing == "floor":
            found.append((0.1 if value is None else value) / total)
        else:
            found.append(0.0)
    return found


def bleu(
    counts: Counts,
    weights: Sequence[float] | None = None,
    smoothing: str = "exp",
    value: float | None = None,
    effective_order: bool = False,
) -> float:
    """sacreBLEU's score, 0 to 100.

    >>> a = "the cat sat on the mat".split()
    >>> bleu(count([(a, [a])])), bleu(count([(["dog"], [a])])), bleu(count([(a[:2], [a[:2]])]))
    (100.0, 0.0, 0.0)
    """
    if not any(counts.matches):
        return 0.0
    logarithms, share = 0.0, 0.0
    for weight, precision in zip(
        weights or [1.0] * len(counts.totals), precisions(counts, smoothing, value), strict=True
    ):
        if weight == 0 or (precision is None and effective_order):
            continue
        if not precision:
            return 0.0
        logarithms += weight * math.log(precision)
        share += weight
    return 100 * brevity_penalty(counts) * math.exp(logarithms / share) if share else 0.0


def mteval_bleu(counts: Counts, smoothing: str = "exp") -> float:
    """mteval's score, 0 to 100: an order without n-grams counts as perfect, unless there is no smoothing.

    >>> a = ["a"]
    >>> mteval_bleu(count([(a, [a])])), round(mteval_bleu(count([(a, [["b"]])])), 2), mteval_bleu(count([([], [a])]))
    (100.0, 84.09, 0.0)
    """
    if counts.length == 0 or (smoothing == "none" and 0 in counts.matches):
        return 0.0
    logarithms, halving = 0.0, 1.0
    for matches, total in zip(counts.matches, counts.totals, strict=True):
        if total > 0 and matches == 0:
            halving /= 2
        if total > 0:
            logarithms += math.log((matches or halving) / total)
    return 100 * brevity_penalty(counts) * math.exp(logarithms / len(counts.totals))


def modbleu(counts: Counts, brevity: bool = True) -> float:
    """The arithmetic mean of precisions, 0 to 100; an order without n-grams has precision 0.

    >>> modbleu(count([(["a", "b"], [["a", "b"]])]))
    50.0
    """
    each = [matches / total if total else 0.0 for matches, total in zip(counts.matches, counts.totals, strict=True)]
    return 100 * sum(each) / len(each) * (brevity_penalty(counts) if brevity else 1.0)
