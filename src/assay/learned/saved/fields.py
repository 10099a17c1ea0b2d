"""Plain data read with care: every value has the type, the shape and the range that its reader asks for, or is refused.

What stands in a file was written by anybody. Nothing here builds an object from a name, and nothing is guessed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError

T = TypeVar("T")

#: Control characters, which could play with a terminal, marks that turn the direction of writing, so that a text shows
#: as another, and halves of characters, which no file can hold.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
LONGEST_TEXT = 10_000
#: Whole numbers above this are no longer exact as floating-point numbers.
LARGEST_INTEGER = 2**53
#: No number of a model is larger: products of two are still finite.
LARGEST_NUMBER = 1e100


class Fields:
    """One object of a file; ``where`` names it in messages. All keys must be asked for before ``finish``."""

    def __init__(self, data: Any, where: str) -> None:
        if not isinstance(data, dict):
            raise InputError(f"{where}: an object is needed, not {_kind(data)}.")
        self._data: Mapping[str, Any] = data
        self._asked: set[str] = set()
        self.where = where

    def _take(self, key: str) -> tuple[Any, str]:
        self._asked.add(key)
        if key not in self._data:
            raise InputError(f"{self.where}: {key!r} is missing.")
        return self._data[key], f"{self.where}.{key}"

    def has(self, key: str) -> bool:
        """Whether there is such a key with anything but null; asking makes it known."""
        self._asked.add(key)
        return self._data.get(key) is not None

    def finish(self) -> None:
        """Refuse what nobody asked for."""
        for key in self._data:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked))
                raise InputError(f"{self.where}: There is no field {_shown(key)}. Known: {known}.")

    def text(self, key: str) -> str:
        """A string that can be printed."""
        return as_text(*self._take(key))

    def choice(self, key: str, known: Sequence[str]) -> str:
        """One of some words."""
        value, where = self._take(key)
        if value not in known or not isinstance(value, str):
            raise InputError(f"{where}: {_shown(value)} is none of {', '.join(known)}.")
        return value

    def flag(self, key: str) -> bool:
        """True or false."""
        value, where = self._take(key)
        if not isinstance(value, bool):
            raise InputError(f"{where}: true or false is needed, not {_kind(value)}.")
        return value

    def integer(self, key: str, *, least: int = 0, most: int = LARGEST_INTEGER) -> int:
        """A whole number in a range."""
        return as_integer(*self._take(key), least=least, most=most)

    def number(self, key: str) -> float:
        """A finite number."""
        return as_number(*self._take(key))

    def numbers(self, key: str, *, length: int | None = None) -> NDArray[np.float64]:
        """A list of finite numbers."""
        values, where = self._list(key, length)
        return _floats(values, where)

    def integers(self, key: str, *, length: int | None = None, least: int = 0, most: int) -> NDArray[np.int64]:
        """A list of whole numbers in a range."""
        values, where = self._list(key, length)
        if not all(type(value) is int and least <= value <= most for value in values):
            for index, value in enumerate(values):
                as_integer(value, f"{where}[{index}]", least=least, most=most)
        return np.array(values, dtype=np.int64)

    def matrix(self, key: str, *, rows: int, columns: int) -> NDArray[np.float64]:
        """A list of lists of finite numbers."""
        lines, where = self._list(key, rows)
        # Line by line: nothing is set aside for numbers that are only announced.
        found = [
            _floats(as_list(line, f"{where}[{row}]", columns), f"{where}[{row}]") for row, line in enumerate(lines)
        ]
        return np.array(found, dtype=np.float64).reshape(rows, columns)

    def texts(self, key: str, *, length: int | None = None) -> tuple[str, ...]:
        """A list of strings."""
        values, where = self._list(key, length)
        return tuple(as_text(value, f"{where}[{index}]") for index, value in enumerate(values))

    def text_map(self, key: str) -> dict[str, str]:
        """An object whose values are strings."""
        value, where = self._take(key)
        if not isinstance(value, dict):
            raise InputError(f"{where}: an object is needed, not {_kind(value)}.")
        return {as_text(name, where): as_text(one, f"{where}.{_shown(name)}") for name, one in value.items()}

    def each(self, key: str, read: Callable[[Any, str], T], *, length: int | None = None) -> tuple[T, ...]:
        """A list whose items ``read`` understands; it is given an item and where it stands."""
        values, where = self._list(key, length)
        return tuple(read(value, f"{where}[{index}]") for index, value in enumerate(values))

    def inside(self, key: str) -> Fields:
        """An object within."""
        return Fields(*self._take(key))

    def any(self, key: str) -> Any:
        """Whatever there is: for who checks it."""
        return self._take(key)[0]

    def _list(self, key: str, length: int | None) -> tuple[list[Any], str]:
        value, where = self._take(key)
        return as_list(value, where, length), where


def as_list(value: Any, where: str, length: int | None = None) -> list[Any]:
    """A list, of so many items if it is said."""
    if not isinstance(value, list):
        raise InputError(f"{where}: a list is needed, not {_kind(value)}.")
    if length is not None and len(value) != length:
        raise InputError(f"{where}: {len(value)} values, but {length} are needed.")
    return value


def as_text(value: Any, where: str) -> str:
    """A string that can be printed."""
    if not isinstance(value, str):
        raise InputError(f"{where}: a text is needed, not {_kind(value)}.")
    if len(value) > LONGEST_TEXT:
        raise InputError(f"{where}: a text of {len(value):,} characters, but {LONGEST_TEXT:,} are the most.")
    if _UNPRINTABLE.search(value):
        raise InputError(f"{where}: {_shown(value)} holds characters that cannot be printed.")
    return value


def as_number(value: Any, where: str) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"{where}: a number is needed, not {_kind(value)}.")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InputError(f"{where}: a finite number is needed.")
    if abs(number) > LARGEST_NUMBER:
        raise InputError(f"{where}: {number:g} is larger than any number of a model, {LARGEST_NUMBER:g}.")
    return number


def _floats(values: list[Any], where: str) -> NDArray[np.float64]:
    """Finite numbers; each is looked at alone only where one of them is wrong."""
    if all(type(value) is float for value in values):
        found = np.array(values, dtype=np.float64)
        # Not so of NaN either.
        if (np.abs(found) <= LARGEST_NUMBER).all():
            return found
    return np.array([as_number(value, f"{where}[{index}]") for index, value in enumerate(values)], dtype=np.float64)


def as_integer(value: Any, where: str, *, least: int, most: int) -> int:
    """A whole number in a range."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{where}: a whole number is needed, not {_kind(value)}.")
    if not least <= value <= most:
        shown = str(value) if abs(value) <= LARGEST_INTEGER else "a number of many digits"
        raise InputError(f"{where}: {shown} is outside of {least} to {most}.")
    return value


def _kind(value: Any) -> str:
    """What a value is, in the words of JSON."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    names: dict[type, str] = {dict: "an object", list: "a list", str: "a text", int: "a number", float: "a number"}
    kind = names.get(type(value), type(value).__name__)
    return f"the number {value!r}" if isinstance(value, float) else kind


def _shown(value: Any) -> str:
    """A value in a message: short, and without tricks."""
    text = ascii(value) if isinstance(value, str) else _kind(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
