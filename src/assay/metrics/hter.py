"""HTER (Snover et al., 2006): TER against targeted references, in which people corrected the translation itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.metrics.base import Rows, Scores, ratio
from assay.metrics.registry import register
from assay.metrics.ter import TranslationEdits
from assay.text.batch import Batch

if TYPE_CHECKING:
    from assay.metrics.pictures import EditScript


@register
@dataclass(frozen=True, kw_only=True)
class Hter(TranslationEdits):
    """0 is perfect: nothing had to be corrected. Edits to the closest post-edit, per word of the untargeted references.

    Where there is no untargeted reference, or it is empty, lengths are those of the post-edits. ``beam``,
    ``shift_distance`` and ``shift_size`` are those of TER.
    """

    name: ClassVar[str] = "hter"
    label: ClassVar[str] = "HTER"
    summary: ClassVar[str] = "edits between a translation and its human post-edit, per reference word"
    sees_targeted: ClassVar[bool] = True

    def count(self, batch: Batch) -> Rows:
        targeted, others = self._kinds(batch)
        counts, _ = self.edited(batch, targeted)
        length = _mean_length(batch, targeted, batch.present[targeted])
        if others:
            # An empty line is a reference that nobody wrote, not a sentence of no words.
            there = batch.present[others] & (batch.reference_lengths()[others] > 0)
            length = np.where(there.any(axis=0), _mean_length(batch, others, there), length)
        return np.insert(counts, 5, length, axis=1)

    def picture(self, batch: Batch) -> EditScript:
        return self.drawn(batch, self._kinds(batch)[0])

    def _kinds(self, batch: Batch) -> tuple[list[int], list[int]]:
        """Which references are targeted, and which are not."""
        targeted = [index for index, flag in enumerate(batch.targeted) if flag]
        if not targeted:
            raise InputError(
                "hter: no reference is targeted, that is, a human post-edit of these translations. "
                "Give one: Corpus(targeted=[lines])."
            )
        return targeted, [index for index in range(len(batch.references)) if index not in targeted]

    def remarks(self, rows: Rows) -> Sequence[str]:
        empty = (rows[:, 6] == 0) & (rows[:, 0] > 0)
        if not empty.any():
            return super().remarks(rows)
        return (
            f"hter: {int(empty.sum())} of {len(rows)} segments have an empty post-edit, the first is segment "
            f"{int(empty.argmax())}. Every word of their translations counts as one too many.",
            *super().remarks(rows),
        )


def _mean_length(batch: Batch, references: Sequence[int], there: NDArray[np.bool_]) -> Scores:
    lengths = np.where(there, batch.reference_lengths()[list(references)], 0.0)
    return ratio(lengths.sum(axis=0), there.sum(axis=0, dtype=np.float64))
