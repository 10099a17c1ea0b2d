"""``assay validate``: is this file or folder sound?"""

from __future__ import annotations

from dataclasses import replace

import click

from assay.cli.output import check_writable, emit, look_of, notes, output_options
from assay.data.conversion import FORMATS
from assay.data.reading import read
from assay.data.validation.validate import Validation, validate
from assay.report.findings import render_findings


@click.command("validate", short_help="Is this file sound?")
@click.argument("paths", nargs=-1, required=True, metavar="FILE | FOLDER...")
@click.option("--input-format", type=click.Choice((*FORMATS, "lines")), help="If names do not tell.")
@click.option(
    "--campaign", metavar="CAMPAIGN", help="What judgements are about: systems, segments and documents are checked."
)
@click.option("--pair", metavar="en-de", help="The languages, in a folder of mt-metrics-eval that has several.")
@click.option("--errors-only", is_flag=True, help="Leave out warnings; they do not count, either.")
@output_options
def command(
    *,
    paths: tuple[str, ...],
    input_format: str | None,
    campaign: str | None,
    pair: str | None,
    errors_only: bool,
    style: str,
    output: str | None,
    quiet: bool,
    no_color: bool,
) -> int:
    """Is this file or folder sound? Everything that is wrong, as file:line:column, and what should be looked at.

    Campaigns and judgements of any format. Exit code 0 if nothing was found, 1 if something was.
    """
    check_writable(output)
    with notes(quiet):
        context = None if campaign is None else read(campaign)
        checked = [validate(path, input_format=input_format, campaign=context, pair=pair) for path in paths]
        if errors_only:
            checked = [_without_warnings(one) for one in checked]
        emit(render_findings(checked, style, look_of(no_color, output)), output)
    return int(any(one.findings for one in checked))


def _without_warnings(one: Validation) -> Validation:
    return replace(one, findings=tuple(finding for finding in one.findings if finding.severity == "error"))
