"""How far two lists of numbers go together: Pearson's, Spearman's and Kendall's correlations, each written once.

A weight says how often an item was drawn: the result is that of scipy on data in which each item is repeated so often.
``pearson``, ``spearman``, ``kendall_b`` and ``kendall_c`` work over the last axis, and other axes broadcast; NaN marks
what is missing, and comes out where nothing is defined (fewer than two items, or all alike). Those that end in
``_under`` take one pair of long vectors under many draws at once: weights are items by draws, and results have one
number per draw.

Copies of an item (from drawing it twice) are no pair in ``pair_sums``. For Kendall's tau-b that makes no difference,
since such a pair differs on neither side; for accuracies it keeps copies from agreeing with themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

#: Numbers in memory at a time: 64 MB of them.
BLOCK_CELLS = 8_000_000
#: Sums of squares below this share of the uncentred ones are zero up to rounding.
ROUNDING = 1e-12
#: Sums over so few classes are quicker as a matrix product.
FEW_CLASSES = 64
#: Products of shorter stretches than this cost more calls than they save.
SHORTEST = 64


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
    return in_blocks(_spearman, x, y, weights)


def kendall_b(x: Array, y: Array, weights: Array | None = None) -> Array:
    """Kendall's tau-b: pairs in like order less pairs in unlike order, by the pairs that differ on either side."""
    x, y, weights = prepare(x, y, weights)
    return in_blocks(_kendall_b, x, y, weights)


def kendall_c(x: Array, y: Array, weights: Array | None = None) -> Array:
    """Kendall's tau-c (Stuart's): the same numerator by the most it could be with so few distinct values."""
    x, y, weights = prepare(x, y, weights)
    return in_blocks(_kendall_c, x, y, weights)


def prepare(x: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array]:
    """The three of one shape; what is missing has weight 0 and value 0."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    weights = np.ones(()) if weights is None else np.asarray(weights, dtype=np.float64)
    x, y, weights = np.broadcast_arrays(x, y, weights)
    missing = np.isnan(x) | np.isnan(y)
    return np.where(missing, 0.0, x), np.where(missing, 0.0, y), np.where(missing, 0.0, weights)


def in_blocks(function: Callable[[Array, Array, Array], Array], x: Array, y: Array, weights: Array) -> Array:
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


@dataclass(frozen=True)
class PairSums:
    """Weighted pairs of different items, one number per draw: all, tied on each side, concordant less discordant."""

    pairs: Array
    tied_x: Array
    tied_y: Array
    tied_both: Array
    difference: Array
    classes: Array
    total: Array

    @classmethod
    def joined(cls, parts: Sequence[PairSums]) -> PairSums:
        """Those of several blocks of draws."""
        return cls(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls)))

    def kendall_b(self) -> Array:
        return tau_b(self.difference, self.pairs - self.tied_x, self.pairs - self.tied_y)

    def kendall_c(self) -> Array:
        return tau_c(2.0 * self.difference, self.total, self.classes)

    def agreement(self) -> Array:
        """The share of pairs that both sides order alike, those tied on both among them."""
        concordant = (self.pairs - self.tied_x - self.tied_y + self.tied_both + self.difference) / 2.0
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((concordant + self.tied_both) / self.pairs)


@dataclass(frozen=True)
class _Classes:
    """Items grouped by value: where each class starts in sorted order, and which class each item is of."""

    order: Indices
    starts: Indices
    of_item: Indices

    @classmethod
    def of(cls, *keys: Array) -> _Classes:
        order = np.lexsort(keys[::-1])
        fresh = np.zeros(len(order), dtype=bool)
        fresh[:1] = True
        for key in keys:
            ordered = key[order]
            fresh[1:] |= ordered[1:] != ordered[:-1]
        of_item = np.empty(len(order), dtype=np.intp)
        of_item[order] = np.cumsum(fresh) - 1
        return cls(order, np.flatnonzero(fresh), of_item)

    def sums(self, weights: Array) -> Array:
        """What each class weighs: classes by draws."""
        if len(self.starts) == len(self.order):
            return weights[self.order]
        return np.add.reduceat(weights[self.order], self.starts, axis=0)


def pair_sums(x: Array, y: Array, weights: Array) -> PairSums:
    """Everything that the pairwise statistics need, from vectors without NaN and weights (items by draws)."""
    classes_x, classes_y, classes_both = _Classes.of(x), _Classes.of(y), _Classes.of(x, y)
    total, squares = weights.sum(axis=0), _squares(weights)
    held = [classes.sums(weights) for classes in (classes_x, classes_y)]
    tied_x, tied_y = ((_squares(sums) - squares) / 2.0 for sums in held)
    distinct = [np.count_nonzero(sums > 0, axis=0) for sums in held]
    if len(classes_both.starts) == len(x):
        tied_both = np.zeros_like(total)
    else:
        tied_both = (_squares(classes_both.sums(weights)) - squares) / 2.0
    pairs = (total**2 - squares) / 2.0
    order = classes_both.order
    inverted = inversions(classes_y.of_item[order], weights[order])
    # Sorted by x and then y, pairs that differ in y are in like order unless inverted; those tied in x are neither.
    difference = (pairs - tied_y) - 2.0 * inverted - (tied_x - tied_both)
    return PairSums(
        pairs=pairs,
        tied_x=tied_x,
        tied_y=tied_y,
        tied_both=tied_both,
        difference=difference,
        classes=np.minimum(*distinct).astype(np.float64),
        total=total,
    )


def spearman_under(x: Array, y: Array, weights: Array) -> Array:
    """Spearman's correlation under each column of weights."""
    many, few = sorted((_Classes.of(x), _Classes.of(y)), key=lambda classes: -len(classes.starts))
    total = weights.sum(axis=0)
    held = many.sums(weights)
    ranks = _centred_ranks(held, total)
    if len(many.starts) < len(x):
        items = weights * ranks[many.of_item]
        few_of_item = few.of_item
    else:
        items, few_of_item = held * ranks, few.of_item[many.order]
    variance = np.einsum("ib,ib->b", items, ranks if len(items) == len(ranks) else ranks[many.of_item])
    # What each class of the side with fewer values holds in ranks of the other.
    if len(few.starts) <= FEW_CLASSES:
        belongs = few_of_item[None, :] == np.arange(len(few.starts))[:, None]
        crossed = belongs.astype(np.float64) @ items
    else:
        order = np.argsort(few_of_item, kind="stable")
        crossed = np.add.reduceat(items[order], few.starts, axis=0) if len(x) else items
    few_held = few.sums(weights)
    few_ranks = _centred_ranks(few_held, total)
    covariance = np.einsum("ib,ib->b", crossed, few_ranks)
    few_variance = np.einsum("ib,ib->b", few_held * few_ranks, few_ranks)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = covariance / (np.sqrt(variance) * np.sqrt(few_variance))
    defined = (variance > 0) & (few_variance > 0)
    return np.asarray(np.where(defined, np.clip(value, -1.0, 1.0), np.nan))


def _centred_ranks(held: Array, total: Array) -> Array:
    """Mid-ranks less the mean rank: what lies below, half of the own class, less half of everything."""
    ranks = np.cumsum(held, axis=0)
    ranks -= 0.5 * held
    ranks -= 0.5 * total
    return ranks


def pearson_under(x: Array, y: Array, weights: Array) -> Array:
    """Pearson's correlation under each column of weights."""
    if len(x) == 0:
        return np.full(weights.shape[1], np.nan)
    x, y = standardised(x), standardised(y)
    return from_moments(np.stack([np.ones_like(x), x, y, x * x, y * y, x * y]) @ weights)


def standardised(values: Array) -> Array:
    """Centred and scaled, so that sums of squares cancel little; a constant becomes exactly 0."""
    if (values == values[0]).all():
        return np.zeros_like(values)
    centred = values - values.mean()
    return np.asarray(centred / np.abs(centred).max())


def from_moments(moments: Array) -> Array:
    """Pearson's correlation from weighted sums of 1, x, y, xx, yy and xy along the first axis."""
    total, x, y, xx, yy, xy = moments
    with np.errstate(invalid="ignore", divide="ignore"):
        variance_x, variance_y = xx - x * x / total, yy - y * y / total
        value = (xy - x * y / total) / (np.sqrt(variance_x) * np.sqrt(variance_y))
        defined = (variance_x > ROUNDING * xx) & (variance_y > ROUNDING * yy)
    return np.asarray(np.where(defined, np.clip(value, -1.0, 1.0), np.nan))


def _squares(weights: Array) -> Array:
    squares: Array = np.einsum("ib,ib->b", weights, weights)
    return squares


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
