"""PER (Tillmann et al., 1997): word errors when word order is ignored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from assay.metrics.base import Rows, Scores
from assay.metrics.unigrams import WordMatches
from assay.text.batch import Batch


@dataclass(frozen=True, kw_only=True)
class Per(WordMatches):
    """Errors per reference word, against the reference with the lowest rate; 0 is perfect.

    ``surplus="segment"`` charges words too many where they stand. ``surplus="corpus"`` adds up lengths first, as Moses
    and PER.pl do, so that long segments make up for short ones.
    """

    name: ClassVar[str] = "per"
    label: ClassVar[str] = "PER"
    summary: ClassVar[str] = "word errors when word order is ignored"
    higher_is_better: ClassVar[bool] = False

    surplus: Literal["segment", "corpus"] = "segment"

    @property
    def columns(self) -> tuple[str, ...]:
        return (*super().columns, "errors")

    def count_each(self, batch: Batch) -> list[Rows]:
        return [
            np.column_stack([rows, np.maximum(rows[:, 1], rows[:, 2]) - rows[:, 0]])
            for rows in super().count_each(batch)
        ]

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
