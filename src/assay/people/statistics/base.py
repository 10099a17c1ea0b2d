"""What a statistic is: a way to say how far a metric follows people.

A statistic is a class with a name, a line about it, where it applies, and ``compute``. Registering it
(``assay.register_statistic``, or an entry point of the group ``assay.statistics``) is enough for ``assay meta``: its
option and help, intervals at every level, the human ceiling, tests between metrics, and clusters. Whatever else a class
overrides makes it faster, or is for statistics that look at more than scores.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.errors import ParameterError
from assay.people.statistics.swaps import item_swap_deltas
from assay.significance.association import BLOCK_CELLS, Indices, PairSums, pair_sums, prepare
from assay.significance.draws import Draws, swap_flags

Level = Literal["system", "document", "segment"]
LEVELS: tuple[Level, ...] = ("system", "document", "segment")

#: What is correlated with what below the system level: all cells together (``none``), the systems within each segment
#: and then the mean over segments (``item``), or the segments within each system and then the mean over systems
#: (``system``). Groups in which a statistic is not defined do not take part in the mean.
Grouping = Literal["none", "item", "system"]
GROUPINGS: tuple[Grouping, ...] = ("none", "item", "system")

#: Weights in cache at a time make long vectors twice as fast.
_CACHED_CELLS = 1_600_000

#: Two metrics by their numbers, the difference of a statistic that was seen, and the differences under random swaps.
Swapped = tuple[int, int, float, Array]


class Values(NamedTuple):
    """One value per draw, NaN where it is not defined; and the tie threshold, where one was chosen."""

    values: Array
    epsilon: float | None = None


@dataclass(frozen=True, eq=False)
class SystemScores:
    """Scores of systems under draws: all tables are draws by systems."""

    human: Array
    metric: Array
    #: How often each system was drawn; 0 for those that take no part.
    weights: Array
    #: One-sided p-values of all pairs of systems (draws by systems by systems) in the eyes of people and of the metric.
    p_values: Callable[[], tuple[Array, Array]] = field(repr=False)


class ItemPairs:
    """All pairs of systems in all segments: signs of their differences, pairs by segments; 0 where one is missing."""

    def __init__(self, metric: Array, human: Array) -> None:
        self.first, self.second = np.triu_indices(len(metric), k=1)
        self.metric_difference = metric[self.first] - metric[self.second]
        self.human_difference = human[self.first] - human[self.second]
        self.present = ~np.isnan(self.human_difference)
        self.metric_sign = np.nan_to_num(np.sign(self.metric_difference))
        self.human_sign = np.nan_to_num(np.sign(self.human_difference))

    def weights(self, systems: Array) -> Array:
        """Draws by pairs."""
        return np.asarray(systems[:, self.first] * systems[:, self.second])

    def agree(self) -> Array:
        """1 where both sides order a pair alike, or tie."""
        return np.asarray(self.present & (self.metric_sign == self.human_sign), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Grid:
    """Scores of systems by segments (or documents) on both sides under draws, and what several statistics count."""

    metric: Array
    human: Array
    draws: Draws
    grouping: Grouping
    #: For what is sampled where there are too many pairs, and for folds.
    seed: int = 1

    @classmethod
    def of(cls, metric: Array, human: Array, draws: Draws, grouping: Grouping, seed: int = 1) -> Grid:
        """Both sides with NaN wherever one of them has it."""
        return cls(*check_grids(metric, human, draws), draws, grouping, seed)

    @cached_property
    def item_pairs(self) -> ItemPairs:
        """All pairs of systems within segments."""
        return ItemPairs(self.metric, self.human)

    def by_item(self, function: Callable[[Array], Array]) -> Array:
        """The mean over segments of ``function`` of draws of systems, which gives draws by segments."""
        systems, which = distinct_rows(self.draws.systems)
        if len(systems) == 1:
            return weighted_mean(function(systems), self.draws.weights)
        values = np.empty(len(self.draws))
        for here in self.draws.slices(12 * self.metric.shape[1]):
            values[here] = weighted_mean(function(systems[which[here]]), self.draws.weights[here])
        return values

    def by_system(self, function: Callable[[Array, Array, Array], Array]) -> Array:
        """The mean over systems of ``function`` of both sides and of weights, segments by draws."""
        values = [function(x, y, weights) for x, y, weights in self._systems()]
        return weighted_mean(np.stack(values, axis=1), self.draws.systems)

    def _systems(self) -> Iterator[tuple[Array, Array, Array]]:
        drawn = np.ascontiguousarray(self.draws.weights.T)
        for x, y in zip(self.metric, self.human, strict=True):
            present = ~np.isnan(x)
            yield x[present], y[present], drawn[present]

    def together(self, function: Callable[[Array, Array, Array, Indices | None], Array]) -> Array:
        """``function`` of all cells of both sides, of weights (units by draws), and of the unit of each cell."""
        return np.concatenate([function(*part) for part in self._cells()])

    def _cells(self) -> Iterator[tuple[Array, Array, Array, Indices | None]]:
        system, segment = np.nonzero(~np.isnan(self.metric))
        x, y = self.metric[system, segment], self.human[system, segment]
        if (self.draws.systems == 1).all():
            yield x, y, np.ascontiguousarray(self.draws.weights.T), segment
            return
        step = max(32, _CACHED_CELLS // max(len(x), 1))
        for start in range(0, len(self.draws), step):
            here = slice(start, start + step)
            weights = self.draws.weights[here].T[segment]
            weights *= self.draws.systems[here].T[system]
            yield x, y, weights, None

    @cached_property
    def _pair_sums(self) -> list[PairSums]:
        """Pairs of all cells together, or of each system."""
        if self.grouping == "system":
            return [pair_sums(*part) for part in self._systems()]
        return [PairSums.joined([pair_sums(*part) for part in self._cells()])]

    def of_pairs(self, function: Callable[[PairSums], Array]) -> Array:
        """A function of counted pairs, of all cells together or in the mean over systems."""
        values = [function(sums) for sums in self._pair_sums]
        return weighted_mean(np.stack(values, axis=1), self.draws.systems) if self.grouping == "system" else values[0]


def distinct_rows(table: Array) -> tuple[Array, NDArray[np.intp]]:
    """The rows that differ, and which of them each row is; one row in the common case that nothing was drawn."""
    if (table == table[:1]).all():
        return table[:1], np.zeros(len(table), dtype=np.intp)
    rows, which = np.unique(table, axis=0, return_inverse=True)
    return rows, which.reshape(-1)


def check_grids(metric: Array, human: Array, draws: Draws) -> tuple[Array, Array]:
    """Both grids as float64, with NaN wherever one of them has it."""
    metric, human = np.asarray(metric, dtype=np.float64), np.asarray(human, dtype=np.float64)
    shape = (draws.systems.shape[1], draws.weights.shape[1])
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


class Statistic(ABC):
    """Base class of all statistics."""

    name: ClassVar[str]
    label: ClassVar[str]
    #: What it is, in a line.
    summary: ClassVar[str]
    source: ClassVar[str] = ""
    levels: ClassVar[tuple[Level, ...]] = LEVELS
    #: At document and segment level; the first is the usual one. At system level there is nothing to group.
    groupings: ClassVar[tuple[Grouping, ...]] = GROUPINGS
    #: So many systems (at system level) or items of a group are needed for a value.
    fewest: ClassVar[int] = 2
    #: Whether it is measured at the system level where nobody names statistics, and below it under which groupings.
    usual: ClassVar[bool] = False
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ()
    #: The groupings that it is measured under where it is named and they are not.
    named_groupings: ClassVar[tuple[Grouping, ...]] = ("none", "item")
    #: Whether swaps within segments are counted all at once: see ``swaps``.
    swaps_within_items: ClassVar[bool] = False
    #: Whether it is of pairs that people ranked rather than of scores.
    ranked: ClassVar[bool] = False

    @abstractmethod
    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        """The statistic over the last axis; all three have one shape, and other axes are draws or groups.

        Higher is better on both sides. A weight says how often an item was drawn, and is 0 where it is missing. NaN
        stands where nothing is defined.
        """

    def of_systems(self, scores: SystemScores) -> Array:
        """One value per draw of systems."""
        return self.over(scores.human, scores.metric, scores.weights)

    def of_grid(self, grid: Grid) -> Values:
        """One value per draw of a grid."""
        draws = grid.draws
        if grid.grouping == "none":
            return Values(grid.together(self._of_cells))
        if grid.grouping == "item":
            return Values(grid.by_item(lambda rows: self.over(grid.human.T, grid.metric.T, rows[:, None, :])))
        values = np.empty((len(draws), len(grid.metric)))
        for here in draws.slices(4 * grid.metric.size):
            values[here] = self.over(grid.human, grid.metric, draws.weights[here][:, None, :])
        return Values(weighted_mean(values, draws.systems))

    def _of_cells(self, metric: Array, human: Array, weights: Array, unit: Indices | None) -> Array:
        values = np.empty(weights.shape[1])
        step = max(1, BLOCK_CELLS // max(4 * len(metric), 1))
        for start in range(0, len(values), step):
            drawn = weights[:, start : start + step] if unit is None else weights[unit, start : start + step]
            values[start : start + step] = self.over(human, metric, drawn.T)
        return values

    def over(self, human: Array, metric: Array, weights: Array) -> Array:
        """``compute``, where there are points enough."""
        metric, human, weights = prepare(metric, human, weights)
        enough = (weights > 0).sum(axis=-1) >= self.fewest
        return np.asarray(np.where(enough, self.compute(human, metric, weights), np.nan))

    def is_tested(self, level: str, grouping: str | None) -> bool:
        """Whether metrics can be compared by it."""
        del level, grouping
        return not self.ranked

    def swap_deltas(
        self, scores: Array, human: Array, grouping: Grouping, *, samples: int, seed: int, threads: int = 1
    ) -> Iterator[Swapped]:
        """All pairs of metrics (metrics by systems by segments) that swap scores cell by cell."""
        if grouping == "item" and self.swaps_within_items:
            return item_swap_deltas(self.name, scores, human, samples=samples, seed=seed, threads=threads)
        return self._swap_by_swap(scores, human, grouping, samples, seed)

    def _swap_by_swap(
        self, scores: Array, human: Array, grouping: Grouping, samples: int, seed: int
    ) -> Iterator[Swapped]:
        """The same for any statistic: exact, and slow."""
        plain = type(self).of_grid is Statistic.of_grid
        once = Draws.observed(*human.shape)
        step = max(1, BLOCK_CELLS // (4 * human.size)) if plain else 1

        def values(grids: Array) -> Array:
            if plain:
                return self._of_grids(grids, human, grouping)
            return np.concatenate([self.of_grid(Grid.of(grid, human, once, grouping)).values for grid in grids])

        for first, second in combinations(range(len(scores)), 2):
            x, y = scores[first], scores[second]
            deltas = []
            for flags in swap_flags(human.size, samples, seed):
                swapped = (flags == 1).reshape(-1, *human.shape)
                for start in range(0, len(swapped), step):
                    swap = swapped[start : start + step]
                    deltas.append(values(np.where(swap, y, x)) - values(np.where(swap, x, y)))
            yield first, second, float((values(x[None]) - values(y[None]))[0]), np.concatenate(deltas)

    def _of_grids(self, metric: Array, human: Array, grouping: Grouping) -> Array:
        """One value per grid (grids by systems by segments), each cell counted once."""
        if grouping == "none":
            return self.over(human.ravel(), metric.reshape(len(metric), -1), np.ones(()))
        swapped = (0, 2, 1) if grouping == "item" else (0, 1, 2)
        values = self.over(human.T if grouping == "item" else human, metric.transpose(swapped), np.ones(()))
        return weighted_mean(values, np.ones(values.shape))
