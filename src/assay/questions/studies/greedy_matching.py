"""Does GTM's greedy matching find the true maximum? The claim of Turian, Shen & Melamed (2003), on one's own texts."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from assay.data.corpus import Corpus
from assay.errors import AssayWarning
from assay.figures import COLORS, MUTED, dress, load_altair
from assay.metrics.base import Rows, ratio
from assay.metrics.gtm import Gtm
from assay.metrics.registry import metric as named_metric
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.studies.base import Column, Study, StudyResult
from assay.questions.studies.parts.candidates import candidates
from assay.results.result import Result
from assay.scoring.evaluate import evaluate_all
from assay.significance.proportions import wilson_interval

#: What the paper reports, in percent.
CLAIMED_SHARE, CLAIMED_WORST = 99.0, 80.0
#: Sizes that differ by less are the same, but for rounding.
ROUNDING = 1e-9
TOGETHER = "all systems"
WORST_TITLE = "Worst segment, % of its maximum"


@dataclass(frozen=True, kw_only=True)
class GreedyMatching(Study):
    """Match sizes of the greedy matching beside the true maximum, segment by segment."""

    name: ClassVar[str] = "greedy-matching"
    question: ClassVar[str] = (
        "How often does GTM's greedy matching find the true maximum, and how far off is it at worst?"
    )
    source: ClassVar[str] = "Turian, Shen & Melamed (2003): 99 % of the time; at least 80 % of the maximum otherwise"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("system", "system"),
        Column("exponent", "e", "g"),
        Column("segments", "segments", ","),
        Column("unproved", "unproved", ","),
        Column("below", "below maximum", ","),
        Column("share", "at maximum %", ".2f"),
        Column("low", "low", ".2f"),
        Column("high", "high", ".2f"),
        Column("worst", "worst %", ".2f"),
        Column("worst_segment", "worst segment"),
        Column("greedy_score", "greedy score", ".3f"),
        Column("exact_score", "exact score", ".3f"),
    )

    exponents: tuple[float, ...] = option((2.0, 3.0), "Exponents to look at.")
    metric: str = option("gtm", "GTM with the recipe, the cap and the effort to use.")

    def check(self) -> None:
        sound = len(self.exponents) > 0 and len(set(self.exponents)) == len(self.exponents)
        self.require(sound and min(self.exponents) >= 1.0, "exponents", "different numbers of at least 1, such as 2,3")
        self.require(
            isinstance(named_metric(self.metric), Gtm), "metric", "gtm, with options such as gtm(tokenize=13a)"
        )

        given = named_metric(self.metric)
        sound = isinstance(given, Gtm) and (given.exponent, given.matching) == (Gtm().exponent, Gtm().matching)
        self.require(sound, "metric", "gtm without exponent and matching: the study has its own (--exponents)")

    def metrics(self, exponent: float) -> tuple[Gtm, Gtm]:
        """The greedy metric and the exact one."""
        given = named_metric(self.metric)
        if not isinstance(given, Gtm):
            raise TypeError(self.metric)
        return tuple(replace(given, exponent=exponent, matching=way) for way in ("greedy", "exact"))  # type: ignore[return-value]

    def answer(self, asked: Asked) -> Result:
        """Nothing is drawn at random here, so the seed does not matter."""
        corpora = candidates(asked)
        names = asked.campaign.segment_names()
        rows: list[dict[str, Any]] = []
        for done, (system, corpus) in enumerate(corpora.items(), start=1):
            rows += self._rows_of(system, corpus, names, asked.threads)
            asked.report(done / len(corpora))
        rows.sort(key=lambda row: self.exponents.index(row["exponent"]))
        if len(corpora) > 1:
            rows += [together([row for row in rows if row["exponent"] == exponent]) for exponent in self.exponents]
        warn_of_unproved(rows)
        return self.result(asked, tuple(rows), tuple(findings(rows, self.exponents)))

    def _rows_of(self, system: str, corpus: Corpus, names: Sequence[str], threads: int | None) -> list[dict[str, Any]]:
        metrics = [metric for exponent in self.exponents for metric in self.metrics(exponent)]
        with warnings.catch_warnings():
            # What could not be proved is a column of the table.
            warnings.simplefilter("ignore", AssayWarning)
            counted = evaluate_all(metrics, {system: corpus}, threads=threads)
        rows = []
        for index, exponent in enumerate(self.exponents):
            greedy, exact = counted[2 * index : 2 * index + 2]
            scores = {"greedy_score": greedy.corpus_score(), "exact_score": exact.corpus_score()}
            rows.append({"system": system, "exponent": exponent} | compare(greedy.rows, exact.rows, names) | scores)
        return rows

    def chart(self, result: StudyResult) -> Any:
        """Two panels over the same systems: how often, and how far off."""
        altair = load_altair()
        labels = [f"{exponent:g}" for exponent in self.exponents]
        rows = [row | {"exponent": f"{row['exponent']:g}"} for row in result.table()]
        share = {row["system"]: row["share"] or 0.0 for row in rows if row["exponent"] == labels[0]}
        order = sorted(share, key=lambda name: (name == TOGETHER, -share[name], name))
        legend = altair.Legend(orient="bottom", direction="horizontal", symbolType="circle", symbolOpacity=1)
        base = altair.Chart(altair.Data(values=rows)).encode(
            yOffset=altair.YOffset("exponent:N", sort=labels),
            color=altair.Color(
                "exponent:N",
                sort=labels,
                scale=altair.Scale(domain=labels, range=list(COLORS[: len(labels)])),
                legend=legend,
            ),
        )
        sides = (("share", CLAIMED_SHARE, "Segments at the true maximum, %"), ("worst", CLAIMED_WORST, WORST_TITLE))
        panels = []
        for name, claim, title in sides:
            systems = altair.Y(
                "system:N",
                sort=order,
                title=None,
                scale=altair.Scale(paddingInner=0.35),
                # The panels stand side by side: names once are enough.
                axis=altair.Axis(grid=False) if name == "share" else None,
            )
            panels.append(_panel(altair, base.encode(y=systems), rows, name=name, claim=claim, title=title))
        chart = altair.hconcat(*(panel.properties(width=300, height=altair.Step(12)) for panel in panels), spacing=40)
        return dress(chart, "Does GTM's greedy matching find the true maximum?", [_subtitle(result)])


def compare(greedy: Rows, exact: Rows, names: Sequence[str]) -> dict[str, Any]:
    """Counts, share with its interval, and the worst segment, out of the rows of both metrics."""
    found, best, bound, unproved = greedy[:, 0], exact[:, 0], exact[:, 3], exact[:, 4] > 0
    ratios = np.where(best > 0, ratio(found, best), 1.0)
    lowest = np.where(bound > 0, ratio(found, bound), 1.0)
    below = ratios < 1.0 - ROUNDING
    # Where the search found nothing better, and no proof either, the answer is open.
    unknown = unproved & ~below
    worst = int(ratios.argmin())
    return {
        "segments": len(greedy),
        "proved": int((~unproved).sum()),
        "unproved": int(unproved.sum()),
        "maximum": int((~below & ~unknown).sum()),
        "below": int(below.sum()),
        "unknown": int(unknown.sum()),
        **_share(int((~below & ~unknown).sum()), int(below.sum())),
        "worst": 100.0 * float(min(ratios[worst], 1.0)),
        "worst_segment": names[worst] if below.any() else None,
        "worst_possible": 100.0 * float(min(lowest.min(), 1.0)),
    }


def _share(maximum: int, below: int) -> dict[str, float | None]:
    known = maximum + below
    if known == 0:
        return {"share": None, "low": None, "high": None}
    low, high = wilson_interval(maximum, known)
    return {"share": 100.0 * maximum / known, "low": 100.0 * low, "high": 100.0 * high}


def together(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """All systems' segments as one; scores are not added up."""
    counts = {
        name: sum(row[name] for row in rows)
        for name in ("segments", "proved", "unproved", "maximum", "below", "unknown")
    }
    worst = min(rows, key=lambda row: row["worst"])
    segment = worst["worst_segment"]
    return {
        "system": TOGETHER,
        "exponent": rows[0]["exponent"],
        **counts,
        **_share(counts["maximum"], counts["below"]),
        "worst": worst["worst"],
        "worst_segment": None if segment is None else f"{segment} of {worst['system']}",
        "worst_possible": min(row["worst_possible"] for row in rows),
        "greedy_score": None,
        "exact_score": None,
    }


def findings(rows: Sequence[Mapping[str, Any]], exponents: Sequence[float]) -> list[str]:
    """The answer, a sentence or two per exponent."""
    said = []
    for exponent in exponents:
        row = [one for one in rows if one["exponent"] == exponent][-1]
        if row["share"] is None:
            said.append(f"e = {exponent:g}: no segment could be decided. A larger effort may do it.")
            continue
        known = row["maximum"] + row["below"]
        sentence = (
            f"e = {exponent:g}: greedy matching is at the true maximum in {row['share']:.2f} % of {known:,} "
            f"segments (95 % interval {row['low']:.2f} – {row['high']:.2f}; the paper says 99 %)"
        )
        where = "" if row["worst_segment"] is None else f" (segment {row['worst_segment']})"
        sentence += f", and at {row['worst']:.2f} % of it at worst{where}; the paper says at least 80 %."
        if row["unproved"]:
            sentence += (
                f" In {row['unproved']:,} segments the search ended without a proof; "
                f"if all of them went badly, the worst would be {row['worst_possible']:.2f} %."
            )
        said.append(sentence)
    return said


def warn_of_unproved(rows: Sequence[Mapping[str, Any]]) -> None:
    """One warning for all systems and exponents."""
    open_ones = [row for row in rows if row["system"] != TOGETHER and row["unproved"]]
    if open_ones:
        total = sum(row["unproved"] for row in open_ones)
        warnings.warn(
            f"greedy-matching: {total} maxima could not be proved within the effort; see the column unproved. "
            "A larger one goes into the metric: --metric 'gtm(effort=1000000000)'.",
            AssayWarning,
            stacklevel=3,
        )


def _panel(altair: Any, base: Any, rows: Sequence[Mapping[str, Any]], *, name: str, claim: float, title: str) -> Any:
    """Dots, intervals where there are any, and the paper's claim as a line."""
    keys = ("share", "low") if name == "share" else ("worst",)
    lowest = min([claim, *(row[key] for row in rows for key in keys if row[key] is not None)])
    margin = (100.0 - lowest) * 0.06
    scale = altair.Scale(domain=[lowest - margin, 100.0 + margin / 2], nice=False, zero=False)
    axis = altair.Axis(title=title, tickCount=5)

    def across(field: str) -> Any:
        return altair.X(f"{field}:Q", scale=scale, axis=axis)

    dots = base.mark_circle(size=64, opacity=1).encode(x=across(name), tooltip=[f"{key}:N" for key in rows[0]])
    ranges = base.mark_rule(strokeWidth=2, opacity=0.45).encode(x=across("low"), x2="high:Q")
    said = altair.Chart(altair.Data(values=[{"claim": claim, "text": f"paper: {claim:g} %"}]))
    line = said.mark_rule(color=MUTED, strokeDash=[4, 3]).encode(x=across("claim"))
    label = said.mark_text(dy=-6, color=MUTED, fontSize=11, baseline="bottom").encode(
        x=across("claim"), y=altair.value(0), text="text:N"
    )
    return altair.layer(line, label, *([ranges] if name == "share" else []), dots)


def _subtitle(result: StudyResult) -> str:
    segments = max(row["segments"] for row in result.rows if row["system"] != TOGETHER)
    return (
        f"{result.campaign}: {segments:,} segments. Bars are 95 % intervals; "
        "dashed lines are what Turian et al. (2003) report."
    )
