"""JSON Lines: one object per segment.

``{"segment": "s1", "source": "...", "references": ["...", "..."], "systems": {"A": "...", "B": "..."}}``;
``document`` and ``domain`` label it. References may also be ``reference`` or ``reference.<id>``, and systems
may be keys of their own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.formats.lines import read_bytes, texts_of
from assay.data.formats.roles import LABELS, require_columns, role
from assay.data.formats.table import campaign_of
from assay.errors import InputError

SYSTEM_GROUPS = ("systems", "translations", "tgt")


def read_jsonl(path: str | Path) -> Campaign:
    """The campaign in a JSON Lines file. A reference that is missing or null is absent in that segment."""
    name = str(path)
    segments: list[dict[tuple[str, str], str]] = []
    for number, line in enumerate(texts_of(read_bytes(path), name), start=1):
        segments.append(dict(_fields(_object(line, name, number), name, number)))
    if not segments:
        raise InputError(f"{name}: the file is empty, so there are no segments to score.")
    roles = list(dict.fromkeys(key for segment in segments for key in segment))
    require_columns(name, roles)
    cells: dict[tuple[str, str], list[str]] = {}
    present: dict[str, NDArray[np.bool_]] = {}
    for kind, key in roles:
        there = np.array([(kind, key) in segment for segment in segments], dtype=np.bool_)
        if not there.all():
            if kind != "reference":
                raise InputError(f"{name}, line {int(there.argmin()) + 1}: no {kind} {key!r}, which other lines have.")
            present[key] = there
        cells[kind, key] = [segment.get((kind, key), "") for segment in segments]
    return replace(campaign_of(name, cells), present=present)


def _object(line: str, name: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{name}, line {number}, column {error.colno}: not JSON ({error.msg}).") from None
    if not isinstance(value, dict):
        raise InputError(f"{name}, line {number}: {line[:40]!r} is not an object. Every line is one segment: {{...}}.")
    return value


def _fields(segment: dict[str, Any], name: str, number: int) -> Iterator[tuple[tuple[str, str], str]]:
    for key, value in segment.items():
        if value is None:
            continue
        if key == "references":
            if not isinstance(value, list):
                raise InputError(f"{name}, line {number}: references is {value!r}, but a list of strings is needed.")
            for index, text in enumerate(value, start=1):
                if text is None:
                    continue
                yield ("reference", str(index)), _text(text, f"references[{index - 1}]", name, number)
        elif key in SYSTEM_GROUPS and isinstance(value, dict):
            for system, text in value.items():
                yield ("system", system), _text(text, f"{key}.{system}", name, number)
        else:
            kind = role(key)
            numbered = kind[0] in LABELS and isinstance(value, (int, float))
            yield kind, str(value) if numbered else _text(value, key, name, number)


def _text(value: Any, key: str, name: str, number: int) -> str:
    if not isinstance(value, str):
        raise InputError(f"{name}, line {number}: {key} is {value!r}, but a string is needed.")
    return value
