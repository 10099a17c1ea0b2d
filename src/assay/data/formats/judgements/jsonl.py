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
from assay.data.formats.json_objects import refuse_surrogates
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.cells import first_object, json_number, json_objects, json_text
from assay.data.formats.judgements.parts.json_spans import is_place, spans_of
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.errors import InputError

KNOWN = ("system", "segment", "score", "kind", "rater", "document", "ranking", "spans")
WHAT = 'A line is one judgement, for example {"system": "A", "segment": 0, "score": 80, "kind": "da"}.'


def recognises(name: str, head: str) -> bool:
    """A system and a score in the first object."""
    return name.endswith((".jsonl", ".json")) and {"system", "score"} <= first_object(head).keys()


def read(path: str, campaign: Campaign | None = None) -> Judgements:  # noqa: ARG001 - segments have numbers
    """The judgements. Repeats are kept."""
    return Judgements.of((judgement_of(value, path, line) for line, value in json_objects(path, WHAT)), path)


def judgement_of(value: Mapping[str, Any], path: str, line: int) -> Judgement:
    """The judgement that an object is."""
    place = f"{path}, line {line}"
    system, segment = json_text(value.get("system"), place, "system"), value.get("segment")
    if system is None:
        raise InputError(f"{place}: no system is named. {WHAT}")
    if "score" not in value:
        raise InputError(f"{place}: no score; null stands for none. {WHAT}")
    if segment is not None and not is_place(segment):
        raise InputError(f"{place}: segment is {segment!r}, but a number from 0 on is needed, or null for none.")
    spans = value.get("spans")
    return Judgement(
        system,
        segment,
        json_number(value["score"], place, "score"),
        json_text(value.get("kind"), place, "kind") or "score",
        json_text(value.get("rater"), place, "rater"),
        json_text(value.get("document"), place, "document"),
        json_text(value.get("ranking"), place, "ranking"),
        None if spans is None else tuple(_span(one, place) for one in spans_of(spans, place, "spans")),
        {key: text for key in value if key not in KNOWN and (text := _further(value[key], place)) is not None},
        line,
    )


def _further(value: Any, place: str) -> str | None:
    if value is None:
        return None
    return refuse_surrogates(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), place)


def _span(value: Mapping[str, Any], place: str) -> ErrorSpan:
    severity = json_text(value.get("severity"), place, "severity")
    if severity is None:
        raise InputError(f"{place}: an error without a severity.")
    ends = (value.get("start"), value.get("end"))
    for end in ends:
        if end is not None and not is_place(end):
            raise InputError(
                f"{place}: an error from {ends[0]!r} to {ends[1]!r}, but numbers of characters are needed."
            )
    if (None in ends and ends != (None, None)) or (None not in ends and ends[1] < ends[0]):  # type: ignore[operator]
        raise InputError(
            f"{place}: an error from {ends[0]!r} to {ends[1]!r}. It needs both ends, in their order, or none."
        )
    weight = value.get("weight")
    return ErrorSpan(
        severity,
        json_text(value.get("category"), place, "category") or "",
        *ends,
        in_source=bool(value.get("in_source", False)),
        weight=None if weight is None else json_number(weight, place, "weight"),
    )


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:  # noqa: ARG001
    """All there is."""
    lines = [json.dumps(object_of(one), ensure_ascii=False) for one in judgements]
    return {"": ("\n".join(lines) + "\n").encode()}


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
