"""Pearson's and Spearman's correlations as statistics of ``assay meta``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from assay.meta.item_swaps import item_swap_deltas, pearson_swap_deltas
from assay.meta.statistics.base import Grid, Grouping, Statistic, Swapped, Values
from assay.meta.statistics.by_item import pearson_by_item, spearman_by_item
from assay.meta.statistics.draws import Array
from assay.significance.association import (
    from_moments,
    pearson,
    pearson_under,
    spearman,
    spearman_under,
    standardised,
)


class Pearson(Statistic):
    """Pearson's r."""

    name: ClassVar[str] = "pearson"
    label: ClassVar[str] = "Pearson's r"
    summary: ClassVar[str] = "how close the scores are to a straight line"
    source: ClassVar[str] = "Pearson (1895)"
    usual: ClassVar[bool] = True
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ("none",)

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        return pearson(metric, human, weights)

    def of_grid(self, grid: Grid) -> Values:
        if grid.grouping == "item":
            return Values(grid.by_item(lambda rows: pearson_by_item(grid.metric, grid.human, rows)))
        return Values(grid.by_system(pearson_under) if grid.grouping == "system" else _together(grid))

    def swap_deltas(
        self, scores: Array, human: Array, grouping: Grouping, *, samples: int, seed: int, threads: int = 1
    ) -> Iterator[Swapped]:
        if grouping == "none":
            return pearson_swap_deltas(scores, human, samples, seed)
        if grouping == "item":
            return item_swap_deltas(self.name, scores, human, samples=samples, seed=seed, threads=threads)
        return super().swap_deltas(scores, human, grouping, samples=samples, seed=seed, threads=threads)


def _together(grid: Grid) -> Array:
    """Sums over segments first, then over systems: no cell is weighed on its own."""
    metric, human, draws = grid.metric, grid.human, grid.draws
    present = ~np.isnan(metric)
    x, y = np.zeros(metric.shape), np.zeros(metric.shape)
    if present.any():
        x[present], y[present] = standardised(metric[present]), standardised(human[present])
    moments = np.stack([present.astype(np.float64), x, y, x * x, y * y, x * y])
    sums = draws.segments @ moments.reshape(-1, metric.shape[1]).T
    return from_moments(np.einsum("bmk,bk->mb", sums.reshape(len(draws), 6, len(metric)), draws.systems))


class Spearman(Statistic):
    """Spearman's rho."""

    name: ClassVar[str] = "spearman"
    label: ClassVar[str] = "Spearman's rho"
    summary: ClassVar[str] = "Pearson's r of ranks; ties share their mean rank"
    source: ClassVar[str] = "Spearman (1904)"
    usual: ClassVar[bool] = True
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ("none",)

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        return spearman(metric, human, weights)

    def of_grid(self, grid: Grid) -> Values:
        if grid.grouping == "item":
            return Values(grid.by_item(lambda rows: spearman_by_item(grid.metric, grid.human, rows)))
        return Values(grid.by_system(spearman_under) if grid.grouping == "system" else grid.together(spearman_under))
