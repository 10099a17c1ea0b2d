"""``assay agreement``: can I trust the judges?"""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.output import check_writable, emit, look_of, notes, output_options, write_atomically
from assay.cli.progress import progress
from assay.data.campaign import Campaign
from assay.data.judgement_reading import read_judgements
from assay.data.judgements import Judgements
from assay.data.reading import read
from assay.errors import InputError
from assay.figures import figure_bytes, figure_kind, load_altair
from assay.meta.agreement.halves import SPLITS
from assay.meta.agreement.measure import SAMPLES, agreement
from assay.meta.agreement.result import PICTURES
from assay.meta.normalise import METHODS
from assay.report.agreement import TABLES, render_agreement


@click.command("agreement", short_help="Can I trust the judges?")
@click.argument("source", metavar="CAMPAIGN | FILE")
@click.option("--judgements", metavar="FILE", help="Judgements of the campaign, if they are not in its human.tsv.")
@click.option("--kind", metavar="KIND[,KIND]", help="Which judgements; kinds chosen together are taken as one.")
@click.option("--normalise", type=click.Choice(list(METHODS)), default="none", show_default=True)
@click.option(
    "--grades", metavar="N | CUTS", help="For kappa: N grades of equal size, or cut points (30,50,70; one is 50,)."
)
@click.option("-m", "--metric", "metrics", multiple=True, metavar="METRIC", help="Whose correlation to look at, too.")
@click.option("--control", metavar="KIND[,KIND]", help="Kinds of quality control, held against the chosen ones.")
@click.option("--where", multiple=True, metavar="COND", help="Segments to use: NAME=VALUE or NAME!=VALUE; repeat it.")
@click.option("--missing", type=float, metavar="VALUE", help="A score that stands for none.")
@click.option("--lower-is-better", is_flag=True, help="Turn the scores round.")
@click.option("--all", "everything", is_flag=True, help="List every pair and every rater.")
@click.option("--table", type=click.Choice(TABLES), help="Which table TSV and CSV hold.  [default: results]")
@click.option("--figure", metavar="FILE", help="Draw a picture: FILE.svg, FILE.png or FILE.html.")
@click.option("--picture", type=click.Choice(list(PICTURES)), default="judges", show_default=True)
@click.option("--raters", metavar="A,B", help="Which two judges to draw.  [default: with most items in common]")
@click.option("--splits", type=click.IntRange(1, 100_000), default=SPLITS, show_default=True, help="Random halves.")
@click.option("--samples", type=click.IntRange(2, 1_000_000), default=SAMPLES, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--threads", type=click.IntRange(1, 1024), help="How many threads (default: all there are).")
@output_options
def command(
    *,
    source: str,
    judgements: str | None,
    metrics: tuple[str, ...],
    everything: bool,
    table: str | None,
    figure: str | None,
    picture: str,
    raters: str | None,
    style: str,
    output: str | None,
    quiet: bool,
    no_color: bool,
    **options: object,
) -> None:
    """Can I trust the judges? Agreement between raters and with themselves, their severity, and what normalising does.

    assay agreement campaign/ --kind mqm

    assay agreement campaign/ --kind da,da-repeat --normalise z -m bleu,chrf

    assay agreement human.tsv --figure judges.svg --raters anna,bilal
    """
    kind = None if figure is None else figure_kind(figure)
    if kind is not None:
        # Better now than behind the work.
        load_altair()
    for path in (output, figure):
        check_writable(path)
    with notes(quiet):
        opened = _open(source, judgements)
        with progress("Measuring", quiet) as report:
            found = agreement(opened, metrics=metrics or None, progress=report, **options)  # type: ignore[arg-type]
        text = render_agreement(found, style, look_of(no_color, output), table=table, everything=everything)
        if figure is not None and kind is not None:
            write_atomically(Path(figure), figure_bytes(found.chart(picture, raters=raters), kind))
        emit(text, output)


def _open(source: str, judgements: str | None) -> Campaign | Judgements:
    """A campaign with its judgements, or a file of judgements alone."""
    if judgements is not None:
        campaign = read(source)
        return campaign.with_judgements(read_judgements(judgements, campaign=campaign))
    if Path(source).is_dir():
        return read(source)
    if not Path(source).exists() and source != "-":
        raise InputError(f"{source}: no such file or folder.")
    return read_judgements(source)
