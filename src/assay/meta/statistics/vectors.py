"""Correlations of two vectors under weights, over the last axis; other axes broadcast.

A weight says how often an item was drawn: the result is that of scipy on data in which each item is repeated so often.
NaN marks what is missing, and comes out where nothing is defined (fewer than two items, or all alike).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay.meta.statistics.draws import BLOCK_CELLS, Array


def pearson(x: Array, y: Array, weights: Array | None = None) -> Array:
    """Pearson's correlation.

    >>> float(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 6.0])).round(4))
    0.9449
    """
    x, y, weights = prepare(x, y, weights)
    constant = _constant(x, weights) | _constant(y, weights)
    return _product_moment(x, y, weights, constant)


def spearman(x: Array, y: Array, weights: Array | None = None) -> Array:
    """Spearman's correlation: Pearson's of mid-ranks."""
    x, y, weights = prepare(x, y, weights)
    return _in_blocks(_spearman, x, y, weights)


def kendall_b(x: Array, y: Array, weights: Array | None = None) -> Array:
    """Kendall's tau-b: pairs in like order less pairs in unlike order, by the pairs that differ on either side."""
    x, y, weights = prepare(x, y, weights)
    return _in_blocks(_kendall_b, x, y, weights)


def kendall_c(x: Array, y: Array, weights: Array | None = None) -> Array:
    """Kendall's tau-c (Stuart's): the same numerator by the most it could be with so few distinct values."""
    x, y, weights = prepare(x, y, weights)
    return _in_blocks(_kendall_c, x, y, weights)


def prepare(x: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array]:
    """The three of one shape; what is missing has weight 0 and value 0."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    weights = np.ones(()) if weights is None else np.asarray(weights, dtype=np.float64)
    x, y, weights = np.broadcast_arrays(x, y, weights)
    missing = np.isnan(x) | np.isnan(y)
    return np.where(missing, 0.0, x), np.where(missing, 0.0, y), np.where(missing, 0.0, weights)


def _in_blocks(function: Callable[[Array, Array, Array], Array], x: Array, y: Array, weights: Array) -> Array:
    """Pairs take n times the memory of items: so many vectors at a time as fit."""
    leading, n = x.shape[:-1], x.shape[-1]
    if n < 2:
        return np.full(leading, np.nan)
    flat = [array.reshape(-1, n) for array in (x, y, weights)]
    step = max(1, BLOCK_CELLS // 4 // (n * n))
    parts = [function(*(array[start : start + step] for array in flat)) for start in range(0, len(flat[0]), step)]
    return np.concatenate(parts).reshape(leading) if parts else np.empty(leading)


def _constant(values: Array, weights: Array) -> NDArray[np.bool_]:
    """Where all items that count are alike, or fewer than two are there."""
    drawn = weights > 0
    low = np.where(drawn, values, np.inf).min(axis=-1, initial=np.inf)
    high = np.where(drawn, values, -np.inf).max(axis=-1, initial=-np.inf)
    return np.asarray(low >= high)


def _product_moment(x: Array, y: Array, weights: Array, undefined: NDArray[np.bool_]) -> Array:
    total = weights.sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        x, y = (_scaled(values - (weights * values).sum(axis=-1, keepdims=True) / total, weights) for values in (x, y))
        covariance = (weights * x * y).sum(axis=-1)
        spread = np.sqrt((weights * x * x).sum(axis=-1)) * np.sqrt((weights * y * y).sum(axis=-1))
        return np.asarray(np.where(undefined, np.nan, np.clip(covariance / spread, -1.0, 1.0)))


def _scaled(values: Array, weights: Array) -> Array:
    """With 1 as the largest value that counts, so that no square overflows or vanishes."""
    counted = np.where(weights > 0, values, 0.0)
    largest = np.abs(counted).max(axis=-1, keepdims=True, initial=0.0)
    return np.asarray(counted / np.where(largest > 0, largest, 1.0))


def signs(values: Array) -> Array:
    """-1, 0 or 1 for each ordered pair of items: how the first stands to the second."""
    return np.sign(values[..., :, None] - values[..., None, :])


def _spearman(x: Array, y: Array, weights: Array) -> Array:
    # A mid-rank, less the mean of ranks, is half of what lies below less half of what lies above.
    rank_x, rank_y = (0.5 * (signs(values) @ weights[..., None])[..., 0] for values in (x, y))
    return _product_moment(rank_x, rank_y, weights, _constant(x, weights) | _constant(y, weights))


def _pair_sums(x: Array, y: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Twice: concordant less discordant pairs, pairs that differ in x, pairs that differ in y."""
    pairs = weights[..., :, None] * weights[..., None, :]
    sign_x, sign_y = signs(x), signs(y)
    axes = (-2, -1)
    return (pairs * sign_x * sign_y).sum(axes), (pairs * sign_x**2).sum(axes), (pairs * sign_y**2).sum(axes)


def _kendall_b(x: Array, y: Array, weights: Array) -> Array:
    return tau_b(*_pair_sums(x, y, weights))


def _kendall_c(x: Array, y: Array, weights: Array) -> Array:
    difference, _, _ = _pair_sums(x, y, weights)
    classes = np.minimum(_distinct(x, weights), _distinct(y, weights))
    return tau_c(difference, weights.sum(axis=-1), classes)


def tau_b(difference: Array, differ_x: Array, differ_y: Array) -> Array:
    """From concordant less discordant pairs and the pairs that differ on each side (all of them once, or all twice)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        value = difference / (np.sqrt(differ_x) * np.sqrt(differ_y))
    return np.asarray(np.where((differ_x > 0) & (differ_y > 0), np.clip(value, -1.0, 1.0), np.nan))


def tau_c(twice_difference: Array, total: Array, classes: Array) -> Array:
    """From twice (concordant less discordant pairs), the number of items, and that of values on the poorer side."""
    with np.errstate(invalid="ignore", divide="ignore"):
        value = twice_difference / (total**2 * (classes - 1) / classes)
    return np.asarray(np.where(classes > 1, value, np.nan))


def _distinct(values: Array, weights: Array) -> Array:
    """How many distinct values count."""
    drawn = np.sort(np.where(weights > 0, values, np.inf), axis=-1)
    present = np.isfinite(drawn)
    fresh = np.ones_like(present)
    with np.errstate(invalid="ignore"):
        fresh[..., 1:] = drawn[..., 1:] != drawn[..., :-1]
    return np.asarray((present & fresh).sum(axis=-1), dtype=np.float64)
