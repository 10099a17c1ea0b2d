"""WER and CER: edit distance to the closest reference, per reference word (Nießen et al., 2000) or character.

One family in one file: the two differ in what they count edits of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assay import kernels
from assay.metrics.base import BestReference, Rows, Scores, ratio
from assay.text.batch import Batch
from assay.text.recipe import Recipe, Unit

if TYPE_CHECKING:
    from assay.metrics.pictures import EditScript

#: Products of two lengths above this take more than seconds, in which no interrupt is heard; such a segment is a
#: file without line ends.
_LARGEST_TABLE = 1e10


@dataclass(frozen=True, kw_only=True)
class _EditRate(BestReference):
    """Substitutions, deletions and insertions per unit of the reference with the lowest rate."""

    higher_is_better: ClassVar[bool] = False

    @property
    def columns(self) -> tuple[str, ...]:
        return ("hits", "substitutions", "deletions", "insertions")

    def count_each(self, batch: Batch) -> list[Rows]:
        self.refuse_endless(batch, _LARGEST_TABLE)
        return [kernels.edit_operations(batch.translations, reference, batch.threads) for reference in batch.references]

    def picture(self, batch: Batch) -> EditScript:
        from assay.metrics.pictures import edit_script

        return edit_script(
            batch, int(self.best(batch)[0]), lambda ours, theirs: (kernels.edit_script(ours, theirs), ())
        )

    def score(self, rows: Rows) -> Scores:
        errors = rows[..., 1] + rows[..., 2] + rows[..., 3]
        # Against an empty reference the rate is the number of words too many, as in jiwer.
        return 100.0 * errors / np.maximum(rows[..., 0] + rows[..., 1] + rows[..., 2], 1.0)

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        """The operations, and what jiwer calls MER (match error rate), WIP and WIL (information preserved, lost)."""
        hits = rows[..., 0]
        reference = rows[..., 0] + rows[..., 1] + rows[..., 2]
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


@dataclass(frozen=True, kw_only=True)
class Wer(_EditRate):
    """0 is perfect; above 100 there are more errors than words."""

    name: ClassVar[str] = "wer"
    label: ClassVar[str] = "WER"
    summary: ClassVar[str] = "word insertions, deletions and substitutions per reference word"

    tokenize: str = "none:ascii"


@dataclass(frozen=True, kw_only=True)
class Cer(_EditRate):
    """0 is perfect; spaces between words count as characters, those at the ends of a segment do not.

    With ``collapse_whitespace`` every run of white space, of whatever characters, counts as one plain space.
    """

    name: ClassVar[str] = "cer"
    label: ClassVar[str] = "CER"
    summary: ClassVar[str] = "character insertions, deletions and substitutions per reference character"
    unit: ClassVar[Unit] = "text"

    collapse_whitespace: bool = field(default=False, metadata={"later": True})

    @property
    def recipe(self) -> Recipe:
        return replace(super().recipe, unit="spaced") if self.collapse_whitespace else super().recipe
