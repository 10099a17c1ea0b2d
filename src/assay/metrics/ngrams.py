"""What BLEU, its relatives and NIST share: n-grams that count against any of the references, and the rows they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Codes
from assay.metrics.base import Metric, Rows, Scores
from assay.text.batch import Batch

#: Which sizes of n-grams there are.
ORDERS = {"least": 1, "most": 64}


@dataclass(frozen=True, kw_only=True)
class NgramRows(Metric):
    """A metric whose row holds two lengths, then a number found and a number possible per order."""

    #: What is found per order.
    found: ClassVar[str]

    order: int = field(default=4, metadata=ORDERS)
    tokenize: str = "13a"

    @property
    def counted_order(self) -> int:
        """Up to which order n-grams are counted: those of the score, unless its formula looks further."""
        return self.order

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.counted_order + 1)
        lengths = ("translation_length", "reference_length")
        return (*lengths, *(f"{self.found}_{n}" for n in orders), *(f"totals_{n}" for n in orders))

    def rows(self, batch: Batch, reference_lengths: Scores, matches: Rows) -> Rows:
        """Rows out of their parts; the totals per order follow from the translations' lengths."""
        lengths, orders = batch.translations.lengths(), self.counted_order
        rows = np.empty((len(lengths), 2 + 2 * orders))
        rows[:, 0] = lengths
        rows[:, 1] = reference_lengths
        rows[:, 2 : 2 + orders] = matches
        np.maximum(lengths[:, None] - np.arange(orders), 0.0, out=rows[:, 2 + orders :])
        return rows

    def matches_and_totals(self, rows: Rows) -> tuple[Rows, Rows]:
        """The two halves of a row, by order."""
        totals = 2 + self.counted_order
        return rows[..., 2 : 2 + self.order], rows[..., totals : totals + self.order]


@dataclass(frozen=True, eq=False)
class NgramTable:
    """How often each n-gram of each translation may count for each reference alone.

    N-grams stand by order, then by segment. Against several references an n-gram counts as often as in that which has
    it most, so a set of references is a maximum over lines of the table.
    """

    #: References by n-grams; none is above what the translation has.
    counts: NDArray[np.uint32] = field(repr=False)
    #: Where the n-grams of each segment end, order by order.
    ends: Codes = field(repr=False)
    order: int

    @classmethod
    def of(cls, batch: Batch, order: int) -> NgramTable:
        """Count the n-grams up to ``order`` of a batch."""
        sides = [batch.translations, *batch.references]
        words = np.unique(np.concatenate([side.ids for side in sides]), return_inverse=True)[1].astype(np.int64)
        lengths = np.concatenate([np.diff(side.offsets) for side in sides])
        # Every segment of every side is a run of its own; n-grams do not cross its end.
        run = np.repeat(np.arange(len(lengths)), lengths)
        left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(words))
        kinds = words
        counts: list[NDArray[np.uint32]] = []
        ends: list[Codes] = []
        places = np.arange(len(words))
        for n in range(1, order + 1):
            if n > 1:
                places = places[left[places] >= n]
                kinds = _renumbered(kinds, places, words[places + n - 1])
            table, end = _table(batch, kinds[places], run[places])
            ends.append(end + sum(earlier.shape[1] for earlier in counts))
            counts.append(table)
        return cls(np.concatenate(counts, axis=1), np.concatenate(ends), order)

    def matches(self, references: Sequence[int]) -> Rows:
        """Matches of each order, segments by orders."""
        chosen = list(references)
        most = self.counts[chosen[0]]
        for index in chosen[1:]:
            most = np.maximum(most, self.counts[index])
        sums = np.concatenate([[0], np.cumsum(most, dtype=np.int64)])
        per_segment = np.diff(sums[np.concatenate([[0], self.ends])])
        matches: Rows = per_segment.reshape(self.order, -1).T.astype(np.float64)
        return matches


def _renumbered(kinds: Codes, places: Codes, words: Codes) -> Codes:
    """Numbers of the n-grams that begin at ``places``, out of those of their beginnings and their last words."""
    longer = np.zeros(len(kinds), dtype=np.int64)
    keys = kinds[places] * (int(words.max(initial=0)) + 1) + words
    longer[places] = np.unique(keys, return_inverse=True)[1]
    return longer


def _table(batch: Batch, kinds: Codes, run: Codes) -> tuple[NDArray[np.uint32], Codes]:
    """The lines of one order, and where its segments end."""
    segments, width = len(batch), int(kinds.max(initial=0)) + 1
    keys = (run % segments) * width + kinds
    side = run // segments
    ngrams, ngram_counts = np.unique(keys[side == 0], return_counts=True)
    table = np.zeros((len(batch.references), len(ngrams)), dtype=np.uint32)
    for index, present in enumerate(batch.present):
        theirs, their_counts = np.unique(keys[side == index + 1], return_counts=True)
        where = np.searchsorted(ngrams, theirs)
        shared = where < len(ngrams)
        shared[shared] = ngrams[where[shared]] == theirs[shared]
        shared &= present[theirs // width]
        table[index, where[shared]] = np.minimum(ngram_counts[where[shared]], their_counts[shared])
    return table, np.searchsorted(ngrams, np.arange(1, segments + 1) * width)
