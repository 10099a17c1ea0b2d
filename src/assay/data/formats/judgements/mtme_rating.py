"""mt-metrics-eval's rating files: ``SYSTEM<tab>{"errors": [...]}<tab>RATER``, one block per system in the order of
the test set.

``en-de.mqm.rater1.seg.rating`` is the kind ``mqm`` by ``rater1``, unless a third column names the rater. ``None``
stands for a segment that was not rated. A score is minus the scores of the errors, or their weights where they have
none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.data.campaign import Campaign
from assay.data.formats.compression import plain_name
from assay.data.formats.json_objects import json_object
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.mtme_score import LANGUAGES, pair_of
from assay.data.formats.judgements.parts.cells import lines_of
from assay.data.formats.judgements.parts.json_spans import mtme_error, span_from, spans_of
from assay.data.formats.judgements.parts.notes import (
    refuse_repeats,
    say_losses,
    segment_count,
    with_errors,
    without_other_levels,
)
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.mqm_weights import own_score, usual_weights
from assay.errors import InputError, UnknownName

NAME = re.compile(rf"(?:{LANGUAGES}\.)?(?P<kind>[^.]+)(?:\.(?P<rater>.+))?\.seg\.rating")
WHAT = 'A rating is {"errors": [...]}, or None.'


def recognises(name: str, _head: str) -> bool:
    """By the name alone."""
    return NAME.fullmatch(name) is not None


def read(path: str, campaign: Campaign | None = None) -> Judgements:
    """One judgement per rated segment; the n-th line of a system is its n-th segment."""
    matched = NAME.fullmatch(Path(plain_name(path)).name)
    kind, rater = (matched["kind"], matched["rater"]) if matched else ("mqm", None)
    places: dict[str, int] = {}
    found: list[tuple[Judgement, list[ErrorSpan]]] = []
    for number, line in enumerate(lines_of(path), start=1):
        cells = line.split("\t")
        if len(cells) not in (2, 3):
            raise InputError(
                f"{path}, line {number}: {len(cells)} fields, but system, rating and perhaps rater are needed."
            )
        system = cells[0]
        segment = places[system] = places.get(system, -1) + 1
        if cells[1].strip() == "None":
            continue
        place = f"{path}, line {number}"
        spans = rating_spans(json_object(cells[1], place, WHAT, column=len(system) + 2), place)
        who = cells[2].strip() if len(cells) == 3 else rater or kind
        found.append((Judgement(system, segment, 0.0, kind, who, spans=tuple(spans), line=number), spans))
    _check_blocks(path, places, campaign)
    if not found:
        raise InputError(f"{path}: no ratings in it.")
    return Judgements.of(scored(path, found), path)


def rating_spans(rating: Mapping[str, Any], place: str) -> list[ErrorSpan]:
    """The errors of a rating."""
    if "errors" not in rating:
        raise InputError(f"{place}: no errors in the rating. {WHAT} A rating without errors has an empty list.")
    spans = [span_from(error, place) for error in spans_of(rating["errors"], place, "errors")]
    nowhere = (0, 0)
    return [
        ErrorSpan(one.severity, one.category, None, None, one.in_source, one.weight)
        if (one.start, one.end) == nowhere
        else one
        for one in spans
    ]


def scored(path: str, found: list[tuple[Judgement, list[ErrorSpan]]]) -> Iterator[Judgement]:
    """The judgements with scores from their errors."""
    weights = usual_weights(span.category for _, spans in found for span in spans)
    for one, spans in found:
        try:
            yield replace(one, score=own_score(spans, weights))
        except UnknownName as error:
            raise InputError(f"{path}, line {one.line}: {error}") from None


def _check_blocks(path: str, places: Mapping[str, int], campaign: Campaign | None) -> None:
    if not places:
        raise InputError(f"{path}: the file is empty.")
    first, expected = next(iter(places)), next(iter(places.values())) + 1
    what = f"as {first!r} has"
    if campaign is not None:
        expected, what = len(campaign), "one per segment of the campaign"
    for system, last in places.items():
        if last + 1 != expected:
            raise InputError(
                f"{path}: {system!r} has {last + 1} lines, but {expected} are needed, {what}. None stands for no "
                "rating."
            )


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:
    """One file per kind and rater."""
    kept = without_other_levels(judgements, "mtme-rating")
    refuse_repeats(kept, "mtme-rating")
    kept = with_errors(kept, "mtme-rating")
    say_losses(kept, "mtme-rating", ("rater", "spans", "kind"))
    count = segment_count(kept, campaign)
    blocks: dict[tuple[str, str], dict[str, list[str]]] = {}
    for one in kept:
        rater = one.rater or "rater"
        rating = {"errors": [mtme_error(span) for span in one.spans or ()]}
        systems = blocks.setdefault((one.kind, rater), {})
        lines = systems.setdefault(one.system, [f"{one.system}\tNone"] * count)
        lines[one.segment or 0] = f"{one.system}\t{json.dumps(rating)}\t{rater}"
    files = {
        f"{pair_of(campaign)}{kind}.{rater}.seg.rating": (
            "\n".join(line for lines in systems.values() for line in lines) + "\n"
        ).encode()
        for (kind, rater), systems in blocks.items()
    }
    return {"": next(iter(files.values()))} if len(files) == 1 else files


FORMAT = JudgementFormat(
    "mtme-rating", "mt-metrics-eval's .seg.rating, marked errors per segment", recognises, read, write
)
