"""Whatever gives scores: metrics of ours, score files of others, and people.

All of them answer the same questions: scores of systems under weights over segments, scores of segments and of
documents, and what each segment contributes to its system's score. So what is held against what is a choice.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from assay.arrays import Array, Flags
from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.judgements import Factor
from assay.errors import AssayWarning, InputError
from assay.metrics.base import Metric
from assay.scoring.evaluate import Counted, Progress, evaluate_all
from assay.scoring.statistics import Statistics

#: A system score that differs by more from the mean of its segments is something else than their mean.
_ROUNDING = 1e-4
#: Digits of a score that count.
_DIGITS = 12


@dataclass(frozen=True, eq=False)
class Scores(ABC):
    """Scores of systems and segments; higher is better, whatever they were before, and NaN is a missing one."""

    name: str
    systems: tuple[str, ...]
    #: Which segments of which systems take part: systems by segments.
    mask: Flags = field(repr=False)
    #: Scores of segments: systems by segments.
    grid: Array = field(repr=False)
    #: What turns scores here into those that are printed: -1 for error rates.
    sign: float = field(default=1.0, kw_only=True)
    #: Scores of systems, and of documents by system, that are known as such, and do not follow the segments that are
    #: drawn. NaN says that there is none, whatever the segments have.
    given: Mapping[str, float] = field(default_factory=dict, kw_only=True, repr=False)
    documents: Mapping[str, Mapping[str, float]] = field(default_factory=dict, kw_only=True, repr=False)

    @abstractmethod
    def system_scores(self, weights: Array) -> Array:
        """Scores of all systems under each row of weights over segments: draws by systems."""

    def document_scores(self, labels: Factor) -> Array:
        """Scores of documents, or of other groups of segments: systems by groups."""
        membership = np.asarray(labels.codes == np.arange(len(labels.names))[:, None], dtype=np.float64)
        # What is known of whole systems says nothing of their documents.
        scores = replace(self, given={}).system_scores(membership).T
        scores = np.where(self.mask @ membership.T > 0, scores, np.nan)
        for row, system in enumerate(self.systems):
            known = self.documents.get(system, {})
            for column, name in enumerate(labels.names):
                scores[row, column] = known.get(name, scores[row, column])
        return scores

    @abstractmethod
    def contributions(self) -> Array:
        """Values of segments whose mean is the system's score: systems by segments."""


@dataclass(frozen=True, eq=False)
class MetricScores(Scores):
    """A metric of ours: rows that add up, one table per system."""

    statistics: Sequence[Statistics] = field(repr=False)

    def _rows(self, index: int) -> Array:
        """One system's rows; those that take no part, or failed, are 0."""
        counted = self.statistics[index]
        return np.where((self.mask[index] & ~counted.failed)[:, None], counted.rows, 0.0)

    def system_scores(self, weights: Array) -> Array:
        score, systems = self.statistics[0].metric.score, range(len(self.systems))
        return self.sign * np.stack([score(weights @ self._rows(index)) for index in systems], axis=1, dtype=np.float64)

    def contributions(self) -> Array:
        """Jackknife pseudo-values (Tukey, 1958): n times the score less n-1 times the score without the segment."""
        values = []
        for index, counted in enumerate(self.statistics):
            taking_part = self.mask[index] & ~counted.failed
            rows, count = self._rows(index), int(taking_part.sum())
            total = rows.sum(axis=0)
            whole, without = (
                self.sign * np.asarray(counted.metric.score(sums), dtype=np.float64) for sums in (total, total - rows)
            )
            values.append(np.where(taking_part, count * whole - (count - 1) * without, np.nan))
        return np.stack(values)


@dataclass(frozen=True, eq=False)
class MeanScores(Scores):
    """Scores of segments; those of systems and documents are their means, unless they are given, too."""

    def system_scores(self, weights: Array) -> Array:
        values = self.contributions()
        there = ~np.isnan(values)
        with np.errstate(invalid="ignore", divide="ignore"):
            scores: Array = (weights @ np.where(there, values, 0.0).T) / (weights @ there.T)
        for index, name in enumerate(self.systems):
            if name in self.given:
                scores[:, index] = self.given[name]
        return steady(scores)

    def contributions(self) -> Array:
        return np.where(self.mask, self.grid, np.nan)


def steady(scores: Array) -> Array:
    """Scores without the last digits of their arithmetic: what is equal in truth is a tie here.

    >>> steady(np.array([100.00000000000003, 99.99999999999999, 50.0])).tolist()
    [100.0, 100.0, 50.0]
    """
    largest = np.nanmax(np.abs(scores), initial=0.0)
    if not np.isfinite(largest) or largest == 0.0:
        return scores
    # More decimals than that are none that numbers have.
    return np.round(scores, min(_DIGITS - int(np.ceil(np.log10(largest))), 300))


def metric_scores(
    campaign: Campaign,
    metrics: Sequence[Metric],
    people: Scores,
    mask: Flags | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    known: Counted | None = None,
) -> list[Scores]:
    """The metrics that Assay computes; what is ``known`` is not counted again.

    ``mask`` says on which segments they score a system; without it on those that people judged for it.
    """
    if not metrics:
        return []
    counted = evaluate_all(metrics, campaign, threads=threads, progress=progress, known=known)
    mask, systems, sources = people.mask if mask is None else mask, people.systems, list[Scores]()
    for metric in metrics:
        statistics = [counted[system, str(metric)] for system in systems]
        sign = 1.0 if metric.higher_is_better else -1.0
        grid = sign * np.stack([each.segment_scores() for each in statistics])
        sources.append(MetricScores(str(metric), systems, mask, grid, statistics, sign=sign))
    return sources


def external_scores(scores: ExternalScores, people: Scores, mask: Flags, documents: Factor | None) -> Scores:
    """A score file; systems that it lacks have no score."""
    sign, systems = 1.0 if scores.higher_is_better else -1.0, people.systems
    grid = np.full(mask.shape, np.nan)
    for row, name in enumerate(systems):
        if scores.segments is not None and name in scores.segments:
            grid[row] = sign * scores.segments[name]
    given = {name: sign * (scores.systems or {}).get(name, np.nan) for name in systems}
    if scores.systems is None or (scores.segments is not None and _are_means(np.array([*given.values()]), grid)):
        # A mean can be taken over the judged segments and over any that are drawn.
        given = {}
    by_document = {}
    if documents is not None and scores.documents is not None:
        for name in systems:
            known = scores.documents.get(name, {})
            by_document[name] = {document: sign * known.get(document, np.nan) for document in documents.names}
    return MeanScores(scores.name, systems, mask, grid, sign=sign, given=given, documents=by_document)


def _are_means(given: Array, grid: Array) -> bool:
    """Whether scores of systems are those of their segments in the mean, up to rounding."""
    means = np.array([np.nanmean(line) if np.isfinite(line).any() else np.nan for line in grid])
    return bool(np.allclose(means, given, rtol=_ROUNDING, atol=_ROUNDING * np.nanstd(given), equal_nan=True))


def beside(name: str, other: Scores, people: Scores, mask: Flags) -> Scores:
    """Another kind of judgement under a name of its own, for the systems and in the place of a metric."""
    grid = np.full(mask.shape, np.nan)
    given = dict.fromkeys(people.systems, np.nan)
    scores = other.system_scores(np.ones((1, mask.shape[1])))[0]
    for row, system in enumerate(people.systems):
        if system in other.systems:
            place = other.systems.index(system)
            grid[row], given[system] = other.grid[place], float(scores[place])
    # Ranks have no scores of segments, and judgements of whole systems no segments.
    known = {} if np.isfinite(grid).any() else given
    return MeanScores(name, people.systems, mask | ~np.isnan(grid), grid, given=known)


def check_scores(sources: Sequence[Scores], kept: str) -> None:
    """Refuse two of one name, or one of the name that is ``kept`` for people, and say what each of them lacks."""
    names = [source.name for source in sources]
    if kept in names:
        raise InputError(f"No metric may be called {kept!r}: that is the line of people among themselves. Rename it.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"Two metrics are called {twice!r}. Rename one of them.")
    for source in sources:
        missing = int((source.mask & np.isnan(source.grid)).sum())
        if missing and np.isfinite(source.grid).any():
            warnings.warn(
                f"{source.name} has no score for {missing:,} of {int(source.mask.sum()):,} judged segments; "
                "they are left out of its own statistics.",
                AssayWarning,
                stacklevel=2,
            )
        if source.given:
            warnings.warn(
                f"{source.name} has scores of systems that do not come from segments: its intervals allow for other "
                "systems and judgements, but not for what the metric would say of other segments.",
                AssayWarning,
                stacklevel=2,
            )
