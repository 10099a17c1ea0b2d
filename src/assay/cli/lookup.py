"""Commands that look something up: ``assay metrics``, ``assay recipes``, ``assay validate``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from assay.cli.output import Output, notes, printing_options
from assay.data.conversion import FORMATS
from assay.questions.lookup import list_metrics, list_options, list_recipes, list_tokens, validation
from assay.results.result import Result


def _command(name: str, answer: Callable[..., Result], text: str, *parameters: click.Parameter) -> click.Command:
    """A command whose parameters ``answer`` gets."""

    def call(**values: Any) -> int:
        output = Output(**{shown.name: values.pop(shown.name) for shown in printing})
        with notes(output.quiet):
            result = replace(answer(**values), options=values)
            output.deliver(result)
        return int(result.failed)

    printing = printing_options()
    return click.Command(name, callback=call, params=[*parameters, *printing], help=text)


metrics = _command(
    "metrics",
    lambda name: list_metrics() if name is None else list_options(name),
    "The metrics there are; with a NAME, all options of that one.",
    click.Argument(["name"], required=False),
)

recipes = _command(
    "recipes",
    lambda text: list_recipes() if text is None else list_tokens(text),
    "The tokenizers, stemmers and other steps that every metric takes as options.",
    click.Option(["--text"], metavar="TEXT", help="Show what every built-in tokenizer makes of a text."),
)

validate = _command(
    "validate",
    validation,
    "Is this file or folder sound? Everything that is wrong, as file:line:column, and what should be looked at.\n\n"
    "Campaigns and judgements of any format. Exit code 0 if nothing was found, 1 if something was.",
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
