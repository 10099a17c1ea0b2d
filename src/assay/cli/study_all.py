"""``assay study all``: every study of a campaign on one page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from assay.cli.inquiring import Asking, inquiry_options
from assay.cli.output import check_writable, emit, notes
from assay.cli.progress import progress
from assay.figures import load_altair
from assay.metrics.spelling import read_value, split_list
from assay.questions.studies.everything import study_all
from assay.report.study_page import render_study_page, study_document


@click.command("all", short_help="All of them on one page.")
@inquiry_options
@click.option("-m", "--metric", multiple=True, metavar="METRIC", help="Of studies about several metrics.")
@click.option("--kind", metavar="KIND,...", help="Which judgements; several kinds are taken together.")
@click.option("--normalise", metavar="NAME", help="Raters against each other: none, z, robust-z, quantile.")
@click.option("--missing", metavar="SCORE", help="A score that stands for no judgement.")
@click.option("--k", metavar="2,4", help="How many references at a time.")
@click.option("--others", metavar="PATH,...", help="Other texts, for foreign-texts.")
@click.option("--format", "style", type=click.Choice(["html", "json"]), default="html", show_default=True)
@click.option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all.")
@click.option("-q", "--quiet", is_flag=True, help="No notes and no progress on standard error.")
def command(
    *,
    asking: Asking,
    style: str,
    output: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Every study of a campaign, with tables and figures, as one HTML page that needs nothing from elsewhere.

    Options go to the studies that have them. A study that the campaign cannot answer stands there with the reason.
    """
    chosen = {name: _value(name, text) for name, text in options.items() if text}
    if style == "html":
        # Better now than behind the work.
        load_altair()
    check_writable(output)
    with notes(quiet):
        asked = asking.inquiry("assay study all")
        with progress("Studying", quiet) as report:
            answers = list(study_all(replace(asked, progress=report), chosen))
        rendered = (render_study_page if style == "html" else study_document)(asked.campaign.name, answers)
        emit(rendered, output)
    for answer in answers:
        if answer.reason is not None and not quiet:
            click.echo(f"Note: no answer to {answer.study.name}: {answer.reason}", err=True)


def _value(name: str, given: Any) -> Any:
    """What was typed, as the studies take it."""
    if name == "metric":
        return tuple(split_list(",".join(given)))
    if name in ("kind", "others"):
        return tuple(split_list(given))
    if name == "k":
        return tuple(read_value(part, "k") for part in split_list(given))
    return given if name == "normalise" else read_value(given, name)
