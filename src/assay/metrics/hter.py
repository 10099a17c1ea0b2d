"""HTER (Snover et al., 2006): TER against targeted references, in which people corrected the translation itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.metrics.base import Rows, Scores, ratio
from assay.metrics.ter import TranslationEdits
from assay.text.batch import Batch


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

    def eligible(self, batch: Batch) -> NDArray[np.bool_]:
        if not any(batch.targeted):
            raise InputError(
                "hter: no reference is targeted, that is, a human post-edit of these translations. "
                "Give one: Corpus(targeted=[lines])."
            )
        return np.asarray(batch.present & np.array(batch.targeted)[:, None])

    def reference_length(self, batch: Batch) -> Scores:
        lengths, targeted = batch.reference_lengths(), self.eligible(batch)
        # An empty line is a reference that nobody wrote, not a sentence of no words.
        others = batch.present & ~targeted & (lengths > 0)
        return np.where(others.any(axis=0), _mean(lengths, others), _mean(lengths, targeted))

    def remarks(self, rows: Rows) -> Sequence[str]:
        empty = (rows[:, 6] == 0) & (rows[:, 0] > 0)
        if not empty.any():
            return super().remarks(rows)
        return (
            f"hter: {int(empty.sum())} of {len(rows)} segments have an empty post-edit, the first is segment "
            f"{int(empty.argmax())}. Every word of their translations counts as one too many.",
            *super().remarks(rows),
        )


def _mean(lengths: Rows, there: NDArray[np.bool_]) -> Scores:
    return ratio(np.where(there, lengths, 0.0).sum(axis=0), there.sum(axis=0, dtype=np.float64))
