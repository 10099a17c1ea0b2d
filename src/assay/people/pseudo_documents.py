"""Documents of random segments, with one judgement of each translation: how far scores and judges rank systems alike.

Or documents of a campaign's own documents, whole, each with one judge for each of its translations. And what that would
be with other segments and other judges. Documents share segments, so that their number is no sample size: the error
comes from random parts of the campaign.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from assay.arrays import Array, Codes, Flags
from assay.errors import ParameterError
from assay.people.levels import FEWEST_SYSTEMS
from assay.people.ratings import Ratings, rows_of
from assay.people.scores import Scores, adjusted_means, steady
from assay.properties import cached_property
from assay.significance.association import spearman
from assay.significance.draws import (
    FEWEST_LEFT_OUT,
    FEWEST_UNITS,
    NO_INTERVAL,
    Interval,
    Keys,
    Units,
    bootstrap_counts,
    crossed,
    named,
    numbered,
    random_numbers,
    shuffled,
    summed_interval,
)  # fmt: skip

#: What the judges' own curve is called.
JUDGES = "judge against judge"
#: Random parts of the campaign that errors come from: of units, and of judges, which are fewer.
_PARTS_OF_UNITS, _PARTS_OF_JUDGES = 100, 40
#: A part of the units has enough for so many documents, and so many units; one of the judges has such a share of them.
_DOCUMENTS_OF_A_PART, _UNITS_OF_A_PART, _SHARE_OF_JUDGES = 20, 20, 0.67
#: A part is cut into documents twice or more, until there are about so many, but no more often.
_DOCUMENTS, _MOST_TIMES = 400, 8
#: Documents of so large a share of the segments are a table of weights, shorter ones a sparse one.
_SPARSE = 0.1
#: Documents times their segments that judges are drawn for at a time.
_CELLS = 40_000
#: What one or two judges are drawn by.
_JUDGES_DRAWN = {1: "one judge", 2: "two judges"}
#: Documents of parts have numbers of their own.
_FIRST_OF_PARTS = 2**32
#: What the same translation in another document is told apart by, and the same segment again.
_AGAIN = np.uint64(0x9E3779B97F4A7C15)
#: What the judges of a document are told apart by.
_JUDGE = np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True, eq=False)
class Documents:
    """Segments of documents, one document after the other, and where each begins; the last number is the end."""

    segment: Codes
    start: Codes

    @classmethod
    def of(cls, listed: Sequence[Codes]) -> Documents:
        """From the segments of each."""
        start = np.cumsum([0, *map(len, listed)], dtype=np.int64)
        return cls(np.concatenate(listed, dtype=np.int64) if listed else np.empty(0, dtype=np.int64), start)

    @classmethod
    def random(cls, segments: Codes, length: int, count: int, seed: int) -> Documents:
        """So many, each of ``length`` different ones of these segments."""
        if not 1 <= length <= len(segments):
            raise ParameterError(f"A pseudo-document of {length} segments cannot be made from {len(segments)}.")
        keys = numbered(len(segments))
        return cls.of(
            [segments[np.sort(shuffled(keys, seed, "pseudo-documents", number)[:length])] for number in range(count)]
        )

    @classmethod
    def grouped(cls, segments: Codes, document: Codes) -> Documents:
        """These segments by the ``document`` that each segment of a campaign is in."""
        order = segments[np.argsort(document[segments], kind="stable")]
        starts = np.flatnonzero(np.diff(document[order], prepend=-1))
        return cls(order, np.append(starts, len(order)))

    def __len__(self) -> int:
        return len(self.start) - 1

    def made_of(self, pieces: Documents) -> Documents:
        """The same, where what they list are pieces of several segments.

        >>> pieces = Documents.of([np.array([4, 5, 6]), np.array([8])])
        >>> documents = Documents.of([np.array([1]), np.array([0, 1])]).made_of(pieces)
        >>> documents.segment.tolist(), documents.start.tolist()
        ([8, 4, 5, 6, 8], [0, 1, 5])
        """
        size = np.diff(pieces.start)[self.segment]
        ends = np.append(0, np.cumsum(size))
        inside = np.arange(ends[-1]) - np.repeat(ends[:-1], size)
        return Documents(pieces.segment[np.repeat(pieces.start[self.segment], size) + inside], ends[self.start])

    def listed(self) -> list[Codes]:
        """The segments of each."""
        return np.split(self.segment, self.start[1:-1]) if len(self) else []

    def between(self, first: int, last: int) -> Documents:
        """Some that follow each other, without the last."""
        start = self.start[first : last + 1]
        return Documents(self.segment[start[0] : start[-1]], start - start[0])

    def weights(self, segments: int) -> Any:
        """Documents by segments, 1 where a segment is in a document: an array, or a sparse one."""
        sparse = self.sparse(segments)
        return sparse if len(self.segment) < _SPARSE * len(self) * segments else sparse.toarray()

    def sparse(self, segments: int) -> Any:
        """The same, sparse however long documents are."""
        from scipy.sparse import csr_array

        return csr_array((np.ones(len(self.segment)), self.segment, self.start), shape=(len(self), segments))


@dataclass(frozen=True, eq=False)
class JudgementPool:
    """Judgements cell by cell, a cell being a segment of a system; a judge's repeats of a cell are one, their mean.

    One of each cell, drawn at random, is what a pseudo-document has for a human score. Judgements without a rater
    count as one judge each. Those of a cell follow each other, cells in the order of systems and then of segments.
    """

    score: Array
    #: How many judgements each cell has: systems by segments.
    size: Codes
    #: What each cell is drawn by: systems by segments.
    keys: Keys
    #: Who gave each judgement, by the place among ``raters``; -1 is somebody without a name.
    rater: Codes
    raters: tuple[str, ...]
    #: The document of each segment, where documents are whole and have one judge each for every system; else None.
    document: Codes | None = None

    @classmethod
    def of(cls, ratings: Ratings, document: Codes | None = None) -> JudgementPool:
        """The judgements of segments."""
        judgements = ratings.judgements.only(ratings.judgements.segment >= 0)
        shape = ratings.mask.shape
        cells = rows_of(judgements, ratings.systems) * shape[1] + judgements.segment
        # A rater is the same person under all kinds: kinds of repeated judgements exist to see whether raters keep to
        # their word, and that is not what two judges agree on. Whoever has no name is somebody else each time.
        # Judges stand in the order of their names, those without one in that of their scores: rows may come in any.
        rater = judgements.rater.alphabetic()
        known, raters = rater.codes, rater.names
        nameless = len(raters) + np.argsort(np.argsort(judgements.score, kind="stable"))
        judges = np.where(known < 0, nameless, known)
        keys, place = np.unique(np.stack([cells, judges], axis=1), axis=0, return_inverse=True)
        place = place.reshape(-1)
        score = np.bincount(place, weights=judgements.score) / np.bincount(place)
        size = np.bincount(keys[:, 0], minlength=shape[0] * shape[1])
        who = np.where(keys[:, 1] < len(raters), keys[:, 1], -1)
        of_cells = crossed(named(ratings.systems), numbered(shape[1])).reshape(shape)
        return cls(score, size.reshape(shape), of_cells, who, raters, document)

    @cached_property
    def start(self) -> Codes:
        """Where the judgements of each cell begin."""
        return (np.cumsum(self.size) - self.size.ravel()).reshape(self.size.shape)

    @cached_property
    def _cell(self) -> Codes:
        """The cell of each judgement: its system's place times the number of segments, and its segment."""
        return np.repeat(np.arange(self.size.size), self.size.ravel())

    @cached_property
    def _first_of_document(self) -> Codes:
        """The first segment of the document that each segment is in."""
        if self.document is None:
            return np.arange(self.size.shape[1])
        _, first, place = np.unique(self.document, return_index=True, return_inverse=True)
        return np.asarray(first[place], dtype=np.int64)

    @property
    def segment(self) -> Codes:
        """The segment of each judgement."""
        segment: Codes = self._cell % self.size.shape[1]
        return segment

    def only(self, kept: Flags) -> JudgementPool:
        """Some of the judgements."""
        size = np.bincount(self._cell[kept], minlength=self.size.size).reshape(self.size.shape)
        return replace(self, score=self.score[kept], size=size, rater=self.rater[kept])

    def pieces(self, segments: Codes) -> Documents | None:
        """What documents of these segments are made of, where it is not single segments."""
        return None if self.document is None else Documents.grouped(segments, self.document)

    def raters_of(self, segments: Codes) -> int | None:
        """How many raters judged these segments; None where some judgement names none."""
        here = self.rater[np.isin(self.segment, segments)]
        return None if (here < 0).any() else len(np.unique(here))

    def rankable(self, judges: int) -> Flags:
        """The segments on which enough systems have so many judges to be ranked."""
        return np.asarray((self.size >= judges).sum(axis=0) >= FEWEST_SYSTEMS)

    def means(self, documents: Documents, seed: int, *, judges: int, start: int = 0) -> list[Array]:
        """Means over the segments of each document, of one judgement each: documents by systems.

        For two ``judges`` the same twice, by different ones, over the segments that have two. Where systems were judged
        on different segments of a document, the means are adjusted for that. ``start`` is the number of the first
        document.
        """
        most = math.isqrt(_CELLS * max(len(documents.segment) // max(len(documents), 1), 1))
        parts = [
            self._means(documents.between(first, last), seed, judges, start + first)
            for first, last in _stretches(documents.start, most)
        ]
        return [steady(np.concatenate(turn)) for turn in zip(*parts, strict=True)]

    def _means(self, documents: Documents, seed: int, judges: int, start: int) -> list[Array]:
        """Those of some documents; a segment of a document is a column of its own, for its judges are."""
        here, columns = documents.segment, np.arange(len(documents.segment))
        document = np.repeat(np.arange(len(documents)), np.diff(documents.start))
        weights = Documents(columns, documents.start).sparse(len(columns))
        there, size = self.size[:, here] >= judges, np.maximum(self.size[:, here], 1)
        again = _AGAIN * (document + start).astype(np.uint64)
        keys = (self.keys[:, here] + again).ravel()
        place, means = np.zeros(size.shape, dtype=np.int64), []
        reading = self._reading(here, again, seed, judges) if self.document is not None and (size > 1).any() else None
        for turn in range(judges):
            if reading is not None:
                place = reading[turn]
            elif (size > 1).any():
                # The second is any of the others: a step of 1 to size - 1 from the first, round the cell.
                drawn = random_numbers(keys, seed, _JUDGES_DRAWN[judges], turn).reshape(size.shape) / 2.0**64
                step = turn + np.minimum((drawn * (size - turn)).astype(np.int64), np.maximum(size - turn - 1, 0))
                place = (place + step) % size
            values = np.where(there, self.score[np.where(there, self.start[:, here] + place, 0)], np.nan)
            means.append(adjusted_means(values, weights))
        return means

    def _reading(self, here: Codes, again: Keys, seed: int, judges: int) -> list[Codes]:
        """Who of a cell's judges read it where documents are read whole: the place of the first, and of a second one.

        For each document and system the judges stand in a random order, and a cell has the first of them who judged
        it: one judge throughout, where somebody judged the whole document.
        """
        size = self.size[:, here].ravel()
        first, cell = np.cumsum(size) - size, np.repeat(np.arange(len(size)), size)
        inside = np.arange(len(cell)) - first[cell]
        judgement = self.start[:, here].ravel()[cell] + inside
        # Whoever has no name is somebody else each time.
        rater = self.rater[judgement]
        names = np.append(named(self.raters), np.uint64(0))
        who: Keys = np.where(rater < 0, judgement.astype(np.uint64), names[rater])
        system, column = np.divmod(cell, len(here))
        # What a system has in the first segment of a document stands for all of it.
        keys = self.keys[system, self._first_of_document[here][column]] + again[column] + who * _JUDGE
        order = np.lexsort((random_numbers(keys, seed, _JUDGES_DRAWN[judges], 0), cell))
        # Of a cell with too few judges the last one, and whoever it may be of one with none.
        at = [np.minimum(first + np.clip(turn, 0, np.maximum(size - 1, 0)), len(order) - 1) for turn in range(judges)]
        return [np.where(size > 0, inside[order[places]], 0).reshape(-1, len(here)) for places in at]


def _stretches(start: Codes, most: int) -> Iterator[tuple[int, int]]:
    """Documents that follow each other, with no more segments together, or one by itself."""
    first = 0
    while first < len(start) - 1:
        last = max(first + 1, int(np.searchsorted(start, start[first] + most, side="right")) - 1)
        yield first, last
        first = last


@dataclass(frozen=True, eq=False)
class _Parts:
    """Correlations in documents of random parts of a campaign, and how much more such a part varies than all of it."""

    values: Mapping[str, Array]
    #: Which part each document is of, times how often parts were cut into documents, and which time it was.
    time: Codes
    parts: int
    times: int
    scale: float
    freedom: float

    def variance(self, curve: str, less: str | None = None) -> float:
        """That of a curve's mean, or of the difference of two, as far as what parts were taken of is concerned.

        Parts are cut into documents several times. What the cuts of one part differ by is chance, and is taken off.
        """
        values = self.values[curve] if less is None else self.values[curve] - self.values[less]
        known, shape = np.isfinite(values), (self.parts, self.times)
        sums, counts = (
            np.bincount(self.time[known], weights, self.parts * self.times).reshape(shape)
            for weights in (values[known], None)
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            means = sums / counts
        means = means[np.isfinite(means).all(axis=1)]
        if len(means) < max(0.5 * self.parts, 2):
            return math.nan
        between, within = means.mean(axis=1).var(ddof=1), means.var(axis=1, ddof=1).mean()
        return self.scale * float(between - within / self.times)


@dataclass(frozen=True, eq=False)
class Doubt:
    """How far curves at one length may be off: for other segments and, where that can be told, other judges.

    Curves go by units, and by judges who judged several of them, so that variances are those of two-way clusters
    (Cameron, Gelbach and Miller, 2011): of units, and of judges less that of what a judge judged in a unit, which is
    in both.
    """

    units: _Parts | None = None
    #: Parts of the judges, and parts of what each of them judged in each unit.
    judges: tuple[_Parts, _Parts] | None = None

    def interval(self, value: float, drawing: float, curve: str, less: str | None = None) -> Interval:
        """95 % of a curve's mean, or of what it has more than another; ``drawing`` is the variance due to documents."""
        if self.units is None:
            return NO_INTERVAL
        variances = [(self.units.variance(curve, less), self.units.freedom), (drawing, math.inf)]
        if self.judges is not None:
            raters, both = (parts.variance(curve, less) for parts in self.judges)
            variances.append((raters - both, self.judges[0].freedom))
        return summed_interval(value, variances)


class Drawn(NamedTuple):
    """Correlations in random documents."""

    #: By curve, a value for each document: NaN where people, or what is held against them, give all systems one score.
    values: dict[str, Array]
    #: The documents in which people rank systems.
    ranked: Flags
    #: How many segments documents have on average; None where they are single segments, as many as the length says.
    segments: float | None


@dataclass(frozen=True, eq=False)
class DocumentCurves:
    """How far scores rank systems as judges do in random documents of ``segments``, and judges as others do.

    ``curves`` are scores by the name of their curve; with two ``judges`` there is a curve of theirs, too. Where the
    ``pool`` knows documents, those of the campaign are what random ones are made of, and lengths count them.
    """

    pool: JudgementPool
    segments: Codes
    curves: Mapping[str, Scores]
    units: Units
    seed: int
    judges: int = 1

    @property
    def pieces(self) -> Codes:
        """What documents are drawn from: segments, or the numbers of whole documents."""
        whole = self.pool.pieces(self.segments)
        return self.segments if whole is None else np.arange(len(whole))

    def drawn(self, length: int, count: int) -> Drawn:
        """Spearman's correlation over systems in each of so many documents."""
        documents = _whole(Documents.random(self.pieces, length, count, self.seed), self.pool.pieces(self.segments))
        human = self.pool.means(documents, self.seed, judges=self.judges, start=length * count)
        ranked = np.isfinite(spearman(human[0], human[0]))
        segments = None if self.pool.document is None else len(documents.segment) / max(len(documents), 1)
        return Drawn(self._correlations(documents, human), ranked, segments)

    def _correlations(self, documents: Documents, human: Sequence[Array]) -> dict[str, Array]:
        between = {JUDGES: spearman(human[0], human[1])} if len(human) > 1 else {}
        weights, missing = documents.weights(self.pool.size.shape[1]), np.isnan(human[0])
        scores = {label: steady(source.system_scores(weights)) for label, source in self.curves.items()}
        # All systems are scored on all segments of a document; those that nobody judged there are not ranked.
        return between | {
            label: spearman(np.where(missing, np.nan, values), human[0]) for label, values in scores.items()
        }

    def doubt(self, length: int) -> Doubt:
        """What other segments and judges may make of the curves, out of random parts of those that there are."""
        there = np.isin(np.arange(self.pool.size.shape[1]), self.segments)
        units = self.units.only(there)
        if len(units) < FEWEST_UNITS:
            return Doubt()
        by_unit = self._parts_of_units(units, length)
        if self.judges > 1 or (self.pool.raters_of(self.segments) or 0) < FEWEST_LEFT_OUT:
            return Doubt(by_unit)
        pool = self.pool.only(there[self.pool.segment])
        unit, rater = units.spread(units.keys)[np.cumsum(there) - 1][pool.segment], named(pool.raters)[pool.rater]
        of_judges, of_both = (self._parts_of_judgements(pool, keys, length) for keys in (rater, unit + rater))
        return Doubt(by_unit, (of_judges, of_both))

    def _parts_of_units(self, units: Units, length: int) -> _Parts:
        """Bootstrap samples of units, or of a random part of them where that is enough for short documents.

        Means of a part of k of n units that are counted by Poisson's numbers vary by 2/k - 1/n of what units vary by.
        """
        count, parts, whole = len(units), list[_Part](), self.pool.pieces(self.segments)
        pieces = self.pieces
        # The unit of a whole document is that of any of its segments.
        place = (
            np.arange(len(pieces)) if whole is None else np.searchsorted(self.segments, whole.segment[whole.start[:-1]])
        )
        wanted = math.ceil(_DOCUMENTS_OF_A_PART * length * count / len(pieces))
        size = min(count, max(_UNITS_OF_A_PART, wanted))
        counts = itertools.chain.from_iterable(bootstrap_counts(units.keys, _PARTS_OF_UNITS, self.seed))
        for number, times in enumerate(counts):
            times[shuffled(units.keys, self.seed, "parts of units", number)[size:]] = 0.0
            parts.append(_Part(self.pool, np.repeat(pieces, units.spread(times).astype(np.int64)[place]), whole))
        return self._measured(parts, length, size / (2.0 * count - size), min(count, _PARTS_OF_UNITS) - 1.0)

    def _parts_of_judgements(self, pool: JudgementPool, keys: Keys, length: int) -> _Parts:
        """Random parts of the judges, or of what else judgements with one key have in common."""
        different, member = np.unique(keys, return_inverse=True)
        count, parts = len(different), list[_Part]()
        size = int(_SHARE_OF_JUDGES * count)
        for number in range(_PARTS_OF_JUDGES):
            kept = np.zeros(count, dtype=np.bool_)
            kept[shuffled(different, self.seed, "parts of judges", number)[:size]] = True
            part = pool.only(kept[member])
            segments = np.flatnonzero(part.rankable(self.judges))
            whole = part.pieces(segments)
            parts.append(_Part(part, segments if whole is None else np.arange(len(whole)), whole))
        return self._measured(parts, length, size / (count - size), min(count, _PARTS_OF_JUDGES) - 1.0)

    def _measured(self, parts: Sequence[_Part], length: int, scale: float, freedom: float) -> _Parts:
        """The curves in documents of parts: of these pieces, with these judgements."""
        at_a_time = int(np.median([len(part.pieces) for part in parts])) // length
        times = min(max(math.ceil(_DOCUMENTS / max(at_a_time, 1)), 2), _MOST_TIMES)
        documents, place, human = list[Codes](), list[int](), list[list[Array]]()
        for number, part in enumerate(parts):
            cut = [
                (time, document)
                for time in range(times * number, times * (number + 1))
                for document in _cut(part.pieces, length, self.seed, time)
            ]
            if cut:
                made = _whole(Documents.of([document for _, document in cut]), part.whole)
                start = _FIRST_OF_PARTS + len(documents)
                human.append(part.pool.means(made, self.seed, judges=self.judges, start=start))
                documents += made.listed()
                place += [time for time, _ in cut]
        values = {label: np.empty(0) for label in self.curves}
        if documents:
            people = [np.concatenate(turn) for turn in zip(*human, strict=True)]
            values = self._correlations(Documents.of(documents), people)
        return _Parts(values, np.array(place, dtype=np.int64), len(parts), times, scale, freedom)


class _Part(NamedTuple):
    """A random part of a campaign: its judgements, and what documents are cut from, with its segments if several."""

    pool: JudgementPool
    pieces: Codes
    whole: Documents | None


def _whole(documents: Documents, pieces: Documents | None) -> Documents:
    """Documents of segments, where they list pieces of several segments."""
    return documents if pieces is None else documents.made_of(pieces)


def _cut(segments: Codes, length: int, seed: int, number: int) -> Iterator[Codes]:
    """Segments in random order, cut into documents; there may be several copies of a segment."""
    length = min(length, len(segments))
    again = np.arange(len(segments)) - np.searchsorted(segments, segments)
    keys = segments.astype(np.uint64) + _AGAIN * again.astype(np.uint64)
    order = segments[shuffled(keys, seed, "documents of parts", number)]
    for first in range(0, len(segments) - length + 1, length) if length else ():
        yield order[first : first + length]
