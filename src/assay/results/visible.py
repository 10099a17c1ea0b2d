"""Text of strangers made harmless: names and translations may hold anything."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

#: Control characters, line and paragraph separators, and marks that turn the direction of writing round.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
#: What would end a script, begin a tag or an entity, or break a line of JavaScript.
_SCRIPT = re.compile("[<>&\u2028\u2029]")


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


def html(text: object) -> str:
    """``text`` as HTML shows it, in content and in quoted attributes."""
    return escape(visible(str(text)))


def script(value: Any) -> str:
    """A value as JSON that can stand inside a ``<script>``.

    >>> script({"name": "</script>"})
    '{"name": "\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _SCRIPT.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
