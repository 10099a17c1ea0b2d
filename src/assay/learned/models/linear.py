"""Models that add up weighted features: ridge, logistic, ordinal and pairwise."""

from __future__ import annotations

import numpy as np

from assay.arrays import Array
from assay.errors import InputError
from assay.learned.models.base import Classes, Grader, Model, Scaling, logistic, weighted_sum
from assay.learned.models.data import Number, Numbers, require_length


class _Weighted(Model, frozen=True):
    """The weighted sum of features on one scale."""

    scaling: Scaling
    weights: Array

    def total(self, values: Array) -> Array:
        """The sum of each row."""
        return weighted_sum(self.scaling(self.checked(values)), self.weights)

    def check(self) -> None:
        self.scaling.require(self.inputs)
        require_length("weights", self.weights, self.inputs)


class Linear(_Weighted, frozen=True, tag="linear"):
    """A weighted sum and a constant, as ridge regression finds them."""

    intercept: Number

    def score(self, values: Array) -> Array:
        return self.total(values) + self.intercept


class Logistic(Grader, _Weighted, frozen=True, tag="logistic"):
    """Two classes: the log odds of the upper one are a weighted sum and a constant."""

    intercept: Number
    classes: Classes

    def probabilities(self, values: Array) -> Array:
        upper = logistic(self.total(values) + self.intercept)
        return np.column_stack([1.0 - upper, upper])

    def check(self) -> None:
        super().check()
        if len(self.classes) != 2:
            raise InputError(f".classes: two are needed, not {len(self.classes)}.")


class Cut(Numbers, frozen=True):
    """Classes cut out of one number that has a scale: an ordinal regression of one feature."""

    scaling: Scaling
    weights: Array
    #: Between neighbouring classes, rising.
    thresholds: Array
    classes: Classes

    def probabilities(self, values: Array) -> Array:
        """Of rows of one number."""
        return _between(self.thresholds, weighted_sum(self.scaling(values), self.weights))

    def check(self) -> None:
        self.scaling.require(1)
        require_length("weights", self.weights, 1)
        _require_thresholds(self.thresholds, self.classes)


class Ordinal(Grader, _Weighted, frozen=True, tag="ordinal-logistic"):
    """Ordered classes: the log odds of a class up to the k-th are its threshold less a weighted sum."""

    #: Between neighbouring classes, rising.
    thresholds: Array
    classes: Classes

    def probabilities(self, values: Array) -> Array:
        return _between(self.thresholds, self.total(values))

    def check(self) -> None:
        super().check()
        _require_thresholds(self.thresholds, self.classes)


class Preference(_Weighted, frozen=True, tag="preference"):
    """Which of two translations is better: the log odds are the difference of two weighted sums.

    The score of one translation is its weighted sum; it has no unit, only differences count.
    """

    def score(self, values: Array) -> Array:
        return self.total(values)

    def preference(self, first: Array, second: Array) -> Array:
        """The probability that the first of two translations is better, pair by pair."""
        return logistic(self.score(first) - self.score(second))


def _between(thresholds: Array, total: Array) -> Array:
    """Probabilities of the classes that thresholds cut out of a weighted sum."""
    at_most = logistic(thresholds[None, :] - total[:, None])
    edges = np.column_stack([np.zeros(len(at_most)), at_most, np.ones(len(at_most))])
    return np.diff(edges, axis=1)


def _require_thresholds(thresholds: Array, classes: Classes) -> None:
    """Refuse thresholds that do not rise, or are not one less than the classes."""
    if len(classes) < 2:
        raise InputError(".classes: at least two are needed.")
    require_length("thresholds", thresholds, len(classes) - 1)
    falling = np.diff(thresholds) < 0.0
    if falling.any():
        raise InputError(f".thresholds[{int(falling.argmax()) + 1}]: thresholds rise.")
