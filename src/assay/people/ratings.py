"""People's scores of systems, documents and segments, out of single judgements.

A system's score is the mean over its judged segments of the mean over a segment's judgements. So people count, then
score, as metrics do: a row holds a sum and a count, and any weighted sum of rows has a score. Where people ranked
translations, see ``rankings.py``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.arrays import Array, Codes, Flags
from assay.data.judgements import Factor, Judgements
from assay.people.scores import MeanScores, Scores

#: So many items must have been judged twice for halves to be compared item by item.
_FEWEST_REPEATED = 30


@dataclass(frozen=True, eq=False)
class People(Scores):
    """What people say of the systems of a campaign, in whatever way they were asked.

    Its name is the kind of judgement, or several with / or + between them; its mask says what was judged.
    """

    judgements: Judgements = field(repr=False)

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
        on_segment, shape = judgements.segment >= 0, (len(systems), segments)
        cells = rows_of(judgements, systems)[on_segment] * segments + judgements.segment[on_segment]
        counts = np.bincount(cells, minlength=len(systems) * segments)
        sums = np.bincount(cells, judgements.score[on_segment], len(counts))
        grid = np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0).reshape(shape)
        documents, given = ({}, {}) if on_segment.all() else _coarse(judgements.only(~on_segment))
        spread = grid.copy()
        for row, system in enumerate(systems):
            if labels is not None and system in documents and np.isnan(grid[row]).all():
                spread[row] = np.array([documents[system].get(name, np.nan) for name in labels.names])[labels.codes]
        # Who judged a system as a whole judged all its segments.
        judged = ~np.isnan(spread) | np.array([[name in given] for name in systems])
        kind = "/".join(judgements.kinds)
        return cls(kind, systems, judged, judgements, grid, documents, given=given, spread=spread, labels=labels)

    def contributions(self) -> Array:
        return self.spread

    def halves(self, generator: np.random.Generator) -> tuple[People, People]:
        """The judgements of each item in two halves as equal as can be.

        A single judgement goes to one of them, together with all other single ones of its segment: so both halves see
        every system on the same segments.
        """
        items, places, size = self._items()
        order = np.lexsort((generator.random(len(items)), items))
        _, starts, item = np.unique(items[order], return_index=True, return_inverse=True)
        place = np.arange(len(items)) - starts[item]
        side = generator.permutation(size)[places[order]]
        taken = np.empty(len(items), dtype=np.bool_)
        taken[order] = (place + side) % 2 == 0
        return self._only(taken), self._only(~taken)

    def _only(self, rows: Flags) -> Ratings:
        return Ratings.of(self.judgements.only(rows), self.systems, self.mask.shape[1], self.labels)

    def _items(self) -> tuple[Codes, Codes, int]:
        """The item of each judgement, and what of its system that is: a segment, all, or a document, of so many."""
        whole, judgements = self.mask.shape[1], self.judgements
        places = np.where(judgements.segment < 0, whole + 1 + judgements.document.codes, judgements.segment)
        size = max(whole, int(places.max(initial=0))) + 1
        return rows_of(judgements, self.systems) * size + places, places, size

    def repeated(self) -> Ratings | None:
        items, places, _ = self._items()
        several = (np.bincount(items)[items] > 1) & (places != self.mask.shape[1])
        return self._only(several) if len(np.unique(items[several])) >= _FEWEST_REPEATED else None


def rows_of(judgements: Judgements, systems: Sequence[str]) -> Codes:
    """For each judgement the place of its system among ``systems``, which must all be there."""
    numbers = np.array([systems.index(name) for name in judgements.system.names], dtype=np.int64)
    return numbers[judgements.system.codes]


def usable(judgements: Judgements, reasons: Mapping[str, Flags], unused: Counter[str]) -> Flags:
    """Judgements that no reason keeps out; the others are counted in ``unused``, by the first reason that does."""
    kept = np.ones(len(judgements), dtype=np.bool_)
    for reason, rows in reasons.items():
        unused[reason] += judgements.count(rows & kept)
        kept &= ~rows
    return kept


def _coarse(coarse: Judgements) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """Judgements of whole documents, by system and document, and of whole systems: means over raters."""
    documents: dict[str, dict[str, float]] = {}
    given: dict[str, float] = {}
    scores: dict[tuple[str, str | None], list[float]] = {}
    for system, document, score in zip(coarse.system, coarse.document, coarse.score.tolist(), strict=True):
        scores.setdefault((str(system), document), []).append(score)
    for (system, document), several in scores.items():
        if document is None:
            given[system] = float(np.mean(several))
        else:
            documents.setdefault(system, {})[document] = float(np.mean(several))
    return documents, given
