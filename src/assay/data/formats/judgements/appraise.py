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
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.data.campaign import Campaign
from assay.data.files import read_bytes
from assay.data.formats.judgements.base import (
    JudgementFormat,
    refuse_repeats,
    say_left_out,
    say_losses,
    say_span_losses,
    system_name,
)
from assay.data.formats.judgements.places import FROM_0, FROM_1, GIVE_CAMPAIGN, Item, Places
from assay.data.formats.judgements.spans import appraise_error, appraise_spans
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.mqm_weights import mqm_weights
from assay.data.problems import Problems
from assay.data.tables import Cells, Row, cells_of, spell_number, spell_table
from assay.errors import InputError, Place, UnknownName

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
IN_PART = "judgements of documents that were judged in part, where only a batches file beside it says which part"

#: The source text of every item of a task, by document and number.
Task = dict[tuple[str, int], str]


@dataclass(frozen=True)
class Submission:
    """One line that is a judgement."""

    row: Row
    user: str
    system: str
    item: int
    score: float
    #: The name of the document with what Appraise adds to it, the system and a mark of copies: ``name#system#bad2``.
    document: str | None
    whole: bool
    spans: tuple[ErrorSpan, ...] | None

    @property
    def end(self) -> float:
        """When it was sent; 0 where that is not known."""
        try:
            return float(self.row.raw("end") or 0)
        except ValueError:
            return 0.0

    @property
    def plain_document(self) -> str | None:
        """The document's own name."""
        return None if self.document is None else self.document.split("#")[0]

    @property
    def key(self) -> tuple[str, int]:
        """What an item is called in its task."""
        return self.document or "", self.item


def recognises(name: str, head: str) -> bool:
    """A CSV whose fourth field is a type of item and whose seventh is a number."""
    first = next(csv.reader(io.StringIO(head.split("\n", 1)[0])), [])
    return name.endswith(".csv") and len(first) >= len(BASE) and first[3] in TYPES


def read(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements; the campaign, and its batches if they lie beside the file, help to place items."""
    left_out: Counter[str] = Counter()
    lines = cells_of(path, ",", quoted=True, problems=problems)
    submissions = problems.each(lines, lambda line: _submission(path, line, left_out))
    found = _last([one for one in submissions if one is not None], left_out)
    if not found:
        say_left_out(path, left_out)
        raise InputError("no judgements in it.", place=Place(path))
    found, segments = _placed(path, found, campaign, problems)
    left_out[IN_PART] = segments.count(-1)
    say_left_out(path, left_out)
    pairs = [(one, segment) for one, segment in zip(found, segments, strict=True) if segment != -1]
    return _judgements(path, pairs, campaign, problems)


def _submission(path: str, numbered: Cells, left_out: Counter[str]) -> Submission | None:
    """What a line says, if it is a judgement."""
    line, cells = numbered
    columns = _columns(cells)
    row = Row(path, line, cells, columns, quoted=True)
    if len(cells) < len(BASE):
        what = f"{len(cells)} fields, but at least {len(BASE)} are needed: {', '.join(BASE)}."
        raise InputError(what, place=row.place)
    if row.raw("type") not in TYPES:
        raise row.flaw("type", f"the type of item is {row.raw('type')!r}, but one of {', '.join(TYPES)} is needed")
    if "tutorial" in f"{row.raw('system')} {row.raw('document')}".casefold():
        left_out["items of the tutorial"] += 1
        return None
    if row.raw("type") not in KEPT:
        left_out[f"items of type {row.raw('type')}"] += 1
        return None
    spans = None
    if "spans" in columns:
        spans = appraise_spans(row.json("spans", "list of errors"), row.place_of("spans"), "the list of errors")
    return Submission(
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


def _placed(
    path: str, found: list[Submission], campaign: Campaign | None, problems: Problems
) -> tuple[list[Submission], list[int | None]]:
    """The submissions that have a place, and the segment of each: None for a whole document, -1 if nobody knows."""
    items = [one for one in found if not one.whole]
    if all(one.document is None for one in items):
        count = None if campaign is None else len(campaign)
        sound = list(problems.each(found, lambda one: _in_range(one, count)))
        return sound, [None if one.whole else one.item for one in sound]
    if campaign is None or campaign.documents is None:
        what = (
            "items are numbered as their rater saw them, so a campaign that names its documents is needed to know "
            "which segment is which."
        )
        raise InputError(what, GIVE_CAMPAIGN, Place(path))
    where = Places(campaign)
    sound = list(problems.each(found, lambda one: _in_document(one, where)))
    items = [one for one in sound if not one.whole]
    batches = _batches(path)
    placed = iter(_by_text(path, items, where, batches) if batches else _by_number(items, where))
    return sound, [None if one.whole else next(placed) for one in sound]


def _in_range(one: Submission, count: int | None) -> Submission:
    if count is not None and not one.whole and one.item >= count:
        raise InputError(f"item {one.item}, but the campaign has {count} segments, from 0 on.", place=one.row.place)
    return one


def _in_document(one: Submission, where: Places) -> Submission:
    if not one.whole and (one.plain_document or "") not in where.members:
        what = f"the campaign has no document {one.plain_document!r}."
        place = Place(one.row.path, one.row.line, part=f"field {len(BASE) + 1}")
        raise InputError(what, "Is this the campaign that was judged?", place)
    return one


def _by_number(found: Sequence[Submission], where: Places) -> list[int]:
    """Numbers of the whole test set, if the documents confirm them; else places within whole documents."""
    items = [Item(one.row.line, one.item, None, one.plain_document) for one in found]
    for order in (FROM_0, FROM_1):
        segments = [where.segment(item, order) for item in items]
        placed = [segment for segment in segments if segment is not None]
        if len(placed) == len(items) and all(map(where.agrees, items, placed)):
            return placed
    groups: dict[tuple[str, str | None], set[int]] = {}
    for one in found:
        groups.setdefault((one.user, one.document), set()).add(one.item)
    places = {}
    for (user, document), numbers in groups.items():
        members = where.members[(document or "").split("#")[0]]
        if len(members) == len(numbers):
            ordered = zip(sorted(numbers), members, strict=True)
            places.update({(user, document, number): segment for number, segment in ordered})
    return [places.get((one.user, one.document, one.item), -1) for one in found]


def _by_text(path: str, found: Sequence[Submission], where: Places, batches: Sequence[Task]) -> list[int]:
    """Segments by the text of the item; where a document repeats a text, in the order of the items."""
    if where.sources is None:
        what = "a batches file lies beside it, but the campaign has no source to find its texts in."
        raise InputError(what, place=Place(path))
    tasks = _tasks(path, found, batches)
    segments = [-1] * len(found)
    last: dict[tuple[str, str | None], int] = {}
    for index in sorted(range(len(found)), key=lambda index: (found[index].user, found[index].key)):
        one = found[index]
        text = tasks[one.user][one.key]
        candidates = where.candidates(one.plain_document, text)
        if not candidates:
            what = f"the text of item {one.item} of document {one.document!r} is not in the campaign: {text[:60]!r}."
            raise InputError(what, place=one.row.place)
        before = last.get((one.user, one.document), -1)
        segments[index] = next((segment for segment in candidates if segment > before), candidates[0])
        last[one.user, one.document] = segments[index]
    return segments


def _batches(path: str) -> list[Task]:
    """The tasks in the files with ``batch`` in their names that lie beside the scores."""
    found: list[Task] = []
    for file in sorted(Path(path).parent.glob("*batch*.json")) if path != "-" else ():
        try:
            tasks = json.loads(read_bytes(file))
        except (ValueError, RecursionError) as error:
            raise InputError(f"not JSON ({error}).", place=Place(str(file))) from None
        for task in tasks if isinstance(tasks, list) else ():
            try:
                texts = {(str(one["documentID"]), int(one["itemID"])): str(one["sourceText"]) for one in _items(task)}
            except (ValueError, TypeError) as error:
                raise InputError(f"an itemID that is no number ({error}).", place=Place(str(file))) from None
            if texts:
                found.append(texts)
    return found


def _items(task: Any) -> list[dict[str, Any]]:
    """The items of a task that have what is needed."""
    needed = {"documentID", "itemID", "sourceText"}
    found = task.get("items") if isinstance(task, dict) else None
    return [
        item for item in (found if isinstance(found, list) else ()) if isinstance(item, dict) and needed <= item.keys()
    ]


def _tasks(path: str, found: Sequence[Submission], batches: Sequence[Task]) -> dict[str, Task]:
    """The task of each user: the only one that has all items that the user judged."""
    judged: dict[str, dict[tuple[str, int], Place]] = {}
    for one in found:
        judged.setdefault(one.user, {}).setdefault(one.key, one.row.place)
    tasks: dict[str, Task] = {}
    for user, keys in judged.items():
        fitting = [task for task in batches if keys.keys() <= task.keys()]
        if not fitting:
            best = max(batches, key=lambda task: len(keys.keys() & task.keys()))
            document, number = next(key for key in keys if key not in best)
            what = (
                f"item {number} of document {document!r} is not in the batches file with the other items of this user."
            )
            raise InputError(what, place=keys[document, number])
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


def _judgements(
    path: str, found: Sequence[tuple[Submission, int | None]], campaign: Campaign | None, problems: Problems
) -> Judgements:
    kind = _kind([one.spans for one, _ in found], [one.score for one, _ in found])
    weights = mqm_weights("esa-campaign")

    def judgement(placed: tuple[Submission, int | None]) -> Judgement:
        one, segment = placed
        document, *others = (one.document or "").split("#")
        try:
            score = weights.score(one.spans or ()) if kind == "mqm" else one.score
        except UnknownName as error:
            raise InputError(str(error), place=one.row.place) from None
        return Judgement(
            system_name(one.system, campaign, others[:1]),
            segment,
            score,
            kind,
            one.user,
            document or None,
            spans=one.spans,
            further={
                name: text for column, name in FURTHER.items() if (text := one.row.raw(column)) not in ("", NO_LANGUAGE)
            },
            line=one.row.line,
        )

    return Judgements.of(problems.each(found, judgement), path)


def write(judgements: Judgements, campaign: Campaign | None) -> Mapping[str, bytes]:
    """The CSV; items are numbered as segments of the whole test set, from 0."""
    of_systems = int(((judgements.segment < 0) & (judgements.document.codes < 0)).sum())
    if of_systems:
        what = f"{of_systems} judgements are of whole systems, which the format esa has no place for."
        raise InputError(what, place=Place(judgements.origin))
    refuse_repeats(judgements.only(judgements.segment >= 0), "esa")
    say_losses(
        judgements,
        "esa",
        ("rater", "document", "spans"),
        own_kinds=(_kind(judgements.spans, judgements.score.tolist()),),
        own_columns=tuple(FURTHER.values()),
    )
    say_span_losses(judgements, "esa")
    rows = (list(_cells(one, campaign)) for one in judgements)
    return {"": b"".join(spell_table(rows, ",", quoted=True))}


def _cells(one: Judgement, campaign: Campaign | None) -> Iterator[str]:
    """The fields of a line."""
    yield from (one.rater or "user", one.system, str(one.segment or 0), "TGT")
    yield from (one.further.get(FURTHER[name], NO_LANGUAGE) for name in ("source language", "target language"))
    yield spell_number(one.score)
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
