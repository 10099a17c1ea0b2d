"""Judgements as JSON Lines, with nothing lost: one object per judgement.

``{"system": "A", "segment": 0, "score": -5.0, "kind": "mqm", "rater": "r1", "spans": [{"severity": "major", ...}]}``;
keys are those of the table, ``spans`` are marked errors, and other keys are kept as further columns.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.spans import error_objects
from assay.data.json_lines import (
    first_object,
    is_position,
    json_number,
    json_text,
    read_objects,
    refuse_surrogates,
    spell_objects,
)
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.problems import Problems
from assay.errors import InputError, Place

KNOWN = ("system", "segment", "score", "kind", "rater", "document", "ranking", "spans")
WHAT = 'A line is one judgement, for example {"system": "A", "segment": 0, "score": 80, "kind": "da"}.'


def recognises(name: str, head: str) -> bool:
    """A system and a score in the first object."""
    return name.endswith((".jsonl", ".json")) and {"system", "score"} <= first_object(head).keys()


def read(path: str, _campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements. Repeats are kept."""
    return Judgements.of(problems.each(read_objects(path, WHAT, problems), judgement_of), path)


def judgement_of(placed: tuple[Place, Mapping[str, Any]]) -> Judgement:
    """The judgement that an object is."""
    place, value = placed
    system, segment = json_text(value.get("system"), place, "system"), value.get("segment")
    if system is None:
        raise InputError("no system is named.", WHAT, place)
    if "score" not in value:
        raise InputError("no score; null stands for none.", WHAT, place)
    if segment is not None and not is_position(segment):
        raise InputError(f"segment is {segment!r}, but a number from 0 on is needed, or null for none.", place=place)
    spans = value.get("spans")
    return Judgement(
        system,
        segment,
        json_number(value["score"], place, "score"),
        json_text(value.get("kind"), place, "kind") or "score",
        json_text(value.get("rater"), place, "rater"),
        json_text(value.get("document"), place, "document"),
        json_text(value.get("ranking"), place, "ranking"),
        None if spans is None else tuple(_span(one, place) for one in error_objects(spans, place, "spans")),
        {key: text for key in value if key not in KNOWN and (text := _further(value[key], place)) is not None},
        place.line or 0,
    )


def _further(value: Any, place: Place) -> str | None:
    if value is None:
        return None
    return refuse_surrogates(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), place)


def _span(value: Mapping[str, Any], place: Place) -> ErrorSpan:
    severity = json_text(value.get("severity"), place, "severity")
    if severity is None:
        raise InputError("an error without a severity.", place=place)
    start, end = value.get("start"), value.get("end")
    between = f"an error from {start!r} to {end!r}"
    if not all(one is None or is_position(one) for one in (start, end)):
        raise InputError(f"{between}, but numbers of characters are needed.", place=place)
    if (start is None) != (end is None) or (start is not None and end is not None and end < start):
        raise InputError(f"{between}.", "It needs both ends, in their order, or none.", place)
    weight = value.get("weight")
    return ErrorSpan(
        severity,
        json_text(value.get("category"), place, "category") or "",
        start,
        end,
        in_source=bool(value.get("in_source", False)),
        weight=None if weight is None else json_number(weight, place, "weight"),
    )


def write(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """All there is."""
    return {"": b"".join(spell_objects(map(object_of, judgements)))}


def object_of(one: Judgement) -> dict[str, Any]:
    """A judgement as an object; what is not known is left out."""
    value: dict[str, Any] = {
        "system": one.system,
        "segment": one.segment,
        "score": None if math.isnan(one.score) else one.score,
        "kind": one.kind,
        "rater": one.rater,
        "document": one.document,
        "ranking": one.ranking,
        "spans": None if one.spans is None else [_span_object(span) for span in one.spans],
        **{key: text for key, text in one.further.items() if key not in KNOWN},
    }
    needed = ("system", "segment", "score", "kind")
    return {key: item for key, item in value.items() if item is not None or key in needed}


def _span_object(span: ErrorSpan) -> dict[str, Any]:
    value = {
        "severity": span.severity,
        "category": span.category or None,
        "start": span.start,
        "end": span.end,
        "in_source": span.in_source or None,
        "weight": span.weight,
    }
    return {key: item for key, item in value.items() if item is not None}


FORMAT = JudgementFormat("jsonl", "one JSON object per judgement, with marked errors", recognises, read, write)
