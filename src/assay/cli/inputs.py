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


def input_options(command: F) -> F:
    """``-r``, ``-s``, ``--refs``, ``--systems`` and ``--input-format``, the same in every command."""
    for option in (
        click.option("--input-format", type=click.Choice(FORMATS), help="Of the campaign, if its name does not tell."),
        click.option("--systems", metavar="A,'B-*'", help="Use these systems of the campaign."),
        click.option("--refs", metavar="A,B", help="Use these references of the campaign."),
        click.option("-s", "--source", metavar="FILE", help="The source, one segment per line."),
        click.option(
            "-r", "--reference", "reference_files", multiple=True, metavar="FILE", help="A reference file; repeat it."
        ),
        click.argument("inputs", nargs=-1, metavar=INPUTS),
    ):
        command = option(command)
    return command


def campaign_of(
    inputs: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    input_format: str | None,
    *,
    command: str = "assay score",
) -> Campaign:
    """The campaign that a command line names; ``command`` stands in the advice where it names none."""
    if references:
        if input_format is not None:
            raise InputError("--input-format is for a campaign; with -r every file has one segment per line.")
        return read_files(inputs, references, source)
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
    if source is not None:
        raise InputError("-s goes with -r; a campaign folder has its source in src.txt.")
    if input_format is None and guess_format(inputs[0]) == "lines" and inputs[0] != "-":
        # A wrong path deserves a better answer than a wrong format.
        from assay.data.formats.lines import read_lines

        read_lines(inputs[0])
        raise InputError(
            f"No reference was given for {inputs[0]}. Name at least one: {command} -r REFERENCE {inputs[0]}"
        )
    return read(inputs[0], input_format=input_format)
