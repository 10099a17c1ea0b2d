"""People's scores of systems, documents and segments, out of single judgements.

A system's score is the mean over judged segments of the mean over a segment's judgements, adjusted where systems were
judged on different segments (``scores.adjusted_means``). So people count, then
score, as metrics do: a row holds a sum and a count, and any weighted sum of rows has a score. Where people ranked
translations, see ``rankings.py``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from assay.arrays import Array, Codes, Flags
from assay.data.judgements import Factor, Judgements
from assay.people.scores import MeanScores, Scores, steady
from assay.significance.draws import Keys, named, numbered, random_numbers

#: So many items must have been judged twice for halves to be compared item by item.
_FEWEST_REPEATED = 30
#: What the second judgement of the same by the same is told apart by.
_AGAIN = 0x9E3779B97F4A7C15


@dataclass(frozen=True, eq=False)
class People(Scores):
    """What people say of the systems of a campaign, in whatever way they were asked.

    Its name is the kind of judgement, or several with / or + between them; its mask says what was judged.
    """

    judgements: Judgements = field(repr=False)

    @abstractmethod
    def halves(self, seed: int, number: int) -> tuple[People, People]:
        """Two that share the judgements at random: how far they agree is how far people can be followed.

        ``number`` tells such splits apart.
        """

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
    added: Array | None = field(repr=False)

    @classmethod
    def of(
        cls,
        judgements: Judgements,
        systems: tuple[str, ...],
        segments: int,
        labels: Factor | None = None,
        added: Array | None = None,
    ) -> Ratings:
        """Means per system and segment; ``labels`` are the documents of the segments.

        ``added`` to each judgement where systems and documents are scored: see ``normalise.what_raters_saw``.
        """
        place = np.where(judgements.segment < 0, segments + 1 + judgements.document.codes, judgements.segment)
        places = max(segments, int(place.max(initial=0))) + 1
        items = rows_of(judgements, systems) * places + place
        counts = np.bincount(items, minlength=len(systems) * places)

        def means_of(scores: Array) -> list[Array]:
            sums = np.bincount(items, scores, len(counts))
            # Means of equal scores are equal, however many there are.
            means = steady(np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0))
            return np.split(means.reshape(-1, places), [segments, segments + 1], axis=1)

        grid, whole, of_documents = means_of(judgements.score)
        given = {systems[row]: float(whole[row, 0]) for row in np.flatnonzero(~np.isnan(whole))}
        documents = {
            system: {judgements.document.names[code]: float(scores[code]) for code in np.flatnonzero(~np.isnan(scores))}
            for system, scores in zip(systems, of_documents, strict=True)
        }
        spread = grid.copy() if added is None else means_of(judgements.score + added)[0]
        for row, system in enumerate(systems):
            if labels is not None and np.isnan(grid[row]).all():
                spread[row] = np.array([documents[system].get(name, np.nan) for name in labels.names])[labels.codes]
        # Who judged a system as a whole judged all its segments.
        judged = ~np.isnan(spread) | ~np.isnan(whole)
        kind = "/".join(judgements.kinds)
        return cls(
            kind, systems, judged, grid, judgements, spread, labels, items, places, added, given=given,
            documents=documents,
        )  # fmt: skip

    def contributions(self) -> Array:
        return np.where(self.mask, self.spread, np.nan)

    def halves(self, seed: int, number: int) -> tuple[People, People]:
        """The judgements of each item in two halves as equal as can be.

        A single judgement goes to one of them, together with all other single ones of its segment: so both halves see
        every system on the same segments.
        """
        drawn = random_numbers(judgement_keys(self.judgements), seed, "halves of judgements", number)
        order = np.lexsort((drawn, self.items))
        _, starts, item = np.unique(self.items[order], return_index=True, return_inverse=True)
        place = np.arange(len(order)) - starts[item]
        parts = np.concatenate([numbered(self.mask.shape[1] + 1), named(self.judgements.document.names)])
        side = random_numbers(parts, seed, "sides of segments", number) % 2
        taken = np.empty(len(order), dtype=np.bool_)
        taken[order] = (place + side[self.items[order] % self.places].astype(np.int64)) % 2 == 0
        return self._only(taken), self._only(~taken)

    def _only(self, rows: Flags) -> Ratings:
        added = None if self.added is None else self.added[rows]
        part = Ratings.of(self.judgements.only(rows), self.systems, self.mask.shape[1], self.labels, added)
        return replace(part, adjusted=self.adjusted)

    def repeated(self) -> Ratings | None:
        of_parts = self.items % self.places != self.mask.shape[1]
        several = (np.bincount(self.items)[self.items] > 1) & of_parts
        return self._only(several) if len(np.unique(self.items[several])) >= _FEWEST_REPEATED else None


def judgement_keys(judgements: Judgements) -> Keys:
    """What each judgement is known by: who judged what; where that comes again, by its score. Never by its row."""
    keys = judgements.segment.astype(np.uint64)
    for number, factor in enumerate(
        (judgements.kind, judgements.system, judgements.document, judgements.rater, judgements.ranking), start=1
    ):
        # Each column in its own way, so that a rater and a system of one name are two things; -1 is the last one.
        keys += np.uint64(2 * number + 1) * np.append(named(factor.names), np.uint64(0))[factor.codes]
    order = np.lexsort((judgements.score, keys))
    _, starts, group = np.unique(keys[order], return_index=True, return_inverse=True)
    again = np.empty(len(order), dtype=np.uint64)
    again[order] = np.arange(len(order)) - starts[group]
    return keys + np.uint64(_AGAIN) * again


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
