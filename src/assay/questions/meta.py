"""``assay meta``: how far metrics follow people, at every level, with an interval on every value."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from assay.data.campaign import Campaign
from assay.errors import AssayWarning, InputError, UnknownName
from assay.meta import pictures
from assay.meta.benches import Bench, Cell, Measured, RankingBench, SystemBench, benches_of, document_labels
from assay.meta.ceiling import ceilings
from assay.meta.choosing import OTHER_KIND
from assay.meta.metric_pairs import MetricTest, TestName, compare_metrics
from assay.meta.people import People
from assay.meta.resampling import DRAWN, Resampling
from assay.meta.robust import outliers_of, points_of, subsets, top_curves
from assay.meta.sources import Source, check_sources, external_source, human_source, metric_sources, scored
from assay.meta.statistics.base import GROUPINGS, LEVELS
from assay.meta.statistics.registry import ALL, cells, statistic_names
from assay.meta.statistics.registry import statistic as named_statistic
from assay.meta.usage import Usage
from assay.metrics.base import Metric
from assay.metrics.registry import DEFAULT_METRICS
from assay.metrics.registry import metrics as named_metrics
from assay.questions.asked import ELSEWHERE, Asked
from assay.questions.base import metrics_option, option
from assay.questions.judged import Judged
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table, View
from assay.scoring.blas import one_blas_thread
from assay.scoring.evaluate import thread_count
from assay.significance.corrections import Correction

#: So many pairs of metrics per level are listed without being asked for.
FEW_PAIRS = 10

#: What a statistic is over, at each level.
POINTS = {"system": "system", "document": "document of a system", "segment": "segment of a system"}
PLURALS = {
    "system": "systems",
    "document of a system": "documents of systems",
    "segment of a system": "segments of systems",
    "ranked pair": "ranked pairs that are no ties",
}
TITLES = {
    None: "",
    "none": ", all together",
    "item": ", systems within each {}",
    "system": ", {}s within each system",
}
VALUE = Column("value", "{}", ".3f", low="low", high="high")
#: How the line is called that says how far people follow each other.
PEOPLE = "people"

#: What was measured, by metric, level, statistic and grouping.
Measurements = dict[tuple[str, str, str, str | None], Measured]


@dataclass(frozen=True, kw_only=True)
class Meta(Judged):
    """Can I trust the metric? How far metrics follow people, with an interval on every value.

      assay meta campaign/ -m bleu,chrf,ter --kind mqm

      assay meta campaign/ --kind mqm --scores COMET-refA.seg.score --figure metrics.svg

      assay meta campaign/ --kind esa --beside mqm --level segment --normalise z

    Judgements are in the campaign's human.tsv, or in files of any known format: --judgements FILE.
    """

    name: ClassVar[str] = "meta"
    question: ClassVar[str] = "Can I trust the metric?"
    takes: ClassVar[tuple[str, ...]] = ("texts", "judgements", "scores")
    working: ClassVar[str] = "Judging metrics"
    pictures: ClassVar[tuple[str, ...]] = ("correlations", "systems", "differences", "top")
    renamed: ClassVar[Mapping[str, str]] = {"--save": "A result is kept by -o FILE.json."}

    metrics: tuple[Metric, ...] = metrics_option(
        (), f"Default: {','.join(DEFAULT_METRICS)}; with --scores or --beside none."
    )
    beside: tuple[str, ...] = option((), "Other kinds of judgement, measured like metrics.", metavar="KIND,...")
    levels: tuple[str, ...] = option(LEVELS, "Of what scores are held against people.", flag="--level", metavar="A,B")
    statistics: tuple[str, ...] = option(
        (), lambda: f"{', '.join(statistic_names())}, all.", flag="--statistic", metavar="A,B"
    )
    groupings: tuple[str, ...] = option(
        (), f"Of segments: {', '.join(GROUPINGS)}, all.", flag="--grouping", metavar="A,B"
    )
    scope: Literal["judged", "all"] = option("judged", "Segments that metrics score.")
    resample: Literal["points", "segments", "systems", "both"] = option("points", "What intervals allow for.")
    unit: Literal["segment", "document"] = option("segment", "What is drawn as a whole.")
    samples: int = option(1000, "Bootstrap samples; 0 for no interval.", metavar="N", least=0, most=1_000_000)
    test: TestName = option("perm-both", "Between metrics.")
    permutations: int = option(1000, "Random draws of that test.", metavar="N", least=1, most=1_000_000)
    correction: Correction = option("holm", "Of p-values for their number.")
    alpha: float = option(0.05, "The level of significance.", metavar="P")
    pairs: bool = option(False, "List every pair of metrics, however many there are.")
    top: bool = option(False, "Show correlations over the best k systems, for every k.")

    def check(self) -> None:
        for what, names, known in (
            ("level", self.levels, LEVELS),
            ("statistic", self.statistics, (*statistic_names(), ALL)),
            ("grouping", self.groupings, (*GROUPINGS, ALL)),
        ):
            for name in names:
                if name not in known:
                    raise UnknownName.of(what, name, known)
        self.require(0.0 < self.alpha < 1.0, "alpha", "a number between 0 and 1")

    def answer(self, asked: Asked) -> Result:
        campaign = asked.judged_campaign((*self.kind, *self.beside))
        people, usage = self.people(asked, campaign)
        campaign = replace(campaign, systems={name: campaign.systems[name] for name in people.systems})
        metrics = self.metrics or (() if asked.scores or self.beside else tuple(named_metrics(DEFAULT_METRICS)))
        sources, beside = self._sources(asked, campaign, people, metrics)
        check_sources(sources, kept=PEOPLE)
        with one_blas_thread():
            benches = self._benches(campaign, people, asked.seed)
            measured = self._measure(benches, sources, people, asked)
            tables = self._tables(benches, sources, measured, campaign=campaign, people=people, asked=asked)
        asked.report(1.0)
        setup = {
            "kind": people.kind, "normalise": self.normalise, "scope": self.scope, "resample": self.resample,
            "samples": self.samples, "seed": asked.seed, "unit": self.unit, "test": self.test,
            "correction": self.correction, "alpha": self.alpha, "systems": people.systems, "segments": len(campaign),
            **usage.to_dict(), "usage": str(usage), "beside": {name: one.to_dict() for name, one in beside.items()},
        }  # fmt: skip
        said = [str(usage), *(f"{name}: {one}" for name, one in beside.items()), self._said(setup)]
        if tables["ceilings"]:
            said.append(
                "people: one half of the judgements against the other half, in the mean of random halves. Halves are "
                "less sure than the whole, which metrics are held against, so a metric may lie above."
            )
        return Result(
            "meta",
            tables,
            tuple(self._views(tables)),
            tuple(said),
            setup=setup,
            signatures={str(metric): asked.signature(metric) for metric in metrics},
            figures=tuple(self._figures(tables, setup, campaign.name)),
        )

    def _sources(
        self, asked: Asked, campaign: Campaign, people: People, metrics: Sequence[Metric]
    ) -> tuple[list[Source], dict[str, Usage]]:
        """Metrics of ours, score files, and other kinds of judgement with what was used of them."""
        found = metric_sources(
            campaign, metrics, people, self.scope, threads=asked.threads, progress=asked.part(0.0, 0.4)
        )
        mask, labels = scored(people, self.scope), document_labels(campaign.documents)
        found += [external_source(one, people.systems, mask, labels) for one in asked.scores]
        used: dict[str, Usage] = {}
        for kind in self.beside:
            other, usage = asked.people(campaign, kind=(kind,), missing=self.missing)
            found.append(human_source(f"human:{kind}", other, people.systems, mask))
            used[f"human:{kind}"] = usage.without(OTHER_KIND, ELSEWHERE)
        return found, used

    def _benches(self, campaign: Campaign, people: People, seed: int) -> list[Bench]:
        """A bench for each level that the campaign allows; what it does not allow is said."""
        resampling = Resampling(
            resample=self.resample, unit=self.unit, scope=self.scope, samples=self.samples, seed=seed
        )
        benches, reasons = benches_of(campaign, people, self.levels, resampling)
        if not benches:
            raise InputError(" ".join(reasons))
        for reason in reasons:
            warnings.warn(reason, AssayWarning, stacklevel=2)
        return benches

    def _cells(self, bench: Bench, people: People) -> list[Cell]:
        """Statistics and groupings that make sense on a bench, for as many systems as there are."""
        found = cells(bench.level, self.statistics, self.groupings, ranked=isinstance(bench, RankingBench))
        return [cell for cell in found if cell[1] != "item" or len(people.systems) > 1]

    def _measure(
        self, benches: Sequence[Bench], sources: Sequence[Source], people: People, asked: Asked
    ) -> Measurements:
        """Every statistic of every source; sources are independent, so they share the threads."""
        jobs = [(bench, source) for bench in benches for source in sources]
        done = 0

        def work(job: tuple[Bench, Source]) -> Measurements:
            nonlocal done
            bench, source = job
            found = bench.measure(self._cells(bench, people), source)
            done += 1
            asked.report(0.4 + 0.42 * done / len(jobs))
            return {(source.name, bench.level, *cell): one for cell, one in found.items()}

        threads = thread_count(asked.threads)
        if threads == 1:
            return {key: one for job in jobs for key, one in work(job).items()}
        with ThreadPoolExecutor(threads) as pool:
            return {key: one for found in pool.map(work, jobs) for key, one in found.items()}

    def _tables(
        self,
        benches: Sequence[Bench],
        sources: Sequence[Source],
        measured: Measurements,
        *,
        campaign: Campaign,
        people: People,
        asked: Asked,
    ) -> dict[str, Table]:
        """Every table, with the kind of judgement in every row."""
        labels = document_labels(campaign.documents)
        with ThreadPoolExecutor(thread_count(asked.threads)) as pool:
            over_systems = pool.submit(_over_systems, benches, sources)
            halves = [
                pool.submit(ceilings, people, one.level, self._cells(one, people), labels=labels, seed=asked.seed)
                for one in benches
            ]
        reached = {
            (bench.level, *cell): value
            for bench, found in zip(benches, halves, strict=True)
            for cell, value in found.result().items()
        }
        how = MetricTest(
            test=self.test,
            correction=self.correction,
            alpha=self.alpha,
            permutations=self.permutations,
            seed=asked.seed,
            threads=thread_count(asked.threads),
        )
        comparisons, clusters = compare_metrics(benches, sources, measured, how)
        tables: dict[str, Table] = {
            "results": [
                {
                    "metric": name, "level": level, "statistic": statistic, "grouping": grouping, **one.row(),
                    "n": one.n, "ceiling": reached[level, statistic, grouping], "epsilon": one.epsilon,
                }
                for (name, level, statistic, grouping), one in measured.items()
            ],
            "ceilings": [
                {"metric": PEOPLE, "level": level, "statistic": statistic, "grouping": grouping, "value": value}
                for (level, statistic, grouping), value in reached.items()
                if value is not None
            ],
            "comparisons": comparisons,
            "clusters": clusters,
            **over_systems.result(),
        }  # fmt: skip
        return {name: [{"kind": people.kind} | row for row in rows] for name, rows in tables.items()}

    def _views(self, tables: Mapping[str, Table]) -> Iterator[View]:
        """A table per level and grouping, then metrics against each other, then fewer systems."""
        yield from _level_views(tables)
        tested = list(dict.fromkeys((row["level"], row["statistic"], row["grouping"]) for row in tables["clusters"]))
        if self.pairs or 0 < len(tables["comparisons"]) <= FEW_PAIRS * len(tested):
            yield from (_pair_view(cell, self.correction) for cell in tested)
        if tables["outliers"]:
            outliers = ", ".join(row["system"] for row in tables["outliers"])
            yield View(
                "Without outliers",
                "robust",
                (VALUE,),
                keys=(Column("metric"), Column("n", "systems", "d")),
                over="statistic",
                where={"systems": "without outliers"},
                notes=(f"outliers: {outliers}",),
            )
        if self.top:
            keys = (Column("metric"), Column("systems"), Column("n", "n", "d"))
            yield View("The best systems only", "top", (VALUE,), keys=keys, over="statistic")

    def _said(self, setup: Mapping[str, Any]) -> str:
        """How it was done, in a line."""
        normalised = "" if self.normalise == "none" else f", raters normalised ({self.normalise})"
        drawn = DRAWN[self.resample].replace("segment", self.unit)
        intervals = f"intervals: 95 % of {self.samples:,} samples of {drawn}; " if self.samples else ""
        tested = f"metrics tested by {self.test}, {self.correction}, alpha {self.alpha:g}; "
        return (
            f"Judgements: {setup['kind']}{normalised}; metrics on {self.scope} segments; {intervals}"
            f"{'' if self.test == 'none' else tested}seed {setup['seed']}."
        )

    def _figures(self, tables: Mapping[str, Table], setup: Mapping[str, Any], campaign: str) -> Iterator[Figure]:
        """The pictures for which there is something to draw."""
        about = {"campaign": campaign, "kind": setup["kind"], "systems": len(setup["systems"])}
        said = pictures.about(**about, samples=self.samples, drawn=DRAWN[self.resample])
        results, points = tables["results"], tables["points"]
        drawn: tuple[Callable[[], Figure], ...] = (
            lambda: pictures.correlations(results, said=said),
            lambda: pictures.systems(points, results, kind=setup["kind"], said=said),
            lambda: pictures.differences(points, said=said),
            lambda: pictures.top(tables["top"], **about),
        )
        for draw in drawn:
            try:
                yield draw()
            except InputError:
                continue


def _over_systems(benches: Sequence[Bench], sources: Sequence[Source]) -> dict[str, Table]:
    """How much hangs on single systems, and where each of them stands; nothing where systems have no scores."""
    for bench in benches:
        if isinstance(bench, SystemBench):
            far = outliers_of(bench.human[0])
            names = [name for name, out in zip(bench.people.systems, far, strict=True) if out]
            return {
                "robust": subsets(bench, sources, far),
                "top": top_curves(bench, sources),
                "outliers": [{"system": name} for name in names],
                "points": points_of(bench, sources, far),
            }
    return {"robust": [], "top": [], "outliers": [], "points": []}


def _level_views(tables: Mapping[str, Table]) -> Iterator[View]:
    """Metrics, the best first, by every statistic of a level; what people reach among themselves stands last."""
    groups = dict.fromkeys((row["level"], row["grouping"]) for row in tables["results"])
    for level, grouping in groups:
        where = {"level": level, "grouping": grouping}
        results = [row for row in tables["results"] if (row["level"], row["grouping"]) == (level, grouping)]
        first = results[0]["statistic"]
        ranked = sorted(
            (row for row in results if row["statistic"] == first),
            key=lambda row: (row["value"] is None, -(row["value"] or 0.0)),
        )
        count = max(row["n"] for row in results)
        points = "ranked pair" if named_statistic(first).ranked else POINTS[level]
        number = f"{count:,} {points if count == 1 else PLURALS[points]}"
        yield View(
            f"{level.capitalize()} level{TITLES[grouping].format(level)} ({number})",
            "results",
            (VALUE,),
            keys=(Column("metric"),),
            over="statistic",
            where=where,
            order=tuple(row["metric"] for row in ranked),
            below="ceilings",
            notes=tuple(_cluster_notes(tables["clusters"], level, grouping)),
        )


def _cluster_notes(clusters: Table, level: str, grouping: str | None) -> Iterator[str]:
    """Which metrics the tests tell apart, under the table that shows the statistic they test."""
    found: dict[str, dict[int, list[str]]] = {}
    for row in clusters:
        if (row["level"], row["grouping"]) == (level, grouping):
            found.setdefault(row["statistic"], {}).setdefault(row["rank"], []).append(row["metric"])
    for statistic, ranks in found.items():
        yield f"by {statistic}: " + " > ".join("{" + ", ".join(metrics) + "}" for metrics in ranks.values())


def _pair_view(cell: tuple[str, str, str | None], correction: str) -> View:
    level, statistic, grouping = cell
    return View(
        f"Metrics against each other: {statistic} at the {level} level",
        "comparisons",
        (
            Column("delta", "Δ", "+.3f"),
            Column("low", "95 % interval", ".3f", high="high"),
            Column("p", "p", "p"),
            Column("p_adjusted", f"p ({correction})", "p"),
        ),
        keys=(Column("metric_a", "metric"), Column("significant", "", ">|≈"), Column("metric_b", "metric")),
        where={"level": level, "statistic": statistic, "grouping": grouping},
    )
