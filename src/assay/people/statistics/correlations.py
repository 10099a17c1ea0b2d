"""Pearson's, Spearman's and Kendall's correlations, and tau23, as statistics of ``assay meta``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.arrays import Array
from assay.people.statistics.base import Association, Grouping, Level, Swapped, arranged
from assay.significance.association import ROUNDING
from assay.significance.draws import swap_flags


class Pearson(Association):
    """Pearson's r."""

    name: ClassVar[str] = "pearson"
    label: ClassVar[str] = "Pearson's r"
    summary: ClassVar[str] = "how close the scores are to a straight line"
    source: ClassVar[str] = "Pearson (1895)"
    usual: ClassVar[bool] = True
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ("none",)
    measure: ClassVar[str] = "pearson"

    def swap_deltas(
        self, scores: Array, human: Array, grouping: Grouping, *, samples: int, seed: int, threads: int = 1
    ) -> Iterator[Swapped]:
        """All draws and all pairs of metrics together: sums of scores and of their squares are linear in the swaps."""
        del threads
        flags = _flags(human, samples, seed)
        first, second = np.array(list(combinations(range(len(scores)), 2)), dtype=np.intp).reshape(-1, 2).T
        sums, counts = np.zeros((2, 2, len(flags), len(first)))
        for group in arranged(np.arange(human.size).reshape(human.shape), grouping):
            cells = group[~np.isnan(human.ravel()[group])]
            people = human.ravel()[cells]
            if len(cells) < 2 or (people == people[0]).all():
                continue
            people = people - people.mean()
            people /= np.sqrt((people**2).sum())
            shown = scores.reshape(len(scores), -1)[:, cells]
            shown = shown - shown.mean()
            moments = np.stack([shown, shown * shown, shown * people])
            moved = (flags[:, cells].astype(np.float64) @ moments.reshape(-1, len(cells)).T).reshape(len(flags), 3, -1)
            change = moved[:, :, second] - moved[:, :, first]
            for side, (metric, sign) in enumerate(((first, 1.0), (second, -1.0))):
                total, squares, products = (moments.sum(axis=2)[:, metric] + sign * change).transpose(1, 0, 2)
                variance = squares - total**2 / len(cells)
                defined = variance > ROUNDING * squares
                sums[side] += np.where(defined, products / np.sqrt(np.where(defined, variance, 1.0)), 0.0)
                counts[side] += defined
        return _deltas(sums, counts, len(scores))


class Spearman(Association):
    """Spearman's rho."""

    name: ClassVar[str] = "spearman"
    label: ClassVar[str] = "Spearman's rho"
    summary: ClassVar[str] = "Pearson's r of ranks; ties share their mean rank"
    source: ClassVar[str] = "Spearman (1904)"
    usual: ClassVar[bool] = True
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ("none",)
    measure: ClassVar[str] = "spearman"


class _OfPairs(Association):
    """A share of pairs of systems, which metrics may swap within segments all at once."""

    def swap_deltas(
        self, scores: Array, human: Array, grouping: Grouping, *, samples: int, seed: int, threads: int = 1
    ) -> Iterator[Swapped]:
        """Within segments all draws and all pairs of metrics together."""
        if grouping != "item":
            return super().swap_deltas(scores, human, grouping, samples=samples, seed=seed)
        flags = _flags(human, samples, seed).reshape(-1, *human.shape)
        shares = kernels.swapped_shares(scores, human, flags, self.measure == "kendall_b", threads)
        sums, counts = shares.reshape(2, 2, len(flags), -1)
        return _deltas(sums, counts, len(scores))


class Kendall(_OfPairs):
    """Kendall's tau-b."""

    name: ClassVar[str] = "kendall"
    label: ClassVar[str] = "Kendall's tau-b"
    summary: ClassVar[str] = "pairs ordered alike less pairs ordered unlike, by the pairs that differ on each side"
    source: ClassVar[str] = "Kendall (1945)"
    usual: ClassVar[bool] = True
    usual_groupings: ClassVar[tuple[Grouping, ...]] = ("none", "item")
    measure: ClassVar[str] = "kendall_b"


class KendallC(Association):
    """Kendall's tau-c, which is Stuart's."""

    name: ClassVar[str] = "kendall-c"
    label: ClassVar[str] = "Kendall's tau-c"
    summary: ClassVar[str] = "the same numerator, by the most it could be with so few distinct values"
    source: ClassVar[str] = "Stuart (1953)"
    measure: ClassVar[str] = "kendall_c"


class Tau23(_OfPairs):
    """tau23, with ties as they are."""

    name: ClassVar[str] = "tau23"
    label: ClassVar[str] = "tau23"
    summary: ClassVar[str] = "pairs that agree less pairs that do not, by all pairs; ties count as they are"
    source: ClassVar[str] = "Deutsch et al. (2023)"
    levels: ClassVar[tuple[Level, ...]] = ("document", "segment")
    groupings: ClassVar[tuple[Grouping, ...]] = ("item", "none", "system")
    measure: ClassVar[str] = "tau23"


def _flags(human: Array, samples: int, seed: int) -> NDArray[np.uint8]:
    """Which cells swap in each draw (draws by cells); the first row swaps nothing, for the difference that was seen."""
    nothing = np.zeros((1, human.size), dtype=np.uint8)
    return np.concatenate([nothing, *(block.astype(np.uint8) for block in swap_flags(human.size, samples, seed))])


def _deltas(sums: Array, counts: Array, metrics: int) -> Iterator[Swapped]:
    """From sums of a statistic over groups, and their numbers: (first, second) metric by draws by pairs of metrics."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / counts
    for number, (first, second) in enumerate(combinations(range(metrics), 2)):
        deltas = means[0, :, number] - means[1, :, number]
        yield first, second, float(deltas[0]), deltas[1:]
