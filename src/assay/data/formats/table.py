"""TSV and CSV with a header: ``segment``, ``source``, ``reference`` or ``reference.<id>``, one column per system."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.formats.base import CampaignFormat, Files
from assay.data.formats.lines import read_bytes, texts_of
from assay.data.formats.losses import say_lost
from assay.data.formats.roles import require_columns, role, spelled
from assay.data.texts import Texts
from assay.errors import InputError


def read_table(path: str | Path, separator: str) -> Campaign:
    """The campaign in a table. In TSV quotes are text; in CSV they quote."""
    name = str(path)
    lines = texts_of(read_bytes(path), name)
    rows = tsv_rows(lines) if separator == "\t" else csv_rows(lines, name)
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
        columns={key: Texts.of(texts, f"{name}: {key}") for (kind, key), texts in cells.items() if kind == "column"},
    )


def columns_of(campaign: Campaign) -> dict[tuple[str, str], Iterable[str]]:
    """The texts of a campaign by role, in the order in which a table shows them."""
    labels = {"segment": campaign.segments, "document": campaign.documents, "domain": campaign.domains}
    cells: dict[tuple[str, str], Iterable[str]] = {
        (kind, kind): texts for kind, texts in labels.items() if texts is not None
    }
    cells |= {("column", name): texts for name, texts in campaign.columns.items()}
    if campaign.source is not None:
        cells["source", "source"] = campaign.source
    cells |= {("reference", name): texts for name, texts in campaign.references.items()}
    return cells | {("system", name): texts for name, texts in campaign.systems.items()}


def write_table(campaign: Campaign, path: str, separator: str) -> Files:
    """The table of a campaign; a reference that a segment lacks is an empty cell."""
    say_lost(campaign, path, "judgements", "absent")
    cells = columns_of(campaign)
    header = [spelled(*one) for one in cells]
    for name, one in zip(header, cells, strict=True):
        if role(name.strip()) != one or (separator == "\t" and re.search(r"[\t\n\r]", name)):
            raise InputError(
                f"{path}: the {one[0]} {one[1]!r} cannot be the name of a column. Write JSON Lines instead."
            )
    rows = zip(*cells.values(), strict=True)
    return {"": _written_csv(header, rows) if separator == "," else _written_tsv(header, rows, path)}


def _written_tsv(header: list[str], rows: Iterable[Sequence[str]], path: str) -> Iterator[bytes]:
    yield ("\t".join(header) + "\n").encode()
    for number, row in enumerate(rows):
        for name, cell in zip(header, row, strict=True):
            # A carriage return before the line end would be taken for a part of it.
            if "\t" in cell or "\n" in cell or (cell.endswith("\r") and name is header[-1]):
                what = "a tab" if "\t" in cell else "a line end"
                raise InputError(
                    f"{path}: segment {number} of {name} holds {what}, which TSV cannot. "
                    "Write CSV or JSON Lines instead."
                )
        yield ("\t".join(row) + "\n").encode()


def _written_csv(header: list[str], rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    yield _csv_line(header)
    for row in rows:
        yield _csv_line(row)


def _csv_line(cells: Sequence[str]) -> bytes:
    return (",".join(_csv_cell(cell) for cell in cells) + "\n").encode()


def _csv_cell(cell: str) -> str:
    """Quoted where it must be, and where it is empty: a line without anything would be no row."""
    if cell and not re.search(r'[",\r\n]|^\s|\s$', cell):
        return cell
    return '"' + cell.replace('"', '""') + '"'


def tsv_rows(lines: Texts) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line, with its number."""
    for number, line in enumerate(lines, start=1):
        yield number, line.split("\t")


def csv_rows(lines: Texts, name: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row, with the number of its last line."""
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


def _format(name: str, separator: str) -> CampaignFormat:
    return CampaignFormat(
        name,
        f"{name.upper()} with a header: segment, source, reference.<id>, and one column per system",
        lambda path, _pair: read_table(path, separator),
        lambda campaign, path, _pair: write_table(campaign, path, separator),
    )


FORMATS = (_format("tsv", "\t"), _format("csv", ","))
