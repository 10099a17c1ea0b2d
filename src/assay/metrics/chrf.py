"""chrF and chrF++ (Popović, 2015, 2017): F-score over character n-grams, and word n-grams with ++."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.metrics.base import BestReference, Rows, Scores, best_of, ratio
from assay.metrics.bleu import SACREBLEU_VERSION
from assay.metrics.tunable import Tunable
from assay.text.batch import Batch
from assay.text.recipe import Recipe

if TYPE_CHECKING:
    from assay.metrics.pictures import NgramMatches

#: What chrF++.py puts for a precision or recall that has nothing to divide by.
_EPSILON = 1e-16


@dataclass(frozen=True, kw_only=True)
class Chrf(BestReference):
    """0 to 100, as sacreBLEU computes it; ``word_order=2`` is chrF++.

    Of several references the one with the best segment score counts. ``smoothing=True`` averages F-scores per order
    with a tiny floor, as chrF++.py; otherwise precisions and recalls are averaged over the orders that both sides have.
    """

    name: ClassVar[str] = "chrf"
    label: ClassVar[str] = "chrF"
    summary: ClassVar[str] = "F-score over character n-grams; chrF++ with word_order=2"

    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0
    whitespace: bool = False
    smoothing: bool = False

    def check(self) -> None:
        self.require(1 <= self.char_order <= 64, "char_order", "a whole number from 1 to 64")
        self.require(0 <= self.word_order <= 64, "word_order", "a whole number from 0 to 64")
        self.require(0 < self.beta <= 1e6, "beta", "a number above 0, at most 1,000,000")

    @property
    def recipe(self) -> Recipe:
        return replace(super().recipe, unit="raw" if self.whitespace else "character")

    @property
    def word_recipe(self) -> Recipe:
        """How chrF++ cuts words: its own way, unless a tokenizer is asked for."""
        tokenize = "chrf" if self.tokenize == "none" else self.tokenize
        return replace(super().recipe, tokenize=tokenize)

    @property
    def columns(self) -> tuple[str, ...]:
        kinds = [f"characters_{n + 1}" for n in range(self.char_order)] + [
            f"words_{n + 1}" for n in range(self.word_order)
        ]
        return tuple(f"{what}_{kind}" for kind in kinds for what in ("translation", "reference", "matches"))

    def count_each(self, batch: Batch) -> list[Rows]:
        characters = _ngram_rows(batch.under(self.recipe), self.char_order)
        if self.word_order == 0:
            return characters
        words = _ngram_rows(batch.under(self.word_recipe), self.word_order)
        return [np.hstack(both) for both in zip(characters, words, strict=True)]

    def choose(self, scores: Scores, present: NDArray[np.bool_]) -> NDArray[np.intp]:
        # sacreBLEU compares to the last bit, so ours has to.
        return best_of(scores, present, tolerance=0.0)

    @property
    def tunables(self) -> tuple[Tunable, ...]:
        return (
            Tunable("beta", self.beta, 0.1, 10.0, log=True),
            Tunable("char_order", self.char_order, 1, 64, changes="rows", values=(1, 2, 3, 4, 5, 6, 7, 8)),
            Tunable("word_order", self.word_order, 0, 64, changes="rows", values=(0, 1, 2, 3)),
        )

    def picture(self, batch: Batch) -> NgramMatches:
        from assay.metrics.pictures import NgramMatches, matched_order

        best = int(self.best(batch)[0])
        characters, words = batch.under(self.recipe), batch.under(self.word_recipe)
        by_character = [
            matched_order(characters.translation_units(), [characters.reference_units(best)], order, "character")
            for order in range(1, self.char_order + 1)
        ]
        by_word = [
            matched_order(words.translation_units(), [words.reference_units(best)], order)
            for order in range(1, self.word_order + 1)
        ]
        references = tuple(words.reference_units(index) for index in range(len(batch.reference_texts)))
        return NgramMatches(
            words.translation_units(), references, best, (*by_character, *by_word), characters.translation_units()
        )

    def score(self, rows: Rows) -> Scores:
        translation, reference, matches = rows[..., 0::3], rows[..., 1::3], rows[..., 2::3]
        weight = self.beta**2
        if self.smoothing:
            precision = np.where(translation > 0, ratio(matches, translation), _EPSILON)
            recall = np.where(reference > 0, ratio(matches, reference), _EPSILON)
            below = weight * precision + recall
            each = np.where(below > 0, ratio((1 + weight) * precision * recall, below), _EPSILON)
            smoothed: Scores = 100.0 * _sum_in_order(each) / each.shape[-1]
            return smoothed
        precision, recall = self._averages(rows)
        return 100.0 * ratio((1 + weight) * precision * recall, weight * precision + recall)

    def _averages(self, rows: Rows) -> tuple[Scores, Scores]:
        """Mean precision and recall over the orders for which both sides have n-grams."""
        translation, reference, matches = rows[..., 0::3], rows[..., 1::3], rows[..., 2::3]
        both = (translation > 0) & (reference > 0)
        orders = both.sum(axis=-1)
        precision = _sum_in_order(np.where(both, ratio(matches, translation), 0.0))
        recall = _sum_in_order(np.where(both, ratio(matches, reference), 0.0))
        return ratio(precision, orders), ratio(recall, orders)

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        precision, recall = self._averages(rows)
        return {"precision": 100.0 * precision, "recall": 100.0 * recall}

    def sacrebleu_signature(self, references: int) -> str | None:
        plain = type(self)(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.lowercase,
            whitespace=self.whitespace,
            smoothing=self.smoothing,
        )
        if self != plain or self.lowercase == "ascii" or not self.beta.is_integer():
            return None
        case = "lc" if self.lowercase else "mixed"
        effective = "no" if self.smoothing else "yes"
        space = "yes" if self.whitespace else "no"
        name = f"chrF{self.beta:.0f}{'+' * self.word_order}"
        settings = f"case:{case}|eff:{effective}|nc:{self.char_order}|nw:{self.word_order}|space:{space}"
        return f"{name}|nrefs:{references}|{settings}|version:{SACREBLEU_VERSION}"


def _sum_in_order(values: Rows) -> Scores:
    """The sum over orders, one after the other: numpy's own may add in another order, and end in another last bit."""
    total = values[..., 0]
    for order in range(1, values.shape[-1]):
        total = total + values[..., order]
    return total


def _ngram_rows(batch: Batch, order: int) -> list[Rows]:
    """Translation, reference and common n-grams of each order against each reference: three columns per order."""
    alone, steps = np.ones((1, len(batch)), dtype=np.bool_), np.arange(order)
    ours = np.maximum(batch.translations.lengths()[:, None] - steps, 0.0)
    rows = []
    for reference in batch.references:
        matches = kernels.clipped_matches(batch.translations, [reference], alone, order, batch.threads)
        theirs = np.maximum(reference.lengths()[:, None] - steps, 0.0)
        # An order that the reference is too short for says nothing about the translation.
        counted = np.where(theirs > 0, ours, 0.0)
        rows.append(np.stack([counted, theirs, matches], axis=-1).reshape(len(batch), 3 * order))
    return rows
