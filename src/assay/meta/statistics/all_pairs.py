"""The best tie threshold over all pairs of many cells, each counted once: tens of millions of pairs, never listed."""

from __future__ import annotations

import numpy as np

from assay.meta.statistics.draws import Array
from assay.significance.association import BLOCK_CELLS


def best_together(metric: Array, human: Array) -> tuple[float, float]:
    """The best share of agreeing pairs, and its threshold; the smallest of several.

    >>> best_together(np.array([1.0, 1.1, 3.0]), np.array([2.0, 2.0, 5.0]))
    (1.0, 0.10000000000000009)
    """
    order = np.argsort(metric, kind="stable")
    metric, ranks = metric[order], np.unique(human, return_inverse=True)[1].reshape(-1)[order].astype(np.int32)
    concordant, tied = _distances(metric, ranks)
    concordant.sort()
    tied.sort()
    pairs = len(metric) * (len(metric) - 1) // 2
    # Only past a pair that people tie can the agreement rise.
    thresholds = np.append(tied[:-1][tied[1:] > tied[:-1]], tied[-1:])
    thresholds = thresholds if len(thresholds) and thresholds[0] == 0 else np.append(0.0, thresholds)
    right = np.searchsorted(tied, thresholds, side="right") + (
        len(concordant) - np.searchsorted(concordant, thresholds, side="right")
    )
    best = int(right.argmax())
    return float(right[best] / pairs), float(thresholds[best])


def _distances(metric: Array, ranks: np.ndarray[tuple[int], np.dtype[np.int32]]) -> tuple[Array, Array]:
    """How far the metric sets apart the pairs that it orders as people do, and those that people tie."""
    concordant, tied = [], []
    step = max(1, BLOCK_CELLS // 4 // len(metric))
    for start in range(0, len(metric), step):
        stop = min(start + step, len(metric))
        distance = metric[None, start:] - metric[start:stop, None]
        # Each pair once: later cells, which have no smaller a score, against this stretch.
        later = np.arange(start, len(metric))[None, :] > np.arange(start, stop)[:, None]
        tied.append(distance[later & (ranks[None, start:] == ranks[start:stop, None])])
        concordant.append(distance[(distance > 0) & (ranks[None, start:] > ranks[start:stop, None])])
    return np.concatenate(concordant), np.concatenate(tied)
