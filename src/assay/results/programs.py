"""Formats for programs: the whole result as JSON, one table as TSV or CSV, verdicts as JUnit XML, a drawing as SVG."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from xml.etree import ElementTree

from assay.errors import ParameterError
from assay.results.rendering import Look, Style
from assay.results.result import Result
from assay.results.visible import visible

#: What makes a spreadsheet run a cell.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _tab_separated(result: Result, look: Look) -> str:
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


def _every_table(ending: str, render: Callable[[Result, Look], str], result: Result, look: Look) -> Mapping[str, str]:
    return {f"{name}{ending}": render(result, replace(look, table=name)) for name in result.tables}


def _lines(result: Result, look: Look) -> Iterator[list[str]]:
    """A header and the rows of one table: numbers in full precision, nothing as an empty field."""
    if look.table in ("setup", "options", "signatures", "digests") and look.table not in result.tables:
        rows = [{"name": name, "value": value} for name, value in getattr(result, look.table).items()]
    else:
        rows = result.table(look.table or result.main or None)
    names = list(dict.fromkeys(name for row in rows for name in row))
    if names:
        yield names
        yield from ([_cell(row.get(name), look.guard_formulas) for name in names] for row in rows)


def _cell(value: Any, guard: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if guard and value.startswith(_FORMULA) else value
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return json.dumps(value) if isinstance(value, float) else str(value)


def _junit(result: Result, _look: Look) -> str:
    """A suite with a case per row of the table ``verdicts``, as CI servers show it; its first column is the class."""
    verdicts = result.tables.get("verdicts")
    if verdicts is None:
        raise ParameterError("--format junit is for gates and validate: assay compare --baseline NAME --fail-if-worse.")
    failures = str(sum(row["failed"] for row in verdicts))
    suite = ElementTree.Element(
        "testsuite", name=f"assay {result.question}", tests=str(len(verdicts)), failures=failures, errors="0"
    )
    for row in verdicts:
        group, reason = visible(str(next(iter(row.values())))), visible(row["reason"])
        case = ElementTree.SubElement(suite, "testcase", classname=f"assay.{group}", name=visible(row["case"]))
        if row["failed"]:
            ElementTree.SubElement(case, "failure", message=reason).text = reason
        else:
            ElementTree.SubElement(case, "system-out").text = reason
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _drawing(result: Result, _look: Look) -> str:
    """The one drawing that an explanation has."""
    for figure in result.figures:
        if figure.svg is not None:
            return figure.to_svg()
    raise ParameterError("SVG is what assay explain writes; other pictures have a file of their own: --figure x.svg.")


JSON = Style("json", (".json",), lambda result, _look: result.to_json() + "\n")
TSV = Style("tsv", (".tsv",), _tab_separated, one_table=True, files=partial(_every_table, ".tsv", _tab_separated))
CSV = Style("csv", (".csv",), _comma_separated, one_table=True, files=partial(_every_table, ".csv", _comma_separated))
JUNIT = Style("junit", (".xml",), _junit)
SVG = Style("svg", (".svg",), _drawing)
