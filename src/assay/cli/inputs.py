"""What a command works on: a campaign, or files that are named one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from assay.data.campaign import Campaign
from assay.data.reading import FORMATS, guess_format, read, read_files
from assay.errors import InputError

F = TypeVar("F", bound=Callable[..., Any])

INPUTS = "CAMPAIGN | TRANSLATION..."


#: Where a command line keeps the language pair between its parsing and the reading of the campaign.
_PAIR = "assay.pair"


def _keep_pair(context: click.Context, _: click.Parameter, value: str | None) -> None:
    context.meta[_PAIR] = value


def input_options(command: F) -> F:
    """``-r``, ``-s``, ``--refs``, ``--targeted``, ``--input-format`` and ``--pair``, the same in every command."""
    for option in (
        click.option(
            "--pair",
            metavar="en-de",
            expose_value=False,
            callback=_keep_pair,
            help="The languages, in a folder of mt-metrics-eval that has several.",
        ),
        click.option("--input-format", type=click.Choice(FORMATS), help="Of the campaign, if its name does not tell."),
        click.option(
            "--targeted",
            multiple=True,
            metavar="NAME | FILE",
            help="A reference that is a human post-edit, for hter: by name in a campaign, else a file; repeat it.",
        ),
        click.option("--refs", metavar="A,B", help="Use these references of the campaign."),
        click.option("-s", "--source", metavar="FILE", help="The source, one segment per line."),
        click.option(
            "-r", "--reference", "reference_files", multiple=True, metavar="FILE", help="A reference file; repeat it."
        ),
        click.argument("inputs", nargs=-1, metavar=INPUTS),
    ):
        command = option(command)
    return command


systems_option = click.option("--systems", metavar="A,'B-*'", help="Use these systems of the campaign.")


def _names_campaign(inputs: tuple[str, ...], references: tuple[str, ...], input_format: str | None) -> bool:
    """Whether the one argument holds references of its own."""
    return not references and len(inputs) == 1 and (input_format is not None or guess_format(inputs[0]) != "lines")


def targeted_names(
    inputs: tuple[str, ...], references: tuple[str, ...], input_format: str | None, targeted: tuple[str, ...]
) -> str | None:
    """What ``--targeted`` names among the references of a campaign; None where it gives files, or nothing."""
    return ",".join(targeted) if targeted and _names_campaign(inputs, references, input_format) else None


def _pair() -> str | None:
    """What ``--pair`` says, in whichever command this is."""
    context = click.get_current_context(silent=True)
    pair: str | None = None if context is None else context.meta.get(_PAIR)
    return pair


def campaign_of(
    inputs: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    input_format: str | None,
    *,
    targeted: tuple[str, ...] = (),
    command: str = "assay score",
) -> Campaign:
    """The campaign that a command line names; ``command`` stands in the advice where it names none.

    ``targeted`` are files of post-edits; for a campaign of its own they are names, and ``targeted_names`` has them.
    """
    if _names_campaign(inputs, references, input_format):
        if source is not None:
            raise InputError("-s goes with -r; a campaign folder has its source in src.txt.")
        return read(inputs[0], input_format=input_format, pair=_pair())
    if _pair() is not None:
        raise InputError("--pair is for a folder of mt-metrics-eval, and none is named.")
    if references or (targeted and inputs):
        if input_format is not None:
            raise InputError("--input-format is for a campaign; with -r every file has one segment per line.")
        return read_files(inputs, references, source, targeted)
    if not inputs:
        raise InputError(
            f"Nothing to {command.split()[1]}. Give a campaign folder, or -r REFERENCE TRANSLATION. "
            f"See: {command} --help"
        )
    if len(inputs) > 1:
        raise InputError(
            f"{len(inputs)} arguments but no reference. Give one campaign folder, or name the references with -r: "
            f"{command} -r REFERENCE {' '.join(inputs)}"
        )
    if inputs[0] == "-":
        return read(inputs[0], input_format=input_format)
    # A wrong path deserves a better answer than a wrong format.
    from assay.data.formats.lines import read_lines

    read_lines(inputs[0])
    raise InputError(f"No reference was given for {inputs[0]}. Name at least one: {command} -r REFERENCE {inputs[0]}")
