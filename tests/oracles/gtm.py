"""GTM 1.4's greedy matching over all candidate runs, and the true maximum over all matchings of tiny texts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

Words = Sequence[str]
#: Row, column, and how many words of it count, which may be a fraction.
Run = tuple[int, int, float]


def columns(references: Sequence[Words]) -> list[str | None]:
    """The references side by side, each followed by a barrier that matches nothing.

    >>> columns(["ab", "c"])
    ['a', 'b', None, 'c', None]
    """
    return [word for reference in references for word in (*reference, None)]


def mean_length(references: Sequence[Words]) -> float:
    """The mean length of the references."""
    return sum(map(len, references)) / len(references)


def longest(translation: Words, side: Sequence[str | None], row: int, column: int) -> int:
    """How many hits stand on the diagonal from this cell on."""
    length = 0
    while row + length < len(translation) and column + length < len(side):
        if translation[row + length] != side[column + length]:
            break
        length += 1
    return length


def greedy(translation: Words, references: Sequence[Words], budget: float) -> list[Run]:
    """Runs as GTM 1.4 takes them: the longest first, then the one that begins last; the budget may cut one short.

    >>> greedy("abcab", ["abxabc"], 5)
    [(0, 3, 3), (3, 0, 2)]
    """
    side = columns(references)
    candidates = [
        (length, row, column)
        for row in range(len(translation))
        for column in range(len(side))
        for length in range(1, longest(translation, side, row, column) + 1)
    ]
    rows: set[int] = set()
    used: set[int] = set()
    runs: list[Run] = []
    for length, row, column in sorted(candidates, reverse=True):
        if budget <= 0:
            break
        counted = min(length, budget)
        cells = range(math.ceil(counted))
        if any(row + step in rows or column + step in used for step in cells):
            continue
        rows |= {row + step for step in cells}
        used |= {column + step for step in cells}
        budget -= counted
        runs.append((row, column, counted))
    return runs


def pared(lengths: Sequence[float], budget: float) -> list[float]:
    """Lengths of which the longest keep what the budget allows.

    >>> pared([1, 4, 2], 5.5)
    [4, 1.5]
    """
    kept = []
    for length in sorted(lengths, reverse=True):
        counted = min(length, budget)
        if counted > 0:
            kept.append(counted)
        budget -= counted
    return kept


def size(lengths: Sequence[float], exponent: float) -> float:
    """The match size of runs of these lengths."""
    return sum(length**exponent for length in lengths) ** (1 / exponent) if lengths else 0.0


def greedy_size(translation: Words, references: Sequence[Words], exponent: float, cap: str = "gtm14") -> float:
    """The size that GTM 1.4 gives, or the one of the paper: an uncapped pass, then whole hits deleted."""
    limit = min(len(translation), mean_length(references))
    if cap == "gtm14":
        return size([counted for *_, counted in greedy(translation, references, limit)], exponent)
    uncapped = [counted for *_, counted in greedy(translation, references, math.inf)]
    return size(pared(uncapped, math.floor(limit)), exponent)


def weighed_greedy(
    translation: Words, references: Sequence[Words], weights: Mapping[str, float], budget: float
) -> list[tuple[int, int, float, int]]:
    """Runs of words with weights: the heaviest first, then the longest, then the one that begins last.

    A run counts what its words weigh, or what is left of the budget; it takes as many words as weigh that much, which
    is the last number of each.

    >>> weighed_greedy("abc", ["cxab"], {"c": 3}, 5)
    [(2, 0, 3, 1), (0, 2, 2, 2)]
    """
    side = columns(references)

    def weight(row: int, length: int) -> float:
        return sum(weights.get(word, 1) for word in translation[row : row + length])

    candidates = [
        (weight(row, length), length, row, column)
        for row in range(len(translation))
        for column in range(len(side))
        for length in range(1, longest(translation, side, row, column) + 1)
    ]
    rows: set[int] = set()
    used: set[int] = set()
    runs: list[tuple[int, int, float, int]] = []
    for whole, length, row, column in sorted(candidates, reverse=True):
        if budget <= 0:
            break
        counted = min(whole, budget)
        enough = next(cells for cells in range(1, length + 1) if weight(row, cells) >= counted)
        cells = length if counted == whole else enough
        if any(row + step in rows or column + step in used for step in range(cells)):
            continue
        rows |= {row + step for step in range(cells)}
        used |= {column + step for step in range(cells)}
        budget -= counted
        runs.append((row, column, counted, cells))
    return runs


def weighed_size(
    translation: Words, references: Sequence[Words], weights: Mapping[str, float], exponent: float, cap: str = "gtm14"
) -> tuple[float, float, float]:
    """The match size, what the translation weighs, and what references weigh on average.

    The paper's cap deletes whole hits, from the end of the lightest run on, until the rest weighs no more than allowed.

    >>> weighed_size("ab", ["ab"], {"a": 2}, 1)
    (3.0, 3, 3.0)
    """
    ours, *theirs = (sum(weights.get(word, 1) for word in words) for words in (translation, *references))
    mean = sum(theirs) / len(theirs)
    limit = min(ours, mean)
    if cap == "gtm14":
        runs = weighed_greedy(translation, references, weights, limit)
        return size([counted for _, _, counted, _ in runs], exponent), ours, mean
    uncapped = weighed_greedy(translation, references, weights, math.inf)
    hits = [[weights.get(word, 1) for word in translation[row : row + cells]] for row, _, _, cells in uncapped]
    while sum(map(sum, hits)) > limit:
        while not hits[-1]:
            hits.pop()
        hits[-1].pop()
    return size([sum(run) for run in hits if run], exponent), ours, mean


def matchings(translation: Words, side: Sequence[str | None], row: int = 0) -> Iterator[dict[int, int]]:
    """Every matching: no two hits in a row or a column."""
    if row == len(translation):
        yield {}
        return
    for rest in matchings(translation, side, row + 1):
        yield rest
        for column, word in enumerate(side):
            if word == translation[row] and column not in rest.values():
                yield {row: column, **rest}


def run_lengths(matching: dict[int, int]) -> list[int]:
    """The lengths of a matching's diagonals.

    >>> run_lengths({0: 3, 1: 4, 2: 0})
    [2, 1]
    """
    starts = [row for row, column in sorted(matching.items()) if matching.get(row - 1) != column - 1]
    lengths = []
    for row in starts:
        length = 1
        while matching.get(row + length) == matching[row] + length:
            length += 1
        lengths.append(length)
    return lengths


def true_maximum(translation: Words, references: Sequence[Words], exponent: float, cap: str = "gtm14") -> float:
    """The largest size that any matching has once it is pared down to the cap; for a handful of words.

    >>> round(true_maximum("abcab", ["abxabc"], 2) ** 2, 9)
    13.0
    """
    limit = min(len(translation), mean_length(references))
    if cap == "paper":
        limit = math.floor(limit)
    every = matchings(translation, columns(references))
    return max(size(pared(run_lengths(matching), limit), exponent) for matching in every)
