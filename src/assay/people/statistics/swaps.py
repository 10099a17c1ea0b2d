"""Two metrics that swap scores cell by cell: all draws and all pairs of metrics together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.arrays import Array
from assay.significance.association import ROUNDING, from_moments, standardised
from assay.significance.draws import swap_flags

_Flags = NDArray[np.uint8]


def item_swap_deltas(
    statistic: str, scores: Array, human: Array, *, samples: int, seed: int, threads: int
) -> Iterator[tuple[int, int, float, Array]]:
    """Pearson's, Kendall's (tau-b) or tau23's mean over segments for each pair of metrics that swap scores.

    Gives their numbers, the difference seen, and those under random swaps. ``scores`` are metrics by systems by
    segments, with NaN where ``human`` (systems by segments) has it.
    """
    # The first row swaps nothing: the difference that was seen.
    flags = np.zeros((samples + 1, human.size), dtype=np.uint8)
    done = 1
    for block in swap_flags(human.size, samples, seed):
        flags[done : done + len(block)] = block
        done += len(block)
    flags = flags.reshape(samples + 1, *human.shape)
    if statistic == "pearson":
        sums, counts = _pearson(scores, human, flags)
    else:
        shares = kernels.swapped_shares(scores, human, flags, statistic == "kendall", threads)
        sums, counts = shares.reshape(2, 2, samples + 1, -1)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / counts
    for number, (first, second) in enumerate(combinations(range(len(scores)), 2)):
        deltas = means[0, :, number] - means[1, :, number]
        yield first, second, float(deltas[0]), deltas[1:]


def _pearson(scores: Array, human: Array, flags: _Flags) -> tuple[Array, Array]:
    """Sums and numbers of Pearson's correlations: (first metric, second metric) by draws by pairs of metrics.

    Sums of scores and of their squares are linear in the flags.
    """
    first, second = np.array(list(combinations(range(len(scores)), 2)), dtype=np.intp).reshape(-1, 2).T
    sums, counts = np.zeros((2, 2, len(flags), len(first)))
    for number, judged in enumerate(human.T):
        present = ~np.isnan(judged)
        if present.sum() < 2 or (judged[present] == judged[present][0]).all():
            continue
        drawn = flags[:, present, number].astype(np.float64)
        people = judged[present] - judged[present].mean()
        people /= np.sqrt((people**2).sum())
        shown = scores[:, present, number]
        shown = shown - shown.mean()
        moments = [shown, shown * shown, shown * people]
        changes = [drawn @ (moment[second] - moment[first]).T for moment in moments]
        for side, (metric, sign) in enumerate(((first, 1.0), (second, -1.0))):
            total, squares, products = (
                moment[metric].sum(axis=1) + sign * change for moment, change in zip(moments, changes, strict=True)
            )
            variance = squares - total**2 / len(people)
            defined = variance > ROUNDING * squares
            sums[side] += np.where(defined, products / np.sqrt(np.where(defined, variance, 1.0)), 0.0)
            counts[side] += defined
    return sums, counts


def pearson_swap_deltas(
    scores: Array, human: Array, samples: int, seed: int
) -> Iterator[tuple[int, int, float, Array]]:
    """The same for Pearson's correlation over all cells: sums of x, xx and xh are linear in what is swapped."""
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

    for first, second in combinations(range(len(x)), 2):
        change = moved[:, :, second] - moved[:, :, first]
        observed = float(correlation(total[:, first]) - correlation(total[:, second]))
        yield first, second, observed, correlation(total[:, first] + change) - correlation(total[:, second] - change)
