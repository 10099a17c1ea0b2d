"""JSON Lines: one object per segment.

``{"segment": "s1", "source": "...", "references": ["...", "..."], "systems": {"A": "...", "B": "..."}}``;
``document`` and ``domain`` label it. References may also be ``reference`` or ``reference.<id>``, and systems
may be keys of their own. ``columns`` holds further labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.files import Files
from assay.data.formats.base import CampaignFormat, say_lost
from assay.data.formats.columns import LABELS, Role, campaign_of, columns_of, require_columns, role, spelled
from assay.data.json_lines import read_objects, spell_objects
from assay.data.problems import Problems
from assay.errors import InputError, Place

WHAT = "Every line is one segment: {...}."
#: Keys that hold an object of texts by name, and what these are.
GROUPS = {"systems": "system", "translations": "system", "tgt": "system", "columns": "column"}


def read_campaign(path: str, _pair: str | None, problems: Problems) -> Campaign:
    """The campaign in a JSON Lines file. A reference that is missing or null is absent in that segment."""
    segments = list(problems.each(read_objects(path, WHAT, problems, every_line=True), _segment))
    if not segments:
        raise InputError("the file is empty, so there are no segments to score.", place=Place(path))
    roles = list(dict.fromkeys(key for segment in segments for key in segment))
    require_columns(path, roles)
    # Segments are lines, unless some of these are no segments.
    problems.stop()
    cells: dict[Role, list[str]] = {}
    present: dict[str, NDArray[np.bool_]] = {}
    for kind, key in roles:
        there = np.array([(kind, key) in segment for segment in segments], dtype=np.bool_)
        if not there.all():
            if kind != "reference":
                what = f"no {kind} {key!r}, which other lines have."
                raise InputError(what, place=Place(path, int(there.argmin()) + 1))
            present[key] = there
        cells[kind, key] = [segment.get((kind, key), "") for segment in segments]
    return campaign_of(path, cells, present)


def _segment(placed: tuple[Place, dict[str, Any]]) -> dict[Role, str]:
    """The texts of a segment by what they are."""
    place, value = placed
    segment: dict[Role, str] = {}
    for what, text in _fields(value, place):
        if what in segment:
            kind, key = what
            raise InputError(f"two texts for {kind} {key!r}.", "Give each its own name.", place)
        segment[what] = text
    return segment


def _fields(segment: dict[str, Any], place: Place) -> Iterator[tuple[Role, str]]:
    for key, value in segment.items():
        if value is None:
            continue
        if key == "references":
            if not isinstance(value, list):
                raise InputError(f"references is {value!r}, but a list of strings is needed.", place=place)
            for index, text in enumerate(value, start=1):
                if text is not None:
                    yield ("reference", str(index)), _text(text, f"references[{index - 1}]", place)
        elif key in GROUPS and isinstance(value, dict):
            for inner, text in value.items():
                yield (GROUPS[key], inner), _text(text, f"{key}.{inner}", place)
        else:
            kind = role(key)
            numbered = kind[0] in LABELS and isinstance(value, (int, float))
            yield kind, str(value) if numbered else _text(value, key, place)


def _text(value: Any, key: str, place: Place) -> str:
    if not isinstance(value, str):
        raise InputError(f"{key} is {value!r}, but a string is needed.", place=place)
    return value


def write_campaign(campaign: Campaign, path: str, _pair: str | None) -> Files:
    """An object per segment; a reference that a segment lacks is left out of it."""
    say_lost(campaign, path, "judgements")
    return {"": spell_objects(_objects(campaign))}


def _objects(campaign: Campaign) -> Iterator[dict[str, Any]]:
    groups = {"system": "systems", "column": "columns"}
    cells, present = columns_of(campaign), campaign.present
    for number, row in enumerate(zip(*cells.values(), strict=True)):
        segment: dict[str, Any] = {}
        for (kind, key), text in zip(cells, row, strict=True):
            if kind in groups:
                segment.setdefault(groups[kind], {})[key] = text
            elif kind != "reference" or key not in present or present[key][number]:
                segment[spelled(kind, key)] = text
        yield segment


FORMAT = CampaignFormat(
    "jsonl",
    "JSON Lines: an object per segment with source, references and systems",
    read_campaign,
    write_campaign,
)
