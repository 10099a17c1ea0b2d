"""What may leave the program: plain values, text of strangers made harmless, and pages of HTML that hold it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from html import escape
from math import isfinite
from typing import Any

#: Control characters, line and paragraph separators, marks that turn the direction of writing round, and what is no
#: character at all: halves of one, and those that XML forbids.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")

#: What would end a script, begin a tag or an entity, or break a line of JavaScript; and halves of characters.
_SCRIPT = re.compile("[<>&\u2028\u2029\ud800-\udfff]")

_PAGE_STYLE = """
:root { color-scheme: light dark; --ink: #222; --quiet: #666; --rule: #ccc; --link: #0072b2; --paper: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ddd; --quiet: #999; --rule: #444; --link: #56b4e9; --paper: #181818 }
}
body { font: 15px/1.5 Helvetica, Arial, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 1080px; margin: 2.5em auto; padding: 0 1.2em; overflow-wrap: anywhere }
h1 { font-size: 1.6em; margin-bottom: .2em } h2 { font-size: 1.1em; margin: 2em 0 .3em }
section.answer { margin-top: 3em; border-top: 1px solid var(--rule) } a { color: var(--link) }
"""
TABLE_STYLE = """
.assay table { border-collapse: collapse; font-size: 13px; margin: .6em 0; display: block; overflow-x: auto }
.assay th { font-weight: normal; border-bottom: 1px solid #999; opacity: .75; text-align: left }
.assay th, .assay td { padding: .18em .9em .18em 0; vertical-align: top; overflow-wrap: break-word; max-width: 45em }
.assay .number { text-align: right; white-space: nowrap }
.assay .marked { padding-right: 0 } .assay .head { padding-top: .6em; opacity: .75 }
.assay .quiet { opacity: .7; font-size: 13px; margin: .2em 0; overflow-wrap: anywhere }
.assay figure { margin: 1em 0; background: #fff; overflow-x: auto; width: fit-content; max-width: 100% }
.assay summary { cursor: pointer }
.assay figure img { max-width: max(100%, 660px); height: auto }
"""


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


def page(title: str, body: str) -> str:
    """An HTML file with a title, which needs nothing from elsewhere."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{html(title)}</title>'
        f"<style>{_PAGE_STYLE}{TABLE_STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )
