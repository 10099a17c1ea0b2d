"""Pearson's and Spearman's correlations as statistics of ``assay meta``.

Within a segment there are few systems, so everything is a product of the draws with a table over systems.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from assay.arrays import Array
from assay.people.statistics.base import Grid, Grouping, Statistic, Swapped, Values
from assay.people.statistics.swaps import pearson_swap_deltas
from assay.significance.association import from_moments, pearson, pearson_under, spearman, spearman_under, standardised


class Pearson(Statistic):
    """Pearson's r."""

    name: ClassVar[str] = "pearson"
    label: ClassVar[str] = "Pearson's r"
    summary: ClassVar[str] = "how close the scores are to a straight line"
    source: ClassVar[str] = "Pearson (1895)"
    usual: ClassVar[bool] = True
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ("none",)
    swaps_within_items: ClassVar[bool] = True

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        return pearson(metric, human, weights)

    def of_grid(self, grid: Grid) -> Values:
        if grid.grouping == "item":
            return Values(grid.by_item(lambda rows: _pearson_by_item(grid.metric, grid.human, rows)))
        return Values(grid.by_system(pearson_under) if grid.grouping == "system" else _together(grid))

    def swap_deltas(
        self, scores: Array, human: Array, grouping: Grouping, *, samples: int, seed: int, threads: int = 1
    ) -> Iterator[Swapped]:
        if grouping == "none":
            return pearson_swap_deltas(scores, human, samples, seed)
        return super().swap_deltas(scores, human, grouping, samples=samples, seed=seed, threads=threads)


def _together(grid: Grid) -> Array:
    """Sums over segments first, then over systems: no cell is weighed on its own."""
    metric, human, draws = grid.metric, grid.human, grid.draws
    present = ~np.isnan(metric)
    x, y = np.zeros(metric.shape), np.zeros(metric.shape)
    if present.any():
        x[present], y[present] = standardised(metric[present]), standardised(human[present])
    moments = np.stack([present.astype(np.float64), x, y, x * x, y * y, x * y])
    sums = draws.weights @ moments.reshape(-1, metric.shape[1]).T
    return from_moments(np.einsum("bmk,bk->mb", sums.reshape(len(draws), 6, len(metric)), draws.systems))


def _pearson_by_item(metric: Array, human: Array, systems: Array) -> Array:
    """Pearson's correlation in each segment: draws by segments."""
    present = ~np.isnan(metric)
    x, y = _standardised(metric, present), _standardised(human, present)
    moments = np.stack([present.astype(np.float64), x, y, x * x, y * y, x * y])
    return from_moments(systems @ moments)


def _standardised(scores: Array, present: Array) -> Array:
    """Each segment's scores centred and scaled, so that sums of squares cancel little; a constant becomes exactly 0."""
    filled = np.where(present, scores, 0.0)
    centred = np.where(present, scores - filled.sum(axis=0) / np.maximum(present.sum(axis=0), 1), 0.0)
    low = np.where(present, scores, np.inf).min(axis=0)
    high = np.where(present, scores, -np.inf).max(axis=0)
    largest = np.abs(centred).max(axis=0)
    return np.asarray(np.where((high > low) & (largest > 0), centred / np.where(largest > 0, largest, 1.0), 0.0))


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
            return Values(grid.by_item(lambda rows: _spearman_by_item(grid.metric, grid.human, rows)))
        return Values(grid.by_system(spearman_under) if grid.grouping == "system" else grid.together(spearman_under))


def _spearman_by_item(metric: Array, human: Array, systems: Array) -> Array:
    """Spearman's correlation in each segment: draws by segments."""
    shape = (len(systems), metric.shape[1])
    covariance, variance_x, variance_y = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for system in range(len(metric)):
        # Half of what lies below less half of what lies above: a mid-rank less the mean rank.
        rank_x, rank_y = (
            systems @ np.nan_to_num(np.sign(scores[system] - scores)) * (0.5 * ~np.isnan(scores[system]))
            for scores in (metric, human)
        )
        weight = systems[:, system, None]
        covariance += weight * rank_x * rank_y
        variance_x += weight * rank_x * rank_x
        variance_y += weight * rank_y * rank_y
    with np.errstate(invalid="ignore", divide="ignore"):
        value = covariance / (np.sqrt(variance_x) * np.sqrt(variance_y))
    defined = (variance_x > 0) & (variance_y > 0)
    return np.asarray(np.where(defined, np.clip(value, -1.0, 1.0), np.nan))
