"""What may leave the program: plain values, and text of strangers made harmless, whatever it holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

#: Control characters, line and paragraph separators, and marks that turn the direction of writing round.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")


def visible(text: str) -> str:
    """``text`` with every control character shown instead of done.

    >>> visible("a\\x1b[31mb\\tc\\x9b"), visible("plain")
    ('a␛[31mb␉c\\\\x9b', 'plain')
    """
    return _CONTROL.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def plain(value: Any, text: Callable[[str], str] = str) -> Any:
    """Lists, dictionaries, text and numbers alone; what is no number becomes None. ``text`` is done to every text.

    >>> plain({"a": (float("nan"), 1, "x\\ny")}, visible)
    {'a': [None, 1, 'x␊y']}
    """
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return text(value)
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if isinstance(value, Mapping):
        return {text(str(key)): plain(inner, text) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(inner, text) for inner in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
    return plain(value.tolist(), text) if hasattr(value, "tolist") else text(str(value))
