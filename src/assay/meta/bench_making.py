"""Benches for the levels of a campaign, and what is drawn on each for intervals."""

from __future__ import annotations

import numpy as np

from assay.data.campaign import Campaign
from assay.errors import InputError
from assay.meta.benches import Bench, GridBench, RankingBench, SystemBench, document_labels, with_observed
from assay.meta.people import Array, People
from assay.meta.ranked import Ranked
from assay.meta.request import Request
from assay.meta.statistics.draws import Draws
from assay.significance.weights import bootstrap_counts

#: Below so many systems no statistic over systems says anything.
FEWEST_SYSTEMS = 3


def benches_of(campaign: Campaign, people: People, request: Request) -> tuple[list[Bench], list[str]]:
    """A bench for each level that was asked for, and why there is none for the others."""
    maker = _Maker(campaign, people, request)
    found = [maker.bench(level) for level in request.levels]
    return [one for one in found if isinstance(one, Bench)], [one for one in found if isinstance(one, str)]


class _Maker:
    def __init__(self, campaign: Campaign, people: People, request: Request) -> None:
        self._campaign, self._people, self._request = campaign, people, request
        self._labels = document_labels(campaign.documents)

    def bench(self, level: str) -> Bench | str:
        """The bench, or why there is none."""
        made = {"system": self._system_bench, "document": self._document_bench, "segment": self._segment_bench}
        return made[level]()

    def _system_bench(self) -> Bench | str:
        count = len(self._people.systems)
        if count < FEWEST_SYSTEMS:
            return f"Nothing at the system level: it takes {FEWEST_SYSTEMS} judged systems, not {count}."
        return SystemBench(self._people, self._draws(self._segment_draws(), "system"), seed=self._request.seed)

    def _document_bench(self) -> Bench | str:
        if self._labels is None:
            return "Nothing at the document level: the campaign does not tell documents apart (docs.txt)."
        labels = self._labels
        human = self._people.document_scores(labels)
        if not np.isfinite(human).any():
            return "Nothing at the document level: no document was judged, and no segment of one."
        draws = self._draws(self._draw(len(labels.names)), "document")
        return GridBench("document", human, draws, lambda source: source.documents(labels), self._request.seed)

    def _segment_bench(self) -> Bench | str:
        draws = self._draws(self._segment_draws(), "segment")
        if isinstance(self._people, Ranked):
            return RankingBench(self._people.pairs, draws)
        human = self._people.segment_scores()
        if human is None or not np.isfinite(human).any():
            return "Nothing at the segment level: no segment was judged on its own."
        return GridBench("segment", human, draws, lambda source: source.segments(), self._request.seed)

    def _segment_draws(self) -> Array:
        """How often each segment was drawn; whole documents, if they are the unit."""
        if self._request.unit == "document":
            if self._labels is None:
                raise InputError("unit=document needs the document of each segment (docs.txt), and more than one.")
            return self._draw(len(self._labels.names))[:, self._labels.codes]
        return self._draw(len(self._campaign))

    def _draw(self, count: int) -> Array:
        if self._request.resample == "systems":
            return np.ones((self._request.samples, count))
        return _stacked(count, self._request.samples, self._request.seed)

    def _draws(self, segments: Array, level: str) -> Draws:
        count = len(self._people.systems)
        keeps = ("segments",) if level == "system" else ("segments", "points")
        if self._request.resample in keeps or count < FEWEST_SYSTEMS:
            systems = np.ones((self._request.samples, count))
        else:
            # Another stream than that of segments.
            systems = _stacked(count, self._request.samples, self._request.seed + 1_000_003)
        return with_observed(Draws(segments, systems))


def _stacked(count: int, samples: int, seed: int) -> Array:
    blocks = list(bootstrap_counts(count, samples, seed))
    return np.concatenate(blocks) if blocks else np.ones((0, count))
