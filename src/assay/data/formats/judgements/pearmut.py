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
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import (
    JudgementFormat,
    refuse_repeats,
    say_left_out,
    say_losses,
    say_span_losses,
    without_other_levels,
)
from assay.data.formats.judgements.places import (
    FROM_0,
    FROM_1,
    GIVE_CAMPAIGN,
    IN_DOCUMENT_0,
    IN_DOCUMENT_1,
    Item,
    place_all,
)
from assay.data.formats.judgements.spans import appraise_error, appraise_spans
from assay.data.json_lines import first_object, json_number, json_text, read_objects, spell_objects
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.mqm_weights import own_score, usual_weights
from assay.data.problems import Problems
from assay.errors import InputError, Place, UnknownName

RESET = "__RESET__"
NO_ITEMS = ("welcome_", "random_", "goodbye_")
#: What stands between the parts of WMT's names of items: ``cs-de_DE_#_edu_#_edu02178_#_0``.
PARTS = "_#_"
#: What is the number of an item, and not its name.
NUMBER = re.compile("[0-9]{1,9}")
WHAT = 'A line is one entry: {"user_id": "...", "item_i": 0, "annotation": [{"A": {"score": 80, "error_spans": []}}]}.'

#: An entry, and where it stands.
Entry = tuple[Place, Mapping[str, Any]]


@dataclass(frozen=True)
class Annotation:
    """What one user said of one translation."""

    place: Place
    item: Item
    name: str
    user: str | None
    system: str
    #: Scores by the name of the slider; ``score`` is the usual one.
    scores: Mapping[str, float]
    spans: tuple[ErrorSpan, ...] | None
    comment: str | None


def recognises(name: str, head: str) -> bool:
    """An annotation in the first object."""
    return name.endswith((".jsonl", ".json")) and "annotation" in first_object(head)


def read(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements that count."""
    left_out: Counter[str] = Counter()
    entries: dict[tuple[str, str], Entry] = {}
    problems.every(read_objects(path, WHAT, problems), lambda entry: _take(entry, entries, left_out))
    read = problems.each(entries.values(), lambda entry: list(_annotations(entry, left_out)))
    found = [annotation for annotations in read for annotation in annotations]
    say_left_out(path, left_out)
    if not found:
        raise InputError("no judgements in it.", place=Place(path))
    return _judgements(path, found, campaign, problems)


def _take(entry: Entry, entries: dict[tuple[str, str], Entry], left_out: Counter[str]) -> None:
    """Keep an entry that counts, as far as one knows by now."""
    place, value = entry
    if "annotation" not in value:
        raise InputError("no annotation.", WHAT, place)
    key = (str(value.get("user_id")), str(value.get("item_i", place.line)))
    if key[1].startswith(NO_ITEMS):
        left_out["entries of tutorials and attention checks"] += 1
        return
    if key in entries:
        left_out["entries that the same user replaced or took back"] += 1
    if value["annotation"] == RESET:
        entries.pop(key, None)
    else:
        entries[key] = entry


def _annotations(entry: Entry, left_out: Counter[str]) -> Iterator[Annotation]:
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
                yield _annotation(item, user, system, said, place)


def _annotation(item: Mapping[str, Any], user: str | None, system: str, said: Any, place: Place) -> Annotation:
    if not isinstance(said, dict):
        what = f"what was said of {system!r} is {str(said)[:40]!r}, but an object is needed."
        raise InputError(what, place=place)
    name = json_text(item.get("item_id"), place, "item_id") or ""
    texts = item.get("tgt")
    text = texts.get(system) if isinstance(texts, dict) else None
    return Annotation(
        place,
        _item(place.line or 0, name, json_text(item.get("src"), place, "src")),
        name,
        user,
        system,
        _scores(said, place),
        _spans(said.get("error_spans"), text, place),
        json_text(said.get("textfield"), place, "textfield"),
    )


def _spans(errors: Any, text: Any, place: Place) -> tuple[ErrorSpan, ...] | None:
    """The errors that were marked. Those behind the end of the text, at ``[missing]``, have no place in it."""
    if errors is None:
        return None
    length = len(text) if isinstance(text, str) and text else math.inf
    return tuple(
        replace(span, start=None, end=None) if span.start is not None and span.start >= length else span
        for span in appraise_spans(errors, place, "error_spans")
    )


def _item(line: int, name: str, source: str | None) -> Item:
    parts = name.split(PARTS)
    if len(parts) > 1 and NUMBER.fullmatch(parts[-1]):
        return Item(line, None, int(parts[-1]), parts[-2], source)
    return Item(line, int(name) if NUMBER.fullmatch(name) else None, None, None, source)


def _scores(said: Mapping[str, Any], place: Place) -> dict[str, float]:
    """One score, or one per slider of the campaign's own."""
    value = said.get("score")
    if isinstance(value, dict):
        return {str(name): json_number(one, place, name) for name, one in value.items()}
    return {"score": json_number(value, place, "score")}


def _segments(path: str, found: Sequence[Annotation], campaign: Campaign | None) -> list[int]:
    """By the campaign's own names of segments, or by numbers and texts."""
    names = {name: number for number, name in enumerate(campaign.segments or ())} if campaign is not None else {}
    if names and all(one.name in names for one in found):
        return [names[one.name] for one in found]
    if campaign is None and any(one.item.overall is None for one in found):
        what = f"items have names such as {found[0].name!r}, so the campaign is needed to know which segment is which."
        raise InputError(what, GIVE_CAMPAIGN, Place(path))
    return place_all(path, [one.item for one in found], campaign, (FROM_0, FROM_1, IN_DOCUMENT_0, IN_DOCUMENT_1))


def _kind(*, scored: bool, marked: bool) -> str:
    """What a file holds, by whether it has scores and marked errors; it says so nowhere."""
    return "da" if not marked else "esa" if scored else "mqm"


def _judgements(path: str, found: Sequence[Annotation], campaign: Campaign | None, problems: Problems) -> Judgements:
    scored = any(not math.isnan(score) for one in found for score in one.scores.values())
    marked = any(one.spans for one in found)
    usual = _kind(scored=scored, marked=marked)
    weights = usual_weights(span.category for one in found for span in one.spans or ())

    def judgements(placed: tuple[Annotation, int]) -> list[Judgement]:
        one, segment = placed
        scores = one.scores
        if usual == "mqm" and one.spans is not None:
            try:
                scores = dict.fromkeys(scores, own_score(one.spans, weights))
            except UnknownName as error:
                raise InputError(str(error), place=one.place) from None
        known = campaign.documents[segment] if campaign is not None and campaign.documents else one.item.document
        return [
            Judgement(
                one.system,
                segment,
                score,
                usual if name == "score" else name.casefold(),
                one.user,
                known,
                spans=one.spans if marked else None,
                further={"comment": one.comment} if one.comment else {},
                line=one.item.line,
            )
            for name, score in scores.items()
        ]

    read = problems.each(zip(found, _segments(path, found, campaign), strict=True), judgements)
    return Judgements.of((one for several in read for one in several), path)


def write(judgements: Judgements, campaign: Campaign | None) -> Mapping[str, bytes]:
    """One entry per user and segment; ``item_id`` is the segment's number from 0."""
    kept = without_other_levels(judgements, "pearmut")
    refuse_repeats(kept, "pearmut")
    if len(kept.kinds) > 1:
        what = f"judgements of several kinds ({', '.join(kept.kinds)})."
        raise InputError(what, "Choose one: pearmut holds one.", Place(kept.origin))
    kind = _kind(scored=not np.isnan(kept.score).all(), marked=any(kept.spans))
    say_losses(kept, "pearmut", ("rater", "document", "spans"), own_kinds=(kind,), own_columns=("comment",))
    say_span_losses(kept, "pearmut")
    entries: dict[tuple[str, int], dict[str, Any]] = {}
    for one in kept:
        segment, user = one.segment or 0, one.rater or "user"
        entry = entries.setdefault((user, segment), _entry(user, segment, campaign))
        errors = [{**appraise_error(span), "category": span.category or None} for span in one.spans or ()]
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


FORMAT = JudgementFormat("pearmut", "Pearmut's annotations: DA, ESA and MQM", recognises, read, write)
