"""Grades side by side: ``system document segment judge adequacy fluency``, as LDC and NIST had them, with tabs or
commas.

Every column that does not say what was judged by whom holds grades, and its name is their kind. Columns that are
called after raters (``judge1``, ``rater_2``, ``annotator3``) hold one kind of grade, ``score``, by each of them.
Empty fields, ``-``, ``NA`` and ``None`` are no grade. Segments called ``segment`` count from 0; under other names
(``seg``, ``segid``) from 1, unless one is 0; within their documents, if the campaign says so. A column ``reference``
(``ref``, ``refid``) names the reference that the judge was shown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.data.campaign import Campaign
from assay.data.files import read_head
from assay.data.formats.judgements import places
from assay.data.formats.judgements.base import JudgementFormat, prepared
from assay.data.judgements import Judgement, Judgements
from assay.data.problems import Problems
from assay.data.tables import Row, header_of, read_table, spell_number, spell_table
from assay.errors import InputError, Place, shown

#: What columns are called that say what was judged by whom.
_ROLES = {
    "system": ("system", "sys", "systemid", "system_id", "sysid", "model", "model_id"),
    "segment": ("segment", "seg", "segid", "seg_id", "segment_id", "segmentid", "sent_id", "sentence"),
    "document": ("document", "doc", "docid", "doc_id", "document_id", "documentid"),
    "rater": ("rater", "judge", "annotator", "judgeid", "judge_id", "rater_id", "annotator_id", "evaluator"),
    "reference": ("reference", "ref", "refid", "ref_id", "referenceid", "reference_id"),
}
#: Grades that people give; a table is known by one of them.
_GRADES = (
    "adequacy", "fluency", "acceptability", "adequate", "fluent", "accuracy", "informativeness", "intelligibility",
    "fidelity", "comprehension", "coherence", "consistency", "relevance", "overall", "quality",
)  # fmt: skip
_RATER = re.compile(r"(?:rater|judge|annotator|evaluator|worker|human)[ _-]?\d+", re.IGNORECASE)
_NO_GRADE = ("NA", "N/A", "n/a", "nan", "NaN")
_WHAT = (
    "A table of grades has the columns system, document, segment, judge, and one per kind of grade: adequacy, fluency."
)


def _separator(head: str) -> str:
    return "\t" if "\t" in head.split("\n", 1)[0] else ","


def _recognises(name: str, head: str) -> bool:
    """A system, a segment or document, and a column that is called like a grade or a rater."""
    columns = [column.casefold() for column in header_of(head, _separator(head))]
    roles = {role for role, names in _ROLES.items() if any(column in names for column in columns)}
    graded = any(column in _GRADES or _RATER.fullmatch(column) for column in columns)
    return (
        name.endswith((".tsv", ".csv", ".txt"))
        and "system" in roles
        and bool(roles & {"segment", "document"})
        and graded
    )


def _read(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """One judgement per grade. Repeats are kept."""
    separator = _separator(read_head(path))
    table = read_table(path, separator, quoted=separator == ",", what=_WHAT, problems=problems)
    roles = _roles(path, table.header)
    names = [name for name in table.header if name not in roles.values()]
    if not names:
        raise InputError("no column of grades.", _WHAT, Place(path, 1))
    by_rater = all(_RATER.fullmatch(name) for name in names) and "rater" not in roles

    def graded(row: Row) -> tuple[places.Item, list[Judgement]]:
        """What a row is about, and its grades."""
        cells = {role: row.maybe(column) for role, column in roles.items()}
        number = None if cells.get("segment") is None else row.integer(roles["segment"], "segment")
        document, rater, grades = cells.get("document"), cells.get("rater"), []
        for name in names:
            grade = math.nan if row.raw(name).strip() in _NO_GRADE else row.number(name, f"grade {name!r}")
            if not math.isnan(grade):
                kind, judge = ("score", name) if by_rater else (name.casefold(), rater)
                system = row.needed(roles["system"], "system")
                against = cells.get("reference")
                grades.append(Judgement(system, None, grade, kind, judge, document, line=row.line, reference=against))
        return places.Item(row.line, number, number, document), grades

    rows = list(problems.each(table, graded))
    items = [item for item, _ in rows if item.overall is not None]
    documents: dict[int | None, str | None] = {}
    if campaign is None and any(documents.setdefault(one.overall, one.document) != one.document for one in items):
        # One number stands for segments of several documents.
        raise places.needs_campaign(path, "segments are numbered within documents")
    whole = (places.FROM_0, places.FROM_1) if roles.get("segment") == "segment" else (places.FROM_1, places.FROM_0)
    orders = (*whole, places.IN_DOCUMENT_1, places.IN_DOCUMENT_0)
    placed = iter(places.place_all(path, items, campaign, orders) if items else ())
    judgements = []
    for item, grades in rows:
        segment = None if item.overall is None else next(placed)
        judgements += [replace(grade, segment=segment) for grade in grades]
    return Judgements.of(judgements, path)


def _roles(path: str, header: Sequence[str]) -> dict[str, str]:
    """The column of each role."""
    roles: dict[str, str] = {}
    for role, names in _ROLES.items():
        columns = [column for column in header if column.casefold() in names]
        if len(columns) > 1:
            what = f"both {columns[0]!r} and {columns[1]!r} may be the {role}."
            raise InputError(what, "Rename one of them.", Place(path, 1))
        if columns:
            roles[role] = columns[0]
    if "system" not in roles:
        raise InputError("no column names the system.", _WHAT, Place(path, 1))
    return roles


def _write(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """A row per item and rater, a column per kind; repeats have rows of their own."""
    prepared(judgements, "adequacy-fluency", ("rater", "document", "reference", "kind"))
    taken = {"#", *(name for names in _ROLES.values() for name in names)}
    for kind in judgements.kinds:
        if kind[:1] in taken or kind.strip().casefold() in taken or not kind.strip():
            what = f"a column of grades cannot be called {shown(kind)}, which would mean something else."
            raise InputError(what, "Rename the kind.", Place(judgements.origin))
    rows: dict[tuple[Any, ...], dict[str, str]] = {}
    against = bool(judgements.reference.names)
    for one in judgements:
        item = (
            one.system, one.document or "-", "-" if one.segment is None else str(one.segment), one.rater or "-",
            *([one.reference or "-"] if against else []),
        )  # fmt: skip
        repeat = 0
        while one.kind in rows.setdefault((*item, repeat), {}):
            repeat += 1
        rows[*item, repeat][one.kind] = spell_number(one.score)
    header = ("system", "document", "segment", "rater", *(["reference"] if against else []), *judgements.kinds)
    cells = ((*item, *(grades.get(kind, "-") for kind in judgements.kinds)) for (*item, _), grades in rows.items())
    return {"": b"".join(spell_table([header, *cells]))}


FORMAT = JudgementFormat(_recognises, _read, _write)
