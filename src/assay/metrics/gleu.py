"""GLEU (Wu et al., 2016), Google's BLEU: the smaller one of n-gram precision and recall."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.metrics.base import BestReference, Metric, Rows, Scores, best_of, ratio
from assay.text.batch import Batch
from assay.text.recipe import Sequences

if TYPE_CHECKING:
    from assay.metrics.pictures import NgramMatches


@dataclass(frozen=True, kw_only=True)
class Gleu(BestReference):
    """0 to 100, as NLTK computes it, with n-grams of ``min_len`` to ``max_len`` words.

    Of several references the one with the best segment score counts. Matches are added over the corpus, and so are the
    n-grams of whichever side has more of them in a segment.
    """

    name: ClassVar[str] = "gleu"
    label: ClassVar[str] = "GLEU"
    summary: ClassVar[str] = "the smaller one of n-gram precision and recall (Google's, not the one for grammar)"

    min_len: int = 1
    max_len: int = 4
    tokenize: str = "none:ascii"

    def check(self) -> None:
        self.require(1 <= self.max_len <= 64, "max_len", "a whole number from 1 to 64")
        self.require(1 <= self.min_len <= self.max_len, "min_len", f"a whole number from 1 to max_len ({self.max_len})")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matches", "larger_total", "translation_total", "reference_total")

    #: The formula has no numbers to tune, so there is nothing to choose.
    candidates = Metric.candidates

    def count_each(self, batch: Batch) -> list[Rows]:
        alone = np.ones((1, len(batch)), dtype=np.bool_)
        ours = self._totals(batch.translations)
        rows = []
        for reference in batch.references:
            matches = kernels.clipped_matches(batch.translations, [reference], alone, self.max_len, batch.threads)
            theirs = self._totals(reference)
            counted = matches[:, self.min_len - 1 :].sum(axis=1)
            rows.append(np.column_stack([counted, np.maximum(ours, theirs), ours, theirs]))
        return rows

    def _totals(self, side: Sequences) -> Scores:
        """All n-grams of each segment."""
        orders = np.arange(self.min_len - 1, self.max_len)
        totals: Scores = np.maximum(side.lengths()[:, None] - orders, 0.0).sum(axis=1)
        return totals

    def compared_by(self, each: Rows) -> Scores:
        # A reference against which neither side has an n-gram says nothing, and counts where there is no other.
        return np.where(each[..., 1] > 0, ratio(each[..., 0], each[..., 1]), -1.0)

    def choose(self, scores: Scores, present: NDArray[np.bool_]) -> NDArray[np.intp]:
        # NLTK compares to the last bit, so ours has to.
        return best_of(scores, present, tolerance=0.0)

    def score(self, rows: Rows) -> Scores:
        return 100.0 * ratio(rows[..., 0], rows[..., 1])

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        return {
            "precision": 100.0 * ratio(rows[..., 0], rows[..., 2]),
            "recall": 100.0 * ratio(rows[..., 0], rows[..., 3]),
            "matches": rows[..., 0],
            "translation_total": rows[..., 2],
            "reference_total": rows[..., 3],
        }

    def picture(self, batch: Batch) -> NgramMatches:
        from assay.metrics.pictures import ngram_picture

        return ngram_picture(batch, range(self.min_len, self.max_len + 1), best=int(self.best(batch)[0]))
