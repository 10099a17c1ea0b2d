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

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.cells import Row, header_of, header_rows, lines_of
from assay.data.formats.judgements.parts.notes import say_losses
from assay.data.formats.judgements.parts.placing import FROM_0, FROM_1, IN_DOCUMENT_0, IN_DOCUMENT_1, Item, place_all
from assay.data.formats.judgements.table import spell_score
from assay.data.judgements import Judgement, Judgements
from assay.errors import InputError

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


def _separator(line: str) -> str:
    return "\t" if "\t" in line else ","


def recognises(name: str, head: str) -> bool:
    """A system, a segment or document, and a column that is called like a grade or a rater."""
    columns = [column.casefold() for column in header_of(head, _separator(head.split("\n", 1)[0]))]
    roles = {role for role, names in ROLES.items() if any(column in names for column in columns)}
    graded = any(column in GRADES or RATER.fullmatch(column) for column in columns)
    return (
        name.endswith((".tsv", ".csv", ".txt"))
        and "system" in roles
        and bool(roles & {"segment", "document"})
        and graded
    )


def read(path: str, campaign: Campaign | None = None) -> Judgements:
    """One judgement per grade. Repeats are kept."""
    separator = _separator(next(lines_of(path), ""))
    header, rows = header_rows(path, separator, quoted=separator == ",", what=WHAT)
    roles = _roles(path, header)
    grades = [name for name in header if name not in roles.values()]
    if not grades:
        raise InputError(f"{path}, line 1: no column of grades. {WHAT}")
    found = list(rows)
    segments = _segments(path, found, roles, campaign)
    return Judgements.of(_judgements(found, segments, roles, grades), path)


def _roles(path: str, header: Sequence[str]) -> dict[str, str]:
    """The column of each role."""
    roles: dict[str, str] = {}
    for role, names in ROLES.items():
        columns = [column for column in header if column.casefold() in names]
        if len(columns) > 1:
            raise InputError(
                f"{path}, line 1: both {columns[0]!r} and {columns[1]!r} may be the {role}. Rename one of them."
            )
        if columns:
            roles[role] = columns[0]
    if "system" not in roles:
        raise InputError(f"{path}, line 1: no column names the system. {WHAT}")
    return roles


def _segments(path: str, rows: list[Row], roles: Mapping[str, str], campaign: Campaign | None) -> list[int | None]:
    if "segment" not in roles:
        return [None] * len(rows)
    column = roles["segment"]
    of_segments = [row for row in rows if row.maybe(column) is not None]
    items = []
    for row in of_segments:
        number = row.integer(column, "segment")
        items.append(Item(row.line, number, number, row.maybe(roles["document"]) if "document" in roles else None))
    whole = (FROM_0, FROM_1) if column == "segment" else (FROM_1, FROM_0)
    if campaign is None and _restarts(items):
        raise InputError(
            f"{path}: segments are numbered within documents, so the campaign is needed to know which is which. "
            " Give the campaign with it."
        )
    placed = iter(place_all(path, items, campaign, (*whole, IN_DOCUMENT_1, IN_DOCUMENT_0)))
    return [next(placed) if row.maybe(column) is not None else None for row in rows]


def _restarts(items: list[Item]) -> bool:
    """Whether one number stands for segments of several documents."""
    documents: dict[int | None, str | None] = {}
    return any(documents.setdefault(item.overall, item.document) != item.document for item in items)


def _judgements(
    rows: list[Row], segments: list[int | None], roles: Mapping[str, str], grades: list[str]
) -> Iterator[Judgement]:
    by_rater = all(RATER.fullmatch(name) for name in grades) and "rater" not in roles
    for row, segment in zip(rows, segments, strict=True):
        for name in grades:
            if row.raw(name).strip() in NO_GRADE:
                continue
            grade = row.number(name, f"grade {name!r}")
            if math.isnan(grade):
                continue
            yield Judgement(
                row.needed(roles["system"], "system"),
                segment,
                grade,
                "score" if by_rater else name.casefold(),
                name if by_rater else row.maybe(roles["rater"]) if "rater" in roles else None,
                row.maybe(roles["document"]) if "document" in roles else None,
                line=row.line,
            )


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:  # noqa: ARG001
    """A row per item and rater, a column per kind; repeats have rows of their own."""
    say_losses(judgements, "adequacy-fluency", ("rater", "document", "kind"))
    rows: dict[tuple[str, str, str, str, int], dict[str, str]] = {}
    for one in judgements:
        item = (one.system, one.document or "-", "-" if one.segment is None else str(one.segment), one.rater or "-")
        repeat = 0
        while one.kind in rows.setdefault((*item, repeat), {}):
            repeat += 1
        rows[*item, repeat][one.kind] = spell_score(one.score)
    lines = ["\t".join(["system", "document", "segment", "rater", *judgements.kinds])]
    for (system, document, segment, rater, _), grades in rows.items():
        cells = [system, document, segment, rater, *(grades.get(kind, "-") for kind in judgements.kinds)]
        lines.append("\t".join(" ".join(cell.split("\t")) for cell in cells))
    return {"": ("\n".join(lines) + "\n").encode()}


FORMAT = JudgementFormat(
    "adequacy-fluency", "grades side by side: adequacy, fluency, one column each", recognises, read, write
)
