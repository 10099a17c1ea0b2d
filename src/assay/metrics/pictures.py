"""What an explanation shows: the matches, edits or runs behind one segment's score, as plain data.

A metric's ``picture`` gives one of these; ``assay.explanation`` draws them. Positions count words (or characters) from
0, spans are half open, and words are those that the metric saw, after its recipe. The functions below make what several
metrics show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.text.batch import Batch

Words = tuple[str, ...]
_Span = tuple[int, int]
_Ids = NDArray[np.uint64]
#: Edits and shifts as kernels give them, out of the ids of a translation and a reference.
_FindEdits = Callable[
    [_Ids, _Ids], tuple[Iterable[tuple[str, int | None, int | None]], Iterable[tuple[Sequence[int], int, int]]]
]
#: What a match of each of some n-grams is worth.
_Weigh = Callable[[Sequence[Words]], Sequence[float]]


@dataclass(frozen=True)
class Link:
    """Words of the translation matched with words of the reference, and by what: ``exact``, ``stem`` ..."""

    translation: _Span
    reference: _Span
    kind: str
    #: Links of one chunk stand next to each other, in the same order on both sides.
    chunk: int


@dataclass(frozen=True)
class Alignment:
    """METEOR: words linked with words; those of the function lists count less."""

    translation: Words
    reference: Words
    #: Which reference this is, from 0.
    reference_index: int
    links: tuple[Link, ...]
    translation_function_words: frozenset[int] = frozenset()
    reference_function_words: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Edit:
    """One step from the translation to the reference: an insertion is a word too many, a deletion one too few."""

    operation: Literal["match", "substitution", "insertion", "deletion"]
    #: Position in the translation as it was written, whatever was shifted; None for a deletion.
    translation: int | None
    #: None for an insertion.
    reference: int | None


@dataclass(frozen=True)
class Shift:
    """A block of the translation that is moved as a whole, for one edit."""

    #: The words that move, as positions in the translation as it was written.
    words: tuple[int, ...]
    #: Where the block began in the order before this shift, and where it begins in the order behind it.
    source: int
    target: int


@dataclass(frozen=True)
class EditScript:
    """WER, CER, TER: the translation, shifted if need be, then edited step by step, in the order of the reference."""

    translation: Words
    reference: Words
    reference_index: int
    edits: tuple[Edit, ...]
    shifts: tuple[Shift, ...] = ()


@dataclass(frozen=True)
class Ngram:
    """One n-gram of the translation that references have as well."""

    words: Words
    #: How often it stands in the translation, how often at most in one reference, and how often it counts.
    translation_count: int
    reference_count: int
    matched: int
    #: What a match is worth; 1, except in NIST, BLANC, and where words have weights.
    weight: float = 1.0
    #: How many words were skipped inside, as BLANC groups them (``0``, ``5-6``); empty where none may be.
    gap: str = ""
    #: The words of each match, as positions in the translation, where they need not stand side by side.
    places: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class NgramOrder:
    """The n-grams of one length."""

    order: int
    unit: Literal["word", "character"]
    matches: tuple[Ngram, ...]
    translation_total: int
    #: Of the one reference that counts; None where several count together.
    reference_total: int | None
    #: Of skip-n-grams, of which wide ones count less: what those in common, all of ours and of the reference count.
    worth: tuple[float, float, float] | None = None
    #: How many count beyond ``matches``, where there are too many to list.
    unlisted: int = 0
    #: Where words have weights: what the matches, the words of the translation and those of the reference weigh.
    weighed: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class NgramMatches:
    """BLEU, modBLEU, NIST, chrF, PER, BLANC and the unigram metrics: which n-grams of the translation count."""

    translation: Words
    references: tuple[Words, ...]
    #: The one reference that counts, where a single one does.
    reference_index: int | None
    orders: tuple[NgramOrder, ...]
    #: The characters of the translation, where they are counted beside or instead of its words.
    translation_characters: Words = ()


@dataclass(frozen=True)
class Run:
    """A diagonal of hits: ``length`` words from translation word ``row`` and column ``column`` of the grid on.

    A run that the length cap cut short counts for less than its cells: ``counted`` may be fractional.
    """

    row: int
    column: int
    length: int
    counted: float

    @property
    def cells(self) -> Iterator[tuple[int, int]]:
        """Its hits: row and column."""
        return ((self.row + step, self.column + step) for step in range(self.length))


@dataclass(frozen=True)
class BitextGrid:
    """GTM: the bitext grid, a row per word of the translation and the references side by side.

    Each reference is followed by a barrier, a column that matches nothing: ``barriers`` are those columns.
    """

    translation: Words
    references: tuple[Words, ...]
    barriers: tuple[int, ...]
    hits: tuple[tuple[int, int], ...]
    runs: tuple[Run, ...]
    #: Hits that were left out because the cap on the match size was reached.
    capped: tuple[tuple[int, int], ...] = ()
    #: The matching before the cap, where that cut anything off: light in the paper's Figure 2, what is left of it dark.
    initial: tuple[Run, ...] = ()
    #: What each word of the translation weighs; empty where all weigh 1. A run then counts what its words weigh.
    weights: tuple[float, ...] = ()

    def size_of(self, run: Run) -> float:
        """What a run counts unless the cap cuts it: its words, or what they weigh."""
        return sum(self.weights[run.row : run.row + run.length]) if self.weights else run.length


Picture = Alignment | EditScript | NgramMatches | BitextGrid


def runs_of(cells: Iterable[tuple[int, int]]) -> tuple[Run, ...]:
    """The runs that some hits make up, whole, in the order of their first rows.

    >>> runs_of([(0, 4), (1, 5), (3, 0)])
    (Run(row=0, column=4, length=2, counted=2.0), Run(row=3, column=0, length=1, counted=1.0))
    """
    known, runs = set(cells), list[Run]()
    for row, column in sorted(known):
        if (row - 1, column - 1) not in known:
            length = 1
            while (row + length, column + length) in known:
                length += 1
            runs.append(Run(row, column, length, float(length)))
    return tuple(runs)


def edit_script(batch: Batch, index: int, find: _FindEdits) -> EditScript:
    """The first segment of ``batch`` beside one of its references."""
    edits, shifts = find(batch.translations.first(), batch.references[index].first())
    return EditScript(
        batch.translation_units(),
        batch.reference_units(index),
        index,
        tuple(Edit(*edit) for edit in edits),  # type: ignore[arg-type]
        tuple(Shift(tuple(words), source, target) for words, source, target in shifts),
    )


def ngram_picture(
    batch: Batch, orders: Iterable[int], *, best: int | None = None, weigh: _Weigh | None = None
) -> NgramMatches:
    """The n-grams of the first segment that count: with one reference, or with all of them together."""
    translation = batch.translation_units()
    references = tuple(batch.reference_units(index) for index in range(len(batch.reference_texts)))
    if best is None and len(references) == 1:
        best = 0
    present = [words for words, there in zip(references, batch.present, strict=True) if there[0]]
    counting = present if best is None else [references[best]]
    matches = tuple(matched_order(translation, counting, order, weigh=weigh) for order in orders)
    return NgramMatches(translation, references, best, matches)


def matched_order(
    translation: Words,
    references: Sequence[Words],
    order: int,
    unit: Literal["word", "character"] = "word",
    weigh: _Weigh | None = None,
) -> NgramOrder:
    """The n-grams that count: each at most as often as one of the references has it.

    >>> [(match.words, match.matched) for match in matched_order(("the", "the", "cat"), [("the", "cat")], 1).matches]
    [(('the',), 1), (('cat',), 1)]
    """
    # How often each n-gram stands on either side, in order of appearance.
    ours, *theirs = (
        Counter(words[start : start + order] for start in range(len(words) - order + 1))
        for words in (translation, *references)
    )
    most = {ngram: max(counts[ngram] for counts in theirs) for ngram in ours}
    common = [ngram for ngram in ours if most[ngram]]
    weights = weigh(common) if weigh else [1.0] * len(common)
    return NgramOrder(
        order,
        unit,
        tuple(
            Ngram(ngram, ours[ngram], most[ngram], min(ours[ngram], most[ngram]), weight)
            for ngram, weight in zip(common, weights, strict=True)
        ),
        translation_total=ours.total(),
        reference_total=theirs[0].total() if len(theirs) == 1 else None,
    )


@dataclass(frozen=True)
class SkipCounts:
    """Skip-n-grams of one size by buckets of gaps, each with its name, its largest gap and what one of them is worth.

    The numbers are of skip-n-grams in common, of the translation and of the reference: sides by buckets.
    """

    size: int
    names: Sequence[str]
    ends: Sequence[int]
    worth: NDArray[np.float64]
    counts: NDArray[np.float64]


def skipped_order(translation: Words, reference: Words, counted: SkipCounts, *, most: int) -> NgramOrder:
    """The skip-n-grams that count: within each gap at most as often as the reference has them within it.

    Narrow gaps come first. A bucket in which either text has more than ``most`` of them is not listed.
    """
    matches: list[Ngram] = []
    before: Counter[Words] = Counter()
    used: dict[Words, int] = {}
    for bucket, (name, end) in enumerate(zip(counted.names, counted.ends, strict=True)):
        if counted.counts[1:, : bucket + 1].sum(axis=1).max() > most:
            break
        ours, theirs = (_places(words, counted.size, end) for words in (translation, reference))
        now = Counter(
            {ngram: min(len(places), len(theirs[ngram])) for ngram, places in ours.items() if ngram in theirs}
        )
        for ngram, count in now.items():
            new = count - before[ngram]
            if new:
                start = used.get(ngram, 0)
                used[ngram] = start + new
                places = tuple(ours[ngram][start : start + new])
                weight = float(counted.worth[bucket])
                matches.append(Ngram(ngram, len(ours[ngram]), len(theirs[ngram]), new, weight, name, places))
        before = now
    common, whole, other = counted.counts.sum(axis=1)
    worth = tuple((counted.counts @ counted.worth).tolist())
    unlisted = int(common) - sum(match.matched for match in matches)
    return NgramOrder(counted.size, "word", tuple(matches), int(whole), int(other), worth, unlisted)


def _places(words: Words, size: int, gap: int) -> dict[Words, list[tuple[int, ...]]]:
    """Where each skip-n-gram with at most ``gap`` words inside stands, the narrowest first."""
    found: dict[Words, list[tuple[int, ...]]] = {}
    listed = [
        (first, *rest)
        for first in range(len(words))
        for rest in combinations(range(first + 1, min(first + size + gap, len(words))), size - 1)
    ]
    for places in sorted(listed, key=lambda places: (places[-1] - places[0], places)):
        found.setdefault(tuple(words[place] for place in places), []).append(places)
    return found
