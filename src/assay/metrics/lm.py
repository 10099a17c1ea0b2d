"""A word n-gram language model (Witten & Bell, 1991) of the references, or of a text: how surprising a translation is.

The probability of a word is a mean of what the model saw after the words before it and, with more weight the more
different words may follow them, of what it saw after fewer words:

    p(w | h) = (count(h w) + types(h) p(w | h without its first word)) / (count(h) + types(h))

down to words without any before them, and then to 1 / (words known + 1), in which unknown ones have their share. Every
text ends with a sign of its own, which is predicted, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Codes, Flags
from assay.data.files import read_lines
from assay.data.texts import Texts
from assay.errors import InputError, ParameterError
from assay.metrics.base import Influence, Metric, Rows, Scores, ratio, sums_of_units
from assay.properties import cached_property
from assay.text.batch import Batch
from assay.text.recipe import Recipe, Sequences

_Keys = NDArray[np.uint64]

#: What stands before a text, and behind it; no word has these ids but by a chance of 1 to 2^64.
_BEGIN, _END = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
#: Odd numbers that spread ids over all 64 bits.
_SPREAD, _MIX = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


class _Words(NamedTuple):
    """Every word of some texts, the end of each among them, with what stands before it."""

    #: The number of the text.
    segments: Codes
    #: For each order the n-gram that ends with the word, and its history, the n-gram without the word.
    ngrams: tuple[_Keys, ...]
    histories: tuple[_Keys, ...]

    @classmethod
    def of(cls, texts: Sequences, order: int, there: Flags | None = None) -> _Words:
        """Of all texts, or of those that are ``there``."""
        lengths = np.diff(texts.offsets)
        starts = np.concatenate([[0], np.cumsum(lengths + order)])
        padded = np.full(int(starts[-1]), _BEGIN)
        inside = np.arange(len(texts.ids)) - np.repeat(texts.offsets[:-1], lengths)
        padded[np.repeat(starts[:-1] + order - 1, lengths) + inside] = texts.ids
        padded[starts[1:] - 1] = _END
        segments = np.repeat(np.arange(len(lengths)), lengths + 1)
        places = np.arange(len(segments)) + order * (segments + 1) - segments - 1
        if there is not None:
            segments, places = segments[there[segments]], places[there[segments]]
        ngrams, histories = [], []
        for size in range(1, order + 1):
            history = np.zeros(len(places), dtype=np.uint64)
            for back in range(size - 1, 0, -1):
                history = _joined(history, padded[places - back])
            histories.append(history)
            ngrams.append(_joined(history, padded[places]))
        return cls(segments, tuple(ngrams), tuple(histories))


def _joined(before: _Keys, words: _Keys) -> _Keys:
    """N-grams that are one word longer."""
    mixed = before ^ (words * _SPREAD)
    mixed = (mixed ^ (mixed >> np.uint64(31))) * _MIX
    return np.asarray(mixed ^ (mixed >> np.uint64(29)))


class _Counts(NamedTuple):
    """The n-grams of one size, sorted, with their histories and how often they stand there."""

    ngrams: _Keys
    histories: _Keys
    counts: Codes

    @classmethod
    def of(cls, ngrams: _Keys, histories: _Keys, counts: Codes) -> _Counts:
        """Of n-grams that may come several times."""
        known, first, numbers = np.unique(ngrams, return_index=True, return_inverse=True)
        return cls(known, histories[first], np.bincount(numbers, counts, minlength=len(known)).astype(np.int64))


@dataclass(frozen=True, eq=False)
class _NgramSurvey:
    """How often each n-gram stands in some texts; surveys of shards add up, and can be repeated."""

    sizes: tuple[_Counts, ...]

    @classmethod
    def of(cls, words: _Words) -> _NgramSurvey:
        once = np.ones(len(words.segments), dtype=np.int64)
        return cls(tuple(_Counts.of(*pair, once) for pair in zip(words.ngrams, words.histories, strict=True)))

    def __add__(self, other: _NgramSurvey) -> _NgramSurvey:
        pairs = zip(self.sizes, other.sizes, strict=True)
        return _NgramSurvey(
            tuple(_Counts.of(*(np.concatenate(both) for both in zip(*pair, strict=True))) for pair in pairs)
        )

    def __mul__(self, times: int) -> _NgramSurvey:
        kept = slice(None) if times else slice(0)
        return _NgramSurvey(
            tuple(_Counts(one.ngrams[kept], one.histories[kept], one.counts[kept] * times) for one in self.sizes)
        )

    @cached_property
    def tables(self) -> tuple[_Table, ...]:
        """The same, to look up what follows histories."""
        return tuple(map(_Table.of, self.sizes))

    def surprise(self, words: _Words, own: Sequence[_Words]) -> Array:
        """Bits of each word, as if ``own`` texts of its segment had not been among those that were counted."""
        tables = self.tables
        probability = np.full(len(words.segments), 1.0 / (len(tables[0].counts.ngrams) + 1.0))
        for size, table in enumerate(tables):
            seen, total, types = table.followed(words, size, own)
            below = total + types
            mixed = ratio(seen + types * probability, below)
            probability = np.where(below > 0, mixed, probability)
        return np.asarray(-np.log2(probability))


class _Table(NamedTuple):
    """N-grams of one size, and their histories, sorted: how often anything follows, and how many different words do."""

    counts: _Counts
    #: The number of the history of each n-gram.
    numbers: Codes
    histories: _Keys
    totals: Codes
    types: Codes

    @classmethod
    def of(cls, counts: _Counts) -> _Table:
        histories, numbers = np.unique(counts.histories, return_inverse=True)
        totals = np.bincount(numbers, counts.counts, minlength=len(histories)).astype(np.int64)
        return cls(counts, numbers, histories, totals, np.bincount(numbers, minlength=len(histories)))

    def followed(self, words: _Words, size: int, own: Sequence[_Words]) -> tuple[Array, Array, Array]:
        """Of each word: how often it follows its history, how often anything does, and how many different words do."""
        ngram, known = _places(self.counts.ngrams, words.ngrams[size])
        history, met = _places(self.histories, words.histories[size])
        seen = np.where(known, _taken(self.counts.counts, ngram), 0)
        total, types = (np.where(met, _taken(values, history), 0) for values in (self.totals, self.types))
        if own:
            segments = np.concatenate([one.segments for one in own])
            theirs, there = _places(self.counts.ngrams, np.concatenate([one.ngrams[size] for one in own]))
            width = int(max(words.segments.max(initial=0), segments.max(initial=0))) + 1
            cells, times = np.unique(theirs[there] * width + segments[there], return_counts=True)
            of, segment = np.divmod(cells, width)
            seen = seen - np.where(known, _summed(cells, times, ngram * width + words.segments), 0)
            # What is left of a history: fewer words follow it, and those that only this segment has are gone.
            behind, here = self.numbers[of] * width + segment, history * width + words.segments
            gone = times >= self.counts.counts[of]
            total = total - np.where(met, _summed(behind, times, here), 0)
            types = types - np.where(met, _summed(behind[gone], np.ones(int(gone.sum()), dtype=np.int64), here), 0)
        return tuple(np.maximum(one, 0).astype(np.float64) for one in (seen, total, types))  # type: ignore[return-value]


def _places(known: NDArray[Any], wanted: NDArray[Any]) -> tuple[Codes, Flags]:
    """Where keys stand in a sorted list, and which of them do at all."""
    places = np.minimum(np.searchsorted(known, wanted), max(len(known) - 1, 0))
    return places, known[places] == wanted if len(known) else np.zeros(len(wanted), dtype=np.bool_)


def _taken(values: Codes, places: Codes) -> Codes:
    return values[places] if len(values) else np.zeros(len(places), dtype=np.int64)


def _summed(cells: Codes, values: Codes, wanted: Codes) -> Codes:
    """The sum of the values of each cell that is asked for; cells may come several times."""
    known, numbers = np.unique(cells, return_inverse=True)
    places, there = _places(known, wanted)
    return np.where(there, _taken(np.bincount(numbers, values, minlength=len(known)).astype(np.int64), places), 0)


@dataclass(frozen=True, kw_only=True)
class LanguageModel(Metric):
    """Perplexity: among how many equally likely words the model would have to choose; lower is better, 1 the least.

    The model learns from the references of the test set, and scores each segment as if it had not seen the segment's
    own references; or from the lines of ``text``, a file. References are no part of the score otherwise. ``order`` is
    how many words the model looks at, the predicted one among them.
    """

    name: ClassVar[str] = "lm"
    label: ClassVar[str] = "LM perplexity"
    summary: ClassVar[str] = "how surprising the words of a translation are to an n-gram model of good texts"
    higher_is_better: ClassVar[bool] = False
    compares: ClassVar[bool] = False
    percent: ClassVar[bool] = False

    order: int = field(default=3, metadata={"least": 1, "most": 10})
    text: str | None = field(default=None, metadata={"takes": "a file with a text per line, or none"})
    tokenize: str = "13a"
    ngrams: _NgramSurvey | None = field(default=None, repr=False, compare=False)
    fitted_on: tuple[str, ...] | None = field(default=None, repr=False)  # type: ignore[misc]

    @property
    def bounds(self) -> tuple[float, None]:
        return 1.0, None

    @property
    def columns(self) -> tuple[str, ...]:
        return ("bits", "words")

    def resources(self) -> Mapping[str, str]:
        return {**super().resources(), **({} if self.text is None else {"text": _lines(self.text).digest})}

    @property
    def needs_survey(self) -> bool:
        return self.text is None and self.ngrams is None

    def survey(self, batch: Batch) -> _NgramSurvey:
        first, *others = (_NgramSurvey.of(words) for words in self._references(batch))
        for other in others:
            first += other
        return first

    def _references(self, batch: Batch) -> list[_Words]:
        pairs = zip(batch.references, batch.present, strict=True)
        return [_Words.of(reference, self.order, present) for reference, present in pairs]

    def fit(self, survey: _NgramSurvey, fitted_on: tuple[str, ...]) -> Self:
        return replace(self, ngrams=survey, fitted_on=fitted_on)

    def influence(self, batch: Batch, members: Codes, units: int) -> Influence:
        """What each unit's own rows are: the model is taken as it is."""
        return lambda rows, _, of: sums_of_units(rows, of, units)

    def count(self, batch: Batch) -> Rows:
        words = _Words.of(batch.translations, self.order)
        if self.text is not None:
            bits = _model(self.text, self.recipe, self.order).surprise(words, [])
        elif self.ngrams is not None:
            bits = self.ngrams.surprise(words, self._references(batch))
        else:
            raise ParameterError("lm counts only after a survey of all references; use evaluate().")
        counts = np.bincount(words.segments, minlength=len(batch))
        return np.column_stack([np.bincount(words.segments, bits, minlength=len(batch)), counts])

    def score(self, rows: Rows) -> Scores:
        return np.asarray(np.exp2(ratio(rows[..., 0], rows[..., 1])))

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        """Bits per word, the end of each text among the words, and how many words that are."""
        return {"bits_per_word": ratio(rows[..., 0], rows[..., 1]), "words": rows[..., 1]}


def _lines(path: str) -> Texts:
    """The lines of a file; read once, and again when it has changed."""
    try:
        state = Path(path).stat()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}. Give a file with a text per line.") from None
    return _read(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=4)
def _read(path: str, _size: int, _changed: int) -> Texts:
    texts = read_lines(path)
    if not len(texts) or not texts.lengths().any():
        raise InputError(f"{path}: no text in it. A language model learns from a file with a text per line.")
    return texts


def _model(path: str, recipe: Recipe, order: int) -> _NgramSurvey:
    return _learned(_lines(path), recipe, order)


@lru_cache(maxsize=4)
def _learned(texts: Texts, recipe: Recipe, order: int) -> _NgramSurvey:
    return _NgramSurvey.of(_Words.of(recipe.cook([texts])[0], order))
