"""ROUGE (Lin, 2004): n-grams, subsequences or pairs of words that translation and references share, as ROUGE-1.5.5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.errors import InputError
from assay.metrics.base import Counter, Rows, Scores, best_of, ratio
from assay.metrics.blanc import EFFORT, skip_ngrams
from assay.metrics.segment_means import SegmentMean
from assay.text.batch import Batch
from assay.text.recipe import Lowercase, Sequences

if TYPE_CHECKING:
    from assay.metrics.pictures import NgramMatches

#: Products of two lengths above this take more than seconds; such a segment is a file without line ends.
_LARGEST_TABLE = 1e9
#: Which variants have which options.
_OPTIONS = {"order": ("n",), "skip": ("s", "su"), "weight": ("w",)}


@dataclass(frozen=True, kw_only=True)
class Rouge(SegmentMean):
    """0 to 100, as ROUGE-1.5.5 computes it, a segment being one sentence.

    ``variant`` says what is counted: ``n`` n-grams of ``order`` words, ``l`` the longest common subsequence, ``w`` the
    same with runs of n words that count n to the power of ``weight``, ``s`` pairs of words with at most ``skip`` words
    between them, ``su`` such pairs and single words. ``measure`` is what the score is; ``alpha`` is what precision
    weighs in the F-measure. Of several references all count, or the one with the best recall.
    """

    name: ClassVar[str] = "rouge"
    label: ClassVar[str] = "ROUGE"
    summary: ClassVar[str] = "n-grams, subsequences or pairs of words in common: ROUGE-N, L, W, S and SU"
    measured: ClassVar[tuple[str, ...]] = ("score", "precision", "recall", "f")
    shares: ClassVar[tuple[str, ...]] = ("precision", "recall", "f")

    variant: Literal["n", "l", "w", "s", "su"] = "n"
    order: int = 1
    skip: int | None = 4
    weight: float = 1.2
    measure: Literal["f", "precision", "recall"] = "f"
    alpha: float = 0.5
    references: Literal["average", "best"] = "average"
    lowercase: Lowercase = True
    tokenize: str = "ascii-words"

    def check(self) -> None:
        self.require(1 <= self.order <= 64, "order", "a whole number from 1 to 64")
        self.require(self.skip is None or 0 <= self.skip <= 10**6, "skip", "none, or a whole number from 0 to 10^6")
        self.require(0.0 < self.weight <= 100.0, "weight", "a number above 0, at most 100")
        self.require(0.0 <= self.alpha <= 1.0, "alpha", "a number from 0 (recall alone) to 1 (precision alone)")
        for option, variants in _OPTIONS.items():
            default = getattr(Rouge, option)
            known = " or ".join(f"variant={variant}" for variant in variants)
            sound = self.variant in variants or getattr(self, option) == default
            self.require(sound, option, f"no other value than {default} unless there is {known}")

    def count(self, batch: Batch) -> Rows:
        return self.counter(batch)(range(len(batch.references)))

    def counter(self, batch: Batch) -> Counter:
        self.refuse_endless(batch, _LARGEST_TABLE)
        each = np.stack([self._counts(batch, reference) for reference in batch.references])

        def count(references: Sequence[int]) -> Rows:
            chosen = list(references)
            return self._measures(*self._joined(each[chosen], batch.present[chosen]).T)

        return count

    def _joined(self, each: Rows, present: NDArray[np.bool_]) -> Rows:
        """Common, the translation's and the references' numbers of each segment: of all references, or of the best."""
        if self.references == "best":
            best: Rows = each[self._best(each, present), np.arange(each.shape[1])]
            return best
        summed: Rows = np.where(present[..., None], each, 0.0).sum(axis=0)
        return summed

    def _best(self, each: Rows, present: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Which reference has the best recall."""
        recall = ratio(each[..., 0], each[..., 3])
        if self.variant not in ("l", "w"):
            # The program prints recalls of n-grams and pairs with five digits before it compares them.
            recall = np.round(recall, 5)
        # Of the others those are equal that differ by rounding alone: the first of them counts.
        return best_of(recall, present)

    def _measures(self, common: Scores, ours: Scores, theirs: Scores, _: Scores) -> Rows:
        root = 1.0 / self.weight if self.variant == "w" else 1.0
        precision, recall = ratio(common, ours) ** root, ratio(common, theirs) ** root
        f = ratio(precision * recall, (1.0 - self.alpha) * precision + self.alpha * recall)
        score = {"f": f, "precision": precision, "recall": recall}[self.measure]
        return self.rows(score, precision, recall, f)

    def _counts(self, batch: Batch, reference: Sequences) -> Rows:
        """What both sides have in common, what each has, and what the program compares references by."""
        ours, theirs = batch.translations.lengths(), reference.lengths()
        compared = None
        if self.variant == "n":
            common = self._ngrams(batch.translations, reference, self.order, batch.threads)
            ours, theirs = (np.maximum(lengths - self.order + 1.0, 0.0) for lengths in (ours, theirs))
        elif self.variant == "l":
            common = kernels.common_subsequences(batch.translations, reference, 1.0, batch.threads)[:, 0]
        elif self.variant == "w":
            common = kernels.common_subsequences(batch.translations, reference, self.weight, batch.threads)[:, 0]
            # The program raises the reference's length to the power twice, but not where it compares references.
            ours, theirs, compared = ours**self.weight, theirs ** (self.weight**2), theirs**self.weight
        else:
            common = self._pairs(batch, reference)
            single = [np.maximum(lengths - 1.0, 0.0) for lengths in (ours, theirs)]
            ours, theirs = (skip_ngrams(lengths, 2, self.skip) for lengths in (ours, theirs))
            if self.variant == "su":
                # The last word of a text is not counted as a single one: so it is in the program.
                sides = _without_last(batch.translations), _without_last(reference)
                common = common + self._ngrams(*sides, 1, batch.threads)
                ours, theirs = ours + single[0], theirs + single[1]
        return np.column_stack([common, ours, theirs, theirs if compared is None else compared])

    @staticmethod
    def _ngrams(translations: Sequences, reference: Sequences, order: int, threads: int) -> Scores:
        alone = np.ones((1, len(translations.offsets) - 1), dtype=np.bool_)
        matches: Scores = kernels.clipped_matches(translations, [reference], alone, order, threads)[:, order - 1]
        return matches

    def _pairs(self, batch: Batch, reference: Sequences) -> Scores:
        gaps = [0 if self.skip is None else self.skip]
        rows = kernels.common_skip_ngrams(
            batch.translations, reference, 2, gaps, self.skip is None, EFFORT, batch.threads
        )
        if np.isnan(rows[:, 0]).any():
            raise InputError(
                f"{self.name}: a segment has too many pairs of words to compare. Is the file missing its line ends? "
                "Otherwise choose a smaller skip, such as skip=4."
            )
        pairs: Scores = rows[:, 1:].sum(axis=1)
        return pairs

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        return {name: part for name, part in super().parts(rows).items() if name != self.measure}

    def picture(self, batch: Batch) -> NgramMatches | None:
        """The n-grams in common, where those are what counts and one reference does."""
        from assay.metrics.pictures import ngram_picture

        if self.variant != "n" or (self.references == "average" and int(batch.present[:, 0].sum()) > 1):
            return None
        each = np.stack([self._counts(batch, reference) for reference in batch.references])
        return ngram_picture(batch, [self.order], best=int(self._best(each, batch.present)[0]))


def _without_last(side: Sequences) -> Sequences:
    """Each segment without its last word."""
    kept = np.ones(len(side.ids), dtype=np.bool_)
    lengths = np.diff(side.offsets)
    kept[side.offsets[1:][lengths > 0] - 1] = False
    return Sequences(side.ids[kept], np.concatenate([[0], np.cumsum(np.maximum(lengths - 1, 0))]))
