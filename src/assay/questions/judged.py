"""What questions about judgements have in common: which of them count, and how they become scores."""

from __future__ import annotations

from dataclasses import dataclass

from assay.data.campaign import Campaign
from assay.people.normalise import METHODS as NORMALISATIONS
from assay.people.rankings import METHODS as RANKINGS
from assay.people.ratings import People
from assay.people.usage import Usage
from assay.questions.asked import Asked
from assay.questions.base import KIND, Question, option


@dataclass(frozen=True, kw_only=True)
class Judged(Question):
    """A question that asks people: the options that say which of their judgements count."""

    kind: tuple[str, ...] = option((), KIND, metavar="KIND,...")
    normalise: str = option("none", "Raters against each other.", choices=NORMALISATIONS)
    ranking: str = option("wins", "Ranks to scores.", choices=RANKINGS)
    missing: float | None = option(None, "A score that stands for no judgement.", metavar="SCORE")
    lower_is_better: bool = option(False, "Turn the judgements' sign.")

    def people(self, asked: Asked, campaign: Campaign | None = None) -> tuple[People, Usage]:
        """What people say of the systems, and how many judgements that took."""
        return asked.people(
            campaign,
            kind=self.kind,
            normalise=self.normalise,
            ranking=self.ranking,
            missing=self.missing,
            lower_is_better=self.lower_is_better,
        )
