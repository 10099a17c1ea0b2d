"""Unigram precision, recall, F1 and Fmean (Lavie, Sagae & Jayaraman, 2004).

One family in one file: the four share their rows, and differ in the formula alone. Two options are what the paper asks
for as future work: words that do not all weigh the same, and matching against all references at once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.arrays import Array, Codes
from assay.metrics.base import BestReference, Counter, Influence, Rows, Scores, ratio
from assay.metrics.tunable import Candidates, Tunable
from assay.metrics.weighed import WeighedWords
from assay.text.batch import Batch
from assay.text.recipe import Sequences

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


@dataclass(frozen=True, eq=False)
class _Bags:
    """How often each word stands in each text of a column: a cell for each pair of a segment and a word of it."""

    #: The number of the segment times the size of the vocabulary, plus that of the word; they rise.
    cells: Codes
    counts: Codes

    @classmethod
    def of(cls, words: Sequences, vocabulary: NDArray[np.uint64]) -> _Bags:
        """Of one text per segment; the vocabulary rises, and has all of their words."""
        segments = np.repeat(np.arange(len(words.offsets) - 1), np.diff(words.offsets))
        cells = segments * len(vocabulary) + np.searchsorted(vocabulary, words.ids)
        return cls(*np.unique(cells, return_counts=True))

    def __and__(self, other: _Bags) -> _Bags:
        """What both have, as often as both have it."""
        cells, ours, theirs = np.intersect1d(self.cells, other.cells, assume_unique=True, return_indices=True)
        return _Bags(cells, np.minimum(self.counts[ours], other.counts[theirs]))

    def __or__(self, other: _Bags) -> _Bags:
        """What either has, as often as the one has it that has it more often."""
        cells, places = np.unique(np.concatenate([self.cells, other.cells]), return_inverse=True)
        counts = np.zeros(len(cells), dtype=np.int64)
        np.maximum.at(counts, places, np.concatenate([self.counts, other.counts]))
        return _Bags(cells, counts)

    def only(self, segments: NDArray[np.bool_], words: int) -> _Bags:
        """Those of some segments; the vocabulary has so many words."""
        kept = segments[self.cells // max(words, 1)]
        return _Bags(self.cells[kept], self.counts[kept])

    def weight(self, weights: Array, segments: int) -> Array:
        """What all words of each segment weigh together; added up word by word, so that equal texts weigh the same."""
        segment, word = np.divmod(self.cells, max(len(weights), 1))
        return np.bincount(segment, weights=self.counts * weights[word], minlength=segments).astype(np.float64)


def _each(batch: Batch) -> Iterator[tuple[Sequences, NDArray[np.bool_]]]:
    """Each reference, and which segments have it."""
    return zip(batch.references, batch.present, strict=True)


def _vocabulary(batch: Batch) -> tuple[NDArray[np.uint64], list[_Bags]]:
    """All words of a batch, which rise, and how often its translations and each of its references have them."""
    sides = [batch.translations, *batch.references]
    vocabulary = np.unique(np.concatenate([side.ids for side in sides]))
    return vocabulary, [_Bags.of(side, vocabulary) for side in sides]


@dataclass(frozen=True, kw_only=True)
class _Unigrams(WeighedWords, WordMatches):
    """Matched words against the reference that gives the best score of the segment.

    With ``references="union"`` all references count together: each word as often as the reference has it that has it
    most often.
    """

    references: Literal["best", "union"] = field(default="best", metadata={"later": True})
    # As in WordMatches: both bases have it.
    tokenize: str = "none:ascii"

    def count_each(self, batch: Batch) -> list[Rows]:
        """Against each reference alone; a match weighs what its word weighs."""
        if self.weights == "none":
            return super().count_each(batch)
        weights, ours, theirs = self._bags(batch)
        return [self._row(weights, ours, reference, len(batch)) for reference in theirs]

    def _bags(self, batch: Batch) -> tuple[Array, _Bags, list[_Bags]]:
        """What each word of the batch weighs, and how often translations and each reference have it."""
        vocabulary, (ours, *theirs) = _vocabulary(batch)
        table = self.word_weights()
        return np.ones(len(vocabulary)) if table is None else table.of(vocabulary), ours, theirs

    @staticmethod
    def _row(weights: Array, ours: _Bags, theirs: _Bags, segments: int) -> Rows:
        return np.column_stack([bag.weight(weights, segments) for bag in (ours & theirs, ours, theirs)])

    @staticmethod
    def _union(theirs: Sequence[_Bags], chosen: NDArray[np.bool_], words: int) -> _Bags:
        """The words of those references that are chosen, references by segments; the vocabulary has so many words."""
        union = _Bags(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
        for reference, segments in zip(theirs, chosen, strict=True):
            union |= reference.only(segments, words)
        return union

    def _against_union(self, batch: Batch) -> Rows:
        """Against all references at once: the words that any of them has."""
        weights, ours, theirs = self._bags(batch)
        return self._row(weights, ours, self._union(theirs, batch.present, len(weights)), len(batch))

    def counter(self, batch: Batch) -> Counter:
        if self.references == "best":
            return super().counter(batch)
        return lambda references: self._against_union(batch.against(references))

    def candidates(self, batch: Batch) -> Candidates:
        if self.references == "best":
            return super().candidates(batch)
        return Candidates(self._against_union(batch)[None], np.ones((1, len(batch)), dtype=np.bool_))

    def influence(self, batch: Batch, members: Codes, units: int) -> Influence | None:
        """All units at once: what words weigh is a sum of logarithms of how many references there are, and have them.

        To leave out a unit is to leave out its words, and to change these logarithms. Where the best of several
        references counts, it is the one that counts in the whole, whatever is left out.
        """
        frequencies = self.frequencies
        if frequencies is None:
            return super().influence(batch, members, units)
        size = len(frequencies.ids)
        cells = [_Bags.of(one, frequencies.ids).only(there, size).cells for one, there in _each(batch)]
        segments, found = np.divmod(np.concatenate(cells), max(size, 1))
        # A cell for each word that the references of a unit have, and in how many of them it stands.
        keys, counts = np.unique(members[segments] * size + found, return_counts=True)
        unit, word = np.divmod(keys, max(size, 1))
        total = frequencies.counts[word].astype(np.float64)
        rarer = np.log1p(total) - np.log1p(total - counts)
        fewer = np.bincount(members, weights=batch.present.sum(axis=0), minlength=units)
        shorter = np.log1p(frequencies.documents) - np.log1p(frequencies.documents - fewer)

        def brought(rows: Rows, part: Batch, of: Codes) -> Rows:
            sums = np.zeros((units, rows.shape[1]))
            np.add.at(sums, of, rows)
            vocabulary, (ours, *theirs) = _vocabulary(part)
            chosen = part.present
            if self.references == "best":
                chosen = self.best(part) == np.arange(len(part.references))[:, None]
            reference = self._union(theirs, chosen, len(vocabulary))
            places = np.minimum(np.searchsorted(frequencies.ids, vocabulary), max(size - 1, 0))
            known = frequencies.ids[places] == vocabulary if size else np.zeros(len(vocabulary), dtype=np.bool_)
            for column, bag in enumerate((ours & reference, ours, reference)):
                segment, code = np.divmod(bag.cells, max(len(vocabulary), 1))
                own = np.bincount(of[segment], weights=bag.counts, minlength=units)
                sums[:, column] += (own.sum() - own) * shorter
                # Those that some reference has: in all texts, and in the unit's own.
                seen = known[code]
                names, times = places[code[seen]], bag.counts[seen]
                everywhere = np.bincount(names, weights=times, minlength=size)
                here = np.searchsorted(keys, of[segment[seen]] * size + names)
                hit = (here < len(keys)) & (keys[np.minimum(here, len(keys) - 1)] == of[segment[seen]] * size + names)
                own_words = np.bincount(here[hit], weights=times[hit], minlength=len(keys))
                lost = (everywhere[word] - own_words) * rarer
                sums[:, column] -= np.bincount(unit, weights=lost, minlength=units)
            return sums

        return brought

    def picture(self, batch: Batch) -> NgramMatches:
        """The words that count, and what they weigh where not all weigh the same."""
        from assay.metrics.pictures import ngram_picture

        best = int(self.best(batch)[0]) if self.references == "best" else None
        if self.weights == "none" and best is not None:
            return ngram_picture(batch, [1], best=best)
        row = self.count(batch)[0]
        table = self.word_weights()
        weigh = (
            None if table is None else lambda ngrams: table.of(kernels.token_ids([word for (word,) in ngrams])).tolist()
        )
        picture = ngram_picture(batch, [1], best=best, weigh=weigh)
        (words,) = picture.orders
        if table is None:
            # Of all references together, of which there may be several.
            return replace(picture, orders=(replace(words, reference_total=int(row[2])),))
        return replace(picture, orders=(replace(words, weighed=(row[0], row[1], row[2])),))

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
        super().check()
        self.require(0.0 <= self.alpha <= 1.0, "alpha", "a number from 0 (precision alone) to 1 (recall alone)")

    @property
    def tunables(self) -> tuple[Tunable, ...]:
        return (Tunable("alpha", self.alpha),)

    def formula(self, precision: Scores, recall: Scores) -> Scores:
        return ratio(precision * recall, self.alpha * precision + (1.0 - self.alpha) * recall)
