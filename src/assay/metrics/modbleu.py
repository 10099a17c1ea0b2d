"""Modified BLEU (Lavie, Sagae & Jayaraman, 2004): the arithmetic mean of n-gram precisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from assay.metrics.base import Rows, Scores, ratio
from assay.metrics.bleu import NgramPrecision


@dataclass(frozen=True, kw_only=True)
class ModBleu(NgramPrecision):
    """0 to 100; no order can drag the others to zero, so it needs no smoothing at segment level."""

    name: ClassVar[str] = "modbleu"
    label: ClassVar[str] = "modBLEU"
    summary: ClassVar[str] = "BLEU with the arithmetic instead of the geometric mean"

    brevity: bool = True

    def score(self, rows: Rows) -> Scores:
        mean: Scores = 100.0 * self.precisions(rows).mean(axis=-1)
        return mean * self.brevity_penalty(rows) if self.brevity else mean

    def precisions(self, rows: Rows) -> Rows:
        return ratio(*self.matches_and_totals(rows))
