"""TER, the translation edit rate (Snover et al., 2006): edits, one of which may be the move of a whole block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assay import kernels
from assay.metrics.base import Counter, Metric, Rows, Scores, best_of, ratio
from assay.metrics.bleu import SACREBLEU_VERSION
from assay.metrics.limits import refuse_endless
from assay.metrics.registry import register
from assay.text.batch import Batch
from assay.text.recipe import Lowercase

if TYPE_CHECKING:
    from assay.metrics.pictures import EditScript

#: Products of two lengths above this take too much memory; such a segment is a file without line ends.
LARGEST_TABLE = 1e8


@dataclass(frozen=True, kw_only=True)
class TranslationEdits(Metric):
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

    def edited(self, batch: Batch, references: Sequence[int]) -> tuple[Rows, Sequence[int]]:
        """Counts, the length of the reference with the fewest edits, and which it is; the first of several counts."""
        refuse_endless(batch, self.name, LARGEST_TABLE)
        candidates = np.stack(
            [
                kernels.translation_edits(
                    batch.translations.pair, batch.references[index].pair, *self._limits, batch.threads
                )
                for index in references
            ]
        )
        present = batch.present[list(references)]
        best = best_of(-candidates[..., :4].sum(axis=-1), present)
        segments = np.arange(len(batch))
        lengths = np.stack([batch.references[index].lengths() for index in references])[best, segments]
        # A search that was cut short may have missed the reference with the fewest edits.
        bounded = (candidates[..., 5] * present).max(axis=0)
        counts = np.column_stack([candidates[best, segments, :5], lengths, bounded])
        return counts, np.asarray(references)[best].tolist()

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

    def drawn(self, batch: Batch, references: Sequence[int]) -> EditScript:
        """The picture of the first segment against these references."""
        from assay.metrics.edit_scripts import edit_script, first_ids

        _, best = self.edited(batch, references)
        ids = first_ids(batch.translations), first_ids(batch.references[best[0]])
        return edit_script(batch, best[0], *kernels.translation_edit_script(*ids, *self._limits))


@register
@dataclass(frozen=True, kw_only=True)
class Ter(TranslationEdits):
    """0 is perfect, as TERcom computes it; above 100 there are more edits than words.

    ``beam`` is how far above the best of its column a cell of the table may be; blocks that move have at most
    ``shift_size`` words, and their target is at most ``shift_distance`` words away.
    """

    name: ClassVar[str] = "ter"
    label: ClassVar[str] = "TER"
    summary: ClassVar[str] = "insertions, deletions, substitutions and shifts of blocks, per reference word"

    def count(self, batch: Batch) -> Rows:
        counts, _ = self.edited(batch, range(len(batch.references)))
        return np.insert(counts, 5, batch.mean_reference_length(), axis=1)

    def counter(self, batch: Batch) -> Counter:
        each = np.stack([self.edited(batch, [index])[0] for index in range(len(batch.references))])
        edits, segments = each[..., :4].sum(axis=-1), np.arange(len(batch))

        def count(references: Sequence[int]) -> Rows:
            chosen = np.asarray(references)
            present = batch.present[chosen]
            rows = each[chosen[best_of(-edits[chosen], present)], segments]
            rows[:, 6] = (each[chosen, :, 6] * present).max(axis=0)
            return np.insert(rows, 5, batch.against(references).mean_reference_length(), axis=1)

        return count

    def picture(self, batch: Batch) -> EditScript:
        return self.drawn(batch, range(len(batch.references)))

    def sacrebleu_signature(self, references: int) -> str | None:
        # It splits at any white space, as ``none`` does. With ``normalized`` it prepares references twice and
        # translations once, which is no setting of ours.
        plain = type(self)(lowercase=self.lowercase, tokenize="none")
        if self != plain or self.lowercase == "ascii":
            return None
        case = "lc" if self.lowercase else "mixed"
        settings = "tok:tercom|norm:no|punct:yes|asian:no"
        return f"TER|nrefs:{references}|case:{case}|{settings}|version:{SACREBLEU_VERSION}"
