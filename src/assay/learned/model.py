"""What every model is: numbers that turn the features of a translation into a score, in types that a file declares.

What stands in a file was written by anybody: these types bound it, and ``check`` refuses values that make no model.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import msgspec
import numpy as np

from assay.arrays import Array, Codes, Flags
from assay.errors import InputError, ParameterError

#: No number of a model is larger: products of two are still finite.
_LARGEST_NUMBER = 1e100
#: Whole numbers above this are no longer exact as floating-point numbers.
_LARGEST_COUNT = 2**53
#: Texts without control characters, which could play with a terminal, marks that turn the direction of writing, so
#: that a text shows as another, and halves of characters, which no file can hold.
_PRINTABLE = "^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]*$"
#: More grades than anybody tells apart.
_MOST_CLASSES = 1000

Number = Annotated[float, msgspec.Meta(ge=-_LARGEST_NUMBER, le=_LARGEST_NUMBER)]
Whole = Annotated[int, msgspec.Meta(ge=-_LARGEST_COUNT, le=_LARGEST_COUNT)]
Count = Annotated[int, msgspec.Meta(ge=0, le=_LARGEST_COUNT)]
Text = Annotated[str, msgspec.Meta(max_length=10_000, pattern=_PRINTABLE)]


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a file can hold: its fields are all that it has, and each has a type."""


class Numbers(Data, frozen=True, eq=False, dict=True):
    """The same with arrays among the fields, which cannot be compared at once."""


def plain(value: Any) -> Any:
    """As lists, dictionaries, texts and numbers, which JSON can hold."""
    return msgspec.to_builtins(value, enc_hook=lambda array: array.tolist())


@contextmanager
def at(place: str) -> Iterator[None]:
    """Puts a place in front of what is said to be wrong inside it."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}{error}") from None


def require_length(name: str, found: Any, length: int) -> None:
    """Refuse lists with more or fewer values than there are to be, and lists of lists."""
    if getattr(found, "ndim", 1) > 1:
        raise InputError(f".{name}[0]: a number is needed, not a list.")
    if len(found) != length:
        raise InputError(f".{name}: {len(found)} values, but {length} are needed.")


def refuse(name: str, found: Any, wrong: Flags, message: str) -> None:
    """Refuse the first value of a list that is ``wrong``; the message may show its ``{value}`` and its ``{place}``."""
    if wrong.any():
        place = int(wrong.argmax())
        raise InputError(f".{name}[{place}]: {message.format(value=found[place], place=place)}")


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

    @abstractmethod
    def check(self) -> None:
        """Refuse values that have the right type and make no sense; the message begins with the field."""

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

    def expected(self, probabilities: Array) -> Array:
        """The mean of what the classes are worth, weighted by their probabilities."""
        return weighted_sum(probabilities, np.asarray(self.worth))


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
        return self.classes.expected(self.probabilities(values))


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

    def __call__(self, values: Array) -> Array:
        return np.asarray((values - self.centre) / self.spread)

    def require(self, inputs: int) -> None:
        """Refuse a scaling of more or fewer features, and spreads of 0."""
        require_length("scaling.centre", self.centre, inputs)
        require_length("scaling.spread", self.spread, inputs)
        refuse("scaling.spread", self.spread, self.spread <= 0.0, "a number above 0 is needed.")


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
