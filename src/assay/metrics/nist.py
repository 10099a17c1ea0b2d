"""NIST (Doddington, 2002): n-gram matches weighted by how much information they carry."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.arrays import Array, Codes, Flags
from assay.errors import ParameterError
from assay.metrics.base import Influence, Rows, Scores, ratio, sums_of_units
from assay.metrics.ngrams import ORDERS, NgramRows
from assay.text.batch import Batch, batch_of
from assay.text.recipe import Recipe, Sequences

if TYPE_CHECKING:
    from assay.metrics.pictures import NgramMatches, Words

#: Makes the length penalty one half where a translation has two thirds of the references' length.
_BETA = math.log(2.0) / math.log(1.5) ** 2
#: References with more n-grams than that are too large to be taken apart by unit; 10 million take some seconds.
_MOST_NGRAMS = 10_000_000

#: The segment of each match, its length less one, the n-gram, and its history.
_Matches = tuple[Codes, Codes, NDArray[np.uint64], NDArray[np.uint64]]


class ReferenceSurvey:
    """How often each n-gram stands in the references; surveys of shards add up, and can be repeated."""

    def __init__(self, counts: kernels.Survey) -> None:
        self.counts = counts

    def __add__(self, other: ReferenceSurvey) -> ReferenceSurvey:
        both = kernels.Survey()
        both.merge(self.counts)
        both.merge(other.counts)
        return ReferenceSurvey(both)

    def __iadd__(self, other: ReferenceSurvey) -> ReferenceSurvey:
        self.counts.merge(other.counts)
        return self

    def __mul__(self, times: int) -> ReferenceSurvey:
        keys, counts, words = self.counts.arrays()
        return _rebuild(keys, counts * np.uint64(times), words * times) if times else ReferenceSurvey(kernels.Survey())

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, self.counts.arrays()


def _rebuild(keys: Any, counts: Any, words: int) -> ReferenceSurvey:
    return ReferenceSurvey(kernels.Survey.from_arrays(keys, counts, words))


def _counts(cells: Codes, table: Array) -> Array:
    """How often each cell of a table is named."""
    return np.bincount(cells, minlength=table.size).reshape(table.shape).astype(np.float64)


@dataclass(frozen=True, eq=False)
class _Cells:
    """The n-grams that the references of each unit have: a cell for each of them."""

    #: All n-grams, sorted; the empty one is counted once for each word.
    vocabulary: NDArray[np.uint64]
    #: The number of the unit times the size of the vocabulary plus that of the n-gram, sorted; and both numbers.
    keys: Codes
    units: Codes
    ngrams: Codes
    #: By how much the logarithm of the n-gram's count changes if the unit is left out.
    change: Array

    @classmethod
    def of(cls, nist: Nist, batch: Batch, members: Codes) -> _Cells:
        """Of all references of a batch, whose segments are ``members`` of units."""
        units, ngrams = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.uint64)]
        for reference, present in zip(batch.references, batch.present, strict=True):
            # Held against itself, a text has each of its n-grams for a match, as often as it stands there.
            found = nist._matches(reference, [reference], np.ascontiguousarray(present[None]))
            words = found[1] == 0
            units += [members[found[0]], members[found[0][words]]]
            ngrams += [found[2], found[3][words]]
        vocabulary, numbers = np.unique(np.concatenate(ngrams), return_inverse=True)
        keys, counts = np.unique(np.concatenate(units) * len(vocabulary) + numbers, return_counts=True)
        unit, ngram = np.divmod(keys, max(len(vocabulary), 1))
        total = np.bincount(ngram, weights=counts)[ngram]
        # Where none is left, no match of it is left either, so that any logarithm will do.
        return cls(vocabulary, keys, unit, ngram, np.log2(np.maximum(total - counts, 1.0)) - np.log2(total))


@dataclass(frozen=True, kw_only=True)
class Nist(NgramRows):
    """In NIST's own unit: bits per n-gram, summed over orders; around 5 to 12 for good systems.

    Information weights come from all references of the test set, at every level. ``zero_quirk`` keeps mteval's
    treatment of the word ``0``, which as a history counts as empty. With ``weights="none"`` every match counts 1 in
    place of its information: then the score is a sum of precisions, from 0 to ``order``, and depends on no other text.
    """

    name: ClassVar[str] = "nist"
    label: ClassVar[str] = "NIST"
    summary: ClassVar[str] = "n-gram matches weighted by their information"
    percent: ClassVar[bool] = False

    order: int = field(default=5, metadata=ORDERS)
    zero_quirk: bool = True
    weights: Literal["information", "none"] = field(default="information", metadata={"later": True})
    information: ReferenceSurvey | None = field(default=None, repr=False, compare=False)
    fitted_on: tuple[str, ...] | None = field(default=None, repr=False)  # type: ignore[misc]

    @property
    def bounds(self) -> tuple[float, float | None]:
        return 0.0, None if self.weights == "information" else float(self.order)

    @property
    def found(self) -> str:  # type: ignore[override]
        """What is found per order: bits, or matches."""
        return "information" if self.weights == "information" else "matches"

    @property
    def needs_survey(self) -> bool:
        return self.weights == "information" and self.information is None

    def survey(self, batch: Batch) -> ReferenceSurvey:
        counts = kernels.Survey()
        for reference, present in zip(batch.references, batch.present, strict=True):
            counts.add(*reference, np.ascontiguousarray(present), self.order)
        return ReferenceSurvey(counts)

    def fit(self, survey: ReferenceSurvey, fitted_on: tuple[str, ...]) -> Self:
        return replace(self, information=survey, fitted_on=fitted_on)

    def count(self, batch: Batch) -> Rows:
        return self.rows(batch, batch.mean_reference_length(), self._matched(batch))

    def _matched(self, batch: Batch) -> Rows:
        if self.weights == "none":
            return kernels.clipped_matches(
                batch.translations, batch.references, batch.present, self.order, batch.threads
            )
        if self.information is None:
            raise ParameterError("nist counts only after a survey of all references; use evaluate().")
        return kernels.matched_information(
            batch.translations,
            batch.references,
            batch.present,
            self.information.counts,
            self.order,
            self.zero_quirk,
            batch.threads,
        )

    def influence(self, batch: Batch, members: Codes, units: int) -> Influence | None:
        """All units at once: the information found is a sum over n-grams of logarithms of their counts.

        Each match of an n-gram brings the logarithm of its history's count less that of its own. So to leave out a unit
        is to leave out its matches, and to change the logarithms of the n-grams that its references have.
        """
        if sum(len(reference.ids) for reference in batch.references) * self.order > _MOST_NGRAMS:
            return None
        cells = _Cells.of(self, batch, members)

        def brought(rows: Rows, part: Batch, of: Codes) -> Rows:
            sums = sums_of_units(rows, of, units)
            segments, orders, ngrams, histories = self._matches(part.translations, part.references, part.present)
            # How often the logarithm of each count is added less how often it is taken away, by order: in all matches,
            # and in those of the unit.
            total, own = np.zeros((len(cells.vocabulary), self.order)), np.zeros((len(cells.keys), self.order))
            for sign, side in ((1.0, histories), (-1.0, ngrams)):
                numbers = np.searchsorted(cells.vocabulary, side)
                places = np.searchsorted(cells.keys, of[segments] * len(cells.vocabulary) + numbers)
                total += sign * _counts(numbers * self.order + orders, total)
                own += sign * _counts(places * self.order + orders, own)
            changed = (total[cells.ngrams] - own) * cells.change[:, None]
            for order in range(self.order):
                sums[:, 2 + order] -= np.bincount(cells.units, weights=changed[:, order], minlength=units)
            return sums

        return brought

    def _matches(self, translations: Sequences, references: Sequence[Sequences], present: Flags) -> _Matches:
        return kernels.matched_ngrams(translations, references, present, self.order, self.zero_quirk)

    def picture(self, batch: Batch) -> NgramMatches:
        from assay.metrics.pictures import ngram_picture

        weigh = self._information_of if self.weights == "information" else None
        return ngram_picture(batch, range(1, self.order + 1), weigh=weigh)

    def _information_of(self, ngrams: Sequence[Words]) -> Sequence[float]:
        """What a match of each n-gram is worth: all of one length."""
        if not ngrams:
            return []
        # An n-gram against itself has one match of its own length, and no word holds an ASCII space.
        alone = [" ".join(ngram) for ngram in ngrams]
        matched = self._matched(batch_of(alone, [alone], Recipe(tokenize="none:ascii")))
        worth: list[float] = matched[:, len(ngrams[0]) - 1].tolist()
        return worth

    def score(self, rows: Rows) -> Scores:
        total: Scores = self._information(rows).sum(axis=-1) * self.length_penalty(rows)
        return total

    def _information(self, rows: Rows) -> Rows:
        return ratio(*self.matches_and_totals(rows))

    def length_penalty(self, rows: Rows) -> Scores:
        """1 at the references' mean length and beyond, one half at two thirds of it."""
        length, reference = rows[..., 0], rows[..., 1]
        short = np.minimum(np.where(reference > 0, ratio(length, reference), 1.0), 1.0)
        logarithm = np.log(np.where(short > 0, short, 1.0))
        return np.where(short > 0, np.exp(-_BETA * logarithm**2), 0.0)

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        information, part = self._information(rows), "information" if self.weights == "information" else "precision"
        return {f"{part}_{n + 1}": information[..., n] for n in range(self.order)} | {
            "length_penalty": self.length_penalty(rows),
            "translation_length": rows[..., 0],
            "reference_length": rows[..., 1],
        }
