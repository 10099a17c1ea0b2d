"""Appraise's CSV without a header: ESA with error spans, and plain direct assessment.

``user, system, item, type, source language, target language, score, document, is it a score of the whole document,
error spans as JSON, start, end``; documents, spans and times may be missing. Only items of type ``TGT`` and ``CHK``
(repeats) are judgements: tutorials, quality checks (``BAD``) and references (``REF``) are left out, and of several
submissions of an item by a user the last one counts. Where all scores are 0 and errors are marked, the campaign was
MQM, and errors make the score.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.appraise_items import segments_of
from assay.data.formats.judgements.parts.cells import Row, rows_of
from assay.data.formats.judgements.parts.json_spans import appraise_error, span_from, spans_of
from assay.data.formats.judgements.parts.notes import refuse_repeats, say_left_out, say_losses, say_span_losses
from assay.data.formats.judgements.parts.system_names import system_name
from assay.data.formats.judgements.table import spell_score
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.mqm_weights import mqm_weights
from assay.errors import InputError, UnknownName

BASE = ("user", "system", "item", "type", "source language", "target language", "score")
DOCUMENT = ("document", "is document")
TIMES = ("start", "end", "batch", "id")
TYPES = ("TGT", "CHK", "REF", "BAD")
KEPT = ("TGT", "CHK")
FLAGS = ("True", "False")
#: What stands for a language that is not known.
NO_LANGUAGE = "und"
#: Further columns that keep what a judgement has no place for.
FURTHER = {
    "source language": "source_language",
    "target language": "target_language",
    "start": "start_time",
    "end": "end_time",
}


@dataclass(frozen=True)
class Submission:
    """One line that is a judgement."""

    row: Row
    user: str
    system: str
    item: int
    score: float
    document: str | None
    whole: bool
    spans: tuple[ErrorSpan, ...] | None

    @property
    def end(self) -> float:
        """When it was sent; 0 where that is not known."""
        text = self.row.raw("end")
        try:
            return float(text) if text else 0.0
        except ValueError:
            return 0.0


def recognises(name: str, head: str) -> bool:
    """A CSV whose fourth field is a type of item and whose seventh is a number."""
    first = next(csv.reader(io.StringIO(head.split("\n", 1)[0])), [])
    return name.endswith(".csv") and len(first) >= len(BASE) and first[3] in TYPES


def read(path: str, campaign: Campaign | None = None) -> Judgements:
    """The judgements; the campaign, and its batches if they lie beside the file, help to place items."""
    left_out: Counter[str] = Counter()
    found = _last(list(_submissions(path, left_out)), left_out)
    if not found:
        say_left_out(path, left_out)
        raise InputError(f"{path}: no judgements in it.")
    items = [(one.row.line, one.user, one.document, one.item) for one in found if not one.whole]
    segments = iter(segments_of(path, items, campaign))
    places = [None if one.whole else next(segments) for one in found]
    lost = sum(place == -1 for place in places)
    left_out[
        "judgements of documents that were judged in part, where only a batches file beside it says which part"
    ] = lost
    say_left_out(path, left_out)
    pairs = [(one, place) for one, place in zip(found, places, strict=True) if place != -1]
    return Judgements.of(_judgements(path, pairs, campaign), path)


def _submissions(path: str, left_out: Counter[str]) -> Iterator[Submission]:
    for line, cells in rows_of(path, ",", quoted=True):
        columns = _columns(cells)
        row = Row(path, line, cells, columns, quoted=True)
        if len(cells) < len(BASE):
            raise InputError(
                f"{path}, line {line}: {len(cells)} fields, but at least {len(BASE)} are needed: {', '.join(BASE)}."
            )
        if row.raw("type") not in TYPES:
            raise row.flaw("type", f"the type of item is {row.raw('type')!r}, but one of {', '.join(TYPES)} is needed")
        if "tutorial" in f"{row.raw('system')} {row.raw('document')}".casefold():
            left_out["items of the tutorial"] += 1
            continue
        if row.raw("type") not in KEPT:
            left_out[f"items of type {row.raw('type')}"] += 1
            continue
        spans = None
        if "spans" in columns:
            place = f"{path}, line {line}, field {columns['spans'] + 1}"
            errors = spans_of(row.json("spans", "list of errors"), place, "the list of errors")
            spans = tuple(span_from(error, place, start="start_i", end="end_i", inclusive=True) for error in errors)
        yield Submission(
            row,
            row.needed("user", "user"),
            row.needed("system", "system"),
            row.integer("item", "item"),
            row.number("score", "score"),
            row.maybe("document"),
            row.raw("is document") == "True",
            spans,
        )


def _columns(cells: list[str]) -> dict[str, int]:
    """Which fields a line has: it depends on the campaign."""
    names = [*BASE]
    if len(cells) > len(BASE) + 1 and cells[len(BASE) + 1] in FLAGS:
        names += DOCUMENT
    if len(cells) > len(names) and cells[len(names)].lstrip().startswith(("[", "{")):
        names.append("spans")
    names += TIMES
    return {name: index for index, name in enumerate(names) if index < len(cells)}


def _last(found: list[Submission], left_out: Counter[str]) -> list[Submission]:
    """The last submission of every item by every user; a check (``CHK``) is another item than the one it repeats."""
    kept: dict[tuple[str | int | bool | None, ...], Submission] = {}
    for one in found:
        key = (one.user, one.system, one.document, one.item, one.whole, one.row.raw("type"))
        before = kept.get(key)
        if before is not None:
            left_out["submissions that the same user replaced by a later one"] += 1
        if before is None or one.end >= before.end:
            kept[key] = one
    return list(kept.values())


def _kind(spans: Sequence[tuple[ErrorSpan, ...] | None], scores: Sequence[float]) -> str:
    """What a file holds; it says so nowhere."""
    if any(spans) and all(score == 0 for score in scores):
        return "mqm"
    return "esa" if any(one is not None for one in spans) else "da"


def _judgements(
    path: str, found: list[tuple[Submission, int | None]], campaign: Campaign | None
) -> Iterator[Judgement]:
    kind = _kind([one.spans for one, _ in found], [one.score for one, _ in found])
    mqm = kind == "mqm"
    weights = mqm_weights("esa-campaign")
    for one, segment in found:
        parts = (one.document or "").split("#")
        try:
            score = weights.score(one.spans or ()) if mqm else one.score
        except UnknownName as error:
            raise InputError(f"{path}, line {one.row.line}: {error}") from None
        yield Judgement(
            system_name(one.system, campaign, parts[1:2]),
            segment,
            score,
            kind,
            one.user,
            parts[0] or None,
            spans=one.spans,
            further={
                name: text for column, name in FURTHER.items() if (text := one.row.raw(column)) not in ("", NO_LANGUAGE)
            },
            line=one.row.line,
        )


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:
    """The CSV; items are numbered as segments of the whole test set, from 0."""
    of_systems = int(((judgements.segment < 0) & (judgements.document.codes < 0)).sum())
    if of_systems:
        raise InputError(
            f"{judgements.origin}: {of_systems} judgements are of whole systems, which the format esa has no place for."
        )
    refuse_repeats(judgements.only(judgements.segment >= 0), "esa")
    say_losses(
        judgements,
        "esa",
        ("rater", "document", "spans"),
        own_kinds=(_kind(judgements.spans, judgements.score.tolist()),),
        own_columns=tuple(FURTHER.values()),
    )
    say_span_losses(judgements, "esa")
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(_cells(one, campaign) for one in judgements)
    return {"": text.getvalue().encode()}


def _cells(one: Judgement, campaign: Campaign | None) -> Iterator[str]:
    """The fields of a line."""
    yield from (one.rater or "user", one.system, str(one.segment or 0), "TGT")
    yield from (one.further.get(FURTHER[name], NO_LANGUAGE) for name in ("source language", "target language"))
    yield spell_score(one.score)
    document = one.document
    if document is None and campaign is not None and campaign.documents is not None:
        document = campaign.documents[one.segment or 0]
    if document is not None:
        yield from (f"{document}#{one.system}", str(one.segment is None))
    if one.spans is not None:
        errors = [
            {**appraise_error(span), "error_type": span.category.split("/") if span.category else None}
            for span in one.spans
        ]
        yield json.dumps(errors, ensure_ascii=False)
    times = [one.further.get(FURTHER[name]) for name in ("start", "end")]
    if None not in times:
        yield from (time or "" for time in times)


FORMAT = JudgementFormat("esa", "Appraise's CSV: ESA with error spans, and direct assessment", recognises, read, write)
