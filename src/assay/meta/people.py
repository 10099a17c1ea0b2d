"""People's scores of systems, documents and segments, out of single judgements.

A system's score is the mean over its judged segments of the mean over a segment's judgements. So people count, then
score, as metrics do: a row holds a sum and a count, and any weighted sum of rows has a score.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.data.factor import Factor
from assay.data.judgements import Judgements

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: So many items must have been judged twice for halves to be compared item by item.
FEWEST_REPEATED = 30


@dataclass(frozen=True, eq=False)
class People(ABC):
    """What people say of the systems of a campaign, in whatever way they were asked."""

    kind: str
    systems: tuple[str, ...]
    judgements: Judgements = field(repr=False)
    #: Which segments of which systems were judged: systems by segments.
    judged: Flags = field(repr=False)

    @abstractmethod
    def system_scores(self, weights: Array) -> Array:
        """Scores of all systems under each row of weights over segments: draws by systems."""

    @abstractmethod
    def contributions(self) -> Array:
        """Values of segments whose mean is the system's score: systems by segments, NaN where not judged."""

    @abstractmethod
    def document_scores(self, labels: Factor) -> Array:
        """Scores of documents: systems by documents, NaN where nothing of a document was judged."""

    def segment_scores(self) -> Array | None:
        """Scores of segments, systems by segments, NaN where not judged; None where segments have none."""
        return None

    def repeated(self) -> People | None:
        """What was judged several times alone; None where that is too little to compare halves of."""
        return None

    @abstractmethod
    def halves(self, generator: np.random.Generator) -> tuple[People, People]:
        """Two that share the judgements at random: how far they agree is how far people can be followed."""


@dataclass(frozen=True, eq=False)
class Ratings(People):
    """Judgements that are numbers on one scale: assessments, grades, penalties.

    ``grid`` is the mean of a segment's judgements. Judgements of whole documents and systems stand for themselves; a
    system without judgements of segments has those of its documents as the scores of their segments (``spread``).
    """

    grid: Array = field(repr=False)
    spread: Array = field(repr=False)
    #: Which document each segment is in.
    labels: Factor | None = field(default=None, repr=False)
    documents: dict[str, dict[str, float]] = field(default_factory=dict, repr=False)
    given: dict[str, float] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls, judgements: Judgements, systems: tuple[str, ...], segments: int, labels: Factor | None = None
    ) -> Ratings:
        """Means per system and segment; ``labels`` are the documents of the segments."""
        rows = rows_of(judgements, systems)
        on_segment = judgements.segment >= 0
        size = len(systems) * segments
        cells = rows[on_segment] * segments + judgements.segment[on_segment]
        counts = np.bincount(cells, minlength=size).reshape(len(systems), segments)
        sums = np.bincount(cells, weights=judgements.score[on_segment], minlength=size).reshape(len(systems), segments)
        grid = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
        documents, given = _coarse(judgements)
        spread = _spread(grid, systems, documents, labels)
        judged = ~np.isnan(spread)
        # Who judged a system as a whole judged all its segments.
        judged |= np.array([name in given for name in systems])[:, None]
        kind = "/".join(judgements.kinds)
        return cls(kind, systems, judgements, judged, grid, spread, labels, documents, given)

    def system_scores(self, weights: Array) -> Array:
        with np.errstate(invalid="ignore", divide="ignore"):
            there = ~np.isnan(self.spread)
            scores: Array = (weights @ np.where(there, self.spread, 0.0).T) / (weights @ there.T.astype(np.float64))
        for index, name in enumerate(self.systems):
            if name in self.given:
                scores[:, index] = self.given[name]
        return scores

    def contributions(self) -> Array:
        return self.spread

    def segment_scores(self) -> Array | None:
        return self.grid

    def document_scores(self, labels: Factor) -> Array:
        membership = membership_of(labels)
        with np.errstate(invalid="ignore", divide="ignore"):
            there = ~np.isnan(self.grid)
            means: Array = (np.where(there, self.grid, 0.0) @ membership.T) / (there @ membership.T)
        for row, system in enumerate(self.systems):
            for column, name in enumerate(labels.names):
                means[row, column] = self.documents.get(system, {}).get(name, means[row, column])
        return means

    def halves(self, generator: np.random.Generator) -> tuple[People, People]:
        """The judgements of each item in two halves as equal as can be.

        A single judgement goes to one of them, together with all other single ones of its segment: so both halves see
        every system on the same segments.
        """
        segments = self.judged.shape[1]
        places, size = self._places()
        items = rows_of(self.judgements, self.systems) * size + places
        order = np.lexsort((generator.random(len(items)), items))
        starts = np.flatnonzero(np.r_[True, np.diff(items[order]) != 0])
        lengths = np.diff(np.r_[starts, len(items)])
        place = np.arange(len(items)) - np.repeat(starts, lengths)
        side = generator.permutation(size)[places[order]]
        taken = np.empty(len(items), dtype=np.bool_)
        taken[order] = (place + side) % 2 == 0
        one, other = (
            Ratings.of(self.judgements.only(half), self.systems, segments, self.labels) for half in (taken, ~taken)
        )
        return one, other

    def _places(self) -> tuple[NDArray[np.int64], int]:
        """What of its system each judgement is of: a segment, the whole, or a document; and how many there may be."""
        whole, judgements = self.judged.shape[1], self.judgements
        coarse = judgements.segment < 0
        documents = judgements.document.codes
        size = whole + 2 + int(documents[coarse].max(initial=-1))
        return np.where(coarse, whole + 1 + documents, judgements.segment), size

    def repeated(self) -> Ratings | None:
        segments = self.judged.shape[1]
        places, size = self._places()
        items = rows_of(self.judgements, self.systems) * size + places
        several = (np.bincount(items)[items] > 1) & (places != segments)
        if len(np.unique(items[several])) < FEWEST_REPEATED:
            return None
        return Ratings.of(self.judgements.only(several), self.systems, segments, self.labels)


def rows_of(judgements: Judgements, systems: Sequence[str]) -> NDArray[np.int64]:
    """For each judgement the place of its system among ``systems``, which must all be there."""
    numbers = np.array([systems.index(name) for name in judgements.system.names], dtype=np.int64)
    return numbers[judgements.system.codes]


def membership_of(labels: Factor) -> Array:
    """Which segments belong to which group: groups by segments."""
    membership = np.zeros((len(labels.names), len(labels)))
    membership[labels.codes, np.arange(len(labels))] = 1.0
    return membership


def _spread(
    grid: Array, systems: Sequence[str], documents: dict[str, dict[str, float]], labels: Factor | None
) -> Array:
    """The grid, with scores of documents for their segments where a system has no segment with one of its own."""
    spread = grid.copy()
    for row, system in enumerate(systems):
        if labels is not None and system in documents and np.isnan(grid[row]).all():
            scores = np.array([documents[system].get(name, np.nan) for name in labels.names])
            spread[row] = scores[labels.codes]
    return spread


def _coarse(judgements: Judgements) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """Judgements of whole documents, by system and document, and of whole systems: means over raters."""
    documents: dict[str, dict[str, float]] = {}
    given: dict[str, float] = {}
    coarse = judgements.only(judgements.segment < 0)
    keys = list(zip(coarse.system, coarse.document, strict=True))
    for system, document in dict.fromkeys(keys):
        mean = float(coarse.score[[key == (system, document) for key in keys]].mean())
        if document is None:
            given[str(system)] = mean
        else:
            documents.setdefault(str(system), {})[document] = mean
    return documents, given
