"""One judgement of each segment, drawn at random: what a pseudo-document has for a human score."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.data.judgements import Judgements
from assay.meta.people import Array, Flags, Ratings, rows_of

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class JudgementPool:
    """Judgements cell by cell, a cell being a segment of a system; a judge's repeats of a cell are one, their mean.

    Those without a rater count as one judge each. ``start`` and ``size`` say where a cell's judgements stand.
    """

    systems: int
    segments: int
    score: Array = field(repr=False)
    cell: Codes = field(repr=False)
    start: Codes = field(repr=False)
    size: Codes = field(repr=False)

    @classmethod
    def of(cls, ratings: Ratings) -> JudgementPool:
        """The judgements of segments."""
        judgements = ratings.judgements.only(ratings.judgements.segment >= 0)
        segments = ratings.judged.shape[1]
        cells = rows_of(judgements, ratings.systems) * segments + judgements.segment
        judge = judges_of(judgements)
        keys, place = np.unique(np.stack([cells, judge], axis=1), axis=0, return_inverse=True)
        place = place.reshape(-1)
        score = np.bincount(place, weights=judgements.score) / np.bincount(place)
        cell, start, size = np.unique(keys[:, 0], return_index=True, return_counts=True)
        return cls(len(ratings.systems), segments, score, cell, start, size)

    def cells_with(self, judges: int) -> Flags:
        """Which cells have so many judges or more: systems by segments."""
        found = np.zeros(self.systems * self.segments, dtype=np.bool_)
        found[self.cell[self.size >= judges]] = True
        return found.reshape(self.systems, self.segments)

    def one(self, weights: Array, generator: np.random.Generator) -> Array:
        """Means over the segments of each document, of one judgement each: documents by systems."""
        return self._means(weights, [generator], judges=1)[0]

    def two(self, weights: Array, generator: np.random.Generator) -> tuple[Array, Array]:
        """The same twice, by different judges, over the segments that have two."""
        first, second = self._means(weights, [generator, generator], judges=2)
        return first, second

    def _means(self, weights: Array, generators: list[np.random.Generator], *, judges: int) -> list[Array]:
        means = [np.full((len(weights), self.systems), np.nan) for _ in generators]
        for system in range(self.systems):
            own = (self.cell // self.segments == system) & (self.size >= judges)
            if not own.any():
                continue
            there = weights[:, self.cell[own] % self.segments]
            count = there.sum(axis=1)
            start, size = self.start[own], self.size[own]
            place = np.zeros(there.shape, dtype=np.int64)
            for turn, generator in enumerate(generators):
                # The second is any of the others: a step of 1 to size - 1 from the first, round the cell.
                place = _step(place, size, generator, last=turn > 0)
                total = (there * self.score[start + place]).sum(axis=1)
                means[turn][:, system] = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
        return means


def _step(place: Codes, size: Codes, generator: np.random.Generator, *, last: bool) -> Codes:
    if (size == 1).all():
        return place
    drawn = generator.random(place.shape)
    if not last:
        return (drawn * size).astype(np.int64)
    moved: Codes = (place + 1 + (drawn * (size - 1)).astype(np.int64)) % size
    return moved


def judges_of(judgements: Judgements) -> Codes:
    """A number per judgement for who gave it; whoever has no name is somebody else each time.

    A rater is the same person under all kinds: kinds of repeated judgements exist to see whether raters keep to
    their word, and that is not what two judges agree on.
    """
    known = judgements.rater.codes.astype(np.int64)
    return np.where(known < 0, len(judgements.rater.names) + np.arange(len(judgements)), known)
