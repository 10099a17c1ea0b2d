"""``assay convert``: between formats of campaigns, and between formats of judgements."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.output import notes
from assay.cli.progress import progress
from assay.data.conversion import FORMATS
from assay.data.conversion import convert as conversion
from assay.data.files import LARGEST_HELP, put_out, reading_up_to, write_files
from assay.data.formats import read


@click.command("convert", short_help="Between formats.")
@click.argument("path", metavar="INPUT")
@click.argument("target", metavar="OUTPUT")
@click.option("--from", "input_format", type=click.Choice(FORMATS), help="Of INPUT, if its name does not tell.")
@click.option("--to", "output_format", type=click.Choice(FORMATS), help="Of OUTPUT, if its name does not tell.")
@click.option("--campaign", metavar="CAMPAIGN", help="What judgements are about, for formats that need to know.")
@click.option("--pair", metavar="en-de", help="The languages, for formats that name them.")
@click.option("--kind", "kinds", metavar="KIND,KIND", help="Of the judgements only those of these kinds.")
@click.option("--merge", is_flag=True, help="Join segments that texts split differently; never split any.")
@click.option("--by", metavar="COLUMN", help="With --merge: join neighbours with the same value, such as document.")
@click.option("--align", is_flag=True, help="With --merge: find out which lines go together, where no ids say so.")
@click.option(
    "--alignment",
    metavar="FILE.tsv",
    help="With --align: write there which lines went together. Without it: take what stands there, corrected perhaps.",
)
@click.option("--largest", metavar="SIZE", help=LARGEST_HELP)
@click.option("--force", is_flag=True, help="Replace what is there.")
@click.option("-q", "--quiet", is_flag=True, help="No notes on standard error, and nothing on standard output.")
def convert(
    *,
    path: str,
    target: str,
    campaign: str | None,
    merge: bool,
    align: bool,
    alignment: str | None,
    largest: str | None,
    force: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Convert a campaign or judgements from one format to another.

    INPUT is a file or a folder; formats are known by names, and OUTPUT is a campaign folder if its name tells nothing.
    With --to a format of judgements, the judgements of a campaign are written. OUTPUT appears whole or not at all; - is
    standard output. What the new format has no place for is told.

    With --merge texts that are split differently get the smallest segmentation that they have in common. Where
    segments.ref.A.txt is in a folder, it has the ids of what each line of ref.A.txt holds (Luke.1.28, or
    Luke.1.28-Luke.1.29); other texts have those of segments.txt. What a reference has no words for joins a neighbour.

    Without ids --align finds out which lines go together, by their lengths and the rare words that they share. The
    table that --alignment FILE.tsv writes has a row per segment; correct it, and give it back without --align.
    """
    with notes(quiet), reading_up_to(largest):
        context = None if campaign is None else read(campaign)
        with progress("Converting", quiet):
            converted = conversion(
                path, target, campaign=context, merge=merge, align=align, alignment=alignment, **options
            )
        if align and alignment is not None:
            write_files({"": converted.alignment}, alignment, overwrite=force)
        if target == "-":
            put_out(converted.files)
            return
        written = write_files(converted.files, target, overwrite=force)
    if not quiet:
        count = "" if len(written) == 1 else f", {len(written)} files"
        for segments in converted.merges:
            click.echo(f"Merged {segments}")
        if converted.aligned:
            click.echo(converted.aligned)
        if align and alignment is not None:
            click.echo(
                f"{alignment}: which lines went together, with the cost of each segment: look at the highest first."
            )
        click.echo(f"{target}: {converted.content} ({converted.output_format}{count})")
        if merge:
            several = f"{len(converted.merges)} segments are made of several now."
            click.echo(several if converted.merges else "Nothing had to be merged.")
