"""TER as TERcom computes it: every table filled cell by cell, every shift tried by doing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Words = Sequence[str]
#: A block from ``start`` to ``end`` (both inside) that goes behind the word at ``target``; -1 is the very front.
Move = tuple[int, int, int]


@dataclass(frozen=True)
class Alignment:
    """One cheapest way from the translation to the reference: `` `` match, S, I (a word too many), D (one missing)."""

    steps: str

    @property
    def distance(self) -> int:
        """How many steps are edits.

        >>> Alignment(" SID").distance
        3
        """
        return len(self.steps) - self.steps.count(" ")


@dataclass(frozen=True)
class Result:
    """The shifts, in order, and the edits that remain."""

    moves: tuple[Move, ...]
    order: tuple[int, ...]
    alignment: Alignment

    @property
    def edits(self) -> int:
        """Shifts count one each, however many words move."""
        return self.alignment.distance + len(self.moves)

    @property
    def words_shifted(self) -> int:
        """The words of all blocks."""
        return sum(end - start + 1 for start, end, _ in self.moves)

    def row(self) -> list[int]:
        """Insertions, deletions, substitutions, shifts, words shifted."""
        return [*(self.alignment.steps.count(step) for step in "IDS"), len(self.moves), self.words_shifted]


def align(translation: Words, reference: Words, beam: int) -> Alignment:
    """The table column by column, a column per word of the translation; cells far above their column's best stop.

    Ties: match or substitution, then insertion, then deletion. The best of a column counts what comes in diagonally.

    >>> align("a b c".split(), "b c d".split(), 20).steps
    'I  D'
    """
    cost: dict[tuple[int, int], int] = {(0, 0): 0}
    step: dict[tuple[int, int], str] = {}

    def reach(row: int, column: int, value: int, by: str) -> None:
        if (row, column) not in cost or value < cost[row, column]:
            cost[row, column], step[row, column] = value, by

    best = None
    for column in range(len(translation) + 1):
        last = column == len(translation)
        incoming = []
        for row in range(len(reference) + 1):
            if (row, column) not in cost:
                continue
            value = cost[row, column]
            if not last and best is not None and value > best + beam:
                continue
            if row < len(reference) and not last:
                same = reference[row] == translation[column]
                reach(row + 1, column + 1, value + (not same), " " if same else "S")
                incoming.append(value + (not same))
            if not last:
                reach(row, column + 1, value + 1, "I")
            if row < len(reference):
                reach(row + 1, column, value + 1, "D")
        best = min(incoming, default=None)
    row, column, steps = len(reference), len(translation), ""
    while row or column:
        by = step[row, column]
        steps = by + steps
        row, column = row - (by != "I"), column - (by != "D")
    return Alignment(steps)


def moved(words: Sequence, move: Move) -> list:
    """The words with a block moved; a target inside the block slides it to the right.

    >>> "".join(moved("abcdef", (1, 2, 4))), "".join(moved("abcdef", (3, 4, -1))), "".join(moved("abcdef", (0, 2, 1)))
    ('adebcf', 'deabcf', 'dabcef')
    """
    start, end, target = move
    block, rest = list(words[start : end + 1]), [*words[:start], *words[end + 1 :]]
    place = target + 1 if target < start else target - len(block) + 1 if target > end else target
    return rest[:place] + block + rest[place:]


@dataclass(frozen=True)
class Limits:
    """What the search keeps to."""

    beam: int = 20
    distance: int = 50
    size: int = 10


class Errors:
    """What an alignment says: which words are in error, and where places of the reference are aligned to."""

    def __init__(self, alignment: Alignment) -> None:
        self.wrong: list[bool] = []
        self.missing: list[bool] = []
        self.aligned: list[int] = []
        for by in alignment.steps:
            if by != "D":
                self.wrong.append(by != " ")
            if by != "I":
                self.missing.append(by != " ")
                # A missing word is aligned to the word before it.
                self.aligned.append(len(self.wrong) - 1)

    def targets(self, start: int, length: int, place: int) -> Iterator[int]:
        """Behind which words a block may go whose twin begins at a place of the reference."""
        home = self.aligned[place]
        for offset in range(-1, length):
            if place == 0 and offset == -1:
                yield -1
                continue
            target = self.aligned[place + offset]
            if target != start and (offset == 0 or target != home):
                yield target


def candidates(translation: Words, reference: Words, alignment: Alignment, limits: Limits) -> list[Move]:
    """The blocks worth moving, and where to: longer blocks first, else from left to right."""
    errors = Errors(alignment)
    found: list[Move] = []
    for start in range(len(translation)):
        places = [place for place, word in enumerate(reference) if word == translation[start]]
        away = [errors.aligned[place] - start for place in places]
        if not any(step != 0 and -limits.distance - 1 <= step <= limits.distance for step in away):
            continue
        for end in range(start, min(start + limits.size, len(translation))):
            length = end - start + 1
            block = list(translation[start : end + 1])
            places = [place for place in range(len(reference)) if list(reference[place : place + length]) == block]
            if not places:
                break
            if not any(errors.wrong[start : end + 1]):
                continue
            legal = [
                place
                for place in places
                if not start <= errors.aligned[place] <= end and abs(errors.aligned[place] - start) <= limits.distance
            ]
            if not legal:
                break
            for place in legal:
                if any(errors.missing[place : place + length]):
                    found += [(start, end, target) for target in errors.targets(start, length, place)]
    return sorted(found, key=lambda move: move[0] - move[1])


def best_shift(
    translation: Words, reference: Words, current: Alignment, limits: Limits
) -> tuple[Move, Alignment] | None:
    """The shift that saves most; one that only pays for itself is taken as well."""
    chosen: tuple[Move, Alignment] | None = None
    total = current.distance
    for move in candidates(translation, reference, current, limits):
        fixed, most = current.distance - total, 2 * (move[1] - move[0] + 1)
        if fixed > most or (chosen is not None and fixed == most):
            break
        tried = align(moved(translation, move), reference, limits.beam)
        gain = total - (tried.distance + 1)
        if gain > 0 or (gain == 0 and chosen is None):
            chosen, total = (move, tried), tried.distance + 1
    return chosen


def ter(translation: Words, reference: Words, limits: Limits = Limits()) -> Result:
    """Shifts until none helps, then the edits that are left.

    >>> ter("a b c d e f g".split(), "a b d c e f g".split()).row()
    [0, 0, 0, 1, 1]
    """
    order = list(range(len(translation)))
    moves = []
    words = list(translation)
    alignment = align(words, reference, limits.beam)
    while (shift := best_shift(words, reference, alignment, limits)) is not None:
        move, alignment = shift
        moves.append(move)
        words, order = moved(words, move), moved(order, move)
    return Result(tuple(moves), tuple(order), alignment)


def best(translation: Words, references: Sequence[Words], limits: Limits) -> tuple[int, Result]:
    """The reference with the fewest edits, the first on ties, and what it took."""
    results = [ter(translation, reference, limits) for reference in references]
    index = min(range(len(results)), key=lambda index: results[index].edits)
    return index, results[index]
