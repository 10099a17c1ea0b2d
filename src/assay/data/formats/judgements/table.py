"""Assay's own table of judgements: ``system, segment, document, rater, score, kind``, with tabs between.

Segments count from 0, higher scores are better, and ``-`` stands for what is not known. ``ranking`` is one more
column where scores are ranks; all others are kept as they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from assay.data.campaign import Campaign
from assay.data.factor import Factor
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.notes import say_losses
from assay.data.formats.lines import read_bytes, texts_of
from assay.data.judgements import Judgements
from assay.errors import InputError, nearest

NEEDED = ("system", "segment", "score")
KNOWN = ("system", "segment", "document", "rater", "score", "kind", "ranking")
#: What stands for nothing.
NOTHING = ("", "-")


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
    rows = [line.split("\t") for line in lines][1:]
    _check(path, header, rows)
    return _judgements(path, header, rows)


def _check(path: str, header: list[str], rows: list[list[str]]) -> None:
    """Refuse the first line that cannot be read; each distinct value is looked at once."""
    system, segment, score = (header.index(name) for name in NEEDED)
    segments: dict[str, bool] = {}
    scores: dict[str, bool] = {}
    for line, cells in enumerate(rows, start=2):
        if len(cells) != len(header):
            raise InputError(
                f"{path}, line {line}: {len(cells)} fields, but the header has {len(header)}. "
                "Every line has one field per column, with tabs between."
            )
        if cells[system] in NOTHING:
            raise InputError(f"{path}, line {line}, column {column_of(cells, system)}: no system is named.")
        if cells[segment] not in segments:
            segments[cells[segment]] = _segment(cells[segment]) is not None
        if not segments[cells[segment]]:
            raise InputError(
                f"{path}, line {line}, column {column_of(cells, segment)}: the segment is {cells[segment]!r}, but a "
                "number from 0 on is needed, or - for a judgement of a whole document or system."
            )
        if cells[score] not in scores:
            scores[cells[score]] = _score(cells[score]) is not None
        if not scores[cells[score]]:
            raise InputError(
                f"{path}, line {line}, column {column_of(cells, score)}: the score is {cells[score]!r}, but a number "
                "is needed, or - where there is none."
            )


def _judgements(path: str, header: list[str], rows: list[list[str]]) -> Judgements:
    """Column by column: a table may have many rows, and few distinct values."""
    columns = dict(zip(header, zip(*rows, strict=True), strict=True))
    nothing = ("-",) * len(rows)

    def names(column: str, default: str | None = None) -> Factor:
        return Factor.of(default if text in NOTHING else text for text in columns.get(column, nothing))

    segments = {text: _segment(text) for text in set(columns["segment"])}
    scores = {text: _score(text) for text in set(columns["score"])}
    return Judgements(
        origin=path,
        system=names("system"),
        segment=np.array([segments[text] for text in columns["segment"]], dtype=np.int64),
        score=np.array([scores[text] for text in columns["score"]], dtype=np.float64),
        kind=names("kind", "score"),
        rater=names("rater"),
        document=names("document"),
        ranking=names("ranking"),
        line=np.arange(2, len(rows) + 2),
        further={name: Factor.of(columns[name]) for name in header if name not in KNOWN},
    )


def column_of(cells: list[str], index: int) -> int:
    """At which character of the line a field begins, from 1."""
    return sum(len(cell) + 1 for cell in cells[:index]) + 1


def _segment(text: str) -> int | None:
    """The number of a segment, -1 where there is none; None where the text is neither."""
    if text in NOTHING:
        return -1
    return int(text) if text.isdecimal() and text.isascii() else None


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
    ranked = bool(judgements.ranking.names)
    header = ["system", "segment", "document", "rater", "score", "kind", *(["ranking"] if ranked else [])]
    further = [name for name in judgements.further if name not in header]
    lines = ["\t".join([*header, *further])]
    for one in judgements:
        cells = [
            one.system,
            "-" if one.segment is None else str(one.segment),
            one.document or "-",
            one.rater or "-",
            spell_score(one.score),
            one.kind,
            *([one.ranking or "-"] if ranked else []),
            *(one.further.get(name, "-") for name in further),
        ]
        lines.append("\t".join(" ".join(cell.split("\t")) for cell in cells))
    return ("\n".join(lines) + "\n").encode()


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
