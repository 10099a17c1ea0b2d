"""Assay's own table of judgements: ``system, segment, document, rater, score, kind``, with tabs between.

Segments count from 0, higher scores are better, and ``-`` stands for what is not known. ``ranking`` is one more
column where scores are ranks; all others are kept as they are.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.factor import Factor
from assay.data.formats.judgements.base import JudgementFormat, say_losses
from assay.data.judgements import Judgements
from assay.data.limits import LISTED, TOO_LARGE
from assay.data.problems import STRICT, Problems
from assay.data.tables import NOTHING, SEPARATOR, Row, read_table, spell_number, spell_table
from assay.errors import AssayWarning, InputError

NEEDED = ("system", "segment", "score")
DIGITS = len(str(TOO_LARGE))
KNOWN = ("system", "segment", "document", "rater", "score", "kind", "ranking")
WHAT = "A table of judgements has the columns system, segment, document, rater, score and kind, with tabs between."


def recognises(name: str, head: str) -> bool:
    """A TSV whose header has the needed columns."""
    columns = head.split("\n", 1)[0].rstrip("\r").split("\t")
    return name.endswith(".tsv") and set(NEEDED) <= set(columns)


def read(path: str, _campaign: Campaign | None = None, problems: Problems = STRICT) -> Judgements:
    """The judgements in a table, column by column: of a million lines no more than the distinct cells are kept."""
    table = read_table(path, needed=NEEDED, what=WHAT, bare=True, problems=problems)
    flaws: list[InputError] = []
    table.tell, table.remedy = flaws.append, "Every line has one field per column, with tabs between."
    names: list[dict[str, int]] = [{} for _ in table.header]
    codes: list[list[int]] = [[] for _ in table.header]
    lines: list[int] = []
    for numbers, cells in table.columns():
        lines.extend(numbers)
        for known, column, texts in zip(names, codes, cells, strict=True):
            column.extend([known.setdefault(text, len(known)) for text in texts])
    factors = [
        Factor(tuple(known), np.array(column, dtype=np.int64)) for known, column in zip(names, codes, strict=True)
    ]
    columns, line = dict(zip(table.header, factors, strict=True)), np.array(lines, dtype=np.int64)
    bad = _bad_rows(columns)
    flaws += [_flaw(path, int(line[row]), columns, int(row)) for row in np.flatnonzero(bad)[: LISTED + 1]]
    for flaw in sorted(flaws, key=lambda error: error.place.line if error.place and error.place.line else 0):
        problems.add(flaw)
    if bad.any():
        columns, line = {name: column.only(~bad) for name, column in columns.items()}, line[~bad]
    return _judgements(path, columns, line)


def _segment(text: str) -> int | None:
    """The number of a segment, -1 where there is none; None where the text is neither."""
    if text in NOTHING:
        return -1
    number = int(text) if len(text) <= DIGITS and text.isdecimal() and text.isascii() else TOO_LARGE
    return number if number < TOO_LARGE else None


def _score(text: str) -> float | None:
    """A score, NaN where there is none; None where the text is neither."""
    if text in (*NOTHING, "None"):
        return math.nan
    try:
        score = float(text)
    except ValueError:
        return None
    return score if math.isfinite(score) else None


#: What a cell must be, and what is said of one that is not.
READABLE: dict[str, tuple[Callable[[str], bool], str]] = {
    "system": (lambda text: text not in NOTHING, "no system is named"),
    "segment": (
        lambda text: _segment(text) is not None,
        "the segment is {!r}, but a number from 0 on is needed, or - for a judgement of a whole document or system",
    ),
    "score": (
        lambda text: _score(text) is not None,
        "the score is {!r}, but a number is needed, or - where there is none",
    ),
}


def _bad_rows(columns: Mapping[str, Factor]) -> NDArray[np.bool_]:
    """Which rows cannot be read; each distinct cell is looked at once."""
    bad = np.zeros(len(columns["system"]), dtype=np.bool_)
    for name, (sound, _) in READABLE.items():
        wrong = [code for code, text in enumerate(columns[name].names) if not sound(text)]
        if wrong:
            bad |= np.isin(columns[name].codes, wrong)
    return bad


def _flaw(path: str, line: int, columns: Mapping[str, Factor], row: int) -> InputError:
    """What is wrong with the first cell of a row that cannot be read."""
    cells = [str(column[row]) for column in columns.values()]
    found = Row(path, line, cells, {name: index for index, name in enumerate(columns)})
    name, reason = next((name, reason) for name, (sound, reason) in READABLE.items() if not sound(found.raw(name)))
    return found.flaw(name, reason.format(found.raw(name)))


def _judgements(path: str, columns: Mapping[str, Factor], line: NDArray[np.int64]) -> Judgements:
    nothing = Factor((), np.full(len(line), -1, dtype=np.int64))

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
        line=line,
        further={
            name: column.renamed(lambda text: None if text == "-" else text)
            for name, column in columns.items()
            if name not in KNOWN
        },
    )


def write(judgements: Judgements, _campaign: Campaign | None = None) -> Mapping[str, bytes]:
    """The table; spans of errors have no place in it, which is said."""
    say_losses(judgements, "assay", ("rater", "document", "ranking", "kind", "further"))
    return {"": content(judgements)}


def content(judgements: Judgements) -> bytes:
    """The table as it stands in a file."""
    columns: dict[str, list[str]] = {
        "system": _cells(judgements.system),
        "segment": ["-" if segment < 0 else str(segment) for segment in judgements.segment.tolist()],
        "document": _cells(judgements.document),
        "rater": _cells(judgements.rater),
        "score": [spell_number(score) for score in judgements.score.tolist()],
        "kind": _cells(judgements.kind),
    }
    if judgements.ranking.names:
        columns["ranking"] = _cells(judgements.ranking)
    for name, column in judgements.further.items():
        columns.setdefault(SEPARATOR.sub(" ", name), _cells(column))
    _say_blanks(judgements)
    return b"".join(spell_table([tuple(columns), *zip(*columns.values(), strict=True)]))


def _cells(column: Factor) -> list[str]:
    names = [*column.names, "-"]
    return [names[code] for code in column.codes.tolist()]


def _say_blanks(judgements: Judgements) -> None:
    """One note with how many texts hold what ends a cell or a line."""
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


FORMAT = JudgementFormat(
    "assay", "Assay's table: system, segment, document, rater, score, kind", recognises, read, write
)
