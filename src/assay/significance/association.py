"""How far two lists of numbers go together: Pearson's, Spearman's and Kendall's correlations, each written once.

A weight says how often an item was drawn: the result is that of scipy on data in which each item is repeated so often.
``pearson``, ``spearman``, ``kendall_b`` and ``kendall_c`` work over the last axis, and other axes broadcast; NaN marks
what is missing, and comes out where nothing is defined (fewer than two items, or all alike). Those that end in
``_under`` take one pair of long vectors under many draws at once: weights are items by draws, or units by draws where
``unit`` says to which of them each item belongs, and results have one number per draw.

Copies of an item (from drawing it twice) are no pair in ``pair_sums``. For Kendall's tau-b that makes no difference,
since such a pair differs on neither side; for accuracies it keeps copies from agreeing with themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.arrays import Array

Indices = NDArray[np.intp] | NDArray[np.int64]
_Codes = NDArray[np.uint32]

#: Numbers in memory at a time: 64 MB of them.
BLOCK_CELLS = 8_000_000
#: Sums of squares below this share of the uncentred ones are zero up to rounding.
ROUNDING = 1e-12
#: Longer vectors are sorted, one by one; shorter ones are compared pair by pair, many at a time.
_LONG = 128


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
    return _rows(spearman_under, _spearman, *prepare(x, y, weights))


def kendall_b(x: Array, y: Array, weights: Array | None = None) -> Array:
    """Kendall's tau-b: pairs in like order less pairs in unlike order, by the pairs that differ on either side."""
    return _rows(lambda *given: pair_sums(*given).kendall_b(), _kendall_b, *prepare(x, y, weights))


def kendall_c(x: Array, y: Array, weights: Array | None = None) -> Array:
    """Kendall's tau-c (Stuart's): the same numerator by the most it could be with so few distinct values."""
    return _rows(lambda *given: pair_sums(*given).kendall_c(), _kendall_c, *prepare(x, y, weights))


def prepare(x: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array]:
    """The three of one shape; what is missing has weight 0 and value 0."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    weights = np.ones(()) if weights is None else np.asarray(weights, dtype=np.float64)
    x, y, weights = np.broadcast_arrays(x, y, weights)
    missing = np.isnan(x) | np.isnan(y)
    return np.where(missing, 0.0, x), np.where(missing, 0.0, y), np.where(missing, 0.0, weights)


_Function = Callable[[Array, Array, Array], Array]


def _rows(long: _Function, short: _Function, x: Array, y: Array, weights: Array) -> Array:
    """Long vectors one by one, short ones all together."""
    leading, n = x.shape[:-1], x.shape[-1]
    if n <= _LONG:
        return in_blocks(short, x, y, weights)
    rows = zip(*(array.reshape(-1, n) for array in (x, y, weights)), strict=True)
    return np.array([long(first, second, weight[:, None])[0] for first, second, weight in rows]).reshape(leading)


def in_blocks(function: _Function, x: Array, y: Array, weights: Array) -> Array:
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
    first, second = np.triu_indices(x.shape[-1], k=1)
    pairs = 2.0 * weights[..., first] * weights[..., second]
    sign_x, sign_y = (np.sign(values[..., first] - values[..., second]) for values in (x, y))
    return (pairs * sign_x * sign_y).sum(-1), (pairs * sign_x**2).sum(-1), (pairs * sign_y**2).sum(-1)


def _kendall_b(x: Array, y: Array, weights: Array) -> Array:
    return tau_b(*_pair_sums(x, y, weights))


def _kendall_c(x: Array, y: Array, weights: Array) -> Array:
    difference, _, _ = _pair_sums(x, y, weights)
    classes = np.minimum(_distinct(x, weights), _distinct(y, weights))
    return tau_c(difference, weights.sum(axis=-1), classes)


def tau_b(difference: Array, differ_x: Array, differ_y: Array) -> Array:
    """From concordant less discordant pairs and the pairs that differ on each side (all of them once, or all twice)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        value = difference / np.sqrt(differ_x * differ_y)
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
        return cls(*(np.concatenate([getattr(part, column.name) for part in parts]) for column in fields(cls)))

    def kendall_b(self) -> Array:
        return tau_b(self.difference, self.pairs - self.tied_x, self.pairs - self.tied_y)

    def kendall_c(self) -> Array:
        return tau_c(2.0 * self.difference, self.total, self.classes)

    def agreement(self) -> Array:
        """The share of pairs that both sides order alike, those tied on both among them."""
        concordant = (self.pairs - self.tied_x - self.tied_y + self.tied_both + self.difference) / 2.0
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((concordant + self.tied_both) / self.pairs)


def pair_sums(x: Array, y: Array, weights: Array, unit: Indices | None = None, *, threads: int = 1) -> PairSums:
    """Everything that the pairwise statistics need, from vectors without NaN."""
    counted = kernels.pair_lines(*_coded(x, y, unit), np.ascontiguousarray(weights), threads)
    total, squares, same_x, same_y, same_both, difference, seen_x, seen_y = counted
    return PairSums(
        pairs=(total**2 - squares) / 2.0,
        tied_x=(same_x - squares) / 2.0,
        tied_y=(same_y - squares) / 2.0,
        tied_both=(same_both - squares) / 2.0,
        difference=difference,
        classes=np.minimum(seen_x, seen_y),
        total=total,
    )


def spearman_under(x: Array, y: Array, weights: Array, unit: Indices | None = None, *, threads: int = 1) -> Array:
    """Spearman's correlation under each column of weights."""
    covariance, variance_x, variance_y = kernels.rank_lines(*_coded(x, y, unit), np.ascontiguousarray(weights), threads)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = covariance / (np.sqrt(variance_x) * np.sqrt(variance_y))
    defined = (variance_x > 0) & (variance_y > 0)
    return np.asarray(np.where(defined, np.clip(value, -1.0, 1.0), np.nan))


def _coded(x: Array, y: Array, unit: Indices | None) -> tuple[_Codes, _Codes, _Codes]:
    """Classes in place of values, and the unit of each item."""
    codes = (np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.uint32) for values in (x, y))
    units = np.arange(len(x), dtype=np.uint32) if unit is None else np.asarray(unit).astype(np.uint32)
    return (*codes, units)  # type: ignore[return-value]


def pearson_under(x: Array, y: Array, weights: Array, unit: Indices | None = None) -> Array:
    """Pearson's correlation under each column of weights."""
    if len(x) == 0:
        return np.full(weights.shape[1], np.nan)
    x, y = standardised(x), standardised(y)
    moments = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y])
    if unit is not None:
        moments = np.stack([np.bincount(unit, weights=line, minlength=len(weights)) for line in moments])
    return from_moments(moments @ weights)


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
