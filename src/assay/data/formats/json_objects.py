"""Objects of JSON, one per line, and what is said when a line is none."""

from __future__ import annotations

import json
import re
from typing import Any

from assay.errors import InputError

_SURROGATE = re.compile("[\ud800-\udfff]")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands there twice")
    return unique


#: One for all lines: it takes longer to make than to read a line with it.
_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys)


def json_object(text: str, place: str, what: str, *, column: int = 1) -> dict[str, Any]:
    """The object that a text is; ``what`` tells what is needed, and ``column`` is where the text begins in its line."""
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = error.colno + column - 1
        raise InputError(f"{place}, column {where}: not JSON ({error.msg}).") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: cannot be read ({error}).") from None
    if not isinstance(value, dict):
        raise InputError(f"{place}: {text[:40]!r} is not an object. {what}")
    return value


def refuse_surrogates(text: str, place: str) -> str:
    """``text``, if it can be written: JSON can spell half a character, which is none."""
    if not text.isascii() and _SURROGATE.search(text):
        raise InputError(f"{place}: {text[:40]!r} has a lone surrogate, which is no character. Drop it.")
    return text
