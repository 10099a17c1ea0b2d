"""Nested cross-validation: numbers are looked for without a fold, how far to trust them without two, and tested on it.

With few judgements the best numbers of a training set are partly luck. So the tuned metric may stop on the way from the
present numbers to the best ones, after a quarter, a half, three quarters, or stay. How far it goes is chosen by inner
folds: every two folds are left out at once, one of them as the outer fold that nothing may see, the other to choose on.
Of several ways the shortest is taken that is not worse than the best by more than a standard error (Breiman et al.,
1984).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from assay.learned.tuning.board import Board
from assay.learned.tuning.lattice import Steps
from assay.learned.tuning.measures import Choice, Measure, Trial
from assay.learned.tuning.search import ROUNDING, SPREAD, best_point
from assay.metrics.base import Metric

#: How far from the present numbers to the best ones; 0 keeps the metric as it is.
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
#: The distance at which searches without two folds stop, in steps of the lattice.
FINEST_INNER = 4
#: Trials that are remembered at a time: scores of 10,000 cells take 80 kB each.
REMEMBERED = 1500
#: Points are spread from another stream than folds and samples.
SPREAD_STREAM = 31

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Point:
    """A place on one of the boards."""

    board: int
    steps: Steps


@dataclass(frozen=True)
class Fitted:
    """What was chosen on some folds: the point, how far it lies on the way to the best one, and that one."""

    point: Point
    share: float
    best: Point


class Nest:
    """All searches of one tuning; boards differ in what has to be counted anew, the first is the metric as it is."""

    def __init__(self, measure: Measure, boards: Sequence[Board], seed: int, progress: Progress | None = None) -> None:
        self.measure, self.boards = measure, boards
        self._progress = progress
        generator = np.random.default_rng([seed, SPREAD_STREAM])
        self._spread = [board.lattice.spread(SPREAD * len(board.lattice.axes), generator) for board in boards]
        self._trials: dict[Point, Trial] = {}
        self._values: dict[tuple[Point, frozenset[int]], float] = {}
        self._best: dict[frozenset[int], Point] = {}
        #: The best of each board, without the same folds.
        self.best_of_boards: dict[frozenset[int], list[Point]] = {}

    def metric(self, point: Point) -> Metric:
        """The metric at a point."""
        return self.boards[point.board].at(point.steps)

    def trial(self, point: Point) -> Trial:
        """The metric at a point with what the measure keeps of it; the oldest ones are forgotten."""
        if point not in self._trials:
            if len(self._trials) >= REMEMBERED:
                del self._trials[next(iter(self._trials))]
            self._trials[point] = self.measure.trial(self.boards[point.board], self.metric(point))
        return self._trials[point]

    def value(self, point: Point, excluded: frozenset[int] = frozenset()) -> float:
        """The statistic at a point, on all but these folds."""
        key = point, excluded
        if key not in self._values:
            self._values[key] = self.measure.value(self.trial(point), excluded)
        return self._values[key]

    @property
    def tried(self) -> int:
        """How many points were looked at."""
        return len({point for point, _ in self._values})

    def best(self, excluded: frozenset[int]) -> Point:
        """The best point on all but these folds."""
        if excluded not in self._best:
            found = []
            for number, board in enumerate(self.boards):
                steps, value = best_point(
                    lambda steps, number=number: self.value(Point(number, steps), excluded),  # type: ignore[misc]
                    board.lattice,
                    self._spread[number],
                    # How far to go is a coarse question: its searches may be coarse.
                    FINEST_INNER if len(excluded) > 1 else 1,
                )
                found.append((value, Point(number, steps)))
            self.best_of_boards[excluded] = [point for _, point in found]
            # The first of equal ones: the metric as it is, where nothing is better.
            top = max(value for value, _ in found)
            best = next(point for value, point in found if value >= top - ROUNDING)
            self._best[excluded] = self._needed(best, excluded)
        return self._best[excluded]

    def _needed(self, point: Point, excluded: frozenset[int]) -> Point:
        """The point with those numbers as they were that make no difference: where a weight is 0, say."""
        origin, steps = self.boards[point.board].lattice.origin, point.steps
        for axis in range(len(steps)):
            if steps[axis] != origin[axis]:
                back = Point(point.board, (*steps[:axis], origin[axis], *steps[axis + 1 :]))
                if self.value(back, excluded) >= self.value(Point(point.board, steps), excluded) - ROUNDING:
                    steps = back.steps
        return Point(point.board, steps)

    def run(self) -> tuple[dict[int, Fitted], Fitted]:
        """What is chosen without each fold, and what is chosen on everything."""
        folds = range(self.measure.folds.count)
        every = [frozenset(pair) for pair in combinations(folds, 2)] + [frozenset([fold]) for fold in folds]
        for done, excluded in enumerate([*every, frozenset[int]()], start=1):
            self.best(excluded)
            if self._progress is not None:
                self._progress(done / (len(every) + 1))
        without = {fold: self._fitted(frozenset([fold])) for fold in folds}
        return without, self._fitted(frozenset())

    def _fitted(self, excluded: frozenset[int]) -> Fitted:
        """How far to go is chosen on the folds that are left, each by what was found without it."""
        inner = [fold for fold in range(self.measure.folds.count) if fold not in excluded]
        best = self.best(excluded)
        pooled, single = [], []
        for share in SHARES:
            points = {fold: self.towards(self.best(excluded | {fold}), share) for fold in inner}
            choices = {fold: Choice(self.trial(point), excluded | {fold}) for fold, point in points.items()}
            pooled.append(float(self.measure.pooled(choices)[0]))
            single.append(self.measure.singles(choices))
        share = SHARES[shortest_way(np.array(pooled), np.array(single))]
        point = self.towards(best, share)
        # Where there is nothing between, as between two counts of the text, any part of the way is all of it.
        return Fitted(point, 1.0 if point == best and share else share, best)

    def towards(self, point: Point, share: float) -> Point:
        """A share of the way to a point; other boards than the first are gone to at once."""
        if share == 0.0:
            return Point(0, self.boards[0].lattice.origin)
        return Point(point.board, self.boards[point.board].lattice.towards(point.steps, share))

    def choices(self, fitted: Mapping[int, Fitted]) -> dict[int, Choice]:
        """The metric of each fold, as it was chosen without it."""
        return {fold: Choice(self.trial(one.point), frozenset([fold])) for fold, one in fitted.items()}


def shortest_way(pooled: NDArray[np.float64], single: NDArray[np.float64]) -> int:
    """The first way that the best does not beat by more than a standard error.

    ``pooled`` has the value of each way over all folds, ``single`` has ways by folds. Where single folds have no value
    the best way is taken.

    >>> shortest_way(np.array([0.1, 0.2]), np.array([[0.1, 0.1, 0.1], [0.2, 0.19, 0.21]]))
    1
    >>> shortest_way(np.array([0.1, 0.2]), np.array([[0.1, 0.1, 0.1], [0.9, -0.5, 0.2]]))
    0
    """
    if not np.isfinite(pooled).any():
        return 0
    best = int(np.nanargmax(pooled))
    for way in range(best):
        lost = single[best] - single[way]
        error = lost.std(ddof=1) / np.sqrt(len(lost)) if len(lost) > 1 else 0.0
        allowed = error if np.isfinite(error) else 0.0
        if pooled[best] - pooled[way] <= allowed + ROUNDING:
            return way
    return best
