"""From rankings to pairwise outcomes, and to scores of systems: shares of wins, and models of all outcomes at once.

Outcomes of segments add up, so that weights over segments give scores their intervals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Codes
from assay.data.judgements import Factor, Judgements
from assay.errors import InputError, MissingExtra, UnknownName
from assay.people.ratings import People, rows_of, usable
from assay.significance.draws import named, shuffled


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of systems that were ranked together, one row each.

    ``outcome`` is 1 where the first system is better, -1 where the second is, 0 for a tie. ``first`` and ``second`` are
    numbers of ``systems``.
    """

    systems: tuple[str, ...]
    segment: Codes = field(repr=False)
    first: Codes = field(repr=False)
    second: Codes = field(repr=False)
    outcome: Codes = field(repr=False)
    #: Judgements that make no pair, by reason.
    unused: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.outcome)


def pairs(judgements: Judgements, systems: Sequence[str] | None = None) -> Pairs:
    """Every pair of systems within every ranking; the higher score is the better one.

    ``systems`` are all that were judged, and perhaps others, in the order in which they are numbered. Judgements
    without a ranking, a segment or a score, and rankings with one item, make no pair: ``unused`` counts them.
    """
    names = judgements.system.names if systems is None else tuple(systems)
    ranking, unused = judgements.ranking.codes, Counter[str]()
    reasons = {
        "without a ranking": ranking < 0,
        "not of a segment": judgements.segment < 0,
        "without a score": np.isnan(judgements.score),
    }
    rows = np.flatnonzero(usable(judgements, reasons, unused))
    _check_rankings(judgements, rows)
    unused["alone in their ranking"] = int((np.bincount(ranking[rows]) == 1).sum())
    first, second = (rows[places] for places in equal_pairs(ranking[rows]))
    system, score = rows_of(judgements, names), judgements.score
    outcome = np.sign(score[first] - score[second]).astype(np.int64)
    return Pairs(names, judgements.segment[first], system[first], system[second], outcome, dict(+unused))


def _check_rankings(judgements: Judgements, rows: Codes) -> None:
    """One ranking is of one segment, by one rater, and has each system once."""
    ranking, system = judgements.ranking.codes[rows], judgements.system.codes[rows]
    _, start, place = np.unique(ranking, return_index=True, return_inverse=True)
    again = np.ones(len(rows), dtype=np.bool_)
    again[np.unique(ranking * len(judgements.system.names) + system, return_index=True)[1]] = False
    segment, rater = judgements.segment[rows], judgements.rater.codes[rows]
    for wrong, what in (
        (segment != segment[start][place], "is of several segments"),
        (rater != rater[start][place], "is of several raters"),
        (again, "has system {!r} twice"),
    ):
        if wrong.any():
            row = int(rows[wrong.argmax()])
            raise InputError(
                f"{judgements.place(row)}: ranking {judgements.ranking[row]!r} {what.format(judgements.system[row])}. "
                "Each ranking needs an id of its own."
            )


def equal_pairs(keys: Codes, then: Codes | None = None) -> tuple[Codes, Codes]:
    """Positions of every two equal keys, the earlier one first, or the one with the lower value of ``then``.

    >>> [positions.tolist() for positions in equal_pairs(np.array([7, 9, 7, 7]))]
    [[0, 0, 2], [2, 3, 3]]
    """
    order = np.argsort(keys, kind="stable") if then is None else np.lexsort((then, keys))
    _, starts, sizes = np.unique(keys[order], return_index=True, return_counts=True)
    pairs = [np.empty((2, 0), dtype=np.int64)]
    for size in np.unique(sizes[sizes > 1]):
        within = np.stack(np.triu_indices(int(size), 1))
        pairs.append((starts[sizes == size][:, None] + within[:, None, :]).reshape(2, -1))
    first, second = np.concatenate(pairs, axis=1)
    by_place = np.lexsort((second, first))
    return order[first[by_place]], order[second[by_place]]


@dataclass(frozen=True, eq=False)
class Wins:
    """How often the system of a row beat that of a column, and how often they tied (both ways counted): … × K × K."""

    systems: tuple[str, ...]
    wins: Array = field(repr=False)
    ties: Array = field(repr=False)

    @classmethod
    def of(cls, pairs: Pairs, segments: int) -> Wins:
        """Per segment: S × K × K."""
        won, tied = np.zeros((2, segments, len(pairs.systems), len(pairs.systems)))
        for first, second, outcome in ((pairs.first, pairs.second, 1), (pairs.second, pairs.first, -1)):
            for table, chosen in ((won, pairs.outcome == outcome), (tied, pairs.outcome == 0)):
                np.add.at(table, (pairs.segment[chosen], first[chosen], second[chosen]), 1.0)
        return cls(pairs.systems, won, tied)

    def under(self, weights: Array) -> Wins:
        """Added up under each row of weights over segments: D × K × K."""
        return Wins(self.systems, *(np.tensordot(weights, table, axes=1) for table in (self.wins, self.ties)))


def _win_share(outcomes: Wins) -> Array:
    """``win / (win + loss)``: ties do not count (Bojar et al. 2011). NaN for a system that only tied."""
    won, lost = outcomes.wins.sum(axis=-1), outcomes.wins.sum(axis=-2)
    return _ratio(won, won + lost)


def _win_or_tie_share(outcomes: Wins) -> Array:
    """``(win + tie) / (win + tie + loss)``: better than or equal to others, as WMT counted until 2010."""
    good, lost = (outcomes.wins + outcomes.ties).sum(axis=-1), outcomes.wins.sum(axis=-2)
    return _ratio(good, good + lost)


def _expected_wins(outcomes: Wins) -> Array:
    """The mean over opponents of ``win / (win + loss)`` against each (Koehn 2012).

    Strong and weak opponents count the same, however often one met them. An opponent that one never met or only tied
    with does not count.
    """
    against = _ratio(outcomes.wins, outcomes.wins + np.swapaxes(outcomes.wins, -1, -2))
    met = ~np.isnan(against)
    return _ratio(np.where(met, against, 0.0).sum(axis=-1), met.sum(axis=-1))


def _ratio(part: Array, whole: Array | NDArray[np.int64]) -> Array:
    share: Array = np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=np.asarray(whole) > 0)
    return share


def _bradley_terry(outcomes: Wins) -> Array:
    """Strengths that explain all wins at once, zero on average: their differences are log odds of winning.

    A tie is half a win for each side. The maximum of the likelihood does not depend on the order of judgements.
    """
    fit = _choix().ilsr_pairwise_dense

    def strengths(matrix: Array) -> Array:
        _check_connected(outcomes.systems, matrix)
        return np.asarray(fit(matrix, alpha=0.0, max_iter=1000, tol=1e-10))

    return _fitted(strengths, outcomes.wins + outcomes.ties / 2)


def _gaussian_skill(outcomes: Wins) -> Array:
    """TrueSkill's model: a skill with a normal prior and normal noise on every comparison; posterior means.

    TrueSkill passes over the judgements once, so its numbers depend on their order. Here expectation propagation runs
    until nothing changes, and the order does not matter. Ties do not count.
    """
    fit = _choix().ep_pairwise

    def skills(matrix: Array) -> Array:
        counts = np.rint(matrix).astype(np.int64)
        data = np.repeat(np.argwhere(counts), counts[np.nonzero(counts)], axis=0).tolist()
        if not data:
            raise InputError("No two systems were ranked apart, so there is nothing to score.")
        means, _ = fit(len(outcomes.systems), data, alpha=1.0, model="probit")
        return np.asarray(means - means.mean())

    return _fitted(skills, outcomes.wins)


def _fitted(fit: Callable[[Array], Array], tables: Array) -> Array:
    """A model of every table; a sample that allows none has no scores, while the data as they are (first) must."""
    scores = [fit(tables[0])]
    for table in tables[1:]:
        try:
            scores.append(fit(table))
        except InputError:
            scores.append(np.full(len(table), np.nan))
    return np.stack(scores)


def _check_connected(systems: tuple[str, ...], matrix: Array) -> None:
    """A system that nobody beats, or a group of them, has no finite strength: say so before the model diverges."""
    from scipy.sparse.csgraph import connected_components

    count, labels = connected_components(matrix > 0, directed=True, connection="strong")
    if count > 1:
        sizes = np.bincount(labels)
        apart = [systems[index] for index in np.flatnonzero(labels == sizes.argmin())]
        raise InputError(
            f"{', '.join(apart)}: never beaten by the other systems, never better than them, or never compared "
            "with them, so that a Bradley-Terry model has no finite strengths. Use expected-wins or gaussian."
        )


def _choix() -> ModuleType:
    try:
        import choix
    except ImportError as error:
        raise MissingExtra.of("A model of rankings", "rankings") from error
    module: ModuleType = choix
    return module


#: Ways to score systems by their wins under weights.
METHODS: dict[str, Callable[[Wins], Array]] = {
    "wins": _win_share,
    "wins-or-ties": _win_or_tie_share,
    "expected-wins": _expected_wins,
    "bradley-terry": _bradley_terry,
    "gaussian": _gaussian_skill,
}


def ranking_scores(outcomes: Pairs, method: str = "wins") -> dict[str, float]:
    """A score per system by one of ``METHODS``; higher is better."""
    segments = int(outcomes.segment.max(initial=-1)) + 1
    scores = _scored(Wins.of(outcomes, segments).under(np.ones((1, segments))), method)
    return dict(zip(outcomes.systems, scores[0].tolist(), strict=True))


def _scored(outcomes: Wins, method: str) -> Array:
    if method not in METHODS:
        raise UnknownName.of("way to score rankings", method, METHODS)
    return METHODS[method](outcomes)


@dataclass(frozen=True, eq=False)
class Rankings(People):
    """Rankings as pairwise wins; a system's score is a share of wins, or its strength in a model of them."""

    method: str
    pairs: Pairs = field(repr=False)
    #: Who beat whom on each segment.
    wins: Wins = field(repr=False)

    @classmethod
    def of(cls, judgements: Judgements, systems: tuple[str, ...], segments: int, method: str = "wins") -> Rankings:
        """All rankings; a system may lack wins, and stays in its place."""
        ranked = pairs(judgements, systems)
        outcomes = Wins.of(ranked, segments)
        met = outcomes.wins + np.swapaxes(outcomes.wins, 1, 2) + outcomes.ties
        judged = met.sum(axis=2).T > 0
        # A rank says who is better, not how good anybody is.
        grid = np.full(judged.shape, np.nan)
        return cls("/".join(judgements.kinds), systems, judged, grid, judgements, method, ranked, outcomes)

    def system_scores(self, weights: Array) -> Array:
        return _scored(self.wins.under(weights), self.method)

    def contributions(self) -> Array:
        """Jackknife pseudo-values of the share of wins, moved until their mean is the share."""
        count, won, lost = self.mask.sum(axis=1), self.wins.wins.sum(axis=2), self.wins.wins.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            whole = won.sum(axis=0) / (won + lost).sum(axis=0)
            without = (won.sum(axis=0) - won) / ((won + lost).sum(axis=0) - won - lost)
            apart = np.where(self.mask.T, without, 0.0).sum(axis=0) / count - without
        return np.where(self.mask, (whole + (count - 1) * apart).T, np.nan)

    def document_scores(self, labels: Factor) -> Array:
        """Shares of wins, whatever scores systems: few systems meet in a document."""
        return People.document_scores(replace(self, method="wins"), labels)

    def halves(self, seed: int, number: int) -> tuple[People, People]:
        """Whole rankings in two halves."""
        order = shuffled(named(self.judgements.ranking.names), seed, "halves of judgements", number)
        first = np.empty(len(order), dtype=np.bool_)
        first[order] = np.arange(len(order)) % 2 == 0
        taken = first[self.judgements.ranking.codes]
        segments, judgements = self.mask.shape[1], self.judgements
        half, other = (
            Rankings.of(judgements.only(rows), self.systems, segments, self.method) for rows in (taken, ~taken)
        )
        return half, other
