"""All studies of a campaign as one HTML page that needs nothing from elsewhere."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from assay.figures import figure_bytes
from assay.metrics.spelling import spell_value
from assay.studies.base import Column, StudyResult
from assay.studies.everything import Answer
from assay.version import __version__

#: Longer tables are folded away until somebody opens them.
OPEN_ROWS = 16

STYLE = """
body {
  font: 15px/1.5 Helvetica, Arial, sans-serif; color: #222;
  max-width: 1080px; margin: 2.5em auto; padding: 0 1.2em;
}
h1 { font-size: 1.6em; margin-bottom: .2em }
h2 { font-size: 1.2em; margin-top: 3em; border-top: 1px solid #ddd; padding-top: 1em }
.quiet { color: #666 } nav li { margin: .2em 0 } a { color: #0072B2 }
img { max-width: 100%; height: auto } figure { margin: 1em 0 }
table { border-collapse: collapse; font-size: 13px; margin: .8em 0; display: block; overflow-x: auto }
th { text-align: left; font-weight: normal; color: #666; border-bottom: 1px solid #999 }
th, td { padding: .18em .9em .18em 0; vertical-align: top; white-space: nowrap }
td.number, th.number { text-align: right }
summary { cursor: pointer; color: #0072B2 } .missing { background: #f6f6f6; padding: .6em .9em }
"""


def render_study_page(campaign: str, answers: Sequence[Answer]) -> str:
    """The page: what was asked, then each answer with its figure and table."""
    listed = "".join(
        f'<li><a href="#{answer.study.name}">{answer.study.name}</a>: {escape(answer.study.question)}'
        f"{'' if answer.result else ' <span class=quiet>(no answer here)</span>'}</li>"
        for answer in answers
    )
    answered = sum(answer.result is not None for answer in answers)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Studies of {escape(campaign)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>\n'
        f"<h1>Studies of {escape(campaign)}</h1>\n"
        f'<p class="quiet">{answered} of {len(answers)} questions about metrics have an answer in this campaign. '
        f"Assay {escape(__version__)}</p>\n<nav><ol>{listed}</ol></nav>\n"
        + "\n".join(map(_section, answers))
        + "\n</body></html>\n"
    )


def study_document(campaign: str, answers: Sequence[Answer]) -> str:
    """The same as JSON."""
    studies = [
        answer.result.to_dict() | {"notes": list(answer.notes)}
        if answer.result
        else {"study": answer.study.name, "reason": answer.reason}
        for answer in answers
    ]
    document = {"assay": __version__, "command": "study", "campaign": campaign, "studies": studies}
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _section(answer: Answer) -> str:
    study = answer.study
    head = (
        f'<section id="{study.name}"><h2>{escape(study.question)}</h2>'
        f'<p class="quiet">{study.name}. Source: {escape(study.source)}.</p>'
    )
    if answer.result is None:
        return f'{head}<p class="missing">No answer: {escape(answer.reason or "")}</p></section>'
    result = answer.result
    findings = "".join(f"<li>{escape(finding)}</li>" for finding in result.findings)
    notes = "".join(f'<p class="quiet">Note: {escape(note)}</p>' for note in answer.notes)
    tables = _folded("Table", study.columns, result.rows) + "".join(
        _folded(name.capitalize(), columns, result.details[name])
        for name, columns in study.detail_columns.items()
        if result.details.get(name)
    )
    options = ", ".join(
        f"{name} = {spell_value(value)}" for name, value in result.study.options().items() if value != ()
    )
    return (
        f"{head}{_figure(result)}<ul>{findings}</ul>{notes}{tables}"
        f'<p class="quiet">Options: {escape(options)}</p></section>'
    )


def _figure(result: StudyResult) -> str:
    # As an image of its own: names inside one figure do not meet those of another.
    picture = base64.b64encode(figure_bytes(result.chart(), "svg")).decode()
    return f'<figure><img alt="{escape(result.study.question)}" src="data:image/svg+xml;base64,{picture}"></figure>'


def _folded(title: str, columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        kinds = (' class="number"' if column.spec else "" for column in columns)
        return (
            "<tr>"
            + "".join(f"<{tag}{kind}>{escape(cell)}</{tag}>" for kind, cell in zip(kinds, cells, strict=True))
            + "</tr>"
        )

    body = "".join(line([column.show(row[column.name]) for column in columns], "td") for row in rows)
    opened = " open" if len(rows) <= OPEN_ROWS else ""
    return (
        f"<details{opened}><summary>{escape(title)}, {len(rows)} rows</summary>"
        f"<table>{line([column.heading for column in columns], 'th')}{body}</table></details>"
    )
