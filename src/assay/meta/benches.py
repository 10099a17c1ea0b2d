"""Where sources are measured against people: one bench per level, the same draws for every source.

The first of all draws has everything once: it gives the value, and the others give its interval.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.factor import Factor
from assay.meta.people import People
from assay.meta.ranked import Ranked
from assay.meta.rankings import Pairs
from assay.meta.resampling import FEWEST_SYSTEMS, Drawing, Resampling, with_observed
from assay.meta.sources import Source
from assay.meta.statistics.base import Grid, SystemScores
from assay.meta.statistics.draws import Draws
from assay.meta.statistics.registry import statistic as named_statistic
from assay.meta.statistics.soft_accuracy import pair_p_normal, pair_p_values
from assay.significance.intervals import Interval, quantiles
from assay.significance.student import few_units_tail

__all__ = [
    "Bench", "Cell", "GridBench", "Measured", "RankingBench", "SystemBench", "benches_of", "document_labels", "ends",
    "interval_of", "number_or_none", "quantile_pair", "steady", "units_of", "with_observed",
]  # fmt: skip

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: A statistic, and how points are grouped for it.
Cell = tuple[str, str | None]

#: Digits of a score that count.
DIGITS = 12
#: Random swaps behind the p-values of soft pairwise accuracy.
PERMUTATIONS = 1000
#: What a 95 % interval leaves out at either end.
TAIL = 0.025
#: An interval needs a value in this share of the draws.
MOST = 0.5


@dataclass(frozen=True, eq=False)
class Measured:
    """One statistic of one source: its value, what the draws made of it, and how many points it is over."""

    value: float
    drawn: Array = field(repr=False)
    n: int
    #: The difference up to which scores are a tie, where one was calibrated.
    epsilon: float | None = None
    #: How many segments or documents the draws are of; below the system level, few of them widen the interval.
    units: int | None = None

    def row(self) -> dict[str, float | None]:
        """Value and both ends of its interval as tables hold them; None where there is none."""
        return {"value": number_or_none(self.value), **ends(interval_of(self))}


def quantile_pair(drawn: Array, units: int | None = None) -> tuple[float | None, float | None]:
    """The middle 95 % of what the draws gave; nothing where more than half of them gave no value.

    With the number of ``units`` that were drawn from it is widened for few, as Student's t is against the normal.
    """
    finite = drawn[np.isfinite(drawn)]
    if len(finite) < MOST * len(drawn) or len(finite) < 2:
        return None, None
    tail = TAIL if units is None else few_units_tail(units, TAIL)
    low, high = quantiles(finite, [tail, 1.0 - tail])
    return low, high


def interval_of(measured: Measured) -> Interval | None:
    """The interval of a statistic; None where it, or too many draws, have no value."""
    low, high = quantile_pair(measured.drawn, measured.units)
    if low is None or high is None or not math.isfinite(measured.value):
        return None
    return Interval(low, high)


def ends(interval: Interval | None) -> dict[str, float | None]:
    """Both ends of an interval as tables hold them; None where there is none."""
    return {"low": None, "high": None} if interval is None else {"low": interval.low, "high": interval.high}


def number_or_none(value: float) -> float | None:
    """What JSON can hold of a statistic that may not be defined."""
    return value if math.isfinite(value) else None


def units_of(draws: Draws) -> int:
    """How many segments or documents could be drawn."""
    return int((draws.segments[1:] > 0).any(axis=0).sum())


def steady(scores: Array) -> Array:
    """Scores without the last digits of their arithmetic: what is equal in truth is a tie here.

    >>> steady(np.array([100.00000000000003, 99.99999999999999, 50.0])).tolist()
    [100.0, 100.0, 50.0]
    """
    largest = np.nanmax(np.abs(scores), initial=0.0)
    if not np.isfinite(largest) or largest == 0.0:
        return scores
    return np.round(scores, DIGITS - int(np.ceil(np.log10(largest))))


def without_interval(found: Mapping[Cell, Measured], draws: Draws) -> dict[Cell, Measured]:
    """Values of a single item: it says nothing of how others would turn out, unless systems are drawn."""
    if not (draws.systems == 1).all():
        return dict(found)
    return {cell: replace(one, drawn=np.full(len(draws) - 1, np.nan)) for cell, one in found.items()}


class Bench(ABC):
    """One level: people's scores there, and the draws."""

    level: str
    draws: Draws

    @abstractmethod
    def measure(self, cells: Iterable[Cell], source: Source) -> dict[Cell, Measured]:
        """Several statistics of one source."""


class SystemBench(Bench):
    """Scores of systems: one point each."""

    level = "system"

    def __init__(self, people: People, draws: Draws, *, seed: int) -> None:
        self.people, self.draws = people, draws
        self._seed = seed
        self._scores: dict[int, Array] = {}
        self._p_values: dict[int, Array] = {}

    @cached_property
    def human(self) -> Array:
        """People's scores: draws by systems."""
        return self.people.system_scores(self.draws.segments)

    def scores(self, source: Source) -> Array:
        """A source's scores: draws by systems."""
        if id(source) not in self._scores:
            self._scores[id(source)] = steady(source.systems(self.draws.segments))
        return self._scores[id(source)]

    def points(self, source: Source) -> Flags:
        """Which systems have a score on both sides."""
        return np.asarray(np.isfinite(self.human[0]) & np.isfinite(self.scores(source)[0]))

    def measure(self, cells: Iterable[Cell], source: Source) -> dict[Cell, Measured]:
        return {cell: self.over(self.points(source), cell[0], source) for cell in cells}

    def over(self, systems: Flags, statistic: str, source: Source) -> Measured:
        """A statistic over some of the systems."""
        weights = self.draws.systems * (systems & self.points(source))
        scores = SystemScores(
            self.human, self.scores(source), weights, lambda: (self._pair_p(self.people), self._pair_p(source))
        )
        values = named_statistic(statistic).of_systems(scores)
        return Measured(float(values[0]), values[1:], int((weights[0] > 0).sum()))

    def _pair_p(self, side: Source | People) -> Array:
        """p-values of all pairs of systems in the eyes of one side: drawn for the value, normal for its interval."""
        if id(side) not in self._p_values:
            values = side.contributions()
            p_values = pair_p_normal(values, self.draws)
            p_values[0] = pair_p_values(values, seed=self._seed, samples=PERMUTATIONS)
            self._p_values[id(side)] = p_values
        return self._p_values[id(side)]


class GridBench(Bench):
    """Scores of segments or documents: a point for each system and item."""

    def __init__(self, level: str, human: Array, draws: Draws, grid_of: Callable[[Source], Array], seed: int) -> None:
        self.level, self.human, self.draws = level, human, draws
        self._units = units_of(draws)
        self._grid_of, self._seed = grid_of, seed
        self._scores: dict[int, Array] = {}

    def scores(self, source: Source) -> Array:
        """A source's scores: systems by items."""
        if id(source) not in self._scores:
            self._scores[id(source)] = steady(self._grid_of(source))
        return self._scores[id(source)]

    def measure(self, cells: Iterable[Cell], source: Source) -> dict[Cell, Measured]:
        metric = self.scores(source)
        there = np.isfinite(metric) & np.isfinite(self.human)
        grids: dict[str | None, Grid] = {}
        found: dict[Cell, Measured] = {}
        for name, grouping in cells:
            if grouping not in grids:
                grids[grouping] = Grid.of(metric, self.human, self.draws, grouping, self._seed)  # type: ignore[arg-type]
            values, epsilon = named_statistic(name).of_grid(grids[grouping])
            found[name, grouping] = Measured(float(values[0]), values[1:], int(there.sum()), epsilon, self._units)
        return without_interval(found, self.draws) if int(there.any(axis=0).sum()) < 2 else found


class RankingBench(Bench):
    """Pairs of translations of one segment that people ranked: does the metric order them alike?"""

    level = "segment"

    def __init__(self, pairs: Pairs, draws: Draws) -> None:
        self.pairs, self.draws = pairs, draws
        self._units = units_of(draws)

    def measure(self, cells: Iterable[Cell], source: Source) -> dict[Cell, Measured]:
        pairs, grid = self.pairs, source.segments()
        first, second = grid[pairs.first, pairs.segment], grid[pairs.second, pairs.segment]
        there = np.isfinite(first) & np.isfinite(second)
        segments, one, other = pairs.segment[there], pairs.first[there], pairs.second[there]
        outcome, difference = pairs.outcome[there].astype(np.float64), first[there] - second[there]
        found: dict[Cell, Measured] = {}
        for cell in cells:
            values = np.empty(len(self.draws))
            for block in self.draws.blocks(len(difference)):
                systems = self.draws.systems[block]
                weights = self.draws.segments[block][:, segments] * systems[:, one] * systems[:, other]
                values[block] = named_statistic(cell[0]).compute(outcome, difference, weights)
            found[cell] = Measured(float(values[0]), values[1:], int((outcome != 0).sum()), units=self._units)
        return without_interval(found, self.draws) if len(np.unique(segments)) < 2 else found


def document_labels(documents: tuple[str, ...] | None) -> Factor | None:
    """The documents as groups; None where there is not more than one."""
    if documents is None or len(set(documents)) < 2:
        return None
    return Factor.of(documents)


def benches_of(
    campaign: Campaign, people: People, levels: Sequence[str], resampling: Resampling
) -> tuple[list[Bench], list[str]]:
    """A bench for each level, and why there is none for the others."""
    labels = document_labels(campaign.documents)
    drawing = Drawing(people, labels, resampling)
    made = {
        "system": lambda: _system_bench(people, drawing),
        "document": lambda: _document_bench(people, drawing, labels),
        "segment": lambda: _segment_bench(people, drawing),
    }
    found = [made[level]() for level in levels]
    return [one for one in found if isinstance(one, Bench)], [one for one in found if isinstance(one, str)]


def _system_bench(people: People, drawing: Drawing) -> Bench | str:
    count = len(people.systems)
    if count < FEWEST_SYSTEMS:
        return f"Nothing at the system level: it takes {FEWEST_SYSTEMS} judged systems, not {count}."
    return SystemBench(people, drawing.of_segments("system"), seed=drawing.resampling.seed)


def _document_bench(people: People, drawing: Drawing, labels: Factor | None) -> Bench | str:
    if labels is None:
        return "Nothing at the document level: the campaign does not tell documents apart (docs.txt)."
    human = people.document_scores(labels)
    if not np.isfinite(human).any():
        return "Nothing at the document level: no document was judged, and no segment of one."
    draws = drawing.of_documents(labels)
    return GridBench("document", human, draws, lambda source: source.documents(labels), drawing.resampling.seed)


def _segment_bench(people: People, drawing: Drawing) -> Bench | str:
    draws = drawing.of_segments("segment")
    if isinstance(people, Ranked):
        return RankingBench(people.pairs, draws)
    human = people.segment_scores()
    if human is None or not np.isfinite(human).any():
        return "Nothing at the segment level: no segment was judged on its own."
    return GridBench("segment", human, draws, lambda source: source.segments(), drawing.resampling.seed)
