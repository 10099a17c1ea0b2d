"""Agreement on pairs of systems: who is better, and by how much.

The two copies of a system that was drawn twice are no pair of systems. They would agree by construction (tied on both
sides), so they do not count here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

import numpy as np

from assay.arrays import Array
from assay.errors import ParameterError
from assay.people.statistics.base import Grouping, Level, Statistic
from assay.significance.association import in_blocks, kendall_b, kendall_c, pearson, prepare, signs, spearman

_Orientation = Literal["people", "both"]


def accuracy(x: Array, y: Array, weights: Array | None = None) -> Array:
    """The share of pairs that both sides order alike (Kocmi et al., 2021).

    A pair that is tied on both sides is ordered alike; one that is tied on one side only is not.

    >>> float(accuracy(np.array([1.0, 2.0, 3.0]), np.array([10.0, 30.0, 20.0])).round(4))
    0.6667
    """
    return in_blocks(_accuracy, *prepare(x, y, weights))


def pearson_of_differences(
    x: Array, y: Array, weights: Array | None = None, orientation: _Orientation = "people"
) -> Array:
    """Pearson's correlation of the differences between all pairs of systems (Coughlin, 2003; Lavie et al., 2004).

    Each pair can be subtracted one way or the other, and a centred correlation depends on it. ``people`` subtracts
    the system that people find worse from the better one; a pair that they find equal enters both ways, with half its
    weight each. ``both`` takes every pair both ways: the result is then Pearson's correlation of the systems
    themselves. Neither depends on the order in which systems are listed. ``y`` holds the human scores.
    """
    if orientation == "both":
        return pearson(x, y, weights)
    if orientation != "people":
        raise ParameterError(f"The orientation is {orientation!r}, but it takes people or both.")
    return in_blocks(_differences, *prepare(x, y, weights))


def _pair_weights(weights: Array) -> Array:
    """Products of weights for ordered pairs of different items."""
    pairs = weights[..., :, None] * weights[..., None, :]
    items = np.arange(weights.shape[-1])
    pairs[..., items, items] = 0.0
    return pairs


def _accuracy(x: Array, y: Array, weights: Array) -> Array:
    pairs = _pair_weights(weights)
    total = pairs.sum((-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((pairs * (signs(x) == signs(y))).sum((-2, -1)) / total)


def _differences(x: Array, y: Array, weights: Array) -> Array:
    leading = x.shape[:-1]
    human = (y[..., :, None] - y[..., None, :]).reshape(*leading, -1)
    metric = (x[..., :, None] - x[..., None, :]).reshape(*leading, -1)
    # Half a weight, for a tied pair comes up twice.
    counted = np.where(human > 0, 1.0, np.where(human == 0, 0.5, 0.0))
    pairs = _pair_weights(weights).reshape(*leading, -1) * counted
    return pearson(metric, human, pairs)


class Accuracy(Statistic):
    """Pairwise accuracy."""

    name: ClassVar[str] = "accuracy"
    label: ClassVar[str] = "pairwise accuracy"
    summary: ClassVar[str] = "the share of pairs of systems that metric and people order alike"
    source: ClassVar[str] = "Kocmi et al. (2021)"
    levels: ClassVar[tuple[Level, ...]] = ("system",)
    groupings: ClassVar[tuple[Grouping, ...]] = ()
    usual: ClassVar[bool] = True

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        return accuracy(metric, human, weights)


class PearsonOfDifferences(Statistic):
    """Pearson's r of differences."""

    name: ClassVar[str] = "pearson-differences"
    label: ClassVar[str] = "Pearson's r of differences"
    summary: ClassVar[str] = "Pearson's r of the differences between pairs of systems, better less worse"
    source: ClassVar[str] = "Coughlin (2003); Lavie et al. (2004)"
    levels: ClassVar[tuple[Level, ...]] = ("system",)
    groupings: ClassVar[tuple[Grouping, ...]] = ()
    fewest: ClassVar[int] = 3
    usual: ClassVar[bool] = True

    def compute(self, human: Array, metric: Array, weights: Array) -> Array:
        return pearson_of_differences(metric, human, weights)


#: Functions of one score per system and side, by name.
SYSTEM_STATISTICS: dict[str, Callable[..., Array]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall_b,
    "kendall-c": kendall_c,
    "accuracy": accuracy,
    "pearson-differences": pearson_of_differences,
}
