"""TSV and CSV with a header: ``segment``, ``source``, ``reference`` or ``reference.<id>``, one column per system."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.formats.lines import read_bytes, texts_of
from assay.data.formats.roles import require_columns, role
from assay.data.texts import Texts
from assay.errors import InputError


def read_table(path: str | Path, separator: str) -> Campaign:
    """The campaign in a table. In TSV quotes are text; in CSV they quote."""
    name = str(path)
    lines = texts_of(read_bytes(path), name)
    rows = _tsv_rows(lines) if separator == "\t" else _csv_rows(lines, name)
    _, header = next(rows, (1, []))
    if not header:
        raise InputError(f"{name}: the file is empty; a header line is needed.")
    roles = [role(column.strip()) for column in header]
    require_columns(name, roles)
    cells: list[list[str]] = [[] for _ in header]
    for line, row in rows:
        if len(row) != len(header):
            raise InputError(
                f"{name}, line {line}: {len(row)} fields, but the header has {len(header)}. "
                "Every line has one field per column."
            )
        for cell, value in zip(cells, row, strict=True):
            cell.append(value)
    if not cells[0]:
        raise InputError(f"{name}: a header but no segments.")
    return campaign_of(name, dict(zip(roles, cells, strict=True)))


def campaign_of(name: str, cells: dict[tuple[str, str], list[str]]) -> Campaign:
    """A campaign out of columns by role."""

    def labels(kind: str) -> tuple[str, ...] | None:
        found = cells.get((kind, kind))
        return None if found is None else tuple(found)

    source = cells.get(("source", "source"))
    return Campaign(
        name=Path(name).name,
        systems={key: Texts.of(texts, f"{name}: {key}") for (kind, key), texts in cells.items() if kind == "system"},
        references={
            key: Texts.of(texts, f"{name}: reference {key}")
            for (kind, key), texts in cells.items()
            if kind == "reference"
        },
        source=None if source is None else Texts.of(source, f"{name}: source"),
        documents=labels("document"),
        domains=labels("domain"),
        segments=labels("segment"),
    )


def _tsv_rows(lines: Texts) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines, start=1):
        yield number, line.split("\t")


def _csv_rows(lines: Texts, name: str) -> Iterator[tuple[int, list[str]]]:
    text = lines.buffer.decode()
    # A lone carriage return ends no line here, but does for the csv module: one of the code points that are no
    # characters stands in for it.
    stand_in = next(chr(code) for code in range(0xFDD0, 0xFDF0) if chr(code) not in text)
    text = re.sub(r"\r(?!\n)", stand_in, text)
    limit = csv.field_size_limit(sys.maxsize)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            yield reader.line_num, [cell.replace(stand_in, "\r") for cell in row]
    except csv.Error as error:
        raise InputError(
            f"{name}, line {reader.line_num}: {error}. Quote fields that hold commas, quotes or line ends."
        ) from None
    finally:
        csv.field_size_limit(limit)
