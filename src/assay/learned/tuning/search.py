"""Nested cross-validation: numbers are looked for without a fold, how far to trust them without two, and tested on it.

A statistic of ranks has no slope to follow: it is flat, with jumps. So the search compares values and nothing else. It
starts from the present values and from the best of many points that are spread over the grid. Then it tries the
neighbours at a distance that shrinks: along each number first, and where that fails along two at once, for parameters
work against each other. It draws nothing by itself: the same points, the same result.

A number moves in hundredths of its range. Judgements do not tell finer ones apart, the values are fit to be printed,
and searches on different folds meet in the same points, which are scored once.

With few judgements the best numbers of a training set are partly luck. So the tuned metric may stop on the way from the
present numbers to the best ones, after a quarter, a half, three quarters, or stay. How far it goes is chosen by inner
folds: every two folds are left out at once, one of them as the outer fold that nothing may see, the other to choose on.
Of several ways the shortest is taken that is not worse than the best by more than a standard error (Breiman et al.,
1984).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np

from assay.arrays import Array
from assay.errors import ParameterError, UnknownName
from assay.learned.tuning.measures import Excluded, Measure, Trial
from assay.metrics.base import Metric
from assay.metrics.registry import BUILT_IN
from assay.metrics.registry import metric as named_metric
from assay.metrics.tunable import Candidates, Tunable
from assay.scoring.evaluate import Progress
from assay.significance.draws import stream

#: Stands for all parameters.
_ALL = "all"
#: Counts of the text that take longer than anybody waits.
_MOST_COUNTS = 64
#: Steps from one end of a number's range to the other.
_STEPS = 100
#: Searches start from multiples of this, so that their steps meet.
_COARSE = 8
#: Digits of a value that count.
_DIGITS = 4

#: Steps away from the present value, one count per number.
_Steps = tuple[int, ...]

#: Distances at which neighbours are tried, in steps of the grid.
_DISTANCES = (16, 8, 4, 2, 1)
#: The distance down to which two numbers are moved at once.
_FINEST_ACROSS = 4
#: The distance at which searches without two folds stop.
_FINEST_INNER = 4
#: What is gained by less is rounding.
_ROUNDING = 1e-12
#: Points spread over the grid, per number.
SPREAD = 12
#: How far from the present numbers to the best ones; 0 keeps the metric as it is.
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
#: Trials that are remembered at a time: scores of 10,000 cells take 80 kB each.
_REMEMBERED = 1500
#: Values of a parameter from one end of its curve to the other.
_CURVE_VALUES = 21


def chosen_tunables(metric: Metric, names: Sequence[str]) -> tuple[Tunable, ...]:
    """The tunables of these names; without names those of the formula alone, or all where there are none.

    A name may be an option that holds several numbers: ``weights`` is ``weights[2]``, ``weights[3]`` and so on.
    """
    known = metric.tunables
    if not known:
        able = ", ".join(name for name in BUILT_IN if _is_tunable(name))
        raise ParameterError(f"{metric.name} has no parameters to tune. These metrics have: {able}.")
    for name in names:
        if name not in {one.name for one in known} | {one.option for one in known} | {_ALL}:
            raise UnknownName.of(f"parameter of {metric.name}", name, [*(one.name for one in known), _ALL])
    return named_tunables(known, names)


def named_tunables(known: tuple[Tunable, ...], names: Sequence[str]) -> tuple[Tunable, ...]:
    """Those among the known ones that these names are of."""
    if _ALL in names:
        return known
    if not names:
        return tuple(one for one in known if one.changes == "formula") or known
    return tuple(one for one in known if one.name in names or one.option in names)


def _is_tunable(name: str) -> bool:
    try:
        return bool(named_metric(name).tunables)
    except ParameterError:
        # It needs an option, as a predictor needs its file.
        return False


def counted_variants(tunables: Sequence[Tunable]) -> list[dict[str, float]]:
    """The values of what changes rows, each combination once, the present one first."""
    discrete = [one for one in tunables if one.changes == "rows"]
    listed = [sorted({one.start, *one.values}) for one in discrete]
    found = [dict(zip((one.name for one in discrete), values, strict=True)) for values in product(*listed)]
    if len(found) > _MOST_COUNTS:
        counts = ", ".join(f"{len(values)} of {one.name}" for one, values in zip(discrete, listed, strict=True))
        raise ParameterError(
            f"Text would be counted {len(found)} times ({counts}). Tune fewer of these at once: --parameters NAME,..."
        )
    present = {one.name: one.start for one in discrete}
    return [present, *(values for values in found if values != present)]


class ParameterRange:
    """The values of one number, counted in steps from where it is: 0 is the present value itself."""

    def __init__(self, tunable: Tunable) -> None:
        self.name, self.log, self._start = tunable.name, tunable.log, tunable.start
        self._ends = min(tunable.low, tunable.start), max(tunable.high, tunable.start)
        #: The low end, the present value and the high end on the scale that steps are equal on.
        ends = self._ends[0], tunable.start, self._ends[1]
        self._scaled = low, start, high = tuple(math.log(end) for end in ends) if tunable.log else ends
        #: The steps that reach the low end and the high end.
        self.lowest = -math.ceil((start - low) / (high - low) * _STEPS - 1e-9)
        self.highest = math.ceil((high - start) / (high - low) * _STEPS - 1e-9)

    def value(self, step: int) -> float:
        """The number so many steps away; the ends of the range are the ends.

        >>> [ParameterRange(Tunable("alpha", 0.85)).value(step) for step in (-85, -1, 0, 10, 15)]
        [0.0, 0.84, 0.85, 0.95, 1.0]
        """
        if step == 0:
            return self._start
        low, start, high = self._scaled
        place = min(max(start + step * (high - low) / _STEPS, low), high)
        value = math.exp(place) if self.log else place
        return min(max(float(f"{value:.{_DIGITS}g}"), self._ends[0]), self._ends[1])


class ParameterGrid:
    """The ranges of all numbers that are looked for at once."""

    def __init__(self, tunables: Iterable[Tunable]) -> None:
        self.ranges = [ParameterRange(one) for one in tunables]
        #: The present values.
        self.origin: _Steps = (0,) * len(self.ranges)

    def values(self, steps: _Steps) -> dict[str, float]:
        """The numbers at a point, by name."""
        return {one.name: one.value(step) for one, step in zip(self.ranges, steps, strict=True)}

    def clip(self, steps: Iterable[int]) -> _Steps:
        """The nearest point within all ranges."""
        return tuple(min(max(step, one.lowest), one.highest) for one, step in zip(self.ranges, steps, strict=True))

    def spread(self, points: int, generator: np.random.Generator) -> list[_Steps]:
        """Points all over the grid: each number takes values from all parts of its range (a Latin hypercube)."""
        columns = []
        for one in self.ranges:
            places = (generator.permutation(points) + 0.5) / points
            steps = (one.lowest + places * (one.highest - one.lowest)) / _COARSE
            columns.append((_COARSE * np.rint(steps)).astype(int).tolist())
        return [self.clip(steps) for steps in zip(*columns, strict=True)]

    def towards(self, steps: _Steps, share: float) -> _Steps:
        """The point on the way from the present values to ``steps``, a share of the way along."""
        return self.clip(round(share * step) for step in steps)


@dataclass(frozen=True, eq=False)
class CountedMetric:
    """One count of the text: the metric as it was counted, and the grid of what can change without counting anew."""

    metric: Metric
    grid: ParameterGrid
    candidates: Candidates = field(repr=False)

    def at(self, steps: _Steps) -> Metric:
        """The metric at a point of the grid."""
        return self.metric.tuned(self.grid.values(steps)) if any(steps) else self.metric


def best_point(
    objective: Callable[[_Steps], float], grid: ParameterGrid, spread: list[_Steps], finest: int = 1
) -> tuple[_Steps, float]:
    """The best point that the search finds, and its value; the present values where nothing is better.

    ``finest`` is the distance at which it stops.
    """

    def value_of(steps: _Steps) -> float:
        found = objective(steps)
        # A value that is not defined is worse than any.
        return found if found == found else float("-inf")  # noqa: PLR0124 - NaN is not equal to itself

    best, best_value = grid.origin, value_of(grid.origin)
    if not grid.ranges:
        return best, best_value
    others = sorted(((value_of(point), point) for point in spread), key=lambda one: -one[0])
    for start in (grid.origin, *(point for _, point in others[:1])):
        point, value = _climb(value_of, grid, start, finest)
        if value > best_value + _ROUNDING:
            best, best_value = point, value
    return best, best_value


def _climb(
    value_of: Callable[[_Steps], float], grid: ParameterGrid, start: _Steps, finest: int
) -> tuple[_Steps, float]:
    point, value = start, value_of(start)
    for distance in (one for one in _DISTANCES if one >= finest):
        moved = True
        while moved:
            moved = False
            for numbers in (1, 2) if distance >= _FINEST_ACROSS else (1,):
                for direction in _directions(len(point), numbers):
                    near = grid.clip([step + distance * sign for step, sign in zip(point, direction, strict=True)])
                    found = value_of(near) if near != point else value
                    if found > value + _ROUNDING:
                        point, value, moved = near, found, True
                if moved:
                    break
    return point, value


def _directions(count: int, numbers: int) -> Iterator[_Steps]:
    """Ways to move one number, or two at once, up and down."""
    for places, signs in product(combinations(range(count), numbers), product((1, -1), repeat=numbers)):
        moves = dict(zip(places, signs, strict=True))
        yield tuple(moves.get(place, 0) for place in range(count))


def shortest_way(pooled: Array, single: Array) -> int:
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
        if pooled[best] - pooled[way] <= allowed + _ROUNDING:
            return way
    return best


@dataclass(frozen=True)
class Point:
    """A place on the grid of one of the counts."""

    count: int
    steps: _Steps


class _Fitted(NamedTuple):
    """What was chosen on some folds: the point, and how far it lies on the way to the best one."""

    point: Point
    share: float


class NestedSearch:
    """All searches of one tuning, on texts that were counted once or several times; first as the metric is."""

    def __init__(self, measure: Measure, counts: Sequence[CountedMetric], seed: int) -> None:
        self.measure, self.counts = measure, counts
        generator = stream(seed, "starting points")
        self._spread = [one.grid.spread(SPREAD * len(one.grid.ranges), generator) for one in counts]
        self._values: dict[tuple[Point, Excluded], float] = {}
        # What was looked for once is not looked for again; of the trials the oldest are forgotten.
        self.trial = lru_cache(_REMEMBERED)(self._trial)
        self.best_of_counts, self.best = cache(self._best_of_counts), cache(self._best)

    def metric(self, point: Point) -> Metric:
        """The metric at a point."""
        return self.counts[point.count].at(point.steps)

    def _trial(self, point: Point) -> Trial:
        """The metric at a point with what the measure keeps of it."""
        return self.measure.trial(self.metric(point), self.counts[point.count].candidates)

    def value(self, point: Point, excluded: Excluded = frozenset()) -> float:
        """The statistic at a point, on all but these folds."""
        key = point, excluded
        if key not in self._values:
            self._values[key] = self.measure.value(self.trial(point), excluded)
        return self._values[key]

    @property
    def tried(self) -> int:
        """How many points were looked at."""
        return len({point for point, _ in self._values})

    def _best_of_counts(self, excluded: Excluded) -> list[tuple[Point, float]]:
        """The best point of each count on all but these folds, and its value."""
        # How far to go is a coarse question: its searches may be coarse.
        finest = _FINEST_INNER if len(excluded) > 1 else 1
        best = []
        for number, (one, spread) in enumerate(zip(self.counts, self._spread, strict=True)):
            steps, value = best_point(
                lambda steps, number=number: self.value(Point(number, steps), excluded),  # type: ignore[misc]
                one.grid,
                spread,
                finest,
            )
            best.append((Point(number, steps), value))
        return best

    def _best(self, excluded: Excluded) -> Point:
        """The best point on all but these folds, with those numbers as they were that make no difference.

        Where a weight is 0, say, what it weighs need not move.
        """
        best = self.best_of_counts(excluded)
        # The first of equal ones: the metric as it is, where nothing is better.
        top = max(value for _, value in best)
        point = next(point for point, value in best if value >= top - _ROUNDING)
        for place in range(len(point.steps)):
            if point.steps[place]:
                back = Point(point.count, (*point.steps[:place], 0, *point.steps[place + 1 :]))
                if self.value(back, excluded) >= self.value(point, excluded) - _ROUNDING:
                    point = back
        return point

    def run(self, progress: Progress | None = None) -> tuple[dict[int, _Fitted], _Fitted]:
        """What is chosen without each fold, and what is chosen on everything."""
        folds = range(len(self.measure.folds))
        every = [frozenset(some) for count in (2, 1, 0) for some in combinations(folds, count)]
        for done, excluded in enumerate(every, start=1):
            self.best(excluded)
            if progress is not None:
                progress(done / len(every))
        return {fold: self._fitted(frozenset([fold])) for fold in folds}, self._fitted(frozenset())

    def _fitted(self, excluded: Excluded) -> _Fitted:
        """How far to go is chosen on the folds that are left, each by what was found without it."""
        best, pooled, single = self.best(excluded), [], []
        for share in _SHARES:
            trials = {
                fold: self.trial(self._towards(self.best(excluded | {fold}), share))
                for fold in sorted(self.measure.every - excluded)
            }
            pooled.append(float(self.measure.pooled(trials, None, excluded)[0]))
            single.append(self.measure.singles(trials, excluded))
        share = _SHARES[shortest_way(np.array(pooled), np.array(single))]
        point = self._towards(best, share)
        # Where there is nothing between, as between two counts of the text, any part of the way is all of it.
        return _Fitted(point, 1.0 if point == best and share else share)

    def _towards(self, point: Point, share: float) -> Point:
        """A share of the way to a point; other counts than the first are gone to at once."""
        if share == 0.0:
            return Point(0, self.counts[0].grid.origin)
        return Point(point.count, self.counts[point.count].grid.towards(point.steps, share))

    def curve(self, place: int, by_fold: Mapping[int, _Fitted], final: Point) -> list[dict[str, Any]]:
        """The statistic from one end of a number's range to the other, the others as each fold chose them.

        The present and the tuned value are among its values.
        """
        one = self.counts[final.count].grid.ranges[place]
        even = np.linspace(one.lowest, one.highest, _CURVE_VALUES).round().astype(int).tolist()
        rows = []
        for step in sorted({*even, 0, final.steps[place]}):
            points = {fold: self._moved(fitted.point, one.name, step) for fold, fitted in by_fold.items()}
            rows.append({"parameter": one.name, "value": one.value(step), **self.means(points)})
        return rows

    def _moved(self, point: Point, name: str, step: int) -> Point:
        ranges = self.counts[point.count].grid.ranges
        moved = (step if one.name == name else old for one, old in zip(ranges, point.steps, strict=True))
        return Point(point.count, tuple(moved))

    def means(self, points: Mapping[int, Point]) -> dict[str, float | None]:
        """The statistic where each fold has a point of its own: means over folds, in training and held out."""
        every = self.measure.every
        training = [self.value(point, frozenset([fold])) for fold, point in points.items()]
        held_out = [self.value(point, every - {fold}) for fold, point in points.items()]
        return {"training": _finite_mean(training), "held_out": _finite_mean(held_out)}


def _finite_mean(values: list[float]) -> float | None:
    known = [value for value in values if np.isfinite(value)]
    return sum(known) / len(known) if known else None
