"""How far two lists of numbers go together: Pearson's, Spearman's and Kendall's correlations, each written once.

A weight says how often an item was drawn: the result is that of scipy on data in which each item is repeated so often.
NaN marks what is missing, and comes out where nothing is defined (fewer than two items, or all alike). Copies of an
item (from drawing it twice) are no pair, which keeps them from agreeing with themselves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.arrays import Array

_Units = NDArray[np.intp] | NDArray[np.int64] | NDArray[np.uint32]

#: Numbers in memory at a time: 64 MB of them.
BLOCK_CELLS = 8_000_000
#: Sums of squares below this share of the uncentred ones are zero up to rounding.
ROUNDING = 1e-12
#: What is counted at once, and the measures that follow from it. Agreement is the share of pairs that both lists order
#: alike, those tied on both sides among them; tau23 is agreement less disagreement.
_FAMILIES: dict[str, tuple[str, ...]] = {
    "moments": ("pearson",),
    "ranks": ("spearman",),
    "pairs": ("kendall_b", "kendall_c", "agreement"),
}
FAMILY_OF = {measure: family for family, measures in _FAMILIES.items() for measure in measures} | {"tau23": "pairs"}


def grouped(family: str, x: Array, y: Array, unit: _Units, weights: Array) -> dict[str, Array]:
    """The measures of a family in groups of items, under draws: groups by draws each.

    ``x``, ``y`` and ``unit`` are groups by items, ``weights`` units by draws: an item weighs what its unit does.
    """
    cells = (np.ascontiguousarray(x), np.ascontiguousarray(y), np.ascontiguousarray(unit, dtype=np.uint32))
    lines = kernels.associations(cells, np.ascontiguousarray(weights), family)
    measured: dict[str, Array] = dict(zip(_FAMILIES[family], lines.reshape(-1, len(x), weights.shape[1]), strict=True))
    return measured | ({"tau23": 2.0 * measured["agreement"] - 1.0} if family == "pairs" else {})


def under(measure: str, x: Array, y: Array, weights: Array, unit: _Units | None = None) -> Array:
    """A measure of one pair of lists under many draws, one number each.

    Weights are items by draws, or units by draws where ``unit`` says to which of them each item belongs.
    """
    units = np.arange(len(x)) if unit is None else unit
    values: Array = grouped(FAMILY_OF[measure], x[None], y[None], units[None], weights)[measure][0]
    return values


def over_rows(measure: str, x: Array, y: Array, weights: Array | None = None) -> Array:
    """A measure over the last axis; other axes broadcast."""
    weights = np.ones(()) if weights is None else weights
    x, y, weights = np.broadcast_arrays(*(np.asarray(values, dtype=np.float64) for values in (x, y, weights)))
    leading, items = x.shape[:-1], x.shape[-1]
    if not x.size:
        return np.full(leading, np.nan)
    unit = np.arange(x.size).reshape(-1, items)
    rows = grouped(FAMILY_OF[measure], x.reshape(-1, items), y.reshape(-1, items), unit, weights.reshape(-1, 1))
    return rows[measure].reshape(leading)


def pearson(x: Array, y: Array, weights: Array | None = None) -> Array:
    """Pearson's correlation over the last axis.

    >>> float(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 6.0])).round(4))
    0.9449
    """
    return over_rows("pearson", x, y, weights)


def spearman(x: Array, y: Array, weights: Array | None = None) -> Array:
    """Spearman's correlation over the last axis: Pearson's of mid-ranks."""
    return over_rows("spearman", x, y, weights)


def kendall_b(x: Array, y: Array, weights: Array | None = None) -> Array:
    """Kendall's tau-b: pairs in like order less pairs in unlike order, by the pairs that differ on either side."""
    return over_rows("kendall_b", x, y, weights)


def from_moments(moments: Array) -> Array:
    """Pearson's correlation from weighted sums of 1, x, y, xx, yy and xy along the first axis."""
    total, x, y, xx, yy, xy = moments
    with np.errstate(invalid="ignore", divide="ignore"):
        variance_x, variance_y = xx - x * x / total, yy - y * y / total
        value = (xy - x * y / total) / (np.sqrt(variance_x) * np.sqrt(variance_y))
        defined = (variance_x > ROUNDING * xx) & (variance_y > ROUNDING * yy)
    return np.asarray(np.where(defined, np.clip(value, -1.0, 1.0), np.nan))


def stepped_up(reliability: Array, times: float = 2.0) -> Array:
    """Spearman and Brown (1910): what a correlation of two parallel measurements becomes with so many times the data.

    >>> stepped_up(np.array([0.6])).round(3).tolist(), stepped_up(np.array([0.75]), 0.5).round(3).tolist()
    ([0.75], [0.6])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        below = 1.0 + (times - 1.0) * reliability
        return np.asarray(np.where(below > 0.0, times * reliability / below, np.nan))
