"""EED, the extended edit distance (Stanchev et al., 2019): edits over characters, with jumps between words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from assay import kernels
from assay.metrics.base import Metric, Rows, ratio
from assay.metrics.segment_means import BestSegmentMean
from assay.text.batch import Batch
from assay.text.recipe import Recipe, Sequences

#: Products of two lengths above this take more than seconds; such a segment is a file without line ends.
_LARGEST_TABLE = 1e10


@dataclass(frozen=True, kw_only=True)
class Eed(BestSegmentMean):
    """0 is perfect and 100 the worst.

    ``alpha`` is the cost of a jump, ``rho`` that of a place of the translation which is visited not at all or again,
    ``deletion`` and ``insertion`` that of a character too many and of one too few. ``language`` says how the text is
    prepared: ``en`` for all that have spaces between words.
    """

    name: ClassVar[str] = "eed"
    label: ClassVar[str] = "EED"
    summary: ClassVar[str] = "character edits with jumps between words, per character of the reference"
    higher_is_better: ClassVar[bool] = False
    measured: ClassVar[tuple[str, ...]] = ("distance", "edit_cost", "uneven_visits", "reference_characters")

    alpha: float = 2.0
    rho: float = 0.3
    deletion: float = 0.2
    insertion: float = 1.0
    language: Literal["en", "ja"] = "en"

    def check(self) -> None:
        for cost in ("alpha", "rho", "deletion", "insertion"):
            self.require(0.0 <= getattr(self, cost) <= 1e6, cost, "a number from 0 to 1,000,000")

    @property
    def bounds(self) -> tuple[float, float]:
        return 0.0, 100.0

    @property
    def recipe(self) -> Recipe:
        """The characters of the text as the authors prepare it, unless a tokenizer is asked for."""
        own = {"en": "eed", "ja": "eed-ja"}[self.language]
        recipe = super().recipe
        return replace(recipe, unit="raw", tokenize=own if self.tokenize == "none" else self.tokenize)

    def in_language(self, code: str) -> Metric:
        return self._changed(language="ja") if code == "ja" and "language" not in self.chosen else self

    def count_each(self, batch: Batch) -> list[Rows]:
        self.refuse_endless(batch, _LARGEST_TABLE)
        return super().count_each(batch)

    def against(self, batch: Batch, number: int, reference: Sequences) -> Rows:
        ours, theirs = (self._framed(side) for side in (batch.translations, reference))
        costs = (self.alpha, self.deletion, self.insertion)
        edits, uneven = kernels.jumping_edits(ours, theirs, costs, batch.threads).T
        length = theirs.lengths()
        whole = length + self.rho * uneven
        # Where nothing is wanted, and nothing counts but edits, anything is too much.
        distance = np.minimum(np.where(whole > 0, ratio(edits + self.rho * uneven, whole), edits), 1.0)
        return self.rows(distance, edits, uneven, length)

    def _framed(self, side: Sequences) -> Sequences:
        """The characters with a space before and behind them, so that words at the ends may jump as others."""
        if self.language == "ja":
            return side
        segments = len(side.offsets) - 1
        ids = np.full(len(side.ids) + 2 * segments, ord(" "), dtype=np.uint64)
        segment = np.repeat(np.arange(segments), np.diff(side.offsets))
        ids[np.arange(len(side.ids)) + 2 * segment + 1] = side.ids
        return Sequences(ids, side.offsets + 2 * np.arange(segments + 1))
