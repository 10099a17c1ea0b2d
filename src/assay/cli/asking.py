"""A question as a command: its options are the question's fields, and those that choose data mean the same in all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, fields
from inspect import cleandoc
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import click

from assay.cli.inputs import Inputs, input_parameters
from assay.cli.output import Output, check_output, deliver, notes, output_parameters
from assay.cli.progress import progress
from assay.data.campaign import Campaign
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.errors import InputError
from assay.metrics.options import declared_types
from assay.metrics.spelling import read_value, spell_value, split_list
from assay.questions.asked import Data, ask
from assay.questions.base import Question, help_of_option, is_flag, make

#: Choices that are known by name, of options whose type is text.
CHOICES = {"judgement_format": tuple(JUDGEMENT_FORMATS)}


def command_of(question: type[Question]) -> click.Command:
    """The command that asks a question."""
    data = [one for one in fields(Data) if one.metadata["group"] in ("", "run", *question.takes)]

    def call(**values: Any) -> int:
        inputs = Inputs.taken_from(values, question)
        output = Output.taken_from(values)
        own = _values(question, fields(question), values)
        chosen = _values(Data, data, values)
        if "targeted" in chosen:
            names = () if inputs.targets_files else (name for one in chosen["targeted"] for name in one.split(","))
            chosen["targeted"] = tuple(names)
        with notes(output.quiet):
            asked, data_chosen = make(question, own, question.name), Data(**chosen)
            check_output(output, save=own.get("save"))
            with progress(question.working, output.quiet) as report:
                first = (question.argument or "").upper()
                path = " ".join(filter(None, ["assay", question.command, question.name, first]))
                result = ask(asked, _given(asked, inputs, data_chosen, path), data_chosen, report)
            deliver(result, output)
        return int(result.failed)

    parameters = [
        *input_parameters(question),
        *(_parameter(one, declared_types(question)[one.name]) for one in _typed(question)),
        *(_parameter(one, declared_types(Data)[one.name]) for one in data),
        *output_parameters(pictures=question.pictures),
        *(_refusal(old, new) for old, new in question.renamed.items() if old.startswith("--")),
    ]
    return click.Command(question.name, callback=call, params=parameters, help=help_of(question))


def _given(asked: Question, inputs: Inputs, data: Data, path: str) -> Campaign | Callable[[], Campaign]:
    """What the question is asked of: what its options give, or what is read from the files that were named."""
    own = asked.own_campaign(data)
    if own is None:
        return lambda: inputs.campaign(path)
    if inputs.files or inputs.references or inputs.source:
        raise InputError("--translation and --against take the place of a campaign; give the one or the other.")
    return own


def help_of(question: type[Question]) -> str:
    """What the help page says: the docstring, or for a study its question and who asked first."""
    if question.source:
        return f"{question.question}\n\nSource: {question.source}."
    return cleandoc(question.__doc__ or "")


def _typed(question: type[Question]) -> Iterator[Field[Any]]:
    """The fields that are options, the leading one first; one may be an argument instead."""
    found = sorted(fields(question), key=lambda one: one.name != question.leading)
    return (one for one in found if one.name != question.argument)


def _parameter(one: Field[Any], hint: Any) -> click.Option:
    """The option of a field."""
    meta = one.metadata
    flags = (meta.get("flag") or f"--{one.name.replace('_', '-')}").split(", ")
    if is_flag(hint):
        names = [*flags, one.name] if hint is bool else [f"{flags[0]}/--no-{flags[0][2:]}", one.name]
        return click.Option(names, is_flag=True, default=None, help=help_of_option(one))
    choices = CHOICES.get(one.name) or meta.get("choices") or choices_of(hint)
    shown = _default_shown(one)
    told = f"{help_of_option(one)}  [default: {shown}]" if shown else help_of_option(one)
    return click.Option(
        [*flags, one.name],
        multiple=bool(meta.get("repeat")),
        metavar=meta.get("metavar") or (None if choices else "VALUE"),
        type=click.Choice(choices) if choices else _number_type(hint, meta),
        help=(told or "").strip(),
    )


def _number_type(hint: Any, meta: Mapping[str, Any]) -> Any:
    """What click checks itself, so that its messages name the option."""
    least, most = meta.get("least"), meta.get("most")
    for number, plain, bounded in ((int, click.INT, click.IntRange), (float, click.FLOAT, click.FloatRange)):
        if hint is number or set(get_args(hint)) == {number, NoneType}:
            return plain if least is None else bounded(least, most)
    return str


def _default_shown(one: Field[Any]) -> str:
    """The default as one would type it; what stands for all, or for nothing in particular, is said by the help."""
    default = one.default
    shown = spell_value(tuple(default) if isinstance(default, (list, tuple)) else default).strip("[]")
    return "" if shown in ("", "none", "<dataclasses._MISSING_TYPE object>") else shown


def choices_of(hint: Any) -> tuple[str, ...]:
    """The names that an option takes, where its type lists them."""
    inner = (
        next((part for part in get_args(hint) if part is not NoneType), hint) if NoneType in get_args(hint) else hint
    )
    return tuple(map(str, get_args(inner))) if get_origin(inner) is Literal else ()


def _refusal(old: str, new: str) -> click.Option:
    """An option of earlier versions: it says what to type instead."""

    def refuse(context: click.Context, _parameter: click.Parameter, value: Any) -> None:
        if value is not None and not context.resilient_parsing:
            raise click.UsageError(f"There is no {old} here any more. {new}", context)

    name = f"former_{old.strip('-').replace('-', '_')}"
    return click.Option([old, name], hidden=True, expose_value=False, callback=refuse)


def _values(cls: type[Any], among: Any, typed: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed, as values; what was not typed is left to the defaults."""
    types = declared_types(cls)  # type: ignore[arg-type]
    found: dict[str, Any] = {}
    for one in among:
        text = typed.get(one.name)
        if text is None or text == ():
            continue
        # What a field parses by itself, it gets as it was typed.
        raw = one.metadata.get("repeat") or one.metadata.get("parse") is not None
        found[one.name] = text if raw else value_of(text, types[one.name], getattr(cls, "name", "assay"))
    return found


def value_of(text: Any, hint: Any, owner: str) -> Any:
    """One option's text as its type has it; lists have commas between."""
    if not isinstance(text, str):
        return text
    if hint is str or str in get_args(hint) or choices_of(hint):
        return text
    if get_origin(hint) is tuple:
        # Metrics among them have brackets.
        parts = split_list(text)
        return tuple(parts) if get_args(hint)[0] is str else tuple(read_value(part, owner) for part in parts)
    return read_value(text, owner)
