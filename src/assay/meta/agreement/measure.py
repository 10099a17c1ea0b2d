"""How far raters agree, with each other and with themselves: every statistic that their judgements allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.meta.agreement.comparisons import Comparisons
from assay.meta.agreement.draws import Draws, rows_of
from assay.meta.agreement.grades import Grades, grades_of
from assay.meta.agreement.pairs import LEAST_ITEMS, Groups, measure
from assay.meta.agreement.ratings import Ratings
from assay.meta.agreement.reliability import Units, alphas, intraclass, split_halves
from assay.meta.agreement.spans import span_agreement
from assay.results.result import Table
from assay.scoring.evaluate import Progress


@dataclass
class Agreed:
    """What was found, and what one should know when reading it."""

    #: A row per statistic.
    results: Table = field(default_factory=list)
    #: Every two raters, and each rater against the mean of the others, where there is anybody to agree with.
    pairs: Groups | None = None
    others: Groups | None = None
    grades: Grades | None = None
    remarks: list[str] = field(default_factory=list)

    def add_pooled(self, groups: Groups, what: str, prefix: str = "") -> None:
        """The means over groups; with ``what`` the groups that were too small to count are named."""
        if groups.rows:
            self.results += rows_of(groups.pooled, groups.raters, groups.items, prefix)
        if groups.small_groups and what:
            left = f"{groups.small_groups:,} with fewer than {LEAST_ITEMS} items ({groups.small_items:,})"
            self.remarks.append(f"Means over {what} leave out {left}.")


def measure_rankings(ratings: Ratings, **draws: int) -> Agreed:
    """Agreement on pairs of systems, and nothing that needs a scale."""
    comparisons = Comparisons.of(ratings)
    found = Agreed()
    for same_rater in (False, True):
        found.results += comparisons.agreement(same_rater=same_rater, **draws)
    if not found.results:
        found.remarks.append("No two systems were ranked twice on the same segment: nothing can be said of agreement.")
    return found


def measure_scores(
    ratings: Ratings, wanted: int | Sequence[float] | None, *, splits: int, report: Progress, **draws: int
) -> Agreed:
    """Agreement on scores; ``wanted`` says how they become grades, ``draws`` are samples and seed of the bootstrap."""
    grades = grades_of(ratings.score, wanted)
    found, several = Agreed(grades=grades), grades if len(grades) > 1 else None
    if several is None:
        found.remarks.append("All scores lie in one grade, so there is no agreement on grades to speak of.")
    if len(ratings.raters) == 1:
        found.remarks.append(f"There is a single rater ({ratings.raters[0]}): nobody to agree with.")
    elif len(ratings.shared) == 0:
        found.remarks.append(f"No item was rated by two of the {len(ratings.raters)} raters: nobody to agree with.")
    else:
        _between(found, ratings, several, splits, draws)
    report(0.4)
    repeated = ratings.repeated()
    if len(repeated):
        found.add_pooled(measure(repeated, several, **draws), "raters who rated items again", "repeat-")
    # Scores that one rater gave again say more than comparisons of them.
    found.results += Comparisons.of(ratings).agreement(same_rater=False, **draws)
    return found


def _between(found: Agreed, ratings: Ratings, grades: Grades | None, splits: int, draws: Mapping[str, int]) -> None:
    """What several raters say of the same items."""
    paired = ratings.between()
    found.pairs = measure(paired, grades, **draws)
    found.add_pooled(found.pairs, "pairs of raters")
    units = Units.of(ratings)
    drawn = Draws.of(int(units.unit.max()) + 1, **draws)
    reliable = alphas(units, grades, ratings.score[ratings.shared], drawn) | intraclass(units, drawn)
    found.results += rows_of(reliable, int(units.rater.max()) + 1, len(units.size))
    found.others = measure(ratings.against_others(), None, **draws)
    found.add_pooled(found.others, "", "others-")
    found.results += split_halves(ratings, splits=splits, **draws)
    found.results += span_agreement(ratings, paired, **draws)
