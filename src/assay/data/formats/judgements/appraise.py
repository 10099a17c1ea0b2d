"""Appraise's CSV without a header: ESA with error spans, and plain direct assessment.

``user, system, item, type, source language, target language, score, document, is it a score of the whole document,
error spans as JSON, start, end``; documents, spans and times may be missing. Only items of type ``TGT`` and ``CHK``
(repeats) are judgements: tutorials, quality checks (``BAD``) and references (``REF``) are left out, and of several
submissions of an item by a user the last one counts. Where all scores are 0 and errors are marked, the campaign was
MQM, and errors make the score.

Items are numbered within the task that a user was given. The texts in the campaign's batches decide which segment an
item is, if they lie beside the file. Else the numbers may count the whole test set, which the names of documents
confirm. Else the items of a document, in their order, are its segments, if there are as many of them. Without names of
documents the numbers count the whole test set from 0.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from assay.data.campaign import Campaign
from assay.data.files import read_bytes
from assay.data.formats.judgements import base
from assay.data.formats.judgements.places import FROM_0, FROM_1, Item, Places, needs_campaign
from assay.data.json_lines import decoded_json, is_position
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.mqm_weights import mqm_weights, scored_by_errors
from assay.data.problems import Problems, require_writable
from assay.data.tables import Cells, Row, cells_of, finite, spell_number, spell_table
from assay.errors import InputError, Place, shown

_BASE = ("user", "system", "item", "type", "source language", "target language", "score")
_DOCUMENT = ("document", "is document")
_TIMES = ("start", "end", "batch", "id")
_TYPES = ("TGT", "CHK", "REF", "BAD")
_KEPT = ("TGT", "CHK")
_FLAGS = ("True", "False")
#: What stands for a language that is not known.
_NO_LANGUAGE = "und"
#: Further columns that keep what a judgement has no place for.
_FURTHER = {
    "source language": "source_language",
    "target language": "target_language",
    "start": "start_time",
    "end": "end_time",
}
_IN_PART = "judgements of documents that were judged in part, where only a batches file beside it says which part"

#: The source text of every item of a task, by document and number.
_Task = dict[tuple[str, int], str]


class _Submission(NamedTuple):
    """One line that is a judgement, which has no segment yet, and what Appraise says of where it belongs."""

    place: Place
    judgement: Judgement
    user: str
    item: int
    #: The name of the document with what Appraise adds to it, the system and a mark of copies: ``name#system#bad2``.
    document: str
    whole: bool
    #: The same for all submissions of one item, which for a check (``CHK``) is another than the one it repeats.
    key: tuple[str | int | bool, ...]
    #: When it was sent; 0 where that is not known.
    end: float


def _recognises(name: str, head: str) -> bool:
    """A CSV whose fourth field is a type of item and whose seventh is a number."""
    try:
        first = next(csv.reader([head.split("\n", 1)[0]]), [])
    except csv.Error:
        # What is no CSV is not Appraise's.
        first = []
    return name.endswith(".csv") and len(first) >= len(_BASE) and first[3] in _TYPES


def _read(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements; the campaign, and its batches if they lie beside the file, help to place items."""
    left_out: Counter[str] = Counter()
    lines = cells_of(path, ",", quoted=True, problems=problems)
    read = list(problems.each(lines, lambda line: _submission(path, line, campaign, left_out)))
    last: dict[tuple[str | int | bool, ...], _Submission] = {}
    for one in filter(None, read):
        before = last.get(one.key)
        left_out["submissions that the same user replaced by a later one"] += before is not None
        last[one.key] = one if before is None or one.end >= before.end else before
    if not last:
        base.say_left_out(path, left_out, kept=False)
    submissions, segments = _placed(path, [*last.values()], campaign, problems)
    left_out[_IN_PART] = segments.count(-1)
    base.say_left_out(path, left_out)
    placed = [(one.judgement, segment) for one, segment in zip(submissions, segments, strict=True) if segment != -1]
    kind = _kind([one.spans for one, _ in placed], [one.score for one, _ in placed])
    judgements = Judgements.of((replace(one, segment=segment, kind=kind) for one, segment in placed), path)
    weights = mqm_weights("esa-campaign")
    return scored_by_errors(judgements, weights.score, problems) if kind == "mqm" else judgements


def _submission(path: str, numbered: Cells, campaign: Campaign | None, left_out: Counter[str]) -> _Submission | None:
    """What a line says, if it is a judgement."""
    line, cells = numbered
    columns = _columns(cells)
    row = Row(path, line, cells, columns, quoted=True)
    if len(cells) < len(_BASE):
        what = f"{len(cells)} fields, but at least {len(_BASE)} are needed: {', '.join(_BASE)}."
        raise InputError(what, place=row.place)
    item_type = row.raw("type")
    if item_type not in _TYPES:
        raise row.flaw("type", f"the type of item is {item_type!r}, but one of {', '.join(_TYPES)} is needed")
    if "tutorial" in f"{row.raw('system')} {row.raw('document')}".casefold():
        left_out["items of the tutorial"] += 1
        return None
    if item_type not in _KEPT:
        left_out[f"items of type {item_type}"] += 1
        return None
    spans = None
    if "spans" in columns:
        spans = base.appraise_spans(row.json("spans", "list of errors"), row.place_of("spans"), "the list of errors")
    user, system, item = row.needed("user", "user"), row.needed("system", "system"), row.integer("item", "item")
    score, document = row.number("score", "score"), row.maybe("document") or ""
    plain, *others = document.split("#")
    further = {name: text for column, name in _FURTHER.items() if (text := row.raw(column)) not in ("", _NO_LANGUAGE)}
    name, whole = base.system_name(system, campaign, others[:1]), row.raw("is document") == "True"
    judgement = Judgement(name, None, score, "", user, plain or None, None, spans, further, line)
    key = (user, document, item, system, whole, item_type)
    return _Submission(row.place, judgement, user, item, document, whole, key, finite(row.raw("end")) or 0.0)


def _columns(cells: list[str]) -> dict[str, int]:
    """Which fields a line has: it depends on the campaign."""
    names = [*_BASE]
    if len(cells) > len(_BASE) + 1 and cells[len(_BASE) + 1] in _FLAGS:
        names += _DOCUMENT
    if len(cells) > len(names) and cells[len(names)].lstrip().startswith(("[", "{")):
        names.append("spans")
    names += _TIMES
    return {name: index for index, name in enumerate(names) if index < len(cells)}


def _placed(
    path: str, submissions: list[_Submission], campaign: Campaign | None, problems: Problems
) -> tuple[list[_Submission], list[int | None]]:
    """The submissions that have a place, and the segment of each: None for a whole document, -1 if nobody knows."""
    where = None if campaign is None else Places(campaign)
    numbered = all(not one.document for one in submissions if not one.whole)
    if not numbered and (where is None or where.documents is None):
        reason, which = "items are numbered as their rater saw them", "which segment is which"
        raise needs_campaign(path, reason, "a campaign that names its documents", which)

    def sound(one: _Submission) -> _Submission:
        if where is None or one.whole:
            return one
        if numbered and one.item >= where.count:
            what = f"item {one.item}, but the campaign has {where.count} segments, from 0 on."
            raise InputError(what, place=one.place)
        if not numbered and (one.judgement.document or "") not in where.members:
            what = f"the campaign has no document {one.judgement.document!r}."
            place = one.place._replace(part=f"field {len(_BASE) + 1}")
            raise InputError(what, "Is this the campaign that was judged?", place)
        return one

    placed = list(problems.each(submissions, sound))
    items = [one for one in placed if not one.whole]
    segments: Sequence[int | None] = [one.item for one in items]
    if not numbered and where is not None:
        batches = _batches(path)
        segments = _by_text(path, items, where, batches) if batches else _by_number(items, where)
    of_items = iter(segments)
    return placed, [None if one.whole else next(of_items) for one in placed]


def _by_number(submissions: Sequence[_Submission], where: Places) -> Sequence[int | None]:
    """Numbers of the whole test set, if the documents confirm them; else places within whole documents."""
    items = [Item(one.judgement.line, one.item, None, one.judgement.document) for one in submissions]
    for order in (FROM_0, FROM_1):
        segments = [where.segment(item, order) for item in items]
        if all(map(where.agrees, items, segments)):
            return segments
    groups: dict[tuple[str, str], set[int]] = {}
    for one in submissions:
        groups.setdefault((one.user, one.document), set()).add(one.item)
    places = {}
    for (user, document), numbers in groups.items():
        members = where.members[document.split("#")[0]]
        if len(members) == len(numbers):
            places.update({(user, document, number): members[place] for place, number in enumerate(sorted(numbers))})
    return [places.get((one.user, one.document, one.item), -1) for one in submissions]


def _by_text(path: str, submissions: Sequence[_Submission], where: Places, batches: Sequence[_Task]) -> list[int]:
    """Segments by the text of the item; where a document repeats a text, in the order of the items."""
    if where.sources is None:
        what = "a batches file lies beside it, but the campaign has no source to find its texts in."
        raise InputError(what, place=Place(path))
    tasks = _tasks(path, submissions, batches)
    segments = [-1] * len(submissions)
    last: dict[tuple[str, str], int] = {}
    for row in sorted(range(len(submissions)), key=lambda row: submissions[row].key[:3]):
        one = submissions[row]
        text = tasks[one.user][one.document, one.item]
        candidates = where.candidates(one.judgement.document, text)
        if not candidates:
            what = f"the text of item {one.item} of document {one.document!r} is not in the campaign: {text[:60]!r}."
            raise InputError(what, place=one.place)
        before = last.get((one.user, one.document), -1)
        segments[row] = next((segment for segment in candidates if segment > before), candidates[0])
        last[one.user, one.document] = segments[row]
    return segments


def _batches(path: str) -> list[_Task]:
    """The tasks in the files with ``batch`` in their names that lie beside the scores."""
    batches: list[_Task] = []
    for file in sorted(Path(path).parent.glob("*batch*.json")) if path != "-" else ():
        try:
            tasks = decoded_json(read_bytes(file).decode())
        except ValueError as error:
            raise InputError(f"not JSON ({error}).", place=Place(str(file))) from None
        for task in tasks if isinstance(tasks, list) else ():
            items = task.get("items") if isinstance(task, dict) else None
            texts: _Task = {}
            for item in items if isinstance(items, list) else ():
                # Items that lack what is needed are none of ours.
                if isinstance(item, dict) and {"documentID", "itemID", "sourceText"} <= item.keys():
                    number = finite(str(item["itemID"]))
                    if not is_position(number := int(number) if number is not None and number.is_integer() else None):
                        raise InputError(
                            f"an itemID is {shown(item['itemID'])}, and no number.", place=Place(str(file))
                        )
                    texts[str(item["documentID"]), number] = str(item["sourceText"])
            batches += [texts] if texts else []
    return batches


def _tasks(path: str, submissions: Sequence[_Submission], batches: Sequence[_Task]) -> dict[str, _Task]:
    """The task of each user: the only one that has all items that the user judged."""
    judged: dict[str, dict[tuple[str, int], Place]] = {}
    for one in submissions:
        judged.setdefault(one.user, {}).setdefault((one.document, one.item), one.place)
    tasks: dict[str, _Task] = {}
    for user, keys in judged.items():
        fitting = [task for task in batches if keys.keys() <= task.keys()]
        if not fitting:
            best = max(batches, key=lambda task: len(keys.keys() & task.keys()))
            document, number = next(key for key in keys if key not in best)
            what = f"item {number} of document {document!r} is not in the batches file"
            raise InputError(f"{what} with the other items of this user.", place=keys[document, number])
        if any(task[key] != fitting[0][key] for task in fitting for key in keys):
            what = f"several batches have the items of {user!r}."
            raise InputError(what, "Leave only those of this campaign beside the scores.", Place(path))
        tasks[user] = fitting[0]
    return tasks


def _kind(spans: Sequence[tuple[ErrorSpan, ...] | None], scores: Sequence[float]) -> str:
    """What a file holds; it says so nowhere."""
    if any(spans) and all(score == 0 for score in scores):
        return "mqm"
    return "esa" if any(one is not None for one in spans) else "da"


def _write(judgements: Judgements, campaign: Campaign | None) -> Mapping[str, bytes]:
    """The CSV; items are numbered as segments of the whole test set, from 0."""
    of_systems = int(((judgements.segment < 0) & (judgements.document.codes < 0)).sum())
    if of_systems:
        what = f"{of_systems} judgements are of whole systems, which the format esa has no place for."
        raise InputError(what, place=Place(judgements.origin))
    kind = _kind(judgements.spans, judgements.score.tolist())
    holds, own_columns = ("rater", "document", "marks"), tuple(_FURTHER.values())
    base.prepared(judgements, "esa", holds, own_kinds=(kind,), own_columns=own_columns, repeats=False)
    require_writable("rater", judgements.rater.names, Place(judgements.origin), needed=True)
    rows = (list(_cells(one, campaign)) for one in judgements)
    return {"": b"".join(spell_table(rows, ",", quoted=True))}


def _cells(one: Judgement, campaign: Campaign | None) -> Iterator[str]:
    """The fields of a line."""
    yield from (one.rater or "user", one.system, str(one.segment or 0), "TGT")
    yield from (one.further.get(_FURTHER[name], _NO_LANGUAGE) for name in ("source language", "target language"))
    yield spell_number(one.score)
    document = one.document
    if document is None and campaign is not None and campaign.documents is not None:
        document = campaign.documents[one.segment or 0]
    if document is not None:
        yield from (f"{document}#{one.system}", str(one.segment is None))
    if one.spans is not None:
        errors = [
            {**base.appraise_error(span), "error_type": span.category.split("/") if span.category else None}
            for span in one.spans
        ]
        yield json.dumps(errors, ensure_ascii=False)
    times = [one.further.get(_FURTHER[name]) for name in ("start", "end")]
    if None not in times:
        yield from (time or "" for time in times)


FORMAT = base.JudgementFormat(_recognises, _read, _write)
