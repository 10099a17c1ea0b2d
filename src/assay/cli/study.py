"""``assay study``: a question about metrics, answered by a table and a figure."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from assay.cli.asking import command_of
from assay.cli.output import Output, printing_options
from assay.errors import UnknownName
from assay.questions.studies.registry import EVERYTHING, STUDIES, list_studies, study_class


class _Studies(click.Group):
    """A command per study; its options are the study's fields."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*STUDIES, *EVERYTHING]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name not in STUDIES | EVERYTHING:
            raise UnknownName.of("study", cmd_name, STUDIES)
        return command_of(study_class(cmd_name))


@click.pass_context
def _list(ctx: click.Context, /, **values: Any) -> None:
    if ctx.invoked_subcommand is not None:
        given = [name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
        if given:
            raise click.UsageError(f"Options stand behind the name: assay study {ctx.invoked_subcommand} ... OPTIONS")
        return
    Output(**values).deliver(list_studies())


study = _Studies(
    "study",
    callback=_list,
    params=printing_options(),
    invoke_without_command=True,
    short_help="A question about metrics.",
    help="Questions about metrics, each answered by a table and a figure. Without a NAME, the studies there are.",
)
