"""BLANC (Lita, Rogati & Lavie, 2005): all skip-n-grams that a translation and its reference have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assay import kernels
from assay.errors import InputError
from assay.metrics.base import BestReference, Rows, Scores, ratio
from assay.metrics.tunable import Tunable, several
from assay.text.batch import Batch
from assay.text.recipe import Sequences

if TYPE_CHECKING:
    from assay.metrics.pictures import NgramMatches

#: Products of two lengths above this take longer than anybody waits; such a segment is a file without line ends.
_LARGEST_TABLE = 1e8
#: The same where any number of words may be skipped: texts of 1,500 words have too many skip-n-grams already, unless
#: few words are in common.
_LARGEST_WITHOUT_GAP = 2.5e7
#: Steps of one segment, some seconds' worth. Only wide gaps in long texts take that many.
EFFORT = 1_000_000_000
#: Up to so many skip-n-grams of one size are listed one by one.
_MOST_LISTED = 50_000
#: The largest gap of each bucket; one more holds what is beyond, unless ``gap`` ends before.
BUCKETS = (0, 1, 2, 3, 4, 6, 8, 12, 16)
#: What a gap beyond the last bucket counts as. Others count as the smallest of their bucket.
_BEYOND = 2 * BUCKETS[-1]

_SIDES = ("common", "translation", "reference")


@dataclass(frozen=True, kw_only=True)
class Blanc(BestReference):
    """Precision and recall of skip-n-grams of 1 to ``order`` words, clipped as BLEU clips n-grams.

    ``gap`` is how many words may be skipped inside, any number by default. A skip-n-gram with a gap of g counts
    exp(-``decay`` g). ``weights`` are those of the sizes, equal by default, and ``alpha`` is the weight of recall.
    """

    name: ClassVar[str] = "blanc"
    label: ClassVar[str] = "BLANC"
    summary: ClassVar[str] = "precision and recall of n-grams with gaps, which count less the wider they are"

    order: int = 4
    gap: int | None = None
    decay: float = 0.5
    weights: tuple[float, ...] | None = field(
        default=None, metadata={"takes": "a number for each size, such as [1,1,2,2], or none"}
    )
    alpha: float = 0.5
    tokenize: str = "none:ascii"

    def check(self) -> None:
        self.require(1 <= self.order <= 16, "order", "a whole number from 1 to 16")
        self.require(self.gap is None or 0 <= self.gap <= 10**6, "gap", "none, or a whole number from 0 to 10^6")
        self.require(self.decay >= 0.0, "decay", "a number from 0 (no decay) on")
        self.require(0.0 <= self.alpha <= 1.0, "alpha", "a number from 0 (precision alone) to 1 (recall alone)")
        weights = self.weights
        if weights is not None:
            sound = len(weights) == self.order and min(weights) >= 0 and sum(weights) > 0
            self.require(sound, "weights", f"{self.order} weights of at least 0 (one per size), not all 0")

    @property
    def tunables(self) -> tuple[Tunable, ...]:
        """All of the formula: weights against the first that is not 0, since their scale does not matter."""
        weights = self.weights or (1.0,) * self.order
        measure = next(place for place, weight in enumerate(weights) if weight > 0)
        relative = [weight / weights[measure] for weight in weights]
        others = [place for place in range(self.order) if place != measure]
        # Without gaps there is nothing to decay, and single words have none.
        decay = () if self.gap == 0 or self.order == 1 else (Tunable("decay", self.decay, 0.0, 3.0),)
        return (
            *decay,
            *several("weights", relative, places=others, low=0.0, high=4.0),
            Tunable("alpha", self.alpha),
        )

    @property
    def buckets(self) -> tuple[tuple[int, int | None], ...]:
        """The smallest and the largest gap of each bucket; None is any."""
        if self.gap is None:
            ends: tuple[int | None, ...] = (*BUCKETS, None)
        else:
            ends = (*(end for end in BUCKETS if end < self.gap), self.gap)
        return tuple((0 if before is None else before + 1, end) for before, end in pairwise((None, *ends)))

    @property
    def columns(self) -> tuple[str, ...]:
        gaps = [_spell_bucket(first, last) for first, last in self.buckets]
        sizes = ["1", *(f"{size}_gap_{gap}" for size in range(2, self.order + 1) for gap in gaps)]
        return tuple(f"{side}_{size}" for side in _SIDES for size in sizes)

    def count_each(self, batch: Batch) -> list[Rows]:
        """Rows in which no option of the formula plays a part."""
        self.refuse_endless(batch, _LARGEST_WITHOUT_GAP if self.gap is None else _LARGEST_TABLE)
        ours = self._totals(batch.translations.lengths())
        return [
            np.hstack([self._common(batch, reference), ours, self._totals(reference.lengths())])
            for reference in batch.references
        ]

    def picture(self, batch: Batch) -> NgramMatches:
        """The skip-n-grams in common, narrow gaps first, and what they count."""
        from assay.metrics.pictures import NgramMatches, SkipCounts, matched_order, skipped_order

        best = int(self.best(batch)[0])
        translation = batch.translation_units()
        references = tuple(batch.reference_units(index) for index in range(len(batch.reference_texts)))
        sides = self.count_each(batch)[best][0].reshape(len(_SIDES), -1)
        names = [_spell_bucket(*bucket) for bucket in self.buckets]
        longest = max(len(translation), len(references[best]))
        ends = [longest if last is None else last for _, last in self.buckets]
        # Single words have no gaps.
        orders = [matched_order(translation, [references[best]], 1)]
        for size, counts in enumerate(
            np.split(sides[:, 1:], self.order - 1, axis=1) if self.order > 1 else [], start=2
        ):
            counted = SkipCounts(size, names, ends, self._decay, counts)
            orders.append(skipped_order(translation, references[best], counted, most=_MOST_LISTED))
        return NgramMatches(translation, references, best, tuple(orders))

    def _common(self, batch: Batch, reference: Sequences) -> Rows:
        ends = [last for _, last in self.buckets if last is not None]
        rows = kernels.common_skip_ngrams(
            batch.translations, reference, self.order, ends, self.gap is None, EFFORT, batch.threads
        )
        if np.isnan(rows[:, 0]).any():
            worst = int(np.isnan(rows[:, 0]).argmax())
            ours, theirs = (int(side.lengths()[worst]) for side in (batch.translations, reference))
            raise InputError(
                f"{self.name}: a segment of {ours:,} words in the translation and {theirs:,} in the reference has too "
                f"many skip-n-grams of {self.order} words. "
                "Is the file missing its line ends? Otherwise choose a small gap, such as gap=8, or a smaller order."
            )
        return rows

    def _totals(self, lengths: Scores) -> Rows:
        """All skip-n-grams of texts this long, in the order of the columns."""
        columns = [lengths]
        for size in range(2, self.order + 1):
            within = [skip_ngrams(lengths, size, last) for _, last in self.buckets]
            columns += [after - before for before, after in pairwise([np.zeros_like(lengths), *within])]
        return np.column_stack(columns)

    def score(self, rows: Rows) -> Scores:
        sums = self._sums(rows)
        # Sizes that neither side is long enough for say nothing. Where no others have weight, single words speak.
        there = (sums[..., 1, :] > 0) | (sums[..., 2, :] > 0)
        weights = np.where(there, self._weights, 0.0)
        silent = ~weights.any(axis=-1, keepdims=True)
        weights = np.where(silent, np.arange(self.order) == 0, weights)
        mean = (weights * self._means(sums)).sum(axis=-1) / weights.sum(axis=-1)
        # Two empty texts agree.
        return 100.0 * np.where(there[..., 0], mean, 1.0)

    @property
    def _weights(self) -> Scores:
        weights = np.asarray(self.weights or (1.0,) * self.order)
        scaled: Scores = weights / weights.max()
        return scaled

    @property
    def _decay(self) -> Scores:
        """What a skip-n-gram in each bucket of gaps counts."""
        gaps = [_BEYOND if last is None else first for first, last in self.buckets]
        counts: Scores = np.exp(-self.decay * np.array(gaps, dtype=np.float64))
        return counts

    def _sums(self, rows: Rows) -> Rows:
        """What the skip-n-grams of each size count, by side: common, translation, reference."""
        decay = self._decay
        sides = rows.reshape(*rows.shape[:-1], len(_SIDES), -1)
        longer = sides[..., 1:].reshape(*sides.shape[:-1], self.order - 1, len(decay))
        # Not a product of matrices: those wake threads, which costs more than the sum, and tuning does this very often.
        return np.concatenate([sides[..., :1], np.einsum("...b,b->...", longer, decay)], axis=-1)

    def _means(self, sums: Rows) -> Rows:
        """The harmonic mean of precision and recall of each size, with the weight ``alpha`` on recall."""
        common, ours, theirs = (sums[..., side, :] for side in range(len(_SIDES)))
        return ratio(common, self.alpha * theirs + (1.0 - self.alpha) * ours)

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        """Precision and recall of each size, and lengths."""
        sums = self._sums(rows)
        shares = {
            "precision": ratio(sums[..., 0, :], sums[..., 1, :]),
            "recall": ratio(sums[..., 0, :], sums[..., 2, :]),
        }
        sizes = range(self.order)
        each = {f"{name}_{size + 1}": 100.0 * share[..., size] for name, share in shares.items() for size in sizes}
        return each | {"translation_length": sums[..., 1, 0], "reference_length": sums[..., 2, 0]}


def _spell_bucket(first: int, last: int | None) -> str:
    if last is None:
        return f"{first}+"
    return str(first) if first == last else f"{first}-{last}"


def skip_ngrams(lengths: Scores, size: int, gap: int | None) -> Scores:
    """How many skip-n-grams of ``size`` words texts have, with a gap of at most ``gap``.

    >>> skip_ngrams(np.array([3.0, 4.0]), 2, None).tolist(), skip_ngrams(np.array([3.0, 4.0]), 2, 1).tolist()
    ([3.0, 6.0], [3.0, 5.0])
    """
    if gap is None:
        return _choose(lengths, size)
    # Each word begins a window of gap + size words, of which the last ones reach over the end.
    window = float(gap + size)
    whole = np.maximum(lengths - window, 0.0) * _choose(np.array(window - 1.0), size - 1)
    return whole + _choose(np.minimum(lengths, window), size)


def _choose(count: Scores, size: int) -> Scores:
    """In how many ways ``size`` of ``count`` can be chosen; exact up to 2^53.

    >>> _choose(np.array([2.0, 4.0, 60.0]), 4).tolist()
    [0.0, 1.0, 487635.0]
    """
    ways = np.ones_like(count)
    for taken in range(size):
        ways = ways * np.maximum(count - taken, 0.0) / (taken + 1.0)
    return ways
