"""People who ranked systems: who beat whom, segment by segment, and what that says of systems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from assay.data.factor import Factor
from assay.data.judgements import Judgements
from assay.errors import InputError, UnknownName
from assay.meta.people import Array, Flags, People, membership_of
from assay.meta.ranking_scores import METHODS, expected_wins, win_or_tie_share, win_share
from assay.meta.rankings import Pairs, Wins, pair_wins, pairs, segment_wins, with_rankings

#: How kinds are called whose scores are ranks.
RANKED = "rr"

SHARES: dict[str, Callable[[Array, Array, Array], Array]] = {"wins": win_share, "wins-or-ties": win_or_tie_share}


def is_ranked(judgements: Judgements) -> bool:
    """Whether scores are ranks: they name their ranking, or their kind begins with ``rr``; all are, or none is."""
    kinds = [code for code, kind in enumerate(judgements.kinds) if kind.split("-")[0] == RANKED]
    ranked = (judgements.ranking.codes >= 0) | np.isin(judgements.kind.codes, kinds)
    if ranked.any() and not ranked.all():
        row = int(np.flatnonzero(~ranked)[0])
        raise InputError(
            f"{judgements.place(row)}: this is no ranking, but others are, and scores and ranks have no common scale. "
            f"Choose one of the kinds ({', '.join(judgements.kinds)}) with --kind."
        )
    return bool(ranked.any())


@dataclass(frozen=True, eq=False)
class Ranked(People):
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
    ) -> tuple[Ranked, dict[str, int]]:
        """The rankings, and how many judgements make no pair, by reason."""
        if method not in METHODS:
            raise UnknownName.of("way to score rankings", method, METHODS)
        ranked = with_rankings(judgements)
        found = pairs(ranked)
        chosen = found.of_systems([name for name in systems if name in found.systems])
        # A half may lack a system; it stays in its place, without wins.
        numbers = np.array([systems.index(name) for name in chosen.systems], dtype=np.int64)
        chosen = Pairs(
            systems, chosen.segment, numbers[chosen.first], numbers[chosen.second], chosen.outcome, chosen.ranking,
            chosen.rater, chosen.raters, chosen.unused,
        )  # fmt: skip
        won, lost, tied = segment_wins(chosen, systems, segments)
        judged: Flags = won + lost + tied > 0
        kind = "/".join(judgements.kinds)
        made = cls(kind, systems, ranked, judged, method, chosen, won, lost, tied)
        return made, dict(found.unused)

    def system_scores(self, weights: Array) -> Array:
        if self.method in SHARES:
            share = SHARES[self.method]
            return share(weights @ self.won.T, weights @ self.lost.T, weights @ self.tied.T)
        count, segments = self.won.shape
        table = pair_wins(self.pairs, self.systems, segments).reshape(segments, -1)
        wins = (weights @ table).reshape(-1, count, count)
        if self.method == "expected-wins":
            return expected_wins(wins)
        ties = self._ties(weights)
        model = METHODS[self.method]
        return np.stack([model(Wins(self.systems, one, tie)) for one, tie in zip(wins, ties, strict=True)])

    def _ties(self, weights: Array) -> Array:
        count, segments = self.won.shape
        table = np.zeros((segments, count, count))
        tie = self.pairs.outcome == 0
        for one, other in ((self.pairs.first, self.pairs.second), (self.pairs.second, self.pairs.first)):
            np.add.at(table, (self.pairs.segment[tie], one[tie], other[tie]), 1.0)
        return (weights @ table.reshape(segments, -1)).reshape(-1, count, count)

    def contributions(self) -> Array:
        """Jackknife pseudo-values of the share of wins: their mean is the share."""
        won, lost = self.won.sum(axis=1, keepdims=True), self.lost.sum(axis=1, keepdims=True)
        count = self.judged.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            whole = won / (won + lost)
            without = (won - self.won) / (won + lost - self.won - self.lost)
        values: Array = np.where(self.judged, count * whole - (count - 1) * without, np.nan)
        return values

    def document_scores(self, labels: Factor) -> Array:
        membership = membership_of(labels).T
        return win_share(self.won @ membership, self.lost @ membership, self.tied @ membership)

    def halves(self, generator: np.random.Generator) -> tuple[People, People]:
        """Whole rankings in two halves."""
        first = generator.permutation(len(self.judgements.ranking.names)) % 2 == 0
        taken = first[self.judgements.ranking.codes]
        one, other = (
            Ranked.of(self.judgements.only(half), self.systems, self.won.shape[1], self.method)[0]
            for half in (taken, ~taken)
        )
        return one, other
