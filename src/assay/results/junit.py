"""Verdicts as JUnit XML, which CI servers show: a test case per row of the table ``verdicts``."""

from __future__ import annotations

from xml.etree import ElementTree

from assay.errors import ParameterError
from assay.results.rendering import Look, Style
from assay.results.result import Result
from assay.results.visible import visible


def _render(result: Result, _look: Look) -> str:
    """A suite with a case per verdict; its first column is the class."""
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


STYLE = Style("junit", (".xml",), _render)
