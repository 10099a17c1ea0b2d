"""NIST (Doddington, 2002): n-gram matches weighted by how much information they carry."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from assay import kernels
from assay.errors import ParameterError
from assay.metrics.base import Rows, Scores, ratio
from assay.metrics.ngrams import ORDERS, NgramRows
from assay.text.batch import Batch, batch_of
from assay.text.recipe import Recipe

if TYPE_CHECKING:
    from assay.metrics.pictures import NgramMatches, Words

#: Makes the length penalty one half where a translation has two thirds of the references' length.
_BETA = math.log(2.0) / math.log(1.5) ** 2


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


@dataclass(frozen=True, kw_only=True)
class Nist(NgramRows):
    """In NIST's own unit: bits per n-gram, summed over orders; around 5 to 12 for good systems.

    Information weights come from all references of the test set, at every level. ``zero_quirk`` keeps mteval's
    treatment of the word ``0``, which as a history counts as empty.
    """

    name: ClassVar[str] = "nist"
    label: ClassVar[str] = "NIST"
    summary: ClassVar[str] = "n-gram matches weighted by their information"

    found: ClassVar[str] = "information"

    order: int = field(default=5, metadata=ORDERS)
    zero_quirk: bool = True
    information: ReferenceSurvey | None = field(default=None, repr=False, compare=False)
    fitted_on: tuple[str, ...] | None = field(default=None, repr=False)  # type: ignore[misc]

    @property
    def needs_survey(self) -> bool:
        return self.information is None

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

    def picture(self, batch: Batch) -> NgramMatches:
        from assay.metrics.pictures import ngram_picture

        return ngram_picture(batch, range(1, self.order + 1), weigh=self._information_of)

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
        information = self._information(rows)
        return {f"information_{n + 1}": information[..., n] for n in range(self.order)} | {
            "length_penalty": self.length_penalty(rows),
            "translation_length": rows[..., 0],
            "reference_length": rows[..., 1],
        }
