"""``assay explain``: why this score?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from assay.cli.inputs import NOTHING, Inputs, input_options
from assay.cli.output import check_writable, emit, look_of, notes
from assay.errors import InputError
from assay.explanation.explain import explain, explain_segment
from assay.explanation.explanation import Explanation, to_json
from assay.metrics.base import Metric
from assay.metrics.registry import metrics as named_metrics

FORMATS = ("text", "json", "svg", "html")
#: What a file's name tells about its format.
ENDINGS = {"": "text", ".txt": "text", ".json": "json", ".svg": "svg", ".html": "html", ".htm": "html"}


@click.command("explain", short_help="Why this score?")
@input_options
@click.option("-m", "--metric", "metrics", multiple=True, metavar="METRIC", help="As in assay score (default: bleu).")
@click.option("--system", metavar="NAME", help="Which system; may be left out if there is but one.")
@click.option("--segment", metavar="N", help="Which segment: its number from 0, or its name.")
@click.option("--translation", metavar="TEXT", help="Explain this text instead of a campaign's segment ...")
@click.option("--against", multiple=True, metavar="TEXT", help="... against this reference; repeat it.")
@click.option("--format", "style", type=click.Choice(FORMATS), help="Default: text, or by the ending of -o.")
@click.option("-o", "--output", metavar="FILE", help="Write to a file (.txt, .json, .svg, .html), whole or not at all.")
@click.option("-q", "--quiet", is_flag=True, help="No notes on standard error.")
@click.option("--no-color", is_flag=True, help="No colours (NO_COLOR works too).")
def command(
    *,
    given: Inputs,
    metrics: tuple[str, ...],
    system: str | None,
    segment: str | None,
    translation: str | None,
    against: tuple[str, ...],
    style: str | None,
    output: str | None,
    quiet: bool,
    no_color: bool,
) -> None:
    """Why this score? One segment: its alignment, edits and shifts, n-grams, or GTM's grid.

    assay explain campaign/ --system A --segment 17 -m gtm

    assay explain --translation "the cat sat" --against "a cat sat" -m meteor -o picture.svg
    """
    chosen = named_metrics(metrics or ("bleu",))
    style = style or _style_of(output)
    check_writable(output)
    with notes(quiet):
        if translation is not None or against:
            found = _typed(chosen, translation, against, given, chosen=segment is not None or system is not None)
        else:
            if segment is None:
                raise InputError("Which segment? Say --segment with its number from 0, or its name.")
            campaign = given.campaign("assay explain").choose(
                references=given.refs,
                systems=[system] if system is not None else None,
                targeted=given.targeted_names,
            )
            found = [explain_segment(metric, campaign, system=system, segment=segment) for metric in chosen]
        emit(_render(found, style, no_color, output), output)


def _typed(
    metrics: list[Metric], translation: str | None, against: tuple[str, ...], given: Inputs, *, chosen: bool
) -> list[Explanation]:
    """Explanations of texts that were typed; files and choices have no place beside them."""
    if chosen or replace(given, targeted=()) != NOTHING:
        raise InputError("--translation and --against take the place of a campaign; give the one or the other.")
    if translation is None or not (against or given.targeted):
        raise InputError("--translation and --against go together: a text, and at least one reference for it.")
    return [
        explain(metric, translation=translation, references=list(against), targeted=list(given.targeted))
        for metric in metrics
    ]


def _style_of(output: str | None) -> str:
    ending = Path(output).suffix.lower() if output else ""
    if ending not in ENDINGS:
        known = ", ".join(name for name in ENDINGS if name)
        raise InputError(f"{output}: explanations are written as {known}. Choose one, or say --format.")
    return ENDINGS[ending]


def _render(found: list[Explanation], style: str, no_color: bool, output: str | None) -> str:
    if style == "json":
        return to_json(found) + "\n"
    if style == "svg":
        from assay.explanation.svg import draw

        return draw(found)
    if style == "html":
        from assay.explanation.page import page

        return page(found)
    look = look_of(no_color, output)
    return "\n".join(explanation.to_text(color=look.color, width=look.width) for explanation in found)
