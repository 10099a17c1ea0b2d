"""Assay's own formats of judgements: a table, and with nothing lost JSON Lines and Parquet.

``system, segment, document, rater, score, kind``, with tabs between: segments count from 0, higher scores are better,
and ``-`` stands for what is not known. ``ranking`` is one more column where scores are ranks, ``reference`` where it is
known which reference raters judged against; all others are kept as they are.

``{"system": "A", "segment": 0, "score": -5.0, "kind": "mqm", "rater": "r1", "spans": [{"severity": "major", ...}]}``:
JSON Lines has one object per judgement; keys are those of the table, ``spans`` are marked errors, and other keys are
kept as further columns. Parquet has the same columns, ``spans`` as JSON, further columns as text, and needs the extra
``parquet``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat, error_objects, prepared
from assay.data.json_lines import (
    TOO_LARGE,
    decoded_json,
    first_object,
    is_position,
    json_number,
    json_text,
    read_objects,
    refuse_surrogates,
    spell_objects,
)
from assay.data.judgements import ErrorSpan, Factor, Judgement, Judgements
from assay.data.problems import LISTED, Problems, note
from assay.data.tables import (
    NOTHING,
    SEPARATOR,
    Row,
    finite,
    read_arrow,
    read_table,
    spell_arrow,
    spell_number,
    spell_table,
)
from assay.errors import InputError, Place, shown

_DIGITS = len(str(TOO_LARGE))
_KNOWN = ("system", "segment", "score", "kind", "rater", "document", "ranking", "reference", "spans")
_WHAT = "A table of judgements has the columns system, segment, document, rater, score and kind, with tabs between."
_OBJECT = 'A line is one judgement, for example {"system": "A", "segment": 0, "score": 80, "kind": "da"}.'


def _segment(text: str) -> float | None:
    """The number of a segment, -1 where there is none; None where the text is neither."""
    if text in NOTHING:
        return -1
    number = int(text) if len(text) <= _DIGITS and text.isdecimal() and text.isascii() else TOO_LARGE
    return number if number < TOO_LARGE else None


#: The number that a needed cell says (any, where it is a name), None if that cannot be, and what is said then.
_NEEDED: dict[str, tuple[Callable[[str], float | None], str]] = {
    "system": (lambda text: None if text in NOTHING else 0, "no system is named"),
    "segment": (
        _segment,
        "the segment is {}, but a number from 0 on is needed, or - for a judgement of a whole document or system",
    ),
    "score": (
        lambda text: math.nan if text in (*NOTHING, "None") else finite(text),
        "the score is {}, but a number is needed, or - where there is none",
    ),
}


def read(path: str, _campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements in a table, column by column: of a million lines no more than the distinct cells are kept."""
    table = read_table(path, needed=tuple(_NEEDED), what=_WHAT, bare=True, problems=problems)
    flaws: list[InputError] = []
    table.tell, table.remedy = flaws.append, "Every line has one field per column, with tabs between."
    names: list[dict[str, int]] = [{} for _ in table.header]
    codes: list[list[int]] = [[] for _ in table.header]
    lines: list[int] = []
    for numbers, cells in table.columns():
        lines.extend(numbers)
        for known, column, texts in zip(names, codes, cells, strict=True):
            column.extend([known.setdefault(text, len(known)) for text in texts])
    columns = {
        name: Factor(tuple(known), np.array(column, dtype=np.int64))
        for name, known, column in zip(table.header, names, codes, strict=True)
    }
    sound = np.ones(len(lines), dtype=np.bool_)
    values = {}
    for name, (convert, complaint) in _NEEDED.items():
        # Each distinct cell is looked at once.
        converted = [convert(text) for text in columns[name].names]
        wrong = sound & np.array([value is None for value in converted], dtype=np.bool_)[columns[name].codes]
        for row in np.flatnonzero(wrong)[: LISTED + 1].tolist():
            texts = [str(column[row]) for column in columns.values()]
            line = Row(path, lines[row], texts, {column: index for index, column in enumerate(columns)})
            flaws.append(line.flaw(name, complaint.format(shown(line.raw(name)))))
        sound &= ~wrong
        values[name] = np.array([value or 0 for value in converted], dtype=np.float64)[columns[name].codes]
    for flaw in sorted(flaws, key=lambda error: error.place.line if error.place and error.place.line else 0):
        problems.add(flaw)
    nothing = Factor(("-",), np.zeros(len(lines), dtype=np.int64))
    named: dict[str, Any] = {
        name: columns.get(name, nothing).renamed(lambda text: None if text in NOTHING else text)
        for name in ("system", "rater", "document", "ranking", "reference")
    }
    judgements = Judgements(
        origin=path,
        **named,
        segment=values["segment"].astype(np.int64),
        score=values["score"],
        kind=columns.get("kind", nothing).renamed(lambda text: "score" if text in NOTHING else text),
        line=np.array(lines, dtype=np.int64),
        further={
            name: column.renamed(lambda text: None if text == "-" else text)
            for name, column in columns.items()
            if name not in _KNOWN or name == "spans"
        },
    )
    return judgements if sound.all() else judgements.only(sound)


def _write(judgements: Judgements, _campaign: Campaign | None = None) -> Mapping[str, bytes]:
    """The table; spans of errors have no place in it, which is said."""
    prepared(judgements, "assay", ("rater", "document", "ranking", "reference", "kind", "further"))
    return {"": content(judgements)}


def content(judgements: Judgements) -> bytes:
    """The table as it stands in a file; how many texts hold what ends a cell or a line is said."""
    columns: dict[str, Iterable[str | None]] = {
        "system": judgements.system,
        "segment": [None if segment < 0 else str(segment) for segment in judgements.segment.tolist()],
        "document": judgements.document,
        "rater": judgements.rater,
        "score": [spell_number(score) for score in judgements.score.tolist()],
        "kind": judgements.kind,
    }
    if judgements.ranking.names:
        columns["ranking"] = judgements.ranking
    if judgements.reference.names:
        columns["reference"] = judgements.reference
    for name, further in judgements.further.items():
        columns.setdefault(SEPARATOR.sub(" ", name), further)
    count = 0
    for column in columns.values():
        if isinstance(column, Factor):
            count += int(column.holds(filter(SEPARATOR.search, column.names)).sum())
    if count:
        note(f"A table has no place for tabs and line ends: blanks stand for them in {count} fields.")
    cells = [["-" if text is None else text for text in column] for column in columns.values()]
    return b"".join(spell_table([tuple(columns), *zip(*cells, strict=True)]))


def _read_json_lines(path: str, _campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements. Repeats are kept."""
    return Judgements.of(problems.each(read_objects(path, _OBJECT, problems), _judgement), path)


def _judgement(placed: tuple[Place, Mapping[str, Any]]) -> Judgement:
    """The judgement that an object is."""
    place, value = placed
    system, segment = json_text(value.get("system"), place, "system"), value.get("segment")
    if system is None:
        raise InputError("no system is named.", _OBJECT, place)
    if "score" not in value:
        raise InputError("no score; null stands for none.", _OBJECT, place)
    if segment is not None and not is_position(segment):
        raise InputError(f"segment is {segment!r}, but a number from 0 on is needed, or null for none.", place=place)
    spans = value.get("spans")
    kind, rater, document, ranking, reference = (
        json_text(value.get(key), place, key) for key in ("kind", "rater", "document", "ranking", "reference")
    )
    return Judgement(
        system,
        segment,
        json_number(value["score"], place, "score"),
        kind or "score",
        rater,
        document,
        ranking,
        None if spans is None else tuple(_span(one, place) for one in error_objects(spans, place, "spans")),
        {
            key: refuse_surrogates(
                text if isinstance(text, str) else json.dumps(text, ensure_ascii=False, default=str), place
            )
            for key, text in value.items()
            if key not in _KNOWN and text is not None
        },
        place.line or 0,
        reference,
    )


def _span(value: Mapping[str, Any], place: Place) -> ErrorSpan:
    severity = json_text(value.get("severity"), place, "severity")
    if severity is None:
        raise InputError("an error without a severity.", place=place)
    start, end = value.get("start"), value.get("end")
    between = f"an error from {start!r} to {end!r}"
    if not all(one is None or is_position(one) for one in (start, end)):
        raise InputError(f"{between}, but numbers of characters are needed.", place=place)
    if (start is None) != (end is None) or (start is not None and end is not None and end < start):
        raise InputError(f"{between}.", "It needs both ends, in their order, or none.", place)
    weight = value.get("weight")
    return ErrorSpan(
        severity,
        json_text(value.get("category"), place, "category") or "",
        start,
        end,
        in_source=bool(value.get("in_source", False)),
        weight=None if weight is None else json_number(weight, place, "weight"),
    )


def _write_json_lines(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """All there is."""
    return {"": b"".join(spell_objects(map(_object, judgements)))}


def _object(judgement: Judgement) -> dict[str, Any]:
    """A judgement as an object; what is not known is left out."""
    value = {key: getattr(judgement, key) for key in _KNOWN}
    value |= {key: text for key, text in judgement.further.items() if key not in _KNOWN}
    value["score"] = None if math.isnan(judgement.score) else judgement.score
    if judgement.spans is not None:
        value["spans"] = [
            {key: item for key, item in vars(span).items() if item is not None and item is not False and item != ""}
            for span in judgement.spans
        ]
    needed = ("system", "segment", "score", "kind")
    return {key: item for key, item in value.items() if item is not None or key in needed}


def _read_parquet(path: str, _campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements. Repeats are kept; errors name the row as a line."""
    table = read_arrow(path, nested=("spans",))
    if not {"system", "score"} <= set(table.column_names):
        what = f"the columns system and score are needed, but it has {', '.join(table.column_names)}."
        raise InputError(what, place=Place(path))
    if table.num_rows == 0:
        raise InputError("no judgements in it.", place=Place(path))

    def judgement(numbered: tuple[int, dict[str, Any]]) -> Judgement:
        place, row = Place(path, numbered[0]), numbered[1]
        if isinstance(row.get("spans"), str):
            try:
                row["spans"] = decoded_json(row["spans"])
            except ValueError as error:
                raise InputError(f"spans is not JSON ({error}).", place=place) from None
        return _judgement((place, row))

    return Judgements.of(problems.each(enumerate(table.to_pylist(), start=1), judgement), path)


def _write_parquet(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """All there is."""
    rows = [_object(one) for one in judgements]
    for row in rows:
        if "spans" in row:
            row["spans"] = json.dumps(row["spans"], ensure_ascii=False)
    known = [name for name in _KNOWN if name != "reference" or judgements.reference.names]
    names = dict.fromkeys([*known, *judgements.further])
    types = {"segment": "int64", "score": "float64"}
    columns = {name: ([row.get(name) for row in rows], types.get(name, "string")) for name in names}
    return {"": spell_arrow(columns)}


FORMAT = JudgementFormat(
    lambda name, head: name.endswith(".tsv") and _NEEDED.keys() <= {*head.split("\n", 1)[0].rstrip("\r").split("\t")},
    read,
    _write,
)
JSONL = JudgementFormat(
    lambda name, head: name.endswith((".jsonl", ".json")) and {"system", "score"} <= first_object(head).keys(),
    _read_json_lines,
    _write_json_lines,
)
PARQUET = JudgementFormat(lambda name, _head: name.endswith(".parquet"), _read_parquet, _write_parquet)
