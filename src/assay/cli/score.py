"""``assay score``: how good is each system?"""

from __future__ import annotations

import click

from assay.cli.bootstrapping import bootstrap_options
from assay.cli.inputs import Inputs, input_options, systems_option, where_option
from assay.cli.levels import require_labels
from assay.cli.output import check_writable, emit, look_of, notes, output_options
from assay.cli.progress import progress
from assay.metrics.registry import metrics as named_metrics
from assay.report.scores import render_scores
from assay.scoring.score import DEFAULT_METRICS, Level, score


@click.command("score", short_help="How good is each system?")
@input_options
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help=f"bleu, 'bleu(order=2)', bleu,chrf ... (default: {','.join(DEFAULT_METRICS)}); see assay metrics.",
)
@systems_option
@where_option
@click.option("--segments", is_flag=True, help="A score per segment as well; in TSV and CSV instead.")
@click.option("--documents", is_flag=True, help="A score per document as well; in TSV and CSV instead.")
@click.option("--domains", is_flag=True, help="A score per domain as well; in TSV and CSV instead.")
@bootstrap_options
@click.option("--sacrebleu-signature", is_flag=True, help="sacreBLEU's signature too, where it computes the same.")
@output_options
def command(
    *,
    given: Inputs,
    metrics: tuple[str, ...],
    systems: str | None,
    segments: bool,
    documents: bool,
    domains: bool,
    seed: int,
    samples: int,
    threads: int | None,
    sacrebleu_signature: bool,
    style: str,
    output: str | None,
    quiet: bool,
    no_color: bool,
) -> None:
    """How good is each system? Corpus scores with 95 % bootstrap intervals.

    CAMPAIGN is a folder with ref.<id>.txt and sys.<name>.txt, a folder of mt-metrics-eval, or a .tsv, .csv, .jsonl,
    .parquet, .sgm or .xml file. With -r, the arguments are files of translations instead, one segment per line, or
    SGML or WMT XML; - is standard input. References called pe or pe.<anything> are human post-edits, which hter is
    about and other metrics leave aside.
    """
    asked = {"segments": segments, "documents": documents, "domains": domains}
    levels: tuple[Level, ...] = tuple(level for level, wanted in asked.items() if wanted)  # type: ignore[misc]
    chosen = named_metrics(metrics or DEFAULT_METRICS)
    check_writable(output)
    with notes(quiet):
        campaign = given.campaign("assay score")
        require_labels(campaign, levels)
        with progress("Scoring", quiet) as report:
            result = score(
                campaign,
                chosen,
                systems=systems,
                references=given.refs,
                targeted=given.targeted_names,
                seed=seed,
                samples=samples,
                threads=threads,
                progress=report,
            )
        text = render_scores(
            result,
            style,
            levels=levels,
            look=look_of(no_color, output),
            sacrebleu_signature=sacrebleu_signature,
        )
        emit(text, output)
