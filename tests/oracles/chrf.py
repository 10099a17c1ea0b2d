"""chrF and chrF++, written out over units that are already cut: characters, and words."""

from __future__ import annotations

from collections.abc import Sequence

from oracles.ngrams import ngrams

#: The characters and the words of a text.
Units = tuple[Sequence[str], Sequence[str]]
Row = list[tuple[int, int, int]]


def row(translation: Units, reference: Units, char_order: int = 6, word_order: int = 0) -> Row:
    """N-grams of the translation, of the reference and common ones, for each order."""
    found: Row = []
    for ours, theirs, order in zip(translation, reference, (char_order, word_order), strict=True):
        for n in range(1, order + 1):
            left, right = ngrams(ours, n), ngrams(theirs, n)
            # Where the reference has none, the translation's do not count.
            found.append((left.total() if right else 0, right.total(), (left & right).total()))
    return found


def score(counts: Row, beta: float = 2.0, smoothing: bool = False) -> float:
    """0 to 100, from the counts of a segment or their sums.

    >>> round(score([(4, 2, 2)], beta=1.0), 9), score([(0, 2, 0)])
    (66.666666667, 0.0)
    """
    epsilon, weight = 1e-16, beta**2
    mean_precision = mean_recall = smoothed = 0.0
    both = [translation > 0 and reference > 0 for translation, reference, _ in counts]
    for (translation, reference, common), counted in zip(counts, both, strict=True):
        precision = common / translation if translation else epsilon
        recall = common / reference if reference else epsilon
        below = weight * precision + recall
        # Added one by one: sum() rounds otherwise in newer Pythons, which may part references that tie.
        smoothed += (1 + weight) * precision * recall / below if below else epsilon
        mean_precision += precision if counted else 0.0
        mean_recall += recall if counted else 0.0
    if smoothing:
        return 100 * smoothed / len(counts)
    if mean_precision == 0:
        return 0.0
    mean_precision, mean_recall = mean_precision / sum(both), mean_recall / sum(both)
    return 100 * ((1 + weight) * mean_precision * mean_recall / (weight * mean_precision + mean_recall))


def best_row(rows: Sequence[Row], beta: float = 2.0, smoothing: bool = False) -> Row:
    """The row of the reference with the best score; the first on ties."""
    return max(rows, key=lambda one: score(one, beta, smoothing))


def added(rows: Sequence[Row]) -> Row:
    """Rows added up, order by order."""
    return [tuple(map(sum, zip(*orders, strict=True))) for orders in zip(*rows, strict=True)]
