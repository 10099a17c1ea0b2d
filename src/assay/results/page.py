"""HTML: text and data of strangers made harmless, and the page they stand on, which needs nothing from elsewhere."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

from assay.results.visible import visible

#: What would end a script, begin a tag or an entity, or break a line of JavaScript.
_SCRIPT = re.compile("[<>&\u2028\u2029]")

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
.assay th, .assay td { padding: .18em .9em .18em 0; vertical-align: top }
.assay .number { text-align: right; white-space: nowrap } .assay .head { padding-top: .6em; opacity: .75 }
.assay .quiet { opacity: .7; font-size: 13px; margin: .2em 0; overflow-wrap: anywhere }
.assay figure { margin: 1em 0; background: #fff; overflow-x: auto } .assay summary { cursor: pointer }
.assay figure img { max-width: 100%; height: auto }
"""


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
    """An HTML file with a title."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{html(title)}</title>'
        f"<style>{_PAGE_STYLE}{TABLE_STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )
