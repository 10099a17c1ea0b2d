"""What is learnt from: judged translations with their features."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from assay.arrays import Array, Codes
from assay.data.campaign import Campaign, only
from assay.data.external import ExternalScores
from assay.errors import AssayWarning, InputError
from assay.learned.features import Feature, FeatureTable, feature_table, with_words
from assay.metrics.base import Metric
from assay.people.ratings import People
from assay.people.usage import Usage
from assay.scoring.evaluate import Progress

#: Fewer translations than these teach nothing that could be tested.
_FEWEST = 20
#: Labels of documents that say that there are none.
_NO_DOCUMENT = ("", "-")


@dataclass(frozen=True, eq=False)
class Examples:
    """A row per judged translation: features, and what people say in the mean."""

    campaign: Campaign
    table: FeatureTable = field(repr=False)
    target: Array = field(repr=False)
    #: The single judgements, of which ``target`` has the means.
    judged: Array = field(repr=False)
    kind: str
    usage: Usage

    def __len__(self) -> int:
        return len(self.target)

    @property
    def better(self) -> tuple[bool | None, ...]:
        """Of each feature, whether more is better."""
        return tuple(feature.higher_is_better for feature in self.table.features)

    def groups(self, group: str) -> Codes:
        """What belongs together, by number."""
        if group == "none":
            return np.arange(len(self))
        if group == "segment":
            return self.table.segments
        if group == "system":
            return self.table.systems
        documents = self.table.documents
        if documents is None or all(name in _NO_DOCUMENT for name in documents):
            raise InputError(
                f"{self.campaign.name} does not say which document a segment is in, so folds cannot keep documents "
                "together. Put a docs.txt into the folder, or use --group segment."
            )
        return np.unique(np.array(documents), return_inverse=True)[1]


def examples_of(
    campaign: Campaign,
    people: People,
    usage: Usage,
    features: Iterable[str | Feature | Metric] | str | Feature | Metric,
    *,
    scores: Sequence[ExternalScores] = (),
    threads: int | None = None,
    progress: Progress | None = None,
) -> Examples:
    """The judged translations of a campaign of which every segment has a reference; what is left out is counted."""
    grid = people.segment_scores()
    if np.isnan(grid).all():
        raise InputError(
            f"{campaign.name}: judgements of kind {people.name} give no score to single segments, which a predictor "
            "learns from. Choose others with --kind."
        )
    coarse = int((people.judgements.segment < 0).sum())
    if coarse:
        usage = Usage(usage.total, {**usage.unused, "of whole documents or systems": coarse})
    campaign = replace(campaign, systems={name: campaign.systems[name] for name in people.systems})
    wanted = ~np.isnan(grid)
    if int(wanted.sum()) < _FEWEST:
        raise InputError(
            f"{campaign.name}: {int(wanted.sum())} judged translations are too few to learn from and test on; it takes "
            f"at least {_FEWEST}. {usage}"
        )
    table = feature_table(campaign, features, scores=scores, wanted=wanted, threads=threads, progress=progress)
    table = _without_constants(table)
    single = people.judgements.score[people.judgements.segment >= 0]
    return Examples(campaign, table, grid[table.systems, table.segments], single, people.name, usage)


def with_references(
    campaign: Campaign, scores: Sequence[ExternalScores]
) -> tuple[Campaign, Sequence[ExternalScores], int]:
    """Segments that have a reference of their own: not only a post-edit, and not an empty line.

    A post-edit was made from the very translation that is to be graded. Who wants features that see it says so by
    ``hter``, which they are for.
    """
    others = [name for name in campaign.references if name not in campaign.targeted]
    there = with_words(campaign, others or campaign.references)
    if there.all() or not there.any():
        return campaign, scores, 0
    kept = np.flatnonzero(there)
    before = 0 if campaign.judgements is None else len(campaign.judgements)
    campaign = only(campaign, kept)
    after = 0 if campaign.judgements is None else len(campaign.judgements)
    return campaign, [one.of_segments(kept) for one in scores], before - after


def _without_constants(table: FeatureTable) -> FeatureTable:
    """Features that are the same for every translation say nothing; they are left out, and named."""
    constant = [name for name, column in zip(table.names, table.values.T, strict=True) if np.ptp(column) == 0.0]
    if len(constant) == len(table.names):
        raise InputError("Every feature is the same for all translations: there is nothing to learn from.")
    if constant:
        warnings.warn(
            f"Left out, because the same for every translation: {', '.join(constant)}.", AssayWarning, stacklevel=2
        )
        return table.without(*constant)
    return table
