"""How far a metric follows people: on some folds, and on all of them with a metric of its own for each.

Texts are counted once, and scored under any value of the numbers of a metric's formula.

Metrics of different folds need not share a scale. So before folds are put together, the scores of each are brought to
the mean and spread that the untuned metric has, both taken on the segments that the fold's metric was trained on. That
is a straight line, which no correlation within a fold sees, and it leaves the untuned metric as it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from assay.arrays import Array, Flags
from assay.learned.folds import Folds
from assay.metrics.base import Metric
from assay.metrics.tunable import Candidates
from assay.people.ratings import People
from assay.people.scores import steady
from assay.people.statistics.base import Grouping
from assay.people.statistics.registry import on_grid
from assay.people.statistics.registry import statistic as named_statistic
from assay.scoring.candidates import chosen_rows, chosen_scores
from assay.significance.association import kendall_b, pearson, spearman
from assay.significance.draws import Draws

#: Statistics of all cells together, fast enough to be taken thousands of times.
PLAIN = {"pearson": pearson, "spearman": spearman, "kendall": kendall_b}

#: A metric, and the rows that were counted for it.
_Counted = tuple[Metric, Candidates]
#: Numbers of folds that something has not seen.
Excluded = frozenset[int]


@dataclass(frozen=True, eq=False)
class Trial:
    """A metric with what a measure keeps of it."""

    metric: Metric
    candidates: Candidates = field(repr=False)
    kept: Array = field(repr=False)


#: A metric for each fold, chosen without it.
_Trials = Mapping[int, Trial]


class Measure(ABC):
    """A statistic at one level, over cells: the segments of systems that are judged and have a row."""

    def __init__(self, cells: Flags, folds: Folds, default: _Counted) -> None:
        self.cells, self.folds = cells, folds
        self.system, self.segment = np.nonzero(cells)
        #: Whether whole systems are held out, rather than segments.
        self.of_systems = folds.group == "system"
        self.fold = folds.fold[self.system if self.of_systems else self.segment]
        #: All folds.
        self.every = frozenset(range(len(folds)))
        #: The cells that are not in these folds.
        self.inside = cache(lambda excluded: ~np.isin(self.fold, list(excluded)))
        self.default = self.trial(*default)

    @abstractmethod
    def trial(self, metric: Metric, candidates: Candidates) -> Trial:
        """A metric on texts that were counted, with all that ``value`` needs of it."""

    @abstractmethod
    def value(self, trial: Trial, excluded: Excluded = frozenset()) -> float:
        """The statistic over what is not in these folds; NaN where it is not defined."""

    @abstractmethod
    def pooled(self, trials: _Trials, draws: Draws | None = None, excluded: Excluded = frozenset()) -> Array:
        """The statistic over several folds, each scored by a metric that was chosen without it: a value per draw.

        None of these metrics has seen the ``excluded`` folds either.
        """

    def singles(self, trials: _Trials, excluded: Excluded) -> list[float]:
        """What each fold says by itself, for the standard error of what they say together."""
        return [self.value(trial, self.every - {fold}) for fold, trial in trials.items()]


class SegmentMeasure(Measure):
    """Scores of segments against what people say of them; of a metric it keeps the scores of the cells."""

    def __init__(
        self, cells: Flags, folds: Folds, default: _Counted, *, human: Array, statistic: str, grouping: Grouping
    ) -> None:
        self.statistic, self.grouping, self.human = statistic, grouping, human[cells]
        super().__init__(cells, folds, default)

    def trial(self, metric: Metric, candidates: Candidates) -> Trial:
        scores = chosen_scores(metric, candidates)
        return Trial(metric, candidates, steady(scores if metric.higher_is_better else -scores))

    def value(self, trial: Trial, excluded: Excluded = frozenset()) -> float:
        return self._statistic(trial.kept, self.inside(excluded))

    def _statistic(self, scores: Array, inside: Flags) -> float:
        if self.grouping == "none" and self.statistic in PLAIN:
            return float(PLAIN[self.statistic](scores[inside], self.human[inside]))
        once = Draws.observed(*self.cells.shape)
        return float(self._on_grid(np.where(inside, scores, np.nan), once)[0])

    def _on_grid(self, scores: Array, draws: Draws) -> Array:
        metric, human = np.full((2, *self.cells.shape), np.nan)
        metric[self.cells], human[self.cells] = scores, self.human
        if self.statistic == "accuracy":
            # The share of pairs in like order, ties among them, on the scale of that share.
            return (on_grid("tau23", metric, human, draws, self.grouping) + 1.0) / 2.0
        return on_grid(self.statistic, metric, human, draws, self.grouping)

    def pooled(self, trials: _Trials, draws: Draws | None = None, excluded: Excluded = frozenset()) -> Array:
        scores = np.full(len(self.fold), np.nan)
        for fold, trial in trials.items():
            here, training = self.fold == fold, self.inside(excluded | {fold})
            scores[here] = on_scale(trial.kept[here], trial.kept[training], self.default.kept[training])
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

    def __init__(self, cells: Flags, folds: Folds, default: _Counted, *, people: People, statistic: str) -> None:
        self.people, self.statistic = people, named_statistic(statistic)
        self._human = cache(self._people)
        #: The sums of a count that has nothing to choose from: the same whatever the formula.
        self._only_sums = cache(lambda candidates: self._sums(candidates.rows[0]))
        super().__init__(cells, folds, default)
        #: How many cells each fold has of each system.
        self._counts = self._sums(np.ones((len(self.fold), 1)))[..., 0]

    def trial(self, metric: Metric, candidates: Candidates) -> Trial:
        if len(candidates.rows) == 1:
            return Trial(metric, candidates, self._only_sums(candidates))
        return Trial(metric, candidates, self._sums(chosen_rows(metric, candidates)))

    def _sums(self, rows: Array) -> Array:
        shape = len(self.folds), len(self.cells)
        place = self.fold * shape[1] + self.system
        sums = np.stack([np.bincount(place, column, shape[0] * shape[1]) for column in rows.T], axis=1)
        return np.asarray(sums.reshape(*shape, -1))

    def _scores(self, metric: Metric, sums: Array, counts: Array) -> Array:
        """Scores of sums of rows; none where nothing was summed."""
        scores = np.asarray(metric.score(sums), dtype=np.float64)
        return np.where(counts > 0, scores if metric.higher_is_better else -scores, np.nan)

    def _systems(self, trial: Trial, excluded: Excluded) -> Array:
        left = sorted(self.every - excluded)
        return steady(self._scores(trial.metric, trial.kept[left].sum(axis=0), self._counts[left].sum(axis=0)))

    def _people(self, excluded: Excluded) -> Array:
        outside = self.folds.outside(excluded)
        # Folds of systems leave all segments in, and folds of segments all systems.
        if self.of_systems:
            return np.where(outside, self.people.system_scores(np.ones((1, self.cells.shape[1])))[0], np.nan)
        return np.asarray(self.people.system_scores(outside[None].astype(np.float64))[0])

    def value(self, trial: Trial, excluded: Excluded = frozenset()) -> float:
        scores = self._systems(trial, excluded)
        return float(self.statistic.over(self._human(excluded), scores, np.ones(())))

    def singles(self, trials: _Trials, excluded: Excluded) -> list[float]:
        if not self.of_systems:
            return super().singles(trials, excluded)
        # A system or two have no correlation: what all say, less what all but one fold say, stands for that fold.
        whole, count = float(self.pooled(trials, None, excluded)[0]), len(trials)
        without = [
            float(self.pooled({other: trial for other, trial in trials.items() if other != fold}, None, excluded)[0])
            for fold in trials
        ]
        return [count * whole - (count - 1) * one for one in without]

    def pooled(self, trials: _Trials, draws: Draws | None = None, excluded: Excluded = frozenset()) -> Array:
        once = draws or Draws.observed(*self.cells.shape)
        by_fold = []
        scores = np.full((1, 1), np.nan)
        for fold, trial in trials.items():
            sums, counts = self._under(fold, trial, draws)
            held_out = self._scores(trial.metric, sums, counts)
            if self.of_systems:
                training = (self._systems(one, excluded | {fold}) for one in (trial, self.default))
                scores = np.where(counts > 0, on_scale(held_out, *training), scores)
            else:
                here = self.folds.tested(fold).astype(np.float64)
                by_fold.append(self._weighted(held_out, self.people.system_scores(once.weights * here), once))
        if self.of_systems:
            return self._weighted(scores, self.people.system_scores(once.weights), once)
        return np.asarray(np.mean(by_fold, axis=0))

    def _weighted(self, scores: Array, human: Array, draws: Draws) -> Array:
        """The statistic over the systems that were drawn and have both scores."""
        return self.statistic.over(human, steady(scores), draws.systems)

    def _under(self, fold: int, trial: Trial, draws: Draws | None) -> tuple[Array, Array]:
        """Sums of rows in a fold and how many cells they are of, under each draw of segments."""
        if draws is None:
            return trial.kept[fold][None], self._counts[fold][None]
        rows = chosen_rows(trial.metric, trial.candidates)
        sums, counts = [], []
        for system in range(len(self.cells)):
            here = np.flatnonzero((self.fold == fold) & (self.system == system))
            drawn = draws.weights[:, self.segment[here]]
            sums.append(drawn @ rows[here])
            counts.append(drawn.sum(axis=1))
        return np.stack(sums, axis=1), np.stack(counts, axis=1)


def on_scale(values: Array, scores: Array, wanted: Array) -> Array:
    """Values on the line that gives ``scores`` the mean and the spread of ``wanted``.

    Mean 2 and spread 1 become mean 30 and spread 5:

    >>> on_scale(np.array([2.0, 4.0]), np.array([1.0, 3.0]), np.array([25.0, 35.0])).tolist()
    [30.0, 40.0]
    """
    both = np.isfinite(scores) & np.isfinite(wanted)
    scores, wanted = scores[both], wanted[both]
    if len(scores) == 0 or np.ptp(scores) == 0.0 or np.array_equal(scores, wanted):
        return values
    slope = float(wanted.std() / scores.std()) or 1.0
    return np.asarray(wanted.mean() + slope * (values - scores.mean()))
