"""``assay meta``: how far metrics follow people, at every level, with an interval on every value."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, product
from operator import itemgetter
from typing import Any, ClassVar, Literal

import numpy as np

from assay.data.campaign import Campaign
from assay.data.external import as_judgements
from assay.data.judgements import Judgements, fitting
from assay.errors import AssayWarning, InputError, ParameterError, UnknownName, counted, shown
from assay.metrics.base import Metric
from assay.metrics.registry import DEFAULT_METRICS
from assay.metrics.registry import metrics as named_metrics
from assay.people import pictures
from assay.people.judges import Answer, JudgeTest
from assay.people.levels import (
    DRAWN,
    Cell,
    Level,
    RankingLevel,
    Resampling,
    SystemLevel,
    document_labels,
    level_of,
)
from assay.people.metric_tests import TESTS, Measurements, MetricTest, compare_metrics
from assay.people.noise import ceilings, disattenuated
from assay.people.ratings import People
from assay.people.robust import over_systems
from assay.people.scores import Scores, beside, check_scores, metric_scores
from assay.people.statistics.acc23 import Acc23
from assay.people.statistics.base import GROUPINGS, LEVELS
from assay.people.statistics.registry import ALL, STATISTICS, cells
from assay.people.statistics.registry import statistic as named_statistic
from assay.people.usage import OTHER_KIND, Usage, adjustment
from assay.questions.asked import Asked, Data, Judged, mention_recipes, segment_remarks
from assay.questions.base import JUDGED, Averaged, metrics_option, option
from assay.results.figure import Figure, Figures
from assay.results.result import Column, Result, Table, View
from assay.scoring.evaluate import one_blas_thread, thread_count
from assay.significance.draws import FEWEST_UNITS
from assay.significance.tests import Correction
from assay.threads import in_threads

#: So many pairs of metrics per level are listed without being asked for.
_FEW_PAIRS = 10

#: What a statistic is over, at each level.
POINTS = {"system": "system", "document": "document of a system", "segment": "segment of a system"}
_PLURALS = {
    "system": "systems",
    "document of a system": "documents of systems",
    "segment of a system": "segments of systems",
    "ranked pair": "ranked pairs that are no ties",
}
_TITLES = {
    None: "",
    "none": ", all together",
    "item": ", systems within each {}",
    "system": ", {}s within each system",
}
VALUE = Column("value", "{}", ".3f", low="low", high="high")
_DIFFERENCE = (
    Column("delta", "Δ", "+.3f"), Column("low", "95 % interval", ".3f", high="high"), Column("p", "p", "p")
)  # fmt: skip
_DISATTENUATED = (
    Column("plain", "as it is", ".3f"),
    Column("value", "corrected, these systems", ".3f", low="low", high="high"),
    Column("low_systems", "new systems", ".3f", high="high_systems"),
    Column("reliability_people", "reliability of people", ".2f"),
    Column("reliability_metric", "of the metric", ".2f"),
)
_MEANS = (
    Column("people", "people", ".3f"),
    Column("judge_mean", "judge", ".3f"),
    Column("corrected", "corrected", ".3f", low="low", high="high"),
    Column("judged", "judged", "d"),
    Column("items", "items", "d"),
    Column("slope", "λ", ".3f"),
    Column("worth", "worth", ".0f", low="worth_low", high="worth_high"),
)
#: What is corrected for noise where that is asked for.
_CORRECTED: Cell = ("pearson", None)
#: How the line is called that says what a metric would reach that knows the true quality.
_PERFECT = "perfect metric"


@dataclass(frozen=True, kw_only=True)
class Meta(Judged):
    """Can I trust the metric? How far metrics follow people, with an interval on every value.

      assay meta campaign/ -m bleu,chrf,ter --kind mqm

      assay meta campaign/ --kind mqm --scores COMET-refA.seg.score --figure metrics.svg

      assay meta campaign/ --kind esa --beside mqm --level segment --normalise z

    Judgements are in the campaign's human.tsv, or in files of any known format: --judgements FILE.
    """

    name: ClassVar[str] = "meta"
    averaged: ClassVar[Averaged] = {"results": (("metric", "level", "statistic", "grouping"), ("value",))}
    question: ClassVar[str] = "Can I trust the metric?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, JUDGED: 1}
    takes: ClassVar[tuple[str, ...]] = ("texts", "metrics", "judgements", "scores", "units")
    working: ClassVar[str] = "Judging metrics"
    pictures: ClassVar[tuple[str, ...]] = ("correlations", "systems", "differences", "top")
    renamed: ClassVar[Mapping[str, str]] = {"--save": "A result is kept by -o FILE.json."}

    metrics: tuple[Metric, ...] = metrics_option(
        (), f"Default: {','.join(DEFAULT_METRICS)}; with --scores or --beside none.", scores=True
    )
    beside: tuple[str, ...] = option((), "Other kinds of judgement, measured like metrics.", metavar="KIND,...")
    judge: str | None = option(
        None,
        "One of the metrics, --scores or --beside, taken as a judge in place of people: its wrong calls and biases, "
        "what it is worth, and systems' means by people and judge together.",
        metavar="NAME",
    )
    families: tuple[str, ...] = option(
        (),
        "Systems of one family, such as the judge's own: does it prefer them? Repeat it.",
        flag="--family",
        metavar="NAME=SYSTEM,...",
        repeat=True,
    )
    levels: tuple[str, ...] = option(LEVELS, "Of what scores are held against people.", flag="--level", metavar="A,B")
    statistics: tuple[str, ...] = option(
        (), lambda: f"{', '.join(STATISTICS)}, all.", flag="--statistic", metavar="A,B"
    )
    groupings: tuple[str, ...] = option(
        (), f"Of segments: {', '.join(GROUPINGS)}, all.", flag="--grouping", metavar="A,B"
    )
    scope: Literal["judged", "all"] = option("judged", "Segments that metrics score.")
    resample: Literal["points", "segments", "systems", "both"] = option("points", "What intervals allow for.")
    samples: int = option(1000, "Bootstrap samples; 0 for no interval.", metavar="N", least=0, most=1_000_000)
    test: str | None = option(
        None,
        f"Between metrics: {', '.join(TESTS)} (default: williams for Pearson's r of systems, jackknife for other "
        "statistics of systems, perm-both below).",
        metavar="NAME",
    )
    permutations: int | None = option(
        None,
        "Random swaps of perm-both (default: as many as the number of pairs needs).",
        metavar="N",
        least=1,
        most=1_000_000,
    )
    correction: Correction = option("holm", "Of p-values for their number.")
    alpha: float = option(0.05, "The level of significance.", metavar="P")
    pairs: bool = option(False, "List every pair of metrics, however many there are.")
    disattenuated: bool = option(False, "Correct Pearson's r of systems for the noise of judgements and of segments.")
    top: bool = option(False, "Show correlations over the best k systems, for every k.")

    def check(self) -> None:
        for what, names, known in (
            ("level", self.levels, LEVELS),
            ("statistic", self.statistics, (*STATISTICS, ALL)),
            ("grouping", self.groupings, (*GROUPINGS, ALL)),
        ):
            for name in names:
                if name not in known:
                    raise UnknownName.of(what, name, known)
        self.require(0.0 < self.alpha < 1.0, "alpha", "a number between 0 and 1")
        for text in self.families:
            name, _, systems = text.partition("=")
            if not (name and systems):
                raise ParameterError(
                    f"--family (families) takes NAME=SYSTEM,..., such as own=A,B-*, not {shown(text)}."
                )
        if self.families and self.judge is None:
            raise ParameterError("--family asks whether a judge prefers its own: name the judge, --judge NAME.")
        if self.test == "wilcoxon":
            raise ParameterError(
                "wilcoxon is no test between metrics any more: pseudo-documents share segments, so it calls equal "
                "metrics different in 80 to 96 % of campaigns. Leave --test out, or take williams or jackknife."
            )
        self.require(self.test is None or self.test in TESTS, "test", ", ".join(TESTS))

    def scores_all(self, data: Data) -> bool:
        return any(metric.sees_references for metric in self.metrics) or not (data.scores or self.beside)

    def answer(self, asked: Asked) -> Result:
        campaign = asked.judged_campaign((*self.kind, *self.beside))
        people, usage = self.people(asked, campaign)
        scores = people.judgements.score
        are_equal = len(scores) > 1 and not np.ptp(scores)
        if are_equal:
            same = f"All {len(scores):,} judgements of {people.name} are {scores[0]:g}"
            said = f"{same}: no correlation with them is defined, and no share of pairs in like order says anything."
            warnings.warn(AssayWarning(said, level="warning"), stacklevel=2)
        campaign = replace(campaign, systems={name: campaign.systems[name] for name in people.systems})
        metrics = self.metrics or (() if self.beside else asked.in_language(named_metrics(DEFAULT_METRICS)))
        mention_recipes(metrics)
        asked.announce(f"{counted(len(metrics), 'metric')}, {self.samples:,} samples")
        sources, others, beside = self._sources(asked, campaign, people, metrics)
        check_scores(sources, kept=_PERFECT)
        with one_blas_thread():
            levels = self._levels(campaign, people, asked)
            measured = self._measure(levels, sources, asked)
            tables = self._tables(levels, sources, measured, people, asked)
            of_judge, said_of_judge = self._of_judge(sources, others, people, campaign, asked)
            tables |= of_judge
        if are_equal:
            nothing = dict.fromkeys(("value", "low", "high", "epsilon"))
            tables["results"] = [row | nothing for row in tables["results"]]
            tables["comparisons"] = []
        asked.report(1.0)
        setup = {
            "kind": people.name, "normalise": self.normalise, "scope": self.scope, "resample": self.resample,
            "samples": self.samples, "seed": asked.seed, "unit": asked.units(campaign).name,
            "test": self.test or ", ".join(dict.fromkeys(row["test"] for row in tables["comparisons"])) or None,
            "correction": self.correction, "alpha": self.alpha, "systems": people.systems, "segments": len(campaign),
            **usage.to_dict(), "usage": str(usage), "beside": {name: part.to_dict() for name, part in beside.items()},
        }  # fmt: skip
        judged = people.judged
        among = judged if self.scope == "judged" and judged.any() else None
        units = asked.units(campaign)
        drawn = asked.about_units(units, campaign=campaign, among=among)
        if tables["comparisons"] and len(units) < FEWEST_UNITS:
            drawn += " Metrics are compared by a test that goes by systems."
        findings = [str(usage), *(f"{name}: {part}" for name, part in beside.items()), self._said(setup), drawn]
        if any(level.name != "segment" for level in levels):
            findings += adjustment(people)
        if any(level.name == "segment" for level in levels):
            findings += segment_remarks(metrics)
        findings += self._about_systems(tables)
        ungrouped = [row for row in tables["comparisons"] if row["grouping"] in ("none", "system")]
        findings += said_of_judge
        if ungrouped and len(people.systems) > 1:
            findings.append(
                f"{ungrouped[0]['test']} takes what systems have in one {setup['unit']} as independent. Errors that a "
                f"metric makes on all systems alike pass for a difference in {ungrouped[0]['statistic']} too often (in "
                "9 to 24 % of simulations at 5 %); --grouping item does not see them."
            )
        if tables["ceilings"]:
            findings.append(
                f"{_PERFECT}: an estimate of what a metric that knows the true quality would reach against these "
                "judgements, which have noise of their own: from how far random halves of them agree, stepped up to "
                "all of them. Where it has no value, none is known."
            )
        if any(row["statistic"] == Acc23.name for row in tables["results"]):
            findings.append(
                "acc23 is optimistic: each metric's tie threshold is the best one for these very judgements. "
                "--statistic acc23-heldout takes it from other segments."
            )
        return Result(
            "meta",
            tables,
            tuple(self._views(tables)),
            tuple(findings),
            setup=setup,
            signatures={str(metric): asked.signature(metric) for metric in metrics},
            figures=Figures(lambda: self._figures(tables, campaign.name, people, self._drawn(setup["unit"]))),
        )

    def _sources(
        self, asked: Asked, campaign: Campaign, people: People, metrics: Sequence[Metric]
    ) -> tuple[list[Scores], dict[str, People], dict[str, Usage]]:
        """Metrics of ours, score files and other kinds of judgement; of these what people said, and what was used."""
        mask = people.mask if self.scope == "judged" else np.ones_like(people.mask)
        sources = metric_scores(
            campaign, metrics, people, mask, threads=asked.threads, progress=asked.part(0.0, 0.4), known=asked.counted
        )
        others: dict[str, People] = {}
        used: dict[str, Usage] = {}
        for kind in self.beside:
            name = f"human:{kind}"
            others[name], usage = asked.people(campaign, kind=(kind,), missing=self.missing)
            sources.append(beside(name, others[name], people, mask))
            used[name] = usage.without(OTHER_KIND, *asked.judged_elsewhere)
        return sources, others, used

    def _of_judge(
        self,
        sources: Sequence[Scores],
        others: Mapping[str, People],
        people: People,
        campaign: Campaign,
        asked: Asked,
    ) -> tuple[dict[str, Table], list[str]]:
        """The tables of the source that is taken as the judge, and what they say; ``others`` are kinds of judgement."""
        if self.judge is None:
            return {}, []
        known = {source.name: source for source in sources}
        first = next((name for name in known if name.startswith(f"{self.judge}@")), "")
        judge = known.get(self.judge) or known.get(f"human:{self.judge}") or known.get(first)
        if judge is None:
            raise UnknownName.of("judge", self.judge, known)
        if not np.isfinite(judge.grid).any():
            raise InputError(f"{judge.name} has no scores of segments, so it is no judge of them.")
        test = JudgeTest(
            units=asked.units(campaign),
            samples=self.samples,
            seed=asked.seed,
            correction=self.correction,
            alpha=self.alpha,
        )
        texts = [campaign.systems[name] for name in people.systems] if campaign.has_texts else []
        lengths = np.array([[*map(len, column)] for column in texts], dtype=np.float64) if texts else None
        again = self._runs(judge.name, others, people, campaign)
        runs = Answer([]) if again is None else test.consistency(judge.name, again)
        biases = test.biases(people, judge, lengths=lengths, families=self._families(people))
        corrected, pairs = test.corrected(people, judge)
        parts = [test.calls(people, judge), test.agreement(people, judge), runs, test.worth(people, judge)]
        tables = {
            "judge": [row for part in parts for row in part.rows],
            "bias": biases.rows,
            "corrected": corrected.rows,
            "corrected_pairs": pairs,
        }
        named = {
            name: [{"kind": people.name, "judge": judge.name} | row for row in rows] for name, rows in tables.items()
        }
        return named, [text for part in (*parts, corrected, biases) for text in part.said]

    def _runs(self, judge: str, others: Mapping[str, People], people: People, campaign: Campaign) -> Judgements | None:
        """What the judge said, where it may have judged the same again: as a kind of judgement, or in several runs."""
        if judge in others:
            return others[judge].judgements
        base = judge.rpartition("@")[0] or judge
        runs = [campaign.scores[name] for name in campaign.scores if name.rpartition("@")[0] == base]
        return as_judgements(runs, people.systems, [judge]) if len(runs) > 1 else None

    def _families(self, people: People) -> dict[str, list[str]]:
        """The systems of each family that was named."""
        named = [text.partition("=") for text in self.families]
        return {name: fitting("system", people.systems, systems.split(",")) for name, _, systems in named}

    def _levels(self, campaign: Campaign, people: People, asked: Asked) -> dict[Level, list[Cell]]:
        """The levels that the campaign allows, with what makes sense there; what it does not allow is said."""
        resampling = Resampling(
            resample=self.resample, units=asked.units(campaign), scope=self.scope, samples=self.samples, seed=asked.seed
        )
        labels = document_labels(campaign.documents)
        named = [(name, level_of(name, people, labels, resampling)) for name in self.levels]
        levels = [level for _, level in named if not isinstance(level, str)]
        reasons = [f"Nothing at the {name} level: {reason}" for name, reason in named if isinstance(reason, str)]
        if not levels:
            raise InputError(" ".join(reasons) or "No levels were named. They are system, document and segment.")
        for reason in reasons:
            warnings.warn(reason, AssayWarning, stacklevel=2)
        known = {
            level: cells(level.name, self.statistics, self.groupings, ranked=isinstance(level, RankingLevel))
            for level in levels
        }
        # A single system has nothing to be ordered with in an item.
        several = len(people.systems) > 1
        return {level: [cell for cell in here if several or cell[1] != "item"] for level, here in known.items()}

    def _measure(self, levels: Mapping[Level, list[Cell]], sources: Sequence[Scores], asked: Asked) -> Measurements:
        """Every statistic of every source; sources are independent, so they share the threads."""
        jobs = list(product(levels, sources))
        done = 0

        def work(job: tuple[Level, Scores]) -> Measurements:
            nonlocal done
            level, source = job
            estimates = level.measure(levels[level], source)
            done += 1
            asked.report(0.4 + 0.42 * done / len(jobs))
            return {(source.name, level.name, *cell): estimate for cell, estimate in estimates.items()}

        parts = in_threads(work, jobs, thread_count(asked.threads))
        return {key: estimate for part in parts for key, estimate in part.items()}

    def _tables(
        self,
        levels: Mapping[Level, list[Cell]],
        sources: Sequence[Scores],
        measured: Measurements,
        people: People,
        asked: Asked,
    ) -> dict[str, Table]:
        """Every table, with the kind of judgement in every row."""
        threads = thread_count(asked.threads)
        jobs: list[Callable[[], Any]] = [partial(over_systems, levels, sources)]
        jobs += [partial(ceilings, people, level, here, seed=asked.seed) for level, here in levels.items()]
        of_systems, *halves = in_threads(lambda job: job(), jobs, threads)
        reached = {
            (level.name, *cell): value
            for level, values in zip(levels, halves, strict=True)
            for cell, value in values.items()
        }
        how = MetricTest(
            test=self.test,  # type: ignore[arg-type]
            correction=self.correction,
            alpha=self.alpha,
            permutations=self.permutations,
            seed=asked.seed,
            threads=threads,
        )
        comparisons, clusters = compare_metrics(list(levels), sources, measured, how)
        corrected = {"disattenuated": self._corrected(levels, sources, measured, asked)} if self.disattenuated else {}
        tables: dict[str, Table] = {
            "results": [
                {
                    "metric": name, "level": level, "statistic": statistic, "grouping": grouping, **estimate.row(),
                    "n": estimate.n, "ceiling": reached[level, statistic, grouping].value, "epsilon": estimate.epsilon,
                }
                for (name, level, statistic, grouping), estimate in measured.items()
            ],
            "ceilings": [
                {"metric": _PERFECT, "level": level, "statistic": statistic, "grouping": grouping, **ceiling.row()}
                for (level, statistic, grouping), ceiling in reached.items()
                if ceiling.value is not None
            ],
            "comparisons": comparisons,
            "clusters": clusters,
            **of_systems,
            **corrected,
        }  # fmt: skip
        return {name: [{"kind": people.name} | row for row in rows] for name, rows in tables.items()}

    def _corrected(
        self, levels: Mapping[Level, list[Cell]], sources: Sequence[Scores], measured: Measurements, asked: Asked
    ) -> Table:
        """Pearson's r of systems corrected for noise, of every source for which that can be done."""
        level = next((each for each in levels if isinstance(each, SystemLevel)), None)
        if level is None or _CORRECTED not in levels[level]:
            raise ParameterError("--disattenuated is about Pearson's r of systems: ask for --level system and pearson.")
        work = partial(disattenuated, level, samples=self.samples, seed=asked.seed)
        rows, reasons = [], dict[str, list[str]]()
        for source, found in zip(sources, in_threads(work, sources, thread_count(asked.threads)), strict=True):
            plain = measured[source.name, level.name, *_CORRECTED]
            if isinstance(found, str):
                reasons.setdefault(found, []).append(source.name)
                continue
            rows.append(
                {
                    "metric": source.name, "level": level.name, "statistic": "pearson", "plain": plain.value,
                    "value": found.value, "low": found.these.low, "high": found.these.high,
                    "low_systems": found.new.low, "high_systems": found.new.high, "n": plain.n,
                    "reliability_people": found.reliability[0], "reliability_metric": found.reliability[1],
                }
            )  # fmt: skip
        for reason, names in reasons.items():
            warnings.warn(f"{', '.join(names)}: not corrected for noise: {reason}.", AssayWarning, stacklevel=2)
        return rows

    def _about_systems(self, tables: Mapping[str, Table]) -> Iterator[str]:
        """What values of systems are about, and those that are corrected for noise."""
        of_systems = dict.fromkeys(row["statistic"] for row in tables["results"] if row["level"] == "system")
        if not of_systems:
            return
        yield (
            "Values at the system level are about these judgements on these segments: the fewer there are, the smaller "
            "is a correlation, by noise alone"
            + ("." if self.disattenuated else " (--disattenuated corrects Pearson's r for it).")
        )
        if tables.get("disattenuated"):
            others = ", ".join(name for name in of_systems if name != _CORRECTED[0])
            yield (
                "Corrected for noise: Pearson's r of the scores that systems would have with endlessly many such "
                "segments and judgements; noise that both sides share is taken off, too. The interval beside it is for "
                "these systems, the other for new systems that are spread like these."
                + (f" There is no such correction of {others}." if others else "")
            )
            far = [row["system"] for row in tables["outliers"]]
            if far:
                yield (
                    f"With systems far from the others ({', '.join(far)}) intervals for new systems are somewhat too "
                    "short."
                )

    def _views(self, tables: Mapping[str, Table]) -> Iterator[View]:
        """A table per level and grouping, then metrics against each other, then fewer systems."""
        yield from _level_views(tables)
        if tables.get("disattenuated"):
            ranked = sorted(tables["disattenuated"], key=lambda row: -row["value"])
            yield View(
                "Corrected for noise: pearson at the system level",
                "disattenuated",
                _DISATTENUATED,
                keys=(Column("metric"),),
                order=tuple(row["metric"] for row in ranked),
            )
        tested = list(dict.fromkeys((row["level"], row["statistic"], row["grouping"]) for row in tables["clusters"]))
        if self.pairs or 0 < len(tables["comparisons"]) <= _FEW_PAIRS * len(tested):
            adjusted = Column("p_adjusted", f"p ({self.correction})", "p")
            for level, statistic, grouping in tested:
                yield View(
                    f"Metrics against each other: {statistic} at the {level} level",
                    "comparisons",
                    (*_DIFFERENCE, adjusted),
                    keys=(Column("metric_a", "metric"), Column("significant", "", ">|≈"), Column("metric_b", "metric")),
                    where={"level": level, "statistic": statistic, "grouping": grouping},
                )
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
        yield from self._judge_views(tables)
        if self.top:
            keys = (Column("metric"), Column("systems"), Column("n", "n", "d"))
            yield View("The best systems only", "top", (VALUE,), keys=keys, over="statistic")

    def _judge_views(self, tables: Mapping[str, Table]) -> Iterator[View]:
        """What is shown of the judge."""
        if self.judge is None:
            return
        shown = {row["measure"] for row in tables["judge"]}
        name = next((row["judge"] for table in ("judge", "bias") for row in tables[table]), self.judge)
        if "wrong calls" in shown:
            yield View(
                f"{name}: pairs of systems that it calls otherwise than people",
                "judge",
                (replace(VALUE, heading="wrong", format=".0f"), Column("n", "of", "d")),
                keys=(Column("of", ""),),
                where={"measure": "wrong calls"},
            )
        if shown & {"agreement", "consistency"}:
            yield View(
                f"{name}: agreement with a rater, and of raters with each other",
                "judge",
                (
                    replace(VALUE, heading="judge"),
                    Column("people", "raters", ".3f", low="people_low", high="people_high"),
                ),
                keys=(Column("measure", ""), Column("of", ""), Column("n", "items", "d")),
                where={"measure": ["agreement", "consistency"]},
            )
        if tables["bias"]:
            yield View(
                f"{name}: biases beside people's scores",
                "bias",
                (
                    Column("value", "bias", "+.3f", low="low", high="high"),
                    Column("neutral", "none is", "g"),
                    Column("p", "p", "p"),
                    Column("p_adjusted", f"p ({self.correction})", "p"),
                ),
                keys=(Column("bias", ""),),
            )
        if tables["corrected"]:
            yield View(
                f"Systems by people and {name} together",
                "corrected",
                _MEANS,
                keys=(Column("system"),),
            )
        if tables["corrected_pairs"] and (self.pairs or len(tables["corrected_pairs"]) <= _FEW_PAIRS):
            yield View(
                f"Systems against each other, by people and {name} together",
                "corrected_pairs",
                (*_DIFFERENCE, Column("p_adjusted", f"p ({self.correction})", "p")),
                keys=(Column("system_a", "system"), Column("significant", "", ">|≈"), Column("system_b", "system")),
            )

    def _drawn(self, unit: str) -> str:
        return DRAWN[self.resample].replace("segment", unit)

    def _said(self, setup: Mapping[str, Any]) -> str:
        """How it was done, in a line."""
        normalised = "" if self.normalise == "none" else f", raters normalised ({self.normalise})"
        intervals = (
            f"intervals: 95 % of {self.samples:,} samples of {self._drawn(setup['unit'])}; " if self.samples else ""
        )
        alone = ", which is about these systems alone" if "perm-both" in (setup["test"] or "") else ""
        tested = (
            f"metrics tested by {setup['test']}{alone}, {self.correction}, alpha {self.alpha:g}, intervals of "
            "differences each for itself; "
        )
        return (
            f"Judgements: {setup['kind']}{normalised}; metrics on {self.scope} segments; {intervals}"
            f"{'' if setup['test'] in (None, 'none') else tested}seed {setup['seed']}."
        )

    def _figures(self, tables: Mapping[str, Table], campaign: str, people: People, drawn: str) -> Iterator[Figure]:
        """The pictures for which there is something to draw."""
        about = f"{campaign}, {people.name}, {len(people.systems)} systems"
        said = f"{about}; bars span 95 % of {self.samples:,} samples of {drawn}"
        results, points = tables["results"], tables["points"]
        return pictures.drawn(
            lambda: pictures.correlations(results, said=said),
            lambda: pictures.systems(points, results, kind=people.name, said=said),
            lambda: pictures.differences(points, said=said),
            lambda: pictures.top(tables["top"], said=about),
        )


def _level_views(tables: Mapping[str, Table]) -> Iterator[View]:
    """Metrics, the best first, by every statistic of a level; what a perfect metric would reach stands last."""
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
        number = f"{count:,} {points if count == 1 else _PLURALS[points]}"
        # Which metrics the tests tell apart, under the table that shows the one statistic of the level that they test.
        tested = [row for row in tables["clusters"] if (row["level"], row["grouping"]) == (level, grouping)]
        ranks = groupby(tested, key=itemgetter("rank"))
        clusters = ["{" + ", ".join(row["metric"] for row in rows) + "}" for _, rows in ranks]
        yield View(
            f"{level.capitalize()} level{_TITLES[grouping].format(level)} ({number})",
            "results",
            (VALUE,),
            keys=(Column("metric"),),
            over="statistic",
            where=where,
            order=tuple(row["metric"] for row in ranked),
            below="ceilings",
            notes=(f"by {tested[0]['statistic']}: {' > '.join(clusters)}",) if tested else (),
        )
