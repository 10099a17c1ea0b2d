"""acc23, the share of pairs that both sides order alike or tie, at the metric's best tie threshold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import ClassVar

import numpy as np

from assay.meta.statistics.base import Grid, Grouping, Level, Statistic, Swapped, Values
from assay.meta.statistics.calibration import Calibration, calibrate, held_out
from assay.meta.statistics.draws import Array, Draws
from assay.meta.statistics.system_pairs import accuracy
from assay.significance.weights import swap_flags

#: A threshold that is chosen on other items takes so many items.
FEWEST_FOLDED = 2


class Acc23(Statistic):
    """acc23 with a threshold that is chosen anew in each draw."""

    name: ClassVar[str] = "acc23"
    label: ClassVar[str] = "acc23, calibrated"
    summary: ClassVar[str] = "the share of pairs ordered alike, ties among them, at the metric's best tie threshold"
    source: ClassVar[str] = "Deutsch et al. (2023)"
    levels: ClassVar[tuple[Level, ...]] = ("document", "segment")
    groupings: ClassVar[tuple[Grouping, ...]] = ("item", "none", "system")
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ("item",)
    # Tie thresholds over all pairs of all segments take a minute, and nobody reports them.
    named_groupings: ClassVar[tuple[Grouping, ...]] = ("item",)

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        """At the threshold 0."""
        return accuracy(metric, human, weights)

    def of_grid(self, grid: Grid) -> Values:
        return _calibrated(calibrate, grid)

    def is_tested(self, level: str, grouping: str | None) -> bool:
        del level
        return grouping == "item"

    def swap_deltas(
        self, scores: Array, human: Array, grouping: Grouping, *, samples: int, seed: int, threads: int = 1
    ) -> Iterator[Swapped]:
        """A segment's shares of right pairs, each metric at its own best threshold, change places as a whole.

        Mixed scores would have no threshold of their own.
        """
        del grouping, threads
        shares = np.stack([_shares(grid, human) for grid in scores])
        shares = shares[:, ~np.isnan(shares[0])]
        flips = np.concatenate([1.0 - 2.0 * flags for flags in swap_flags(shares.shape[1], samples, seed)])
        for first, second in combinations(range(len(scores)), 2):
            difference = shares[first] - shares[second]
            observed = float(difference.mean()) if len(difference) else float("nan")
            yield first, second, observed, flips @ difference / max(len(difference), 1)


class Acc23HeldOut(Acc23):
    """acc23 with a threshold from other segments than those it is judged on."""

    name: ClassVar[str] = "acc23-heldout"
    label: ClassVar[str] = "acc23, held-out threshold"
    summary: ClassVar[str] = "acc23 with a tie threshold from other segments than those it is judged on"
    source: ClassVar[str] = "after Deutsch et al. (2023)"

    def of_grid(self, grid: Grid) -> Values:
        if grid.metric.shape[1] < FEWEST_FOLDED:
            return Values(np.full(len(grid.draws), np.nan))
        return _calibrated(held_out, grid)

    def is_tested(self, level: str, grouping: str | None) -> bool:
        del level, grouping
        return False


def _calibrated(function: Callable[..., Calibration], grid: Grid) -> Values:
    made = function(grid.metric, grid.human, grid.draws, grid.grouping, seed=grid.seed)
    epsilon = float(np.mean(made.epsilons[0]))
    return Values(made.values, epsilon if np.isfinite(epsilon) else None)


def _shares(metric: Array, human: Array) -> Array:
    """The share of right pairs in each segment, at the threshold that is best for all of them."""
    epsilon = calibrate(metric, human, Draws.observed(*metric.shape), "item").epsilons[0]
    first, second = np.triu_indices(len(metric), k=1)
    difference, human_difference = metric[first] - metric[second], human[first] - human[second]
    there = ~np.isnan(human_difference)
    right = np.where(np.abs(difference) <= epsilon, human_difference == 0, difference * human_difference > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((right & there).sum(axis=0) / there.sum(axis=0))
