"""Tables of metric scores with a header, TSV or CSV.

Long: ``metric, system, segment, score``, where ``segment`` may also be ``document`` or ``domain``, or be left out for
scores of systems, and ``metric`` may be left out for the file's name. Wide: no ``score``, and one column per metric.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.formats import format_by_ending
from assay.data.formats.compression import plain_name
from assay.data.formats.judgements.table import spell_score
from assay.data.formats.lines import read_bytes, texts_of
from assay.data.formats.scores.collected import NOTHING, Collected, score_of, unit_of
from assay.data.formats.table import csv_rows, tsv_rows
from assay.errors import InputError

UNITS = {"segment": "segments", "document": "documents", "domain": "domains"}
#: Columns that say what a score is of, whatever else is there.
KNOWN = ("metric", "system", "score", *UNITS)


def read_score_table(path: str | Path, campaign: Campaign, *, higher_is_better: bool = True) -> list[ExternalScores]:
    """The scores of a table."""
    name = str(path)
    lines = texts_of(read_bytes(path), name)
    rows = csv_rows(lines, name) if format_by_ending(path) == "csv" else tsv_rows(lines)
    header = [column.strip() for column in next(rows, (1, []))[1]]
    _check_header(name, header)
    metrics = [column for column in header if column not in KNOWN] if "score" not in header else []
    collected = Collected(name, campaign, higher_is_better)
    own = Path(plain_name(path)).stem
    numbers = _Segments(campaign)
    for line, cells in rows:
        if len(cells) != len(header):
            raise InputError(
                f"{name}, line {line}: {len(cells)} fields, but the header has {len(header)}. "
                "Every line has one field per column."
            )
        row = dict(zip(header, cells, strict=True))
        level, unit = _unit(row, campaign, numbers, f"{name}, line {line}")
        for metric, text in [(one, row[one]) for one in metrics] or [(row.get("metric", own), row["score"])]:
            collected.add((level, metric, row["system"], unit), score_of(text, f"{name}, line {line}"), line)
    return collected.finish()


def _check_header(name: str, header: list[str]) -> None:
    if "system" not in header:
        raise InputError(
            f"{name}, line 1: no column 'system'. A table of scores has the columns metric, system, segment and score, "
            "or system, segment and one column per metric."
        )
    twice = next((column for column in header if header.count(column) > 1), None)
    if twice is not None:
        raise InputError(f"{name}, line 1: two columns are called {twice!r}. Give each its own name.")
    if "score" not in header and not set(header) - set(KNOWN):
        raise InputError(f"{name}, line 1: neither a column 'score' nor one column per metric.")


def _unit(row: dict[str, str], campaign: Campaign, numbers: _Segments, place: str) -> tuple[str, int | str]:
    """The level and what the score is of."""
    given = {column: row[column] for column in UNITS if column in row and row[column].strip() not in NOTHING}
    if "segment" in given:
        return "segments", numbers.number(given["segment"], place)
    if "document" in given:
        return "documents", unit_of(campaign.documents, given["document"], "document", place)
    if "domain" in given:
        return "domains", unit_of(campaign.domains, given["domain"], "domain", place)
    return "systems", ""


class _Segments:
    """Segments by their names, if they have names, or else by their numbers."""

    def __init__(self, campaign: Campaign) -> None:
        names = campaign.segment_names()
        self.numbers = {name: number for number, name in enumerate(names)}
        self.count = len(names)
        self.distinct = len(self.numbers) == len(names)

    def number(self, text: str, place: str) -> int:
        if self.distinct and text in self.numbers:
            return self.numbers[text]
        if text.isascii() and text.isdecimal() and int(text) < self.count:
            return int(text)
        raise InputError(
            f"{place}: the segment is {text!r}, but the campaign has {self.count} segments, "
            f"numbered from 0 to {self.count - 1}{', or known by name' if self.distinct else ''}."
        )


def write_score_table(scores: Iterable[ExternalScores], campaign: Campaign) -> bytes:
    """A long TSV of all levels; a score that is missing is ``-``."""
    listed = list(scores)
    columns = [column for column, level in UNITS.items() if any(level in one.levels for one in listed)]
    lines = [["metric", "system", *columns, "score"]]
    for one in listed:
        for system, found, value in _items(one, campaign.segment_names()):
            lines.append([one.name, system, *(found.get(column, "-") for column in columns), spell_score(value)])
    return "".join("\t".join(cells) + "\n" for cells in lines).encode()


def _items(one: ExternalScores, names: Sequence[str]) -> Iterator[tuple[str, dict[str, str], float]]:
    for system, values in (one.segments or {}).items():
        for name, value in zip(names, values.tolist(), strict=True):
            yield system, {"segment": name}, value
    for column, groups in (("document", one.documents), ("domain", one.domains)):
        for system, by_name in (groups or {}).items():
            for name, value in by_name.items():
                yield system, {column: name}, float(value)
    for system, value in (one.systems or {}).items():
        yield system, {}, float(np.float64(value))
