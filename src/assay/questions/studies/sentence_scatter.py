"""How does a metric follow people, sentence by sentence? The scatter plots of Lavie's lecture (2007)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array, Flags
from assay.metrics.base import Metric
from assay.people.levels import GridLevel
from assay.people.scores import Scores
from assay.questions.asked import Asked
from assay.questions.base import SCORED, metrics_option, option
from assay.questions.studies.base import ALL_SYSTEMS, SENTENCE_BLEU, WITH_SCORES, defined, grouped, those, watched
from assay.questions.studies.judged import JudgedStudy, JudgedSystems, gained, is_sure
from assay.results import charts
from assay.results.charts import Axis
from assay.results.figure import Figure
from assay.results.rendering import bracketed
from assay.results.result import Column, Result, Table, View
from assay.significance.draws import Draws, Estimate, named, shuffled

#: Pearson over all translations together.
_CELL = ("pearson", "none")


@dataclass(frozen=True, kw_only=True)
class SentenceScatter(JudgedStudy):
    """A dot per translation of a segment, the straight line through them and Pearson's R, over all systems and each.

    On a page (-o page.html) a dot leads to its segment, with source, translation and references. --systems NAME shows
    one system alone, and --first-system draws one of all.
    """

    name = "sentence-scatter"
    takes = WITH_SCORES
    question = "How does a metric follow people, sentence by sentence?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, SCORED: 1}
    source = "Lavie (2007), lecture: R = 0.2466 for BLEU and 0.4129 for METEOR over the sentences of one system"
    columns = (
        Column("metric"), Column("system"), Column("translations", "translations", ",d"),
        Column("correlation", "R", ".3f", low="low", high="high"), Column("slope", "slope", ".3f"),
        Column("intercept", "at 0", ".2f"), Column("gain", "over first", "+.3f"),
    )  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option((SENTENCE_BLEU, "meteor"), "Metrics, with their recipes.", scores=True)
    samples: int = option(1000, "Bootstrap samples of segments, for intervals.", metavar="N", least=2)
    dots: int = option(
        1000,
        "Dots of the picture at most, and segments of the page, chosen at random.",
        metavar="N",
        least=2,
        most=20_000,
    )
    first_system: bool = option(False, "Draw the first system alone, as the lecture draws one, not all together.")

    def answer(self, asked: Asked) -> Result:
        judged = self.judged(asked, fewest=1)
        human, sources, draws = judged.ratings().grid, judged.sources(self.metrics), judged.draws(self.samples)
        systems = judged.people.systems
        parts: list[tuple[str, list[int]]] = [(name, [place]) for place, name in enumerate(systems)]
        if len(systems) > 1:
            parts = [(ALL_SYSTEMS, list(range(len(systems)))), *parts]
        rows: Table = []
        first: dict[str, Estimate] = {}
        for source in watched(sources, asked, 0.4):
            for system, places in parts:
                chosen = np.isin(np.arange(len(systems)), places)
                measured, line = _fitted(human, source, chosen, draws, asked.seed)
                base = first.setdefault(system, measured)
                rows.append(
                    {"metric": source.name, "system": system, "translations": measured.n}
                    | {**measured.row("correlation"), "slope": line[1], "intercept": line[0]}
                    | gained(measured, base if base is not measured else None)
                )
        kind = judged.people.name
        points = list(self._points(judged, sources, human, kind))
        result = self.result(
            asked, {"table": rows, "points": points}, [*self._findings(rows, judged.units.name), judged.drawn()],
            self.metrics, usage=[judged.used("segment")], kind=kind,
        )  # fmt: skip
        return replace(result, views=(*result.views, self._listing(sources, points)))

    def _points(
        self, judged: JudgedSystems, sources: Sequence[Scores], human: Array, kind: str
    ) -> Iterator[dict[str, Any]]:
        """The translations that are drawn, with what people and each metric say of them, and with their texts."""
        campaign, systems, places = judged.campaign, judged.people.systems, judged.campaign.places
        there = np.isfinite(human) & np.all([np.isfinite(source.grid) for source in sources], axis=0)
        there[1 if self.first_system else len(there) :] = False
        kept = np.flatnonzero(there)
        segments = np.arange(len(campaign)) if places is None else places
        translated = [list(campaign.systems[name]) for name in systems]
        # Drawn by what they are, whatever a system is called and wherever a segment stands.
        cells = zip(*(places.tolist() for places in np.unravel_index(kept, human.shape)), strict=True)
        keys = named([f"{segments[segment]} {translated[system][segment]}" for system, segment in cells])
        kept = np.sort(kept[shuffled(keys, judged.asked.seed, "translations shown")[: self.dots]])
        ids, texts = campaign.segment_names(), {f"ref.{name}": column for name, column in campaign.references.items()}
        texts = ({} if campaign.source is None else {"source": campaign.source}) | texts
        shown = {name: list(column) for name, column in texts.items()}
        for source in sources:
            for system, segment in zip(*np.unravel_index(kept, human.shape), strict=True):
                about = {"metric": source.name, "system": systems[system], "segment": ids[segment]}
                given = {
                    "human": float(human[system, segment]),
                    "score": float(source.sign * source.grid[system, segment]),
                }
                digest = hashlib.sha256("\0".join([kind, systems[system], str(segments[segment])]).encode()).hexdigest()
                lines = {"translation": translated[system][segment]} | {name: shown[name][segment] for name in shown}
                yield about | given | {"anchor": f"segment-{digest[:12]}"} | lines

    def _listing(self, sources: Sequence[Scores], points: Table) -> View:
        """The segments that dots lead to."""
        first = {"metric": sources[0].name}
        texts = [name for name in points[0] if name in ("translation", "source") or name.startswith("ref.")]
        columns = (
            Column("human", "people", ".2f", where=first),
            *(Column("score", source.name, ".2f", where={"metric": source.name}) for source in sources),
            *(Column(name, where=first) for name in texts),
        )
        title = f"{len(points) // len(sources):,} translations, those of the picture"
        return View(
            title, "points", columns, keys=(Column("system"), Column("segment")), anchor="anchor", on_page=True
        )  # fmt: skip

    def _findings(self, rows: Table, unit: str) -> Iterator[str]:
        yield (
            "R is Pearson's correlation over translations of single segments, and the line the least squares of the "
            "metric's score on people's: its slope is in points of the metric for one of people's. Intervals hold "
            f"95 % of {self.samples:,} samples of {unit}s; of error rates R is turned, so that higher is better."
        )
        whole = [here[0] for _, here in grouped(rows, "metric")]
        for row in whole:
            if row["correlation"] is None:
                yield f"{row['metric']}: no correlation is defined, for all scores are alike."
                continue
            own = [one["correlation"] for one in those(rows, metric=row["metric"]) if one["correlation"] is not None]
            said = f"{row['metric']}: R = {row['correlation']:.3f}{bracketed(row['low'], row['high'], '.3f')}"
            said += f" over {row['translations']:,} translations"
            if len(own) > 1:
                said += f"; within single systems from {min(own[1:]):.3f} to {max(own[1:]):.3f}"
            yield said + "."
        for row in whole[1:]:
            if row["gain"] is not None:
                chance = "" if is_sure(row) else ", which may be chance"
                interval = bracketed(row["gain_low"], row["gain_high"], "+.3f")
                yield f"{row['metric']} less {whole[0]['metric']}: {row['gain']:+.3f}{interval}{chance}."

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """A panel per metric: people across, the metric up, the line through all translations."""
        panels, better = [], {str(metric): metric.higher_is_better for metric in self.metrics}
        # All systems together are the first row, where there are several.
        rows = [here[:2][-1 if self.first_system else 0] for _, here in grouped(tables["table"], "metric")]
        defined(rows, "correlation")
        for row, metric in zip(rows, self.metrics, strict=True):
            here = [point | {"said": _said(point)} for point in those(tables["points"], metric=row["metric"])]
            value = "no R" if row["correlation"] is None else f"R = {row['correlation']:.3f}"
            line = None if row["slope"] is None else (row["intercept"], row["slope"])
            panels.append(
                charts.scatter(
                    here, x="human", y="score", line=line, link="said", area=16, opacity=0.35, width=360, height=280,
                    across=Axis(title="people"), up=Axis(title="metric", reverse=not better[str(metric)]),
                    heading=f"{row['metric']}: {value}{bracketed(row['low'], row['high'], '.3f')}",
                )
            )  # fmt: skip
        drawn, every = len(tables["points"]) // len(rows), rows[0]["translations"]
        of = f"{drawn:,} of {every:,} translations, at random" if drawn < every else f"{drawn:,} translations"
        said = [
            f"{campaign}, {rows[0]['system']}: a dot per translation ({of})",
            "the line is the regression over all of them, drawn or not",
        ]
        return charts.figure("figure", charts.panels(panels), self.question, said)


def _said(point: Mapping[str, Any]) -> str:
    """What a dot is: the row that it leads to, then words."""
    return (
        f"{point['anchor']}: {point['system']}, segment {point['segment']}: people {point['human']:.2f}, metric "
        f"{point['score']:.2f}"
    )


def _fitted(
    human: Array, source: Scores, systems: Flags, draws: Draws, seed: int
) -> tuple[Estimate, tuple[float | None, float | None]]:
    """Pearson's R over some systems' translations, and the line of printed scores on people's: at 0, and its slope."""
    level = GridLevel(np.where(systems[:, None], human, np.nan), draws, seed=seed)
    measured = level.measure([_CELL], source)[_CELL]
    there = np.isfinite(level.human) & np.isfinite(source.grid)
    x, y = human[there], source.sign * source.grid[there]
    if len(x) < 2 or np.ptp(x) == 0.0:
        return measured, (None, None)
    slope = float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
    return measured, (float(y.mean() - slope * x.mean()), slope)
