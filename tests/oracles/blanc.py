"""BLANC as we define it, with every skip-n-gram written out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import combinations, pairwise
from math import exp, inf


def skip_ngrams(words: Sequence[str], size: int, gap: float) -> Counter[tuple[str, ...]]:
    """How often each sequence of ``size`` words stands in ``words``, with at most ``gap`` others inside.

    >>> skip_ngrams(["a", "b", "a"], 2, 1)
    Counter({('a', 'b'): 1, ('a', 'a'): 1, ('b', 'a'): 1})
    """
    chosen = (places for places in combinations(range(len(words)), size) if places[-1] - places[0] + 1 - size <= gap)
    return Counter(tuple(words[place] for place in places) for places in chosen)


def within(translation: Sequence[str], reference: Sequence[str], size: int, gap: float) -> tuple[int, int, int]:
    """Skip-n-grams within a gap: those in common, clipped, and all of the translation and of the reference."""
    ours, theirs = skip_ngrams(translation, size, gap), skip_ngrams(reference, size, gap)
    return (ours & theirs).total(), ours.total(), theirs.total()


def bucketed(
    translation: Sequence[str], reference: Sequence[str], size: int, ends: Sequence[float]
) -> list[tuple[int, int, int]]:
    """What each bucket of gaps adds to those before it; ``ends`` are the largest gaps of the buckets."""
    found, before = [], (0, 0, 0)
    for end in ends:
        now = within(translation, reference, size, end)
        found.append((now[0] - before[0], now[1] - before[1], now[2] - before[2]))
        before = now
    return found


def score(
    translation: Sequence[str],
    reference: Sequence[str],
    *,
    weights: Sequence[float],
    decay: float,
    alpha: float,
    ends: Sequence[float],
) -> float:
    """The score of one segment, 0 to 100. A bucket counts as its smallest gap, and one without end as 32."""
    if not translation and not reference:
        return 100.0
    means, used = [], []
    for size, weight in enumerate(weights, start=1):
        rows = bucketed(translation, reference, size, ends)
        starts = [32 if end == inf else before + 1 for before, end in pairwise((-1, *ends))]
        common, ours, theirs = (
            sum(exp(-decay * start) * row[side] for start, row in zip(starts, rows, strict=True)) for side in range(3)
        )
        if ours or theirs:
            precision, recall = common / ours if ours else 0.0, common / theirs if theirs else 0.0
            below = alpha * precision + (1 - alpha) * recall
            means.append(precision * recall / below if below else 0.0)
            used.append(weight)
    if not any(used):
        return 100.0 * means[0]
    return 100.0 * sum(weight * mean for weight, mean in zip(used, means, strict=True)) / sum(used)


def rouge_s(
    translation: Sequence[str], reference: Sequence[str], skip: float = float("inf")
) -> tuple[float, float, float]:
    """ROUGE-S: precision, recall and F1 of clipped pairs of words at most ``skip`` words apart (Lin, 2004)."""

    def pairs(words: Sequence[str]) -> Counter[tuple[str, str]]:
        return Counter(
            (first, second)
            for place, first in enumerate(words)
            for distance, second in enumerate(words[place + 1 :])
            if distance <= skip
        )

    ours, theirs = pairs(translation), pairs(reference)
    common = sum(min(count, theirs[pair]) for pair, count in ours.items())
    precision, recall = common / (ours.total() or 1), common / (theirs.total() or 1)
    return precision, recall, 2 * precision * recall / ((precision + recall) or 1)


def equal_names(
    translation: Sequence[str],
    reference: Sequence[str],
    stem: Callable[[str], str],
    senses: Callable[[str], Collection[int]],
) -> tuple[list[str], list[str]]:
    """Both texts in names that are the same where METEOR's modules match words, the modules one after the other.

    A word's first name is its stem. Names that both sides have are settled. Of the others two are linked if they are on
    different sides and words of theirs share a set of synonyms; whoever can be reached by links has the same name.

    >>> senses = {"sofa": {1}, "couch": {1, 2}, "lounge": {2}}
    >>> equal_names(["sofa", "lounge", "sat"], ["couch"], str, lambda word: senses.get(word, ()))
    (['couch', 'couch', 'sat'], ['couch'])
    """
    ours, theirs = ({stem(word): set() for word in side} for side in (translation, reference))
    for side, names in ((translation, ours), (reference, theirs)):
        for word in side:
            names[stem(word)] |= set(senses(word))
    links = {
        frozenset((left, right))
        for left in ours.keys() - theirs.keys()
        for right in theirs.keys() - ours.keys()
        if ours[left] & theirs[right]
    }

    def named(word: str) -> str:
        reached = {stem(word)}
        while more := {name for link in links if link & reached for name in link} - reached:
            reached |= more
        return min(reached)

    return [named(word) for word in translation], [named(word) for word in reference]
