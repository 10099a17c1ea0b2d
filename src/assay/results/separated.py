"""One table as TSV or CSV: a header, numbers in full precision, nothing as an empty field."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

from assay.results.rendering import Look, Style, one_table
from assay.results.result import Result
from assay.results.visible import visible

#: What makes a spreadsheet run a cell.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def tsv(result: Result, look: Look) -> str:
    """Tabs between fields, quotes are text; a tab or line end inside a field becomes a space."""
    lines = _lines(result, look)
    return "".join("\t".join(visible(re.sub(r"[\t\r\n]", " ", cell)) for cell in line) + "\n" for line in lines)


def _comma_separated(result: Result, look: Look) -> str:
    """As RFC 4180 has it: quotes where they are needed, lines that end in CR LF."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for line in _lines(result, look):
        writer.writerow(["\n".join(map(visible, re.split(r"\r\n|\r|\n", cell))) for cell in line])
    return out.getvalue()


def _lines(result: Result, look: Look) -> list[list[str]]:
    rows = one_table(result, look)
    names = list(dict.fromkeys(name for row in rows for name in row))
    if not names:
        return []
    return [names, *([_cell(row.get(name), look.guard_formulas) for name in names] for row in rows)]


def _cell(value: Any, guard: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if guard and value.startswith(_FORMULA) else value
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return json.dumps(value) if isinstance(value, float) else str(value)


TSV = Style("tsv", (".tsv",), tsv, one_table=True)
CSV = Style("csv", (".csv",), _comma_separated, one_table=True)
