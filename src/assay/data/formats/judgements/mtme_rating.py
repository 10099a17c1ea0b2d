"""mt-metrics-eval's ratings, marked errors per segment, in its two spellings.

``.seg.rating``: ``SYSTEM<tab>{"errors": [...]}<tab>RATER``, one block per system in the order of the test set.
``en-de.mqm.rater1.seg.rating`` is the kind ``mqm`` by ``rater1``, unless a third column names the rater. ``None``
stands for a segment that was not rated. Standalone: JSON Lines with the texts, ``segment_id`` counted from 0 over the
test set. A score is minus the scores of the errors, or their weights where they have none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.data.campaign import Campaign
from assay.data.files import plain_name, read_bytes
from assay.data.formats.judgements.base import (
    JudgementFormat,
    object_with,
    prepared,
    require_campaign,
    scored_by_errors,
    segment_count,
    texts_of_segment,
)
from assay.data.formats.judgements.places import FROM_0, Item, place_all
from assay.data.formats.judgements.score_files import LANGUAGES, named_files, require_blocks
from assay.data.formats.judgements.spans import error_objects, span_of
from assay.data.json_lines import is_position, json_object, json_text, read_objects, spell_objects
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.lines import texts_of
from assay.data.problems import Problems
from assay.errors import InputError, Place

_NAME = re.compile(rf"{LANGUAGES}(?P<kind>[^.]+)(?:\.(?P<rater>.+))?\.seg\.rating")
_RATING = 'A rating is {"errors": [...]}, or None.'
_OBJECT = (
    'A line is an object such as {"source": "a", "hypothesis": "b", "errors": [], "segment_id": 0, "system_id": "A"}.'
)


def _read(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """One judgement per rated segment; the n-th line of a system is its n-th segment."""
    matched = _NAME.fullmatch(Path(plain_name(path)).name)
    kind, rater = (matched["kind"], matched["rater"]) if matched else ("mqm", None)
    counts: dict[str, int] = {}

    def rating(numbered: tuple[int, str]) -> Judgement | None:
        number, line = numbered
        cells = line.split("\t")
        place = Place(path, number)
        if len(cells) not in (2, 3):
            raise InputError(f"{len(cells)} fields, but system, rating and perhaps rater are needed.", place=place)
        system = cells[0]
        segment = counts.get(system, 0)
        counts[system] = segment + 1
        if cells[1].strip() == "None":
            return None
        spans = _spans(json_object(cells[1], place._replace(column=len(system) + 2), _RATING), place)
        who = cells[2].strip() if len(cells) == 3 else rater or kind
        return Judgement(system, segment, 0.0, kind, who, spans=spans, line=number)

    lines = enumerate(texts_of(read_bytes(path), path, problems), start=1)
    ratings = [one for one in problems.each(lines, rating) if one is not None]
    # The place of a line is its meaning, so that no line can be left out.
    problems.stop()
    require_blocks(path, counts, "lines", campaign)
    if not ratings:
        raise InputError("no ratings in it.", place=Place(path))
    return Judgements.of(scored_by_errors(path, ratings, problems), path)


def _spans(rating: Mapping[str, Any], place: Place) -> tuple[ErrorSpan, ...]:
    """The errors of a rating; from 0 to 0 is no place."""
    if "errors" not in rating:
        raise InputError("no errors in the rating.", f"{_RATING} A rating without errors has an empty list.", place)
    spans = [span_of(error, place) for error in error_objects(rating["errors"], place, "errors")]
    return tuple(replace(one, start=None, end=None) if (one.start, one.end) == (0, 0) else one for one in spans)


def _write(judgements: Judgements, campaign: Campaign | None) -> Mapping[str, bytes]:
    """One file per kind and rater."""
    holds = ("rater", "spans", "kind")
    kept = prepared(judgements, "mtme-rating", holds, segments=True, errors=True, repeats=False)
    count = segment_count(kept, campaign)
    blocks: dict[tuple[str, str], dict[str, list[str]]] = {}
    for one in kept:
        rater = one.rater or "rater"
        rating = {"errors": [_error(span) for span in one.spans or ()]}
        systems = blocks.setdefault((one.kind, rater), {})
        lines = systems.setdefault(one.system, [f"{one.system}\tNone"] * count)
        lines[one.segment or 0] = f"{one.system}\t{json.dumps(rating)}\t{rater}"
    files = {
        f"{kind}.{rater}.seg.rating": "".join(f"{line}\n" for lines in systems.values() for line in lines)
        for (kind, rater), systems in blocks.items()
    }
    return named_files(files, campaign)


def _error(span: ErrorSpan) -> dict[str, Any]:
    """As mt-metrics-eval writes an error, which always has a place there: from 0 to 0 stands for none."""
    return {
        "start": span.start or 0,
        "end": span.end or 0,
        "category": span.category or None,
        "severity": span.severity,
        "score": span.weight,
        "is_source_error": span.in_source,
    }


def _read_standalone(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """One judgement per line. Repeats are kept."""
    read = list(problems.each(read_objects(path, _OBJECT, problems), _standalone))
    if campaign is not None:
        place_all(path, [item for _, item in read], campaign, [FROM_0])
    return Judgements.of(scored_by_errors(path, [judgement for judgement, _ in read], problems), path)


def _standalone(placed: tuple[Place, Mapping[str, Any]]) -> tuple[Judgement, Item]:
    """A judgement without a score, and where it belongs."""
    place, value = placed
    segment, system = value.get("segment_id"), json_text(value.get("system_id"), place, "system_id")
    if not is_position(segment):
        raise InputError(f"segment_id is {segment!r}, but a number from 0 on is needed.", place=place)
    if system is None:
        raise InputError("no system_id.", place=place)
    document = json_text(value.get("document_id"), place, "document_id")
    spans, line = _spans(value, place), place.line or 0
    rater = json_text(value.get("rater_id"), place, "rater_id")
    item = Item(line, segment, None, document, json_text(value.get("source"), place, "source"))
    return Judgement(system, segment, 0.0, "mqm", rater, document, spans=spans, line=line), item


def _write_standalone(judgements: Judgements, campaign: Campaign | None) -> Mapping[str, bytes]:
    """The ratings with the texts of the campaign."""
    texts = require_campaign(campaign, "mtme-rating-jsonl")
    kept = prepared(
        judgements, "mtme-rating-jsonl", ("rater", "document", "spans"), own_kinds=("mqm",), segments=True, errors=True
    )
    return {"": b"".join(spell_objects(_object(one, texts) for one in kept))}


def _object(judgement: Judgement, campaign: Campaign) -> dict[str, Any]:
    source, target, document = texts_of_segment(judgement, campaign, "mtme-rating-jsonl")
    return {
        "source": source,
        "hypothesis": target,
        "errors": [_error(span) for span in judgement.spans or ()],
        "document_id": document,
        "segment_id": judgement.segment,
        "system_id": judgement.system,
        "rater_id": judgement.rater,
        "src_lang": None,
        "tgt_lang": None,
    }


FORMAT = JudgementFormat(
    "mtme-rating",
    "mt-metrics-eval's .seg.rating, marked errors per segment",
    lambda name, _head: _NAME.fullmatch(name) is not None,
    _read,
    _write,
)
STANDALONE = JudgementFormat(
    "mtme-rating-jsonl",
    "mt-metrics-eval's standalone ratings, with texts",
    object_with("errors", "hypothesis"),
    _read_standalone,
    _write_standalone,
)
