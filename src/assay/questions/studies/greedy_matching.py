"""Does GTM's greedy matching find the true maximum? The claim of Turian, Shen & Melamed (2003), on one's own texts."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.errors import AssayWarning
from assay.metrics.base import Rows, ratio
from assay.metrics.gtm import Gtm
from assay.questions.asked import Asked
from assay.questions.base import metric_option, option
from assay.questions.studies.base import ALL_SYSTEMS, Study, grouped, share_of, those, warn, watched
from assay.questions.studies.reference_sets import candidates
from assay.results import charts
from assay.results.charts import Axis, Mark
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.scoring.statistics import Statistics

#: Sizes that differ by less are the same, but for rounding.
_ROUNDING = 1e-9
#: Columns that count segments.
_COUNTS = ("segments", "proved", "unproved", "maximum", "below", "unknown")


@dataclass(frozen=True, kw_only=True)
class GreedyMatching(Study):
    """Match sizes of the greedy matching beside the true maximum, segment by segment."""

    name = "greedy-matching"
    question = "How often does GTM's greedy matching find the true maximum, and how far off is it at worst?"
    source = "Turian, Shen & Melamed (2003): 99 % of the time; at least 80 % of the maximum otherwise"
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

    def answer(self, asked: Asked) -> Result:
        """Nothing is drawn at random here, so the seed does not matter."""
        corpora, names = candidates(asked), asked.campaign.segment_names()
        metrics = [metric for exponent in self.exponents for metric in self.pair(exponent)]
        counted: dict[tuple[str, str], Statistics] = {}
        with warnings.catch_warnings():
            # What could not be proved is a column of the table.
            warnings.simplefilter("ignore", AssayWarning)
            for system in watched(list(corpora), asked):
                counted |= asked.count(metrics, {system: corpora[system]})
        rows: Table = []
        for exponent in self.exponents:
            for system in corpora:
                greedy, exact = (counted[system, str(metric)] for metric in self.pair(exponent))
                scores = {"greedy_score": greedy.corpus_score(), "exact_score": exact.corpus_score()}
                compared = _compared(system, greedy.rows, exact.rows, names)
                rows.append({"system": system, "exponent": exponent} | compared | scores)
        unproved = sum(row["unproved"] for row in rows)
        if unproved:
            warn(
                f"{self.name}: {unproved} maxima could not be proved within the effort; see the column unproved. "
                "A larger one goes into the metric: --metric 'gtm(effort=1000000000)'."
            )
        if len(corpora) > 1:
            rows += [_together(of_systems) for _, of_systems in list(grouped(rows, "exponent"))]
        return self.result(asked, {"table": rows}, _findings(rows), metrics)

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


def _compared(system: str, greedy: Rows, exact: Rows, names: Sequence[str]) -> dict[str, Any]:
    """Counts, share with its interval, and the worst segment, out of the rows of both metrics."""
    size, best, bound, unproved = greedy[:, 0], exact[:, 0], exact[:, 3], exact[:, 4] > 0
    ratios, lowest = (np.where(most > 0, ratio(size, most), 1.0) for most in (best, bound))
    below = ratios < 1.0 - _ROUNDING
    # Where the search found nothing better, and no proof either, the answer is open.
    unknown = unproved & ~below
    worst = int(ratios.argmin())
    flags = (np.ones_like(below), ~unproved, unproved, ~below & ~unknown, below, unknown)
    counts = {name: int(flag.sum()) for name, flag in zip(_COUNTS, flags, strict=True)}
    return {
        **counts,
        **share_of(counts["maximum"], counts["maximum"] + counts["below"]),
        "worst": 100.0 * float(min(ratios[worst], 1.0)),
        "worst_segment": names[worst] if below.any() else None,
        "worst_system": system if below.any() else None,
        "worst_possible": 100.0 * float(min(lowest.min(), 1.0)),
    }


def _together(rows: Table) -> dict[str, Any]:
    """All systems' segments as one; corpus scores are not added up."""
    total = {name: sum(row[name] for row in rows) for name in _COUNTS}
    return {
        **min(rows, key=lambda row: row["worst"]),
        "system": ALL_SYSTEMS,
        **total,
        **share_of(total["maximum"], total["maximum"] + total["below"]),
        "worst_possible": min(row["worst_possible"] for row in rows),
        "greedy_score": None,
        "exact_score": None,
    }


def _findings(rows: Table) -> Iterator[str]:
    """The answer, a sentence or two per exponent."""
    for exponent, (*_, row) in grouped(rows, "exponent"):
        if row["share"] is None:
            yield f"e = {exponent:g}: no segment could be decided. A larger effort may do it."
            continue
        whose = f" of {row['worst_system']}" if row["system"] == ALL_SYSTEMS else ""
        where = "" if row["worst_segment"] is None else f" (segment {row['worst_segment']}{whose})"
        said = (
            f"e = {exponent:g}: greedy matching is at the true maximum in {row['share']:.2f} % of "
            f"{row['maximum'] + row['below']:,} segments (95 % interval {row['low']:.2f} – {row['high']:.2f}; the "
            f"paper says 99 %), and at {row['worst']:.2f} % of it at worst{where}; the paper says at least 80 %."
        )
        if row["unproved"]:
            said += (
                f" In {row['unproved']:,} segments the search ended without a proof; "
                f"if all of them went badly, the worst would be {row['worst_possible']:.2f} %."
            )
        yield said
