"""Grades side by side: ``system document segment judge adequacy fluency``, as LDC and NIST had them, with tabs or
commas.

Every column that does not say what was judged by whom holds grades, and its name is their kind. Columns that are
called after raters (``judge1``, ``rater_2``, ``annotator3``) hold one kind of grade, ``score``, by each of them.
Empty fields, ``-``, ``NA`` and ``None`` are no grade. Segments called ``segment`` count from 0; under other names
(``seg``, ``segid``) from 1, unless one is 0; within their documents, if the campaign says so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat, say_losses
from assay.data.formats.judgements.places import (
    FROM_0,
    FROM_1,
    GIVE_CAMPAIGN,
    IN_DOCUMENT_0,
    IN_DOCUMENT_1,
    NEEDS_CAMPAIGN,
    Item,
    place_all,
)
from assay.data.judgements import Judgement, Judgements
from assay.data.lines import read_head
from assay.data.problems import Problems
from assay.data.tables import Row, header_of, read_table, spell_number, spell_table
from assay.errors import InputError, Place

#: What columns are called that say what was judged by whom.
ROLES = {
    "system": ("system", "sys", "systemid", "system_id", "sysid", "model", "model_id"),
    "segment": ("segment", "seg", "segid", "seg_id", "segment_id", "segmentid", "sent_id", "sentence"),
    "document": ("document", "doc", "docid", "doc_id", "document_id", "documentid"),
    "rater": ("rater", "judge", "annotator", "judgeid", "judge_id", "rater_id", "annotator_id", "evaluator"),
}
#: Grades that people give; a table is known by one of them.
GRADES = (
    "adequacy", "fluency", "acceptability", "adequate", "fluent", "accuracy", "informativeness", "intelligibility",
    "fidelity", "comprehension", "coherence", "consistency", "relevance", "overall", "quality",
)  # fmt: skip
RATER = re.compile(r"(?:rater|judge|annotator|evaluator|worker|human)[ _-]?\d+", re.IGNORECASE)
NO_GRADE = ("NA", "N/A", "n/a", "nan", "NaN")
WHAT = (
    "A table of grades has the columns system, document, segment, judge, and one per kind of grade: adequacy, fluency."
)


def _separator(head: str) -> str:
    return "\t" if "\t" in head.split("\n", 1)[0] else ","


def recognises(name: str, head: str) -> bool:
    """A system, a segment or document, and a column that is called like a grade or a rater."""
    columns = [column.casefold() for column in header_of(head, _separator(head))]
    roles = {role for role, names in ROLES.items() if any(column in names for column in columns)}
    graded = any(column in GRADES or RATER.fullmatch(column) for column in columns)
    return (
        name.endswith((".tsv", ".csv", ".txt"))
        and "system" in roles
        and bool(roles & {"segment", "document"})
        and graded
    )


@dataclass(slots=True)
class Graded:
    """One row: what was judged, by whom, and the grades by the names of their columns."""

    item: Item
    system: str
    rater: str | None
    grades: Sequence[tuple[str, float]]


def read(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """One judgement per grade. Repeats are kept."""
    separator = _separator(read_head(path))
    table = read_table(path, separator, quoted=separator == ",", what=WHAT, problems=problems)
    roles = _roles(path, table.header)
    names = [name for name in table.header if name not in roles.values()]
    if not names:
        raise InputError("no column of grades.", WHAT, Place(path, 1))
    rows = list(problems.each(table, lambda row: _graded(row, roles, names)))
    by_rater = all(RATER.fullmatch(name) for name in names) and "rater" not in roles
    return Judgements.of(_judgements(rows, _segments(path, rows, roles, campaign), by_rater), path)


def _roles(path: str, header: Sequence[str]) -> dict[str, str]:
    """The column of each role."""
    roles: dict[str, str] = {}
    for role, names in ROLES.items():
        columns = [column for column in header if column.casefold() in names]
        if len(columns) > 1:
            what = f"both {columns[0]!r} and {columns[1]!r} may be the {role}."
            raise InputError(what, "Rename one of them.", Place(path, 1))
        if columns:
            roles[role] = columns[0]
    if "system" not in roles:
        raise InputError("no column names the system.", WHAT, Place(path, 1))
    return roles


def _graded(row: Row, roles: Mapping[str, str], names: Sequence[str]) -> Graded:
    cells = {role: row.maybe(column) for role, column in roles.items()}
    number = None if cells.get("segment") is None else row.integer(roles["segment"], "segment")
    grades = [
        (name, grade)
        for name in names
        if row.raw(name).strip() not in NO_GRADE and not math.isnan(grade := row.number(name, f"grade {name!r}"))
    ]
    system = row.needed(roles["system"], "system") if grades else ""
    return Graded(Item(row.line, number, number, cells.get("document")), system, cells.get("rater"), grades)


def _segments(
    path: str, rows: Sequence[Graded], roles: Mapping[str, str], campaign: Campaign | None
) -> Iterator[int | None]:
    items = [row.item for row in rows if row.item.overall is not None]
    if campaign is None and _restarts(items):
        what = f"segments are numbered within documents, {NEEDS_CAMPAIGN}"
        raise InputError(what, GIVE_CAMPAIGN, Place(path))
    whole = (FROM_0, FROM_1) if roles.get("segment") == "segment" else (FROM_1, FROM_0)
    placed = iter(place_all(path, items, campaign, (*whole, IN_DOCUMENT_1, IN_DOCUMENT_0)) if items else ())
    return (None if row.item.overall is None else next(placed) for row in rows)


def _restarts(items: Sequence[Item]) -> bool:
    """Whether one number stands for segments of several documents."""
    documents: dict[int | None, str | None] = {}
    return any(documents.setdefault(item.overall, item.document) != item.document for item in items)


def _judgements(rows: Sequence[Graded], segments: Iterator[int | None], by_rater: bool) -> Iterator[Judgement]:
    for row, segment in zip(rows, segments, strict=True):
        for name, grade in row.grades:
            kind, rater = ("score", name) if by_rater else (name.casefold(), row.rater)
            yield Judgement(row.system, segment, grade, kind, rater, row.item.document, line=row.item.line)


def write(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """A row per item and rater, a column per kind; repeats have rows of their own."""
    say_losses(judgements, "adequacy-fluency", ("rater", "document", "kind"))
    rows: dict[tuple[str, str, str, str, int], dict[str, str]] = {}
    for one in judgements:
        item = (one.system, one.document or "-", "-" if one.segment is None else str(one.segment), one.rater or "-")
        repeat = 0
        while one.kind in rows.setdefault((*item, repeat), {}):
            repeat += 1
        rows[*item, repeat][one.kind] = spell_number(one.score)
    header = ("system", "document", "segment", "rater", *judgements.kinds)
    cells = ((*item, *(grades.get(kind, "-") for kind in judgements.kinds)) for (*item, _), grades in rows.items())
    return {"": b"".join(spell_table([header, *cells]))}


FORMAT = JudgementFormat(
    "adequacy-fluency", "grades side by side: adequacy, fluency, one column each", recognises, read, write
)
