"""How good predictions are, on the examples as they are and on many samples of them at once.

Almost every measure is a function of sums over examples. So sums are taken per unit of resampling (a source segment),
weighted as often as the unit was drawn, and scored: a thousand samples cost one matrix product.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Codes
from assay.significance.association import pearson_under, spearman_under
from assay.significance.draws import Draws, estimate

#: Stretches of certainty in a table of calibration.
BINS = 10
#: Weights in cache at a time, as meta-evaluation has it.
_CACHED_CELLS = 1_600_000


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """How often each unit counts: in the first row once, as the data are, then in each sample."""

    #: The unit of each example, from 0.
    units: Codes
    weights: Array
    #: The fold of each example: correlations are taken within folds.
    folds: Codes
    threads: int = 1

    @classmethod
    def of(cls, units: Codes, samples: int, seed: int, folds: Codes | None = None, *, threads: int = 1) -> Bootstrap:
        """Draws of whole units, with everything that belongs to them; without folds there is one."""
        _, codes = np.unique(units, return_inverse=True)
        count = int(codes.max()) + 1
        weights = Draws.of(count, samples, seed).weights
        folds = np.zeros(len(codes), dtype=np.int64) if folds is None else folds
        return cls(codes.astype(np.int64), weights, folds, threads)

    @property
    def count(self) -> int:
        """How many units there are."""
        return int(self.weights.shape[1])

    def sums(self, per_example: Array, rows: NDArray[np.intp] | None = None) -> Array:
        """Sums of columns (examples by columns) under each row of weights; ``rows`` says which examples they are of."""
        units = self.units if rows is None else self.units[rows]
        per_unit = np.zeros((self.count, per_example.shape[1]))
        for column in range(per_example.shape[1]):
            per_unit[:, column] = np.bincount(units, weights=per_example[:, column], minlength=self.count)
        return self.weights @ per_unit

    def confusion(self, truth: Codes, predicted: Codes, classes: int) -> Array:
        """How often each class was taken for each: draws by truth by prediction."""
        cells = (self.units * classes + truth) * classes + predicted
        counts = np.bincount(cells, minlength=self.count * classes * classes).astype(np.float64)
        return (self.weights @ counts.reshape(self.count, -1)).reshape(len(self.weights), classes, classes)

    def spearman(self, one: Array, other: Array) -> Array:
        """Spearman's correlation on each sample, ranks taken anew; within folds, and then in the mean over examples.

        Different models predict different folds, and each has the mean of what it learnt from, which is low where that
        of its fold is high. Taken together, predictions that know nothing would have a correlation below 0. Where all
        predictions of a fold are equal, it counts as 0.
        """
        return self._within(one, other, spearman_under)

    def pearson(self, one: Array, other: Array) -> Array:
        """Pearson's correlation, within folds as well."""
        return self._within(one, other, pearson_under)

    def _within(self, one: Array, other: Array, under: Callable[[Array, Array, Array], Array]) -> Array:
        def of_fold(fold: int) -> tuple[Array, Array]:
            rows = np.flatnonzero(self.folds == fold)
            total, weight = np.empty(len(self.weights)), np.empty(len(self.weights))
            step = max(32, _CACHED_CELLS // max(len(rows), 1))
            for start in range(0, len(self.weights), step):
                here = slice(start, start + step)
                weights = self.weights[here].T[self.units[rows]]
                weight[here] = weights.sum(axis=0)
                total[here] = weight[here] * np.nan_to_num(under(one[rows], other[rows], weights))
            return total, weight

        with ThreadPoolExecutor(self.threads) as pool:
            parts = list(pool.map(of_fold, range(int(self.folds.max()) + 1)))
        # In the order of the folds, so that the sums do not depend on who is first.
        total, weight = (sum(part[place] for part in parts) for place in (0, 1))
        return _share(np.asarray(total), np.asarray(weight))

    def interval(self, drawn: Array) -> tuple[float | None, float | None]:
        """The middle 95 % of all samples; nothing where there are none, or no value."""
        made = estimate(drawn, units=self.count)
        return made.low, made.high


def accuracy(confusion: Array) -> Array:
    """The share of right answers."""
    return _share(np.trace(confusion, axis1=1, axis2=2), confusion.sum(axis=(1, 2)))


def recalls(confusion: Array) -> Array:
    """Of each class, the share that was recognised: draws by classes; the paper's accuracy of a grade."""
    return _share(np.diagonal(confusion, axis1=1, axis2=2), confusion.sum(axis=2))


def macro_f1(confusion: Array) -> Array:
    """F1 of each class, in the mean over classes that occur or were predicted."""
    hits = np.diagonal(confusion, axis1=1, axis2=2)
    scores = _share(2.0 * hits, confusion.sum(axis=1) + confusion.sum(axis=2))
    there = ~np.isnan(scores)
    return _share(np.where(there, scores, 0.0).sum(axis=1), there.sum(axis=1).astype(np.float64))


def quadratic_kappa(confusion: Array) -> Array:
    """Cohen's kappa where being two grades off costs four times as much as one."""
    classes = confusion.shape[1]
    distance = (np.arange(classes)[:, None] - np.arange(classes)[None, :]).astype(np.float64) ** 2
    total = confusion.sum(axis=(1, 2))
    by_chance = np.einsum("bi,bj,ij->b", confusion.sum(axis=2), confusion.sum(axis=1), distance)
    return 1.0 - _share((confusion * distance).sum(axis=(1, 2)) * total, by_chance)


def errors(bootstrap: Bootstrap, truth: Array, predicted: Array) -> tuple[Array, Array]:
    """The mean absolute error, and the root of the mean squared one."""
    off = predicted - truth
    n, absolute, squared = bootstrap.sums(np.stack([np.ones(len(off)), np.abs(off), off * off], axis=1)).T
    return _share(absolute, n), np.sqrt(_share(squared, n))


@dataclass(frozen=True, eq=False)
class Calibration:
    """Is a predictor as often right as it is sure? Per stretch of certainty, under each draw: draws by stretches."""

    counts: Array
    certainty: Array
    right: Array

    @classmethod
    def of(cls, bootstrap: Bootstrap, probabilities: Array, truth: Codes) -> Calibration:
        """By the certainty of the class that was chosen."""
        chosen = probabilities.argmax(axis=1)
        certainty = probabilities[np.arange(len(chosen)), chosen]
        stretch = np.minimum((certainty * BINS).astype(np.int64), BINS - 1)
        inside = stretch[:, None] == np.arange(BINS)[None, :]
        columns = np.concatenate(
            [inside, inside * certainty[:, None], inside * (chosen == truth)[:, None]], axis=1
        ).astype(np.float64)
        counts, sure, right = np.split(bootstrap.sums(columns), 3, axis=1)
        return cls(counts, _share(sure, counts), _share(right, counts))

    def error(self) -> Array:
        """The expected calibration error: how far certainty and accuracy are apart, in the mean over examples."""
        apart = np.where(self.counts > 0, np.abs(self.certainty - self.right), 0.0)
        return _share((self.counts * apart).sum(axis=1), self.counts.sum(axis=1))


def _share(part: Array, whole: Array) -> Array:
    """Part by whole; NaN where there is no whole."""
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64))
    found: Array = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole != 0)
    return found
