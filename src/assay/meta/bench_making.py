"""Benches for the levels of a campaign."""

from __future__ import annotations

import numpy as np

from assay.data.campaign import Campaign
from assay.meta.benches import Bench, GridBench, RankingBench, SystemBench, document_labels
from assay.meta.drawing import FEWEST_SYSTEMS, Drawing
from assay.meta.people import People
from assay.meta.ranked import Ranked
from assay.meta.request import Request


def benches_of(campaign: Campaign, people: People, request: Request) -> tuple[list[Bench], list[str]]:
    """A bench for each level that was asked for, and why there is none for the others."""
    maker = _Maker(campaign, people, request)
    found = [maker.bench(level) for level in request.levels]
    return [one for one in found if isinstance(one, Bench)], [one for one in found if isinstance(one, str)]


class _Maker:
    def __init__(self, campaign: Campaign, people: People, request: Request) -> None:
        self._campaign, self._people, self._request = campaign, people, request
        self._labels = document_labels(campaign.documents)
        self._drawing = Drawing(people, self._labels, request)

    def bench(self, level: str) -> Bench | str:
        """The bench, or why there is none."""
        made = {"system": self._system_bench, "document": self._document_bench, "segment": self._segment_bench}
        return made[level]()

    def _system_bench(self) -> Bench | str:
        count = len(self._people.systems)
        if count < FEWEST_SYSTEMS:
            return f"Nothing at the system level: it takes {FEWEST_SYSTEMS} judged systems, not {count}."
        return SystemBench(self._people, self._drawing.of_segments("system"), seed=self._request.seed)

    def _document_bench(self) -> Bench | str:
        if self._labels is None:
            return "Nothing at the document level: the campaign does not tell documents apart (docs.txt)."
        labels = self._labels
        human = self._people.document_scores(labels)
        if not np.isfinite(human).any():
            return "Nothing at the document level: no document was judged, and no segment of one."
        draws = self._drawing.of_documents(labels)
        return GridBench("document", human, draws, lambda source: source.documents(labels), self._request.seed)

    def _segment_bench(self) -> Bench | str:
        draws = self._drawing.of_segments("segment")
        if isinstance(self._people, Ranked):
            return RankingBench(self._people.pairs, draws)
        human = self._people.segment_scores()
        if human is None or not np.isfinite(human).any():
            return "Nothing at the segment level: no segment was judged on its own."
        return GridBench("segment", human, draws, lambda source: source.segments(), self._request.seed)
