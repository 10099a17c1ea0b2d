"""Models that add up weighted features: ridge, logistic, ordinal and pairwise."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from assay.arrays import Array
from assay.errors import InputError
from assay.learned.models.base import (
    Classes,
    Grader,
    Model,
    Number,
    Numbers,
    Scaling,
    logistic,
    refuse,
    require_length,
    weighted_sum,
)


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


class Ordinal(Grader, _Weighted, frozen=True, tag="ordinal-logistic"):
    """Ordered classes: the log odds of a class up to the k-th are its threshold less a weighted sum."""

    #: Between neighbouring classes, rising.
    thresholds: Array
    classes: Classes

    def probabilities(self, values: Array) -> Array:
        at_most = logistic(self.thresholds[None, :] - self.total(values)[:, None])
        edges = np.column_stack([np.zeros(len(at_most)), at_most, np.ones(len(at_most))])
        return np.diff(edges, axis=1)

    def check(self) -> None:
        super().check()
        if len(self.classes) < 2:
            raise InputError(".classes: at least two are needed.")
        require_length("thresholds", self.thresholds, len(self.classes) - 1)
        falling = np.diff(self.thresholds, prepend=-np.inf) < 0.0
        refuse("thresholds", self.thresholds, falling, "thresholds rise.")


class Cut(Numbers, frozen=True):
    """Classes cut out of one number that has a scale: an ordinal regression of one feature inside another model."""

    scaling: Scaling
    weights: Array
    thresholds: Array
    classes: Classes

    @cached_property
    def ordinal(self) -> Ordinal:
        """The same as a model."""
        return Ordinal(self.scaling, self.weights, self.thresholds, self.classes, inputs=1)


class Preference(_Weighted, frozen=True, tag="preference"):
    """Which of two translations is better: the log odds are the difference of two weighted sums.

    The score of one translation is its weighted sum; it has no unit, only differences count.
    """

    def score(self, values: Array) -> Array:
        return self.total(values)

    def preference(self, first: Array, second: Array) -> Array:
        """The probability that the first of two translations is better, pair by pair."""
        return logistic(self.score(first) - self.score(second))
