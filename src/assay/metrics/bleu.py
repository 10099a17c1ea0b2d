"""BLEU (Papineni et al., 2002): geometric mean of clipped n-gram precisions, with a penalty for brevity."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.metrics.base import Counter, Rows, Scores, ratio
from assay.metrics.ngrams import NgramRows, NgramTable
from assay.metrics.tunable import Candidates, Tunable, several
from assay.text.batch import Batch

if TYPE_CHECKING:
    from assay.metrics.pictures import NgramMatches

Smoothing = Literal["none", "floor", "add-k", "exp", "method4", "method5", "method6", "method7"]
ReferenceLength = Literal["closest", "shortest", "average"]

#: What ``smoothing_value`` is when it is not given (Chen & Cherry, 2014).
_DEFAULT_VALUES = {"floor": 0.1, "add-k": 1.0, "method4": 5.0, "method6": 5.0, "method7": 5.0}
#: The smoothings of Chen & Cherry (2014) that have no name but their number, as NLTK computes them: orders that a
#: translation is too short for are smoothed, too.
_NUMBERED = ("method4", "method5", "method6", "method7")

#: The release of sacreBLEU whose signature and numbers are ours.
SACREBLEU_VERSION = "2.6.0"


@dataclass(frozen=True, kw_only=True)
class NgramPrecision(NgramRows):
    """What BLEU and its relatives count: clipped matches and totals per order, and two lengths."""

    found: ClassVar[str] = "matches"

    reference_length: ReferenceLength = "closest"

    def count(self, batch: Batch) -> Rows:
        matches = kernels.clipped_matches(
            batch.translations, batch.references, batch.present, self.counted_order, batch.threads
        )
        return self.rows(batch, self._reference_length(batch), matches)

    def counter(self, batch: Batch) -> Counter:
        table = NgramTable.of(batch, self.counted_order)

        def count(references: Sequence[int]) -> Rows:
            return self.rows(batch, self._reference_length(batch.against(references)), table.matches(references))

        return count

    def _reference_length(self, batch: Batch) -> Scores:
        if len(batch.references) == 1:
            return batch.references[0].lengths()
        if self.reference_length == "average":
            return batch.mean_reference_length()
        references = np.where(batch.present, batch.reference_lengths(), np.inf)
        if self.reference_length == "shortest":
            shortest: Scores = references.min(axis=0)
            return shortest
        distances = np.abs(references - batch.translations.lengths())
        # Of two equally close references the shorter counts, whichever comes first.
        closest: Scores = np.where(distances == distances.min(axis=0), references, np.inf).min(axis=0)
        return closest

    def picture(self, batch: Batch) -> NgramMatches:
        from assay.metrics.pictures import ngram_picture

        return ngram_picture(batch, range(1, self.order + 1))

    def brevity_penalty(self, rows: Rows) -> Scores:
        """1 for translations at least as long as their references, 0 for empty ones."""
        length, reference = rows[..., 0], rows[..., 1]
        shortfall = 1.0 - ratio(reference, length)
        penalty = np.where(length > 0, np.exp(np.minimum(0.0, shortfall)), 0.0)
        # Nothing where nothing was wanted is not too short.
        return np.where(length >= reference, 1.0, penalty)

    @abstractmethod
    def precisions(self, rows: Rows) -> Rows:
        """Precision of each order, 0 to 1."""

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        precisions = 100.0 * self.precisions(rows)
        return {f"precision_{n + 1}": precisions[..., n] for n in range(self.order)} | {
            "brevity_penalty": self.brevity_penalty(rows),
            "length_ratio": ratio(rows[..., 0], rows[..., 1]),
            "translation_length": rows[..., 0],
            "reference_length": rows[..., 1],
        }


@dataclass(frozen=True, kw_only=True)
class Bleu(NgramPrecision):
    """0 to 100, as sacreBLEU computes it; ``convention="mteval"`` treats short segments as mteval does.

    ``weights`` are those of the orders in the geometric mean, equal by default. With ``effective_order`` orders for
    which a translation is too short are left out: of single segments unless it is false, of a whole corpus only where
    it is true. With ``references="best"`` each segment is held against one reference alone, the first of those that
    give it the best score as a single segment; usually n-grams of all references count at once.
    """

    name: ClassVar[str] = "bleu"
    label: ClassVar[str] = "BLEU"
    summary: ClassVar[str] = "n-gram precision against any reference, with a penalty for brevity"

    weights: tuple[float, ...] | None = field(
        default=None, metadata={"takes": "a number for each order, such as [1,1,2,2], or none"}
    )
    smoothing: Smoothing = "exp"
    smoothing_value: float | None = None
    effective_order: bool | None = None
    convention: Literal["sacrebleu", "mteval"] = "sacrebleu"
    references: Literal["all", "best"] = field(default="all", metadata={"later": True})

    def check(self) -> None:
        weights = self.weights
        if weights is not None:
            sound = len(weights) == self.order and min(weights) >= 0 and sum(weights) > 0
            self.require(sound, "weights", f"{self.order} weights of at least 0 (one per order), not all 0")
        value = self.smoothing_value
        if value is not None:
            with_value = "floor, add-k, method4, method6 or method7"
            self.require(self.smoothing in _DEFAULT_VALUES, "smoothing_value", f"a number only with {with_value}")
            self.require(value >= 0, "smoothing_value", "a number of at least 0")
            self.require(value > 0 or self.smoothing not in _NUMBERED, "smoothing_value", "a number above 0")
        if self.convention == "mteval":
            self.require(self.smoothing in ("none", "exp"), "smoothing", "none or exp under mteval's convention")
            self.require(not self.effective_order, "effective_order", "false under mteval's convention")

    @property
    def counted_order(self) -> int:
        """One further where each order is smoothed by those beside it."""
        return self.order + (self.smoothing in ("method5", "method7"))

    def count(self, batch: Batch) -> Rows:
        return super().count(batch) if self.references == "all" else self.counter(batch)(range(len(batch.references)))

    def counter(self, batch: Batch) -> Counter:
        if self.references == "all":
            return super().counter(batch)
        each, segments = self.candidates(batch).rows, np.arange(len(batch))
        best_among = self.chooser(self.compared_by(each), batch.present)
        return lambda references: each[best_among(references), segments]

    def candidates(self, batch: Batch) -> Candidates:
        if self.references == "all":
            return super().candidates(batch)
        alone = [NgramPrecision.count(self, batch.against([number])) for number in range(len(batch.references))]
        return Candidates(np.stack(alone), batch.present)

    def compared_by(self, each: Rows) -> Scores:
        return self.for_segments().score(each)

    def picture(self, batch: Batch) -> NgramMatches:
        from assay.metrics.pictures import ngram_picture

        best = None
        if self.references == "best":
            candidates = self.candidates(batch)
            best = int(self.choose(self.compared_by(candidates.rows), candidates.present)[0])
        return ngram_picture(batch, range(1, self.order + 1), best=best)

    def for_segments(self) -> Bleu:
        """With effective order, as the field scores single sentences, unless refused or not mteval's or NLTK's way."""
        decided = self.effective_order is not None or self.convention == "mteval" or self.smoothing in _NUMBERED
        return self if decided else replace(self, effective_order=True)

    def segment_scoring(self) -> str | None:
        how = f"without the orders that a segment is too short for, smoothing {self.smoothing}"
        return super().segment_scoring() and f"with effective_order=true: {how}"

    def zeros(self, rows: Rows) -> Mapping[str, NDArray[np.bool_]]:
        matches, totals = self.matches_and_totals(rows)
        zero = (matches[:, 0] > 0) & (self.for_segments().score(rows) == 0.0)
        short = (totals == 0).any(axis=1)
        remedy = "Take smoothing=exp" if self.convention == "mteval" else "With effective_order=true it has no say"
        return {
            "for want of n-grams: the translation has fewer tokens than the longest n-grams that are asked for "
            f"({self.order}), so that this order has no precision. {remedy}": zero & short,
            f"for want of matches: words match, but an order has no match, and smoothing={self.smoothing} leaves it 0. "
            "Take smoothing=exp": zero & ~short,
        }

    @property
    def resolved(self) -> Bleu:
        return replace(self, effective_order=bool(self.effective_order))

    @property
    def tunables(self) -> tuple[Tunable, ...]:
        """Weights against the first order's, since their scale does not matter; without weights also the order."""
        weights = self.weights or (1.0,) * self.order
        first = weights[0] or 1.0
        tunables = several(
            "weights", [weight / first for weight in weights], places=range(1, self.order), low=0.0, high=4.0
        )
        if self.smoothing in _DEFAULT_VALUES:
            tunables += (Tunable("smoothing_value", self._value, 1e-3, 10.0, log=True),)
        if self.weights is None:
            tunables += (Tunable("order", self.order, 1, 64, changes="rows", values=(1, 2, 3, 4, 5, 6)),)
        return tunables

    def score(self, rows: Rows) -> Scores:
        precisions = self.precisions(rows)
        weights = np.asarray(self.weights or (1.0,) * self.order)
        weights = weights / weights.max()
        matches, totals = self.matches_and_totals(rows)
        if self.convention == "mteval":
            # An order without n-grams costs nothing, and its share of the mean stays.
            used = np.where(totals > 0, weights, 0.0)
            share = weights.sum()
            scored = (rows[..., 0] > 0) if self.smoothing == "exp" else (matches > 0).all(axis=-1)
        else:
            used = np.where(self._smoothed(rows)[2], weights, 0.0) if self.effective_order else weights
            if self.smoothing == "method4":
                # The logarithm of one word is 0, so that nothing is left of an order without a match: no factor.
                used = np.where((rows[..., :1] <= 1) & (matches == 0), 0.0, used)
            share = np.asarray(used).sum(axis=-1)
            scored = (matches > 0).any(axis=-1) & (share > 0)
        positive = ((precisions > 0) | (used == 0)).all(axis=-1)
        logarithms = np.log(np.where(precisions > 0, precisions, 1.0))
        mean = ratio((used * logarithms).sum(axis=-1), share)
        return np.where(scored & positive, 100.0 * self.brevity_penalty(rows) * np.exp(mean), 0.0)

    def precisions(self, rows: Rows) -> Rows:
        """Smoothed precision of each order, 0 to 1."""
        matches, totals, counted = self._smoothed(rows)
        precisions = ratio(matches, totals)
        missing = (matches == 0) & (totals > 0)
        if self.smoothing == "floor":
            precisions = np.where(missing, ratio(np.asarray(self._value), totals), precisions)
        elif self.smoothing == "exp":
            halvings = np.cumsum(missing, axis=-1)
            precisions = np.where(missing, ratio(np.exp2(-halvings), totals), precisions)
        if self.smoothing in ("method4", "method7"):
            length = rows[..., :1]
            missing &= length > 1
            counts = np.log(np.maximum(length, 1.0)) / (np.exp2(np.cumsum(missing, axis=-1)) * self._value)
            precisions = np.where(missing, ratio(counts, totals), precisions)
        if self.smoothing in ("method5", "method7"):
            precisions = self._between_neighbours(rows, precisions)
        elif self.smoothing == "method6":
            precisions = self._with_prior(rows, precisions)
        return np.where(counted, precisions, 0.0)

    def _between_neighbours(self, rows: Rows, precisions: Rows) -> Rows:
        """Method 5: the mean of an order's precision, that of the next order, and what this gave for the last one."""
        further = ratio(rows[..., 1 + self.counted_order], np.maximum(rows[..., -1], 1.0))
        after = np.concatenate([precisions[..., 1:], further[..., None]], axis=-1)
        before, smoothed = precisions[..., 0] + 1.0, []
        for n in range(self.order):
            before = (before + precisions[..., n] + after[..., n]) / 3.0
            smoothed.append(before)
        return np.stack(smoothed, axis=-1)

    def _with_prior(self, rows: Rows, precisions: Rows) -> Rows:
        """Method 6: from the third order on, a prior by which precisions fall as they fell from order to order."""
        matches, totals = self.matches_and_totals(rows)
        smoothed = [precisions[..., n] for n in range(min(self.order, 2))]
        for n in range(2, self.order):
            prior = ratio(smoothed[-1] ** 2, smoothed[-2])
            smoothed.append((matches[..., n] + self._value * prior) / (totals[..., n] + self._value))
        return np.stack(smoothed, axis=-1)

    @property
    def _value(self) -> float:
        return _DEFAULT_VALUES.get(self.smoothing, 0.0) if self.smoothing_value is None else self.smoothing_value

    def _smoothed(self, rows: Rows) -> tuple[Rows, Rows, NDArray[np.bool_]]:
        """Matches and totals, with k added to all orders but the first, and orders up to the first without n-grams."""
        matches, totals = self.matches_and_totals(rows)
        if self.smoothing == "add-k":
            added = np.where(np.arange(self.order) > 0, self._value, 0.0)
            matches, totals = matches + added, totals + added
        if self.smoothing in _NUMBERED and not self.effective_order:
            totals = np.maximum(totals, 1.0)
        return matches, totals, np.logical_and.accumulate(totals > 0, axis=-1)

    def decompose(self, first: Rows, second: Rows) -> Mapping[str, float]:
        """Points that brevity and the precision of each order contribute; none where a score is 0.

        BLEU is a product, so its logarithm is a sum of a term for brevity and one per order. The logarithmic mean of
        the two scores turns each term's difference into points.
        """
        scores = [float(self.score(rows)) for rows in (first, second)]
        if min(scores) <= 0.0 or self.effective_order or self.convention != "sacrebleu":
            return {}
        ours, theirs = self.parts(first), self.parts(second)

        def log_ratio(part: str) -> float:
            return math.log(float(ours[part]) / float(theirs[part]))

        weights = self.weights or (1.0,) * self.order
        counting = [f"precision_{order}" for order, weight in enumerate(weights, start=1) if weight]
        if min(float(side[part]) for side in (ours, theirs) for part in counting) <= 0.0:
            return {}
        terms = {"brevity": log_ratio("brevity_penalty")}
        for order, weight in enumerate(weights, start=1):
            name = f"precision_{order}"
            terms[name] = weight / sum(weights) * log_ratio(name) if weight else 0.0
        whole = math.log(scores[0] / scores[1])
        scale = scores[0] if abs(whole) < 1e-12 else (scores[0] - scores[1]) / whole
        return {name: scale * term for name, term in terms.items()}

    def sacrebleu_signature(self, references: int) -> str | None:
        plain = type(self)(
            lowercase=self.lowercase,
            tokenize=self.tokenize,
            smoothing=self.smoothing,
            smoothing_value=self.smoothing_value,
            effective_order=self.effective_order,
        )
        tokenizer = {"none": "none", "13a": "13a", "intl-sacrebleu": "intl", "zh": "zh", "char": "char"}.get(
            self.tokenize
        )
        if self != plain or tokenizer is None or self.lowercase == "ascii" or self.smoothing in _NUMBERED:
            return None
        smoothing: str = self.smoothing
        if smoothing in ("floor", "add-k"):
            smoothing += f"[{self._value:.2f}]"
        case = "lc" if self.lowercase else "mixed"
        effective = "yes" if self.effective_order else "no"
        settings = f"case:{case}|eff:{effective}|tok:{tokenizer}|smooth:{smoothing}"
        return f"BLEU|nrefs:{references}|{settings}|version:{SACREBLEU_VERSION}"
