"""What is judged against people: metrics of ours, score files of others, and other kinds of judgement.

Whatever the source, it answers the same questions: scores of systems under weights over segments, scores of segments
and of documents, and what each segment contributes to its system's score.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.factor import Factor
from assay.errors import AssayWarning, InputError
from assay.meta.people import People, membership_of
from assay.metrics.base import Metric
from assay.scoring.cache import Counted
from assay.scoring.evaluate import Progress, evaluate_all
from assay.scoring.statistics import Statistics

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: A system score that differs by more from the mean of its segments is something else than their mean.
ROUNDING = 1e-4


@dataclass(frozen=True, eq=False)
class Source(ABC):
    """Scores of the same systems and segments that people judged; higher is better, whatever they were before.

    ``mask`` says which segments of which systems take part: systems by segments.
    """

    name: str
    mask: Flags = field(repr=False)

    @property
    def sign(self) -> float:
        """What turns scores here into those that the metric prints: -1 for error rates."""
        return 1.0

    @abstractmethod
    def systems(self, weights: Array) -> Array:
        """Scores of all systems under each row of weights over segments: draws by systems."""

    @abstractmethod
    def segments(self) -> Array:
        """Scores of segments: systems by segments, NaN where there is none."""

    @abstractmethod
    def documents(self, labels: Factor) -> Array:
        """Scores of documents: systems by documents, NaN where none of a document's segments takes part."""

    @abstractmethod
    def contributions(self) -> Array:
        """Values of segments whose mean is the system's score: systems by segments, NaN where one takes no part."""

    @property
    def missing(self) -> int:
        """How many segments that should take part have no score."""
        return int((self.mask & np.isnan(self.segments())).sum())

    @property
    def resampled(self) -> bool:
        """Whether scores of systems follow the segments that are drawn."""
        return True


@dataclass(frozen=True, eq=False)
class RowSource(Source):
    """A metric of ours: rows that add up, one table per system."""

    statistics: Sequence[Statistics] = field(repr=False)

    @property
    def sign(self) -> float:
        return 1.0 if self.statistics[0].metric.higher_is_better else -1.0

    def _rows(self, index: int) -> Array:
        """One system's rows; those that take no part, or failed, are 0."""
        rows = self.statistics[index].rows
        taking_part = self.mask[index] & ~np.isnan(rows).any(axis=1)
        return np.where(taking_part[:, None], rows, 0.0)

    def _score(self, rows: Array) -> Array:
        metric = self.statistics[0].metric
        return self.sign * np.asarray(metric.score(rows), dtype=np.float64)

    def systems(self, weights: Array) -> Array:
        return np.stack([self._score(weights @ self._rows(index)) for index in range(len(self.statistics))], axis=1)

    def segments(self) -> Array:
        return np.stack([self.sign * one.segment_scores() for one in self.statistics])

    def documents(self, labels: Factor) -> Array:
        membership = membership_of(labels)
        scores = np.stack([self._score(membership @ self._rows(index)) for index in range(len(self.statistics))])
        return np.where(self.mask @ membership.T > 0, scores, np.nan)

    def contributions(self) -> Array:
        """Jackknife pseudo-values (Tukey, 1958): n times the score less n-1 times the score without the segment."""
        return np.stack([self._pseudo_values(index) for index in range(len(self.statistics))])

    def _pseudo_values(self, index: int) -> Array:
        rows = self._rows(index)
        taking_part = self.mask[index] & ~np.isnan(self.statistics[index].rows).any(axis=1)
        count = int(taking_part.sum())
        total = rows.sum(axis=0)
        values = count * self._score(total) - (count - 1) * self._score(total - rows)
        return np.where(taking_part, values, np.nan)


@dataclass(frozen=True, eq=False)
class MeanSource(Source):
    """Scores from elsewhere, of segments; a system's score is their mean, unless it is given, too."""

    grid: Array = field(repr=False)
    #: Scores of systems that are no means of segments, or come without any; NaN where a system has none.
    given: Array | None = field(default=None, repr=False)
    #: Scores of documents, systems by documents, where they are given: names and values.
    given_documents: tuple[Factor, Array] | None = field(default=None, repr=False)
    higher_is_better: bool = True

    @property
    def sign(self) -> float:
        return 1.0 if self.higher_is_better else -1.0

    @property
    def _cells(self) -> Flags:
        return np.asarray(self.mask & ~np.isnan(self.grid))

    def systems(self, weights: Array) -> Array:
        if self.given is not None:
            return np.broadcast_to(self.given, (len(weights), len(self.given)))
        cells = self._cells
        with np.errstate(invalid="ignore", divide="ignore"):
            scores: Array = (weights @ np.where(cells, self.grid, 0.0).T) / (weights @ cells.T.astype(np.float64))
        return scores

    def segments(self) -> Array:
        return self.grid

    def documents(self, labels: Factor) -> Array:
        if self.given_documents is not None:
            return self.given_documents[1]
        cells = self._cells
        membership = membership_of(labels)
        with np.errstate(invalid="ignore", divide="ignore"):
            scores: Array = (np.where(cells, self.grid, 0.0) @ membership.T) / (cells @ membership.T)
        return scores

    def contributions(self) -> Array:
        return np.where(self._cells, self.grid, np.nan)

    @property
    def resampled(self) -> bool:
        return self.given is None


def scored(people: People, scope: str) -> Flags:
    """Which segments metrics score a system on: those judged for it, or all."""
    return people.judged if scope == "judged" else np.ones_like(people.judged)


def metric_sources(
    campaign: Campaign,
    metrics: Sequence[Metric],
    people: People,
    scope: str = "judged",
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    known: Counted | None = None,
) -> list[Source]:
    """The metrics that Assay computes; what is ``known`` is not counted again."""
    if not metrics:
        return []
    for metric in metrics:
        if metric.sees_targeted:
            campaign.require_targeted(metric.name)
    counted = evaluate_all(metrics, campaign.corpora(), threads=threads, progress=progress, known=known)
    mask = scored(people, scope)
    return [
        RowSource(str(metric), mask, [counted[system, str(metric)] for system in people.systems]) for metric in metrics
    ]


def external_source(scores: ExternalScores, systems: Sequence[str], mask: Flags, documents: Factor | None) -> Source:
    """A score file as a source; systems that it lacks have no score."""
    sign = 1.0 if scores.higher_is_better else -1.0
    grid = np.full(mask.shape, np.nan)
    if scores.segments is not None:
        for row, name in enumerate(systems):
            if name in scores.segments:
                grid[row] = sign * scores.segments[name]
    given = None
    if scores.systems is not None:
        given = np.array([sign * scores.systems.get(name, np.nan) for name in systems])
        if scores.segments is not None:
            with np.errstate(invalid="ignore"):
                means = np.array([np.nanmean(line) if np.isfinite(line).any() else np.nan for line in grid])
            if np.allclose(means, given, rtol=ROUNDING, atol=ROUNDING * np.nanstd(given), equal_nan=True):
                # A mean can be taken over the judged segments and over any that are drawn.
                given = None
    found = None
    if documents is not None and scores.documents is not None:
        table = [[scores.documents.get(name, {}).get(one, np.nan) for one in documents.names] for name in systems]
        found = documents, sign * np.array(table)
    return MeanSource(scores.name, mask, grid, given, found, scores.higher_is_better)


def human_source(name: str, other: People, systems: Sequence[str], mask: Flags) -> Source:
    """Another kind of judgement, treated like a metric."""
    grid = np.full(mask.shape, np.nan)
    theirs = other.segment_scores()
    given = np.full(len(systems), np.nan)
    scores = other.system_scores(np.ones((1, mask.shape[1])))[0]
    for row, system in enumerate(systems):
        if system in other.systems:
            given[row] = scores[other.systems.index(system)]
            if theirs is not None:
                grid[row] = theirs[other.systems.index(system)]
    # Ranks have no scores of segments, and judgements of whole systems no segments.
    return MeanSource(name, mask | ~np.isnan(grid), grid, None if np.isfinite(grid).any() else given)


def check_sources(sources: Sequence[Source], kept: str) -> None:
    """Refuse two of one name, or one of the name that is ``kept`` for people, and say what each of them lacks."""
    names = [source.name for source in sources]
    if kept in names:
        raise InputError(f"No metric may be called {kept!r}: that is the line of people among themselves. Rename it.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"Two metrics are called {twice!r}. Rename one of them.")
    for source in sources:
        if source.missing and np.isfinite(source.segments()).any():
            warnings.warn(
                f"{source.name} has no score for {source.missing:,} of {int(source.mask.sum()):,} judged segments; "
                "they are left out of its own statistics.",
                AssayWarning,
                stacklevel=2,
            )
        if not source.resampled:
            warnings.warn(
                f"{source.name} has scores of systems that do not come from segments: its intervals allow for other "
                "systems and judgements, but not for what the metric would say of other segments.",
                AssayWarning,
                stacklevel=2,
            )
