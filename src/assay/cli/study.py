"""``assay study`` and ``assay paper``: many questions under one command, each with options of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click
from click.core import ParameterSource

from assay.cli.asking import command_of
from assay.cli.output import Output, printing_options
from assay.errors import UnknownName
from assay.questions.base import Question
from assay.questions.studies.registry import EVERYTHING, STUDIES, list_studies, study_class
from assay.results.result import Result


class Named(click.Group):
    """A command per name, whose options are the fields of a question; without a name it lists what there is."""

    def __init__(
        self,
        name: str,
        names: Sequence[str],
        question: Callable[[str], type[Question]],
        listed: Callable[[], Result],
        **more: Any,
    ) -> None:
        @click.pass_context
        def callback(ctx: click.Context, /, **values: Any) -> None:
            if ctx.invoked_subcommand is None:
                Output(**values).deliver(listed())
                return
            if any(ctx.get_parameter_source(option) is ParameterSource.COMMANDLINE for option in ctx.params):
                behind = f"assay {name} {ctx.invoked_subcommand} ... OPTIONS"
                raise click.UsageError(f"Options stand behind the name: {behind}")

        super().__init__(name, callback=callback, params=printing_options(), invoke_without_command=True, **more)
        self.names, self.question = names, question

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name not in self.names:
            raise UnknownName.of(str(self.name), cmd_name, self.names)
        return command_of(self.question(cmd_name))


study = Named(
    "study",
    [*STUDIES, *EVERYTHING],
    study_class,
    list_studies,
    short_help="A question about metrics.",
    help="Questions about metrics, each answered by a table and a figure. Without a NAME, the studies there are.",
)
