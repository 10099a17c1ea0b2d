"""Statistics of two grids of scores (systems by segments, or systems by documents) under draws, by name."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import ParameterError, UnknownName
from assay.meta.statistics.base import GROUPINGS, Grid, Grouping, Statistic
from assay.meta.statistics.draws import Array, Draws
from assay.meta.statistics.registry import grid_statistic_names, statistic

__all__ = ["GROUPINGS", "Grouping", "of_a_grid", "on_grid", "several_on_grid"]


def of_a_grid(given: str | Statistic, grouping: str) -> Statistic:
    """A statistic that has a value on a grid under a grouping."""
    if isinstance(given, str) and given not in grid_statistic_names():
        raise UnknownName.of("statistic of a grid", given, grid_statistic_names())
    found = statistic(given) if isinstance(given, str) else given
    if grouping not in GROUPINGS:
        raise UnknownName.of("grouping", grouping, GROUPINGS)
    if grouping not in found.groupings:
        raise ParameterError(f"{found.name}: its grouping is {', '.join(found.groupings)}, not {grouping}.")
    return found


def on_grid(
    given: str | Statistic, metric: Array, human: Array, draws: Draws, grouping: Grouping, *, seed: int = 1
) -> Array:
    """One value per draw; NaN where it is not defined."""
    return of_a_grid(given, grouping).of_grid(Grid.of(metric, human, draws, grouping, seed)).values


def several_on_grid(
    statistics: Sequence[str], metric: Array, human: Array, draws: Draws, grouping: Grouping, *, seed: int = 1
) -> dict[str, Array]:
    """Several statistics at once, which share what they count.

    ``seed`` is for what acc23 samples where there are too many pairs, and for the folds of acc23-heldout.
    """
    found = [of_a_grid(name, grouping) for name in statistics]
    grid = Grid.of(metric, human, draws, grouping, seed)
    return {one.name: one.of_grid(grid).values for one in found}
