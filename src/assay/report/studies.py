"""Studies as people read them: what there is, and what one found."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.report.tables import PLAIN, Look, Table, separated
from assay.studies.base import Column, StudyResult
from assay.studies.registry import STUDIES, study_class
from assay.version import __version__


def render_study(result: StudyResult, style: str, look: Look = PLAIN) -> str:
    """The table with its answer below; TSV and CSV have every column and nothing else."""
    if style == "json":
        return result.to_json() + "\n"
    if style in ("tsv", "csv"):
        return separated(result.table(), "\t" if style == "tsv" else ",")
    title = f"{result.campaign}: {result.study.question}"
    tables = [_table(title, result.study.columns, result.rows)]
    for name, columns in result.study.detail_columns.items():
        if result.details.get(name):
            tables.append(_table(name.capitalize(), columns, result.details[name]))
    # The answer stands below the last table.
    tables[-1] = replace(tables[-1], notes=result.findings)
    return "\n".join(table.render(style, look) for table in tables)


def _table(title: str, columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> Table:
    cells = [[column.show(row[column.name]) for column in columns] for row in rows]
    return Table(title, [column.heading for column in columns], cells, [bool(column.spec) for column in columns])


def render_studies(style: str, look: Look = PLAIN) -> str:
    """All studies, a line each."""
    rows = [
        {"study": name, "question": study_class(name).question, "source": study_class(name).source} for name in STUDIES
    ]
    if style == "json":
        return (
            json.dumps({"assay": __version__, "command": "study", "studies": rows}, ensure_ascii=False, indent=2) + "\n"
        )
    if style in ("tsv", "csv"):
        return separated(rows, "\t" if style == "tsv" else ",")
    note = (
        "Run one: assay study NAME CAMPAIGN --figure FILE.svg. Its options: assay study NAME --help. All on one "
        "page: assay study all CAMPAIGN -o page.html."
    )
    return Table("", list(rows[0]), [list(row.values()) for row in rows], [False] * 3, (note,)).render(style, look)
