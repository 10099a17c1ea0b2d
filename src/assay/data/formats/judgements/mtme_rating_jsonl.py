"""mt-metrics-eval's standalone ratings: JSON Lines with the texts, ``segment_id`` counted from 0 over the test set."""

from __future__ import annotations

import json
from collections.abc import Mapping

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.mtme_rating import rating_spans, scored
from assay.data.formats.judgements.parts.cells import first_object, json_objects, json_text
from assay.data.formats.judgements.parts.json_spans import is_place, mtme_error
from assay.data.formats.judgements.parts.notes import say_losses, with_errors, without_other_levels
from assay.data.formats.judgements.parts.placing import FROM_0, Item, place_all
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.errors import InputError, UnknownName

WHAT = (
    'A line is an object such as {"source": "a", "hypothesis": "b", "errors": [], "segment_id": 0, "system_id": "A"}.'
)


def recognises(name: str, head: str) -> bool:
    """Errors beside a hypothesis."""
    return name.endswith((".jsonl", ".json")) and {"errors", "hypothesis"} <= first_object(head).keys()


def read(path: str, campaign: Campaign | None = None) -> Judgements:
    """One judgement per line. Repeats are kept."""
    found: list[tuple[Judgement, list[ErrorSpan]]] = []
    items: list[Item] = []
    for number, value in json_objects(path, WHAT):
        place = f"{path}, line {number}"
        segment, system = value.get("segment_id"), json_text(value.get("system_id"), place, "system_id")
        if not isinstance(segment, int) or not is_place(segment):
            raise InputError(f"{place}: segment_id is {segment!r}, but a number from 0 on is needed.")
        if system is None:
            raise InputError(f"{place}: no system_id.")
        document = json_text(value.get("document_id"), place, "document_id")
        spans = rating_spans(value, place)
        rater = json_text(value.get("rater_id"), place, "rater_id")
        found.append((Judgement(system, segment, 0.0, "mqm", rater, document, spans=tuple(spans), line=number), spans))
        items.append(Item(number, segment, None, document, json_text(value.get("source"), place, "source")))
    if campaign is not None:
        place_all(path, items, campaign, [FROM_0])
    return Judgements.of(scored(path, found), path)


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:
    """The ratings with the texts of the campaign."""
    if campaign is None:
        raise InputError("mtme-rating-jsonl holds the texts in every line, so the campaign is needed to write it.")
    kept = with_errors(without_other_levels(judgements, "mtme-rating-jsonl"), "mtme-rating-jsonl")
    say_losses(kept, "mtme-rating-jsonl", ("rater", "document", "spans"), own_kinds=("mqm",))
    lines = []
    for one in kept:
        if one.system not in campaign.systems:
            raise UnknownName.of("system in the campaign", one.system, campaign.systems)
        segment = one.segment or 0
        value = {
            "source": campaign.source[segment] if campaign.source is not None else "",
            "hypothesis": campaign.systems[one.system][segment],
            "errors": [mtme_error(span) for span in one.spans or ()],
            "document_id": campaign.documents[segment] if campaign.documents else one.document,
            "segment_id": segment,
            "system_id": one.system,
            "rater_id": one.rater,
            "src_lang": None,
            "tgt_lang": None,
        }
        lines.append(json.dumps(value, ensure_ascii=False))
    return {"": ("\n".join(lines) + "\n").encode()}


FORMAT = JudgementFormat(
    "mtme-rating-jsonl", "mt-metrics-eval's standalone ratings, with texts", recognises, read, write
)
