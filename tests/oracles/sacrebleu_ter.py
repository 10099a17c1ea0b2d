"""TER as sacreBLEU searches it: every cell of its band, every shift tried by doing it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from oracles.ter import Alignment, Errors, Result, Words

#: A block of so many words, where it begins, and the word before which it goes.
Shift = tuple[int, int, int]

MOST_SHIFTS, MOST_WORDS, FARTHEST = 1000, 10, 50


def align(translation: Words, reference: Words) -> Alignment:
    """The table row by row, a row per word of the translation, near the line from corner to corner.

    Ties: match or substitution, then insertion (a word of the translation too many), then deletion.

    >>> align("a b c".split(), "b c d".split()).steps
    'I  D'
    """
    ways = {(0, column): (column, "D") for column in range(len(reference) + 1)}
    slope = len(reference) / len(translation) if translation else 1
    width = 25 if slope / 2 <= 25 else math.ceil(slope / 2 + 25)
    for row, word in enumerate(translation, start=1):
        middle = math.floor(row * slope)
        end = len(reference) + 1 if row == len(translation) else min(len(reference) + 1, middle + width)
        for column in range(max(0, middle - width), end):
            same = column > 0 and reference[column - 1] == word
            before = [
                ((row - 1, column - 1), 0 if same else 1, " " if same else "S"),
                ((row - 1, column), 1, "I"),
                ((row, column - 1), 1, "D"),
            ]
            known = [(ways[cell][0] + cost, step) for cell, cost, step in before if cell in ways]
            ways[row, column] = min(known, key=lambda way: way[0])
    row, column, steps = len(translation), len(reference), ""
    while row or column:
        step = ways[row, column][1]
        steps = step + steps
        row, column = row - (step != "D"), column - (step != "I")
    return Alignment(steps)


def moved(words: Words, shift: Shift) -> list[str]:
    """The words with a block moved; a place inside it, or right behind it, slides it to the right.

    >>> "".join(moved("abcdef", (2, 1, 5))), "".join(moved("abcdef", (2, 3, 0))), "".join(moved("abcdef", (3, 0, 2)))
    ('adebcf', 'deabcf', 'deabcf')
    """
    length, start, before = shift
    block, rest = list(words[start : start + length]), [*words[:start], *words[start + length :]]
    place = before - length if before > start + length else before
    return rest[:place] + block + rest[place:]


def tried(translation: Words, reference: Words, errors: Errors) -> Iterator[Shift]:
    """Every shift that is tried, also those that change nothing."""
    for start in range(len(translation)):
        for place in range(max(0, start - FARTHEST), min(len(reference), start + FARTHEST + 1)):
            for length in range(1, MOST_WORDS + 1):
                block = list(translation[start : start + length])
                if len(block) < length or list(reference[place : place + length]) != block:
                    break
                if not any(errors.wrong[start : start + length]) or not any(errors.missing[place : place + length]):
                    continue
                if start <= errors.aligned[place] < start + length:
                    continue
                behind = [-1 if one < 0 else errors.aligned[one] for one in range(place - 1, place + length)]
                for index, target in enumerate(behind):
                    if index == 0 or target != behind[index - 1]:
                        yield length, start, target + 1


def best_shift(translation: Words, reference: Words, alignment: Alignment, budget: int) -> tuple[Shift | None, int]:
    """The shift that saves most, and how many were tried; none when they are as many as the budget.

    Of several the longest block counts, then the one that begins first, then the one that goes to the front.
    """
    shifts = list(tried(translation, reference, Errors(alignment)))
    if len(shifts) >= budget:
        return None, budget
    ranked = []
    for shift in set(shifts):
        length, start, before = shift
        saved = alignment.distance - align(moved(translation, shift), reference).distance
        ranked.append((saved, length, -start, -before, shift))
    return (max(ranked)[-1] if ranked and max(ranked)[0] > 0 else None), len(shifts)


def ter(translation: Words, reference: Words) -> Result:
    """Shifts until none helps or too many were tried, then the edits that are left.

    >>> ter("a b c d e f g".split(), "a b d c e f g".split()).row()
    [0, 0, 0, 1, 1]
    """
    words, order = list(translation), list(range(len(translation)))
    moves, budget = [], MOST_SHIFTS
    alignment = align(words, reference)
    while True:
        shift, number = best_shift(words, reference, alignment, budget)
        if shift is None:
            return Result(tuple(moves), tuple(order), alignment)
        budget -= number
        length, start, before = shift
        moves.append((start, start + length - 1, before - 1))
        words, order = moved(words, shift), moved(order, shift)
        alignment = align(words, reference)


def best(translation: Words, references: list[Words]) -> tuple[int, Result]:
    """The reference with the fewest edits, the first on ties, and what it took."""
    results = [ter(translation, reference) for reference in references]
    index = min(range(len(results)), key=lambda index: results[index].edits)
    return index, results[index]
