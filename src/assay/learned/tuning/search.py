"""The search for the best point of a lattice: from points all over it, and then step by step.

A statistic of ranks has no slope to follow: it is flat, with jumps. So the search compares values and nothing else. It
starts from the present values and from the best of many points that are spread over the lattice. Then it tries the
neighbours at a distance that shrinks: along each axis first, and where that fails along two at once, for parameters
work against each other. It draws nothing by itself: the same points, the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from assay.learned.tuning.lattice import Lattice, Steps

#: Distances at which neighbours are tried, in steps of the lattice.
DISTANCES = (16, 8, 4, 2, 1)
#: The distance down to which two numbers are moved at once.
FINEST_ACROSS = 4
#: What is gained by less is rounding.
ROUNDING = 1e-12
#: Points spread over the lattice, per axis.
SPREAD = 12

Objective = Callable[[Steps], float]


def best_point(objective: Objective, lattice: Lattice, spread: list[Steps], finest: int = 1) -> tuple[Steps, float]:
    """The best point that the search finds, and its value; the present values where nothing is better.

    ``finest`` is the distance at which it stops.
    """
    origin = lattice.origin
    best, best_value = origin, _worth(objective(origin))
    if not lattice.axes:
        return best, best_value
    others = sorted(((_worth(objective(point)), point) for point in spread), key=lambda one: -one[0])
    starts = [origin, *(point for _, point in others[:1])]
    for start in starts:
        point, value = _climb(objective, lattice, start, finest)
        if value > best_value + ROUNDING:
            best, best_value = point, value
    return best, best_value


def _climb(objective: Objective, lattice: Lattice, start: Steps, finest: int) -> tuple[Steps, float]:
    point, value = start, _worth(objective(start))
    for distance in (one for one in DISTANCES if one >= finest):
        moved = True
        while moved:
            moved = False
            pairs = _across(len(point)) if distance >= FINEST_ACROSS else iter(())
            for directions in (_along(len(point)), pairs):
                for direction in directions:
                    near = lattice.clip([step + distance * sign for step, sign in zip(point, direction, strict=True)])
                    worth = _worth(objective(near)) if near != point else value
                    if worth > value + ROUNDING:
                        point, value, moved = near, worth, True
                if moved:
                    break
    return point, value


def _along(axes: int) -> Iterator[Steps]:
    for axis in range(axes):
        for sign in (1, -1):
            yield tuple(sign if place == axis else 0 for place in range(axes))


def _across(axes: int) -> Iterator[Steps]:
    for one, other in combinations(range(axes), 2):
        for first in (1, -1):
            for second in (1, -1):
                yield tuple(first if place == one else second if place == other else 0 for place in range(axes))


def _worth(value: float) -> float:
    """A value that is not defined is worse than any."""
    return value if value == value else float("-inf")  # noqa: PLR0124 - NaN is not equal to itself
