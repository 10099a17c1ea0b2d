"""Is this file or folder sound? What is wrong, and where."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.problems import Finding
from assay.data.reading import read
from assay.data.validation import validate
from assay.data.wording import counted
from assay.results.result import Column, Result, View

COLUMNS = (
    Column("file"),
    Column("line", format="d"),
    Column("column", format="d"),
    Column("severity"),
    Column("message"),
)


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
    checked = [validate(path, input_format=input_format, campaign=context, pair=pair) for path in paths]
    found = {
        one.path: [finding for finding in one.findings if finding.severity == "error" or not errors_only]
        for one in checked
    }
    problems = [_row(finding) for findings in found.values() for finding in findings]
    counts = {name: sum(row["severity"] == name for row in problems) for name in ("error", "warning")}
    named = ", ".join(f"{one.path} ({one.input_format})" for one in checked)
    listed = " and ".join(counted(count, name) for name, count in counts.items() if count)
    return Result(
        "validate",
        {
            "problems": problems,
            "checked": [
                {"path": one.path, "format": one.input_format, "sound": not found[one.path]} for one in checked
            ],
            "verdicts": [
                {
                    "format": one.input_format,
                    "case": one.path,
                    "failed": bool(found[one.path]),
                    "reason": _reason(found[one.path]),
                }
                for one in checked
            ],
        },
        (View("", "problems", COLUMNS, line="{place}: {severity}: {message}"),),
        (f"{listed}: {named}." if problems else f"Sound: {named}.",),
        setup={"errors": counts["error"], "warnings": counts["warning"]},
        failed=bool(problems),
    )


def _row(finding: Finding) -> dict[str, object]:
    place = finding.place._asdict() | {"severity": finding.severity, "message": finding.message}
    return {column.name: place[column.name] for column in COLUMNS} | {"place": finding.where}


def _reason(findings: Sequence[Finding]) -> str:
    return "\n".join(f"{one.where}: {one.severity}: {one.message}" for one in findings) or "sound"
