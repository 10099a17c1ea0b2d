"""Scores against many sets of references: text is cooked once, and counted once where the metric allows it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import combinations
from math import comb
from operator import add
from typing import Any

import numpy as np

from assay.data.corpus import Corpus
from assay.data.texts import Column
from assay.errors import AssayWarning
from assay.metrics.base import Counter, Metric, Rows
from assay.scoring.evaluate import Shard, thread_count
from assay.text.batch import Batch

#: Numbers of references, in ascending order.
Subset = tuple[int, ...]


class SubsetCounter:
    """Rows of candidates under one metric against any set of references.

    ``shard`` may be shared between metrics, which then share the cooked text. Sets are best asked for one after the
    other with all their candidates: what a metric has to know of a set (NIST's information) is kept until the next.
    """

    def __init__(
        self,
        metric: Metric,
        candidates: Mapping[str, Column],
        references: Mapping[str, Column],
        *,
        shard: Shard | None = None,
        threads: int | None = None,
    ) -> None:
        self.metric = metric
        self._candidates, self._references = candidates, references
        segments = len(next(iter(candidates.values())))
        self._shard = Shard(0, segments, thread_count(threads)) if shard is None else shard
        self._batches: dict[str, Batch] = {}
        self._counters: dict[str, Counter] = {}
        self._surveys: dict[int, Any] = {}
        self._fitted: tuple[Subset, Metric] | None = None
        self._remarked = False

    def rows(self, candidate: str, subset: Subset) -> Rows:
        """The rows of one candidate against one set."""
        if self.metric.needs_survey:
            return self._fit(subset).count(self._batch(candidate).against(subset))
        if candidate not in self._counters:
            self._counters[candidate] = self.metric.counter(self._batch(candidate))
        rows = self._counters[candidate](subset)
        if not self._remarked:
            # Once: there are thousands of sets.
            self._remarked = True
            for remark in self.metric.remarks(rows):
                warnings.warn(f"{candidate}: {remark}", AssayWarning, stacklevel=2)
        return rows

    def score(self, candidate: str, subset: Subset) -> float:
        """The corpus score of one candidate against one set."""
        return float(self.metric.score(self.rows(candidate, subset).sum(axis=0)))

    def _batch(self, candidate: str) -> Batch:
        if candidate not in self._batches:
            corpus = Corpus.of_columns(self._candidates[candidate], self._references)
            self._batches[candidate] = self._shard.batch(corpus, self.metric)
        return self._batches[candidate]

    def _fit(self, subset: Subset) -> Metric:
        """The metric fitted on a set: surveys of single references add up."""
        if self._fitted is None or self._fitted[0] != subset:
            for index in subset:
                if index not in self._surveys:
                    anyone = self._batch(next(iter(self._candidates)))
                    self._surveys[index] = self.metric.survey(anyone.against([index]))
            survey = reduce(add, (self._surveys[index] for index in subset))
            digests = tuple(list(self._references.values())[index].digest for index in subset)
            self._fitted = subset, self.metric.fit(survey, digests)
        return self._fitted[1]


def subsets_of(count: int, size: int, *, most: int, seed: int) -> list[Subset]:
    """All sets of ``size`` of so many references or, where there are more than ``most``, so many drawn with the seed.

    >>> subsets_of(3, 2, most=10, seed=1)
    [(0, 1), (0, 2), (1, 2)]
    >>> len(subsets_of(30, 4, most=10, seed=1))
    10
    """
    if comb(count, size) <= most:
        return list(combinations(range(count), size))
    generator = np.random.default_rng([seed, size])
    drawn: set[Subset] = set()
    while len(drawn) < most:
        drawn.add(tuple(sorted(generator.choice(count, size, replace=False).tolist())))
    return sorted(drawn)


def names_of(subset: Sequence[int], names: Sequence[str]) -> str:
    """A set as people read it, in alphabetical order."""
    return "+".join(sorted(names[index] for index in subset))
