"""What WER and CER share: edits per unit of the closest reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assay import kernels
from assay.metrics.base import Counter, Metric, Rows, Scores, best_counter, best_references, ratio, rows_of_best
from assay.metrics.limits import refuse_endless
from assay.text.batch import Batch

if TYPE_CHECKING:
    from assay.metrics.pictures import EditScript

#: Products of two lengths above this take more than seconds, in which no interrupt is heard; such a segment is a
#: file without line ends.
LARGEST_TABLE = 1e10


@dataclass(frozen=True, kw_only=True)
class EditRate(Metric):
    """Substitutions, deletions and insertions per unit of the reference with the lowest rate."""

    higher_is_better: ClassVar[bool] = False

    @property
    def columns(self) -> tuple[str, ...]:
        return ("hits", "substitutions", "deletions", "insertions")

    def count(self, batch: Batch) -> Rows:
        return rows_of_best(self, self._candidates(batch), batch)

    def counter(self, batch: Batch) -> Counter:
        return best_counter(self, self._candidates(batch), batch)

    def _candidates(self, batch: Batch) -> list[Rows]:
        """The rows against each reference."""
        refuse_endless(batch, self.name, LARGEST_TABLE, counted=self.counted)
        return [
            kernels.edit_operations(batch.translations.pair, reference.pair, batch.threads)
            for reference in batch.references
        ]

    def picture(self, batch: Batch) -> EditScript:
        from assay.metrics.edit_scripts import edit_script, first_ids

        best = int(best_references(self, self._candidates(batch), batch)[0])
        edits = kernels.edit_script(first_ids(batch.translations), first_ids(batch.references[best]))
        return edit_script(batch, best, edits)

    #: What is counted, for messages.
    counted: ClassVar[str] = "words"

    def score(self, rows: Rows) -> Scores:
        errors = rows[..., 1] + rows[..., 2] + rows[..., 3]
        # Against an empty reference the rate is the number of words too many, as in jiwer.
        return 100.0 * errors / np.maximum(self._reference_length(rows), 1.0)

    @staticmethod
    def _reference_length(rows: Rows) -> Scores:
        length: Scores = rows[..., 0] + rows[..., 1] + rows[..., 2]
        return length

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        """The operations, and what jiwer calls MER (match error rate), WIP and WIL (information preserved, lost)."""
        hits = rows[..., 0]
        reference = self._reference_length(rows)
        translation = rows[..., 0] + rows[..., 1] + rows[..., 3]
        preserved = np.where(
            (reference == 0) & (translation == 0), 1.0, ratio(hits, reference) * ratio(hits, translation)
        )
        return {
            "hits": hits,
            "substitutions": rows[..., 1],
            "deletions": rows[..., 2],
            "insertions": rows[..., 3],
            "match_error_rate": 100.0 * ratio(rows[..., 1:].sum(axis=-1), rows.sum(axis=-1)),
            "information_preserved": 100.0 * preserved,
            "information_lost": 100.0 * (1.0 - preserved),
            "reference_length": reference,
        }
