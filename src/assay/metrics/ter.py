"""TER, the translation edit rate (Snover et al., 2006): edits, one of which may be the move of a whole block."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assay import kernels
from assay.metrics.base import BestReference, Metric, Rows, Scores, ratio
from assay.metrics.bleu import SACREBLEU_VERSION
from assay.text.batch import Batch
from assay.text.recipe import Lowercase

if TYPE_CHECKING:
    from assay.metrics.pictures import EditScript

#: Products of two lengths above this take too much memory; such a segment is a file without line ends.
_LARGEST_TABLE = 1e8


@dataclass(frozen=True, kw_only=True)
class TranslationEdits(BestReference):
    """What TER and HTER share: ``TERcom``'s search for shifts and edits, and how they are counted.

    ``beam`` is how far above the best of its column a cell of the table may be; blocks that move have at most
    ``shift_size`` words, and their target is at most ``shift_distance`` words away.
    """

    higher_is_better: ClassVar[bool] = False

    beam: int = 20
    shift_distance: int = 50
    shift_size: int = 10
    lowercase: Lowercase = True
    tokenize: str = "none:ascii"

    def check(self) -> None:
        self.require(1 <= self.beam <= 1_000_000, "beam", "a whole number from 1 to 1000000 (TERcom's is 20)")
        limits = "a whole number from 0 to 1000000"
        self.require(0 <= self.shift_distance <= 1_000_000, "shift_distance", f"{limits} (TERcom's is 50)")
        self.require(0 <= self.shift_size <= 1_000_000, "shift_size", f"{limits} (TERcom's is 10)")

    @property
    def columns(self) -> tuple[str, ...]:
        return (
            *("insertions", "deletions", "substitutions", "shifts", "words_shifted"),
            *("reference_length", "chosen_length", "bounded"),
        )

    #: Which reference counts is no matter of the formula, so there is nothing to choose.
    candidates = Metric.candidates

    def count_each(self, batch: Batch) -> list[Rows]:
        """What stands where lengths belong is the reference's own, until all references are known."""
        self.refuse_endless(batch, _LARGEST_TABLE)
        rows = []
        for reference, there in zip(batch.references, self.eligible(batch), strict=True):
            lengths = reference.lengths()
            edits = np.zeros((len(batch), 6))
            if there.any():
                edits = kernels.translation_edits(batch.translations, reference, *self._limits, batch.threads)
            rows.append(np.column_stack([edits[:, :5], lengths, lengths, edits[:, 5]]))
        return rows

    def compared_by(self, each: Rows) -> Scores:
        """The reference with the fewest edits counts, the first of several."""
        edits: Scores = each[..., :4].sum(axis=-1)
        return edits

    def complete(self, rows: Rows, each: Rows, batch: Batch, references: Sequence[int]) -> Rows:
        chosen = batch.against(references)
        rows[:, 5] = self.reference_length(chosen)
        # A search that was cut short may have missed the reference with the fewest edits.
        rows[:, 7] = (each[..., 7] * chosen.present).max(axis=0)
        return rows

    @abstractmethod
    def reference_length(self, batch: Batch) -> Scores:
        """What the edits of each segment are divided by."""

    @property
    def _limits(self) -> tuple[int, int, int]:
        return self.beam, self.shift_distance, self.shift_size

    def score(self, rows: Rows) -> Scores:
        edits, length = rows[..., :4].sum(axis=-1), rows[..., 5]
        # Words where none were wanted: all wrong, and no more than that.
        return np.where(length > 0, 100.0 * ratio(edits, length), np.where(edits > 0, 100.0, 0.0))

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        named = {name: rows[..., index] for index, name in enumerate(self.columns)}
        bounded = named.pop("bounded")
        return {"edits": rows[..., :4].sum(axis=-1), **named, "bounded_segments": bounded}

    def remarks(self, rows: Rows) -> Sequence[str]:
        cut = int(rows[:, 7].sum())
        if not cut:
            return ()
        first = int(rows[:, 7].argmax())
        return (
            f"{self.name} gave up looking for further shifts in {cut} of {len(rows)} segments, the first is segment "
            f"{first}: they are too long and repeat too many words. The rate may be too high there. Are line ends "
            "missing?",
        )

    def picture(self, batch: Batch) -> EditScript:
        from assay.metrics.pictures import edit_script

        best = int(self.best(batch)[0])
        return edit_script(
            batch, best, lambda ours, theirs: kernels.translation_edit_script(ours, theirs, *self._limits)
        )


@dataclass(frozen=True, kw_only=True)
class Ter(TranslationEdits):
    """0 is perfect, as TERcom computes it; above 100 there are more edits than words.

    ``beam`` is how far above the best of its column a cell of the table may be; blocks that move have at most
    ``shift_size`` words, and their target is at most ``shift_distance`` words away.
    """

    name: ClassVar[str] = "ter"
    label: ClassVar[str] = "TER"
    summary: ClassVar[str] = "insertions, deletions, substitutions and shifts of blocks, per reference word"

    def reference_length(self, batch: Batch) -> Scores:
        return batch.mean_reference_length()

    def sacrebleu_signature(self, references: int) -> str | None:
        # It splits at any white space, as ``none`` does. With ``normalized`` it prepares references twice and
        # translations once, which is no setting of ours.
        plain = type(self)(lowercase=self.lowercase, tokenize="none")
        if self != plain or self.lowercase == "ascii":
            return None
        case = "lc" if self.lowercase else "mixed"
        settings = "tok:tercom|norm:no|punct:yes|asian:no"
        return f"TER|nrefs:{references}|case:{case}|{settings}|version:{SACREBLEU_VERSION}"
