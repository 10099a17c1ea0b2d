"""Plain data with declared types: what stands in a file was written by anybody, and is checked to the last value.

Nothing here builds an object from a name of the file's choice, and nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import msgspec
import numpy as np

from assay.arrays import Array
from assay.errors import InputError

#: No number of a model is larger: products of two are still finite.
_LARGEST_NUMBER = 1e100
#: Whole numbers above this are no longer exact as floating-point numbers.
_LARGEST_COUNT = 2**53
#: Texts without control characters, which could play with a terminal, marks that turn the direction of writing, so
#: that a text shows as another, and halves of characters, which no file can hold.
_PRINTABLE = "^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]*$"

Number = Annotated[float, msgspec.Meta(ge=-_LARGEST_NUMBER, le=_LARGEST_NUMBER)]
_Whole = Annotated[int, msgspec.Meta(ge=-_LARGEST_COUNT, le=_LARGEST_COUNT)]
Count = Annotated[int, msgspec.Meta(ge=0, le=_LARGEST_COUNT)]
Text = Annotated[str, msgspec.Meta(max_length=10_000, pattern=_PRINTABLE)]

#: Types in the words of JSON.
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "array": "a list",
    "object": "an object",
    "bool": "true or false",
    "null": "null",
}


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a file can hold: its fields are all that it has, and each has a type."""

    def check(self) -> None:
        """Refuse values that have the right type and make no sense; the message begins with the field."""


class Numbers(Data, frozen=True, eq=False, dict=True):
    """The same with arrays among the fields, which cannot be compared at once."""


def plain(value: Any) -> Any:
    """As lists, dictionaries, texts and numbers, which JSON can hold."""
    return msgspec.to_builtins(value, enc_hook=lambda array: array.tolist())


def read(data: Any, kind: Any, where: str) -> Any:
    """An object of this type out of plain data; ``where`` names it in messages."""
    try:
        return msgspec.convert(data, kind, dec_hook=_array)
    except msgspec.ValidationError as error:
        raise InputError(f"{where}{_told(str(error), data)}") from None


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


def _array(kind: Any, given: Any) -> Any:
    """Lists of numbers, or of lists of as many numbers, as an array."""
    item, number = (Number, np.float64) if kind == Array else (_Whole, np.int64)
    nested = isinstance(given, list) and bool(given) and isinstance(given[0], list)
    try:
        listed: list[Any] = msgspec.convert(given, list[list[item]] if nested else list[item])  # type: ignore[valid-type]
    except msgspec.ValidationError as error:
        # As another error it gets the rest of the place.
        raise ValueError(str(error)) from None
    for place, line in enumerate(listed if nested else ()):
        if len(line) != len(listed[0]):
            raise ValueError(f"{len(line)} values, but {len(listed[0])} are needed - at `$[{place}]`")
    return np.array(listed, dtype=number)


def _told(message: str, data: Any) -> str:
    """Where something is wrong, what, and what stands there; texts of strangers are spelled out.

    >>> _told("Expected `int`, got `str` - at `$.card.seed`", {"card": {"seed": "1"}})
    ".card.seed: a whole number is needed, not '1'."
    """
    what, *places = re.split(r" - at `\$(.*?)`", message)
    place = "".join(reversed(places))
    return f"{place}: {_in_words(ascii(what)[1:-1], _shown(_value_at(place, data)))}"


def _in_words(what: str, shown: str) -> str:
    expected = re.fullmatch(r"Expected `([^`]+)`(.*?)(?:, got `.*`)?", what)
    if expected is not None and "regex" in what:
        return f"{shown} holds characters that cannot be printed."
    if expected is not None:
        wanted, bound = expected.groups()
        needed = " or ".join(_WORDS.get(one.strip(), one) for one in wanted.split("|"))
        return f"{needed}{bound} is needed, not {shown}."
    for pattern, words in (
        (r"Object missing required field `(.*)`", "{!r} is missing."),
        (r"Object contains unknown field `(.*)`", "There is no field {!r}."),
        (r"Invalid value .*", f"{shown} is none of those that there are."),
    ):
        found = re.fullmatch(pattern, what)
        if found is not None:
            return words.format(*found.groups())
    return what


def _value_at(place: str, data: Any) -> Any:
    """What stands at a place such as ``.card.kinds[0]``."""
    for name, index in re.findall(r"\.(\w+)|\[(.*?)\]", place):
        if name and isinstance(data, dict):
            data = data.get(name)
        elif index.isdecimal() and isinstance(data, list):
            data = data[int(index)]
        else:
            return ...
    return data


def _shown(value: Any) -> str:
    """A value in a message: short, and without tricks."""
    if value is ...:
        return "something else"
    if isinstance(value, (dict, list)):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value):,}"
    text = ascii(value) if isinstance(value, (str, float)) else json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}... ({len(text):,} characters)"
