"""``assay agreement``: can I trust the judges?"""

from __future__ import annotations

import warnings
from pathlib import Path

import click

from assay.cli.judging import judgements_in, judging_options, reweighted, with_judging
from assay.cli.output import check_outputs, emit, look_of, notes, output_options, write_atomically
from assay.cli.progress import progress
from assay.data.campaign import Campaign
from assay.data.judgements import Judgements
from assay.data.reading import read
from assay.errors import AssayWarning, InputError
from assay.figures import figure_bytes, figure_kind, load_altair
from assay.meta.agreement.halves import SPLITS
from assay.meta.agreement.measure import SAMPLES, agreement
from assay.meta.agreement.result import PICTURES
from assay.report.agreement import TABLES, render_agreement, usage_note


@click.command("agreement", short_help="Can I trust the judges?")
@click.argument("source", metavar="CAMPAIGN | FILE")
@judging_options
@click.option(
    "--grades", metavar="N | CUTS", help="For kappa: N grades of equal size, or cut points (30,50,70; one is 50,)."
)
@click.option("-m", "--metric", "metrics", multiple=True, metavar="METRIC", help="Whose correlation to look at, too.")
@click.option("--control", metavar="KIND[,KIND]", help="Kinds of quality control, held against the chosen ones.")
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
    judgement_files: tuple[str, ...],
    judgement_format: str | None,
    weights: str | None,
    conditions: tuple[str, ...],
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
    check_outputs(output=output, figure=figure)
    with notes(quiet):
        opened = _open(source, judgement_files, judgement_format, weights)
        with progress("Measuring", quiet) as report:
            found = agreement(
                opened,
                metrics=metrics or None,
                where=conditions,
                progress=report,
                **options,  # type: ignore[arg-type]
            )
        text = render_agreement(found, style, look_of(no_color, output), table=table, everything=everything)
        if figure is not None and kind is not None:
            write_atomically(Path(figure), figure_bytes(found.chart(picture, raters=raters), kind))
        if style in ("tsv", "csv"):
            # The table has no room for it.
            warnings.warn(usage_note(found), AssayWarning, stacklevel=1)
        emit(text, output)


def _open(
    source: str, files: tuple[str, ...], judgement_format: str | None, weights: str | None
) -> Campaign | Judgements:  # fmt: skip
    """A campaign with its judgements, or a file of judgements alone."""
    if files or Path(source).is_dir():
        return with_judging(read(source), files, judgement_format, weights)
    if not Path(source).exists() and source != "-":
        raise InputError(f"{source}: no such file or folder.")
    judgements = judgements_in([source], judgement_format)
    return judgements if weights is None else reweighted(judgements, weights)
