"""Unigram precision, recall, F1 and Fmean (Lavie, Sagae & Jayaraman, 2004).

One family in one file: the four share their rows, and differ in the formula alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assay.metrics.base import Counter, Metric, Rows, Scores, best_counter, ratio, rows_of_best
from assay.metrics.overlap import common_words
from assay.metrics.registry import register
from assay.metrics.tunable import Candidates, Tunable
from assay.text.batch import Batch

if TYPE_CHECKING:
    from assay.metrics.pictures import NgramMatches


@dataclass(frozen=True, kw_only=True)
class Unigrams(Metric):
    """Matched words against the reference that gives the best score of the segment."""

    tokenize: str = "none:ascii"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matches", "translation_length", "reference_length")

    def count(self, batch: Batch) -> Rows:
        return rows_of_best(self, self._candidates(batch), batch)

    def counter(self, batch: Batch) -> Counter:
        return best_counter(self, self._candidates(batch), batch)

    def candidates(self, batch: Batch) -> Candidates:
        return Candidates(np.stack(self._candidates(batch)), batch.present)

    def picture(self, batch: Batch) -> NgramMatches:
        from assay.metrics.ngram_picture import unigram_picture

        return unigram_picture(self, self._candidates(batch), batch)

    def _candidates(self, batch: Batch) -> list[Rows]:
        """Rows against each reference."""
        return [np.column_stack(common_words(batch, index)) for index in range(len(batch.references))]

    def score(self, rows: Rows) -> Scores:
        precision = ratio(rows[..., 0], rows[..., 1])
        recall = ratio(rows[..., 0], rows[..., 2])
        # Two empty texts agree.
        both_empty = (rows[..., 1] == 0) & (rows[..., 2] == 0)
        return np.where(both_empty, 100.0, 100.0 * self.formula(precision, recall))

    @abstractmethod
    def formula(self, precision: Scores, recall: Scores) -> Scores:
        """The score on 0 to 1."""

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        return {
            "precision": 100.0 * ratio(rows[..., 0], rows[..., 1]),
            "recall": 100.0 * ratio(rows[..., 0], rows[..., 2]),
            "matches": rows[..., 0],
            "translation_length": rows[..., 1],
            "reference_length": rows[..., 2],
        }


@register
@dataclass(frozen=True, kw_only=True)
class Precision(Unigrams):
    """How many words of the translation the reference has."""

    name: ClassVar[str] = "precision"
    label: ClassVar[str] = "Precision"
    summary: ClassVar[str] = "share of the translation's words that the reference has"

    def formula(self, precision: Scores, recall: Scores) -> Scores:
        return precision


@register
@dataclass(frozen=True, kw_only=True)
class Recall(Unigrams):
    """How many words of the reference the translation has."""

    name: ClassVar[str] = "recall"
    label: ClassVar[str] = "Recall"
    summary: ClassVar[str] = "share of the reference's words that the translation has"

    def formula(self, precision: Scores, recall: Scores) -> Scores:
        return recall


@register
@dataclass(frozen=True, kw_only=True)
class F1(Unigrams):
    """The harmonic mean of precision and recall: 2PR / (P + R)."""

    name: ClassVar[str] = "f1"
    label: ClassVar[str] = "F1"
    summary: ClassVar[str] = "harmonic mean of unigram precision and recall"

    def formula(self, precision: Scores, recall: Scores) -> Scores:
        return ratio(2.0 * precision * recall, precision + recall)


@register
@dataclass(frozen=True, kw_only=True)
class Fmean(Unigrams):
    """The harmonic mean with weight ``alpha`` on recall: PR / (alpha P + (1 - alpha) R).

    At 0.9 this is the paper's 10PR / (9P + R).
    """

    name: ClassVar[str] = "fmean"
    label: ClassVar[str] = "Fmean"
    summary: ClassVar[str] = "harmonic mean that leans on recall: 9 to 1 by default"

    alpha: float = 0.9

    def check(self) -> None:
        self.require(0.0 <= self.alpha <= 1.0, "alpha", "a number from 0 (precision alone) to 1 (recall alone)")

    @property
    def tunables(self) -> tuple[Tunable, ...]:
        return (Tunable("alpha", self.alpha),)

    def formula(self, precision: Scores, recall: Scores) -> Scores:
        return ratio(precision * recall, self.alpha * precision + (1.0 - self.alpha) * recall)
