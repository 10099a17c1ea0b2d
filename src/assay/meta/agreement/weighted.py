"""Statistics of two ratings per item, under many weightings of the items at once.

``weights`` has a row per weighting and a column per unit (segment), and ``unit`` says to which one an item belongs.
With whole numbers, a row gives exactly what the statistic is of the items repeated so often: the bootstrap without
looking at the items again. NaN where nothing varies.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.significance import association

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

#: Cells of intermediate arrays in memory at a time.
BLOCK_CELLS = 8_000_000


def pearson(x: Floats, y: Floats, unit: Codes, weights: Floats) -> Floats:
    """The product-moment correlation."""
    return association.pearson_under(x, y, weights.T, unit)


def correlation(moments: Floats) -> Floats:
    """Pearson's r from the sums (…, 6) of 1, x, y, xx, yy and xy; keep x and y around 0."""
    return association.from_moments(np.moveaxis(moments, -1, 0))


def spearman(x: Floats, y: Floats, unit: Codes, weights: Floats) -> Floats:
    """Pearson's correlation of mid-ranks, ranked anew under every weighting."""
    return association.spearman_under(x, y, weights.T, unit)


def kendall(x: Floats, y: Floats, unit: Codes, weights: Floats) -> Floats:
    """Kendall's tau-b."""
    return association.pair_sums(x, y, weights.T, unit).kendall_b()


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
