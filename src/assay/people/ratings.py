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
from assay.people.scores import MeanScores, Scores, steady

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

    spread: Array = field(repr=False)
    #: Which document each segment is in.
    labels: Factor | None = field(repr=False)
    #: What each judgement is of: its system's number times ``places``, and a segment, or after these the whole, or a
    #: document.
    items: Codes = field(repr=False)
    places: int = field(repr=False)

    @classmethod
    def of(
        cls, judgements: Judgements, systems: tuple[str, ...], segments: int, labels: Factor | None = None
    ) -> Ratings:
        """Means per system and segment; ``labels`` are the documents of the segments."""
        place = np.where(judgements.segment < 0, segments + 1 + judgements.document.codes, judgements.segment)
        places = max(segments, int(place.max(initial=0))) + 1
        items = rows_of(judgements, systems) * places + place
        counts = np.bincount(items, minlength=len(systems) * places)
        sums = np.bincount(items, judgements.score, len(counts))
        # Means of equal scores are equal, however many there are.
        means = steady(np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0))
        grid, whole, of_documents = np.split(means.reshape(-1, places), [segments, segments + 1], axis=1)
        given = {systems[row]: float(whole[row, 0]) for row in np.flatnonzero(~np.isnan(whole))}
        documents = {
            system: {judgements.document.names[code]: float(scores[code]) for code in np.flatnonzero(~np.isnan(scores))}
            for system, scores in zip(systems, of_documents, strict=True)
        }
        spread = grid.copy()
        for row, system in enumerate(systems):
            if labels is not None and np.isnan(grid[row]).all():
                spread[row] = np.array([documents[system].get(name, np.nan) for name in labels.names])[labels.codes]
        # Who judged a system as a whole judged all its segments.
        judged = ~np.isnan(spread) | ~np.isnan(whole)
        kind = "/".join(judgements.kinds)
        return cls(
            kind, systems, judged, grid, judgements, spread, labels, items, places, given=given, documents=documents
        )

    def contributions(self) -> Array:
        return self.spread

    def halves(self, generator: np.random.Generator) -> tuple[People, People]:
        """The judgements of each item in two halves as equal as can be.

        A single judgement goes to one of them, together with all other single ones of its segment: so both halves see
        every system on the same segments.
        """
        order = np.lexsort((generator.random(len(self.items)), self.items))
        _, starts, item = np.unique(self.items[order], return_index=True, return_inverse=True)
        place = np.arange(len(order)) - starts[item]
        side = generator.permutation(self.places)[self.items[order] % self.places]
        taken = np.empty(len(order), dtype=np.bool_)
        taken[order] = (place + side) % 2 == 0
        return self._only(taken), self._only(~taken)

    def _only(self, rows: Flags) -> Ratings:
        return Ratings.of(self.judgements.only(rows), self.systems, self.mask.shape[1], self.labels)

    def repeated(self) -> Ratings | None:
        of_parts = self.items % self.places != self.mask.shape[1]
        several = (np.bincount(self.items)[self.items] > 1) & of_parts
        return self._only(several) if len(np.unique(self.items[several])) >= _FEWEST_REPEATED else None


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
