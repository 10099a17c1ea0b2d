"""PERM-BOTH (Deutsch et al., 2021): would the difference between two metrics be as large if they were exchangeable?

Both metrics' scores are standardised. In each draw every cell (a system's segment) swaps its two scores with
probability one half, both statistics are computed anew, and p is the share of draws whose difference is at least as
large as the one seen, whatever its sign. The draw that swaps nothing counts as one of them, so p is never 0. All pairs
of metrics see the same draws, over the cells that all of them and people have.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from assay.errors import ParameterError, UnknownName
from assay.meta.statistics.draws import Array
from assay.meta.statistics.grids import Grouping, of_a_grid
from assay.meta.statistics.registry import statistic as named_statistic
from assay.meta.statistics.registry import statistics_at
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
    known = [found.name for found in statistics_at("system") if found.is_tested("system", None)]
    if statistic not in known:
        raise UnknownName.of("statistic for a test at system level", statistic, known)
    found = named_statistic(statistic)

    def function(metric: Array, people: Array) -> Array:
        return found.over(people, metric, np.ones(()))

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
    statistic: str,
    metrics: Array,
    human: Array,
    grouping: Grouping,
    *,
    samples: int = 1000,
    seed: int = 1,
    threads: int = 1,
) -> list[PairTest]:
    """All pairs of metrics (metrics by systems by segments) at segment level, under any statistic of a grid."""
    found = of_a_grid(statistic, grouping)
    if not found.is_tested("segment", grouping):
        raise ParameterError(f"{statistic} grouped by {grouping} has no test between metrics; acc23 by item has.")
    human = np.asarray(human, dtype=np.float64)
    scores = np.asarray(metrics, dtype=np.float64)
    scores = _standardised(np.where(np.isnan(human), np.nan, scores))
    human = np.where(np.isnan(scores[0]), np.nan, human)
    made = found.swap_deltas(scores, human, grouping, samples=samples, seed=seed, threads=threads)
    return [_result(first, second, observed, deltas) for first, second, observed, deltas in made]


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
