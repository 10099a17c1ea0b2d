"""A question as a command: its options are the question's fields, and those that choose data mean the same in all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from inspect import cleandoc
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import click

from assay.cli.output import deliver, notes, output_of, output_parameters, progress
from assay.data.campaign import Campaign
from assay.data.files import read_lines
from assay.data.formats import guess_format
from assay.data.reading import FORMATS, read, read_files
from assay.errors import InputError
from assay.metrics.options import declared_types, read_value, spell_value, split_list
from assay.questions.asked import Data, ask
from assay.questions.base import Question, make


def command_of(question: type[Question]) -> click.Command:
    """The command that asks a question."""
    data = [field for field in fields(Data) if field.metadata["group"] in ("", "run", *question.takes)]
    # The leading one first; one may be an argument instead.
    ordered = sorted(fields(question), key=lambda field: field.name != question.leading)

    def call(**values: Any) -> int:
        quiet = values.pop("quiet")
        inputs = _Inputs.taken_from(values, question)
        options = _values(question, fields(question), values)
        chosen = _values(Data, data, values)
        if "targeted" in chosen:
            # Files are read where texts are, and names chosen among references.
            named = [name for text in chosen["targeted"] for name in text.split(",")]
            chosen["targeted"] = tuple(named) if inputs.is_campaign else ()
        with notes(quiet):
            asked, data_chosen = make(question, options, question.name), Data(**chosen)
            output = output_of(values, save=options.get("save"))
            with progress(question.working, quiet) as report:
                result = ask(asked, lambda: inputs.campaign(asked, data_chosen), data_chosen, report)
            deliver(result, output)
        return int(result.failed)

    parameters = [
        *_input_parameters(question),
        *(_parameter(question, field) for field in ordered if field.name != question.argument),
        *(_parameter(Data, field) for field in data),
        *output_parameters(pictures=question.pictures),
        *(_refusal(old, new) for old, new in question.renamed.items() if old.startswith("--")),
    ]
    # A study says its question and who asked first, others what their docstring says.
    asked_first = f"{question.question}\n\nSource: {question.source}."
    text = asked_first if question.source else cleandoc(question.__doc__ or "")
    return click.Command(question.name, callback=call, params=parameters, help=text)


@dataclass(frozen=True)
class _Inputs:
    """What a command line says of the texts to work on: a campaign, or files that are named one by one."""

    files: tuple[str, ...]
    references: tuple[str, ...]
    source: str | None
    targeted: tuple[str, ...]
    input_format: str | None
    pair: str | None
    #: Whether the one argument holds references of its own.
    is_campaign: bool
    #: Whether judgements are named, and will do without texts.
    is_judged: bool

    @classmethod
    def taken_from(cls, values: dict[str, Any], question: type[Question]) -> _Inputs:
        """What the arguments say; they are taken out of ``values``, but for those that choose data."""
        if question.argument is not None:
            values[question.argument] = values.pop("argument_first")
        if not question.needs_texts and _names_judgements(values):
            values["judgements"] = values.pop("inputs")
        files, references = values.pop("inputs", ()), values.pop("reference_files", ())
        input_format = values.pop("input_format", None)
        return cls(
            files,
            references,
            values.pop("source", None),
            values.get("targeted", ()),
            input_format,
            values.pop("pair", None),
            not references and len(files) == 1 and (input_format is not None or guess_format(files[0]) != "lines"),
            not question.needs_texts and bool(values.get("judgements")),
        )

    def campaign(self, asked: Question, data: Data) -> Campaign:
        """What the options give themselves, or the campaign that is named, with all its segments."""
        given = asked.own_campaign(data)
        if given is not None:
            if self.files or self.references or self.source:
                raise InputError("--translation and --against take the place of a campaign; give the one or the other.")
            return given
        if self.is_campaign:
            if self.source is not None:
                raise InputError("-s goes with -r; a campaign folder has its source in src.txt.")
            return read(self.files[0], input_format=self.input_format, pair=self.pair)
        if self.pair is not None:
            raise InputError("--pair is for a folder of mt-metrics-eval, and none is named.")
        if self.references or (self.targeted and self.files):
            if self.input_format is not None:
                raise InputError("--input-format is for a campaign; with -r every file has one segment per line.")
            return read_files(self.files, self.references, self.source, self.targeted)
        if not self.files and self.is_judged:
            return Campaign("judgements", {}, {})
        raise self._advice(asked)

    def _advice(self, asked: Question) -> InputError:
        """What is missing, where no campaign is named."""
        command = " ".join(filter(None, ["assay", asked.command, asked.name, (asked.argument or "").upper()]))
        if not self.files:
            wanted = (
                f"Nothing to {command.split()[1]}. Give a campaign folder, or -r REFERENCE TRANSLATION."
                if asked.needs_texts
                else "No judgements. Give a campaign folder that has them, or a file of them."
            )
            return InputError(f"{wanted} See: {command} --help")
        if len(self.files) > 1:
            return InputError(
                f"{len(self.files)} arguments but no reference. Give one campaign folder, or name the references with "
                f"-r: {command} -r REFERENCE {' '.join(self.files)}"
            )
        file = self.files[0]
        # A wrong path deserves a better answer than a wrong format.
        read(file, input_format=self.input_format) if file == "-" else read_lines(file)
        return InputError(f"No reference was given for {file}. Name at least one: {command} -r REFERENCE {file}")


def _names_judgements(values: dict[str, Any]) -> bool:
    """Whether the one argument can be nothing but judgements: a file that no judgements are named beside."""
    others = ("judgements", "reference_files", "source", "targeted", "input_format", "pair")
    files = values["inputs"]
    return len(files) == 1 and not Path(files[0]).is_dir() and not any(values.get(name) for name in others)


def _input_parameters(question: type[Question]) -> list[click.Parameter]:
    """Arguments and options that name files."""
    first = [click.Argument(["argument_first"], metavar=str(question.argument).upper())] if question.argument else []
    if "texts" not in question.takes:
        return [*first, click.Argument(["inputs"], nargs=-1, metavar="CAMPAIGN | FILE")]
    metavar = "CAMPAIGN | TRANSLATION..." if question.needs_texts else "CAMPAIGN | JUDGEMENTS | TRANSLATION..."
    return [
        *first,
        click.Argument(["inputs"], nargs=-1, metavar=metavar),
        click.Option(
            ["-r", "--reference", "reference_files"], multiple=True, metavar="FILE", help="A reference file; repeat it."
        ),
        click.Option(["-s", "--source"], metavar="FILE", help="The source, one segment per line."),
        click.Option(
            ["--input-format"], type=click.Choice(FORMATS), help="Of the campaign, if its name does not tell."
        ),
        click.Option(
            ["--pair"], metavar="en-de", help="The languages, in a folder of mt-metrics-eval that has several."
        ),
    ]


def _parameter(cls: type[Any], field: Field[Any]) -> click.Option:
    """The option of a field."""
    meta, hint = field.metadata, declared_types(cls)[field.name]
    flags = (meta.get("flag") or f"--{field.name.replace('_', '-')}").split(", ")
    text = meta["help"]() if callable(meta["help"]) else meta["help"]
    if hint is bool or set(get_args(hint)) == {bool, NoneType}:
        names = [*flags, field.name] if hint is bool else [f"{flags[0]}/--no-{flags[0][2:]}", field.name]
        return click.Option(names, is_flag=True, default=None, help=text)
    kind = _checked(hint, meta)
    default = "" if field.default is MISSING else spell_value(field.default).strip("[]")
    # What stands for all, or for nothing in particular, is said by the text.
    shown = "" if default in ("", "none") else f"  [default: {default}]"
    return click.Option(
        [*flags, field.name],
        multiple=bool(meta.get("repeat")),
        metavar=meta.get("metavar") or (None if isinstance(kind, click.Choice) else "VALUE"),
        type=kind,
        help=f"{text}{shown}".strip(),
    )


def _checked(hint: Any, meta: Mapping[str, Any]) -> Any:
    """The type that click checks itself, so that its messages name the option: names, or a number; else it is text."""
    inner = [part for part in get_args(hint) if part is not NoneType]
    plain = inner[0] if NoneType in get_args(hint) and len(inner) == 1 else hint
    names = meta.get("choices") or (get_args(plain) if get_origin(plain) is Literal else ())
    if names:
        return click.Choice(tuple(map(str, names)))
    least, most = meta.get("least"), meta.get("most")
    if plain is int:
        return click.INT if least is None else click.IntRange(least, most)
    if plain is float:
        return click.FLOAT if least is None else click.FloatRange(least, most)
    return str


def _refusal(old: str, new: str) -> click.Option:
    """An option of earlier versions: it says what to type instead."""

    def refuse(context: click.Context, _parameter: click.Parameter, value: Any) -> None:
        if value is not None and not context.resilient_parsing:
            raise click.UsageError(f"There is no {old} here any more. {new}", context)

    name = f"former_{old.strip('-').replace('-', '_')}"
    return click.Option([old, name], hidden=True, expose_value=False, callback=refuse)


def _values(cls: type[Any], among: Iterable[Field[Any]], typed: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed, as values; what was not typed is left to the defaults."""
    hints, values = declared_types(cls), {}
    for field in among:
        text = typed.get(field.name)
        if text is None or text == ():
            continue
        # What a field parses by itself, it gets as it was typed.
        raw = not isinstance(text, str) or field.metadata.get("repeat") or field.metadata.get("parse") is not None
        values[field.name] = text if raw else _value(text, hints[field.name], getattr(cls, "name", "assay"))
    return values


def _value(text: str, hint: Any, owner: str) -> Any:
    """One option's text as its type has it; lists have commas between."""
    kinds = (hint, *get_args(hint))
    if str in kinds or any(get_origin(kind) is Literal for kind in kinds):
        return text if get_origin(hint) is not tuple else tuple(split_list(text))
    if get_origin(hint) is tuple:
        return tuple(read_value(part, owner) for part in split_list(text))
    return read_value(text, owner)
