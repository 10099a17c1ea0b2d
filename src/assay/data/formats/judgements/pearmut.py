"""Pearmut's annotations: JSON Lines, one entry per user and document.

``{"user_id": ..., "item_i": ..., "item": [{"item_id", "src", "tgt"}], "annotation": [{system: {"score",
"error_spans"}}]}``. The last character of a span is part of it. Tutorials, forms and attention checks are left out;
of several entries of one user for one document the last one counts, and a reset takes back those before it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.data.campaign import Campaign
from assay.data.formats.judgements import base, places
from assay.data.json_lines import first_object, json_number, json_text, read_objects, spell_objects
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.mqm_weights import scored_by_errors
from assay.data.problems import Problems
from assay.errors import InputError, Place

_RESET = "__RESET__"
#: The usual slider, and what stands for its kind until that is known.
_SLIDER = "score"
_NO_ITEMS = ("welcome_", "random_", "goodbye_")
#: What stands between the parts of WMT's names of items: ``cs-de_DE_#_edu_#_edu02178_#_0``.
_PARTS = "_#_"
#: What is the number of an item, and not its name.
_NUMBER = re.compile("[0-9]{1,9}")
_WHAT = 'A line is one entry: {"user_id": "...", "item_i": 0, "annotation": [{"A": {"score": 80, "error_spans": []}}]}.'

#: An entry, and where it stands.
_Entry = tuple[Place, Mapping[str, Any]]


#: A judgement without a place and of the slider's kind, where it belongs, and the name of the item.
_Annotation = tuple[Judgement, places.Item, str]


def _read(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements that count."""
    left_out: Counter[str] = Counter()
    entries: dict[tuple[str, str], _Entry] = {}
    problems.every(read_objects(path, _WHAT, problems), lambda entry: _take(entry, entries, left_out))
    several = problems.each(entries.values(), lambda entry: list(_annotations(entry, left_out)))
    annotations = [annotation for listed in several for annotation in listed]
    base.say_left_out(path, left_out, kept=bool(annotations))
    marked = any(one.spans for one, *_ in annotations)
    usual = _kind(scored=not all(math.isnan(one.score) for one, *_ in annotations), marked=marked)
    documents = campaign.documents if campaign is not None else None
    judgements = [
        replace(
            one,
            segment=segment,
            kind=usual if one.kind == _SLIDER else one.kind.casefold(),
            document=documents[segment] if documents else one.document,
            spans=one.spans if marked else None,
        )
        for (one, *_), segment in zip(annotations, _segments(path, annotations, campaign), strict=True)
    ]
    read = Judgements.of(judgements, path)
    return scored_by_errors(read, problems=problems) if usual == "mqm" else read


def _take(entry: _Entry, entries: dict[tuple[str, str], _Entry], left_out: Counter[str]) -> None:
    """Keep an entry that counts, as far as one knows by now."""
    place, value = entry
    if "annotation" not in value:
        raise InputError("no annotation.", _WHAT, place)
    key = (str(value.get("user_id")), str(value.get("item_i", place.line)))
    if key[1].startswith(_NO_ITEMS):
        left_out["entries of tutorials and attention checks"] += 1
        return
    if key in entries:
        left_out["entries that the same user replaced or took back"] += 1
    if value["annotation"] == _RESET:
        entries.pop(key, None)
    else:
        entries[key] = entry


def _annotations(entry: _Entry, left_out: Counter[str]) -> Iterator[_Annotation]:
    place, value = entry
    annotations, items = value["annotation"], value.get("item")
    user = json_text(value.get("user_id"), place, "user_id")
    annotations = annotations if isinstance(annotations, list) else [annotations]
    items = items if isinstance(items, list) else [items or {"item_id": value.get("item_i")}]
    if len(items) != len(annotations):
        raise InputError(f"{len(items)} items, but {len(annotations)} annotations.", place=place)
    for item, annotation in zip(items, annotations, strict=True):
        if annotation is None:
            left_out["items that were skipped"] += 1
        elif not isinstance(item, dict) or "form" in item:
            left_out["answers to forms"] += 1
        elif "validation" in item:
            left_out["attention checks"] += 1
        elif not isinstance(annotation, dict):
            what = f"an annotation is {str(annotation)[:40]!r}, but an object by system is needed."
            raise InputError(what, place=place)
        else:
            for system, said in annotation.items():
                yield from _of_system(item, user, system, said, place)


def _of_system(
    item: Mapping[str, Any], user: str | None, system: str, said: Any, place: Place
) -> Iterator[_Annotation]:
    """What one user said of one translation: one score, or one per slider of the campaign's own."""
    if not isinstance(said, dict):
        what = f"what was said of {system!r} is {str(said)[:40]!r}, but an object is needed."
        raise InputError(what, place=place)
    name = json_text(item.get("item_id"), place, "item_id") or ""
    where = _item(place.line or 0, name, json_text(item.get("src"), place, "src"))
    texts, score = item.get("tgt"), said.get("score")
    spans = _spans(said.get("error_spans"), texts.get(system) if isinstance(texts, dict) else None, place)
    comment = json_text(said.get("textfield"), place, "textfield")
    further = {"comment": comment} if comment else {}
    for slider, value in (score if isinstance(score, dict) else {_SLIDER: score}).items():
        number = json_number(value, place, slider)
        judgement = Judgement(system, None, number, slider, user, where.document, None, spans, further, where.line)
        yield judgement, where, name


def _spans(errors: Any, text: Any, place: Place) -> tuple[ErrorSpan, ...] | None:
    """The errors that were marked. Those behind the end of the text, at ``[missing]``, have no place in it."""
    if errors is None:
        return None
    length = len(text) if isinstance(text, str) and text else math.inf
    return tuple(
        replace(span, start=None, end=None) if span.start is not None and span.start >= length else span
        for span in base.appraise_spans(errors, place, "error_spans")
    )


def _item(line: int, name: str, source: str | None) -> places.Item:
    parts = name.split(_PARTS)
    if len(parts) > 1 and _NUMBER.fullmatch(parts[-1]):
        return places.Item(line, None, int(parts[-1]), parts[-2], source)
    return places.Item(line, int(name) if _NUMBER.fullmatch(name) else None, None, None, source)


def _segments(path: str, annotations: Sequence[_Annotation], campaign: Campaign | None) -> list[int]:
    """By the campaign's own names of segments, or by numbers and texts."""
    numbers = {name: number for number, name in enumerate(campaign.segments or ())} if campaign is not None else {}
    names, items = [name for *_, name in annotations], [item for _, item, _ in annotations]
    if numbers and all(name in numbers for name in names):
        return [numbers[name] for name in names]
    if campaign is None and any(item.overall is None for item in items):
        which = "which segment is which"
        raise places.needs_campaign(path, f"items have names such as {names[0]!r}", which=which)
    orders = (places.FROM_0, places.FROM_1, places.IN_DOCUMENT_0, places.IN_DOCUMENT_1)
    return places.place_all(path, items, campaign, orders)


def _kind(*, scored: bool, marked: bool) -> str:
    """What a file holds, by whether it has scores and marked errors; it says so nowhere."""
    return "da" if not marked else "esa" if scored else "mqm"


def _write(judgements: Judgements, campaign: Campaign | None) -> Mapping[str, bytes]:
    """One entry per user and segment; ``item_id`` is the segment's number from 0."""
    kind = _kind(scored=not np.isnan(judgements.score).all(), marked=any(judgements.spans))
    kept = base.prepared(
        judgements, "pearmut", ("rater", "document", "marks"), own_kinds=(kind,), own_columns=("comment",),
        segments=True, repeats=False,
    )  # fmt: skip
    base.only_kind(kept, "Choose one: pearmut holds one.")
    if campaign is not None:
        kept.check_segments(len(campaign))
    entries: dict[tuple[str, int], dict[str, Any]] = {}
    for one in kept:
        segment, user = one.segment or 0, one.rater or "user"
        entry = entries.setdefault((user, segment), _entry(user, segment, campaign))
        errors = [{**base.appraise_error(span), "category": span.category or None} for span in one.spans or ()]
        entry["annotation"][0][one.system] = {
            "score": None if math.isnan(one.score) else one.score,
            "error_spans": errors,
            "textfield": one.further.get("comment"),
        }
        if campaign is not None and one.system in campaign.systems:
            entry["item"][0]["tgt"][one.system] = campaign.systems[one.system][segment]
    return {"": b"".join(spell_objects(entries.values()))}


def _entry(user: str, segment: int, campaign: Campaign | None) -> dict[str, Any]:
    item: dict[str, Any] = {"item_id": str(segment), "tgt": {}}
    if campaign is not None and campaign.source is not None:
        item["src"] = campaign.source[segment]
    return {"user_id": user, "item_i": segment, "item": [item], "annotation": [{}]}


FORMAT = base.JudgementFormat(
    lambda name, head: name.endswith((".jsonl", ".json")) and "annotation" in first_object(head), _read, _write
)
