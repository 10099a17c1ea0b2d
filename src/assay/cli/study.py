"""``assay study``: a question about metrics, answered by a table and a figure."""

from __future__ import annotations

from dataclasses import Field, fields, replace
from pathlib import Path
from typing import Any, get_args, get_origin

import click
from click.core import ParameterSource

from assay.cli.inquiring import Asking, inquiry_options
from assay.cli.output import check_outputs, emit, look_of, notes, output_options, write_atomically
from assay.cli.progress import progress
from assay.errors import UnknownName
from assay.figures import figure_bytes, figure_kind, load_altair
from assay.metrics.options import declared_types
from assay.metrics.spelling import read_value, spell_value, split_list
from assay.report.studies import render_studies, render_study
from assay.studies.base import Study
from assay.studies.registry import STUDIES, make_study, study_class

#: The command that runs every study.
EVERYTHING = "all"


class Studies(click.Group):
    """A command per study; its options are the study's fields."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*STUDIES, EVERYTHING]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == EVERYTHING:
            from assay.cli.study_all import command as everything

            return everything
        return _command_of(study_class(cmd_name)) if cmd_name in STUDIES else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in (*STUDIES, EVERYTHING) and not args[0].startswith("-"):
            raise UnknownName.of("study", args[0], STUDIES)
        return super().resolve_command(ctx, args)


@click.group("study", cls=Studies, invoke_without_command=True, short_help="A question about metrics.")
@output_options
@click.pass_context
def command(ctx: click.Context, style: str, output: str | None, quiet: bool, no_color: bool) -> None:  # noqa: ARG001
    """Questions about metrics, each answered by a table and a figure. Without a NAME, the studies there are."""
    if ctx.invoked_subcommand is not None:
        given = [name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
        if given:
            raise click.UsageError(f"Options stand behind the name: assay study {ctx.invoked_subcommand} ... OPTIONS")
    else:
        emit(render_studies(style, look_of(no_color, output)), output)


def _command_of(study: type[Study]) -> click.Command:
    def call(
        *,
        asking: Asking,
        figure: str | None,
        save: str | None,
        style: str,
        output: str | None,
        quiet: bool,
        no_color: bool,
        **options: str | None,
    ) -> None:
        chosen = make_study(study.name, **_options(study, options))
        kind = None if figure is None else figure_kind(figure)
        if kind is not None:
            # Better now than behind the work.
            load_altair()
        check_outputs(output=output, save=save, figure=figure)
        with notes(quiet):
            asked = asking.inquiry(f"assay study {study.name}")
            with progress("Studying", quiet) as report:
                result = chosen.answer(replace(asked, progress=report))
            if figure is not None and kind is not None:
                write_atomically(Path(figure), figure_bytes(result.chart(), kind))
            if save is not None:
                write_atomically(Path(save), result.to_json() + "\n")
            emit(render_study(result, style, look_of(no_color, output)), output)

    made = output_options(call)
    for option in (
        click.option("--save", metavar="FILE", help="Keep the result as JSON as well."),
        click.option("--figure", metavar="FILE", help="Draw the figure: FILE.svg, FILE.png or FILE.html."),
        *map(_option_of, reversed(fields(study))),
        inquiry_options,
    ):
        made = option(made)
    return click.command(study.name, help=f"{study.question}\n\nSource: {study.source}.")(made)


def _option_of(field: Field[Any]) -> Any:
    shown = spell_value(field.default).strip("[]")
    # What stands for all, or for nothing in particular, is said by the help.
    told = field.metadata["help"] if shown in ("", "none") else f"{field.metadata['help']}  [default: {shown}]"
    if field.name == "metric":
        return click.option("-m", "--metric", "metric", multiple=True, metavar="METRIC", callback=_joined, help=told)
    return click.option(f"--{field.name.replace('_', '-')}", field.name, metavar="VALUE", help=told)


def _joined(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> str | None:
    """Metrics that were named one by one, in one list."""
    return ",".join(given) or None


def _options(study: type[Study], given: dict[str, str | None]) -> dict[str, Any]:
    """What was typed, as values; lists have commas between."""
    types = declared_types(study)
    values: dict[str, Any] = {}
    for name, text in given.items():
        if text is None:
            continue
        if types[name] is str:
            values[name] = text
        elif get_origin(types[name]) is tuple and get_args(types[name])[0] is str:
            # Metrics among them have brackets.
            values[name] = tuple(split_list(text))
        elif get_origin(types[name]) is tuple:
            values[name] = tuple(read_value(part, study.name) for part in split_list(text))
        else:
            values[name] = read_value(text, study.name)
    return values
