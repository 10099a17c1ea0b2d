"""Damage to the bytes of a file, as disks, editors, programs and people do it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

#: What readers stumble over: numbers that are none or too large, marks of other encodings, quotes, deep nesting.
TOKENS = (
    b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1a", b"\r", b"\n", b"\t", b",", b'"',
    b"'", b"\\", b"{", b"}", b"[", b"]", b"<", b">", b"&", b"&#0;", b"&#xD800;", b"&nope;", b"]]>", b"<![CDATA[",
    b"<!--", b"-->", b"<seg>", b"</seg>", b"</doc>", b"<!DOCTYPE a>", b"encoding='x'", b"encoding='utf-7'",
    b"encoding='utf-16'", b"encoding='big5'", b"null", b"true", b"NaN", b"Infinity", b"-", b"None", b"-1", b"0",
    b"1e999", b"-1e308", b"1_0", b"9" * 30, b"9" * 5000, "٣".encode(), "e\u0301".encode(), b"\\ud800", b"\\u0000",
    b"[" * 400, b'{"a":' * 400, b"[" * 100_000, b"errors", b"A", b"PAR1", b"\xe2\x80\xa8", b"\x7f" * 8,
    b"\x80\x80\x80\x80\x10", b"#", b" ", b"",
)  # fmt: skip


def _span(chance: random.Random, content: bytes, longest: int = 40) -> tuple[int, int]:
    start = chance.randrange(len(content) + 1)
    return start, min(len(content), start + chance.randrange(1, longest))


def _flip(chance: random.Random, content: bytes) -> bytes:
    if not content:
        return content
    changed = bytearray(content)
    changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _replace(chance: random.Random, content: bytes) -> bytes:
    start, end = _span(chance, content, 8)
    return content[:start] + chance.randbytes(end - start) + content[end:]


def _insert(chance: random.Random, content: bytes) -> bytes:
    start, _ = _span(chance, content)
    return content[:start] + chance.choice(TOKENS) + content[start:]


def _overwrite(chance: random.Random, content: bytes) -> bytes:
    start, end = _span(chance, content, 12)
    return content[:start] + chance.choice(TOKENS) + content[end:]


def _delete(chance: random.Random, content: bytes) -> bytes:
    start, end = _span(chance, content)
    return content[:start] + content[end:]


def _truncate(chance: random.Random, content: bytes) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def _duplicate(chance: random.Random, content: bytes) -> bytes:
    start, end = _span(chance, content, 200)
    return content[:end] + content[start:end] * chance.choice((1, 1, 1, 50)) + content[end:]


def _splice(chance: random.Random, content: bytes) -> bytes:
    (start, end), (target, _) = _span(chance, content, 200), _span(chance, content)
    return content[:target] + content[start:end] + content[target:]


def _swap_lines(chance: random.Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    first, second = (chance.randrange(len(lines)) for _ in range(2))
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


def _swap_cells(chance: random.Random, content: bytes) -> bytes:
    separator = chance.choice((b"\t", b",", b'"', b" "))
    cells = content.split(separator)
    first, second = (chance.randrange(len(cells)) for _ in range(2))
    cells[first], cells[second] = cells[second], cells[first]
    return separator.join(cells)


def _retype(chance: random.Random, content: bytes) -> bytes:
    """Another cell or value, whole, between separators: what a program with a mistake would have written."""
    start, _ = _span(chance, content)
    end = next((place for place in range(start, len(content)) if content[place : place + 1] in b'\t,:}]"\n>'), start)
    return content[:start] + chance.choice(TOKENS) + content[end:]


#: What may stand in JSON where something else is expected.
_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1.5, 10**30, 1e300, "", "x", "-", "1_0", "\ud800", "\0", "long " * 100, [], {}, [[]], [None],
    {"": None}, {"A": 1}, [{"A": {"score": "x"}}], "__RESET__", [1, 2], {"start": -1, "end": "x", "severity": 3},
)  # fmt: skip


def _retype_json(chance: random.Random, content: bytes) -> bytes:
    """Another value of any type somewhere in a line of JSON; a line of something else stays."""
    lines = content.split(b"\n")
    number = chance.randrange(len(lines))
    start = max(lines[number].find(b"{"), 0)
    try:
        value, end = json.JSONDecoder().raw_decode(lines[number][start:].decode())
    except (ValueError, RecursionError):
        return content
    box: dict[str, Any] = {"": value}
    holder: Any = box
    key: Any = ""
    while isinstance(holder[key], (dict, list)) and holder[key] and chance.random() < 0.8:
        holder = holder[key]
        key = chance.choice([*holder] if isinstance(holder, dict) else range(len(holder)))
    holder[key] = chance.choice(_VALUES)
    if isinstance(holder, dict) and chance.random() < 0.2:
        del holder[key]
    spelled = json.dumps(box.get("")).encode()
    lines[number] = lines[number][:start] + spelled + lines[number][start:].decode()[end:].encode()
    return b"\n".join(lines)


_DAMAGES: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    _flip, _replace, _insert, _insert, _overwrite, _delete, _truncate, _duplicate, _splice, _swap_lines, _swap_cells,
    _retype, _retype, _retype_json, _retype_json,
)  # fmt: skip


def damaged(chance: random.Random, content: bytes) -> bytes:
    """The content with one to four damages, which depend on ``chance`` alone."""
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        content = chance.choice(_DAMAGES)(chance, content)
    return content
