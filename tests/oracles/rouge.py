"""ROUGE by lists of what is counted: n-grams, pairs with gaps, and the subsequence in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

#: In common, of the translation, of the reference.
Counts = tuple[float, float, float]


def units(words: Sequence[str], variant: str, order: int, skip: int | None) -> Counter[tuple[str, ...]]:
    """The n-grams, or the pairs of words with so many words between them, and with ``su`` all words but the last.

    >>> units("a b c".split(), "su", 1, 0).total()
    4
    """
    if variant == "n":
        return Counter(tuple(words[start : start + order]) for start in range(len(words) - order + 1))
    pairs = Counter(
        (words[first], words[second])
        for first, second in combinations(range(len(words)), 2)
        if skip is None or second - first - 1 <= skip
    )
    return pairs + Counter((word,) for word in words[:-1]) if variant == "su" else pairs


def subsequence(translation: Sequence[str], reference: Sequence[str], weight: float) -> list[int]:
    """The places in the reference of the best common subsequence; a longer run is worth more if the weight is above 1.

    >>> subsequence("police kill the gunman".split(), "police killed the gunman".split(), 1.0)
    [0, 2, 3]
    """
    # By length of reference and translation: worth, run in progress, places.
    best: dict[tuple[int, int], tuple[float, int, list[int]]] = {}
    for rows in range(len(reference) + 1):
        for columns in range(len(translation) + 1):
            if rows == 0 or columns == 0:
                best[rows, columns] = (0.0, 0, [])
            elif reference[rows - 1] == translation[columns - 1]:
                worth, run, places = best[rows - 1, columns - 1]
                best[rows, columns] = (worth + (run + 1) ** weight - run**weight, run + 1, [*places, rows - 1])
            else:
                above, left = best[rows - 1, columns], best[rows, columns - 1]
                worth, _, places = above if above[0] >= left[0] else left
                best[rows, columns] = (worth, 0, places)
    return best[len(reference), len(translation)][2]


def count(
    translation: Sequence[str], reference: Sequence[str], variant: str, *, order: int, skip: int | None, weight: float
) -> Counts:
    """What counts against one reference."""
    if variant in ("n", "s", "su"):
        ours, theirs = (units(side, variant, order, skip) for side in (translation, reference))
        return (ours & theirs).total(), ours.total(), theirs.total()
    places = subsequence(translation, reference, weight if variant == "w" else 1.0)
    if variant == "l":
        return len(places), len(translation), len(reference)
    starts = [place for place in places if place - 1 not in places]
    runs = [next(end for end in range(start, len(reference) + 1) if end not in places) - start for start in starts]
    common = sum(run**weight for run in runs)
    return common, len(translation) ** weight, (len(reference) ** weight) ** weight


def measures(counts: Sequence[Counts], variant: str, weight: float, alpha: float, rule: str) -> tuple[float, ...]:
    """Precision, recall and F of one segment, by the counts against each reference."""
    if rule == "best":

        def recall_of(one: Counts) -> float:
            wide = one[2] ** (1 / weight) if variant == "w" else one[2]
            recall = one[0] / wide if wide else 0.0
            return round(recall, 12 if variant in ("l", "w") else 5)

        counts = [max(counts, key=recall_of)]
    common, ours, theirs = (sum(column) for column in zip(*counts, strict=True))
    root = 1 / weight if variant == "w" else 1.0
    precision, recall = ((common / whole) ** root if whole else 0.0 for whole in (ours, theirs))
    below = (1 - alpha) * precision + alpha * recall
    return precision, recall, precision * recall / below if below else 0.0
