"""``assay compare``: every pair of systems, tested on the same draws, and where their difference comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from math import isfinite
from typing import Any, ClassVar

from assay.data.campaign import Campaign
from assay.data.wording import counted as number_of
from assay.errors import InputError, ParameterError, UnknownName
from assay.metrics.base import Metric
from assay.metrics.registry import DEFAULT_METRICS, heading
from assay.questions.asked import Asked
from assay.questions.base import Question, metrics_option, option
from assay.questions.compare_tables import Compared, labels_by, verdict, winners
from assay.questions.score import count
from assay.results import charts
from assay.results.figure import Figure, Figures
from assay.results.result import Column, Result, Table, View
from assay.scoring.evaluate import thread_count
from assay.scoring.statistics import Statistics, Unit
from assay.significance.corrections import Correction
from assay.significance.pairs import IntervalName, Key, PairedTest
from assay.significance.runs import runs_of
from assay.significance.tests import TestName

#: So many pairs of a metric are listed, and drawn, without being asked for.
FEW_PAIRS = 10

PAIR = (Column("a", "A"), Column("b", "B"))
DELTA, DELTA_ENDS = Column("delta", "Δ", "+.2f"), Column("low", "95 % interval", "+.2f", high="high")
RANK = (Column("best_rank", "rank", "d", high="worst_rank"), Column("letter", ""), Column("system"))
CHANCE = (
    Column("runs", None, "d"), Column("sigma_selection", "σ selection", ".2f"),
    Column("sigma_training", "σ training", ".2f"),
)  # fmt: skip
TESTED = (
    DELTA, DELTA_ENDS, Column("p", None, "p"), Column("p_adjusted", "adjusted", "p"), Column("significant", "", "*|"),
    Column("effect", None, "+.3f"), *(Column(name, None, ",d") for name in ("wins", "losses", "ties")),
)  # fmt: skip
IN_BUCKETS = (Column("score_a", "score A", ".2f"), Column("score_b", "score B", ".2f"), DELTA, DELTA_ENDS)
TEXTS = (DELTA, Column("score", None, ".2f"), Column("who", ""), Column("text"))
METHOD = (Column("metric"), Column("what"), Column("method"))
CALIBRATED = (
    Column("promised", "promised %", "g", unit="%"),
    Column("measured", "measured %", ".1f", unit="%"), Column("low", "99 % interval", ".1f", unit="%", high="high"),
)  # fmt: skip

#: Of differences in a picture.
COLORS = {"significant": charts.COLORS[0], "not significant": charts.GREY}


@dataclass(frozen=True, kw_only=True)
class Compare(Question):
    """Is A really better than B? All pairs of systems, paired tests, corrected p-values, clusters.

      assay compare campaign/ -m bleu,chrf

      assay compare -r reference.txt old.txt new.txt --segments 5

      assay compare campaign/ --baseline production --fail-if-worse --min-delta 0.3

    Files sys.<name>@<run>.txt are runs of one system. Where there are several, the test is Welch's t over both sources
    of chance, whatever --test says.
    """

    name: ClassVar[str] = "compare"
    question: ClassVar[str] = "Is A really better than B?"
    working: ClassVar[str] = "Comparing"
    renamed: ClassVar[Mapping[str, str]] = {
        "--bootstrap-samples": "Bootstrap samples are --samples N, draws of the test --permutations N."
    }

    metrics: tuple[Metric, ...] = metrics_option(
        DEFAULT_METRICS, "bleu, 'bleu(order=2)', bleu,chrf ...; see assay metrics."
    )
    baseline: str | None = option(None, "Compare every system with this one instead of all pairs.", metavar="NAME")
    test: TestName = option("randomisation", "Which paired test.")
    correction: Correction = option("holm", "For the number of pairs.")
    alpha: float = option(0.05, "The level of significance.", metavar="SHARE")
    unit: Unit = option("segment", "What is drawn as a whole.")
    interval: IntervalName = option("percentile", "Which bootstrap interval.")
    pairs: bool = option(False, "List every pair, however many there are.")
    segments: int | None = option(None, "The N segments that differ most, either way.", metavar="N", least=1)
    by: str | None = option(
        None, "Differences by length, document, domain or a column of the campaign.", metavar="NAME"
    )
    calibrate: bool = option(False, "Measure false positives and coverage on these texts.")
    simulations: int = option(1000, "For --calibrate.", metavar="N", least=1)
    fail_if_worse: bool = option(False, "With --baseline: exit 1 if a system is significantly worse.")
    min_delta: float = option(0.0, "Smaller losses pass the gate.", metavar="POINTS")
    samples: int = option(
        1000, "Bootstrap samples: for intervals, and for --test bootstrap.", metavar="N", least=2, most=1_000_000
    )
    permutations: int = option(10_000, "Draws of --test randomisation.", metavar="N", least=1, most=10_000_000)

    def check(self) -> None:
        self.require(0.0 < self.alpha < 1.0, "alpha", "a number between 0 and 1")
        self.require(self.min_delta >= 0.0, "min_delta", "a number of at least 0")
        if self.fail_if_worse and self.baseline is None:
            raise ParameterError("--fail-if-worse needs --baseline NAME: worse than which system?")

    def answer(self, asked: Asked) -> Result:
        campaign = asked.chosen
        runs = runs_of(campaign.systems)
        self._check_campaign(campaign, runs)
        first = 0.3 if self.calibrate else 1.0
        compared = self._draw(campaign, runs, replace(asked, progress=asked.part(0.0, first)))
        tables = self._tables(compared, replace(asked, progress=asked.part(first, 1.0)))
        verdicts = tables.get("verdicts", [])
        failed = any(row["failed"] for row in verdicts)
        setup = compared.test.settings() | {"baseline": self.baseline}
        special = [name for name in ("segments", "buckets", "calibration") if tables.get(name)]
        return Result(
            "compare",
            tables,
            self._views(tables),
            (_sentence(setup), *(f"{'FAILED' if row['failed'] else 'passed'}: {row['reason']}" for row in verdicts)),
            setup=setup | ({"failed": failed} if verdicts else {}),
            signatures={str(metric): asked.signature(metric) for metric in self.metrics},
            figures=Figures(lambda: self._figures(tables)),
            main=special[0] if len(special) == 1 else "pairs",
            failed=failed,
        )

    def _check_campaign(self, campaign: Campaign, runs: Mapping[str, tuple[str, ...]]) -> None:
        """Fail before the work."""
        if len(runs) < 2:
            names = ", ".join(runs) or "none"
            raise InputError(f"A comparison needs two systems, but {campaign.name} has {len(runs)} ({names}).")
        if self.baseline is not None and self.baseline not in runs:
            raise UnknownName.of("system", self.baseline, runs)
        if self.by is not None:
            labels_by(campaign, self.by)
        if self.unit == "document" and campaign.documents is None:
            raise InputError("unit=document needs the document of each segment: docs.txt of a folder, one per line.")

    def _draw(self, campaign: Campaign, runs: Mapping[str, tuple[str, ...]], asked: Asked) -> Compared:
        """Count, and add up the rows of all systems under the same draws."""
        counted = count(campaign, self.metrics, asked)
        _require_scores(counted)
        rows = {key: statistics.unit_rows(self.unit) for key, statistics in counted.items()}
        test = PairedTest(
            test=self.test, correction=self.correction, alpha=self.alpha, unit=self.unit,
            units=len(next(iter(rows.values()))), interval=self.interval, seed=asked.seed, samples=self.samples,
            permutations=self.permutations, several_runs=any(len(names) > 1 for names in runs.values()),
        )  # fmt: skip
        threads = thread_count(asked.threads)
        scorers = {str(metric): metric.score for metric in self.metrics}
        drawn = test.draw(rows, scorers, runs, threads, asked.part(0.5, 1.0))
        return Compared(campaign, runs, counted, test, drawn, threads)

    def _tables(self, compared: Compared, asked: Asked) -> dict[str, Table]:
        """Every table; what was not asked for is left out."""
        tables: dict[str, Table] = {"pairs": [], "scores": [], "clusters": []}
        further: dict[str, Table] = {"decomposition": [], "verdicts": []}
        for metric in self.metrics:
            pairs = compared.pairs(metric, self._wanted(list(compared.ranked(metric))))
            better = winners(pairs, metric)
            tables["pairs"] += pairs
            tables["scores"] += compared.scores(metric, better)
            if self.baseline is None:
                tables["clusters"] += compared.clusters(metric, better)
            further["decomposition"] += compared.decomposition(metric, pairs)
            if self.fail_if_worse:
                further["verdicts"] += [verdict(pair, metric, self.alpha, self.min_delta) for pair in pairs]
        tables |= {name: table for name, table in further.items() if table}
        if self.by is not None:
            tables["buckets"] = compared.buckets(tables["pairs"], self.by)
        if self.segments is not None:
            tables["segments"], tables["texts"] = compared.segments(tables["pairs"], self.segments)
        if self.calibrate:
            tables["calibration"] = compared.calibration(tables["pairs"], self.metrics, self.simulations, asked)
        return tables

    def _wanted(self, ranked: list[str]) -> list[tuple[str, str]]:
        """All pairs, the better system first; or each system against the baseline."""
        if self.baseline is None:
            return list(combinations(ranked, 2))
        return [(system, self.baseline) for system in ranked if system != self.baseline]

    def _views(self, tables: Mapping[str, Table]) -> tuple[View, ...]:
        """The tables as people read them, each metric by metric."""
        views = [self._score_view(metric, tables) for metric in self.metrics]
        if self._lists_pairs(tables):
            views += [_view("Pairs", metric, "pairs", PAIR, TESTED) for metric in self.metrics]
        views += [view for metric in self.metrics for view in _decomposition_views(metric, tables)]
        if "buckets" in tables:
            keys = (Column("bucket", self.by), Column("segments", None, ",d"), *PAIR)
            views += [_view(f"By {self.by}", metric, "buckets", keys, IN_BUCKETS) for metric in self.metrics]
        views += _text_views(tables.get("texts", []))
        if "calibration" in tables:
            note = (
                f"{self.simulations:,} simulations of {tables['calibration'][0]['units']:,} units each, drawn from the "
                "rows of these systems; for false positives the two systems' outputs change places at random"
            )
            views.append(View("Calibration on these texts", "calibration", CALIBRATED, keys=METHOD, notes=(note,)))
        return tuple(views)

    def _score_view(self, metric: Metric, tables: Mapping[str, Table]) -> View:
        """Systems, the best first; raised letters name those that one significantly beats."""
        score = Column("score", heading(metric, self.metrics), ".2f", mark="beats")
        several_runs = any(row["runs"] > 1 for row in tables["scores"])
        columns = (score, Column("low", "95 % interval", ".2f", high="high"), *(CHANCE if several_runs else ()))
        notes = ["ranks are those that the tests leave open; superscripts name the systems that one beats"]
        found = groupby(_of(metric, tables["clusters"]), lambda row: row["rank"])
        names = ["{" + ", ".join(row["system"] for row in cluster) + "}" for _, cluster in found]
        if 0 < len(names) < len(_of(metric, tables["scores"])):
            notes.append(f"clusters: {' > '.join(names)}")
        notes.append(_power_note(_of(metric, tables["pairs"]), self.unit))
        return View(str(metric), "scores", columns, keys=RANK, where={"metric": str(metric)}, notes=tuple(notes))

    def _lists_pairs(self, tables: Mapping[str, Table]) -> bool:
        return self.pairs or len(tables["pairs"]) <= FEW_PAIRS * len(self.metrics)

    def _figures(self, tables: Mapping[str, Table]) -> tuple[Figure, ...]:
        """Differences with their intervals or, where there are many pairs, scores with theirs."""
        few = self._lists_pairs(tables)
        table, value = ("pairs", "delta") if few else ("scores", "score")
        panels = []
        for metric in self.metrics:
            rows = [row for row in _of(metric, tables[table]) if isfinite(row[value])]
            if few:
                kinds = {True: "significant", False: "not significant"}
                rows = [row | {"system": f"{row['a']} – {row['b']}", "kind": kinds[row["significant"]]} for row in rows]
            if rows:
                panels.append(charts.interval_dots(
                    rows, name="system", value=value, ends=("low", "high"), kind="kind" if few else None,
                    colors=COLORS, axis=charts.Axis(zero=few), heading=heading(metric, self.metrics),
                ))  # fmt: skip
        if not panels:
            return ()
        title = "Difference of each pair of systems" if few else "Score of each system"
        said = ("grey: not significant",) if few else ()
        return (charts.figure(table, charts.panels(panels, columns=2), f"{title}, with 95 % intervals", said),)


def _of(metric: Metric, table: Table) -> Table:
    return [row for row in table if row["metric"] == str(metric)]


def _require_scores(counted: Mapping[Key, Statistics]) -> None:
    for (run, _), statistics in counted.items():
        failed = int(statistics.failed.sum())
        if failed:
            raise InputError(
                f"{statistics.metric} gave {failed} of {len(statistics)} segments of {run!r} no score. A comparison "
                "needs a score of every segment from both systems; leave the metric or the system out."
            )


def _sentence(setup: Mapping[str, Any]) -> str:
    """How it was tested."""
    against = f" against {setup['baseline']}" if setup["baseline"] else ""
    swaps = f", {setup['permutations']:,} swaps" if setup["permutations"] else ""
    return (
        f"Test: paired {setup['test']}{against} over {number_of(setup['units'], setup['unit'])}{swaps}, two-sided, "
        f"{setup['correction']} over all pairs of a metric, alpha {setup['alpha']:g}; intervals: {setup['interval']}, "
        f"{setup['samples']:,} samples; seed {setup['seed']}."
    )


def _power_note(pairs: Table, unit: str) -> str:
    """What this test set can show, and what its closest pair would need."""
    reach = [row["detectable_delta"] for row in pairs]
    low, high = f"{min(reach):.2f}", f"{max(reach):.2f}"
    note = f"a true difference of {low if low == high else f'{low} to {high}'} is found in 80 % of such test sets"
    closest = min(pairs, key=lambda row: abs(row["delta"]))
    if closest["needed_units"] is None or closest["significant"]:
        return note
    return (
        f"{note}; the {abs(closest['delta']):.2f} between {closest['a']} and {closest['b']} would need about "
        f"{number_of(closest['needed_units'], unit)}"
    )


def _view(title: str, metric: Metric, table: str, keys: tuple[Column, ...], columns: tuple[Column, ...]) -> View:
    return View(f"{title}: {metric}", table, columns, keys=keys, where={"metric": str(metric)})


def _decomposition_views(metric: Metric, tables: Mapping[str, Table]) -> list[View]:
    """Where a difference comes from, part beside part; only of few pairs."""
    rows = _of(metric, tables.get("decomposition", []))
    labels = {row["part"]: row["part"].replace("_", " ") for row in rows}
    if not rows or len(rows) > FEW_PAIRS * len(labels):
        return []
    columns = (Column("value", "{}", "+.2f"),)
    view = _view("Where the difference comes from", metric, "decomposition", (*PAIR, DELTA), columns)
    return [replace(view, over="part", labels=labels)]


def _text_views(texts: Table) -> list[View]:
    """The segments on which the first system of a pair is better, and those on which it is worse."""
    views = []
    for where, _ in groupby(texts, lambda row: {name: row[name] for name in ("metric", "a", "b", "better")}):
        word = "better" if where["better"] else "worse"
        title = f"Where {where['a']} is {word} than {where['b']}: {where['metric']}"
        views.append(View(title, "texts", TEXTS, keys=(Column("segment"),), where=where))
    return views
