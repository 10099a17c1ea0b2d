"""What every model is: numbers that turn the features of a translation into a score."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import Annotated

import msgspec
import numpy as np

from assay.arrays import Array, Codes
from assay.errors import InputError, ParameterError
from assay.learned.models.data import Data, Number, Numbers, Text, require_length

#: More grades than anybody tells apart.
_MOST_CLASSES = 1000


class _AbstractStruct(msgspec.StructMeta, ABCMeta):
    """Of plain data with methods that every kind has to bring along: without them none can be made."""


class Model(Numbers, frozen=True, kw_only=True, tag_field="kind", metaclass=_AbstractStruct):
    """A formula with its numbers; ``values`` are rows by features, and no row looks at another."""

    #: How many features it takes.
    inputs: Annotated[int, msgspec.Meta(ge=1, le=100_000)]

    @property
    def kind(self) -> str:
        """How files name this kind of model."""
        return str(self.__struct_config__.tag)

    @abstractmethod
    def score(self, values: Array) -> Array:
        """A number per row; higher is better. Of a grader the expected worth of the grade."""

    def checked(self, values: Array) -> Array:
        """``values`` as rows by features, refused if there are not as many as the model takes."""
        found = np.ascontiguousarray(values, dtype=np.float64)
        if found.ndim != 2 or found.shape[1] != self.inputs:
            raise ParameterError(f"The model takes rows of {self.inputs} features, not values of shape {found.shape}.")
        return found


class Classes(Data, frozen=True):
    """The classes of a grader, from the worst to the best, and what each is worth in an expected grade."""

    names: tuple[Text, ...]
    worth: tuple[Number, ...]

    def __post_init__(self) -> None:
        if len(self.names) != len(self.worth):
            raise InputError(f"{len(self.names)} names and {len(self.worth)} worths; each grade has one of its own.")
        if len(self.names) < 1 or len(set(self.names)) < len(self.names):
            raise InputError("At least one grade is needed, and each grade has one of its own: a name of its own.")
        if len(self.names) > _MOST_CLASSES:
            raise InputError(f"{len(self.names):,} grades, but {_MOST_CLASSES:,} are the most.")

    def __len__(self) -> int:
        return len(self.names)


class Grader:
    """A model that gives each row a probability of every class."""

    classes: Classes

    @abstractmethod
    def probabilities(self, values: Array) -> Array:
        """Rows by classes; each row sums to 1."""

    def grades(self, values: Array) -> Codes:
        """The number of each row's likeliest class; of equal ones the lowest."""
        found: Codes = self.probabilities(values).argmax(axis=1)
        return found

    def score(self, values: Array) -> Array:
        """The expected worth of the grade."""
        return expected(self.probabilities(values), self.classes.worth)


class Scaling(Numbers, frozen=True):
    """``(x - centre) / spread``, feature by feature; no spread is 0."""

    centre: Array
    spread: Array

    @classmethod
    def of(cls, values: Array) -> Scaling:
        """Mean and standard deviation of each column, over all rows; 1 for one that is constant."""
        spread = values.std(axis=0)
        # Rounding leaves a little where there is nothing.
        constant = spread <= 1e-12 * np.maximum(np.abs(values).max(axis=0), 1.0)
        return cls(values.mean(axis=0), np.where(constant, 1.0, spread))

    @classmethod
    def none(cls, inputs: int) -> Scaling:
        """Features as they are."""
        return cls(np.zeros(inputs), np.ones(inputs))

    def __call__(self, values: Array) -> Array:
        return np.asarray((values - self.centre) / self.spread)

    def require(self, inputs: int) -> None:
        """Refuse a scaling of more or fewer features, and spreads of 0."""
        require_length("scaling.centre", self.centre, inputs)
        require_length("scaling.spread", self.spread, inputs)
        if (self.spread <= 0.0).any():
            place = int((self.spread <= 0.0).argmax())
            raise InputError(f".scaling.spread[{place}]: a number above 0 is needed.")


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
