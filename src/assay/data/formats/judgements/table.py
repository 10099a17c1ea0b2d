"""Assay's own table of judgements: ``system, segment, document, rater, score, kind``, with tabs between.

Segments count from 0, higher scores are better, and ``-`` stands for what is not known. ``ranking`` is one more
column where scores are ranks; all others are kept as they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.notes import say_losses
from assay.data.formats.lines import read_bytes, texts_of
from assay.data.judgements import Judgement, Judgements
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
    return Judgements.of(_rows(path, header, iter(lines)), path)


def _rows(path: str, header: list[str], lines: Iterator[str]) -> Iterator[Judgement]:
    next(lines)
    place = {name: header.index(name) for name in KNOWN if name in header}
    others = [(name, index) for index, name in enumerate(header) if name not in KNOWN]
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != len(header):
            raise InputError(
                f"{path}, line {number}: {len(cells)} fields, but the header has {len(header)}. "
                "Every line has one field per column, with tabs between."
            )

        def cell(name: str, cells: list[str] = cells) -> str | None:
            text = cells[place[name]] if name in place else "-"
            return None if text in NOTHING else text

        system = cell("system")
        if system is None:
            raise InputError(f"{path}, line {number}, column {column_of(cells, place['system'])}: no system is named.")
        yield Judgement(
            system=system,
            segment=_segment(path, number, cells, place["segment"]),
            score=_score(path, number, cells, place["score"]),
            kind=cell("kind") or "score",
            rater=cell("rater"),
            document=cell("document"),
            ranking=cell("ranking"),
            further={name: cells[index] for name, index in others},
            line=number,
        )


def column_of(cells: list[str], index: int) -> int:
    """At which character of the line a field begins, from 1."""
    return sum(len(cell) + 1 for cell in cells[:index]) + 1


def _segment(path: str, line: int, cells: list[str], index: int) -> int | None:
    text = cells[index]
    if text in NOTHING:
        return None
    if text.isdecimal() and text.isascii():
        return int(text)
    raise InputError(
        f"{path}, line {line}, column {column_of(cells, index)}: the segment is {text!r}, but a number from 0 on is "
        "needed, or - for a judgement of a whole document or system."
    )


def _score(path: str, line: int, cells: list[str], index: int) -> float:
    text = cells[index]
    if text in (*NOTHING, "None"):
        return math.nan
    try:
        score = float(text)
    except ValueError:
        score = math.inf
    if not math.isfinite(score):
        raise InputError(
            f"{path}, line {line}, column {column_of(cells, index)}: the score is {text!r}, but a number is needed, "
            "or - where there is none."
        )
    return score


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
