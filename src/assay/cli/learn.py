"""``assay learn``: can many metrics together predict what people say?"""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import click

from assay.cli.inputs import Inputs, input_options, systems_option
from assay.cli.judging import judging_options, with_judging
from assay.cli.output import check_outputs, emit, look_of, notes, output_options, write_atomically
from assay.cli.progress import progress
from assay.cli.score_files import read_score_files, score_file_options
from assay.data.filters import only, segments_where
from assay.errors import AssayWarning
from assay.figures import figure_bytes, figure_kind, load_altair
from assay.learned.learn import learn
from assay.learned.saving import check_savable, final_predictor
from assay.learned.training.registry import MODELS
from assay.learned.trials.folds import GROUPS, USUAL_FOLDS
from assay.learned.trials.tasks import ALL, TASKS
from assay.report.learning import render_learning


@click.command("learn", short_help="Can many metrics together predict what people say?")
@input_options
@click.option(
    "--features",
    default="paper",
    show_default=True,
    metavar="paper|wide|scores|LIST",
    help="What to learn from; scores: --scores alone.",
)
@click.option("-m", "--metric", "metrics", multiple=True, metavar="METRIC", help="Further metrics as features.")
@score_file_options
@systems_option
@judging_options
@click.option(
    "--grades",
    metavar="N | A,B,...",
    help="How many grades (quantiles), or cut points. Default: 5, or the judges' own.",
)
@click.option("--task", "tasks", default=ALL, show_default=True, metavar="TASK,...", help=f"{', '.join(TASKS)}, {ALL}.")
@click.option(
    "--model", "models", default=",".join(MODELS), show_default=True, metavar="MODEL,...", help="What learns."
)
@click.option(
    "--group", type=click.Choice(GROUPS), default="segment", show_default=True, help="What no fold tears apart."
)
@click.option("--folds", type=click.IntRange(2, 1000), default=USUAL_FOLDS, show_default=True, help="How many.")
@click.option(
    "--left-out/--no-left-out", default=None, help="Leave each feature out in turn (default: up to 15 features)."
)
@click.option("--figure", metavar="FILE", help="Draw a picture: FILE.svg, FILE.png or FILE.html.")
@click.option("--samples", type=click.IntRange(0, 1_000_000), default=1000, show_default=True, help="For intervals.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--threads", type=click.IntRange(1, 1024), help="How many threads (default: all there are).")
@click.option("--save", metavar="FILE", help="Save a predictor, fitted on everything, for assay predict.")
@click.option(
    "--save-model", type=click.Choice(MODELS), help="Which model to save (default: the best on held-out folds)."
)
@click.option("--overwrite", is_flag=True, help="Let --save replace a file.")
@output_options
def command(
    *,
    given: Inputs,
    features: str,
    metrics: tuple[str, ...],
    score_files: tuple[str, ...],
    scores_lower: str | None,
    systems: str | None,
    judgement_files: tuple[str, ...],
    judgement_format: str | None,
    weights: str | None,
    figure: str | None,
    save: str | None,
    save_model: str | None,
    overwrite: bool,
    style: str,
    output: str | None,
    quiet: bool,
    no_color: bool,
    **options: object,
) -> None:
    """Can many metrics together predict what people say? Predictors, trained and tested on different segments.

      assay learn campaign/ --kind da

      assay learn campaign/ --kind da --grades 20,40,60,80 --features wide --save model.json

      assay learn campaign/ --kind mqm --task pairwise --scores COMET-refA.seg.score --figure learnt.svg

    The tables are those of Paul, Finch and Sumita (2007), on your data, with an interval on every number.
    """
    kind = None if figure is None else figure_kind(figure)
    if kind is not None:
        # Better now than behind the work.
        load_altair()
    check_savable(save, save_model, overwrite=overwrite, models=str(options["models"]), tasks=str(options["tasks"]))
    check_outputs(output=output, save=save, figure=figure)
    with notes(quiet):
        campaign = with_judging(given.whole("assay learn"), judgement_files, judgement_format, weights)
        scores = read_score_files(score_files, scores_lower, campaign)
        before = 0 if campaign.judgements is None else len(campaign.judgements)
        if given.conditions:
            segments = segments_where(campaign, *given.conditions)
            campaign, scores = only(campaign, segments), [one.of_segments(segments) for one in scores]
        elsewhere = before - (0 if campaign.judgements is None else len(campaign.judgements))
        with progress("Learning", quiet) as report:
            result = learn(
                campaign,
                [features, *metrics],
                systems=systems,
                references=given.refs,
                targeted=given.targeted_names,
                scores=scores,
                progress=report,
                **options,  # type: ignore[arg-type]
            )
        usage = result.examples.usage.beside(elsewhere, "of segments that --where leaves out")
        result = replace(result, examples=replace(result.examples, usage=usage))
        if figure is not None and kind is not None:
            write_atomically(Path(figure), figure_bytes(result.chart(), kind))
        if save is not None:
            final_predictor(result, save_model).save(save, overwrite=overwrite)
        if style in ("tsv", "csv"):
            # The table has no room for it.
            warnings.warn(str(usage), AssayWarning, stacklevel=1)
        emit(render_learning(result, style, look_of(no_color, output)), output)
