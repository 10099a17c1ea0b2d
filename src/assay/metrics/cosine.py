"""Cosine of tf-idf vectors (Salton, Wong & Yang, 1975): how similar two texts are by their words, rare ones first."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Codes
from assay.errors import ParameterError
from assay.metrics.base import BestReference, Influence, Rows, Scores, ratio, sums_of_units
from assay.text.batch import Batch
from assay.text.recipe import Lowercase, Sequences

if TYPE_CHECKING:
    from assay.metrics.pictures import NgramMatches

_Ids = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class _WordSurvey:
    """In how many references each word stands; surveys of shards add up, and can be repeated."""

    #: Sorted.
    words: _Ids
    texts_with: Codes
    texts: int

    @classmethod
    def of(cls, segments: Codes, words: _Ids, texts: int) -> _WordSurvey:
        """Of words, each with the number of its segment, in so many texts."""
        known, numbers = np.unique(words, return_inverse=True)
        once = np.unique(segments * max(len(known), 1) + numbers)
        return cls(known, np.bincount(once % max(len(known), 1), minlength=len(known)).astype(np.int64), texts)

    def __add__(self, other: _WordSurvey) -> _WordSurvey:
        words, numbers = np.unique(np.concatenate([self.words, other.words]), return_inverse=True)
        counts = np.bincount(numbers, np.concatenate([self.texts_with, other.texts_with]), minlength=len(words))
        return _WordSurvey(words, counts.astype(np.int64), self.texts + other.texts)

    def __mul__(self, times: int) -> _WordSurvey:
        kept = self if times else _WordSurvey(self.words[:0], self.texts_with[:0], 0)
        return _WordSurvey(kept.words, kept.texts_with * times, kept.texts * times)

    def idf(self, words: _Ids) -> Array:
        """How rare words are: ln((1 + n) / (1 + texts with the word)) + 1, as if one more text had every word."""
        places = np.minimum(np.searchsorted(self.words, words), max(len(self.words) - 1, 0))
        found = self.words[places] == words if len(self.words) else np.zeros(len(words), dtype=np.bool_)
        counts = np.where(found, self.texts_with[places] if len(self.words) else 0, 0)
        return np.asarray(np.log((1.0 + self.texts) / (1.0 + counts)) + 1.0)


def _segments(sequences: Sequences) -> Codes:
    """The number of the segment of each word."""
    lengths = np.diff(sequences.offsets)
    return np.repeat(np.arange(len(lengths)), lengths)


@dataclass(frozen=True, kw_only=True)
class Cosine(BestReference):
    """0 to 100, and of a corpus the mean over its segments; against the reference that is most similar.

    A text is a vector with a number for each word: how often it stands there times how rare it is in the references of
    the test set. Order does not matter.
    """

    name: ClassVar[str] = "cosine"
    label: ClassVar[str] = "cosine"
    summary: ClassVar[str] = "cosine of tf-idf vectors: words in common, of which rare ones count more"
    is_average: ClassVar[bool] = True

    tokenize: str = "13a"
    lowercase: Lowercase = True
    words: _WordSurvey | None = field(default=None, repr=False, compare=False)
    fitted_on: tuple[str, ...] | None = field(default=None, repr=False)  # type: ignore[misc]

    @property
    def columns(self) -> tuple[str, ...]:
        return ("cosine", "segments")

    @property
    def needs_survey(self) -> bool:
        return self.words is None

    def survey(self, batch: Batch) -> _WordSurvey:
        segments, words, texts = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.uint64)], 0
        for number, (reference, present) in enumerate(zip(batch.references, batch.present, strict=True)):
            here = _segments(reference)
            segments.append((here + number * len(batch))[present[here]])
            words.append(reference.ids[present[here]])
            texts += int(present.sum())
        return _WordSurvey.of(np.concatenate(segments), np.concatenate(words), texts)

    def fit(self, survey: _WordSurvey, fitted_on: tuple[str, ...]) -> Self:
        return replace(self, words=survey, fitted_on=fitted_on)

    def influence(self, batch: Batch, members: Codes, units: int) -> Influence:
        """What each unit's own rows are: how rare words are is taken as it is."""
        return lambda rows, _, of: sums_of_units(rows, of, units)

    def count_each(self, batch: Batch) -> list[Rows]:
        sides = [batch.translations, *batch.references]
        words = np.unique(np.concatenate([side.ids for side in sides]))
        rarity = self._known.idf(words)
        translations, *references = (_Vectors.of(side, words, rarity) for side in sides)
        return [
            np.column_stack([100.0 * translations.cosines(reference), np.ones(len(batch))]) for reference in references
        ]

    @property
    def _known(self) -> _WordSurvey:
        if self.words is None:
            raise ParameterError("cosine counts only after a survey of all references; use evaluate().")
        return self.words

    def score(self, rows: Rows) -> Scores:
        return ratio(rows[..., 0], rows[..., 1])

    def picture(self, batch: Batch) -> NgramMatches:
        from assay.metrics.pictures import ngram_picture

        return ngram_picture(batch, [1], best=int(self.best(batch)[0]))


class _Vectors(NamedTuple):
    """The vectors of all segments of a side: what is not 0 in them."""

    #: The number of the segment times that of all words plus that of the word, sorted; the segment; and the value.
    places: Codes
    segments: Codes
    values: Array
    size: int

    @classmethod
    def of(cls, side: Sequences, words: _Ids, rarity: Array) -> _Vectors:
        """Of texts whose words are among ``words``, which are so rare."""
        width = max(len(words), 1)
        places, counts = np.unique(_segments(side) * width + np.searchsorted(words, side.ids), return_counts=True)
        return cls(places, places // width, counts * rarity[places % width], len(side.offsets) - 1)

    def norms(self) -> Array:
        """The length of each vector."""
        return np.asarray(np.sqrt(np.bincount(self.segments, self.values**2, minlength=self.size)))

    def cosines(self, others: _Vectors) -> Scores:
        """By segment: 0 where one of two texts is empty, 1 where both are."""
        _, ours, theirs = np.intersect1d(self.places, others.places, assume_unique=True, return_indices=True)
        products = self.values[ours] * others.values[theirs]
        lengths = self.norms(), others.norms()
        sums = np.bincount(self.segments[ours], products, minlength=self.size).astype(np.float64)
        shared = ratio(sums, lengths[0] * lengths[1])
        # Rounding may lead above 1.
        return np.where((lengths[0] == 0) & (lengths[1] == 0), 1.0, np.minimum(shared, 1.0))
