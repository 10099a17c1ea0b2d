"""BLANC (Lita, Rogati & Lavie, 2005): all skip-n-grams that a translation and its reference have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assay import kernels
from assay.errors import InputError, ParameterError, UnknownName
from assay.metrics.base import BestReference, Metric, Rows, Scores, ratio
from assay.metrics.meteor_parameters import LANGUAGES, MODULES, stemmer_of
from assay.metrics.tunable import Tunable, several
from assay.text.batch import Batch
from assay.text.recipe import Recipe, Sequences
from assay.text.synonyms import load_synonyms

if TYPE_CHECKING:
    from assay.metrics.pictures import NgramMatches, Words

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
#: METEOR's modules that match single words; a paraphrase may be several.
_WORD_MODULES = tuple(module for module in MODULES if module != "paraphrase")


@dataclass(frozen=True, kw_only=True)
class Blanc(BestReference):
    """Precision and recall of skip-n-grams of 1 to ``order`` words, clipped as BLEU clips n-grams.

    ``gap`` is how many words may be skipped inside, any number by default. A skip-n-gram with a gap of g counts
    exp(-``decay`` g). ``weights`` are those of the sizes, equal by default, and ``alpha`` is the weight of recall.
    Words that METEOR's ``modules`` match count as equal, by stems and synonyms of the ``language``.
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
    modules: str = field(
        default="exact",
        metadata={"takes": f"{', '.join(_WORD_MODULES)} in this order, with + between (exact+stem)", "later": True},
    )
    language: str | None = field(
        default=None, metadata={"takes": f"{', '.join(LANGUAGES)} or none (en)", "later": True}
    )
    synonyms: str | None = field(default=None, metadata={"takes": "a file or folder, or none", "later": True})
    tokenize: str = "none:ascii"

    def check(self) -> None:
        self._check_modules()
        self.require(1 <= self.order <= 16, "order", "a whole number from 1 to 16")
        self.require(self.gap is None or 0 <= self.gap <= 10**6, "gap", "none, or a whole number from 0 to 10^6")
        self.require(self.decay >= 0.0, "decay", "a number from 0 (no decay) on")
        self.require(0.0 <= self.alpha <= 1.0, "alpha", "a number from 0 (precision alone) to 1 (recall alone)")
        weights = self.weights
        if weights is not None:
            sound = len(weights) == self.order and min(weights) >= 0 and sum(weights) > 0
            self.require(sound, "weights", f"{self.order} weights of at least 0 (one per size), not all 0")

    def _check_modules(self) -> None:
        chosen = self.modules.split("+")
        for module in chosen:
            if module not in _WORD_MODULES:
                raise UnknownName.of("module of blanc", module, _WORD_MODULES)
        in_order = [module for module in _WORD_MODULES if module in chosen]
        wanted = f"exact alone or followed by others, in the order {'+'.join(_WORD_MODULES)}"
        self.require(chosen == in_order and chosen[0] == "exact", "modules", wanted)
        if self.modules == "exact":
            self.require(self.language is None, "language", "no value with modules=exact: equal words need no language")
        elif stemmer_of(self.language or "en") is None and self.stem is None and "stem" in chosen:
            raise ParameterError(
                f"blanc: language={self.language} has no stemmer of its own. "
                "Name one as stem=NAME, or leave stem out of modules."
            )
        if "synonym" not in chosen:
            self.require(self.synonyms is None, "synonyms", "no value unless synonym is among the modules")
        elif self.synonyms is None and (self.language or "en") != "en":
            raise ParameterError(
                f"blanc: no synonyms come with the package for language={self.language}. "
                "Give a dictionary as synonyms=PATH, or leave synonym out of modules."
            )
        if self.stem is not None and self.modules == "exact+synonym":
            raise ParameterError(
                f"blanc: stem={self.stem} is given, but synonyms are looked up by whole words. "
                "Add the module: modules=exact+stem+synonym."
            )

    @property
    def _stem(self) -> str | None:
        """What the module stem takes stems by; without it, the recipe stems or nobody does."""
        if "stem" not in self.modules.split("+"):
            return None
        return self.stem or stemmer_of(self.language or "en")

    @property
    def recipe(self) -> Recipe:
        """Words as they stand, beside which the modules look at stems; without modules as every metric's."""
        whole = super().recipe
        return whole if self.modules == "exact" else replace(whole, stem=None)

    @property
    def resolved(self) -> Metric:
        return self if self.modules == "exact" else replace(self, language=self.language or "en", stem=self._stem)

    def in_language(self, code: str) -> Metric:
        """Stems and synonyms are those of the language, unless another was chosen."""
        if self.modules == "exact" or "language" in self.chosen:
            return super().in_language(code)
        return self._changed(language=code).in_language(code)

    def resources(self) -> Mapping[str, str]:
        digests = dict(replace(self.recipe, stem=self._stem or self.recipe.stem).resources())
        if self.synonyms is not None:
            digests["synonyms"] = load_synonyms(self.synonyms).digest
        return digests

    def _words(self, batch: Batch) -> list[tuple[Sequences, Sequences]]:
        """The translations beside each reference, in ids that are equal where words count as equal."""
        if self.modules == "exact":
            return [(batch.translations, reference) for reference in batch.references]
        words = batch.under(self.recipe)
        base = f"wordnet-base:{self.synonyms}" if self.synonyms else "wordnet-base"
        looks = {"stem": self._stem, "synonym": base if "synonym" in self.modules.split("+") else None}
        wanted = {module: name for module, name in looks.items() if name is not None}
        stemmed = dict(zip(wanted, words.under_stems(*wanted.values()), strict=True))
        names = stemmed.get("stem", words)
        if "synonym" not in stemmed:
            return [(names.translations, reference) for reference in names.references]
        bases, synonyms = stemmed["synonym"], load_synonyms(self.synonyms)
        ours = (words.translations, bases.translations, names.translations)
        sides = zip(words.references, bases.references, names.references, strict=True)
        joined = []
        for theirs in sides:
            left, right = kernels.join_synonyms(ours, theirs, synonyms, batch.threads)
            joined.append((Sequences(left, ours[0].offsets), Sequences(right, theirs[0].offsets)))
        return joined

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
            np.hstack([self._common(*sides, batch.threads), ours, self._totals(sides[1].lengths())])
            for sides in self._words(batch)
        ]

    def picture(self, batch: Batch) -> NgramMatches:
        """The skip-n-grams in common, narrow gaps first, and what they count."""
        from assay.metrics.pictures import NgramMatches, SkipCounts, matched_order, skipped_order

        best = int(self.best(batch)[0])
        translation = batch.translation_units()
        references = tuple(batch.reference_units(index) for index in range(len(batch.reference_texts)))
        if self.modules != "exact":
            translation, joined = _equal_words(translation, references[best], *self._words(batch)[best])
            references = (*references[:best], joined, *references[best + 1 :])
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

    def _common(self, translations: Sequences, reference: Sequences, threads: int) -> Rows:
        ends = [last for _, last in self.buckets if last is not None]
        rows = kernels.common_skip_ngrams(translations, reference, self.order, ends, self.gap is None, EFFORT, threads)
        if np.isnan(rows[:, 0]).any():
            worst = int(np.isnan(rows[:, 0]).argmax())
            ours, theirs = (int(side.lengths()[worst]) for side in (translations, reference))
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


def _equal_words(translation: Words, reference: Words, ours: Sequences, theirs: Sequences) -> tuple[Words, Words]:
    """The words of the first segment, each with the others that count as equal behind it: ``sofa=couch``."""
    sides = list(zip((*translation, *reference), (*ours.first().tolist(), *theirs.first().tolist()), strict=True))
    equal: dict[int, dict[str, None]] = {}
    for word, name in sides:
        equal.setdefault(name, {})[word] = None
    named = ["=".join(equal[name]) for _, name in sides]
    return tuple(named[: len(translation)]), tuple(named[len(translation) :])


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
