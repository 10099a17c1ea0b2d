"""Where the numbers of a metric may lie: a lattice round their present values.

A number moves in hundredths of its range. Judgements do not tell finer ones apart, the values are fit to be printed,
and searches on different folds meet in the same points, which are scored once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.metrics.tunable import Tunable

#: Steps from one end of a number's range to the other.
STEPS = 100
#: Searches start from multiples of this, so that their steps meet.
COARSE = 8
#: Digits of a value that count.
DIGITS = 4

#: Steps away from the present value, one count per number.
Steps = tuple[int, ...]


@dataclass(frozen=True)
class Axis:
    """The values of one number, counted in steps from where it is: 0 is the present value itself."""

    tunable: Tunable

    @property
    def name(self) -> str:
        return self.tunable.name

    @property
    def _ends(self) -> tuple[float, float, float]:
        """The low end, the present value and the high end on the scale that steps are equal on."""
        one = self.tunable
        ends = min(one.low, one.start), one.start, max(one.high, one.start)
        low, start, high = (math.log(end) for end in ends) if one.log else ends
        return low, start, high

    @property
    def lowest(self) -> int:
        """The step that reaches the low end."""
        low, start, high = self._ends
        return -math.ceil((start - low) / (high - low) * STEPS - 1e-9)

    @property
    def highest(self) -> int:
        """The step that reaches the high end."""
        low, start, high = self._ends
        return math.ceil((high - start) / (high - low) * STEPS - 1e-9)

    def value(self, step: int) -> float:
        """The number so many steps away; the ends of the range are the ends.

        >>> [Axis(Tunable("alpha", 0.85)).value(step) for step in (-85, -1, 0, 10, 15)]
        [0.0, 0.84, 0.85, 0.95, 1.0]
        """
        one = self.tunable
        if step == 0:
            return one.start
        low, start, high = self._ends
        place = min(max(start + step * (high - low) / STEPS, low), high)
        value = math.exp(place) if one.log else place
        return min(max(float(f"{value:.{DIGITS}g}"), min(one.low, one.start)), max(one.high, one.start))

    def clip(self, step: int) -> int:
        """The nearest step within the range."""
        return min(max(step, self.lowest), self.highest)


@dataclass(frozen=True)
class Lattice:
    """The axes of all numbers that are looked for at once."""

    axes: tuple[Axis, ...]

    @classmethod
    def of(cls, tunables: Sequence[Tunable]) -> Lattice:
        return cls(tuple(Axis(one) for one in tunables))

    @property
    def origin(self) -> Steps:
        """The present values."""
        return (0,) * len(self.axes)

    def values(self, steps: Steps) -> dict[str, float]:
        """The numbers at a point, by name."""
        return {axis.name: axis.value(step) for axis, step in zip(self.axes, steps, strict=True)}

    def clip(self, steps: Sequence[int]) -> Steps:
        """The nearest point within all ranges."""
        return tuple(axis.clip(step) for axis, step in zip(self.axes, steps, strict=True))

    def spread(self, points: int, generator: np.random.Generator) -> list[Steps]:
        """Points all over the lattice: each number takes values from all parts of its range (a Latin hypercube)."""
        columns = []
        for axis in self.axes:
            places = (generator.permutation(points) + 0.5) / points
            steps = (axis.lowest + places * (axis.highest - axis.lowest)) / COARSE
            columns.append((COARSE * np.rint(steps)).astype(int).tolist())
        return [self.clip(steps) for steps in zip(*columns, strict=True)] if columns else []

    def towards(self, steps: Steps, share: float) -> Steps:
        """The point on the way from the present values to ``steps``, a share of the way along."""
        return self.clip([round(share * step) for step in steps])
