"""Statistics of two ratings per item, under many weightings of the items at once.

``weights`` has a row per weighting and a column per unit (segment), and ``unit`` says to which one an item belongs.
With whole numbers, a row gives exactly what the statistic is of the items repeated so often: the bootstrap without
looking at the items again. NaN where nothing varies.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

#: What a cell of a table of values by values costs Kendall's tau, beside a cell of the form over pairs of units.
TABLE_COST = 60
#: Cells of intermediate arrays in memory at a time.
BLOCK_CELLS = 8_000_000
#: A variance below this part of the largest square is rounding.
ROUNDING = 1e-12


def pearson(x: Floats, y: Floats, unit: Codes, weights: Floats) -> Floats:
    """The product-moment correlation, from weighted sums."""
    x, y = x - x.mean(), y - y.mean()
    columns = (np.ones(len(x)), x, y, x * x, y * y, x * y)
    units = weights.shape[1]
    moments = np.stack([np.bincount(unit, weights=column, minlength=units) for column in columns], axis=1)
    return correlation(weights @ moments)


def correlation(moments: Floats) -> Floats:
    """Pearson's r from the sums (…, 6) of 1, x, y, xx, yy and xy; keep x and y around 0."""
    n, x, y, xx, yy, xy = np.moveaxis(moments, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        x_square, y_square = xx - x * x / n, yy - y * y / n
        flat = (x_square <= ROUNDING * xx) | (y_square <= ROUNDING * yy)
        found: Floats = np.where(flat, np.nan, (xy - x * y / n) / np.sqrt(np.where(flat, 1.0, x_square * y_square)))
    return np.clip(found, -1.0, 1.0)


def spearman(x: Floats, y: Floats, unit: Codes, weights: Floats) -> Floats:
    """Pearson's correlation of mid-ranks, ranked anew under every weighting."""
    found = np.empty(len(weights))
    step = max(1, BLOCK_CELLS // max(len(x), 1))
    (_, x_codes), (_, y_codes) = (np.unique(values, return_inverse=True) for values in (x, y))
    for start in range(0, len(weights), step):
        block = weights[start : start + step]
        x_ranks, x_square = _centred_ranks(x_codes, unit, block)
        y_ranks, y_square = _centred_ranks(y_codes, unit, block)
        product = (block[:, unit] * x_ranks * y_ranks).sum(axis=1)
        scale = x_square * y_square
        with np.errstate(divide="ignore", invalid="ignore"):
            found[start : start + step] = np.where(scale > ROUNDING, product / np.sqrt(scale), np.nan)
    return np.clip(found, -1.0, 1.0)


def midranks(counts: Floats) -> Floats:
    """Mid-ranks of classes in order, from how often each comes (…, classes)."""
    ranks: Floats = np.cumsum(counts, axis=-1) - (counts - 1.0) / 2.0
    return ranks


def class_counts(codes: Codes, unit: Codes, weights: Floats) -> Floats:
    """How much weight each class has, per row of weights."""
    return contingency(codes, int(codes.max()) + 1, unit, weights)


def contingency(cells: Codes, size: int, unit: Codes, weights: Floats) -> Floats:
    """Per row of weights how much lies in each of ``size`` cells."""
    from scipy.sparse import csr_matrix

    # Sparse, because most cells are empty, and because small dense products wait for each other's threads.
    members = csr_matrix((np.ones(len(cells)), (cells, unit)), shape=(size, weights.shape[1]))
    found: Floats = np.ascontiguousarray((members @ weights.T).T)
    return found


def _centred_ranks(codes: Codes, unit: Codes, weights: Floats) -> tuple[Floats, Floats]:
    """Mid-ranks per item around their mean, and their weighted sum of squares."""
    counts = class_counts(codes, unit, weights)
    ranks = midranks(counts) - (counts.sum(axis=1, keepdims=True) + 1.0) / 2.0
    return ranks[:, codes], (counts * ranks**2).sum(axis=1)


def kendall(x: Floats, y: Floats, unit: Codes, weights: Floats) -> Floats:
    """Kendall's tau-b."""
    (_, x_codes), (_, y_codes) = (np.unique(values, return_inverse=True) for values in (x, y))
    x_size, y_size = int(x_codes.max()) + 1, int(y_codes.max()) + 1
    counts = [class_counts(codes, unit, weights) for codes in (x_codes, y_codes)]
    untied = [count.sum(axis=1) ** 2 - (count**2).sum(axis=1) for count in counts]
    there = np.unique(unit)
    if len(weights) * len(there) ** 2 + len(x) ** 2 <= TABLE_COST * len(weights) * x_size * y_size:
        excess = _excess_by_pairs(x_codes, y_codes, np.searchsorted(there, unit), weights[:, there])
    else:
        excess = _excess_by_table(x_codes, y_codes, (x_size, y_size), unit, weights)
    scale = untied[0] * untied[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(scale > 0.0, 2.0 * excess / np.sqrt(scale), np.nan)
    return np.clip(found, -1.0, 1.0)


def _excess_by_table(x: Codes, y: Codes, shape: tuple[int, int], unit: Codes, weights: Floats) -> Floats:
    """Concordant pairs less discordant ones, from a table of values by values."""
    from scipy.sparse import csr_matrix

    found = np.empty(len(weights))
    # Weightings stand last: sums along the other axes then run over whole rows of them.
    members = csr_matrix((np.ones(len(x)), (x * shape[1] + y, unit)), shape=(shape[0] * shape[1], weights.shape[1]))
    step = max(1, BLOCK_CELLS // (2 * shape[0] * shape[1]))
    for start in range(0, len(weights), step):
        table = (members @ weights[start : start + step].T).reshape(*shape, -1)
        above = np.zeros_like(table)
        np.cumsum(table[:-1], axis=0, out=above[1:])
        np.cumsum(above, axis=1, out=above)
        # Lower in both, less lower in the first and higher in the second.
        excess = above - above[:, -1:]
        excess[:, 1:] += above[:, :-1]
        found[start : start + step] = np.einsum("ijb,ijb->b", table, excess)
    return found


def _excess_by_pairs(x: Codes, y: Codes, unit: Codes, weights: Floats) -> Floats:
    """The same from every pair of items, added up per pair of units: a quadratic form in the weights."""
    units = weights.shape[1]
    form = np.zeros((units, units))
    step = max(1, BLOCK_CELLS // len(x))
    for start in range(0, len(x), step):
        rows = slice(start, start + step)
        signs = np.sign(x[rows, None] - x) * np.sign(y[rows, None] - y)
        cells = (unit[rows, None] * units + unit).ravel()
        form += np.bincount(cells, weights=signs.ravel(), minlength=units * units).reshape(units, units)
    found: Floats = np.einsum("bi,bi->b", weights @ form, weights) / 2.0
    return found


def exact_agreement(table: Floats) -> Floats:
    """The share of items that got the same grade twice, from tables (…, grades, grades)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.trace(table, axis1=-2, axis2=-1) / table.sum(axis=(-2, -1))
    return found


def kappa(table: Floats, costs: Floats) -> Floats:
    """Cohen's kappa with these costs of disagreement, from tables (…, grades, grades)."""
    total = table.sum(axis=(-2, -1))
    chance = np.einsum("...i,...j,ij->...", table.sum(axis=-1), table.sum(axis=-2), costs)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = (table * costs).sum(axis=(-2, -1)) * total
        found: Floats = np.where(chance > 0.0, 1.0 - observed / chance, np.nan)
    return found


def kappa_costs(grades: int, power: int) -> Floats:
    """What a disagreement costs: the same for all (0), as far apart (1), or its square (2)."""
    apart = np.abs(np.subtract.outer(np.arange(grades), np.arange(grades))).astype(np.float64)
    return (apart > 0).astype(np.float64) if power == 0 else apart**power
