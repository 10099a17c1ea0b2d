"""Which numbers of a metric are tuned, and where they may lie: a grid round their present values.

A number moves in hundredths of its range. Judgements do not tell finer ones apart, the values are fit to be printed,
and searches on different folds meet in the same points, which are scored once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from assay.errors import ParameterError, UnknownName
from assay.metrics.base import Metric
from assay.metrics.registry import BUILT_IN
from assay.metrics.registry import metric as named_metric
from assay.metrics.tunable import Tunable

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
Steps = tuple[int, ...]


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
        self.origin: Steps = (0,) * len(self.ranges)

    def values(self, steps: Steps) -> dict[str, float]:
        """The numbers at a point, by name."""
        return {one.name: one.value(step) for one, step in zip(self.ranges, steps, strict=True)}

    def clip(self, steps: Iterable[int]) -> Steps:
        """The nearest point within all ranges."""
        return tuple(min(max(step, one.lowest), one.highest) for one, step in zip(self.ranges, steps, strict=True))

    def spread(self, points: int, generator: np.random.Generator) -> list[Steps]:
        """Points all over the grid: each number takes values from all parts of its range (a Latin hypercube)."""
        columns = []
        for one in self.ranges:
            places = (generator.permutation(points) + 0.5) / points
            steps = (one.lowest + places * (one.highest - one.lowest)) / _COARSE
            columns.append((_COARSE * np.rint(steps)).astype(int).tolist())
        return [self.clip(steps) for steps in zip(*columns, strict=True)]

    def towards(self, steps: Steps, share: float) -> Steps:
        """The point on the way from the present values to ``steps``, a share of the way along."""
        return self.clip(round(share * step) for step in steps)
