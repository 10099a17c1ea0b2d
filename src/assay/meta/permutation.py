"""PERM-BOTH (Deutsch et al., 2021): would the difference between two metrics be as large if they were exchangeable?

Both metrics' scores are standardised. In each draw every cell (a system's segment) swaps its two scores with
probability one half, both statistics are computed anew, and p is the share of draws whose difference is at least as
large as the one seen, whatever its sign. The draw that swaps nothing counts as one of them, so p is never 0. All pairs
of metrics see the same draws, over the cells that all of them and people have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from assay.errors import ParameterError, UnknownName
from assay.meta.item_swaps import ITEM_STATISTICS, item_swap_deltas
from assay.meta.statistics.calibration import calibrate
from assay.meta.statistics.draws import Array, Draws
from assay.meta.statistics.grids import GRID_STATISTICS, Grouping, on_grid
from assay.meta.statistics.resampled import from_moments, standardised
from assay.meta.statistics.system_pairs import SYSTEM_STATISTICS
from assay.significance.tests import randomisation_p
from assay.significance.weights import swap_flags


@dataclass(frozen=True)
class PairTest:
    """Two metrics by their numbers, the first's statistic less the second's, and how likely so much is by chance."""

    first: int
    second: int
    delta: float
    p: float


def system_permutation(
    statistic: str, contributions: Array, human: Array, *, samples: int = 1000, seed: int = 1
) -> list[PairTest]:
    """All pairs of metrics at system level.

    ``contributions`` (metrics by systems by segments) have the system scores as their means over segments; ``human``
    holds one score per system.
    """
    if statistic not in SYSTEM_STATISTICS:
        raise UnknownName.of("statistic for a test at system level", statistic, SYSTEM_STATISTICS)
    function = SYSTEM_STATISTICS[statistic]
    scores = _standardised(np.asarray(contributions, dtype=np.float64))
    present = ~np.isnan(scores[0])
    counts = np.maximum(present.sum(axis=1), 1)
    human = np.where(present.any(axis=1), human, np.nan)
    filled = np.nan_to_num(scores)
    means = filled.sum(axis=2) / counts
    moved = _swapped_sums(filled, samples, seed) / counts
    results = []
    for first, second in combinations(range(len(scores)), 2):
        change = moved[second] - moved[first]
        observed = float(function(means[first], human) - function(means[second], human))
        deltas = function(means[first] + change, human) - function(means[second] - change, human)
        results.append(_result(first, second, observed, deltas))
    return results


def grid_permutation(
    statistic: str, metrics: Array, human: Array, grouping: Grouping, *, samples: int = 1000, seed: int = 1
) -> list[PairTest]:
    """All pairs of metrics (metrics by systems by segments) at segment level, under any statistic of a grid.

    acc23 has a threshold per metric, which mixed scores have not. Here a segment's shares of right pairs, each metric
    at its own best threshold, change places as a whole.
    """
    if statistic not in GRID_STATISTICS:
        raise UnknownName.of("statistic of a grid", statistic, GRID_STATISTICS)
    human = np.asarray(human, dtype=np.float64)
    scores = np.asarray(metrics, dtype=np.float64)
    scores = _standardised(np.where(np.isnan(human), np.nan, scores))
    human = np.where(np.isnan(scores[0]), np.nan, human)
    if statistic in ("acc23", "acc23-heldout"):
        if grouping != "item" or statistic == "acc23-heldout":
            raise ParameterError(f"{statistic} grouped by {grouping} has no test between metrics; acc23 by item has.")
        return _segment_swaps(scores, human, samples, seed)
    if statistic == "pearson" and grouping == "none":
        return _pearson_together(scores, human, samples, seed)
    if grouping == "item" and statistic in ITEM_STATISTICS:
        return [
            _result(first, second, observed, deltas)
            for first, second, observed, deltas in item_swap_deltas(statistic, scores, human, samples, seed)
        ]
    return _one_by_one(statistic, scores, human, grouping, samples=samples, seed=seed)


def _result(first: int, second: int, observed: float, deltas: Array) -> PairTest:
    # A draw in which a statistic is not defined cannot speak for the difference.
    reached = np.where(np.isnan(deltas), np.inf, deltas)
    p = float("nan") if np.isnan(observed) else randomisation_p(reached, observed, exact=False).value
    return PairTest(first, second, observed, p)


def _standardised(scores: Array) -> Array:
    """Each metric with mean 0 and variance 1 over the cells that all have; a constant one becomes 0."""
    if scores.ndim != 3:
        raise ParameterError(f"Scores are metrics by systems by segments; these have the shape {scores.shape}.")
    scores = np.where(np.isnan(scores).any(axis=0), np.nan, scores)
    present = ~np.isnan(scores[0])
    result = np.full_like(scores, np.nan)
    if present.any():
        for number, cells in enumerate(scores[:, present]):
            constant = (cells == cells[0]).all()
            result[number][present] = 0.0 if constant else (cells - cells.mean()) / cells.std()
    return result


def _swapped_sums(filled: Array, samples: int, seed: int) -> Array:
    """What the swapped cells of each system add up to: metrics by draws by systems."""
    metrics, systems, segments = filled.shape
    sums = np.empty((metrics, samples, systems))
    done = 0
    for flags in swap_flags(systems * segments, samples, seed):
        here = slice(done, done + len(flags))
        cells = flags.reshape(len(flags), systems, segments)
        for system in range(systems):
            sums[:, here, system] = (cells[:, system] @ filled[:, system].T).T
        done += len(flags)
    return sums


def _pearson_together(scores: Array, human: Array, samples: int, seed: int) -> list[PairTest]:
    """Pearson's correlation over all cells: sums of x, xx and xh are linear in what is swapped."""
    present = ~np.isnan(human)
    x, h = scores[:, present], standardised(human[present]) if present.any() else human[present]
    columns = np.concatenate([x, x * x, x * h])
    cells = present.ravel()
    moved = np.concatenate([flags[:, cells] @ columns.T for flags in swap_flags(human.size, samples, seed)])
    moved = moved.reshape(-1, 3, len(x))
    total = columns.sum(axis=1).reshape(3, len(x))
    count, sum_h, sum_hh = float(x.shape[1]), float(h.sum()), float((h * h).sum())

    def correlation(sums: Array) -> Array:
        ones = np.ones_like(sums[..., 0])
        return from_moments(
            np.stack([count * ones, sums[..., 0], sum_h * ones, sums[..., 1], sum_hh * ones, sums[..., 2]])
        )

    results = []
    for first, second in combinations(range(len(x)), 2):
        change = moved[:, :, second] - moved[:, :, first]
        observed = float(correlation(total[:, first]) - correlation(total[:, second]))
        deltas = correlation(total[:, first] + change) - correlation(total[:, second] - change)
        results.append(_result(first, second, observed, deltas))
    return results


def _segment_swaps(scores: Array, human: Array, samples: int, seed: int) -> list[PairTest]:
    """acc23 by segment: each segment's difference of shares keeps or changes its sign."""
    shares = np.stack([_shares(grid, human) for grid in scores])
    judged = ~np.isnan(shares[0])
    shares = shares[:, judged]
    flips = np.concatenate([1.0 - 2.0 * flags for flags in swap_flags(shares.shape[1], samples, seed)])
    results = []
    for first, second in combinations(range(len(scores)), 2):
        difference = shares[first] - shares[second]
        observed = float(difference.mean()) if len(difference) else float("nan")
        results.append(_result(first, second, observed, flips @ difference / max(len(difference), 1)))
    return results


def _shares(metric: Array, human: Array) -> Array:
    """The share of right pairs in each segment, at the threshold that is best for all of them."""
    epsilon = calibrate(metric, human, Draws.observed(*metric.shape), "item").epsilons[0]
    first, second = np.triu_indices(len(metric), k=1)
    difference, human_difference = metric[first] - metric[second], human[first] - human[second]
    there = ~np.isnan(human_difference)
    right = np.where(np.abs(difference) <= epsilon, human_difference == 0, difference * human_difference > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((right & there).sum(axis=0) / there.sum(axis=0))


def _one_by_one(
    statistic: str, scores: Array, human: Array, grouping: Grouping, *, samples: int, seed: int
) -> list[PairTest]:
    """Any statistic, computed for each draw on its own: exact, and slow."""
    draws = Draws.observed(*human.shape)

    def value(grid: Array) -> float:
        return float(on_grid(statistic, grid, human, draws, grouping)[0])

    results = []
    for first, second in combinations(range(len(scores)), 2):
        x, y = scores[first], scores[second]
        deltas = [value(np.where(swap, y, x)) - value(np.where(swap, x, y)) for swap in _swaps(human, samples, seed)]
        results.append(_result(first, second, value(x) - value(y), np.array(deltas)))
    return results


def _swaps(human: Array, samples: int, seed: int) -> Iterator[Array]:
    for flags in swap_flags(human.size, samples, seed):
        yield from (flags == 1).reshape(-1, *human.shape)
