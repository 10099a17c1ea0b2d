"""``assay predict``: what would people say of these translations?"""

from __future__ import annotations

import click

from assay.cli.bootstrapping import bootstrap_options
from assay.cli.inputs import Inputs, input_options, systems_option, where_option
from assay.cli.levels import require_labels
from assay.cli.output import check_writable, emit, look_of, notes, output_options
from assay.cli.progress import progress
from assay.cli.score_files import read_score_files, score_file_options
from assay.data.filters import only, segments_where
from assay.learned.predict import predict
from assay.learned.saved.model_file import load_model
from assay.report.predictions import render_card, render_predictions, require_one_table
from assay.scoring.statistics import Level


@click.command("predict", short_help="What would people say of these translations?")
@click.argument("model")
@input_options
@systems_option
@where_option
@score_file_options
@click.option("--segments", is_flag=True, help="Predictions per segment as well; in TSV and CSV instead.")
@click.option("--documents", is_flag=True, help="Predictions per document as well; in TSV and CSV instead.")
@click.option("--domains", is_flag=True, help="Predictions per domain as well; in TSV and CSV instead.")
@click.option("--card", is_flag=True, help="Show what the model was trained on and how good it is, and stop.")
@bootstrap_options
@output_options
def command(
    *,
    model: str,
    given: Inputs,
    systems: str | None,
    score_files: tuple[str, ...],
    scores_lower: str | None,
    segments: bool,
    documents: bool,
    domains: bool,
    card: bool,
    seed: int,
    samples: int,
    threads: int | None,
    style: str,
    output: str | None,
    quiet: bool,
    no_color: bool,
) -> None:
    """What would people say of these translations? A model that assay learn saved is applied to a campaign.

      assay predict model.json campaign/

      assay predict model.json campaign/ --segments --format tsv -o predictions.tsv

      assay predict model.json --card

    MODEL is data: loading it runs nothing. It is refused if one of its features is not what it was in training.
    """
    asked = {"segments": segments, "documents": documents, "domains": domains}
    levels: tuple[Level, ...] = tuple(level for level, wanted in asked.items() if wanted)  # type: ignore[misc]
    check_writable(output)
    require_one_table(style, levels)
    with notes(quiet):
        loaded = load_model(model)
        if card:
            emit(render_card(loaded, model, style, look_of(no_color, output)), output)
            return
        campaign = given.whole("assay predict MODEL")
        require_labels(campaign, levels)
        scores = read_score_files(score_files, scores_lower, campaign)
        if given.conditions:
            kept = segments_where(campaign, *given.conditions)
            campaign, scores = only(campaign, kept), [one.of_segments(kept) for one in scores]
        with progress("Predicting", quiet) as report:
            result = predict(
                campaign,
                loaded,
                systems=systems,
                references=given.refs,
                targeted=given.targeted_names,
                scores=scores,
                seed=seed,
                samples=samples,
                threads=threads,
                progress=report,
            )
        emit(render_predictions(result, style, levels=levels, look=look_of(no_color, output)), output)
