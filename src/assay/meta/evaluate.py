"""``assay.meta_evaluate``: how far metrics follow people, at every level, with an interval on every value."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.reading import read
from assay.errors import AssayWarning, InputError
from assay.meta.bench_making import benches_of
from assay.meta.benches import Bench, Cell, Measured, RankingBench, SystemBench, document_labels
from assay.meta.ceiling import ceilings
from assay.meta.choosing import people_of
from assay.meta.gathering import other_sources, own_sources, require_different_names, warn_of_gaps
from assay.meta.metric_pairs import compare_metrics
from assay.meta.people import People
from assay.meta.post_edits import HTER, with_hter
from assay.meta.request import LEVELS, Names, Request, listed
from assay.meta.result import MetaEvaluation, MetaSetup, Result, Subset, SystemPoint, interval_of, number_or_none
from assay.meta.robust import outliers_of, points_of, subsets, top_curves
from assay.meta.sources import RowSource, Source
from assay.meta.usage import Usage
from assay.metrics.base import Metric
from assay.metrics.registry import DEFAULT_METRICS
from assay.metrics.registry import metrics as named_metrics
from assay.scoring.evaluate import Progress, thread_count


def meta_evaluate(
    campaign: Campaign | str | Path,
    metrics: Iterable[str | Metric] | str | Metric = DEFAULT_METRICS,
    *,
    kind: Names = None,
    levels: Names = None,
    statistics: Names = None,
    groupings: Names = None,
    normalise: str = "none",
    ranking: str = "wins",
    references: Names = None,
    systems: Names = None,
    targeted: Names = None,
    scores: Sequence[ExternalScores] = (),
    beside: Names = None,
    scope: str = "judged",
    missing: float | None = None,
    lower_is_better: bool = False,
    resample: str = "points",
    unit: str = "segment",
    samples: int = 1000,
    seed: int = 1,
    test: str = "perm-both",
    correction: str = "holm",
    alpha: float = 0.05,
    threads: int | None = None,
    progress: Progress | None = None,
) -> MetaEvaluation:
    """Measure how far metrics follow the judgements of one kind.

    ``scores`` are metrics from score files, and ``beside`` other kinds of judgement, treated like metrics. ``scope``
    says on which segments metrics score a system: those judged for it, or all. ``resample`` says what intervals allow
    for: other segments, other systems, or both; ``points`` is both at the system level, and other segments below it.
    ``samples=0`` leaves intervals out.
    """
    request = Request(
        levels=listed(levels, LEVELS), statistics=listed(statistics),
        groupings=listed(groupings), scope=scope, resample=resample, unit=unit, samples=samples, seed=seed,
        test=test, correction=correction, alpha=alpha,
    )  # fmt: skip
    chosen = [] if _is_empty(metrics) else named_metrics(metrics)
    if isinstance(campaign, (str, Path)):
        campaign = read(campaign)
    if not isinstance(campaign, Campaign):
        raise InputError(f"assay.meta_evaluate takes a campaign or its path, not a {type(campaign).__name__}.")
    campaign = campaign.choose(systems=systems, references=references, targeted=targeted)
    wanted = listed(kind, ()) or None
    others = listed(beside, ())
    if HTER in (*(wanted or ()), *others):
        campaign = with_hter(campaign, threads=threads)
    options = {"ranking": ranking, "missing": missing, "lower_is_better": lower_is_better, "seed": seed}
    people, usage = people_of(campaign, kind=wanted, method=normalise, **options)  # type: ignore[arg-type]
    campaign = replace(campaign, systems={name: campaign.systems[name] for name in people.systems})
    sources = own_sources(campaign, chosen, people, request, threads=threads, progress=progress)
    signatures = {source.name: source.statistics[0].signature() for source in sources if isinstance(source, RowSource)}
    further, beside_usage = other_sources(campaign, people, request, scores=scores, kinds=others, missing=missing)
    sources += further
    if not sources:
        raise InputError("There is no metric to judge. Name one with -m, or a file of scores with --scores.")
    require_different_names(sources)
    for source in sources:
        warn_of_gaps(source)
    setup = MetaSetup(
        kind=people.kind,
        normalise=normalise,
        scope=scope,
        resample=resample,
        samples=samples,
        seed=seed,
        unit=unit,
        test=test,
        correction=correction,
        alpha=alpha,
        systems=people.systems,
        segments=len(campaign),
    )
    run = _Evaluation(campaign, people, sources, request, threads=thread_count(threads), progress=progress)
    return replace(run.run(setup, usage, signatures), beside=beside_usage)


def _is_empty(metrics: Iterable[str | Metric] | str | Metric) -> bool:
    return isinstance(metrics, (tuple, list)) and not metrics


#: A result before it has an interval: which source, which bench, which statistic, which grouping.
Key = tuple[str, str, str, str | None]


class _Evaluation:
    """One run: benches, then every source on every bench, then metrics against each other."""

    def __init__(
        self,
        campaign: Campaign,
        people: People,
        sources: Sequence[Source],
        request: Request,
        *,
        threads: int,
        progress: Progress | None,
    ) -> None:
        self.campaign, self.people, self.sources, self.request = campaign, people, sources, request
        self.threads, self.progress = threads, progress
        self.labels = document_labels(campaign.documents)

    def run(self, setup: MetaSetup, usage: Usage, signatures: dict[str, str]) -> MetaEvaluation:
        """Everything."""
        benches = self._benches()
        measured = self._measure(benches)
        results = self._results(benches, measured)
        comparisons, clusters = compare_metrics(benches, self.sources, measured, self.request)
        system = next((bench for bench in benches if isinstance(bench, SystemBench)), None)
        robust: tuple[Subset, ...] = ()
        top: tuple[Subset, ...] = ()
        points: tuple[SystemPoint, ...] = ()
        if system is not None:
            far = outliers_of(system.human[0])
            robust = subsets(system, self.sources, far)
            top = top_curves(system, self.sources)
            points = points_of(system, self.sources, far)
        self._report(1.0)
        return MetaEvaluation(
            campaign=self.campaign,
            setup=setup,
            usage=usage,
            results=results,
            comparisons=comparisons,
            clusters=clusters,
            robust=robust,
            top=top,
            points=points,
            signatures=signatures,
        )

    def _benches(self) -> list[Bench]:
        """A bench for each level that the campaign allows; what it does not allow is said."""
        benches, reasons = benches_of(self.campaign, self.people, self.request)
        if not benches:
            raise InputError(" ".join(reasons))
        for reason in reasons:
            warnings.warn(reason, AssayWarning, stacklevel=5)
        return benches

    def _report(self, share: float) -> None:
        if self.progress is not None:
            self.progress(0.4 + 0.6 * share)

    def _measure(self, benches: Sequence[Bench]) -> dict[Key, Measured]:
        """Every statistic of every source; sources are independent, so they share the threads."""
        jobs = [(bench, source) for bench in benches for source in self.sources]
        done = 0

        def work(job: tuple[Bench, Source]) -> dict[Key, Measured]:
            nonlocal done
            bench, source = job
            found = bench.measure(self._cells(bench), source)
            done += 1
            self._report(0.7 * done / len(jobs))
            return {(source.name, bench.level, *cell): one for cell, one in found.items()}

        if self.threads == 1:
            return {key: one for job in jobs for key, one in work(job).items()}
        with ThreadPoolExecutor(self.threads) as pool:
            return {key: one for found in pool.map(work, jobs) for key, one in found.items()}

    def _cells(self, bench: Bench) -> list[Cell]:
        """Statistics and groupings that make sense on a bench, for as many systems as there are."""
        cells = self.request.cells(bench.level, ranked=isinstance(bench, RankingBench))
        alone = len(self.people.systems) < 2
        return [cell for cell in cells if not (cell[1] == "item" and alone)]

    def _results(self, benches: Sequence[Bench], measured: dict[Key, Measured]) -> tuple[Result, ...]:
        ceilings_of = {
            bench.level: ceilings(
                self.people, bench.level, self._cells(bench), labels=self.labels, seed=self.request.seed
            )
            for bench in benches
        }
        return tuple(
            Result(
                metric=name,
                level=level,
                statistic=statistic,
                grouping=grouping,
                value=number_or_none(found.value),
                interval=interval_of(found),
                n=found.n,
                ceiling=ceilings_of[level][statistic, grouping],
                epsilon=found.epsilon,
            )
            for (name, level, statistic, grouping), found in measured.items()
        )
