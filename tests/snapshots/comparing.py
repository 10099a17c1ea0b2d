"""How a new snapshot differs from the old one: text exactly, computed numbers to nine digits."""

from __future__ import annotations

import difflib
import json
import math
import re
from typing import Any

from snapshots.running import sections

#: Relative and absolute, for numbers that are printed in full.
TOLERANCE = 1e-9
#: Formats that print numbers in full; elsewhere they are rounded for readers, and are text.
IN_FULL = ("tsv", "csv", "html", "svg")

#: A number that is no part of a word.
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")


def differences(expected: str, found: str, style: str, most: int = 60) -> list[str]:
    """Lines that say what differs, at most so many; none if nothing that matters does."""
    old, new = sections(expected), sections(found)
    if list(old) == list(new) and all(_same(old[name], new[name], _style(name, style)) for name in old):
        return []
    lines = list(difflib.unified_diff(expected.splitlines(), found.splitlines(), "expected", "found", "", "", 2, ""))
    return lines if len(lines) <= most else [*lines[:most], f"... {len(lines) - most} more lines"]


def _style(section: str, style: str) -> str:
    """The format of a section: what is folded is JSON, standard output has the one that was asked for."""
    if section.endswith("(folded)"):
        return "json"
    if section == "standard output":
        return style
    return section.rpartition(".")[2] if section.startswith("file ") else "text"


def _same(old: str, new: str, style: str) -> bool:
    if old == new:
        return True
    if style == "json":
        try:
            return _alike(json.loads(old), json.loads(new))
        except json.JSONDecodeError:
            return False
    return style in IN_FULL and _alike_between_numbers(old, new)


def _alike(old: Any, new: Any) -> bool:
    """The same structure, with the same keys in the same order, and numbers that are near enough."""
    if type(old) is not type(new):
        return False
    if isinstance(old, dict):
        return list(old) == list(new) and all(_alike(old[key], new[key]) for key in old)
    if isinstance(old, list):
        return len(old) == len(new) and all(map(_alike, old, new))
    return _near(old, new) if isinstance(old, float) else bool(old == new)


def _alike_between_numbers(old: str, new: str) -> bool:
    return _NUMBER.split(old) == _NUMBER.split(new) and all(
        map(_near, map(float, _NUMBER.findall(old)), map(float, _NUMBER.findall(new)))
    )


def _near(old: float, new: float) -> bool:
    return math.isclose(old, new, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
