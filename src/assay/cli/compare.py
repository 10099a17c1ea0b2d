"""``assay compare``: is A really better than B?"""

from __future__ import annotations

import click

from assay.cli.inputs import Inputs, input_options, systems_option, where_option
from assay.cli.output import check_writable, emit, look_of, notes
from assay.cli.progress import progress
from assay.comparison.buckets import Bucket, buckets, labels_of
from assay.comparison.calibration import SIMULATIONS, calibrate
from assay.comparison.changes import Change, changes
from assay.comparison.compare import BOOTSTRAP_SAMPLES, INTERVALS, SAMPLES, compare
from assay.comparison.gate import gate
from assay.comparison.laboratory import part_of
from assay.comparison.result import Comparison
from assay.comparison.units import UNITS
from assay.data.campaign import Campaign
from assay.errors import InputError
from assay.metrics.registry import DEFAULT_METRICS
from assay.metrics.registry import metrics as named_metrics
from assay.report.comparison import Report
from assay.report.tables import FORMATS
from assay.significance.corrections import CORRECTIONS
from assay.significance.tests import TESTS


@click.command("compare", short_help="Is A really better than B?")
@input_options
@click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="METRIC", help=f"Default: {','.join(DEFAULT_METRICS)}."
)
@systems_option
@where_option
@click.option("--baseline", metavar="NAME", help="Compare every system with this one instead of all pairs.")
@click.option("--test", type=click.Choice(TESTS), default="randomisation", show_default=True)
@click.option("--correction", type=click.Choice(CORRECTIONS), default="holm", show_default=True)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="The level of significance.")
@click.option(
    "--unit", type=click.Choice(UNITS), default="segment", show_default=True, help="What is drawn as a whole."
)
@click.option("--interval", type=click.Choice(INTERVALS), default="percentile", show_default=True)
@click.option("--pairs", "all_pairs", is_flag=True, help="List every pair, however many there are.")
@click.option("--segments", type=click.IntRange(1), metavar="N", help="The N segments that differ most, either way.")
@click.option("--by", metavar="NAME", help="Differences by length, document, domain or a column of the campaign.")
@click.option("--calibrate", "calibrates", is_flag=True, help="Measure false positives and coverage on these texts.")
@click.option("--simulations", type=click.IntRange(1), default=SIMULATIONS, show_default=True, help="For --calibrate.")
@click.option("--fail-if-worse", is_flag=True, help="With --baseline: exit 1 if a system is significantly worse.")
@click.option("--min-delta", type=float, default=0.0, show_default=True, help="Smaller losses pass the gate.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option(
    "--samples", type=click.IntRange(1, 10_000_000), default=SAMPLES, show_default=True, help="Randomisations."
)
@click.option(
    "--bootstrap-samples",
    type=click.IntRange(2, 1_000_000),
    default=BOOTSTRAP_SAMPLES,
    show_default=True,
    help="For intervals, and for --test bootstrap.",
)
@click.option("--threads", type=click.IntRange(1, 1024), help="How many threads (default: all there are).")
@click.option("--format", "style", type=click.Choice([*FORMATS, "junit"]), default="text", show_default=True)
@click.option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all.")
@click.option("-q", "--quiet", is_flag=True, help="No notes and no progress on standard error.")
@click.option("--no-color", is_flag=True, help="No colours (NO_COLOR works too).")
def command(
    *,
    given: Inputs,
    metrics: tuple[str, ...],
    systems: str | None,
    baseline: str | None,
    all_pairs: bool,
    segments: int | None,
    by: str | None,
    calibrates: bool,
    simulations: int,
    fail_if_worse: bool,
    min_delta: float,
    threads: int | None,
    style: str,
    output: str | None,
    quiet: bool,
    no_color: bool,
    **options: object,
) -> int:
    """Is A really better than B? All pairs of systems, paired tests, corrected p-values, clusters.

      assay compare campaign/ -m bleu,chrf

      assay compare -r reference.txt old.txt new.txt --segments 5

      assay compare campaign/ --baseline production --fail-if-worse --min-delta 0.3

    Files sys.<name>@<run>.txt are runs of one system.
    """
    chosen = named_metrics(metrics or DEFAULT_METRICS)
    check_writable(output)
    if fail_if_worse and baseline is None:
        raise InputError("--fail-if-worse needs --baseline NAME: worse than which system?")
    with notes(quiet):
        campaign = given.campaign("assay compare")
        campaign = campaign.choose(systems=systems, references=given.refs, targeted=given.targeted_names)
        if by is not None:
            labels_of(campaign, by)
        with progress("Comparing", quiet) as report:
            result = compare(
                campaign,
                chosen,
                baseline=baseline,
                threads=threads,
                progress=part_of(report, 0.0, 0.3 if calibrates else 1.0),
                **options,  # type: ignore[arg-type]
            )
            measured = (
                calibrate(result, simulations=simulations, progress=part_of(report, 0.3, 1.0)) if calibrates else []
            )
        outcome = gate(result, min_delta=min_delta) if fail_if_worse else None
        whole = Report(
            result,
            all_pairs=all_pairs,
            changed=_changes(result, campaign, segments),
            buckets=_buckets(result, campaign, by),
            measured=measured,
            gate=outcome,
        )
        emit(whole.render(style, look_of(no_color, output)), output)
    return 1 if outcome is not None and outcome.failed else 0


def _changes(result: Comparison, campaign: Campaign, count: int | None) -> list[tuple[list[Change], list[Change]]]:
    if count is None:
        return []
    return [changes(result, campaign, pair.metric, (pair.a, pair.b), count) for pair in result.pairs]


def _buckets(result: Comparison, campaign: Campaign, by: str | None) -> list[Bucket]:
    return [] if by is None else buckets(result, campaign, by)
