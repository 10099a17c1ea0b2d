"""Unigram precision, recall, F1 and Fmean (Lavie, Sagae & Jayaraman, 2004).

One family in one file: the four share their rows, and differ in the formula alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assay import kernels
from assay.metrics.base import BestReference, Rows, Scores, ratio
from assay.metrics.tunable import Tunable
from assay.text.batch import Batch

if TYPE_CHECKING:
    from assay.metrics.pictures import NgramMatches


@dataclass(frozen=True, kw_only=True)
class WordMatches(BestReference):
    """What the metrics of single words share with PER: words in common with a reference, in whatever order."""

    tokenize: str = "none:ascii"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matches", "translation_length", "reference_length")

    def count_each(self, batch: Batch) -> list[Rows]:
        """A word counts as often as it stands on both sides."""
        words, alone = batch.translations, np.ones((1, len(batch)), dtype=np.bool_)
        return [
            np.column_stack(
                [
                    kernels.clipped_matches(words, [reference], alone, 1, batch.threads)[:, 0],
                    words.lengths(),
                    reference.lengths(),
                ]
            )
            for reference in batch.references
        ]

    def picture(self, batch: Batch) -> NgramMatches:
        from assay.metrics.pictures import ngram_picture

        return ngram_picture(batch, [1], best=int(self.best(batch)[0]))


@dataclass(frozen=True, kw_only=True)
class _Unigrams(WordMatches):
    """Matched words against the reference that gives the best score of the segment."""

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


@dataclass(frozen=True, kw_only=True)
class Precision(_Unigrams):
    """How many words of the translation the reference has."""

    name: ClassVar[str] = "precision"
    label: ClassVar[str] = "Precision"
    summary: ClassVar[str] = "share of the translation's words that the reference has"

    def formula(self, precision: Scores, recall: Scores) -> Scores:
        return precision


@dataclass(frozen=True, kw_only=True)
class Recall(_Unigrams):
    """How many words of the reference the translation has."""

    name: ClassVar[str] = "recall"
    label: ClassVar[str] = "Recall"
    summary: ClassVar[str] = "share of the reference's words that the translation has"

    def formula(self, precision: Scores, recall: Scores) -> Scores:
        return recall


@dataclass(frozen=True, kw_only=True)
class F1(_Unigrams):
    """The harmonic mean of precision and recall: 2PR / (P + R)."""

    name: ClassVar[str] = "f1"
    label: ClassVar[str] = "F1"
    summary: ClassVar[str] = "harmonic mean of unigram precision and recall"

    def formula(self, precision: Scores, recall: Scores) -> Scores:
        return ratio(2.0 * precision * recall, precision + recall)


@dataclass(frozen=True, kw_only=True)
class Fmean(_Unigrams):
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
