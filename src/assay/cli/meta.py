"""``assay meta``: can I trust the metric?"""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import click

from assay.cli.inputs import Inputs, input_options, systems_option
from assay.cli.judging import judging_options, ranking_option, with_judging
from assay.cli.output import check_outputs, emit, look_of, notes, output_options, write_atomically
from assay.cli.progress import progress
from assay.cli.score_files import read_score_files, score_file_options
from assay.data.campaign import Campaign
from assay.data.filters import only, segments_where
from assay.errors import AssayWarning
from assay.figures import figure_bytes, figure_kind, load_altair
from assay.meta.charts import PICTURES
from assay.meta.evaluate import meta_evaluate
from assay.meta.known import KNOWN
from assay.meta.request import GROUPINGS, LEVELS, RESAMPLES, SCOPES, TESTS, UNITS
from assay.metrics.registry import DEFAULT_METRICS
from assay.metrics.registry import metrics as named_metrics
from assay.report.meta import render_meta
from assay.significance.corrections import CORRECTIONS


@click.command("meta", short_help="Can I trust the metric?")
@input_options
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help=f"Default: {','.join(DEFAULT_METRICS)}; with --scores or --beside none.",
)
@systems_option
@judging_options
@ranking_option
@score_file_options
@click.option("--beside", metavar="KIND,...", help="Other kinds of judgement, measured like metrics.")
@click.option("--level", "levels", metavar="LEVEL,...", help=f"{', '.join(LEVELS)}. Default: all.")
@click.option("--statistic", "statistics", metavar="NAME,...", help=f"{', '.join(KNOWN)}, all.")
@click.option("--grouping", "groupings", metavar="NAME,...", help=f"Of segments: {', '.join(GROUPINGS)}, all.")
@click.option(
    "--scope", type=click.Choice(SCOPES), default="judged", show_default=True, help="Segments that metrics score."
)
@click.option(
    "--resample", type=click.Choice(RESAMPLES), default="points", show_default=True, help="What intervals allow for."
)
@click.option(
    "--unit", type=click.Choice(UNITS), default="segment", show_default=True, help="What is drawn as a whole."
)
@click.option("--test", type=click.Choice(TESTS), default="perm-both", show_default=True, help="Between metrics.")
@click.option("--correction", type=click.Choice(CORRECTIONS), default="holm", show_default=True)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="The level of significance.")
@click.option("--pairs", "all_pairs", is_flag=True, help="List every pair of metrics, however many there are.")
@click.option("--top", is_flag=True, help="Show correlations over the best k systems, for every k.")
@click.option("--figure", metavar="FILE", help="Draw a picture: FILE.svg, FILE.png or FILE.html.")
@click.option(
    "--picture", type=click.Choice(list(PICTURES)), default="correlations", show_default=True, help="Which picture."
)
@click.option("--samples", type=click.IntRange(0, 1_000_000), default=1000, show_default=True, help="For intervals.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--threads", type=click.IntRange(1, 1024), help="How many threads (default: all there are).")
@click.option("--save", metavar="FILE", help="Keep the result as JSON as well.")
@output_options
def command(
    *,
    given: Inputs,
    metrics: tuple[str, ...],
    systems: str | None,
    judgement_files: tuple[str, ...],
    judgement_format: str | None,
    weights: str | None,
    score_files: tuple[str, ...],
    scores_lower: str | None,
    beside: str | None,
    all_pairs: bool,
    top: bool,
    figure: str | None,
    picture: str,
    save: str | None,
    style: str,
    output: str | None,
    quiet: bool,
    no_color: bool,
    **options: object,
) -> None:
    """Can I trust the metric? How far metrics follow people, with an interval on every value.

      assay meta campaign/ -m bleu,chrf,ter --kind mqm

      assay meta campaign/ --kind mqm --scores COMET-refA.seg.score --figure metrics.svg

      assay meta campaign/ --kind esa --beside mqm --level segment --normalise z

    Judgements are in the campaign's human.tsv, or in files of any known format: --judgements FILE.
    """
    kind = None if figure is None else figure_kind(figure)
    if kind is not None:
        # Better now than behind the work.
        load_altair()
    chosen = named_metrics(metrics) if metrics else () if score_files or beside else named_metrics(DEFAULT_METRICS)
    check_outputs(output=output, save=save, figure=figure)
    with notes(quiet):
        campaign = with_judging(given.whole("assay meta"), judgement_files, judgement_format, weights)
        scores = read_score_files(score_files, scores_lower, campaign)
        before = _judgement_count(campaign)
        if given.conditions:
            segments = segments_where(campaign, *given.conditions)
            campaign, scores = only(campaign, segments), [one.of_segments(segments) for one in scores]
        with progress("Judging metrics", quiet) as report:
            result = meta_evaluate(
                campaign,
                chosen,
                systems=systems,
                references=given.refs,
                targeted=given.targeted_names,
                scores=scores,
                beside=beside,
                progress=report,
                **options,  # type: ignore[arg-type]
            )
        elsewhere = before - _judgement_count(campaign)
        result = replace(result, usage=result.usage.beside(elsewhere, "of segments that --where leaves out"))
        if figure is not None and kind is not None:
            write_atomically(Path(figure), figure_bytes(result.chart(picture), kind))
        if save is not None:
            write_atomically(Path(save), result.to_json() + "\n")
        if style in ("tsv", "csv"):
            # The table has no room for it.
            warnings.warn(str(result.usage), AssayWarning, stacklevel=1)
        emit(render_meta(result, style, look_of(no_color, output), all_pairs=all_pairs, top=top), output)


def _judgement_count(campaign: Campaign) -> int:
    return 0 if campaign.judgements is None else len(campaign.judgements)
