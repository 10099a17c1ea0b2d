"""``assay tune``: fit a metric's parameters to human judgements."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import click

from assay.cli.inputs import Inputs, input_options, systems_option
from assay.cli.judging import judging_options, ranking_option, with_judging
from assay.cli.output import check_outputs, emit, look_of, notes, output_options, write_atomically
from assay.cli.progress import progress
from assay.data.filters import only, segments_where
from assay.errors import AssayWarning, ParameterError
from assay.figures import figure_bytes, figure_kind, load_altair
from assay.learned.tune import tune
from assay.learned.tuning.folds import FEWEST, GROUPS, MOST
from assay.learned.tuning.measures import LEVELS, STATISTICS
from assay.learned.tuning.wanted import wanted_tunables
from assay.meta.request import GROUPINGS, listed
from assay.metrics.registry import metric as named_metric
from assay.report.tuning import render_tuning


@click.command("tune", short_help="Fit a metric's parameters to judgements.")
@click.argument("metric", metavar="METRIC")
@input_options
@click.option(
    "--parameters",
    metavar="NAME,...",
    help="Which to tune: alpha, weights, weights[2], all. Default: those of the formula alone.",
)
@systems_option
@judging_options
@ranking_option
@click.option("--level", type=click.Choice(LEVELS), default="segment", show_default=True)
@click.option("--statistic", type=click.Choice(STATISTICS), default="pearson", show_default=True, help="To tune for.")
@click.option(
    "--grouping",
    type=click.Choice(GROUPINGS),
    help="Of segments, as in assay meta. Default: none, but item for accuracy.",
)
@click.option(
    "--folds",
    type=click.IntRange(FEWEST, MOST),
    help="Each is held out once. Default: 10, or as many as there are systems.",
)
@click.option(
    "--group",
    type=click.Choice(GROUPS),
    help="What is held out as a whole. Default: segments; systems at the system level.",
)
@click.option("--figure", metavar="FILE", help="Draw the curves: FILE.svg, FILE.png or FILE.html.")
@click.option("--samples", type=click.IntRange(0, 1_000_000), default=1000, show_default=True, help="For intervals.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of folds and samples.")
@click.option("--threads", type=click.IntRange(1, 1024), help="How many threads count (default: all there are).")
@click.option("--save", metavar="FILE", help="Keep the result as JSON as well.")
@output_options
def command(
    *,
    metric: str,
    given: Inputs,
    parameters: str | None,
    systems: str | None,
    judgement_files: tuple[str, ...],
    judgement_format: str | None,
    weights: str | None,
    figure: str | None,
    save: str | None,
    style: str,
    output: str | None,
    quiet: bool,
    no_color: bool,
    **options: object,
) -> None:
    """Fit a metric's parameters to human judgements, and say what that is worth where it was not fitted.

      assay tune meteor campaign/ --kind mqm --figure curves.svg

      assay tune 'meteor(language=de)' campaign/ --kind mqm --parameters alpha,gamma --statistic kendall

      assay tune chrf campaign/ --kind da --level system --statistic accuracy

    Values come from nested cross-validation: no segment is scored by a metric that was fitted on it.
    """
    if not given.files and Path(metric).exists():
        raise ParameterError(f"{metric} is no metric. The metric comes first: assay tune METRIC {metric}")
    chosen = named_metric(metric)
    # Before anything is read: a wrong name is a quick answer.
    wanted_tunables(chosen, listed(parameters))
    kind = None if figure is None else figure_kind(figure)
    if kind is not None:
        load_altair()
    check_outputs(output=output, save=save, figure=figure)
    with notes(quiet):
        campaign = with_judging(given.whole("assay tune"), judgement_files, judgement_format, weights)
        before = 0 if campaign.judgements is None else len(campaign.judgements)
        if given.conditions:
            campaign = only(campaign, segments_where(campaign, *given.conditions))
        with progress("Tuning", quiet) as report:
            result = tune(
                campaign,
                chosen,
                parameters=parameters,
                systems=systems,
                references=given.refs,
                targeted=given.targeted_names,
                curves=figure is not None or save is not None or style == "json",
                progress=report,
                **options,  # type: ignore[arg-type]
            )
        elsewhere = before - (0 if campaign.judgements is None else len(campaign.judgements))
        result = replace(result, usage=result.usage.beside(elsewhere, "of segments that --where leaves out"))
        if figure is not None and kind is not None:
            write_atomically(Path(figure), figure_bytes(result.chart(), kind))
        if save is not None:
            write_atomically(Path(save), result.to_json() + "\n")
        if style in ("tsv", "csv"):
            # The table has no room for it.
            warnings.warn(str(result.usage), AssayWarning, stacklevel=1)
        emit(render_tuning(result, style, look_of(no_color, output)), output)
