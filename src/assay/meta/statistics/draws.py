"""How often each segment and each system was drawn: what every statistic on a grid is computed under."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.significance.association import BLOCK_CELLS

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Draws:
    """Multiplicities, one row per draw; a cell of the grid counts as often as its segment times its system."""

    segments: Array
    systems: Array

    def __post_init__(self) -> None:
        if self.segments.ndim != 2 or self.systems.ndim != 2 or len(self.segments) != len(self.systems):
            raise ParameterError(
                f"Draws take two tables with one row per draw; these have shapes {self.segments.shape} (segments) "
                f"and {self.systems.shape} (systems)."
            )
        for name, table in (("segments", self.segments), ("systems", self.systems)):
            if not (np.isfinite(table).all() and (table >= 0).all()):
                raise ParameterError(f"Draws of {name} hold numbers that are negative or not finite.")

    @classmethod
    def observed(cls, systems: int, segments: int) -> Draws:
        """One draw in which everything counts once: the data as they are."""
        return cls(segments=np.ones((1, segments)), systems=np.ones((1, systems)))

    def __len__(self) -> int:
        return len(self.segments)

    def blocks(self, cells_per_draw: int) -> Iterator[slice]:
        """Stretches of draws that need no more than a block's memory."""
        size = max(1, BLOCK_CELLS // max(cells_per_draw, 1))
        for start in range(0, len(self), size):
            yield slice(start, min(start + size, len(self)))


def distinct_rows(table: Array) -> tuple[Array, NDArray[np.intp]]:
    """The rows that differ, and which of them each row is; one row in the common case that nothing was drawn."""
    if (table == table[:1]).all():
        return table[:1], np.zeros(len(table), dtype=np.intp)
    rows, which = np.unique(table, axis=0, return_inverse=True)
    return rows, which.reshape(-1)


def check_grids(metric: Array, human: Array, draws: Draws) -> tuple[Array, Array]:
    """Both grids as float64, with NaN wherever one of them has it."""
    metric, human = np.asarray(metric, dtype=np.float64), np.asarray(human, dtype=np.float64)
    shape = (draws.systems.shape[1], draws.segments.shape[1])
    if metric.shape != shape or human.shape != shape:
        raise ParameterError(
            f"Grids are systems by segments, {shape[0]} x {shape[1]} in these draws; the metric's is {metric.shape}, "
            f"the human one {human.shape}."
        )
    missing = np.isnan(metric) | np.isnan(human)
    return np.where(missing, np.nan, metric), np.where(missing, np.nan, human)


def weighted_mean(values: Array, weights: Array) -> Array:
    """The mean over groups that have a value, one per draw; ``values`` has a row per draw, or one row for all."""
    defined = ~np.isnan(values)
    filled = np.where(defined, values, 0.0)
    if len(values) == 1:
        total, count = weights @ filled[0], weights @ defined[0].astype(np.float64)
    else:
        total, count = np.einsum("bg,bg->b", weights, filled), np.einsum("bg,bg->b", weights, defined)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(count > 0, total / count, np.nan))
