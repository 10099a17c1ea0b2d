"""Assay's own table of judgements: ``system, segment, document, rater, score, kind``, with tabs between.

Segments count from 0, higher scores are better, and ``-`` stands for what is not known. ``ranking`` is one more
column where scores are ranks; all others are kept as they are.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Mapping
from itertools import islice

import numpy as np

from assay.data.campaign import Campaign
from assay.data.factor import Factor
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.notes import say_losses
from assay.data.formats.lines import read_bytes, texts_of
from assay.data.judgements import Judgements
from assay.data.texts import Texts
from assay.errors import AssayWarning, InputError, nearest

NEEDED = ("system", "segment", "score")
KNOWN = ("system", "segment", "document", "rater", "score", "kind", "ranking")
#: What stands for nothing.
NOTHING = ("", "-")
#: No number of a segment has more.
DIGITS = 10
#: What ends a field or a line.
SEPARATOR = re.compile(r"[\t\n\r]")


def recognises(name: str, head: str) -> bool:
    """A TSV whose header has the needed columns."""
    columns = head.split("\n", 1)[0].rstrip("\r").split("\t")
    return name.endswith(".tsv") and set(NEEDED) <= set(columns)


def read(path: str, campaign: Campaign | None = None) -> Judgements:  # noqa: ARG001 - segments have numbers
    """The judgements in a table."""
    lines = texts_of(read_bytes(path), path)
    header = [column.strip() for column in lines[0].split("\t")] if len(lines) else []
    for column in NEEDED:
        if column not in header:
            near = nearest(column, header)
            guess = f" Did you mean it by {near!r}?" if near else ""
            raise InputError(
                f"{path}, line 1: no column {column!r}.{guess} A table of judgements has the columns "
                "system, segment, document, rater, score and kind, with tabs between."
            )
    twice = next((column for column in header if header.count(column) > 1), None)
    if twice is not None:
        raise InputError(f"{path}, line 1: two columns are called {twice!r}. Give each its own name.")
    if len(lines) == 1:
        raise InputError(f"{path}: a header but no judgements.")
    columns, odd = _distinct(header, lines)
    _check(path, header, columns)
    if odd is not None:
        line = len(columns[header[0]].codes) + 2
        raise InputError(
            f"{path}, line {line}: {len(odd)} fields, but the header has {len(header)}. "
            "Every line has one field per column, with tabs between."
        )
    return _judgements(path, header, columns)


def _distinct(header: list[str], lines: Texts) -> tuple[dict[str, Factor], list[str] | None]:
    """The columns, and the fields of the first line that has too few or too many, where they end.

    Of a million lines no more than the distinct fields are kept.
    """
    numbers: list[dict[str, int]] = [{} for _ in header]
    codes: list[list[int]] = [[] for _ in header]
    odd = None
    for line in islice(lines, 1, None):
        cells = line.split("\t")
        if len(cells) != len(header):
            odd = cells
            break
        for known, column, cell in zip(numbers, codes, cells, strict=True):
            column.append(known.setdefault(cell, len(known)))
    factors = [
        Factor(tuple(known), np.array(column, dtype=np.int64)) for known, column in zip(numbers, codes, strict=True)
    ]
    return dict(zip(header, factors, strict=True)), odd


def _check(path: str, header: list[str], columns: Mapping[str, Factor]) -> None:
    """Refuse the first line that cannot be read; each distinct value is looked at once."""
    readable: dict[str, Callable[[str], bool]] = {
        "system": lambda text: text not in NOTHING,
        "segment": lambda text: _segment(text) is not None,
        "score": lambda text: _score(text) is not None,
    }
    bad = {
        name: np.isin(columns[name].codes, [code for code, text in enumerate(columns[name].names) if not sound(text)])
        for name, sound in readable.items()
    }
    rows = np.flatnonzero(np.logical_or.reduce(list(bad.values())))
    if not len(rows):
        return
    row = int(rows[0])
    cells = [columns[name].names[columns[name].codes[row]] for name in header]
    name = next(name for name in readable if bad[name][row])
    text = cells[header.index(name)]
    reasons = {
        "system": "no system is named",
        "segment": f"the segment is {text!r}, but a number from 0 on is needed, or - for a judgement of a whole "
        "document or system",
        "score": f"the score is {text!r}, but a number is needed, or - where there is none",
    }
    raise InputError(f"{path}, line {row + 2}, column {column_of(cells, header.index(name))}: {reasons[name]}.")


def _judgements(path: str, header: list[str], columns: Mapping[str, Factor]) -> Judgements:
    """Column by column: a table may have many rows, and few distinct values."""
    count = len(columns["system"])
    nothing = Factor((), np.full(count, -1, dtype=np.int64))

    def names(column: str, default: str | None = None) -> Factor:
        found = columns.get(column, nothing)
        return found.renamed(lambda text: default if text is None or text in NOTHING else text)

    segment, score = columns["segment"], columns["score"]
    return Judgements(
        origin=path,
        system=names("system"),
        segment=np.array([_segment(text) for text in segment.names], dtype=np.int64)[segment.codes],
        score=np.array([_score(text) for text in score.names], dtype=np.float64)[score.codes],
        kind=names("kind", "score"),
        rater=names("rater"),
        document=names("document"),
        ranking=names("ranking"),
        line=np.arange(2, count + 2),
        further={
            name: columns[name].renamed(lambda text: None if text == "-" else text)
            for name in header
            if name not in KNOWN
        },
    )


def column_of(cells: list[str], index: int) -> int:
    """At which character of the line a field begins, from 1."""
    return sum(len(cell) + 1 for cell in cells[:index]) + 1


def _segment(text: str) -> int | None:
    """The number of a segment, -1 where there is none; None where the text is neither."""
    if text in NOTHING:
        return -1
    return int(text) if text.isdecimal() and text.isascii() and len(text) <= DIGITS else None


def _score(text: str) -> float | None:
    """A score, NaN where there is none; None where the text is neither."""
    if text in (*NOTHING, "None"):
        return math.nan
    try:
        score = float(text)
    except ValueError:
        return None
    return score if math.isfinite(score) else None


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:  # noqa: ARG001
    """The table; spans of errors have no place in it, which is said."""
    say_losses(judgements, "assay", ("rater", "document", "ranking", "kind", "further"))
    return {"": content(judgements)}


def content(judgements: Judgements) -> bytes:
    """The table as it stands in a file."""
    segments = judgements.segment.tolist()
    columns: dict[str, list[str]] = {
        "system": _cells(judgements.system),
        "segment": ["-" if segment < 0 else str(segment) for segment in segments],
        "document": _cells(judgements.document),
        "rater": _cells(judgements.rater),
        "score": [spell_score(score) for score in judgements.score.tolist()],
        "kind": _cells(judgements.kind),
    }
    if judgements.ranking.names:
        columns["ranking"] = _cells(judgements.ranking)
    for name, column in judgements.further.items():
        columns.setdefault(_field(name), _cells(column))
    lines = ["\t".join(columns), *map("\t".join, zip(*columns.values(), strict=True))]
    _say_blanks(judgements)
    return ("\n".join(lines) + "\n").encode()


def _cells(column: Factor) -> list[str]:
    names = [*map(_field, column.names), "-"]
    return [names[code] for code in column.codes.tolist()]


def _field(text: str) -> str:
    """A text without what ends a field or a line."""
    return SEPARATOR.sub(" ", text)


def _say_blanks(judgements: Judgements) -> None:
    """One note with how many texts hold what ends a field or a line."""
    columns = (judgements.system, judgements.document, judgements.rater, judgements.kind, judgements.ranking)
    count = 0
    for column in (*columns, *judgements.further.values()):
        odd = [code for code, name in enumerate(column.names) if SEPARATOR.search(name)]
        count += int(np.isin(column.codes, odd).sum())
    if count:
        warnings.warn(
            f"A table has no place for tabs and line ends: blanks stand for them in {count} fields.",
            AssayWarning,
            stacklevel=3,
        )


def spell_score(score: float) -> str:
    """A score as it is read back to the last bit; whole numbers without a point.

    >>> spell_score(-5.0), spell_score(0.1), spell_score(float("nan"))
    ('-5', '0.1', '-')
    """
    if math.isnan(score):
        return "-"
    return str(int(score)) if score.is_integer() and abs(score) < 1e15 else repr(score)


FORMAT = JudgementFormat(
    "assay", "Assay's table: system, segment, document, rater, score, kind", recognises, read, write
)
