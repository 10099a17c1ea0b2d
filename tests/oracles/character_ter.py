"""CharacTER as its authors describe it: shift words while that helps, then count edits of characters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache


def distance(first: Sequence[str], second: Sequence[str]) -> int:
    """Levenshtein's.

    >>> distance("kitten", "sitting")
    3
    """

    @cache
    def of(ours: int, theirs: int) -> int:
        if ours == 0 or theirs == 0:
            return ours + theirs
        same = first[ours - 1] == second[theirs - 1]
        return min(of(ours - 1, theirs) + 1, of(ours, theirs - 1) + 1, of(ours - 1, theirs - 1) + (not same))

    return of(len(first), len(second))


def shifts(words: list[str], reference: list[str]) -> list[list[str]]:
    """The words after every shift of a block that both sides have to where the reference has it."""
    moved = []
    for start in range(len(words)):
        for target in range(len(reference)):
            length = 0
            while words[start + length : start + length + 1] == reference[target + length : target + length + 1] != []:
                length += 1
            if length and start != target:
                rest = words[:start] + words[start + length :]
                moved.append(rest[:target] + words[start : start + length] + rest[target:])
    return moved


def shifted(words: list[str], reference: list[str]) -> list[str]:
    """The words once no shift helps; of shifts that help as much the last in alphabetical order is made."""
    score = distance(words, reference) / len(reference)
    while score:
        candidates = [
            (score - distance(other, reference) / len(reference), other) for other in shifts(words, reference)
        ]
        gain, best = max(candidates, default=(0.0, words))
        if gain <= 0:
            break
        words, score = best, score - gain
    return words


def shift_cost(words: list[str], original: list[str]) -> float:
    """The mean length of the words of each block that has moved towards the end.

    >>> shift_cost("a b c".split(), "b c a".split())
    1.0
    """
    cost, index = 0.0, 0
    while index < len(words):
        targets = [place for place in range(index, len(words)) if words[place] == original[index]]
        if index in targets or not targets:
            index += 1
            continue
        length = 0
        while (
            words[targets[0] + length : targets[0] + length + 1] == original[index + length : index + length + 1] != []
        ):
            length += 1
        cost += sum(map(len, original[index : index + length])) / length
        index += length
    return cost


def character_ter(translation: str, reference: str) -> float:
    """On 0 to 1.

    >>> character_ter("b c a", "a b c")
    0.2
    """
    ours, theirs = translation.split(), reference.split()
    if not ours or not theirs:
        return float(ours != theirs)
    words = shifted(ours, theirs)
    edits = distance(" ".join(words), " ".join(theirs)) + shift_cost(words, ours)
    return min(1.0, edits / len(" ".join(words)))
