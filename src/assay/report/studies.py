"""Studies as people read them: what there is, and what one found."""

from __future__ import annotations

import json

from assay.report.tables import PLAIN, Look, Table, separated
from assay.studies.base import StudyResult
from assay.studies.registry import STUDIES, study_class
from assay.version import __version__


def render_study(result: StudyResult, style: str, look: Look = PLAIN) -> str:
    """The table with its answer below; TSV and CSV have every column and nothing else."""
    if style == "json":
        return result.to_json() + "\n"
    if style in ("tsv", "csv"):
        return separated(result.table(), "\t" if style == "tsv" else ",")
    columns = result.study.columns
    cells = [[column.show(row[column.name]) for column in columns] for row in result.rows]
    title = f"{result.campaign}: {result.study.question}"
    headings, right = [column.heading for column in columns], [bool(column.spec) for column in columns]
    return Table(title, headings, cells, right, result.findings).render(style, look)


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
    note = "Run one: assay study NAME CAMPAIGN --figure FILE.svg. Its options: assay study NAME --help."
    return Table("", list(rows[0]), [list(row.values()) for row in rows], [False] * 3, (note,)).render(style, look)
