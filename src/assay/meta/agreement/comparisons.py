"""Which of two systems did a segment better? Agreement on that, as WMT judges its rankings; scores imply it, too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.data.judgements import Judgements
from assay.meta.agreement.draws import Draws, rows_of
from assay.meta.agreement.ratings import Ratings, pairs_within
from assay.meta.agreement.weighted import Codes, Floats
from assay.results.result import Table


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Per comparison: who made it, of which two systems on which segment, and -1, 0 or 1 for the first of them."""

    rater: Codes
    #: Segment and both systems as one number.
    item: Codes
    unit: Codes
    outcome: Codes

    @classmethod
    def of(cls, ratings: Ratings) -> Comparisons:
        """All pairs of systems that one rater rated on a segment; of rankings, all pairs within one ranking."""
        judgements = ratings.judgements
        together = _together(ratings, judgements)
        order = np.lexsort((ratings.system, together))
        one, two = pairs_within(together[order])
        first, second = order[one], order[two]
        different = ratings.system[first] != ratings.system[second]
        first, second = first[different], second[different]
        systems = len(judgements.system.names)
        _, unit = np.unique(ratings.unit[first], return_inverse=True)
        return cls(
            rater=ratings.rater[first],
            item=(ratings.unit[first] * systems + ratings.system[first]) * systems + ratings.system[second],
            unit=unit,
            outcome=np.sign(ratings.score[first] - ratings.score[second]).astype(np.int64),
        )

    def agreement(self, *, same_rater: bool, samples: int, seed: int) -> Table:
        """How often two comparisons of the same agree, by two raters or by one; nothing if there are no two."""
        key = self.item * (int(self.rater.max(initial=0)) + 1) + self.rater if same_rater else self.item
        order = np.argsort(key, kind="stable")
        one, two = pairs_within(key[order])
        first, second = order[one], order[two]
        if not same_rater:
            different = self.rater[first] != self.rater[second]
            first, second = first[different], second[different]
        if len(first) == 0:
            return []
        units, unit = np.unique(self.unit[first], return_inverse=True)
        ties = ((self.outcome[first] == 0).astype(np.float64) + (self.outcome[second] == 0)) / 2.0
        columns = (np.ones(len(first)), self.outcome[first] == self.outcome[second], ties)
        rows = np.stack([np.bincount(unit, weights=column) for column in columns], axis=1)
        draws = Draws.of(len(units), samples, seed)
        values = agreement_values(draws.weights @ rows)
        raters = np.unique(np.concatenate([self.rater[first], self.rater[second]]))
        found = {name: draws.estimate(each) for name, each in values.items()}
        return rows_of(found, len(raters), len(np.unique(self.item[first])), "repeat-" if same_rater else "")


def _together(ratings: Ratings, judgements: Judgements) -> Codes:
    """A number for what may be compared: a ranking, or all that a rater said of a segment under one kind."""
    if (judgements.ranking.codes >= 0).all() and len(judgements):
        return judgements.ranking.codes
    raters, kinds = len(ratings.raters), len(judgements.kinds)
    return (ratings.unit * raters + ratings.rater) * kinds + judgements.kind.codes


def agreement_values(sums: Floats) -> dict[str, Floats]:
    """P(A), and kappa with P(E) of 1/3 and as the share of ties suggests, from (…, pairs, agreeing, ties)."""
    count, agreeing, ties = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share, tied = agreeing / count, ties / count
        # Which of two systems comes first is our choice, so that better and worse are equally likely by chance.
        chance = tied**2 + (1.0 - tied) ** 2 / 2.0
        return {
            "comparison-agreement": share,
            "comparison-kappa-third": (share - 1.0 / 3.0) / (2.0 / 3.0),
            "comparison-kappa": np.where(chance < 1.0, (share - chance) / (1.0 - chance), np.nan),
        }
