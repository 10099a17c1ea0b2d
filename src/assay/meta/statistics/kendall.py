"""Kendall's tau in its variants: pairs ordered alike less pairs ordered unlike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay.errors import ParameterError
from assay.meta.item_swaps import item_swap_deltas
from assay.meta.statistics.base import Grid, Grouping, Level, Statistic, Swapped, Values
from assay.meta.statistics.by_item import (
    agreement_by_item,
    kendall_b_by_item,
    kendall_c_by_item,
    kendall_like_counts,
)
from assay.meta.statistics.draws import Array, distinct_rows
from assay.meta.statistics.system_pairs import accuracy
from assay.significance.association import PairSums, kendall_b, kendall_c

BELOW: tuple[Level, ...] = ("document", "segment")


class Kendall(Statistic):
    """Kendall's tau-b."""

    name: ClassVar[str] = "kendall"
    label: ClassVar[str] = "Kendall's tau-b"
    summary: ClassVar[str] = "pairs ordered alike less pairs ordered unlike, by the pairs that differ on each side"
    source: ClassVar[str] = "Kendall (1945)"
    usual: ClassVar[bool] = True
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ("none", "item")

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        return kendall_b(metric, human, weights)

    def of_grid(self, grid: Grid) -> Values:
        if grid.grouping == "item":
            return Values(grid.by_item(lambda rows: kendall_b_by_item(grid.item_pairs, rows)))
        return Values(grid.of_pairs(PairSums.kendall_b))

    def swap_deltas(
        self, scores: Array, human: Array, grouping: Grouping, *, samples: int, seed: int, threads: int = 1
    ) -> Iterator[Swapped]:
        if grouping == "item":
            return item_swap_deltas(self.name, scores, human, samples=samples, seed=seed, threads=threads)
        return super().swap_deltas(scores, human, grouping, samples=samples, seed=seed, threads=threads)


class KendallC(Statistic):
    """Kendall's tau-c, which is Stuart's."""

    name: ClassVar[str] = "kendall-c"
    label: ClassVar[str] = "Kendall's tau-c"
    summary: ClassVar[str] = "the same numerator, by the most it could be with so few distinct values"
    source: ClassVar[str] = "Stuart (1953)"

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        return kendall_c(metric, human, weights)

    def of_grid(self, grid: Grid) -> Values:
        if grid.grouping == "item":
            return Values(grid.by_item(lambda rows: kendall_c_by_item(grid.item_pairs, grid.metric, grid.human, rows)))
        return Values(grid.of_pairs(PairSums.kendall_c))


@dataclass(frozen=True)
class KendallLike(Statistic):
    """WMT's statistic of direct assessments."""

    name: ClassVar[str] = "kendall-like"
    label: ClassVar[str] = "Kendall-like (WMT17-20)"
    summary: ClassVar[str] = "only pairs that people set 25 points apart; a metric tie counts as wrong"
    source: ClassVar[str] = "Bojar et al. (2017)"
    levels: ClassVar[tuple[Level, ...]] = BELOW
    groupings: ClassVar[tuple[Grouping, ...]] = ("item",)

    #: People's scores have to differ by so much, in raw points of 0 to 100.
    threshold: float = 25.0

    def __post_init__(self) -> None:
        if not self.threshold > 0:
            raise ParameterError(f"kendall-like's threshold is {self.threshold}, but it takes a number above 0.")

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        """Of the pairs of one segment."""
        apart = np.abs(human[..., :, None] - human[..., None, :]) >= self.threshold
        pairs = apart * weights[..., :, None] * weights[..., None, :]
        sign = np.sign(metric[..., :, None] - metric[..., None, :]) * np.sign(human[..., :, None] - human[..., None, :])
        total = pairs.sum((-2, -1))
        right = (pairs * (sign > 0)).sum((-2, -1))
        return np.asarray(np.where(total > 0, (2.0 * right - total) / np.where(total > 0, total, 1.0), 0.0))

    def of_grid(self, grid: Grid) -> Values:
        """(Concordant less discordant) by their sum, over the pairs of all segments together."""
        draws = grid.draws
        systems, which = distinct_rows(draws.systems)
        concordant, apart = np.empty(len(draws)), np.empty(len(draws))
        for here in draws.blocks(6 * grid.metric.shape[1]):
            rows = systems if len(systems) == 1 else systems[which[here]]
            counts = kendall_like_counts(grid.item_pairs, rows, self.threshold)
            for total, count in zip((concordant, apart), counts, strict=True):
                total[here] = (draws.segments[here] * count).sum(axis=1)
        # Without a pair to judge by it is 0, as in mt-metrics-eval.
        return Values(np.divide(2.0 * concordant - apart, apart, out=np.zeros(len(draws)), where=apart > 0))


class Tau23(Statistic):
    """tau23, with ties as they are."""

    name: ClassVar[str] = "tau23"
    label: ClassVar[str] = "tau23"
    summary: ClassVar[str] = "pairs that agree less pairs that do not, by all pairs; ties count as they are"
    source: ClassVar[str] = "Deutsch et al. (2023)"
    levels: ClassVar[tuple[Level, ...]] = BELOW
    groupings: ClassVar[tuple[Grouping, ...]] = ("item", "none", "system")

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        return 2.0 * accuracy(metric, human, weights) - 1.0

    def of_grid(self, grid: Grid) -> Values:
        if grid.grouping == "item":
            return Values(grid.by_item(lambda rows: 2.0 * agreement_by_item(grid.item_pairs, rows) - 1.0))
        return Values(grid.of_pairs(lambda sums: 2.0 * sums.agreement() - 1.0))

    def swap_deltas(
        self, scores: Array, human: Array, grouping: Grouping, *, samples: int, seed: int, threads: int = 1
    ) -> Iterator[Swapped]:
        if grouping == "item":
            return item_swap_deltas(self.name, scores, human, samples=samples, seed=seed, threads=threads)
        return super().swap_deltas(scores, human, grouping, samples=samples, seed=seed, threads=threads)
