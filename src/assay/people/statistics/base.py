"""What a statistic is: a way to say how far a metric follows people.

A statistic is a class with a name, a line about it, where it applies, and ``compute``. Registering it
(``assay.register_statistic``, or an entry point of the group ``assay.statistics``) is enough for ``assay meta``: its
option and help, intervals at every level, tests between metrics, and clusters. Whatever else a class overrides makes it
faster, gives it a ceiling (``as_pearson``), or is for statistics that look at more than scores.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.errors import ParameterError
from assay.significance.association import BLOCK_CELLS, FAMILY_OF, grouped, over_rows
from assay.significance.draws import Draws

Level = Literal["system", "document", "segment"]
LEVELS: tuple[Level, ...] = ("system", "document", "segment")

#: What is correlated with what below the system level: all cells together (``none``), the systems within each segment
#: and then the mean over segments (``item``), or the segments within each system and then the mean over systems
#: (``system``). _Groups in which a statistic is not defined do not take part in the mean.
Grouping = Literal["none", "item", "system"]
GROUPINGS: tuple[Grouping, ...] = ("none", "item", "system")

_Scalar = TypeVar("_Scalar", bound=np.generic)
#: The numbers of two metrics each.
MetricPairs = Sequence[tuple[int, int]]

#: Weights in cache at a time make long vectors twice as fast.
_CACHED_CELLS = 1_600_000


class Values(NamedTuple):
    """One value per draw, NaN where it is not defined; and the tie thresholds: one per draw, or draws by folds."""

    values: Array
    epsilons: Array = np.empty(0)


class _Groups(NamedTuple):
    """Cells of a grid in groups, and what they weigh under draws."""

    #: Scores of the metric and of people (NaN where one is missing), and the row of weights of each; groups by items.
    cells: tuple[Array, Array, NDArray[np.uint32]]
    #: Units by draws; one column where all draws are alike.
    weights: Array
    #: How often each group counts in the mean over groups: groups by draws.
    counts: Array


@dataclass(frozen=True, eq=False)
class Grid:
    """Scores of systems by segments (or documents) on both sides under draws, to be looked at in groups."""

    metric: Array
    human: Array
    draws: Draws
    grouping: Grouping
    #: For what is sampled where there are too many pairs, and for folds.
    seed: int = 1
    #: Measures of association in the mean over groups, by the families that were counted already.
    means: dict[str, dict[str, Array]] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, metric: Array, human: Array, draws: Draws, grouping: Grouping, seed: int = 1) -> Grid:
        """Both sides as float64, with NaN wherever one of them has it."""
        metric, human = np.asarray(metric, dtype=np.float64), np.asarray(human, dtype=np.float64)
        shape = (draws.systems.shape[1], draws.weights.shape[1])
        if metric.shape != shape or human.shape != shape:
            raise ParameterError(
                f"Grids are systems by segments, {shape[0]} x {shape[1]} in these draws; the metric's is "
                f"{metric.shape}, the human one {human.shape}."
            )
        missing = np.isnan(metric) | np.isnan(human)
        return cls(np.where(missing, np.nan, metric), np.where(missing, np.nan, human), draws, grouping, seed)

    def groups(self) -> Iterator[_Groups]:
        """The cells in their groups, for as many draws at a time as fit."""
        segments, systems = self.draws.by_unit, np.ascontiguousarray(self.draws.systems.T)
        counts = {"none": np.ones((1, len(self.draws))), "item": segments, "system": systems}[self.grouping]
        x, y = arranged(self.metric, self.grouping), arranged(self.human, self.grouping)
        places = np.indices(self.metric.shape).astype(np.uint32)
        system, segment = arranged(places[0], self.grouping), arranged(places[1], self.grouping)
        if self.grouping == "none" and self.draws.systems_vary:
            cell = np.arange(x.size, dtype=np.uint32)[None]
            step = max(32, _CACHED_CELLS // max(x.size, 1))
            for start in range(0, len(self.draws), step):
                weights = segments[segment[0], start : start + step] * systems[system[0], start : start + step]
                yield _Groups((x, y, cell), weights, counts[:, : weights.shape[1]].copy())
            return
        unit, weights = (system, systems) if self.grouping == "item" else (segment, segments)
        # One column where all draws are alike, as they are where nothing was drawn.
        alike = (weights == weights[:, :1]).all()
        yield _Groups((x, y, unit), weights[:, :1].copy() if alike else weights, counts)


def mean_of_groups(values: Array, counts: Array) -> Array:
    """The mean over groups that have a value, one per draw; ``values`` are groups by draws, or one column for all."""
    defined = ~np.isnan(values)
    filled = np.where(defined, values, 0.0)
    if values.shape[1] == 1:
        total, count = filled[:, 0] @ counts, defined[:, 0].astype(np.float64) @ counts
    else:
        total, count = (np.einsum("gd,gd->d", counts, part) for part in (filled, defined))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(count > 0, total / count, np.nan))


def arranged(grid: NDArray[_Scalar], grouping: Grouping) -> NDArray[_Scalar]:
    """Systems by segments as groups by items."""
    return np.ascontiguousarray({"none": grid.reshape(1, -1), "item": grid.T, "system": grid}[grouping])


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
    #: The groupings under which metrics can be compared by it; None is for the system level.
    tested: ClassVar[tuple[Grouping | None, ...]] = (None, *GROUPINGS)
    #: Whether it is of pairs that people ranked rather than of scores.
    ranked: ClassVar[bool] = False
    #: Whether, at the system level, it is of p-values of all pairs of systems (draws by systems by systems) instead.
    of_p_values: ClassVar[bool] = False
    #: Whether these are of the means of the metric's segment scores rather than of its scores of systems.
    of_segment_means: ClassVar[bool] = False

    @abstractmethod
    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        """The statistic over the last axis; all three have one shape, and other axes are draws or groups.

        Higher is better on both sides. A weight says how often an item was drawn, and is 0 where it is missing. NaN
        stands where nothing is defined.
        """

    def of_grid(self, grid: Grid) -> Values:
        """One value per draw of a grid."""
        return Values(np.concatenate([mean_of_groups(self._within(groups), groups.counts) for groups in grid.groups()]))

    def _within(self, groups: _Groups) -> Array:
        """The statistic in each group under each draw: groups by draws."""
        (metric, human, unit), draws = groups.cells, groups.weights.shape[1]
        values = np.empty((len(metric), draws))
        step = max(1, BLOCK_CELLS // max(4 * metric.size, 1))
        for start in range(0, draws, step):
            weights = np.moveaxis(groups.weights[unit, start : start + step], -1, 0)
            values[:, start : start + step] = self.over(human, metric, weights).T
        return values

    def over(self, human: Array, metric: Array, weights: Array) -> Array:
        """``compute``, where there are points enough; what is missing has weight 0 and value 0 there."""
        metric, human, weights = np.broadcast_arrays(metric, human, weights)
        missing = np.isnan(metric) | np.isnan(human)
        metric, human, weights = (np.where(missing, 0.0, values) for values in (metric, human, weights))
        enough = (weights > 0).sum(axis=-1) >= self.fewest
        return np.asarray(np.where(enough, self.compute(human, metric, weights), np.nan))

    def as_pearson(self, values: Array, points: int) -> Array | None:
        """The correlation of normal scores over ``points`` that are expected to have these values.

        From how far two halves of the judgements agree follows by it what a metric that knows the true quality would
        reach. None, the default, says that this is not known: there is no such ceiling.
        """
        del values, points
        return None

    def from_pearson(self, correlations: Array, points: int) -> Array:
        """The other way round: the values that are expected of normal scores with these correlations."""
        raise ParameterError(f"The statistic {self.name} has as_pearson, so it needs from_pearson, too.")

    def swap_deltas(
        self,
        scores: Array,
        human: Array,
        grouping: Grouping,
        flags: NDArray[np.uint8],
        pairs: MetricPairs,
        *,
        threads: int = 1,
    ) -> Array:
        """Pairs of metrics (metrics by systems by segments) that swap scores cell by cell: exact, and slow.

        ``flags`` (draws by systems by segments) are 1 where they do. The first's statistic less the second's: pairs by
        draws.
        """
        del threads
        once, swaps = Draws.observed(*human.shape), flags == 1

        def value(grid: Array) -> float:
            return float(self.of_grid(Grid.of(grid, human, once, grouping)).values[0])

        deltas = [
            [value(np.where(swap, y, x)) - value(np.where(swap, x, y)) for swap in swaps]
            for x, y in ((scores[first], scores[second]) for first, second in pairs)
        ]
        return np.array(deltas)


class Association(Statistic):
    """A statistic that is a measure of association of ``significance.association``."""

    measure: ClassVar[str]

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        return over_rows(self.measure, metric, human, weights)

    def of_grid(self, grid: Grid) -> Values:
        """In the mean over groups; the measures of its family are counted with it, once."""
        family = FAMILY_OF[self.measure]
        if family not in grid.means:
            blocks = []
            for cells, weights, counts in grid.groups():
                measured = grouped(family, *cells, weights)
                blocks.append({name: mean_of_groups(values, counts) for name, values in measured.items()})
            grid.means[family] = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
        return Values(grid.means[family][self.measure])


class Ordering(Association):
    """An association that is a share of pairs in like order less that of pairs in unlike order: a tau."""

    def as_pearson(self, values: Array, points: int) -> Array:
        del points
        return np.asarray(np.sin(np.pi / 2.0 * values))

    def from_pearson(self, correlations: Array, points: int) -> Array:
        """What tau is expected to be, over however many points (Greiner, 1909)."""
        del points
        return np.asarray(2.0 / np.pi * np.arcsin(correlations))
