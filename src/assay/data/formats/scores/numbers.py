"""One number per line, a file per system: ``COMET/online-A.txt`` has online-A's, under the metric COMET.

GEMBA-MQM prints such lines, or with ``--list_mqm_errors`` the errors of each segment, of which its score is made again.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assay.data.campaign import Campaign
from assay.data.files import plain_name, read_bytes, texts_of
from assay.data.formats.scores.base import MISSING, ScoreFormat, ScoreItem, ScoreRows, file_name, number, rows_of
from assay.data.judgements import ErrorSpan
from assay.data.tables import finite
from assay.errors import InputError, Place, shown

#: How names of such files end; any text may have numbers in its lines.
_ENDINGS = (".txt", ".scores", ".score")
#: So many lines are looked at to know them.
_LOOKED_AT = 20
_LISTING = re.compile(r"defaultdict\(<class 'list'>, (\{.*\})\)")
_WHAT = "gemba --list_mqm_errors prints defaultdict(<class 'list'>, {'major': ['accuracy/omission - \"..\"']})."
#: What an error costs, and how much a segment can lose and by how many errors, as GEMBA counts.
_COSTS = {"critical": 25.0, "major": 5.0, "minor": 1.0}
_MOST, _COUNTED = 25.0, 5
_QUOTED = re.compile(r"[\"“”](.+)[\"“”]")


def _recognises(name: str, head: str) -> bool:
    lines = head.rstrip("\n").split("\n")[:_LOOKED_AT]
    known = all(line.strip() in MISSING or finite(line) is not None for line in lines)
    return name.endswith(_ENDINGS) and known and any(finite(line) is not None for line in lines)


def _read(path: str, _campaign: Campaign | None) -> list[ScoreRows]:
    metric, system = _named(path)
    lines = enumerate(texts_of(read_bytes(path), path), start=1)
    items = (ScoreItem(metric, system, str(line - 1), number(text, Place(path, line)), line) for line, text in lines)
    return rows_of(items, path, numbered="test set")


def _named(path: str) -> tuple[str, str]:
    """The metric and the system that a file is of, by its folder and its name."""
    name = Path(plain_name(path))
    return name.resolve().parent.name or "score", file_name(path).removeprefix("sys.")


def _read_gemba(path: str, campaign: Campaign | None) -> list[ScoreRows]:
    return rows_of(_listed(path, campaign), path, numbered="test set", higher_is_better=True)


def _listed(path: str, campaign: Campaign | None) -> Iterator[ScoreItem]:
    metric, system = _named(path)
    texts = None if campaign is None else campaign.systems.get(system)
    for line, text in enumerate(texts_of(read_bytes(path), path), start=1):
        errors = _errors(text.strip(), Place(path, line))
        costs = [_COSTS[severity] for severity in _COSTS for _ in errors.get(severity, ())][:_COUNTED]
        translation = texts[line - 1] if texts is not None and line <= len(texts) else ""
        spans = tuple(_span(severity, error, translation) for severity in _COSTS for error in errors.get(severity, ()))
        missing = text.strip() in MISSING
        yield ScoreItem(
            metric, system, str(line - 1), float("nan") if missing else -min(sum(costs), _MOST), line,
            spans=None if missing else spans,
        )  # fmt: skip


def _errors(text: str, place: Place) -> Mapping[str, list[str]]:
    """Errors by severity."""
    if text in MISSING:
        return {}
    matched = _LISTING.fullmatch(text)
    try:
        errors: Any = ast.literal_eval(matched[1]) if matched else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        errors = None
    listed = isinstance(errors, dict) and all(
        name in _COSTS and isinstance(several, list) and all(isinstance(one, str) for one in several)
        for name, several in errors.items()
    )
    if not listed:
        raise InputError(f"{shown(text)} is no list of errors.", _WHAT, place)
    return dict(errors)


def _span(severity: str, error: str, translation: str) -> ErrorSpan:
    """An error; GEMBA quotes the words in small letters, and their place is known if they stand there once."""
    category, _, rest = error.partition(" - ")
    quoted = _QUOTED.search(rest)
    words, text = quoted[1] if quoted else "", translation.lower()
    if not words or len(text) != len(translation) or text.count(words) != 1:
        return ErrorSpan(severity, category.strip())
    start = text.index(words)
    return ErrorSpan(severity, category.strip(), start, start + len(words))


FORMAT = ScoreFormat(_recognises, _read)
GEMBA = ScoreFormat(lambda _name, head: head.startswith("defaultdict(<class 'list'>, {"), _read_gemba)
