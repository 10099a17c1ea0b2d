"""How much of a METEOR score is its aligner's habits? METEOR 1.5's beam beside the best alignment there is."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from assay.data.corpus import Corpus
from assay.errors import AssayWarning
from assay.metrics.meteor import Meteor
from assay.metrics.pictures import Link
from assay.questions.asked import Asked
from assay.questions.base import metric_option
from assay.questions.studies.base import ALL_SYSTEMS, Study, share_of, watched
from assay.questions.studies.reference_sets import candidates
from assay.results import charts
from assay.results.charts import COLORS, Axis
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.scoring.evaluate import shards_of

#: Which reference counts, and the links with it.
_Chosen = tuple[int, tuple[Link, ...]]
#: Columns that count segments.
_COUNTS = ("segments", "unproved", "different", "more_matches", "fewer_chunks", "higher", "lower")


@dataclass(frozen=True, kw_only=True)
class MeteorAligner(Study):
    """Alignments and scores of aligner=meteor15 beside those of aligner=optimal, segment by segment."""

    name = "meteor-aligner"
    question = "How often is METEOR's alignment not the best there is, and what does that do to scores?"
    source = "Denkowski & Lavie (2014) describe the best alignment; their program searches a beam and rounds weights"
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
        corpora = candidates(asked)
        with warnings.catch_warnings():
            # What could not be proved is a column of the table.
            warnings.simplefilter("ignore", AssayWarning)
            rows = [self._row(system, corpora[system], asked) for system in watched(list(corpora), asked)]
        if len(rows) > 1:
            rows.append(_together(rows))
        return self.result(asked, {"table": rows}, _findings(rows), self.pair())

    def _row(self, system: str, corpus: Corpus, asked: Asked) -> dict[str, Any]:
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
        return (
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


def _together(rows: Table) -> dict[str, Any]:
    """All systems' segments as one; corpus scores are not added up."""
    total = {name: sum(row[name] for row in rows) for name in _COUNTS}
    return {
        **max(rows, key=lambda row: abs(row["largest_change"])),
        "system": ALL_SYSTEMS,
        **total,
        **share_of(total["different"], total["segments"]),
        "mean_change": sum(row["mean_change"] * row["segments"] for row in rows) / total["segments"],
        **dict.fromkeys(("meteor15_score", "optimal_score", "difference")),
    }


def _findings(rows: Table) -> Iterator[str]:
    """The answer in sentences."""
    row, systems = rows[-1], [row for row in rows if row["system"] != ALL_SYSTEMS]
    whose = f" of {row['largest_system']}" if row["system"] == ALL_SYSTEMS else ""
    where = "" if row["largest_segment"] is None else f" (segment {row['largest_segment']}{whose})"
    changes = [row["difference"] for row in systems]
    spread = f"{min(changes):+.3f}" if len(systems) == 1 else f"{min(changes):+.3f} to {max(changes):+.3f}"
    yield (
        f"The aligners differ in {row['share']:.2f} % of {row['segments']:,} segments (95 % interval "
        f"{row['low']:.2f} – {row['high']:.2f}): in {row['more_matches']:,} the best alignment matches more, in "
        f"{row['fewer_chunks']:,} as much in fewer chunks."
    )
    yield (
        f"Segment scores change by {row['mean_change']:.3f} points on average, and by {row['largest_change']:+.2f} at "
        f"most{where}; corpus scores by {spread}."
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
