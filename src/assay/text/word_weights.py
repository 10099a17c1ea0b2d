"""Weights of words: how rare they are in the references, METEOR's function words, or a table that the user gives."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Codes, Flags
from assay.data.files import read_bytes, texts_of
from assay.data.texts import Texts
from assay.errors import InputError, Place
from assay.text.recipe import Recipe, Sequences
from assay.text.tables import list_of_function_words

#: What stands for a word in the line that gives the weight of all words that the table does not have.
_OTHER = "<other>"
#: Runs of words are raised to a power in GTM, so that numbers have to stay within reason.
_LARGEST = 1e6
_REMEDY = f"A line is a word, a tab and a number from 0 to {_LARGEST:,.0f}, such as: the<TAB>0.25"

_Ids = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class WordWeights:
    """What words weigh, by their ids: those that are listed, which rise, and all ``other`` ones."""

    ids: _Ids
    weights: Array
    other: float

    def of(self, ids: _Ids) -> Array:
        """The weight of each of some words.

        >>> weights = WordWeights(np.array([3, 7], dtype=np.uint64), np.array([0.5, 2.0]), 1.0)
        >>> weights.of(np.array([7, 4, 3], dtype=np.uint64)).tolist()
        [2.0, 1.0, 0.5]
        """
        if not len(self.ids):
            return np.full(len(ids), self.other)
        places = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where(self.ids[places] == ids, self.weights[places], self.other)


@dataclass(frozen=True, eq=False)
class DocumentFrequencies:
    """In how many of some texts each word stands; those of shards add up, and can be repeated."""

    ids: _Ids
    counts: Codes
    documents: int

    @classmethod
    def of(cls, references: Sequence[Sequences], present: Flags) -> DocumentFrequencies:
        """Of references, each of which is a document in every segment that has it."""
        words = [np.empty(0, dtype=np.uint64)]
        for reference, there in zip(references, present, strict=True):
            segments = np.repeat(np.arange(len(there)), np.diff(reference.offsets))
            order = np.lexsort((reference.ids, segments))
            ids, segments = reference.ids[order], segments[order]
            again = np.zeros(len(ids), dtype=np.bool_)
            again[1:] = (ids[1:] == ids[:-1]) & (segments[1:] == segments[:-1])
            words.append(ids[~again & there[segments]])
        ids, counts = np.unique(np.concatenate(words), return_counts=True)
        return cls(ids, counts.astype(np.int64), int(present.sum()))

    @classmethod
    def total(cls, parts: Sequence[DocumentFrequencies], times: Sequence[int]) -> DocumentFrequencies:
        """Of several, each of which counts so many times."""
        ids, places = np.unique(np.concatenate([part.ids for part in parts]), return_inverse=True)
        repeated = np.concatenate([part.counts * often for part, often in zip(parts, times, strict=True)])
        counts = np.zeros(len(ids), dtype=np.int64)
        np.add.at(counts, places, repeated)
        documents = sum(part.documents * often for part, often in zip(parts, times, strict=True))
        return cls(ids[counts > 0], counts[counts > 0], documents)

    def __add__(self, other: DocumentFrequencies) -> DocumentFrequencies:
        return self.total([self, other], [1, 1])

    def __mul__(self, times: int) -> DocumentFrequencies:
        return self.total([self], [times])

    def idf(self) -> WordWeights:
        """ln((1 + N) / (1 + n)) + 1 of a word that n of N documents have: 1 where all have it, the most where none has.

        >>> frequencies = DocumentFrequencies(np.array([3], dtype=np.uint64), np.array([1]), 3)
        >>> [round(weight, 4) for weight in frequencies.idf().of(np.array([3, 4], dtype=np.uint64)).tolist()]
        [1.6931, 2.3863]
        """
        return WordWeights(self.ids, self._idf(self.counts.astype(np.float64)), float(self._idf(np.zeros(1))[0]))

    def _idf(self, counts: Array) -> Array:
        idf: Array = np.log((1.0 + self.documents) / (1.0 + counts)) + 1.0
        return idf


def function_word_weights(language: str, delta: float, recipe: Recipe) -> WordWeights:
    """METEOR's: function words weigh 1 - ``delta``, all others ``delta``.

    The list is in small letters. So that it serves texts whose case is kept, words are looked up with a capital and in
    capitals, too. A word that the recipe cuts in two or drops is none of its words.
    """
    listed = list_of_function_words(language)
    cased = list(dict.fromkeys(form for word in listed for form in (word, word.capitalize(), word.upper())))
    (cooked,) = recipe.cook([Texts.of(cased)])
    single = np.diff(cooked.offsets) == 1
    ids = np.unique(cooked.ids[cooked.offsets[:-1][single]])
    return WordWeights(ids, np.full(len(ids), 1.0 - delta), delta)


@dataclass(frozen=True)
class _WeightTable:
    """A table of the user's own, as it was read: words, their weights and the lines that they are on."""

    path: str
    words: tuple[str, ...]
    weights: tuple[float, ...]
    lines: tuple[int, ...]
    #: What all other words weigh.
    other: float
    digest: str

    def under(self, recipe: Recipe) -> WordWeights:
        """The same by id: each word goes through the recipe, and forms that become one word have their mean.

        A word that the recipe drops, as punctuation may be, weighs nothing anywhere. One that it cuts in two is an
        error, for a weight is that of one word.
        """
        (cooked,) = recipe.cook([Texts.of(self.words)])
        counts = np.diff(cooked.offsets)
        if (counts > 1).any():
            place = int((counts > 1).argmax())
            raise InputError(
                f"the metric cuts this word into {counts[place]} words, and a weight is that of one word.",
                "Write the words as its tokenizer leaves them, or choose another tokenizer.",
                Place(self.path, self.lines[place]),
            )
        there = counts == 1
        ids, places = np.unique(cooked.ids[cooked.offsets[:-1][there]], return_inverse=True)
        sums = np.bincount(places, weights=np.array(self.weights)[there], minlength=len(ids))
        return WordWeights(ids, sums / np.maximum(np.bincount(places, minlength=len(ids)), 1), self.other)


def load_weights(path: str | Path) -> _WeightTable:
    """The table at ``path``: a word, a tab and its weight on each line.

    The line of ``<other>`` has the weight of all words that are not listed, which is 1 without it. Empty lines say
    nothing, nor do those that begin with ``#`` and have no tab. Read once, and again when the file has changed.
    """
    try:
        state = Path(path).stat()
    except OSError as error:
        raise InputError(
            f"{path}: {error.strerror or error}.",
            f"weights takes none, idf, function-words or a file. {_REMEDY}",
        ) from None
    return _read(Path(path), state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=8)
def _read(path: Path, _size: int, _changed: int) -> _WeightTable:
    content = read_bytes(path)
    weights: dict[str, float] = {}
    lines: dict[str, int] = {}
    for number, word, weight in _entries(path, content):
        if word in weights:
            raise InputError(
                f"a word that line {lines[word]} has already.",
                "Give each word one weight.",
                Place(str(path), number),
            )
        weights[word], lines[word] = weight, number
    if not weights:
        raise InputError(f"{path}: no word with a weight is in it.", _REMEDY)
    other = weights.pop(_OTHER, 1.0)
    lines.pop(_OTHER, None)
    if not any((other, *weights.values())):
        raise InputError(f"{path}: no word has a weight above 0.", _REMEDY)
    digest = hashlib.sha256(content).hexdigest()
    return _WeightTable(str(path), tuple(weights), tuple(weights.values()), tuple(lines.values()), other, digest)


def _entries(path: Path, content: bytes) -> Iterator[tuple[int, str, float]]:
    """The number of each line that says something, its word and its weight.

    Nothing of a bad line is quoted: a metric's name may come from somebody else, and may name any file there is.
    """
    for number, line in enumerate(texts_of(content, str(path)), start=1):
        if not line.strip() or (line.startswith("#") and "\t" not in line):
            continue
        cells = line.split("\t")
        if len(cells) != 2:
            raise InputError(f"{len(cells) - 1} tabs, and there has to be one.", _REMEDY, Place(str(path), number))
        word, weight = cells[0].strip(), _weight(cells[1])
        if not word:
            raise InputError("no word before the tab.", _REMEDY, Place(str(path), number))
        if weight is None:
            raise InputError("what is behind the tab is no weight.", _REMEDY, Place(str(path), number))
        yield number, word, weight


def _weight(text: str) -> float | None:
    """The weight that a cell gives; None if it gives none."""
    try:
        weight = float(text)
    except ValueError:
        return None
    return weight if math.isfinite(weight) and 0.0 <= weight <= _LARGEST else None
