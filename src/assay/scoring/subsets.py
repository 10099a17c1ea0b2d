"""Scores against many sets of references: text is cooked once, and counted once where the metric allows it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import combinations
from math import comb
from operator import add
from typing import Any

from assay.data.corpus import Corpus
from assay.data.texts import Texts
from assay.errors import AssayWarning
from assay.metrics.base import Counter, Metric, Rows
from assay.scoring.evaluate import Counted, Fit, RowMemory, Shard, Task, corpus_keys, thread_count
from assay.scoring.statistics import Provenance, Statistics
from assay.significance.draws import stream
from assay.text.batch import Batch
from assay.threads import interruptible

#: Numbers of references, in ascending order.
Subset = tuple[int, ...]


class SubsetCounter:
    """Rows of candidates under one metric against any set of references.

    ``shard`` may be shared between metrics, which then share the cooked text, and what is ``known`` is not counted
    again. Sets are best asked for one after the other with all their candidates: what a metric has to know of a set
    (NIST's information) is kept until the next.
    """

    def __init__(
        self,
        metric: Metric,
        candidates: Mapping[str, Texts],
        references: Mapping[str, Texts],
        *,
        shard: Shard | None = None,
        known: Counted | None = None,
    ) -> None:
        self.metric, self._candidates, self._references = metric, candidates, list(references.values())
        self._known = known or Counted(RowMemory(limit=0))
        self._shard = shard or Shard(0, len(next(iter(candidates.values()))), thread_count(None))
        self._batches: dict[str, Batch] = {}
        self._counters: dict[str, Counter] = {}
        self._fitted: tuple[Subset, Fit] | None = None
        self._remarked = False

    def rows(self, candidate: str, subset: Subset) -> Rows:
        """The rows of one candidate against one set."""
        whole = len(subset) == len(self._references)
        kept = self._known.rows.get(self._task(candidate, subset)) if whole else None
        if kept is not None:
            rows = kept
        elif self.metric.needs_survey or type(self.metric).counter is Metric.counter:
            rows = self._counted(candidate, subset)
        else:
            rows = self._counter(candidate)(subset)
        rows = self.metric.in_documents(rows, None)
        if not self._remarked and not self.metric.needs_survey:
            # Once: there are thousands of sets.
            self._remarked = True
            for remark in self.metric.remarks(rows):
                warnings.warn(f"{candidate}: {remark}", AssayWarning, stacklevel=2)
        return rows

    def statistics(self, candidate: str, subset: Subset) -> Statistics:
        """The same rows, with what they were counted from."""
        rows, corpus = self.rows(candidate, subset), self._corpus(candidate, subset)
        fit = self._fit(subset) if self.metric.needs_survey else None
        metric, fitted_on = (self.metric, None) if fit is None else (fit.metric, corpus)
        return Statistics(metric, rows, Provenance.of(corpus), fit=fit, corpus=fitted_on)

    def score(self, candidate: str, subset: Subset) -> float:
        """The corpus score of one candidate against one set."""
        return float(self.metric.score(self.rows(candidate, subset).sum(axis=0)))

    def _counted(self, candidate: str, subset: Subset) -> Rows:
        """Rows of a metric that looks at the text for every set."""
        task = self._task(candidate, subset)
        rows = self._known.rows.get(task)
        if rows is None:
            metric = self._fit(subset).metric if self.metric.needs_survey else self.metric
            batch = self._batch(candidate).against(subset)
            rows = interruptible(lambda: metric.count(batch))
            self._known.rows.put(task, rows)
        return rows

    def _task(self, candidate: str, subset: Subset) -> Task:
        corpus = self._corpus(candidate, subset)
        return Task(candidate, self.metric, corpus, corpus_keys(self.metric, corpus)[1])

    def _counter(self, candidate: str) -> Counter:
        """What counts a candidate against any set, from one look at the text."""
        if candidate not in self._counters:
            known, key = self._known.counters, self._keys(candidate, range(len(self._references)))[1]
            if key not in known:
                known[key] = interruptible(lambda: self.metric.counter(self._batch(candidate)))
            self._counters[candidate] = known[key]
        return self._counters[candidate]

    def _corpus(self, candidate: str, subset: Iterable[int]) -> Corpus:
        references = {str(index): self._references[index] for index in subset}
        return Corpus.of_columns(self._candidates[candidate], references)

    def _keys(self, candidate: str, subset: Iterable[int]) -> tuple[str, str]:
        return corpus_keys(self.metric, self._corpus(candidate, subset))

    def _batch(self, candidate: str) -> Batch:
        if candidate not in self._batches:
            corpus = self._corpus(candidate, range(len(self._references)))
            self._batches[candidate] = self._shard.batch(corpus, self.metric)
        return self._batches[candidate]

    def _fit(self, subset: Subset) -> Fit:
        """The metric fitted on a set: surveys of single references add up."""
        if self._fitted is None or self._fitted[0] != subset:
            survey, corpus = reduce(add, map(self._survey, subset)), self._corpus(next(iter(self._candidates)), subset)
            fitted = self.metric.fit(survey, tuple(column.digest for column in corpus.references))
            self._fitted = subset, Fit(fitted, corpus, self._shard.threads)
        return self._fitted[1]

    def _survey(self, reference: int) -> Any:
        anyone = next(iter(self._candidates))
        surveys, (key, _) = self._known.surveys, self._keys(anyone, [reference])
        if key not in surveys:
            surveys[key] = self.metric.survey(self._batch(anyone).against([reference]))
        return surveys[key]


def subsets_of(count: int, size: int, *, most: int, seed: int) -> list[Subset]:
    """All sets of ``size`` of so many references or, where there are more than ``most``, so many drawn with the seed.

    >>> subsets_of(3, 2, most=10, seed=1)
    [(0, 1), (0, 2), (1, 2)]
    >>> len(subsets_of(30, 4, most=10, seed=1))
    10
    """
    if comb(count, size) <= most:
        return list(combinations(range(count), size))
    generator = stream(seed, "reference sets", size)
    drawn: set[Subset] = set()
    while len(drawn) < most:
        drawn.add(tuple(sorted(generator.choice(count, size, replace=False).tolist())))
    return sorted(drawn)


def names_of(subset: Sequence[int], names: Sequence[str]) -> str:
    """A set as people read it, in alphabetical order."""
    return "+".join(sorted(names[index] for index in subset))
