"""How far a metric follows people: on some folds, and on all of them with a metric of its own for each.

Metrics of different folds need not share a scale. So before folds are put together, the scores of each are brought to
the mean and spread that the untuned metric has, both taken on the segments that the fold's metric was trained on. That
is a straight line, which no correlation within a fold sees, and it leaves the untuned metric as it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Flags
from assay.learned.folds import Folds
from assay.learned.tuning.counted import Cells, CountedMetric
from assay.metrics.base import Metric
from assay.people.ratings import People
from assay.people.scores import steady
from assay.people.statistics.base import Grouping
from assay.people.statistics.registry import on_grid
from assay.people.statistics.system_pairs import SYSTEM_STATISTICS
from assay.significance.association import kendall_b, pearson, spearman
from assay.significance.draws import Draws


@dataclass(frozen=True, eq=False)
class Trial:
    """A metric with what a measure keeps of it."""

    metric: Metric
    counted: CountedMetric = field(repr=False)
    kept: Array = field(repr=False)


@dataclass(frozen=True, eq=False)
class Choice:
    """The metric of one fold, and the folds that it has not seen."""

    trial: Trial
    excluded: frozenset[int]


class Measure(ABC):
    """A statistic at one level."""

    def __init__(self, cells: Cells, folds: Folds, default: CountedMetric) -> None:
        self.cells, self.folds = cells, folds
        #: Whether whole systems are held out, rather than segments.
        self.of_systems = folds.group == "system"
        self._of_cells = folds.at(cells.system if self.of_systems else cells.segment)
        self.fold = self._of_cells.fold
        self.default = self.trial(default, default.metric)
        self._inside: dict[frozenset[int], Flags] = {}

    @property
    def every(self) -> frozenset[int]:
        """All folds."""
        return frozenset(range(len(self.folds)))

    def inside(self, excluded: frozenset[int]) -> Flags:
        """The cells that are not in these folds."""
        if excluded not in self._inside:
            self._inside[excluded] = self._of_cells.outside(excluded)
        return self._inside[excluded]

    @abstractmethod
    def trial(self, counted: CountedMetric, metric: Metric) -> Trial:
        """A metric on texts that were counted, with all that ``value`` needs of it."""

    @abstractmethod
    def value(self, trial: Trial, excluded: frozenset[int] = frozenset()) -> float:
        """The statistic over what is not in these folds; NaN where it is not defined."""

    @abstractmethod
    def pooled(self, choices: Mapping[int, Choice], draws: Draws | None = None) -> Array:
        """The statistic over several folds, each scored by the metric that was chosen without it: a value per draw."""

    def singles(self, choices: Mapping[int, Choice]) -> list[float]:
        """What each fold says by itself, for the standard error of what they say together."""
        return [self.value(choice.trial, self.every - {fold}) for fold, choice in choices.items()]

    def untuned(self, draws: Draws | None = None) -> Array:
        """The same of the untuned metric, which is one metric in all folds."""
        return self.pooled({fold: Choice(self.default, frozenset([fold])) for fold in self.every}, draws)


class SegmentMeasure(Measure):
    """Scores of segments against what people say of them; of a metric it keeps the scores of the cells."""

    def __init__(
        self, cells: Cells, folds: Folds, default: CountedMetric, *, human: Array, statistic: str, grouping: Grouping
    ) -> None:
        self.statistic, self.grouping = statistic, grouping
        self.human = human[cells.system, cells.segment]
        super().__init__(cells, folds, default)

    def trial(self, counted: CountedMetric, metric: Metric) -> Trial:
        return Trial(metric, counted, steady(counted.scores(metric)))

    def value(self, trial: Trial, excluded: frozenset[int] = frozenset()) -> float:
        return self._statistic(trial.kept, self.inside(excluded))

    def _statistic(self, scores: Array, inside: Flags) -> float:
        if self.grouping == "none" and self.statistic in PLAIN:
            return float(PLAIN[self.statistic](scores[inside], self.human[inside]))
        once = Draws.observed(*self.cells.shape)
        return float(self._on_grid(np.where(inside, scores, np.nan), once)[0])

    def _on_grid(self, scores: Array, draws: Draws) -> Array:
        grids = self.cells.grid(scores), self.cells.grid(self.human)
        if self.statistic == "accuracy":
            # The share of pairs in like order, ties among them, on the scale of that share.
            return (on_grid("tau23", *grids, draws, self.grouping) + 1.0) / 2.0
        return on_grid(self.statistic, *grids, draws, self.grouping)

    def pooled(self, choices: Mapping[int, Choice], draws: Draws | None = None) -> Array:
        scores = np.full(len(self.cells), np.nan)
        for fold, choice in choices.items():
            here, training = self.fold == fold, self.inside(choice.excluded)
            line = line_between(choice.trial.kept[training], self.default.kept[training])
            scores[here] = line(choice.trial.kept[here])
        scores = steady(scores)
        if draws is None:
            return np.array([self._statistic(scores, np.isfinite(scores))])
        return self._on_grid(scores, draws)


class SystemMeasure(Measure):
    """Scores of systems against what people say of them; of a metric it keeps sums of rows by fold and system.

    Where systems are held out, each has its score from the metric that has not seen it, and the statistic is over all
    of them. Where segments are held out, the statistic is taken on the segments of each fold, people's scores of these
    very segments included, and averaged: people's means over all segments would be partly what was trained on.
    """

    def __init__(self, cells: Cells, folds: Folds, default: CountedMetric, *, people: People, statistic: str) -> None:
        self.people, self.statistic = people, statistic
        self._human: dict[frozenset[int], Array] = {}
        self._sums: dict[int, Array] = {}
        super().__init__(cells, folds, default)

    @cached_property
    def _order(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Cells by fold and system, where each of these starts, and which it is."""
        place = self.fold * self.cells.shape[0] + self.cells.system
        order = np.argsort(place, kind="stable")
        starts = np.flatnonzero(np.diff(place[order], prepend=-1))
        return order, starts, place[order][starts]

    def trial(self, counted: CountedMetric, metric: Metric) -> Trial:
        if len(counted.candidates.rows) > 1:
            return Trial(metric, counted, self._summed(counted, metric))
        # With nothing to choose from, the sums are the same whatever the formula.
        if id(counted) not in self._sums:
            self._sums[id(counted)] = self._summed(counted, metric)
        return Trial(metric, counted, self._sums[id(counted)])

    def _summed(self, counted: CountedMetric, metric: Metric) -> Array:
        order, starts, place = self._order
        rows = counted.rows(metric)
        sums = np.zeros((len(self.folds) * self.cells.shape[0], rows.shape[1]))
        sums[place] = np.add.reduceat(rows[order], starts, axis=0)
        return sums.reshape(len(self.folds), self.cells.shape[0], -1)

    @cached_property
    def _counts(self) -> Array:
        """How many cells each fold has of each system."""
        place = self.fold * self.cells.shape[0] + self.cells.system
        size = len(self.folds) * self.cells.shape[0]
        return np.bincount(place, minlength=size).reshape(len(self.folds), -1).astype(np.float64)

    def _scores(self, metric: Metric, sums: Array, counts: Array) -> Array:
        """Scores of sums of rows; none where nothing was summed."""
        scores = np.asarray(metric.score(sums), dtype=np.float64)
        return np.where(counts > 0, scores if metric.higher_is_better else -scores, np.nan)

    def _systems(self, trial: Trial, excluded: frozenset[int]) -> Array:
        left = sorted(self.every - excluded)
        return steady(self._scores(trial.metric, trial.kept[left].sum(axis=0), self._counts[left].sum(axis=0)))

    def _people(self, excluded: frozenset[int]) -> Array:
        if excluded not in self._human:
            # Folds of systems leave all segments in, and folds of segments all systems.
            weights = (
                np.ones(self.cells.shape[1]) if self.of_systems else self.folds.outside(excluded).astype(np.float64)
            )
            scores = self.people.system_scores(weights[None])[0]
            self._human[excluded] = (
                np.where(self.folds.outside(excluded), scores, np.nan) if self.of_systems else scores
            )
        return self._human[excluded]

    def value(self, trial: Trial, excluded: frozenset[int] = frozenset()) -> float:
        return float(SYSTEM_STATISTICS[self.statistic](self._systems(trial, excluded), self._people(excluded)))

    def singles(self, choices: Mapping[int, Choice]) -> list[float]:
        if not self.of_systems:
            return super().singles(choices)
        # A system or two have no correlation: what all say, less what all but one fold say, stands for that fold.
        whole, count = float(self.pooled(choices)[0]), len(choices)
        without = [
            float(self.pooled({other: choice for other, choice in choices.items() if other != fold})[0])
            for fold in choices
        ]
        return [count * whole - (count - 1) * one for one in without]

    def pooled(self, choices: Mapping[int, Choice], draws: Draws | None = None) -> Array:
        once = Draws.observed(*self.cells.shape) if draws is None else draws
        if not self.of_systems:
            by_fold = [self._held_out(fold, choice, once, drawn=draws is not None) for fold, choice in choices.items()]
            found: Array = np.mean(by_fold, axis=0)
            return found
        scores = np.full((len(once.weights), self.cells.shape[0]), np.nan)
        for fold, choice in choices.items():
            line = line_between(
                self._systems(choice.trial, choice.excluded), self._systems(self.default, choice.excluded)
            )
            sums, counts = self._under(fold, choice.trial, once.weights, drawn=draws is not None)
            scores = np.where(counts > 0, line(self._scores(choice.trial.metric, sums, counts)), scores)
        return self._weighted(scores, self.people.system_scores(once.weights), once)

    def _held_out(self, fold: int, choice: Choice, draws: Draws, *, drawn: bool) -> Array:
        """The statistic on the segments of one fold."""
        here = self.folds.outside(self.every - {fold}).astype(np.float64)
        sums, counts = self._under(fold, choice.trial, draws.weights, drawn=drawn)
        scores = self._scores(choice.trial.metric, sums, counts)
        return self._weighted(scores, self.people.system_scores(draws.weights * here), draws)

    def _weighted(self, scores: Array, human: Array, draws: Draws) -> Array:
        """The statistic over the systems that were drawn and have both scores."""
        scores = steady(scores)
        there = np.isfinite(scores) & np.isfinite(human)
        filled = [np.where(there, values, 0.0) for values in (scores, human)]
        return np.asarray(SYSTEM_STATISTICS[self.statistic](*filled, draws.systems * there))

    def _under(self, fold: int, trial: Trial, weights: Array, *, drawn: bool) -> tuple[Array, Array]:
        """Sums of rows in a fold and how many cells they are of, under each row of weights over segments."""
        if not drawn:
            return trial.kept[fold][None], self._counts[fold][None]
        rows = trial.counted.rows(trial.metric)
        sums = np.zeros((len(weights), self.cells.shape[0], rows.shape[1]))
        counts = np.zeros((len(weights), self.cells.shape[0]))
        for system in range(self.cells.shape[0]):
            here = np.flatnonzero((self.fold == fold) & (self.cells.system == system))
            drawn_here = weights[:, self.cells.segment[here]]
            sums[:, system], counts[:, system] = drawn_here @ rows[here], drawn_here.sum(axis=1)
        return sums, counts


@dataclass(frozen=True)
class _Line:
    """A straight line that rises."""

    slope: float
    before: float
    after: float

    def __call__(self, values: Array) -> Array:
        if self.slope == 1.0 and self.before == self.after:
            return values
        return self.after + self.slope * (values - self.before)


def line_between(scores: Array, wanted: Array) -> _Line:
    """The line that gives ``scores`` the mean and the spread of ``wanted``."""
    both = np.isfinite(scores) & np.isfinite(wanted)
    scores, wanted = scores[both], wanted[both]
    if len(scores) == 0 or np.ptp(scores) == 0.0:
        return _Line(1.0, 0.0, 0.0)
    if np.array_equal(scores, wanted):
        return _Line(1.0, 0.0, 0.0)
    slope = float(wanted.std() / scores.std()) or 1.0
    return _Line(slope, float(scores.mean()), float(wanted.mean()))


#: Statistics of all cells together, fast enough to be taken thousands of times.
PLAIN = {"pearson": pearson, "spearman": spearman, "kendall": kendall_b}
