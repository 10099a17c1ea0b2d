"""``assay validate``: is this file or folder sound?"""

from __future__ import annotations

import click

from assay.cli.output import answering
from assay.data.conversion import FORMATS
from assay.questions.validate import validation

HELP = """Is this file or folder sound? Everything that is wrong, as file:line:column, and what should be looked at.

Campaigns and judgements of any format. Exit code 0 if nothing was found, 1 if something was."""

command = answering(
    "validate",
    validation,
    HELP,
    click.Argument(["paths"], nargs=-1, required=True, metavar="FILE | FOLDER..."),
    click.Option(["--input-format"], type=click.Choice((*FORMATS, "lines")), help="If names do not tell."),
    click.Option(
        ["--campaign"],
        metavar="CAMPAIGN",
        help="What judgements are about: systems, segments and documents are checked.",
    ),
    click.Option(["--pair"], metavar="en-de", help="The languages, in a folder of mt-metrics-eval that has several."),
    click.Option(["--errors-only"], is_flag=True, help="Leave out warnings; they do not count, either."),
)
