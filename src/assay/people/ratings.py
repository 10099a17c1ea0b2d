"""People's scores of systems, documents and segments, out of single judgements.

A system's score is the mean over its judged segments of the mean over a segment's judgements. So people count, then
score, as metrics do: a row holds a sum and a count, and any weighted sum of rows has a score. Where people ranked
translations, it is a share of the pairs that a system won, or its strength in a model of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Flags
from assay.data.factor import Factor
from assay.data.judgements import Judgements, with_rankings
from assay.errors import InputError, UnknownName
from assay.people.rankings import METHODS, SHARES, Pairs, Wins, expected_wins, outcome_tables, pairs, win_share
from assay.people.scores import MeanScores, Scores, membership_of

#: So many items must have been judged twice for halves to be compared item by item.
_FEWEST_REPEATED = 30
#: How kinds are called whose scores are ranks.
_RANKED = "rr"


@dataclass(frozen=True, eq=False)
class People(Scores):
    """What people say of the systems of a campaign, in whatever way they were asked; its name is their kind."""

    judgements: Judgements = field(repr=False)

    @property
    def kind(self) -> str:
        """The kind of judgement, or several with / or + between them."""
        return self.name

    @property
    def judged(self) -> Flags:
        """Which segments of which systems were judged: systems by segments."""
        return self.mask

    @abstractmethod
    def halves(self, generator: np.random.Generator) -> tuple[People, People]:
        """Two that share the judgements at random: how far they agree is how far people can be followed."""

    def repeated(self) -> People | None:
        """What was judged several times alone; None where that is too little to compare halves of."""
        return None


@dataclass(frozen=True, eq=False)
class Ratings(MeanScores, People):
    """Judgements that are numbers on one scale: assessments, grades, penalties.

    ``grid`` is the mean of a segment's judgements. Judgements of whole documents and systems stand for themselves; a
    system without judgements of segments has those of its documents as the scores of their segments (``spread``).
    """

    spread: Array = field(kw_only=True, repr=False)
    #: Which document each segment is in.
    labels: Factor | None = field(default=None, kw_only=True, repr=False)

    @classmethod
    def of(
        cls, judgements: Judgements, systems: tuple[str, ...], segments: int, labels: Factor | None = None
    ) -> Ratings:
        """Means per system and segment; ``labels`` are the documents of the segments."""
        rows = rows_of(judgements, systems)
        on_segment = judgements.segment >= 0
        size = len(systems) * segments
        cells = rows[on_segment] * segments + judgements.segment[on_segment]
        counts = np.bincount(cells, minlength=size).reshape(len(systems), segments)
        sums = np.bincount(cells, weights=judgements.score[on_segment], minlength=size).reshape(len(systems), segments)
        grid = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
        documents, given = _coarse(judgements)
        spread = _spread(grid, systems, documents, labels)
        judged = ~np.isnan(spread)
        # Who judged a system as a whole judged all its segments.
        judged |= np.array([name in given for name in systems])[:, None]
        kind = "/".join(judgements.kinds)
        return cls(kind, systems, judged, judgements, grid, given, documents, spread=spread, labels=labels)

    def contributions(self) -> Array:
        return self.spread

    def halves(self, generator: np.random.Generator) -> tuple[People, People]:
        """The judgements of each item in two halves as equal as can be.

        A single judgement goes to one of them, together with all other single ones of its segment: so both halves see
        every system on the same segments.
        """
        items, places, size = self._items()
        order = np.lexsort((generator.random(len(items)), items))
        starts = np.flatnonzero(np.r_[True, np.diff(items[order]) != 0])
        lengths = np.diff(np.r_[starts, len(items)])
        place = np.arange(len(items)) - np.repeat(starts, lengths)
        side = generator.permutation(size)[places[order]]
        taken = np.empty(len(items), dtype=np.bool_)
        taken[order] = (place + side) % 2 == 0
        return self._only(taken), self._only(~taken)

    def _only(self, rows: Flags) -> Ratings:
        return Ratings.of(self.judgements.only(rows), self.systems, self.mask.shape[1], self.labels)

    def _items(self) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """The item of each judgement, and what of its system that is: a segment, all, or a document, of so many."""
        whole, judgements = self.mask.shape[1], self.judgements
        coarse = judgements.segment < 0
        documents = judgements.document.codes
        size = whole + 2 + int(documents[coarse].max(initial=-1))
        places = np.where(coarse, whole + 1 + documents, judgements.segment)
        return rows_of(judgements, self.systems) * size + places, places, size

    def repeated(self) -> Ratings | None:
        items, places, _ = self._items()
        several = (np.bincount(items)[items] > 1) & (places != self.mask.shape[1])
        return self._only(several) if len(np.unique(items[several])) >= _FEWEST_REPEATED else None


def rows_of(judgements: Judgements, systems: Sequence[str]) -> NDArray[np.int64]:
    """For each judgement the place of its system among ``systems``, which must all be there."""
    numbers = np.array([systems.index(name) for name in judgements.system.names], dtype=np.int64)
    return numbers[judgements.system.codes]


def _spread(
    grid: Array, systems: Sequence[str], documents: dict[str, dict[str, float]], labels: Factor | None
) -> Array:
    """The grid, with scores of documents for their segments where a system has no segment with one of its own."""
    spread = grid.copy()
    for row, system in enumerate(systems):
        if labels is not None and system in documents and np.isnan(grid[row]).all():
            scores = np.array([documents[system].get(name, np.nan) for name in labels.names])
            spread[row] = scores[labels.codes]
    return spread


def _coarse(judgements: Judgements) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """Judgements of whole documents, by system and document, and of whole systems: means over raters."""
    documents: dict[str, dict[str, float]] = {}
    given: dict[str, float] = {}
    coarse = judgements.only(judgements.segment < 0)
    rows: dict[tuple[str | None, str | None], list[int]] = {}
    for row, key in enumerate(zip(coarse.system, coarse.document, strict=True)):
        rows.setdefault(key, []).append(row)
    for (system, document), several in rows.items():
        mean = float(coarse.score[several].mean())
        if document is None:
            given[str(system)] = mean
        else:
            documents.setdefault(str(system), {})[document] = mean
    return documents, given


def is_ranked(judgements: Judgements) -> bool:
    """Whether scores are ranks: they name their ranking, or their kind begins with ``rr``; all are, or none is."""
    kinds = [code for code, kind in enumerate(judgements.kinds) if kind.split("-")[0] == _RANKED]
    ranked = (judgements.ranking.codes >= 0) | np.isin(judgements.kind.codes, kinds)
    if ranked.any() and not ranked.all():
        row = int(np.flatnonzero(~ranked)[0])
        raise InputError(
            f"{judgements.place(row)}: this is no ranking, but others are, and scores and ranks have no common scale. "
            f"Choose one of the kinds ({', '.join(judgements.kinds)}) with --kind."
        )
    return bool(ranked.any())


@dataclass(frozen=True, eq=False)
class Rankings(People):
    """Rankings as pairwise wins; a system's score is a share of wins, or its strength in a model of them."""

    method: str
    pairs: Pairs = field(repr=False)
    #: Pairs won, lost and tied: systems by segments each.
    won: Array = field(repr=False)
    lost: Array = field(repr=False)
    tied: Array = field(repr=False)

    @classmethod
    def of(
        cls, judgements: Judgements, systems: tuple[str, ...], segments: int, method: str = "wins"
    ) -> tuple[Rankings, dict[str, int]]:
        """The rankings, and how many judgements make no pair, by reason."""
        if method not in METHODS:
            raise UnknownName.of("way to score rankings", method, METHODS)
        ranked = with_rankings(judgements)
        every = pairs(ranked)
        chosen = every.of_systems([name for name in systems if name in every.systems])
        # A half may lack a system; it stays in its place, without wins.
        numbers = np.array([systems.index(name) for name in chosen.systems], dtype=np.int64)
        chosen = Pairs(
            systems, chosen.segment, numbers[chosen.first], numbers[chosen.second], chosen.outcome, chosen.ranking,
            chosen.rater, chosen.raters, chosen.unused,
        )  # fmt: skip
        wins, ties = outcome_tables(chosen, segments)
        won, lost, tied = wins.sum(axis=2).T, wins.sum(axis=1).T, ties.sum(axis=2).T
        judged: Flags = won + lost + tied > 0
        kind = "/".join(judgements.kinds)
        return cls(kind, systems, judged, ranked, method, chosen, won, lost, tied), dict(every.unused)

    def system_scores(self, weights: Array) -> Array:
        if self.method in SHARES:
            share = SHARES[self.method]
            return share(weights @ self.won.T, weights @ self.lost.T, weights @ self.tied.T)
        count, segments = self.won.shape
        wins, ties = (
            (weights @ table.reshape(segments, -1)).reshape(-1, count, count)
            for table in outcome_tables(self.pairs, segments)
        )
        if self.method == "expected-wins":
            return expected_wins(wins)
        model = METHODS[self.method]
        return np.stack([model(Wins(self.systems, *tables)) for tables in zip(wins, ties, strict=True)])

    def segment_scores(self) -> Array:
        """None: a rank says who is better, not how good anybody is."""
        return np.full(self.mask.shape, np.nan)

    def contributions(self) -> Array:
        """Jackknife pseudo-values of the share of wins: their mean is the share."""
        won, lost = self.won.sum(axis=1, keepdims=True), self.lost.sum(axis=1, keepdims=True)
        count = self.mask.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            whole = won / (won + lost)
            without = (won - self.won) / (won + lost - self.won - self.lost)
        values: Array = np.where(self.mask, count * whole - (count - 1) * without, np.nan)
        return values

    def document_scores(self, labels: Factor) -> Array:
        membership = membership_of(labels).T
        return win_share(self.won @ membership, self.lost @ membership, self.tied @ membership)

    def halves(self, generator: np.random.Generator) -> tuple[People, People]:
        """Whole rankings in two halves."""
        first = generator.permutation(len(self.judgements.ranking.names)) % 2 == 0
        taken = first[self.judgements.ranking.codes]
        half, other_half = (
            Rankings.of(self.judgements.only(rows), self.systems, self.won.shape[1], self.method)[0]
            for rows in (taken, ~taken)
        )
        return half, other_half
