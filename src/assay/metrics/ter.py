"""TER, the translation edit rate (Snover et al., 2006): edits, one of which may be the move of a whole block."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from assay import kernels
from assay.metrics.base import BestReference, Counter, Metric, Rows, Scores, ratio
from assay.metrics.bleu import SACREBLEU_VERSION
from assay.text.batch import Batch
from assay.text.recipe import Lowercase, Recipe, Spelling

if TYPE_CHECKING:
    from assay.metrics.pictures import EditScript

#: Products of two lengths above this take too much memory; such a segment is a file without line ends.
_LARGEST_TABLE = 1e8


@dataclass(frozen=True, kw_only=True)
class TranslationEdits(BestReference):
    """What TER and HTER share: the search for shifts and edits, ``TERcom``'s, and how they are counted.

    ``beam`` is how far above the best of its column a cell of the table may be; blocks that move have at most
    ``shift_size`` words, and their target is at most ``shift_distance`` words away.
    """

    higher_is_better: ClassVar[bool] = False
    rows_version: ClassVar[int] = 2

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
                edits = kernels.translation_edits(batch.translations, reference, self._limits, batch.threads)
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
    def _limits(self) -> tuple[int, int, int] | None:
        """Those of TERcom's search; None for sacreBLEU's."""
        return self.beam, self.shift_distance, self.shift_size

    def score(self, rows: Rows) -> Scores:
        edits, length = rows[..., :4].sum(axis=-1), rows[..., 5]
        # Words where none were wanted: all wrong, and no more than that.
        return np.where(length > 0, 100.0 * ratio(edits, length), np.where(edits > 0, 100.0, 0.0))

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        named = {name: rows[..., index] for index, name in enumerate(self.columns)}
        bounded = named.pop("bounded")
        return {"edits": rows[..., :4].sum(axis=-1), **named, "bounded_segments": bounded}

    def bounded(self, rows: Rows) -> Sequence[int]:
        return [int(segment) for segment in np.flatnonzero(rows[:, 7])]

    def remarks(self, rows: Rows) -> Sequence[str]:
        cut = self.bounded(rows)
        if not cut:
            return ()
        which = ", ".join(map(str, cut[:10])) + (f" and {len(cut) - 10} more" if len(cut) > 10 else "")
        return (
            f"{self.name} gave up looking for further shifts in {len(cut)} of {len(rows)} segments ({which}): they are "
            "too long and repeat too many words. The rate may be too high there, and differ from TERcom's. Are line "
            "ends missing?",
        )

    def picture(self, batch: Batch) -> EditScript:
        from assay.metrics.pictures import edit_script

        best = int(self.best(batch)[0])
        return edit_script(
            batch, best, lambda ours, theirs: kernels.translation_edit_script(ours, theirs, self._limits)
        )


@dataclass(frozen=True, kw_only=True)
class Ter(TranslationEdits):
    """0 is perfect, as TERcom computes it; above 100 there are more edits than words.

    ``beam`` is how far above the best of its column a cell of the table may be; blocks that move have at most
    ``shift_size`` words, and their target is at most ``shift_distance`` words away. ``convention="sacrebleu"`` is the
    search of sacreBLEU, whose limits are fixed, over words as it splits them: at any white space.
    """

    name: ClassVar[str] = "ter"
    label: ClassVar[str] = "TER"
    summary: ClassVar[str] = "insertions, deletions, substitutions and shifts of blocks, per reference word"

    convention: Literal["tercom", "sacrebleu"] = field(default="tercom", metadata={"later": True})

    def check(self) -> None:
        super().check()
        if self.convention == "sacrebleu":
            for limit in ("beam", "shift_distance", "shift_size"):
                default = getattr(Ter, limit)
                wanted = f"{default} alone under sacreBLEU's convention, whose search has limits of its own"
                self.require(getattr(self, limit) == default, limit, wanted)

    @property
    def resolved(self) -> Ter:
        return replace(self, tokenize=self.recipe.tokenize)

    @property
    def recipe(self) -> Recipe:
        """Words between ASCII's white space, in sacreBLEU between Unicode's, unless a tokenizer is asked for."""
        recipe = super().recipe
        by_default = self.convention == "sacrebleu" and self.tokenize == Ter.tokenize
        return replace(recipe, tokenize="none") if by_default else recipe

    def counter(self, batch: Batch) -> Counter:
        return super().counter(self._prepared(batch))

    def picture(self, batch: Batch) -> EditScript:
        return super().picture(self._prepared(batch))

    def _prepared(self, batch: Batch) -> Batch:
        """The batch as sacreBLEU compares it: it prepares references twice, and translations once."""
        spelling = Spelling.parse(self.tokenize)
        if self.convention != "sacrebleu" or spelling.tokenizer.name != "tercom-sacrebleu":
            return batch
        twice = ":".join(("tercom-sacrebleu-twice", *filter(None, ["+".join(spelling.options)])))
        return replace(batch, reference_recipe=replace(batch.recipe, tokenize=twice))

    @property
    def _limits(self) -> tuple[int, int, int] | None:
        return None if self.convention == "sacrebleu" else super()._limits

    def reference_length(self, batch: Batch) -> Scores:
        return batch.mean_reference_length()

    def bounded(self, rows: Rows) -> Sequence[int]:
        # Where sacreBLEU stops looking for shifts, its number is the one that was asked for.
        return () if self.convention == "sacrebleu" else super().bounded(rows)

    def sacrebleu_signature(self, references: int) -> str | None:
        plain = type(self)(convention="sacrebleu", lowercase=self.lowercase, tokenize=self.tokenize)
        spelling = Spelling.parse(self.recipe.tokenize)
        named = spelling.tokenizer.name == "tercom-sacrebleu" or self.recipe.tokenize == "none"
        if self != plain or self.lowercase == "ascii" or not named:
            return None
        case = "lc" if self.lowercase else "mixed"
        asked = {option: "yes" if option in spelling.options else "no" for option in ("normalize", "asian")}
        punctuation = "no" if "no-punctuation" in spelling.options else "yes"
        settings = f"tok:tercom|norm:{asked['normalize']}|punct:{punctuation}|asian:{asked['asian']}"
        return f"TER|nrefs:{references}|case:{case}|{settings}|version:{SACREBLEU_VERSION}"
