"""What every model is: numbers that turn the features of a translation into a score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError, ParameterError
from assay.learned.saved.fields import Fields

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

#: More grades than anybody tells apart.
MOST_CLASSES = 1000


class Model(ABC):
    """A formula with its numbers; ``values`` are rows by features, and no row looks at another."""

    #: How files name this kind of model.
    kind: ClassVar[str]

    @property
    @abstractmethod
    def inputs(self) -> int:
        """How many features it takes."""

    @abstractmethod
    def score(self, values: Array) -> Array:
        """A number per row; higher is better. Of a grader the expected worth of the grade."""

    @abstractmethod
    def to_data(self) -> dict[str, Any]:
        """The numbers as plain data, which JSON can hold."""

    @classmethod
    @abstractmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:
        """The model out of plain data about ``inputs`` features, every value checked."""

    def checked(self, values: Array) -> Array:
        """``values`` as rows by features, refused if there are not as many as the model takes."""
        found = np.ascontiguousarray(values, dtype=np.float64)
        if found.ndim != 2 or found.shape[1] != self.inputs:
            raise ParameterError(f"The model takes rows of {self.inputs} features, not values of shape {found.shape}.")
        return found


@dataclass(frozen=True)
class Classes:
    """The classes of a grader, from the worst to the best, and what each is worth in an expected grade."""

    names: tuple[str, ...]
    worth: tuple[float, ...]

    def __post_init__(self) -> None:
        sound = len(self.names) == len(self.worth) >= 1 and len(set(self.names)) == len(self.names)
        if not sound:
            raise InputError(
                f"{len(self.names)} names and {len(self.worth)} worths of grades; each grade has one of its own."
            )

    def __len__(self) -> int:
        return len(self.names)

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return {"names": list(self.names), "worth": list(self.worth)}

    @classmethod
    def from_data(cls, fields: Fields) -> Classes:
        """Out of plain data."""
        names = fields.texts("names")
        worth = tuple(fields.numbers("worth", length=len(names)).tolist())
        fields.finish()
        if len(names) < 1 or len(set(names)) < len(names):
            raise InputError(f"{fields.where}.names: at least one grade is needed, and each has a name of its own.")
        if len(names) > MOST_CLASSES:
            raise InputError(f"{fields.where}.names: {len(names):,} grades, but {MOST_CLASSES:,} are the most.")
        return cls(names, worth)


class Grader(Model):
    """A model that gives each row a probability of every class."""

    classes: Classes

    @abstractmethod
    def probabilities(self, values: Array) -> Array:
        """Rows by classes; each row sums to 1."""

    def grades(self, values: Array) -> Indices:
        """The number of each row's likeliest class; of equal ones the lowest."""
        found: Indices = self.probabilities(values).argmax(axis=1)
        return found

    def score(self, values: Array) -> Array:
        return expected(self.probabilities(values), self.classes.worth)


def expected(probabilities: Array, worth: tuple[float, ...]) -> Array:
    """The mean of what the classes are worth, weighted by their probabilities."""
    return weighted_sum(probabilities, np.asarray(worth))


def weighted_sum(values: Array, weights: Array) -> Array:
    """The sum over columns, one after the other: the same bits for a row alone and among others, unlike a product
    of matrices."""
    total = np.zeros(len(values))
    for column, weight in zip(values.T, weights.tolist(), strict=True):
        total += column * weight
    return total


def logistic(values: Array) -> Array:
    """1 / (1 + exp(-x)), without overflow."""
    small = np.exp(-np.abs(values))
    return np.where(values >= 0, 1.0 / (1.0 + small), small / (1.0 + small))
