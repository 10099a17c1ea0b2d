"""JSON Lines: one object per segment.

``{"segment": "s1", "source": "...", "references": ["...", "..."], "systems": {"A": "...", "B": "..."}}``;
``document`` and ``domain`` label it. References may also be ``reference`` or ``reference.<id>``, and systems
may be keys of their own. ``columns`` holds further labels.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.formats.base import CampaignFormat, Files
from assay.data.formats.json_objects import json_object
from assay.data.formats.lines import read_bytes, texts_of
from assay.data.formats.losses import say_lost
from assay.data.formats.roles import LABELS, require_columns, role, spelled
from assay.data.formats.table import campaign_of, columns_of
from assay.errors import InputError

WHAT = "Every line is one segment: {...}."
#: What a text is, and under which name.
Role = tuple[str, str]
#: Keys that hold an object of texts by name, and what these are.
GROUPS = {"systems": "system", "translations": "system", "tgt": "system", "columns": "column"}


def read_jsonl(path: str | Path) -> Campaign:
    """The campaign in a JSON Lines file. A reference that is missing or null is absent in that segment."""
    name = str(path)
    segments: list[dict[Role, str]] = []
    for number, line in enumerate(texts_of(read_bytes(path), name), start=1):
        fields = list(_fields(json_object(line, f"{name}, line {number}", WHAT), name, number))
        segments.append(dict(fields))
        if len(segments[-1]) < len(fields):
            given = [one for one, _ in fields]
            kind, key = next(one for one in given if given.count(one) > 1)
            raise InputError(f"{name}, line {number}: two texts for {kind} {key!r}. Give each its own name.")
    if not segments:
        raise InputError(f"{name}: the file is empty, so there are no segments to score.")
    columns = list(dict.fromkeys(key for segment in segments for key in segment))
    require_columns(name, columns)
    cells: dict[Role, list[str]] = {}
    present: dict[str, NDArray[np.bool_]] = {}
    for kind, key in columns:
        column = kind, key
        there = np.array([column in segment for segment in segments], dtype=np.bool_)
        if not there.all():
            if kind != "reference":
                raise InputError(f"{name}, line {int(there.argmin()) + 1}: no {kind} {key!r}, which other lines have.")
            present[key] = there
        cells[column] = [segment.get(column, "") for segment in segments]
    return replace(campaign_of(name, cells), present=present)


def _fields(segment: dict[str, Any], name: str, number: int) -> Iterator[tuple[Role, str]]:
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
        elif key in GROUPS and isinstance(value, dict):
            for inner, text in value.items():
                yield (GROUPS[key], inner), _text(text, f"{key}.{inner}", name, number)
        else:
            kind = role(key)
            numbered = kind[0] in LABELS and isinstance(value, (int, float))
            yield kind, str(value) if numbered else _text(value, key, name, number)


def _text(value: Any, key: str, name: str, number: int) -> str:
    if not isinstance(value, str):
        raise InputError(f"{name}, line {number}: {key} is {value!r}, but a string is needed.")
    return value


def write_jsonl(campaign: Campaign, path: str) -> Files:
    """An object per segment; a reference that a segment lacks is left out of it."""
    say_lost(campaign, path, "judgements")
    return {"": _objects(columns_of(campaign), campaign.present)}


def _objects(cells: dict[Role, Iterable[str]], present: Mapping[str, NDArray[np.bool_]]) -> Iterator[bytes]:
    groups = {"system": "systems", "column": "columns"}
    for number, row in enumerate(zip(*cells.values(), strict=True)):
        segment: dict[str, Any] = {}
        for (kind, key), text in zip(cells, row, strict=True):
            if kind in groups:
                segment.setdefault(groups[kind], {})[key] = text
            elif kind != "reference" or key not in present or present[key][number]:
                segment[spelled(kind, key)] = text
        yield (json.dumps(segment, ensure_ascii=False) + "\n").encode()


FORMATS = (
    CampaignFormat(
        "jsonl",
        "JSON Lines: an object per segment with source, references and systems",
        lambda path, _pair: read_jsonl(path),
        lambda campaign, path, _pair: write_jsonl(campaign, path),
    ),
)
