"""The statistic over each parameter, in training and on held-out folds: what the figure of a tuning shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from assay.learned.tuning.lattice import Axis
from assay.learned.tuning.nested import Fitted, Nest, Point
from assay.meta.result import number_or_none
from assay.metrics.tunable import Tunable

#: Values of a parameter from one end to the other.
VALUES = 21


def curves_of(
    nest: Nest,
    by_fold: Mapping[int, Fitted],
    final: Fitted,
    variants: Sequence[Mapping[str, float]],
    wanted: Sequence[Tunable],
    *,
    progress: Callable[[float], None] | None = None,
) -> list[dict[str, Any]]:
    """Each parameter from one end of its range to the other, the other parameters as each fold chose them."""
    found: list[dict[str, Any]] = []
    axes = nest.boards[final.point.board].lattice.axes
    discrete = [one.name for one in wanted if one.changes == "rows"]
    for done, axis in enumerate(axes, start=1):
        for step in _steps(axis, _step_of(nest, final.point, axis.name)):
            points = {fold: _moved(nest, one.point, axis.name, step) for fold, one in by_fold.items()}
            found.append(_mean(nest, axis.name, axis.value(step), points))
        if progress is not None:
            progress(done / (len(axes) + len(discrete)))
    for name in discrete:
        found += _over_boards(nest, name, by_fold, variants)
    return found


def _steps(axis: Axis, chosen: int) -> list[int]:
    even = np.linspace(axis.lowest, axis.highest, VALUES).round().astype(int).tolist()
    return sorted({*even, 0, chosen})


def _step_of(nest: Nest, point: Point, name: str) -> int:
    axes = nest.boards[point.board].lattice.axes
    return next((step for axis, step in zip(axes, point.steps, strict=True) if axis.name == name), 0)


def _moved(nest: Nest, point: Point, name: str, step: int) -> Point:
    axes = nest.boards[point.board].lattice.axes
    steps = (step if axis.name == name else old for axis, old in zip(axes, point.steps, strict=True))
    return Point(point.board, tuple(steps))


def _over_boards(
    nest: Nest, name: str, by_fold: Mapping[int, Fitted], variants: Sequence[Mapping[str, float]]
) -> Iterator[dict[str, Any]]:
    """A parameter that changes rows: for each of its values the best that was found beside it without the fold."""
    for value in sorted({values[name] for values in variants}):
        points = {}
        for fold, one in by_fold.items():
            wanted = {**variants[one.point.board], name: value}
            board = next(number for number, values in enumerate(variants) if values == wanted)
            points[fold] = nest.best_of_boards[frozenset([fold])][board]
        yield _mean(nest, name, value, points)


def _mean(nest: Nest, name: str, value: float, points: Mapping[int, Point]) -> dict[str, Any]:
    """The statistic at one value of one parameter, the others as each fold chose them: means over folds."""
    every = nest.measure.every
    training = [nest.value(point, frozenset([fold])) for fold, point in points.items()]
    held_out = [nest.value(point, every - {fold}) for fold, point in points.items()]
    means = {"training": _finite_mean(training), "held_out": _finite_mean(held_out)}
    return {"parameter": name, "value": value, **means}


def _finite_mean(values: list[float]) -> float | None:
    known = [value for value in values if np.isfinite(value)]
    return number_or_none(sum(known) / len(known)) if known else None
