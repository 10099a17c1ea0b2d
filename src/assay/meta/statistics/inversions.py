"""Weighted inversions of a long sequence under many weights at once: the core of Kendall's tau in resampling.

An inversion is a pair of positions i < j whose values stand the other way round; it counts as the product of its two
weights. The sequence is cut into stretches of positions and, the other way, into bins of values. A pair falls into one
of three cases: both positions in one stretch (a small dense product), both values in one bin but different stretches
(another one), or apart in both (running sums of a stretch by bin table). With about the square root of n stretches and
bins, n items cost n to the power of 1.5 per draw, all of it in matrix products and row sums.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assay.meta.statistics.draws import Array

Indices = NDArray[np.intp]
#: Products of shorter stretches than this cost more calls than they save.
SHORTEST = 64


def inversions(values: Indices, weights: Array) -> Array:
    """For each column of ``weights`` (items by draws) the weighted number of inversions of ``values``.

    Values are whole numbers from 0 up without gaps; equal values are no inversion.

    >>> inversions(np.array([2, 0, 1, 1]), np.ones((4, 1)))
    array([3.])
    """
    items = len(values)
    width = max(SHORTEST, int(1.5 * np.sqrt(items)))
    stretch = np.arange(items) // width
    bins = _bins(values, width)
    total = np.zeros(weights.shape[1])
    for start in range(0, items, width):
        total += _dense(values[start : start + width], weights[start : start + width])
    order = np.argsort(bins, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(bins[order])) + 1):
        total += _dense(values[members], weights[members], stretch[members])
    return total + _apart(stretch, bins, weights)


def _bins(values: Indices, width: int) -> Indices:
    """Neighbouring values together until there are ``width`` items of them; equal values are never parted."""
    before = np.concatenate(([0], np.cumsum(np.bincount(values))[:-1]))
    filled = before // width
    dense: Indices = np.unique(filled, return_inverse=True)[1].reshape(-1)
    return dense[values]


def _dense(values: Indices, weights: Array, stretch: Indices | None = None) -> Array:
    """Inversions among few items, pair by pair; with ``stretch`` only between different stretches."""
    if len(values) < 2 or (values == values[0]).all():
        return np.zeros(weights.shape[1])
    inverted = np.triu(values[:, None] > values[None, :], k=1)
    if stretch is not None:
        inverted &= stretch[:, None] != stretch[None, :]
        if not inverted.any():
            return np.zeros(weights.shape[1])
    sums: Array = np.einsum("ib,ib->b", weights, inverted.astype(np.float64) @ weights)
    return sums


def _apart(stretch: Indices, bins: Indices, weights: Array) -> Array:
    """Inversions between items that share neither stretch nor bin."""
    count = int(bins.max(initial=0)) + 1
    total = np.zeros(weights.shape[1])
    order = np.lexsort((bins, stretch))
    cell = stretch[order] * count + bins[order]
    starts = np.flatnonzero(np.diff(cell, prepend=-1))
    sums = np.add.reduceat(weights[order], starts, axis=0) if len(starts) else weights[:0]
    cell = cell[starts]
    # What earlier stretches hold, by bin; then what they hold in higher bins.
    earlier = np.zeros((count + 1, weights.shape[1]))
    for first, last in _runs(cell // count):
        here = cell[first:last] % count
        if first:
            above = np.cumsum(earlier[::-1], axis=0)[::-1]
            total += np.einsum("ib,ib->b", sums[first:last], above[here + 1])
        earlier[here] += sums[first:last]
    return total


def _runs(labels: Indices) -> list[tuple[int, int]]:
    """Where each run of equal labels starts and ends."""
    edges = [0, *(np.flatnonzero(np.diff(labels)) + 1).tolist(), len(labels)]
    return [(first, last) for first, last in pairwise(edges) if last > first]
