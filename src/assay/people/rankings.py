"""From rankings to pairwise outcomes, and to scores of systems: shares of wins, and models of all outcomes at once.

Shares work on sums over segments, with any number of axes in front, so that weights over segments give their intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Codes
from assay.data.judgements import Judgements
from assay.errors import InputError, MissingExtra, UnknownName

_Counts = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of systems that were ranked together, one row each.

    ``outcome`` is 1 where the first system is better, -1 where the second is, 0 for a tie. ``first`` and ``second`` are
    numbers of ``systems``, ``ranking`` and ``rater`` numbers of the judgements' own names (-1: nobody is named).
    """

    systems: tuple[str, ...]
    segment: Codes = field(repr=False)
    first: Codes = field(repr=False)
    second: Codes = field(repr=False)
    outcome: Codes = field(repr=False)
    ranking: Codes = field(repr=False)
    rater: Codes = field(repr=False)
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
    left: list[Codes] = []
    right: list[Codes] = []
    for size in np.unique(sizes[sizes > 1]).tolist():
        first, second = np.triu_indices(size, 1)
        begin = starts[sizes == size][:, None]
        left.append((begin + first).ravel())
        right.append((begin + second).ravel())
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


def _check_rankings(judgements: Judgements, rows: Codes, starts: Codes, sizes: Codes) -> None:
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
    wins: _Counts = field(repr=False)
    ties: _Counts = field(repr=False)


def wins(pairs: Pairs) -> Wins:
    """Who beat whom, over all segments."""
    won, tied = outcome_tables(pairs, int(pairs.segment.max(initial=-1)) + 1)
    return Wins(pairs.systems, won.sum(axis=0), tied.sum(axis=0))


def outcome_tables(pairs: Pairs, segments: int) -> tuple[_Counts, _Counts]:
    """Per segment (S × K × K) how often the system of a row beat that of a column, and how often they tied.

    Weights over segments add them up.
    """
    won, tied = np.zeros((2, segments, len(pairs.systems), len(pairs.systems)))
    for first, second, outcome in ((pairs.first, pairs.second, 1), (pairs.second, pairs.first, -1)):
        for table, chosen in ((won, pairs.outcome == outcome), (tied, pairs.outcome == 0)):
            np.add.at(table, (pairs.segment[chosen], first[chosen], second[chosen]), 1.0)
    return won, tied


def _codes(known: tuple[str, ...], wanted: Iterable[str]) -> Codes:
    """For each known name its number among those wanted; -1 if it is not wanted."""
    numbers = {name: number for number, name in enumerate(wanted)}
    missing = [name for name in numbers if name not in known]
    if missing:
        raise UnknownName.of("ranked system", missing[0], known)
    return np.array([numbers.get(name, -1) for name in known], dtype=np.int64)


def win_share(won: _Counts, lost: _Counts, tied: _Counts) -> _Counts:  # noqa: ARG001 - ties do not count here
    """``win / (win + loss)``: ties do not count (Bojar et al. 2011). NaN for a system that only tied."""
    return _ratio(won, won + lost)


def win_or_tie_share(won: _Counts, lost: _Counts, tied: _Counts) -> _Counts:
    """``(win + tie) / (win + tie + loss)``: better than or equal to others, as WMT counted until 2010."""
    return _ratio(won + tied, won + tied + lost)


def expected_wins(won: _Counts) -> _Counts:
    """The mean over opponents of ``win / (win + loss)`` against each (Koehn 2012), from ... × K × K wins.

    Strong and weak opponents count the same, however often one met them. An opponent that one never met or only tied
    with does not count.
    """
    against = _ratio(won, won + np.swapaxes(won, -1, -2))
    met = ~np.isnan(against)
    return _ratio(np.where(met, against, 0.0).sum(axis=-1), met.sum(axis=-1))


def _ratio(part: _Counts, whole: _Counts | NDArray[np.int64]) -> _Counts:
    some = np.asarray(whole, dtype=np.float64)
    share: _Counts = np.divide(part, some, out=np.full(np.shape(some), np.nan), where=some > 0)
    return share


def _bradley_terry(outcomes: Wins) -> _Counts:
    """Strengths that explain all wins at once, zero on average: their differences are log odds of winning.

    A tie is half a win for each side. The maximum of the likelihood does not depend on the order of judgements.
    """
    choix = _choix()
    matrix = outcomes.wins + outcomes.ties / 2
    _check_connected(outcomes.systems, matrix)
    return np.asarray(choix.ilsr_pairwise_dense(matrix, alpha=0.0, max_iter=1000, tol=1e-10), dtype=np.float64)


def _gaussian_skill(outcomes: Wins) -> _Counts:
    """TrueSkill's model: a skill with a normal prior and normal noise on every comparison; posterior means.

    TrueSkill passes over the judgements once, so its numbers depend on their order. Here expectation propagation runs
    until nothing changes, and the order does not matter. Ties do not count.
    """
    choix = _choix()
    counts = np.rint(outcomes.wins).astype(np.int64)
    better, worse = (np.repeat(side, counts[np.nonzero(counts)]) for side in np.nonzero(counts))
    if not len(better):
        raise InputError("No two systems were ranked apart, so there is nothing to score.")
    data = list(zip(better.tolist(), worse.tolist(), strict=True))
    means, _ = choix.ep_pairwise(len(outcomes.systems), data, alpha=1.0, model="probit")
    return np.asarray(means - means.mean(), dtype=np.float64)


def _check_connected(systems: tuple[str, ...], matrix: _Counts) -> None:
    """A system that nobody beats, or a group of them, has no finite strength: say so before the model diverges."""
    from scipy.sparse.csgraph import connected_components

    count, labels = connected_components(matrix > 0, directed=True, connection="strong")
    if count > 1:
        sizes = np.bincount(labels)
        apart = [systems[index] for index in np.flatnonzero(labels == sizes.argmin())]
        raise InputError(
            f"{', '.join(apart)}: never beaten by the other systems, never better than them, or never compared "
            "with them, "
            "so that a Bradley-Terry model has no finite strengths. Use expected-wins or gaussian."
        )


def _choix() -> ModuleType:
    try:
        import choix
    except ImportError as error:
        raise MissingExtra.of("A model of rankings", "rankings") from error
    module: ModuleType = choix
    return module


#: Shares of sums of pairs won, lost and tied.
SHARES: dict[str, Callable[[_Counts, _Counts, _Counts], _Counts]] = {
    "wins": win_share,
    "wins-or-ties": win_or_tie_share,
}


def _of_wins(share: str) -> Callable[[Wins], _Counts]:
    return lambda outcomes: SHARES[share](
        outcomes.wins.sum(axis=1), outcomes.wins.sum(axis=0), outcomes.ties.sum(axis=1)
    )


#: Ways to score systems by their rankings.
METHODS: dict[str, Callable[[Wins], _Counts]] = {
    "wins": _of_wins("wins"),
    "wins-or-ties": _of_wins("wins-or-ties"),
    "expected-wins": lambda outcomes: expected_wins(outcomes.wins),
    "bradley-terry": _bradley_terry,
    "gaussian": _gaussian_skill,
}


def ranking_scores(outcomes: Pairs | Wins, method: str = "wins") -> dict[str, float]:
    """A score per system by one of ``METHODS``; higher is better."""
    if method not in METHODS:
        raise UnknownName.of("way to score rankings", method, METHODS)
    counted = wins(outcomes) if isinstance(outcomes, Pairs) else outcomes
    return dict(zip(counted.systems, METHODS[method](counted).tolist(), strict=True))
