"""What a validation found: lines for people and editors, rows for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from assay.data.validation.finding import Finding
from assay.data.validation.validate import Validation
from assay.report.tables import PLAIN, Look, Table, separated
from assay.version import __version__

HEADINGS = ("file", "line", "column", "severity", "message")


def render_findings(checked: Sequence[Validation], style: str, look: Look = PLAIN) -> str:
    """All findings, and how many there are."""
    findings = [finding for one in checked for finding in one.findings]
    if style == "json":
        return json.dumps(_document(checked, findings), ensure_ascii=False, indent=2) + "\n"
    if style in ("tsv", "csv"):
        return separated([_row(finding) for finding in findings], "\t" if style == "tsv" else ",")
    if style == "text":
        lines = [f"{finding.place}: {finding.severity}: {finding.message}" for finding in findings]
        return "\n".join([*lines, *([""] if lines else []), summary(checked)]) + "\n"
    rows = [["" if value is None else str(value) for value in _row(finding).values()] for finding in findings]
    right = (False, True, True, False, False)
    return Table("", HEADINGS, rows, right, [summary(checked)]).render(style, look)


def summary(checked: Sequence[Validation]) -> str:
    """How many errors and warnings there are, or that all is sound."""
    findings = [finding for one in checked for finding in one.findings]
    told = ", ".join(f"{one.path} ({one.input_format})" for one in checked)
    if not findings:
        return f"Sound: {told}."
    counts = {severity: sum(finding.severity == severity for finding in findings) for severity in ("error", "warning")}
    parts = [f"{count} {name if count == 1 else f'{name}s'}" for name, count in counts.items() if count]
    return f"{' and '.join(parts)}: {told}."


def _document(checked: Sequence[Validation], findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "assay": __version__,
        "command": "validate",
        "findings": [_row(finding) for finding in findings],
        "errors": sum(finding.severity == "error" for finding in findings),
        "warnings": sum(finding.severity == "warning" for finding in findings),
        "checked": [{"path": one.path, "format": one.input_format, "sound": not one.findings} for one in checked],
    }


def _row(finding: Finding) -> dict[str, Any]:
    return {name: getattr(finding, name) for name in HEADINGS}
