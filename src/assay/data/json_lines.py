"""JSON Lines: an object per line, and what is said when a line is none."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeGuard

from assay.data.files import read_bytes, texts_of
from assay.data.problems import STRICT, Problems
from assay.errors import InputError, Place

#: No segment, item or place in a text has such a number.
TOO_LARGE = 2**31
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_objects(
    path: str, what: str, problems: Problems = STRICT, *, every_line: bool = False
) -> Iterator[tuple[Place, dict[str, Any]]]:
    """The objects of a file with their places; ``what`` tells what a line looks like.

    Lines without anything are left out, unless ``every_line`` is an object; then there may also be none.
    """
    some = every_line
    for number, line in enumerate(texts_of(read_bytes(path), path, problems), start=1):
        if not every_line and not line.strip():
            continue
        some = True
        place = Place(path, number)
        try:
            value = json_object(line, place, what)
        except InputError as error:
            problems.add(error)
        else:
            yield place, value
    if not some:
        raise InputError("the file is empty.", what, Place(path))


def spell_objects(values: Iterable[Any]) -> Iterator[bytes]:
    """The lines of such a file."""
    return ((json.dumps(value, ensure_ascii=False) + "\n").encode() for value in values)


def first_object(head: str) -> dict[str, Any]:
    """The object in the first line of a file; empty if there is none, for recognising a format."""
    try:
        value = decoded_json(head.split("\n", 1)[0])
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands there twice")
    return unique


#: How deep lists and objects may stand in each other: no format has more than ten.
_DEPTH = 100
#: One for all lines: it takes longer to make than to read a line with it.
_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys)


def decoded_json(text: str, *, unique: bool = False) -> Any:
    """The value that a text spells, without keys that stand there twice if they are to be ``unique``.

    ``ValueError`` where it spells none or is nested so deeply that whoever looks at the value would not come to an end.
    """
    try:
        value = _DECODER.decode(text) if unique else json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if text.count("[") + text.count("{") > _DEPTH:
        level, depth = [value], 0
        while level:
            depth += 1
            inner = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, (dict, list)))
            level = [one for several in inner for one in several]
            if depth > _DEPTH:
                raise ValueError("nested too deeply")
    return value


def json_object(text: str, place: Place, what: str) -> dict[str, Any]:
    """The object that a text is; ``place`` is where the text begins, and ``what`` tells what is needed."""
    try:
        value = decoded_json(text, unique=True)
    except json.JSONDecodeError as error:
        begin = (place.column or 1) - 1
        raise InputError(f"not JSON ({error.msg}).", place=place._replace(column=begin + error.colno)) from None
    except ValueError as error:
        raise InputError(f"cannot be read ({error}).", place=place._replace(column=None)) from None
    if not isinstance(value, dict):
        raise InputError(f"{text[:40]!r} is not an object.", what, place._replace(column=None))
    return value


def json_number(value: Any, place: Place, what: str) -> float:
    """A number of JSON; NaN where it is null."""
    if value is None:
        return math.nan
    try:
        number = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else math.inf
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InputError(f"{what} is {value!r:.40}, but a number is needed.", place=place)
    return number


def json_text(value: Any, place: Place, what: str) -> str | None:
    """A string of JSON, or a number as a string; None where it is null or empty."""
    if value is None or value == "":
        return None
    if type(value) is str and value.isascii():
        # By far the most are such.
        return value
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise InputError(f"{what} is {value!r}, but a string is needed.", place=place)
    return refuse_surrogates(str(value), place, f"{what}: ")


def is_position(value: Any) -> TypeGuard[int]:
    """Whether this is a number from 0 on that a segment or a character can have."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < TOO_LARGE


def refuse_surrogates(text: str, place: Place, what: str = "") -> str:
    """``text``, if it can be written: JSON can spell half a character, which is none."""
    if not text.isascii() and _SURROGATE.search(text):
        raise InputError(f"{what}{text[:40]!r} has a lone surrogate, which is no character.", "Drop it.", place)
    return text
