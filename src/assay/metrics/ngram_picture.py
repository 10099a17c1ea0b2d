"""Which n-grams of one translation count: the picture behind BLEU, NIST, chrF, PER and the unigram metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from assay.metrics.base import Metric, Rows, best_references
from assay.metrics.pictures import Ngram, NgramMatches, NgramOrder, Words
from assay.text.batch import Batch

#: What a match of each of some n-grams is worth.
Weigh = Callable[[Sequence[Words]], Sequence[float]]


def count_ngrams(words: Words, order: int) -> Counter[Words]:
    """How often each n-gram of ``order`` words stands in ``words``, in order of appearance."""
    return Counter(words[start : start + order] for start in range(len(words) - order + 1))


def matched_order(
    translation: Words,
    references: Sequence[Words],
    order: int,
    unit: Literal["word", "character"] = "word",
    weigh: Weigh | None = None,
) -> NgramOrder:
    """The n-grams that count: each at most as often as one of the references has it.

    >>> [(match.words, match.matched) for match in matched_order(("the", "the", "cat"), [("the", "cat")], 1).matches]
    [(('the',), 1), (('cat',), 1)]
    """
    own = count_ngrams(translation, order)
    others = [count_ngrams(reference, order) for reference in references]
    most = {ngram: max(other[ngram] for other in others) for ngram in own}
    common = [ngram for ngram in own if most[ngram]]
    weights = weigh(common) if weigh else [1.0] * len(common)
    return NgramOrder(
        order,
        unit,
        tuple(
            Ngram(ngram, own[ngram], most[ngram], min(own[ngram], most[ngram]), weight)
            for ngram, weight in zip(common, weights, strict=True)
        ),
        translation_total=max(len(translation) - order + 1, 0),
        reference_total=max(len(references[0]) - order + 1, 0) if len(references) == 1 else None,
    )


def ngram_picture(batch: Batch, orders: Iterable[int], weigh: Weigh | None = None) -> NgramMatches:
    """Matches with all references together."""
    translation = batch.translation_units()
    references = tuple(batch.reference_units(index) for index in range(len(batch.reference_texts)))
    present = [words for words, there in zip(references, batch.present, strict=True) if there[0]]
    only = 0 if len(references) == 1 else None
    found = tuple(matched_order(translation, present, order, weigh=weigh) for order in orders)
    return NgramMatches(translation, references, only, found)


def unigram_picture(metric: Metric, candidates: Sequence[Rows], batch: Batch) -> NgramMatches:
    """Matched words, whatever their order, with the reference whose row scores best."""
    best = int(best_references(metric, candidates, batch)[0])
    translation = batch.translation_units()
    references = tuple(batch.reference_units(index) for index in range(len(batch.reference_texts)))
    return NgramMatches(translation, references, best, (matched_order(translation, [references[best]], 1),))
