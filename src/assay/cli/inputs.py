"""What a command works on: a campaign, or files that are named one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from assay.data.campaign import Campaign
from assay.data.reading import FORMATS, guess_format, read, read_files
from assay.errors import InputError
from assay.questions.base import Question

F = TypeVar("F", bound=Callable[..., Any])

INPUTS = "CAMPAIGN | TRANSLATION..."
#: The same where texts are not needed.
INPUTS_OR_JUDGEMENTS = "CAMPAIGN | JUDGEMENTS | TRANSLATION..."


@dataclass(frozen=True)
class Inputs:
    """What a command line says of the texts to work on."""

    files: tuple[str, ...]
    references: tuple[str, ...]
    source: str | None
    targeted: tuple[str, ...]
    input_format: str | None
    pair: str | None
    #: Whether there have to be texts, and whether judgements are named.
    needs_texts: bool = True
    judged: bool = False

    @classmethod
    def taken_from(cls, values: dict[str, Any], question: type[Question]) -> Inputs:
        """What the arguments say; they are taken out of ``values``, but for those that choose data."""
        if question.argument is not None:
            values[question.argument] = values.pop("argument_first")
        if not question.needs_texts and _names_judgements(values):
            values["judgements"] = values.pop("inputs")
        return cls(
            values.pop("inputs", ()),
            values.pop("reference_files", ()),
            values.pop("source", None),
            values.get("targeted", ()),
            values.pop("input_format", None),
            values.pop("pair", None),
            question.needs_texts,
            bool(values.get("judgements")),
        )

    @property
    def targets_files(self) -> bool:
        """Whether ``--targeted`` gives files, rather than names of references in a campaign."""
        return bool(self.targeted) and not self._names_campaign

    @property
    def _names_campaign(self) -> bool:
        """Whether the one argument holds references of its own."""
        one = not self.references and len(self.files) == 1
        return one and (self.input_format is not None or guess_format(self.files[0]) != "lines")

    def campaign(self, command: str) -> Campaign:
        """The campaign that is named, with all its segments; ``command`` stands in advice."""
        if self._names_campaign:
            if self.source is not None:
                raise InputError("-s goes with -r; a campaign folder has its source in src.txt.")
            return read(self.files[0], input_format=self.input_format, pair=self.pair)
        if self.pair is not None:
            raise InputError("--pair is for a folder of mt-metrics-eval, and none is named.")
        if self.references or (self.targeted and self.files):
            if self.input_format is not None:
                raise InputError("--input-format is for a campaign; with -r every file has one segment per line.")
            return read_files(self.files, self.references, self.source, self.targeted)
        if not self.files and not self.needs_texts and self.judged:
            return Campaign("judgements", {}, {})
        raise self._advice(command)

    def _advice(self, command: str) -> InputError:
        """What is missing, where no campaign is named."""
        if not self.files:
            wanted = (
                f"Nothing to {command.split()[1]}. Give a campaign folder, or -r REFERENCE TRANSLATION."
                if self.needs_texts
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
        from assay.data.lines import read_lines

        read(file, input_format=self.input_format) if file == "-" else read_lines(file)
        return InputError(f"No reference was given for {file}. Name at least one: {command} -r REFERENCE {file}")


def _names_judgements(values: dict[str, Any]) -> bool:
    """Whether the one argument can be nothing but judgements: a file that no judgements are named beside."""
    others = ("judgements", "reference_files", "source", "targeted", "input_format", "pair")
    files = values["inputs"]
    return len(files) == 1 and not Path(files[0]).is_dir() and not any(values.get(name) for name in others)


def input_parameters(question: type[Question]) -> list[click.Parameter]:
    """Arguments and options that name files."""
    first = [click.Argument(["argument_first"], metavar=str(question.argument).upper())] if question.argument else []
    if "texts" not in question.takes:
        return [*first, click.Argument(["inputs"], nargs=-1, metavar="CAMPAIGN | FILE")]
    metavar = INPUTS if question.needs_texts else INPUTS_OR_JUDGEMENTS
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
