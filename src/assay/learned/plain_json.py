"""Data from strangers: JSON, bounded in size and strict, whose every value has a declared type or is refused in words.

Nothing here builds an object from a name of the file's choice, and nothing is guessed.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import stat
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from assay.arrays import Array
from assay.errors import InputError
from assay.learned.model import Number, Whole

#: The largest model file that is read. Sixty rounds of boosting over a hundred grades have 4 MB.
LARGEST_FILE = 16 * 1024 * 1024
#: Lists, objects and what stands in them: this many fit into 16 MB of numbers as Assay writes them. Python takes a
#: hundred bytes and more for each.
_MOST_VALUES = 2_000_000
#: Digits of a whole number; no count in a model has more than 16.
_MOST_DIGITS = 30

_PICKLE = "a Python pickle. Pickles can run any program when they are loaded, so Assay never reads one"
#: How files of other kinds begin.
_MAGIC = {
    b"\x80": _PICKLE,
    b"PK\x03\x04": "a zip archive (skops and numpy write such files)",
    b"\x1f\x8b": "compressed by gzip. Unpack it first",
    b"\x28\xb5\x2f\xfd": "compressed by zstd. Unpack it first",
    b"\x78": "compressed by zlib (joblib writes such pickles)",
    b"\x89HDF": "an HDF5 file",
    b"\xef\xbb\xbf": "JSON behind a byte order mark, which Assay does not write",
}
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


def read_json(path: str | Path) -> dict[str, Any]:
    """The one object in a file; of what is no file, or too large, no more is read than it takes to know."""
    if not str(path):
        raise InputError("No model file was named.")
    data = b""
    try:
        state = Path(path).stat()
        # A pipe may never answer, and a device may never end.
        if state.st_size <= LARGEST_FILE and stat.S_ISREG(state.st_mode):
            with Path(path).open("rb") as file:
                data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from None
    except ValueError as error:
        raise InputError(f"{str(path)!r}: cannot be read ({error}).") from None
    if stat.S_ISDIR(state.st_mode):
        raise InputError(f"{path}: this is a folder, but a model is one file.")
    if not stat.S_ISREG(state.st_mode):
        raise InputError(f"{path}: this is a pipe or a device, but a model is an ordinary file. It was not read.")
    if state.st_size > LARGEST_FILE:
        raise InputError(
            f"{path}: larger than {LARGEST_FILE // 2**20} MB, which no model is that Assay writes. It was not read."
        )
    return parse_json(data, str(path))


def parse_json(data: bytes, where: str) -> dict[str, Any]:
    """The one object in ``data``, refused where JSON has no clear meaning: twice the same key, NaN, infinity."""
    text = _text(data, where)
    # Every value but the first stands behind one of these. Texts have some too, which only makes the bound stricter.
    values = sum(data.count(mark) for mark in (b",", b"[", b"{"))
    if values > _MOST_VALUES:
        raise InputError(f"{where}: about {values:,} values, and no model of Assay has more than {_MOST_VALUES:,}.")
    try:
        found: dict[str, Any] = json.loads(
            text, object_pairs_hook=_once, parse_constant=_number, parse_float=_number, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        place = f"{where}, line {error.lineno}, column {error.colno}"
        if not text.rstrip().endswith("}") or error.pos >= len(text.rstrip()):
            raise InputError(
                f"{place}: the file ends in the middle of a value. It is incomplete; copy it again."
            ) from None
        raise InputError(f"{place}: not JSON ({error.msg}).") from None
    except RecursionError:
        raise InputError(f"{where}: nested so deeply that it cannot be read. No model of Assay is.") from None
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None
    return found


def _text(data: bytes, where: str) -> str:
    """What may be a JSON object, by its size and by how it begins."""
    if len(data) > LARGEST_FILE:
        raise InputError(f"{where}: larger than {LARGEST_FILE // 2**20} MB, which no model is that Assay reads.")
    for start, what in _MAGIC.items():
        if data.startswith(start):
            raise InputError(f"{where}: not a model of Assay: it is {what}.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: byte {error.start} is not UTF-8. A model of Assay is JSON.") from None
    if not text.lstrip(" \t\r\n").startswith("{"):
        what = "it is empty" if not text.strip() else "it does not begin with {"
        # The first and the last byte of a pickle that is made of text.
        if text.startswith(("(", "c", "]", "}", "l", "d")) and text.rstrip("\r\n").endswith("."):
            what = f"it looks like {_PICKLE}"
        raise InputError(f"{where}: not a model of Assay, which is a JSON object: {what}.")
    return text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {ascii(twice)[:60]} stands twice in one object.")
    return found


def _number(digits: str) -> float:
    found = float(digits)
    if not math.isfinite(found):
        constant = digits.endswith(("NaN", "Infinity"))
        large = f"the number {_beginning(digits)} is too large for a model."
        raise ValueError(f"{digits} is no number that a model can hold." if constant else large)
    return found


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"the number {_beginning(digits)} has {len(digits):,} digits, more than a model can hold.")
    return int(digits)


def _beginning(digits: str) -> str:
    return digits if len(digits) <= _MOST_DIGITS else f"{digits[:_MOST_DIGITS]}..."


def canonical(value: Any) -> str:
    """One spelling for the same data: keys in order, no spaces, ASCII, numbers as short as they can be."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest_of(value: Any) -> str:
    """Stands for plain data, however it is spaced."""
    try:
        spelled = canonical(value)
    except RecursionError:
        # What could just be read may be too deep to be written.
        raise InputError("Nested so deeply that it cannot be written. No model of Assay is.") from None
    return hashlib.sha256(spelled.encode("ascii")).hexdigest()


def typed(data: Any, kind: Any, where: str) -> Any:
    """An object of this type out of plain data; ``where`` names it in messages."""
    try:
        return msgspec.convert(data, kind, dec_hook=_array)
    except msgspec.ValidationError as error:
        raise InputError(f"{where}{_in_words(str(error), data)}") from None


def _array(kind: Any, given: Any) -> Any:
    """Lists of numbers, or of lists of as many numbers, as an array."""
    item, number = (Number, np.float64) if kind == Array else (Whole, np.int64)
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


def _in_words(message: str, data: Any) -> str:
    """Where something is wrong, what, and what stands there; texts of strangers are spelled out.

    >>> _in_words("Expected `int`, got `str` - at `$.card.seed`", {"card": {"seed": "1"}})
    ".card.seed: a whole number is needed, not '1'."
    """
    message, *places = re.split(r" - at `\$(.*?)`", message)
    place, what = "".join(reversed(places)), ascii(message)[1:-1]
    shown = _shown_at(place, data)
    expected = re.fullmatch(r"Expected `([^`]+)`(.*?)(?:, got `.*`)?", what)
    field = re.fullmatch(r"Object (missing required|contains unknown) field `(.*)`", what)
    if expected is not None and "regex" in what:
        what = f"{shown} holds characters that cannot be printed."
    elif expected is not None:
        wanted, bound = expected.groups()
        needed = " or ".join(_WORDS.get(one.strip(), one) for one in wanted.split("|"))
        what = f"{needed}{bound} is needed, not {shown}."
    elif what.startswith("Invalid value"):
        what = f"{shown} is none of those that there are."
    elif field is not None:
        what = f"'{field[2]}' is missing." if "missing" in field[1] else f"There is no field '{field[2]}'."
    return f"{place}: {what}"


def _shown_at(place: str, data: Any) -> str:
    """What stands at a place such as ``.card.kinds[0]``, for a message: short, and without tricks."""
    for name, index in re.findall(r"\.(\w+)|\[(.*?)\]", place):
        if name and isinstance(data, dict):
            data = data.get(name)
        elif index.isdecimal() and isinstance(data, list):
            data = data[int(index)]
        else:
            return "something else"
    if isinstance(data, (dict, list)):
        return f"{'an object' if isinstance(data, dict) else 'a list'} of {len(data):,}"
    text = ascii(data) if isinstance(data, (str, float)) else json.dumps(data)
    return text if len(text) <= 60 else f"{text[:57]}... ({len(text):,} characters)"
