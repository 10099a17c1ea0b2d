"""JSON from strangers: bounded in size, strict, and refused with a place and a reason."""

from __future__ import annotations

import hashlib
import json
import math
import stat
from pathlib import Path
from typing import Any

from assay.errors import InputError

#: The largest model file that is read. Sixty rounds of boosting over a hundred grades have 4 MB.
LARGEST_FILE = 16 * 1024 * 1024
#: Lists, objects and what stands in them: this many fit into 16 MB of numbers as Assay writes them. Python takes a
#: hundred bytes and more for each.
_MOST_VALUES = 2_000_000
#: Digits of a whole number; no count in a model has more than 16.
_MOST_DIGITS = 30

#: How files of other kinds begin.
_MAGIC = {
    b"\x80": "a Python pickle. Pickles can run any program when they are loaded, so Assay never reads one",
    b"PK\x03\x04": "a zip archive (skops and numpy write such files)",
    b"\x1f\x8b": "compressed by gzip. Unpack it first",
    b"\x28\xb5\x2f\xfd": "compressed by zstd. Unpack it first",
    b"\x78": "compressed by zlib (joblib writes such pickles)",
    b"\x89HDF": "an HDF5 file",
    b"\xef\xbb\xbf": "JSON behind a byte order mark, which Assay does not write",
}


def read_json(path: str | Path) -> dict[str, Any]:
    """The one object in a file."""
    if not str(path):
        raise InputError("No model file was named.")
    return parse_json(_bytes(Path(path)), str(path))


def _bytes(path: Path) -> bytes:
    """All bytes of a file that is not too large; of a larger one no more is read than it takes to know."""
    try:
        state = path.stat()
        size = state.st_size
        # A pipe may never answer, and a device may never end.
        if size <= LARGEST_FILE and stat.S_ISREG(state.st_mode):
            with path.open("rb") as file:
                data = file.read(LARGEST_FILE + 1)
            size = len(data)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from None
    except ValueError as error:
        raise InputError(f"{str(path)!r}: cannot be read ({error}).") from None
    if stat.S_ISDIR(state.st_mode):
        raise InputError(f"{path}: this is a folder, but a model is one file.")
    if not stat.S_ISREG(state.st_mode):
        raise InputError(f"{path}: this is a pipe or a device, but a model is an ordinary file. It was not read.")
    if size > LARGEST_FILE:
        raise InputError(
            f"{path}: larger than {LARGEST_FILE // 2**20} MB, which no model is that Assay writes. It was not read."
        )
    return data


def parse_json(data: bytes, where: str) -> dict[str, Any]:
    """The one object in ``data``, refused where JSON has no clear meaning: twice the same key, NaN, infinity."""
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
        if _is_old_pickle(data):
            what = f"it looks like {_MAGIC[bytes([128])]}"
        raise InputError(f"{where}: not a model of Assay, which is a JSON object: {what}.")
    # Every value but the first stands behind one of these. Texts have some too, which only makes the bound stricter.
    values = sum(data.count(mark) for mark in (b",", b"[", b"{"))
    if values > _MOST_VALUES:
        raise InputError(f"{where}: about {values:,} values, and no model of Assay has more than {_MOST_VALUES:,}.")
    try:
        found = json.loads(
            text,
            object_pairs_hook=_once,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_short_integer,
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
    if not isinstance(found, dict):
        raise InputError(f"{where}: not a model of Assay, which is a JSON object.")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        # Adding to a set gives None, so what is new is let through and remembered at once.
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {ascii(twice)[:60]} stands twice in one object.")
    return found


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number that a model can hold.")


def _finite(digits: str) -> float:
    found = float(digits)
    if not math.isfinite(found):
        raise ValueError(f"the number {_beginning(digits)} is too large for a model.")
    return found


def _short_integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"the number {_beginning(digits)} has {len(digits):,} digits, more than a model can hold.")
    return int(digits)


def _beginning(digits: str) -> str:
    return digits if len(digits) <= _MOST_DIGITS else f"{digits[:_MOST_DIGITS]}..."


def _is_old_pickle(data: bytes) -> bool:
    """Whether it has the first and the last byte of a pickle that is made of text."""
    return data[:1] in (b"(", b"c", b"]", b"}", b"l", b"d") and data.rstrip(b"\r\n").endswith(b".")


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
