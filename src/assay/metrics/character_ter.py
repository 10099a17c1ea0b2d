"""CharacTER (Wang et al., 2016): edits over characters, once blocks of words have moved to where they belong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from assay import kernels
from assay.metrics.base import Rows, ratio
from assay.metrics.segment_means import BestSegmentMean
from assay.text.batch import Batch
from assay.text.recipe import Sequences

#: Products of two lengths above this take more than seconds; such a segment is a file without line ends.
_LARGEST_TABLE = 4e6


@dataclass(frozen=True, kw_only=True)
class CharacterTer(BestSegmentMean):
    """0 is perfect and 100 the worst: edits and shifts per character of the translation, as CharacTER.py has them."""

    name: ClassVar[str] = "character-ter"
    label: ClassVar[str] = "CharacTER"
    summary: ClassVar[str] = "character edits after shifts of words, per character of the translation"
    higher_is_better: ClassVar[bool] = False
    measured: ClassVar[tuple[str, ...]] = ("rate", "edits", "shift_cost", "translation_characters")

    tokenize: str = "none"

    @property
    def bounds(self) -> tuple[float, float]:
        return 0.0, 100.0

    def count_each(self, batch: Batch) -> list[Rows]:
        self.refuse_endless(batch, _LARGEST_TABLE)
        return super().count_each(batch)

    def against(self, batch: Batch, number: int, reference: Sequences) -> Rows:
        # The characters of all words, and where each word ends among them.
        characters, lengths = (batch.under(replace(batch.recipe, unit=unit)) for unit in ("character", "length"))
        edits, shifts, ours = kernels.character_edits(
            (characters.translations, lengths.translations),
            (characters.references[number], lengths.references[number]),
            batch.threads,
        ).T
        # Of nothing no character is right, unless nothing is wanted.
        rate = np.where(ours > 0, np.minimum(ratio(edits + shifts, ours), 1.0), np.minimum(edits, 1.0))
        return self.rows(rate, edits, shifts, ours)
