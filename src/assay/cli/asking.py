"""A question as a command: its options are the question's fields, and those that choose data mean the same in all."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields, replace
from inspect import cleandoc
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click

from assay.cli.completion import offered
from assay.cli.output import Output, emit, notes, parameter
from assay.cli.progress import progress
from assay.data.campaign import Campaign
from assay.data.files import read_lines
from assay.data.formats import CAMPAIGN_FORMATS, guess_format, read, read_all
from assay.errors import AssayWarning, InputError
from assay.metrics.options import declared_types, read_value, split_list
from assay.metrics.registry import ALSO, metric_names
from assay.properties import cached_property
from assay.questions.asked import Data, ask, is_judgements
from assay.questions.base import Question, option
from assay.questions.settings import Settings


def command_of(question: type[Question]) -> click.Command:
    """The command that asks a question."""

    def call(**typed: Any) -> int:
        if not question.needs_texts and _names_judgements(typed, question):
            typed["judgements"] = typed.pop("inputs")
        inputs, options, chosen = (_values(cls, typed) for cls in (_Inputs, question, Data))
        # A question may have an option of its own that is called like a choice of data which it does not take.
        taken = {field.name for field in question.data_fields(Data)}
        chosen = {name: value for name, value in chosen.items() if name in taken}
        texts = _Inputs(**inputs, is_judged="judgements" in chosen)
        # Names are chosen among the references of a campaign; elsewhere these are files, which are read with the texts.
        named = [name for text in texts.targeted for name in text.split(",")] if texts.is_campaign else []
        with notes(typed["quiet"]):
            folders = () if texts.reference_files else texts.inputs
            beside = folders[0] if len(folders) == 1 else folders
            settings = Settings.of(question, beside, chosen.get("config"), (Data, Output))
            asked = settings.made(question, options)
            given = {"targeted": tuple(named)} if texts.targeted else {}
            data = replace(settings.made(Data, chosen | given), config=settings.path)
            output = settings.made(Output, _values(Output, typed))
            with progress(question.working, output.quiet) as report:
                result = ask(asked, lambda: texts.campaign(asked, data), data, report)
            last = output.deliver(result)
        if last:
            emit(last)
        return int(result.failed)

    # A study says its question and who asked first, others what their docstring says.
    asked_first = f"{question.question}\n\nSource: {question.source}."
    text = asked_first if question.source else cleandoc(question.__doc__ or "")
    context = {"obj": question}
    return click.Command(question.name, context, callback=call, params=_parameters(question), help=text)


def _parameters(question: type[Question]) -> list[click.Parameter]:
    """Arguments; then options: of files, of the question, of data, and of the output."""
    groups = ("", "run", "figures", *question.takes) if question.takes else ("", "run")
    judged = "" if question.needs_texts else " | JUDGEMENTS"
    everything: tuple[type[Any], ...] = (_Inputs, question, Data, Output) if question.takes else (question, Output)
    options: dict[str, click.Parameter] = {
        field.name: parameter(cls, field)
        for cls in everything
        # The leading field first; one may be an argument instead.
        for field in sorted(fields(cls), key=lambda field: field.name != question.leading)
        if field.metadata.get("group") in groups and field.name != question.argument
    }
    if question.pictures:
        usual = f"Which picture.  [default: {question.pictures[0]}]"
        options["picture"] = click.Option(["--picture"], type=click.Choice(question.pictures), help=usual)
    first = [_argument(field) for field in fields(question) if field.name == question.argument]
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


@dataclass(frozen=True)
class _Inputs:
    """What a command line says of the texts to work on: a campaign, or files that are named one by one."""

    reference_files: tuple[str, ...] = option(
        (), "A reference file; repeat it.", flag="-r, --reference", metavar="FILE", repeat=True, group="texts"
    )
    source: str | None = option(
        None, "The source, one segment per line.", flag="-s, --source", metavar="FILE", group="texts"
    )
    input_format: str | None = option(
        None,
        "Of the campaign, if its name does not tell: folder, tsv, csv, jsonl, parquet, sgml, wmt-xml, mt-metrics-eval, "
        "or a format of scores.",
        metavar="FORMAT",
        choices=CAMPAIGN_FORMATS,
        group="texts",
    )
    pair: str | None = option(
        None, "The languages, in a folder of mt-metrics-eval that has several.", metavar="en-de", group="texts"
    )
    inputs: tuple[str, ...] = ()
    targeted: tuple[str, ...] = ()
    #: Whether judgements are named, which may do without texts.
    is_judged: bool = False

    @cached_property
    def is_campaign(self) -> bool:
        """Whether the arguments hold references of their own."""
        if self.reference_files or not self.inputs:
            return False
        return self.input_format is not None or all(guess_format(path) != "lines" for path in self.inputs)

    def campaign(self, asked: Question, data: Data) -> Campaign | list[Campaign]:
        """What the options give themselves, or the campaigns that are named, with all their segments."""
        given = asked.own_campaign(data)
        if given is not None:
            if self.inputs or self.reference_files or self.source:
                raise InputError("--translation and --against take the place of a campaign; give the one or the other.")
            return given
        if self.is_campaign:
            if self.source is not None:
                raise InputError("-s goes with -r; a campaign folder has its source in src.txt.")
            several = read_all(self.inputs, input_format=self.input_format, pair=self.pair)
            return several if len(several) > 1 else several[0]
        self._refuse_metrics()
        if self.pair is not None:
            raise InputError("--pair is for a folder of mt-metrics-eval, and none is named.")
        if self.reference_files or (self.targeted and self.inputs):
            if self.input_format is not None:
                raise InputError("--input-format is for a campaign; with -r every file has one segment per line.")
            from assay.data.formats.named_files import read_files

            self._mention_references()
            return read_files(self.inputs, self.reference_files, self.source, self.targeted)
        if not self.inputs and self.is_judged and not asked.needs_texts:
            return Campaign("judgements", {}, {})
        raise self._advice(asked)

    def _refuse_metrics(self) -> None:
        """Who types -m bleu chrf, as sacreBLEU has it, has a metric where a file should be."""
        absent = [word for word in self.inputs if word != "-" and not Path(word).exists()]
        metrics = [word for word in absent if word.casefold() in (*metric_names(), *ALSO)]
        if metrics:
            what = f"There is no file {metrics[0]!r}, which is the name of a metric."
            raise InputError(what, f"Several metrics have commas between them: -m METRIC,{','.join(metrics)}")

    def _mention_references(self) -> None:
        """Who types -r A B C may mean three references, and has two of them scored."""
        seeming = [file for file in self.inputs if Path(file).name.casefold().startswith("ref")]
        others = [file for file in self.inputs if file not in seeming]
        if not seeming or not self.reference_files:
            return
        meant = " ".join([*(f"-r {file}" for file in (*self.reference_files, *seeming)), *(others or ["TRANSLATION"])])
        said = f"{seeming[0]} is scored as a translation, for -r takes one file. If it is a reference, type: {meant}"
        warnings.warn(AssayWarning(said, level="warning"), stacklevel=2)

    def _advice(self, asked: Question) -> InputError:
        """What is missing, where no campaign is named."""
        command = " ".join(filter(None, ["assay", asked.command, asked.name, (asked.argument or "").upper()]))
        if not self.inputs:
            wanted = (
                f"Nothing to {command.split()[1]}. Give a campaign folder, or -r REFERENCE TRANSLATION."
                if asked.needs_texts
                else "No judgements. Give a campaign folder that has them, or a file of them."
            )
            return InputError(f"{wanted} See: {command} --help")
        if len(self.inputs) > 1:
            return InputError(
                f"{len(self.inputs)} arguments but no reference. Give one campaign folder, or name the references with "
                f"-r: {command} -r REFERENCE {' '.join(self.inputs)}"
            )
        file = self.inputs[0]
        # A wrong path deserves a better answer than a wrong format.
        read(file, input_format=self.input_format) if file == "-" else read_lines(file)
        return InputError(f"No reference was given for {file}. Name at least one: {command} -r REFERENCE {file}")


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
