"""How much of a METEOR score is its aligner's habits? METEOR 1.5's beam beside the best alignment there is."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from assay.data.corpus import Corpus
from assay.errors import AssayWarning
from assay.figures import COLORS, MUTED, dress, load_altair
from assay.metrics.meteor import Meteor
from assay.metrics.pictures import Link
from assay.metrics.registry import metric as named_metric
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.studies.base import Column, Study, StudyResult
from assay.questions.studies.parts.candidates import candidates
from assay.results.result import Result
from assay.scoring.evaluate import Shard, evaluate_all, shard_bounds, thread_count
from assay.significance.proportions import wilson_interval

TOGETHER = "all systems"
#: Which reference counts, and the links with it.
Chosen = tuple[int, tuple[Link, ...]]


@dataclass(frozen=True, kw_only=True)
class MeteorAligner(Study):
    """Alignments and scores of aligner=meteor15 beside those of aligner=optimal, segment by segment."""

    name: ClassVar[str] = "meteor-aligner"
    question: ClassVar[str] = "How often is METEOR's alignment not the best there is, and what does that do to scores?"
    source: ClassVar[str] = (
        "Denkowski & Lavie (2014) describe the best alignment; their program searches a beam and rounds weights"
    )
    columns: ClassVar[tuple[Column, ...]] = (
        Column("system", "system"),
        Column("segments", "segments", ","),
        Column("unproved", "unproved", ","),
        Column("different", "different", ","),
        Column("share", "different %", ".2f"),
        Column("low", "low", ".2f"),
        Column("high", "high", ".2f"),
        Column("more_matches", "more matches", ","),
        Column("fewer_chunks", "fewer chunks", ","),
        Column("mean_change", "mean |Δ|", ".3f"),
        Column("largest_change", "largest Δ", "+.2f"),
        Column("largest_segment", "in segment"),
        Column("meteor15_score", "meteor15", ".3f"),
        Column("optimal_score", "optimal", ".3f"),
        Column("difference", "Δ", "+.3f"),
    )

    metric: str = option("meteor", "METEOR with the language, task and tables to use.")

    def check(self) -> None:
        given = named_metric(self.metric)
        self.require(isinstance(given, Meteor), "metric", "meteor, with options such as meteor(language=de)")
        sound = isinstance(given, Meteor) and given.aligner is None and given.variant == "meteor15"
        self.require(sound, "metric", "meteor of 2014 without an aligner: the study compares two of them")

    def metrics(self) -> tuple[Meteor, Meteor]:
        """The metric with either aligner."""
        given = named_metric(self.metric)
        if not isinstance(given, Meteor):
            raise TypeError(self.metric)
        return replace(given, aligner="meteor15"), replace(given, aligner="optimal")

    def answer(self, asked: Asked) -> Result:
        """Nothing is drawn at random here, so the seed does not matter."""
        corpora = candidates(asked)
        names = asked.campaign.segment_names()
        rows: list[dict[str, Any]] = []
        for done, (system, corpus) in enumerate(corpora.items(), start=1):
            with warnings.catch_warnings():
                # What could not be proved is a column of the table.
                warnings.simplefilter("ignore", AssayWarning)
                rows.append({"system": system} | self._row(system, corpus, names, asked.threads))
            asked.report(done / len(corpora))
        if len(rows) > 1:
            rows.append(together(rows))
        return self.result(asked, tuple(rows), tuple(findings(rows)))

    def _row(self, system: str, corpus: Corpus, names: Sequence[str], threads: int | None) -> dict[str, Any]:
        beam, optimal = self.metrics()
        usual, best = evaluate_all([beam, optimal], {system: corpus}, threads=threads)
        changes = best.segment_scores() - usual.segment_scores()
        largest = int(np.abs(changes).argmax())
        kinds = [kind(*pair, optimal) for pair in self._pairs(corpus, thread_count(threads))]
        different = len(kinds) - kinds.count("same")
        low, high = wilson_interval(different, len(kinds))
        return {
            "segments": len(kinds),
            "unproved": int(best.parts()["unproved"]),
            "different": different,
            "share": 100.0 * different / len(kinds),
            "low": 100.0 * low,
            "high": 100.0 * high,
            "more_matches": kinds.count("more matches"),
            "fewer_chunks": kinds.count("fewer chunks"),
            "higher": int((changes > 0).sum()),
            "lower": int((changes < 0).sum()),
            "mean_change": float(np.abs(changes).mean()),
            "largest_change": float(changes[largest]),
            "largest_segment": names[largest] if changes[largest] else None,
            "meteor15_score": usual.corpus_score(),
            "optimal_score": best.corpus_score(),
            "difference": best.corpus_score() - usual.corpus_score(),
        }

    def _pairs(self, corpus: Corpus, threads: int) -> Iterator[tuple[Chosen, Chosen]]:
        """The alignments of every segment, by either aligner."""
        for start, stop in shard_bounds(corpus.translations):
            shard = Shard(start, stop, threads)
            beam, optimal = (metric.alignments(shard.batch(corpus, metric)) for metric in self.metrics())
            yield from zip(beam, optimal, strict=True)

    def chart(self, result: StudyResult) -> Any:
        """Two panels over the same systems: how often alignments differ, and what that does to the score."""
        altair = load_altair()
        rows = result.table()
        order = [row["system"] for row in sorted(rows, key=lambda row: (row["system"] == TOGETHER, -row["share"]))]
        base = altair.Chart(altair.Data(values=rows))
        tips = [f"{key}:N" for key in rows[0]]

        def systems(names: bool) -> Any:
            axis = altair.Axis(grid=False) if names else None
            return altair.Y("system:N", sort=order, title=None, axis=axis, scale=altair.Scale(paddingInner=0.35))

        def across(name: str, title: str) -> Any:
            return altair.X(f"{name}:Q", axis=altair.Axis(title=title, tickCount=5), scale=altair.Scale(zero=True))

        share = "Segments aligned differently, %"
        bars = base.mark_rule(strokeWidth=2, opacity=0.45, color=COLORS[0])
        dots = base.mark_circle(size=64, opacity=1, color=COLORS[0])
        often = altair.layer(
            bars.encode(x=across("low", share), x2="high:Q", y=systems(True)),
            dots.encode(x=across("share", share), y=systems(True), tooltip=tips),
        )
        scored = base.transform_filter(altair.datum.difference != None)  # noqa: E711 - a condition in the figure
        stems = scored.mark_rule(strokeWidth=2, opacity=0.45, color=COLORS[1]).encode(
            x=across("difference", ""), y=systems(False)
        )
        change = "Corpus score of optimal less that of meteor15, points"
        ends = scored.mark_circle(size=64, opacity=1, color=COLORS[1])
        zero = altair.Chart(altair.Data(values=[{"zero": 0}])).mark_rule(color=MUTED).encode(x="zero:Q")
        much = altair.layer(
            zero,
            stems.encode(x=across("difference", change), x2=altair.datum(0)),
            ends.encode(x=across("difference", change), y=systems(False), tooltip=tips),
        )
        panels = (panel.properties(width=300, height=altair.Step(20)) for panel in (often, much))
        subtitle = f"{result.campaign}, {self.metric}: {rows[0]['segments']:,} segments. Bars are 95 % intervals."
        return dress(altair.hconcat(*panels, spacing=40), "Is METEOR's alignment the best there is?", [subtitle])


def kind(usual: Chosen, best: Chosen, metric: Meteor) -> str:
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


def together(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """All systems' segments as one; corpus scores are not added up."""
    counted = ("segments", "unproved", "different", "more_matches", "fewer_chunks", "higher", "lower")
    total = {name: sum(row[name] for row in rows) for name in counted}
    low, high = wilson_interval(total["different"], total["segments"])
    largest = max(rows, key=lambda row: abs(row["largest_change"]))
    segment = largest["largest_segment"]
    return {
        "system": TOGETHER,
        **total,
        "share": 100.0 * total["different"] / total["segments"],
        "low": 100.0 * low,
        "high": 100.0 * high,
        "mean_change": sum(row["mean_change"] * row["segments"] for row in rows) / total["segments"],
        "largest_change": largest["largest_change"],
        "largest_segment": None if segment is None else f"{segment} of {largest['system']}",
        "meteor15_score": None,
        "optimal_score": None,
        "difference": None,
    }


def findings(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The answer in sentences."""
    row, systems = rows[-1], [row for row in rows if row["system"] != TOGETHER]
    where = "" if row["largest_segment"] is None else f" (segment {row['largest_segment']})"
    changes = [one["difference"] for one in systems]
    spread = f"{min(changes):+.3f}" if len(systems) == 1 else f"{min(changes):+.3f} to {max(changes):+.3f}"
    said = [
        f"The aligners differ in {row['share']:.2f} % of {row['segments']:,} segments (95 % interval "
        f"{row['low']:.2f} – {row['high']:.2f}): in {row['more_matches']:,} the best alignment matches more, in "
        f"{row['fewer_chunks']:,} as much in fewer chunks.",
        f"Segment scores change by {row['mean_change']:.3f} points on average, and by {row['largest_change']:+.2f} at "
        f"most{where}; corpus scores by {spread}.",
    ]
    if len(systems) > 1:
        said.append(order_kept(systems))
    if row["unproved"]:
        said.append(
            f"In {row['unproved']:,} segments the search stopped at its limit: there, something still better may exist."
        )
    return said


def order_kept(systems: Sequence[Mapping[str, Any]]) -> str:
    """Whether the aligner changes which system is better."""
    swapped = [
        f"{one['system']} and {other['system']}"
        for one, other in combinations(systems, 2)
        if (one["meteor15_score"] - other["meteor15_score"]) * (one["optimal_score"] - other["optimal_score"]) < 0
    ]
    if not swapped:
        return "The order of the systems is the same."
    return f"The order of the systems changes: {'; '.join(swapped)} swap places."
