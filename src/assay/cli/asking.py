"""A question as a command: its options are the question's fields, and those that choose data mean the same in all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, replace
from inspect import cleandoc
from typing import Any

import click

from assay.cli.completion import offered
from assay.cli.output import Output, emit, notes, parameter
from assay.cli.progress import progress
from assay.metrics.options import declared_types, read_typed
from assay.questions.asked import Data, ask, is_judgements
from assay.questions.base import Question
from assay.questions.inputs import Inputs
from assay.questions.settings import Settings


def command_of(question: type[Question]) -> click.Command:
    """The command that asks a question."""

    def call(**typed: Any) -> int:
        with notes(typed["quiet"]):
            asked, texts, data, settings = chosen(question, typed)
            output = settings.made(Output, _values(Output, typed))
            with progress(question.working, output.quiet) as report:
                result = ask(asked, texts, data, report)
            last = output.deliver(result)
        if last:
            emit(last)
        return int(result.failed)

    # A study says its question and who asked first, others what their docstring says.
    asked_first = f"{question.question}\n\nSource: {question.source}."
    text = asked_first if question.source else cleandoc(question.__doc__ or "")
    context = {"obj": question}
    return click.Command(question.name, context, callback=call, params=parameters(question), help=text)


def chosen(question: type[Question], typed: dict[str, Any]) -> tuple[Any, Inputs, Data, Settings]:
    """What was typed: the question with its options, what to ask of, and under which choices of data."""
    if not question.needs_texts and _names_judgements(typed, question):
        typed["judgements"] = typed.pop("inputs")
    inputs, options, of_data = (_values(cls, typed) for cls in (Inputs, question, Data))
    # A question may have an option of its own that is called like a choice of data which it does not take.
    taken = {field.name for field in question.data_fields(Data)}
    of_data = {name: value for name, value in of_data.items() if name in taken}
    texts = Inputs(**inputs, is_judged="judgements" in of_data)
    # Names are chosen among the references of a campaign; elsewhere these are files, which are read with the texts.
    named = [name for text in texts.targeted for name in text.split(",")] if texts.is_campaign else []
    folders = () if texts.reference_files else texts.inputs
    beside = folders[0] if len(folders) == 1 else folders
    settings = Settings.of(question, beside, of_data.get("config"), (Data, Output))
    asked = settings.made(question, options)
    given = {"targeted": tuple(named)} if texts.targeted else {}
    return asked, texts, replace(settings.made(Data, of_data | given), config=settings.path), settings


def parameters(question: type[Question]) -> list[click.Parameter]:
    """Arguments; then options: of files, of the question, of data, and of the output."""
    drawn = ("figures",) if question.takes or question.is_drawn else ()
    groups = ("", "run", *drawn, *question.takes)
    judged = "" if question.needs_texts else " | JUDGEMENTS"
    everything: tuple[type[Any], ...] = (Inputs, question, Data, Output) if question.takes else (question, Output)
    options: dict[str, click.Parameter] = {
        field.name: parameter(cls, field)
        for cls in everything
        # The leading field first; some are arguments instead.
        for field in sorted(fields(cls), key=lambda field: field.name != question.leading)
        if field.metadata.get("group") in groups and field.name not in question.arguments
    }
    if question.pictures:
        usual = f"Which picture.  [default: {question.pictures[0]}]"
        options["picture"] = click.Option(["--picture"], type=click.Choice(question.pictures), help=usual)
    first = [_argument(field) for field in fields(question) if field.name in question.arguments]
    several = "" if question.campaigns == "one" else "..."
    inputs = f"CAMPAIGN{several}{judged} | TRANSLATION..."
    texts = click.Argument(["inputs"], nargs=-1, metavar=inputs, shell_complete=offered)
    return [*first, *([texts] if question.takes else []), *options.values()]


def _argument(field: Field[Any]) -> click.Argument:
    """The argument of a field: needed where it has no default."""
    nargs, metavar = -1 if field.metadata["repeat"] else 1, field.metadata["metavar"] or field.name.upper()
    return click.Argument(
        [field.name], required=field.default is MISSING, nargs=nargs, metavar=metavar, shell_complete=offered
    )


def _names_judgements(values: dict[str, Any], question: type[Question]) -> bool:
    """Whether the one argument is judgements: a file that no judgements are named beside."""
    others = ("judgements", "reference_files", "source", "targeted", "input_format", "pair")
    files = values["inputs"]
    return len(files) == 1 and not any(values.get(name) for name in others) and is_judgements(files[0], question)


def _values(cls: type[Any], typed: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed for the fields of a class, as values; what was not typed is left to the defaults."""
    hints, values = declared_types(cls), {}
    for field in fields(cls):
        text = typed.get(field.name)
        if text is None or text == ():
            continue
        # What a field parses by itself, it gets as it was typed.
        raw = not isinstance(text, str) or field.metadata.get("repeat") or field.metadata.get("parse") is not None
        values[field.name] = text if raw else read_typed(text, hints[field.name], getattr(cls, "name", "assay"))
    return values
