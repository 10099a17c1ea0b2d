"""Models that add up weighted features: ridge, logistic, ordinal and pairwise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from assay.errors import InputError
from assay.learned.models.base import Array, Classes, Grader, Model, logistic, weighted_sum
from assay.learned.models.scaling import Scaling
from assay.learned.saved.fields import Fields


@dataclass(frozen=True, eq=False)
class Weights:
    """The weighted sum of features on one scale."""

    scaling: Scaling
    weights: Array = field(repr=False)

    def __len__(self) -> int:
        return len(self.weights)

    def __call__(self, values: Array) -> Array:
        return weighted_sum(self.scaling(values), self.weights)

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return {"scaling": self.scaling.to_data(), "weights": self.weights.tolist()}

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Weights:
        """Out of plain data; ``fields`` may hold more."""
        return cls(
            Scaling.from_data(fields.inside("scaling"), inputs),
            fields.numbers("weights", length=inputs),
        )


@dataclass(frozen=True, eq=False)
class Linear(Model):
    """A weighted sum and a constant, as ridge regression finds them."""

    kind: ClassVar[str] = "linear"

    weights: Weights
    intercept: float

    @property
    def inputs(self) -> int:
        return len(self.weights)

    def score(self, values: Array) -> Array:
        return self.weights(self.checked(values)) + self.intercept

    def to_data(self) -> dict[str, Any]:
        return {**self.weights.to_data(), "intercept": self.intercept}

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:
        found = cls(Weights.from_data(fields, inputs), fields.number("intercept"))
        fields.finish()
        return found


@dataclass(frozen=True, eq=False)
class Logistic(Grader):
    """Two classes: the log odds of the upper one are a weighted sum and a constant."""

    kind: ClassVar[str] = "logistic"

    weights: Weights
    intercept: float
    classes: Classes

    @property
    def inputs(self) -> int:
        return len(self.weights)

    def probabilities(self, values: Array) -> Array:
        upper = logistic(self.weights(self.checked(values)) + self.intercept)
        return np.column_stack([1.0 - upper, upper])

    def to_data(self) -> dict[str, Any]:
        return {**self.weights.to_data(), "intercept": self.intercept, "classes": self.classes.to_data()}

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:
        classes = Classes.from_data(fields.inside("classes"))
        if len(classes) != 2:
            raise InputError(f"{fields.where}.classes: two are needed, not {len(classes)}.")
        found = cls(Weights.from_data(fields, inputs), fields.number("intercept"), classes)
        fields.finish()
        return found


@dataclass(frozen=True, eq=False)
class Ordinal(Grader):
    """Ordered classes: the log odds of a class up to the k-th are its threshold less a weighted sum."""

    kind: ClassVar[str] = "ordinal-logistic"

    weights: Weights
    #: Between neighbouring classes, rising.
    thresholds: Array
    classes: Classes

    @property
    def inputs(self) -> int:
        return len(self.weights)

    def utility(self, values: Array) -> Array:
        """The weighted sum, which the thresholds cut into classes."""
        return self.weights(self.checked(values))

    def probabilities(self, values: Array) -> Array:
        at_most = logistic(self.thresholds[None, :] - self.utility(values)[:, None])
        edges = np.column_stack([np.zeros(len(at_most)), at_most, np.ones(len(at_most))])
        return np.diff(edges, axis=1)

    def to_data(self) -> dict[str, Any]:
        return {**self.weights.to_data(), "thresholds": self.thresholds.tolist(), "classes": self.classes.to_data()}

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:
        classes = Classes.from_data(fields.inside("classes"))
        if len(classes) < 2:
            raise InputError(f"{fields.where}.classes: at least two are needed.")
        thresholds = fields.numbers("thresholds", length=len(classes) - 1)
        found = cls(Weights.from_data(fields, inputs), thresholds, classes)
        fields.finish()
        falling = np.diff(thresholds) < 0.0
        if falling.any():
            raise InputError(f"{fields.where}.thresholds[{int(falling.argmax()) + 1}]: thresholds rise.")
        return found


@dataclass(frozen=True, eq=False)
class Preference(Model):
    """Which of two translations is better: the log odds are the difference of two weighted sums.

    The score of one translation is its weighted sum; it has no unit, only differences count.
    """

    kind: ClassVar[str] = "preference"

    weights: Weights

    @property
    def inputs(self) -> int:
        return len(self.weights)

    def score(self, values: Array) -> Array:
        return self.weights(self.checked(values))

    def preference(self, first: Array, second: Array) -> Array:
        """The probability that the first of two translations is better, pair by pair."""
        return logistic(self.score(first) - self.score(second))

    def to_data(self) -> dict[str, Any]:
        return self.weights.to_data()

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:
        found = cls(Weights.from_data(fields, inputs))
        fields.finish()
        return found
