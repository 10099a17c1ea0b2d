"""``assay.compare``: every pair of systems, tested on the same draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from assay.comparison.laboratory import IntervalName, Laboratory, Progress, better_of, part_of
from assay.comparison.result import Comparison, Pair, Standing, TestSetup
from assay.comparison.runs import runs_of
from assay.comparison.units import Unit
from assay.data.campaign import Campaign
from assay.data.reading import read
from assay.errors import InputError, ParameterError, UnknownName
from assay.metrics.base import Metric
from assay.metrics.registry import DEFAULT_METRICS
from assay.metrics.registry import metrics as named_metrics
from assay.scoring.evaluate import evaluate_all, thread_count
from assay.significance.clusters import Cluster, clusters
from assay.significance.corrections import CORRECTIONS
from assay.significance.tests import TESTS, TestName

INTERVALS: tuple[IntervalName, ...] = ("percentile", "bca")

#: Randomisations, unless somebody says otherwise.
SAMPLES = 10_000
BOOTSTRAP_SAMPLES = 1000


def compare(
    campaign: Campaign | str | Path,
    metrics: Iterable[str | Metric] | str | Metric = DEFAULT_METRICS,
    *,
    systems: Iterable[str] | str | None = None,
    references: Iterable[str] | str | None = None,
    targeted: Iterable[str] | str | None = None,
    baseline: str | None = None,
    test: TestName = "randomisation",
    correction: str = "holm",
    alpha: float = 0.05,
    unit: Unit = "segment",
    interval: IntervalName = "percentile",
    seed: int = 1,
    samples: int = SAMPLES,
    bootstrap_samples: int = BOOTSTRAP_SAMPLES,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Test every pair of systems, or every system against ``baseline``.

    Files ``sys.<name>@<run>.txt`` are runs of one system. Where there are several, the test is Welch's t over both
    sources of chance, whatever ``test`` says.
    """
    chosen = named_metrics(metrics)
    _check_names(test, correction, interval)
    _check_numbers(alpha, samples=samples, bootstrap_samples=bootstrap_samples)
    if isinstance(campaign, (str, Path)):
        campaign = read(campaign)
    if not isinstance(campaign, Campaign):
        raise InputError(f"assay.compare takes a campaign or its path, not a {type(campaign).__name__}.")
    campaign = campaign.choose(systems=systems, references=references, targeted=targeted)
    for metric in chosen:
        if metric.sees_targeted:
            campaign.require_targeted(metric.name)
    runs = runs_of(campaign.systems)
    _check_systems(campaign, runs, baseline)
    corpora = campaign.corpora()
    counted = evaluate_all(chosen, corpora, threads=threads, progress=part_of(progress, 0.0, 0.5))
    statistics = {
        (name, str(metric)): counted[row * len(chosen) + column]
        for row, name in enumerate(corpora)
        for column, metric in enumerate(chosen)
    }
    for (name, _), one in statistics.items():
        if one.failed.any():
            raise InputError(
                f"{one.metric} gave {int(one.failed.sum())} of {len(one)} segments of {name!r} no score. "
                "A comparison needs a score of every segment from both systems; leave the metric or the system out."
            )
    laboratory = Laboratory(
        statistics, runs, unit, test, interval, seed, samples, bootstrap_samples, thread_count(threads), alpha
    )
    laboratory.draw(part_of(progress, 0.5, 1.0))
    standings: list[Standing] = []
    pairs: list[Pair] = []
    found_clusters: dict[str, tuple[Cluster, ...]] = {}
    for metric in chosen:
        ranked = laboratory.ranked(metric)
        found = laboratory.pairs(metric, _pairs(ranked, baseline), correction)
        pairs += found
        standings += laboratory.standings(metric, ranked, found)
        if baseline is None:
            found_clusters[str(metric)] = tuple(clusters(ranked, better_of(found)))
    setup = TestSetup(
        test="two-level t" if laboratory.has_runs else test,
        correction=correction,
        alpha=alpha,
        unit=unit,
        units=laboratory.units,
        interval=interval,
        seed=seed,
        samples=laboratory.drawn_samples,
        bootstrap_samples=bootstrap_samples,
        baseline=baseline,
    )
    return Comparison(setup, tuple(chosen), tuple(standings), tuple(pairs), found_clusters, statistics, runs)


def _pairs(ranked: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    """All pairs, the better system first; or each system against the baseline."""
    if baseline is None:
        return list(combinations(ranked, 2))
    return [(system, baseline) for system in ranked if system != baseline]


def _check_names(test: str, correction: str, interval: str) -> None:
    for kind, name, known in (
        ("test", test, TESTS),
        ("correction", correction, CORRECTIONS),
        ("interval", interval, INTERVALS),
    ):
        if name not in known:
            raise UnknownName.of(kind, name, known)


def _check_numbers(alpha: float, **counts: int) -> None:
    if not 0.0 < alpha < 1.0:
        raise ParameterError(f"alpha is {alpha}, but it takes a number between 0 and 1.")
    for name, value in counts.items():
        if value < 1:
            raise ParameterError(f"{name} is {value}, but it takes a whole number of at least 1.")


def _check_systems(campaign: Campaign, runs: Mapping[str, tuple[str, ...]], baseline: str | None) -> None:
    if len(runs) < 2:
        names = ", ".join(runs) or "none"
        raise InputError(f"A comparison needs two systems, but {campaign.name} has {len(runs)} ({names}).")
    if baseline is not None and baseline not in runs:
        raise UnknownName.of("system", baseline, runs)
