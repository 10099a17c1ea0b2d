"""How good predictions are, on the examples as they are and on many samples of them at once.

Almost every measure is a function of sums over examples. So sums are taken per unit of resampling (a source segment),
weighted as often as the unit was drawn, and scored: a thousand samples cost one matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Codes
from assay.significance.association import under
from assay.significance.draws import Draws, Estimate, Keys, Units, estimate
from assay.threads import workers

#: Stretches of certainty in a table of calibration.
BINS = 10
#: Weights in cache at a time, as meta-evaluation has it.
_CACHED_CELLS = 1_600_000


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Examples under draws of whole units, with everything that belongs to them."""

    #: How often each unit counts: in the first row once, as the data are, then in each sample.
    weights: Array
    #: The unit of each example, from 0.
    units: Codes
    #: The fold of each example: correlations are taken within folds.
    folds: Codes
    threads: int = 1

    @classmethod
    def of(cls, groups: Keys, samples: int, seed: int, folds: Codes, threads: int = 1) -> Bootstrap:
        """Draws of groups of examples."""
        keys, units = np.unique(groups, return_inverse=True)
        return cls(Draws.of(Units("group", keys), samples, seed).weights, units, folds, threads)

    def sums(self, *columns: Array, rows: NDArray[np.intp] | slice = slice(None)) -> Array:
        """Sums of columns under each row of weights: draws by columns; ``rows`` says which examples they are of."""
        units, count = self.units[rows], self.weights.shape[1]
        return self.weights @ np.stack([np.bincount(units, column, count) for column in columns], axis=1)

    def confusion(self, truth: Codes, predicted: Codes, classes: int) -> Array:
        """How often each class was taken for each: draws by truth by prediction."""
        cells = (self.units * classes + truth) * classes + predicted
        counts = np.bincount(cells, minlength=self.weights.shape[1] * classes * classes).astype(np.float64)
        return (self.weights @ counts.reshape(-1, classes * classes)).reshape(-1, classes, classes)

    def within_folds(self, one: Array, other: Array, measure: str) -> Array:
        """A correlation on each sample, ranks taken anew: within folds, and then in the mean over examples.

        Different models predict different folds, and each has the mean of what it learnt from, which is low where that
        of its fold is high. Taken together, predictions that know nothing would have a correlation below 0. Where all
        predictions of a fold are equal, it counts as 0.
        """

        def of_fold(fold: int) -> Array:
            rows = np.flatnonzero(self.folds == fold)
            step = max(32, _CACHED_CELLS // max(len(rows), 1))
            parts = []
            for start in range(0, len(self.weights), step):
                weights = self.weights[start : start + step].T[self.units[rows]]
                weight = weights.sum(axis=0)
                parts.append([weight * np.nan_to_num(under(measure, one[rows], other[rows], weights)), weight])
            return np.concatenate(parts, axis=1)

        with workers(self.threads) as pool:
            # In the order of the folds, so that the sums do not depend on who is first.
            total, weight = np.sum([*pool.map(of_fold, range(int(self.folds.max()) + 1))], axis=0)
        return share(total, weight)

    def estimate(self, drawn: Array) -> Estimate:
        """The value, and the middle 95 % of all samples; nothing where there are none, or no value."""
        return estimate(drawn, self.weights.shape[1])


def share(part: Array, whole: Array) -> Array:
    """Part by whole; NaN where there is no whole."""
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64))
    return np.asarray(np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole != 0))


def recalls(confusion: Array) -> Array:
    """Of each class, the share that was recognised: draws by classes; the paper's accuracy of a grade."""
    return share(np.diagonal(confusion, axis1=1, axis2=2), confusion.sum(axis=2))


def macro_f1(confusion: Array) -> Array:
    """F1 of each class, in the mean over classes that occur or were predicted."""
    hits = np.diagonal(confusion, axis1=1, axis2=2)
    scores = share(2.0 * hits, confusion.sum(axis=1) + confusion.sum(axis=2))
    return share(np.nansum(scores, axis=1), (~np.isnan(scores)).sum(axis=1))


def errors(bootstrap: Bootstrap, truth: Array, predicted: Array) -> tuple[Array, Array]:
    """The mean absolute error, and the root of the mean squared one."""
    off = predicted - truth
    n, absolute, squared = bootstrap.sums(np.ones(len(off)), np.abs(off), off * off).T
    return share(absolute, n), np.sqrt(share(squared, n))


def calibration(bootstrap: Bootstrap, probabilities: Array, truth: Codes) -> tuple[Array, Array, Array]:
    """Is a predictor as often right as it is sure? By the certainty of the class that was chosen.

    How many answers each stretch of certainty has, how sure they are and how often right: draws by stretches each.
    """
    certainty = probabilities.max(axis=1)
    stretch = np.minimum((certainty * BINS).astype(np.int64), BINS - 1)
    inside = (stretch == np.arange(BINS)[:, None]).astype(np.float64)
    right = probabilities.argmax(axis=1) == truth
    counts, sure, right = np.split(bootstrap.sums(*inside, *(inside * certainty), *(inside * right)), 3, axis=1)
    return counts, share(sure, counts), share(right, counts)


def calibration_error(counts: Array, certainty: Array, right: Array) -> Array:
    """How far certainty and accuracy are apart, in the mean over examples: the expected calibration error.

    Draws are around the value: a sample is always worse calibrated than the whole, by what chance adds to distances.
    """
    apart = np.where(counts > 0, np.abs(certainty - right), 0.0)
    drawn = share((counts * apart).sum(axis=1), counts.sum(axis=1))
    if len(drawn) > 1:
        drawn[1:] = np.maximum(drawn[1:] - (np.nanmean(drawn[1:]) - drawn[0]), 0.0)
    return drawn
