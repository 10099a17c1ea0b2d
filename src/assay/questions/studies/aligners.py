"""Does a metric's search find the best there is? GTM's greedy matching, and the beam of METEOR 1.5's aligner."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from assay.data.corpus import Corpus
from assay.errors import AssayWarning
from assay.metrics.base import Rows, ratio
from assay.metrics.gtm import Gtm
from assay.metrics.meteor import Meteor
from assay.metrics.pictures import Link
from assay.questions.asked import Asked
from assay.questions.base import CANDIDATES, metric_option, option
from assay.questions.studies.base import (
    ALL_SYSTEMS,
    ONE_METRIC,
    Study,
    candidates,
    grouped,
    share_of,
    those,
    warn,
    watched,
)
from assay.results import charts
from assay.results.charts import COLORS, Axis, Mark
from assay.results.figure import Figure
from assay.results.rendering import spread
from assay.results.result import Column, Result, Table
from assay.scoring.evaluate import shards_of

#: Sizes that differ by less are the same, but for rounding.
_ROUNDING = 1e-9
#: Which reference counts, and METEOR's links with it.
_Chosen = tuple[int, tuple[Link, ...]]
#: Columns that count segments: of matchings, and of alignments.
_MATCHED = ("segments", "proved", "unproved", "maximum", "below", "unknown")
_ALIGNED = ("segments", "unproved", "different", "more_matches", "fewer_chunks", "higher", "lower")


@dataclass(frozen=True, kw_only=True)
class GreedyMatching(Study):
    """Match sizes of the greedy matching beside the true maximum, segment by segment."""

    name = "greedy-matching"
    question = "How often does GTM's greedy matching find the true maximum, and how far off is it at worst?"
    needs: ClassVar[Mapping[str, int]] = {CANDIDATES: 1}
    source = "Turian, Shen & Melamed (2003): 99 % of the time; at least 80 % of the maximum otherwise"
    takes = ONE_METRIC
    columns = (
        Column("system"), Column("exponent", "e", "g"), Column("segments", "segments", ","),
        Column("unproved", "unproved", ","), Column("below", "below maximum", ","),
        Column("share", "at maximum %", ".2f", low="low", high="high"), Column("worst", "worst %", ".2f"),
        Column("worst_segment", "worst segment"), Column("worst_system", "of system"),
        Column("greedy_score", "greedy score", ".3f"), Column("exact_score", "exact score", ".3f"),
    )  # fmt: skip

    exponents: tuple[float, ...] = option((2.0, 3.0), "Exponents to look at.", metavar="E,...", least=1)
    metric: Gtm = metric_option("gtm", "GTM with the recipe, the cap and the effort to use.")

    def check(self) -> None:
        self.require_different("exponents", "different numbers of at least 1, such as 2,3")
        self.require(isinstance(self.metric, Gtm), "metric", "gtm, with options such as gtm(tokenize=13a)")
        sound = (self.metric.exponent, self.metric.matching) == (Gtm().exponent, Gtm().matching)
        self.require(sound, "metric", "gtm without exponent and matching: the study has its own (--exponents)")

    def pair(self, exponent: float) -> list[Gtm]:
        """The greedy metric and the exact one."""
        greedy = replace(self.metric, exponent=exponent, matching="greedy")
        return [greedy, replace(greedy, matching="exact")]

    def _metrics(self) -> list[Gtm]:
        return [metric for exponent in self.exponents for metric in self.pair(exponent)]

    def answer(self, asked: Asked) -> Result:
        """Nothing is drawn at random here, so the seed does not matter."""
        rows = sorted(_rows_of(self._rows, asked), key=lambda row: self.exponents.index(row["exponent"]))
        unproved = sum(row["unproved"] for row in rows)
        if unproved:
            warn(
                f"{self.name}: {unproved} maxima could not be proved within the effort; see the column unproved. "
                "A larger one goes into the metric: --metric 'gtm(effort=1000000000)'."
            )
        if len(rows) > len(self.exponents):
            rows += [_greedy_together(of_systems) for _, of_systems in list(grouped(rows, "exponent"))]
        return self.result(asked, {"table": rows}, _greedy_findings(rows), self._metrics())

    def _rows(self, system: str, corpus: Corpus, asked: Asked) -> Iterator[dict[str, Any]]:
        """A row per exponent."""
        names, counted = asked.campaign.segment_names(), asked.count(self._metrics(), {system: corpus})
        for exponent in self.exponents:
            greedy, exact = (counted[system, str(metric)] for metric in self.pair(exponent))
            scores = {"greedy_score": greedy.corpus_score(), "exact_score": exact.corpus_score()}
            yield {"system": system, "exponent": exponent} | _matched(system, greedy.rows, exact.rows, names) | scores

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """How often greedy matching finds the maximum, and how far off it is, beside what the paper reports."""
        rows = [row | {"exponent": f"{row['exponent']:g}"} for row in tables["table"]]
        colors = charts.palette(row["exponent"] for row in rows)
        share = {row["system"]: row["share"] or 0.0 for row in those(rows, exponent=rows[0]["exponent"])}
        order = sorted(share, key=lambda name: (name == ALL_SYSTEMS, -share[name], name))
        sides: tuple[tuple[str, float, str, dict[str, Any]], ...] = (
            ("share", 99.0, "Segments at the true maximum, %", {"ends": ("low", "high")}),
            ("worst", 80.0, "Worst segment, % of its maximum", {"names": False}),
        )
        panels = [
            charts.interval_dots(
                rows, name="system", value=value, group="exponent", order=order, colors=colors, step=12,
                axis=Axis(title=title), marks=[Mark(claim, f"paper: {claim:g} %")], **options,
            )
            for value, claim, title, options in sides
        ]  # fmt: skip
        segments = max(row["segments"] for row in rows if row["system"] != ALL_SYSTEMS)
        said = "Bars are 95 % intervals; dashed lines are what Turian et al. (2003) report."
        whole = charts.above(charts.beside(*panels), charts.key(colors, title="exponent"))
        title = "Does GTM's greedy matching find the true maximum?"
        return charts.figure("figure", whole, title, [f"{campaign}: {segments:,} segments. {said}"])


def _matched(system: str, greedy: Rows, exact: Rows, names: Sequence[str]) -> dict[str, Any]:
    """Counts, share with its interval, and the worst segment, out of the rows of both metrics."""
    size, best, bound, unproved = greedy[:, 0], exact[:, 0], exact[:, 3], exact[:, 4] > 0
    ratios, lowest = (np.where(most > 0, ratio(size, most), 1.0) for most in (best, bound))
    below = ratios < 1.0 - _ROUNDING
    # Where the search found nothing better, and no proof either, the answer is open.
    unknown = unproved & ~below
    worst = int(ratios.argmin())
    flags = (np.ones_like(below), ~unproved, unproved, ~below & ~unknown, below, unknown)
    counts = {name: int(flag.sum()) for name, flag in zip(_MATCHED, flags, strict=True)}
    return {
        **counts,
        **share_of(counts["maximum"], counts["maximum"] + counts["below"]),
        "worst": 100.0 * float(min(ratios[worst], 1.0)),
        "worst_segment": names[worst] if below.any() else None,
        "worst_system": system if below.any() else None,
        "worst_possible": 100.0 * float(min(lowest.min(), 1.0)),
    }


def _greedy_together(rows: Table) -> dict[str, Any]:
    """All systems' segments as one."""
    row = _together(rows, min(rows, key=lambda row: row["worst"]), _MATCHED, "greedy_score", "exact_score")
    shares = share_of(row["maximum"], row["maximum"] + row["below"])
    return row | shares | {"worst_possible": min(row["worst_possible"] for row in rows)}


def _greedy_findings(rows: Table) -> Iterator[str]:
    """The answer, a sentence or two per exponent."""
    for exponent, (*_, row) in grouped(rows, "exponent"):
        if row["share"] is None:
            yield f"e = {exponent:g}: no segment could be decided. A larger effort may do it."
            continue
        said = (
            f"e = {exponent:g}: greedy matching is at the true maximum in {row['share']:.2f} % of "
            f"{row['maximum'] + row['below']:,} segments (95 % interval {spread(row['low'], row['high'], '.2f')}; the "
            f"paper says 99 %), and at {row['worst']:.2f} % of it at worst{_where(row, 'worst')}; "
            "the paper says at least 80 %."
        )
        if row["unproved"]:
            said += (
                f" In {row['unproved']:,} segments the search ended without a proof; "
                f"if all of them went badly, the worst would be {row['worst_possible']:.2f} %."
            )
        yield said


@dataclass(frozen=True, kw_only=True)
class MeteorAligner(Study):
    """Alignments and scores of aligner=meteor15 beside those of aligner=optimal, segment by segment."""

    name = "meteor-aligner"
    question = "How often is METEOR's alignment not the best there is, and what does that do to scores?"
    needs: ClassVar[Mapping[str, int]] = {CANDIDATES: 1}
    source = "Denkowski & Lavie (2014) describe the best alignment; their program searches a beam and rounds weights"
    takes = ONE_METRIC
    columns = (
        Column("system"), Column("segments", "segments", ","), Column("unproved", "unproved", ","),
        Column("different", "different", ","), Column("share", "different %", ".2f", low="low", high="high"),
        Column("more_matches", "more matches", ","), Column("fewer_chunks", "fewer chunks", ","),
        Column("mean_change", "mean |Δ|", ".3f"), Column("largest_change", "largest Δ", "+.2f"),
        Column("largest_segment", "in segment"), Column("largest_system", "of system"),
        Column("meteor15_score", "meteor15", ".3f"), Column("optimal_score", "optimal", ".3f"),
        Column("difference", "Δ", "+.3f"),
    )  # fmt: skip

    metric: Meteor = metric_option("meteor", "METEOR with the language, task and tables to use.")

    def check(self) -> None:
        self.require(isinstance(self.metric, Meteor), "metric", "meteor, with options such as meteor(language=de)")
        sound = self.metric.aligner is None and self.metric.variant == "meteor15"
        self.require(sound, "metric", "meteor of 2014 without an aligner: the study compares two of them")

    def pair(self) -> list[Meteor]:
        """The metric with either aligner."""
        return [replace(self.metric, aligner="meteor15"), replace(self.metric, aligner="optimal")]

    def answer(self, asked: Asked) -> Result:
        """Nothing is drawn at random here, so the seed does not matter."""
        rows = _rows_of(self._rows, asked)
        if len(rows) > 1:
            rows.append(_aligned_together(rows))
        return self.result(asked, {"table": rows}, _aligned_findings(rows), self.pair())

    def _rows(self, system: str, corpus: Corpus, asked: Asked) -> Iterator[dict[str, Any]]:
        usual, best = asked.count(self.pair(), {system: corpus}).values()
        changes = best.segment_scores() - usual.segment_scores()
        largest = int(np.abs(changes).argmax())
        kinds: list[str] = []
        for shard in shards_of({"": corpus}, asked.threads):
            beam, optimal = (metric.alignments(shard.batch(corpus, metric)) for metric in self.pair())
            kinds += [_kind(*pair, self.metric) for pair in zip(beam, optimal, strict=True)]
        different, scores = len(kinds) - kinds.count("same"), [usual.corpus_score(), best.corpus_score()]
        counts = {"segments": len(kinds), "unproved": int(best.parts()["unproved"]), "different": different}
        matches = {"more_matches": kinds.count("more matches"), "fewer_chunks": kinds.count("fewer chunks")}
        moved: dict[str, Any] = {"higher": int((changes > 0).sum()), "lower": int((changes < 0).sum())}
        moved |= {"mean_change": float(np.abs(changes).mean()), "largest_change": float(changes[largest])}
        where = {"largest_segment": asked.campaign.segment_names()[largest], "largest_system": system}
        yield (
            {"system": system, **counts, **share_of(different, len(kinds)), **matches, **moved}
            | (where if changes[largest] else dict.fromkeys(where))
            | {"meteor15_score": scores[0], "optimal_score": scores[1], "difference": scores[1] - scores[0]}
        )

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """How often aligners differ, and what that does to scores."""
        rows = tables["table"]
        order = [row["system"] for row in sorted(rows, key=lambda row: (row["system"] == ALL_SYSTEMS, -row["share"]))]
        often = charts.interval_dots(
            rows, name="system", value="share", ends=("low", "high"), order=order, step=20,
            axis=Axis(title="Segments aligned differently, %", zero=True),
        )  # fmt: skip
        much = charts.interval_dots(
            rows, name="system", value="difference", stem=True, order=order, names=False, step=20, color=COLORS[1],
            axis=Axis(title="Corpus score of optimal less that of meteor15, points", zero=True),
        )  # fmt: skip
        said = f"{campaign}, {self.metric}: {rows[0]['segments']:,} segments. Bars are 95 % intervals."
        return charts.figure("figure", charts.beside(often, much), "Is METEOR's alignment the best there is?", [said])


def _kind(usual: _Chosen, best: _Chosen, metric: Meteor) -> str:
    """In what the best alignment differs; another reference may count, where there are several."""
    if usual == best:
        return "same"
    if usual[0] != best[0]:
        return "another reference"
    weights = dict(zip(metric.settings.modules, metric.settings.parameters.weights, strict=True))

    def words(links: Sequence[Link]) -> float:
        return sum(
            weights[link.kind] * sum(end - start for start, end in (link.translation, link.reference)) for link in links
        )

    return "more matches" if words(best[1]) > words(usual[1]) + 1e-9 else "fewer chunks"


def _aligned_together(rows: Table) -> dict[str, Any]:
    """All systems' segments as one."""
    largest = max(rows, key=lambda row: abs(row["largest_change"]))
    row = _together(rows, largest, _ALIGNED, "meteor15_score", "optimal_score", "difference")
    change = sum(row["mean_change"] * row["segments"] for row in rows) / row["segments"]
    return row | share_of(row["different"], row["segments"]) | {"mean_change": change}


def _aligned_findings(rows: Table) -> Iterator[str]:
    """The answer in sentences."""
    row, systems = rows[-1], [row for row in rows if row["system"] != ALL_SYSTEMS]
    changes = [row["difference"] for row in systems]
    reach = f"{min(changes):+.3f}" if len(systems) == 1 else f"{min(changes):+.3f} to {max(changes):+.3f}"
    yield (
        f"The aligners differ in {row['share']:.2f} % of {row['segments']:,} segments (95 % interval "
        f"{spread(row['low'], row['high'], '.2f')}): in {row['more_matches']:,} the best alignment matches more, in "
        f"{row['fewer_chunks']:,} as much in fewer chunks."
    )
    yield (
        f"Segment scores change by {row['mean_change']:.3f} points on average, and by {row['largest_change']:+.2f} at "
        f"most{_where(row, 'largest')}; corpus scores by {reach}."
    )
    swapped = [
        f"{first['system']} and {second['system']}"
        for first, second in combinations(systems, 2)
        if (first["meteor15_score"] - second["meteor15_score"]) * (first["optimal_score"] - second["optimal_score"]) < 0
    ]
    if swapped:
        yield f"The order of the systems changes: {'; '.join(swapped)} swap places."
    elif len(systems) > 1:
        yield "The order of the systems is the same."
    if row["unproved"]:
        yield (
            f"In {row['unproved']:,} segments the search stopped at its limit: there, something still better may exist."
        )


def _rows_of(of_system: Callable[[str, Corpus, Asked], Iterator[dict[str, Any]]], asked: Asked) -> Table:
    """The rows of all systems."""
    corpora = candidates(asked)
    with warnings.catch_warnings():
        # What could not be proved is a column of the table.
        warnings.simplefilter("ignore", AssayWarning)
        return [row for system in watched(list(corpora), asked) for row in of_system(system, corpora[system], asked)]


def _together(rows: Table, extreme: Mapping[str, Any], counts: Sequence[str], *scores: str) -> dict[str, Any]:
    """All systems' segments as one: the most extreme row, counts added up; corpus scores are not added up."""
    total = {name: sum(row[name] for row in rows) for name in counts}
    return {**extreme, "system": ALL_SYSTEMS, **total, **dict.fromkeys(scores)}


def _where(row: Mapping[str, Any], extreme: str) -> str:
    """The segment of the most extreme value, in brackets."""
    whose = f" of {row[f'{extreme}_system']}" if row["system"] == ALL_SYSTEMS else ""
    segment = row[f"{extreme}_segment"]
    return "" if segment is None else f" (segment {segment}{whose})"
