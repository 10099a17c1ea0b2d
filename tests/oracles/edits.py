"""Edit distance with its operations, by the full table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import takewhile

#: Hits, substitutions, deletions, insertions.
Edits = tuple[int, int, int, int]


def distances(reference: Sequence[str], translation: Sequence[str]) -> list[list[int]]:
    """The distance of every beginning of the reference to every beginning of the translation.

    >>> distances("ab", "b")
    [[0, 1], [1, 1], [2, 1]]
    """
    table = [[row + column for column in range(len(translation) + 1)] for row in range(len(reference) + 1)]
    for row in range(1, len(reference) + 1):
        for column in range(1, len(translation) + 1):
            replaced = table[row - 1][column - 1] + (reference[row - 1] != translation[column - 1])
            table[row][column] = min(replaced, table[row - 1][column] + 1, table[row][column - 1] + 1)
    return table


def common_beginning(left: Sequence[str], right: Sequence[str]) -> int:
    """How many words both begin with.

    >>> common_beginning("abcd", "abdc")
    2
    """
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))))


def edits(reference: Sequence[str], translation: Sequence[str]) -> Edits:
    """Of several shortest ways the one that RapidFuzz and jiwer report.

    What both begin and end with is put aside. From the end of the rest a deletion is taken where it lies on a shortest
    way; else an insertion, if the way without the reference's word was longer; else hit or substitution.

    >>> edits("the cat sat".split(), "a cat sat down".split())
    (2, 1, 0, 1)
    """
    ours, theirs = list(reference), list(translation)
    start = common_beginning(ours, theirs)
    ours, theirs = ours[start:], theirs[start:]
    end = common_beginning(ours[::-1], theirs[::-1])
    ours, theirs = ours[: len(ours) - end], theirs[: len(theirs) - end]
    table = distances(ours, theirs)
    hits, substitutions, deletions, insertions = start + end, 0, 0, 0
    row, column = len(ours), len(theirs)
    while row and column:
        if table[row][column] == table[row - 1][column] + 1:
            deletions, row = deletions + 1, row - 1
        elif table[row][column - 1] < table[row - 1][column - 1]:
            insertions, column = insertions + 1, column - 1
        else:
            row, column = row - 1, column - 1
            hits += ours[row] == theirs[column]
            substitutions += ours[row] != theirs[column]
    return hits, substitutions, deletions + row, insertions + column


def rate(counts: Sequence[int]) -> Fraction:
    """Errors per unit of the reference, or as many as there are insertions if it is empty."""
    hits, substitutions, deletions, insertions = map(int, counts)
    return Fraction(substitutions + deletions + insertions, max(hits + substitutions + deletions, 1))


def best_edits(references: Sequence[Sequence[str]], translation: Sequence[str]) -> Edits:
    """The edits from the reference with the lowest rate, the first on ties."""
    return min((edits(reference, translation) for reference in references), key=rate)
