"""From rankings to pairwise outcomes: who beat whom, on which segment, said by whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.data.judgements import Judgements, with_rankings
from assay.errors import InputError, UnknownName

__all__ = ["Pairs", "Wins", "pair_wins", "pairs", "segment_wins", "wins", "with_rankings"]

Numbers = NDArray[np.int64]
Counts = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of systems that were ranked together, one row each.

    ``outcome`` is 1 where the first system is better, -1 where the second is, 0 for a tie. ``first`` and ``second`` are
    numbers of ``systems``, ``ranking`` and ``rater`` numbers of the judgements' own names (-1: nobody is named).
    """

    systems: tuple[str, ...]
    segment: Numbers = field(repr=False)
    first: Numbers = field(repr=False)
    second: Numbers = field(repr=False)
    outcome: Numbers = field(repr=False)
    ranking: Numbers = field(repr=False)
    rater: Numbers = field(repr=False)
    raters: tuple[str, ...] = field(default=(), repr=False)
    #: Judgements that make no pair, by reason.
    unused: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.outcome)

    def of_systems(self, systems: Sequence[str]) -> Pairs:
        """Pairs of these systems alone, which are numbered in the order given."""
        codes = _codes(self.systems, systems)
        first, second = codes[self.first], codes[self.second]
        kept = (first >= 0) & (second >= 0)
        unused = dict(self.unused)
        if not kept.all():
            unused["pairs with a system that was not asked for"] = int((~kept).sum())
        return Pairs(
            tuple(systems), self.segment[kept], first[kept], second[kept], self.outcome[kept], self.ranking[kept],
            self.rater[kept], self.raters, unused,
        )  # fmt: skip


def pairs(judgements: Judgements) -> Pairs:
    """Every pair of systems within every ranking; the higher score is the better one.

    Judgements without a ranking, a segment or a score, and rankings with one item, make no pair: ``unused`` counts
    them.
    """
    usable, unused = _usable(judgements)
    rows = np.flatnonzero(usable)
    rows = rows[np.argsort(judgements.ranking.codes[rows], kind="stable")]
    _, starts, sizes = np.unique(judgements.ranking.codes[rows], return_index=True, return_counts=True)
    _check_rankings(judgements, rows, starts, sizes)
    alone = int((sizes == 1).sum())
    if alone:
        unused["alone in their ranking"] = alone
    left: list[Numbers] = []
    right: list[Numbers] = []
    for size in np.unique(sizes[sizes > 1]).tolist():
        one, other = np.triu_indices(size, 1)
        begin = starts[sizes == size][:, None]
        left.append((begin + one).ravel())
        right.append((begin + other).ravel())
    first = rows[np.concatenate([*left, np.zeros(0, dtype=np.int64)])]
    second = rows[np.concatenate([*right, np.zeros(0, dtype=np.int64)])]
    order = np.lexsort((second, first))
    first, second = first[order], second[order]
    return Pairs(
        systems=judgements.system.names,
        segment=judgements.segment[first],
        first=judgements.system.codes[first],
        second=judgements.system.codes[second],
        outcome=np.sign(judgements.score[first] - judgements.score[second]).astype(np.int64),
        ranking=judgements.ranking.codes[first],
        rater=judgements.rater.codes[first],
        raters=judgements.rater.names,
        unused=unused,
    )


def _usable(judgements: Judgements) -> tuple[NDArray[np.bool_], dict[str, int]]:
    reasons = {
        "without a ranking": judgements.ranking.codes < 0,
        "not of a segment": judgements.segment < 0,
        "without a score": np.isnan(judgements.score),
    }
    usable = np.ones(len(judgements), dtype=np.bool_)
    unused: dict[str, int] = {}
    for reason, flags in reasons.items():
        count = int((usable & flags).sum())
        if count:
            unused[reason] = count
        usable &= ~flags
    return usable, unused


def _check_rankings(judgements: Judgements, rows: Numbers, starts: Numbers, sizes: Numbers) -> None:
    """One ranking is of one segment, by one rater, and has each system once."""
    head = np.repeat(rows[starts], sizes) if len(starts) else rows
    for what, column in (("segments", judgements.segment), ("raters", judgements.rater.codes)):
        mixed = np.flatnonzero(column[rows] != column[head])
        if len(mixed):
            row = int(rows[mixed[0]])
            raise InputError(
                f"{judgements.place(row)}: ranking {judgements.ranking[row]!r} is of several {what}. "
                "Each ranking needs an id of its own."
            )
    order = np.lexsort((judgements.system.codes[rows], judgements.ranking.codes[rows]))
    ranking, system = judgements.ranking.codes[rows][order], judgements.system.codes[rows][order]
    twice = np.flatnonzero((np.diff(ranking) == 0) & (np.diff(system) == 0))
    if len(twice):
        row = int(rows[order[twice[0] + 1]])
        raise InputError(
            f"{judgements.place(row)}: ranking {judgements.ranking[row]!r} has system {judgements.system[row]!r} "
            "twice. "
            "Each ranking needs an id of its own."
        )


@dataclass(frozen=True, eq=False)
class Wins:
    """How often the system of a row beat that of a column, and how often they tied (both ways counted)."""

    systems: tuple[str, ...]
    wins: Counts = field(repr=False)
    ties: Counts = field(repr=False)


def wins(found: Pairs) -> Wins:
    """Who beat whom, over all segments."""
    count = len(found.systems)
    won = np.zeros((count, count))
    tied = np.zeros((count, count))
    better, worse = _winners(found)
    np.add.at(won, (better, worse), 1.0)
    tie = found.outcome == 0
    np.add.at(tied, (found.first[tie], found.second[tie]), 1.0)
    return Wins(found.systems, won, tied + tied.T)


def segment_wins(found: Pairs, systems: Sequence[str], segments: int) -> tuple[Counts, Counts, Counts]:
    """Per system and segment (K × S) how many pairs were won, lost and tied; weights over segments add them up."""
    chosen = found.of_systems(systems)
    shape = (len(systems), segments)
    won, lost, tied = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    decided = chosen.outcome != 0
    better, worse = _winners(chosen)
    np.add.at(won, (better, chosen.segment[decided]), 1.0)
    np.add.at(lost, (worse, chosen.segment[decided]), 1.0)
    for side in (chosen.first, chosen.second):
        np.add.at(tied, (side[~decided], chosen.segment[~decided]), 1.0)
    return won, lost, tied


def pair_wins(found: Pairs, systems: Sequence[str], segments: int) -> Counts:
    """Per segment (S × K × K) how often the system of a row beat that of a column: for expected wins under weights."""
    chosen = found.of_systems(systems)
    won = np.zeros((segments, len(systems), len(systems)))
    decided = chosen.outcome != 0
    better, worse = _winners(chosen)
    np.add.at(won, (chosen.segment[decided], better, worse), 1.0)
    return won


def _winners(found: Pairs) -> tuple[Numbers, Numbers]:
    """The better and the worse system of every decided pair."""
    decided = found.outcome != 0
    first, second, ahead = found.first[decided], found.second[decided], found.outcome[decided] > 0
    return np.where(ahead, first, second), np.where(ahead, second, first)


def _codes(known: tuple[str, ...], wanted: Iterable[str]) -> Numbers:
    """For each known name its number among those wanted; -1 if it is not wanted."""
    numbers = {name: number for number, name in enumerate(wanted)}
    missing = [name for name in numbers if name not in known]
    if missing:
        raise UnknownName.of("ranked system", missing[0], known)
    return np.array([numbers.get(name, -1) for name in known], dtype=np.int64)
