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
from assay.text.word_weights import DocumentFrequencies

if TYPE_CHECKING:
    from assay.metrics.pictures import NgramMatches

_Ids = NDArray[np.uint64]


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
    frequencies: DocumentFrequencies | None = field(default=None, repr=False, compare=False)
    fitted_on: tuple[str, ...] | None = field(default=None, repr=False)  # type: ignore[misc]

    @property
    def columns(self) -> tuple[str, ...]:
        return ("cosine", "segments")

    @property
    def needs_survey(self) -> bool:
        return self.frequencies is None

    def survey(self, batch: Batch) -> DocumentFrequencies:
        return DocumentFrequencies.of(batch.references, batch.present)

    def fit(self, survey: DocumentFrequencies, fitted_on: tuple[str, ...]) -> Self:
        return replace(self, frequencies=survey, fitted_on=fitted_on)

    def influence(self, batch: Batch, members: Codes, units: int) -> Influence:
        """What each unit's own rows are: how rare words are is taken as it is."""
        return lambda rows, _, of: sums_of_units(rows, of, units)

    def count_each(self, batch: Batch) -> list[Rows]:
        if self.frequencies is None:
            raise ParameterError("cosine counts only after a survey of all references; use evaluate().")
        sides = [batch.translations, *batch.references]
        words = np.unique(np.concatenate([side.ids for side in sides]))
        rarity = self.frequencies.idf().of(words)
        translations, *references = (_Vectors.of(side, words, rarity) for side in sides)
        return [
            np.column_stack([100.0 * translations.cosines(reference), np.ones(len(batch))]) for reference in references
        ]

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
        width, size = max(len(words), 1), len(side.offsets) - 1
        segments = np.repeat(np.arange(size), np.diff(side.offsets))
        places, counts = np.unique(segments * width + np.searchsorted(words, side.ids), return_counts=True)
        return cls(places, places // width, counts * rarity[places % width], size)

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
