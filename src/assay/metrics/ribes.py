"""RIBES (Isozaki et al., 2010): whether words stand in the order of the reference, for languages that are far apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay import kernels
from assay.metrics.base import Rows, ratio
from assay.metrics.segment_means import BestSegmentMean
from assay.text.batch import Batch
from assay.text.recipe import Sequences

#: Products of two lengths above this take more than seconds; such a segment is a file without line ends.
_LARGEST_TABLE = 1e9


@dataclass(frozen=True, kw_only=True)
class Ribes(BestSegmentMean):
    """0 to 100, as NLTK computes it: rank correlation of word order, times precision and brevity to small powers.

    ``alpha`` is the power of unigram precision, ``beta`` that of the brevity penalty.
    """

    name: ClassVar[str] = "ribes"
    label: ClassVar[str] = "RIBES"
    summary: ClassVar[str] = "rank correlation between the orders of words, for distant languages"
    measured: ClassVar[tuple[str, ...]] = ("ribes", "order", "precision", "brevity_penalty")
    shares: ClassVar[tuple[str, ...]] = ("order", "precision")

    alpha: float = 0.25
    beta: float = 0.10
    tokenize: str = "none:ascii"

    def check(self) -> None:
        self.require(0.0 <= self.alpha <= 100.0, "alpha", "a number from 0 (precision does not count) to 100")
        self.require(0.0 <= self.beta <= 100.0, "beta", "a number from 0 (brevity does not count) to 100")

    def count_each(self, batch: Batch) -> list[Rows]:
        self.refuse_endless(batch, _LARGEST_TABLE)
        return super().count_each(batch)

    def against(self, batch: Batch, number: int, reference: Sequences) -> Rows:
        ranked, rising = kernels.ranked_words(batch.translations, reference, batch.threads).T
        ours, theirs = batch.translations.lengths(), reference.lengths()
        # Kendall's tau on 0 to 1 is the share of pairs that rise; fewer than two words make no pair.
        order = ratio(2.0 * rising, ranked * (ranked - 1.0))
        precision = ratio(ranked, ours)
        brevity = np.where(ours > 0, np.exp(np.minimum(1.0 - theirs / np.maximum(ours, 1.0), 0.0)), 0.0)
        score = np.where(ours > 0, order * precision**self.alpha * brevity**self.beta, 0.0)
        return self.rows(score, order, precision, brevity)
