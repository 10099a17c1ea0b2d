"""PER (Tillmann et al., 1997): word errors when word order is ignored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from assay.metrics.base import Counter, Metric, Rows, Scores, best_counter, rows_of_best
from assay.metrics.overlap import common_words
from assay.metrics.registry import register
from assay.text.batch import Batch

if TYPE_CHECKING:
    from assay.metrics.pictures import NgramMatches


@register
@dataclass(frozen=True, kw_only=True)
class Per(Metric):
    """Errors per reference word, against the reference with the lowest rate; 0 is perfect.

    ``surplus="segment"`` charges words too many where they stand. ``surplus="corpus"`` adds up lengths first, as Moses
    and PER.pl do, so that long segments make up for short ones.
    """

    name: ClassVar[str] = "per"
    label: ClassVar[str] = "PER"
    summary: ClassVar[str] = "word errors when word order is ignored"
    higher_is_better: ClassVar[bool] = False

    surplus: Literal["segment", "corpus"] = "segment"
    tokenize: str = "none:ascii"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matches", "translation_length", "reference_length", "errors")

    def count(self, batch: Batch) -> Rows:
        return rows_of_best(self, self._candidates(batch), batch)

    def counter(self, batch: Batch) -> Counter:
        return best_counter(self, self._candidates(batch), batch)

    def picture(self, batch: Batch) -> NgramMatches:
        from assay.metrics.ngram_picture import unigram_picture

        return unigram_picture(self, self._candidates(batch), batch)

    def _candidates(self, batch: Batch) -> list[Rows]:
        """Rows against each reference."""
        candidates = []
        for index in range(len(batch.references)):
            matches, translation, reference = common_words(batch, index)
            errors = np.maximum(translation, reference) - matches
            candidates.append(np.column_stack([matches, translation, reference, errors]))
        return candidates

    def score(self, rows: Rows) -> Scores:
        return 100.0 * self._errors(rows) / np.maximum(rows[..., 2], 1.0)

    def _errors(self, rows: Rows) -> Scores:
        if self.surplus == "segment":
            return rows[..., 3]
        # For a single segment this is its errors column; for a sum it is not.
        errors: Scores = np.maximum(rows[..., 1], rows[..., 2]) - rows[..., 0]
        return errors

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        return {
            "matches": rows[..., 0],
            "errors": self._errors(rows),
            "translation_length": rows[..., 1],
            "reference_length": rows[..., 2],
        }
