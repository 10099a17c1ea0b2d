"""All studies of a campaign as one HTML page that needs nothing from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence

from assay.questions.studies.everything import Answer
from assay.results.html import fragment, page
from assay.results.visible import html
from assay.version import __version__


def render_study_page(campaign: str, answers: Sequence[Answer]) -> str:
    """The page: what was asked, then each answer with its figure and table."""
    listed = "".join(
        f'<li><a href="#{answer.study.name}">{answer.study.name}</a>: {html(answer.study.question)}'
        f"{'' if answer.result else ' <span class=quiet>(no answer here)</span>'}</li>"
        for answer in answers
    )
    answered = sum(answer.result is not None for answer in answers)
    head = (
        f"<h1>Studies of {html(campaign)}</h1>\n"
        f'<p class="quiet">{answered} of {len(answers)} questions about metrics have an answer in this campaign. '
        f"Assay {html(__version__)}</p>\n<nav><ol>{listed}</ol></nav>\n"
    )
    return page(f"Studies of {campaign}", head + "\n".join(map(_section, answers)))


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
        f'<section class="answer" id="{study.name}"><h2>{html(study.question)}</h2>'
        f'<p class="quiet">{study.name}. Source: {html(study.source)}.</p>'
    )
    if answer.result is None:
        return f'{head}<p class="missing">No answer: {html(answer.reason or "")}</p></section>'
    options = ", ".join(f"{name} = {value}" for name, value in answer.result.options.items() if value not in ([], None))
    notes = "".join(f'<p class="quiet">Note: {html(note)}</p>' for note in answer.notes)
    return f'{head}{fragment(answer.result)}{notes}<p class="quiet">Options: {html(options)}</p></section>'
