"""One pair of long vectors under many draws: weights are items by draws, results have one number per draw.

Copies of an item (from drawing it twice) are no pair here. For Kendall's tau-b that makes no difference, since such a
pair differs on neither side; for accuracies it keeps copies from agreeing with themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.meta.statistics.draws import Array
from assay.meta.statistics.inversions import Indices, inversions
from assay.meta.statistics.vectors import tau_b, tau_c

#: Sums of squares below this share of the uncentred ones are zero up to rounding.
ROUNDING = 1e-12
#: Sums over so few classes are quicker as a matrix product.
FEW_CLASSES = 64


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
