"""Is this file or folder sound? What is wrong, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assay.data.problems import Finding
from assay.data.reading import read
from assay.data.validation import validate
from assay.errors import counted
from assay.results.result import Column, Result, Table, View

COLUMNS = (
    Column("file"), Column("line", format="d"), Column("column", format="d"), Column("severity"), Column("message")
)  # fmt: skip


def validation(
    paths: Sequence[str],
    *,
    input_format: str | None = None,
    campaign: str | None = None,
    pair: str | None = None,
    errors_only: bool = False,
) -> Result:
    """Everything that is wrong with files and folders; the result has failed if something is."""
    context = None if campaign is None else read(campaign)
    tables: dict[str, Table] = {"problems": [], "checked": [], "verdicts": []}
    for path in paths:
        report = validate(path, input_format=input_format, campaign=context, pair=pair)
        findings = [finding for finding in report.findings if finding.severity == "error" or not errors_only]
        reason = "\n".join(f"{each.where}: {each.severity}: {each.message}" for each in findings)
        tables["problems"] += map(_row, findings)
        tables["checked"].append({"path": report.path, "format": report.input_format, "sound": not findings})
        verdict = {"failed": bool(findings), "reason": reason or "sound"}
        tables["verdicts"].append({"format": report.input_format, "case": report.path} | verdict)
    counts = Counter(row["severity"] for row in tables["problems"])
    listed = " and ".join(counted(counts[name], name) for name in ("error", "warning") if counts[name])
    named = ", ".join(f"{row['path']} ({row['format']})" for row in tables["checked"])
    return Result(
        "validate",
        tables,
        (View("", "problems", COLUMNS, line="{place}: {severity}: {message}"),),
        (f"{listed}: {named}." if tables["problems"] else f"Sound: {named}.",),
        setup={"errors": counts["error"], "warnings": counts["warning"]},
        failed=bool(tables["problems"]),
    )


def _row(finding: Finding) -> dict[str, object]:
    cells = finding.place._asdict() | {"severity": finding.severity, "message": finding.message}
    return {column.name: cells[column.name] for column in COLUMNS} | {"place": finding.where}
