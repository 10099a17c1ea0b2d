"""Which metric follows the judges? Tables 1 to 4 of Lavie, Sagae & Jayaraman (2004), on one's own texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.metrics.base import Metric
from assay.people.levels import SystemLevel
from assay.people.pictures import pairs_of
from assay.people.robust import outliers_of, points_of
from assay.questions.asked import Asked
from assay.questions.base import metrics_option, option
from assay.questions.studies.base import defined, different, grouped, those, watched
from assay.questions.studies.judged import JudgedStudy, by_chance, gained, surely
from assay.questions.studies.recipes import with_stems
from assay.results import charts
from assay.results.charts import Axis, Spec
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.significance.draws import NOTHING, Estimate

#: The text as it is, and stemmed.
_PLAIN, _STEMMED = "words", "stems"
#: How columns call the two statistics, and what they are.
_CELLS = {"pearson": ("pearson", None), "differences": ("pearson-differences", None)}


@dataclass(frozen=True, kw_only=True)
class Correlations(JudgedStudy):
    """Pearson's correlation of systems' scores, and of the differences between pairs of systems, with intervals."""

    name = "correlations"
    question = "Which metric follows the judges, and does stemming help?"
    source = "Lavie, Sagae & Jayaraman (2004), Tables 1 to 4: recall does, and stemming mostly helps"
    columns = (
        Column("metric"), Column("text"),
        Column("pearson", "Pearson", ".3f", low="pearson_low", high="pearson_high"),
        Column("pearson_gain", "gain", "+.3f"), Column("without_outliers", "without outliers", ".3f"),
        Column("differences", "of differences", ".3f", low="differences_low", high="differences_high"),
        Column("differences_gain", "gain", "+.3f"),
    )  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option(
        ("nist", "bleu", "precision", "recall", "f1", "fmean"), "Metrics, each as it is and with stemming."
    )
    stemmer: str = option("porter", "Which stemmer: porter, german, ...; none for no stems.")
    resample: Literal["segments", "both"] = option(
        "segments", "What intervals allow for: other segments, or other systems, too (both)."
    )
    samples: int = option(1000, "Bootstrap samples, for intervals.", metavar="N", least=2)

    def check(self) -> None:
        names = [with_stems(metric, None) for metric in self.metrics]
        self.require(len(set(names)) == len(names), "metrics", "metrics that differ in more than their stemmer")
        self._cooked()

    def _cooked(self) -> list[tuple[str, str, Metric]]:
        """Every metric on words, and on stems: its name, the text, and the metric on it."""
        texts = {_PLAIN: None} | ({} if self.stemmer == "none" else {_STEMMED: self.stemmer})
        return [
            (str(with_stems(metric, None)), text, with_stems(metric, stemmer))
            for metric in self.metrics
            for text, stemmer in texts.items()
        ]

    def answer(self, asked: Asked) -> Result:
        judged, cooked = self.judged(asked), self._cooked()
        sources = judged.sources([metric for _, _, metric in cooked])
        level = SystemLevel(judged.people, judged.draws(self.samples, systems=self.resample == "both"), seed=asked.seed)
        outliers = outliers_of(level.human[0])
        rows: Table = []
        points: Table = []
        base: dict[str, Estimate] = {}
        for (metric, text, _), source in watched(list(zip(cooked, sources, strict=True)), asked, 0.4):
            named = {"metric": metric, "text": text}
            measured = dict(zip(_CELLS, level.measure(_CELLS.values(), source).values(), strict=True))
            base = measured if text == _PLAIN else base
            row: dict[str, Any] = dict(named)
            for name, value in measured.items():
                row |= value.row(name, f"{name}_low", f"{name}_high")
                row |= gained(value, base[name] if text != _PLAIN else None, f"{name}_gain")
            inner = level.over(~outliers, "pearson", source) if outliers.any() else NOTHING
            row["without_outliers"] = inner.value
            rows.append(row | {"systems": measured["pearson"].n, "spelling": source.name})
            points += [named | point | named for point in points_of(level, [source], outliers)]
        far = [name for name, out in zip(judged.people.systems, outliers, strict=True) if out]
        tables, metrics = {"table": rows, "points": points}, [metric for _, _, metric in cooked]
        used, kind = [judged.used("system")], judged.people.name
        return self.result(asked, tables, self._findings(rows, far), metrics, usage=used, kind=kind)

    def _findings(self, rows: Table, outliers: Sequence[str]) -> Iterator[str]:
        drawn = "segments" if self.resample == "segments" else "segments and systems"
        yield f"{rows[0]['systems']} systems; intervals hold 95 % of {self.samples:,} samples of {drawn}."
        yield from by_chance(rows, "pearson_gain")
        for name, words in (("pearson", "Over systems"), ("differences", "Over differences between systems")):
            able = sorted((row for row in rows if row[name] is not None), key=lambda row: -row[name])
            if not able:
                yield f"{words}: no correlation is defined, for the scores of all systems are alike."
                continue
            best, worst = (f"{row['metric']}, {row['text']} ({row[name]:.3f})" for row in (able[0], able[-1]))
            yield f"{words}, {best} follows people best, and {worst} least."
            stemmed = those(able, text=_STEMMED)
            if stemmed:
                up, down = surely(stemmed, f"{name}_gain")
                yield (
                    f"{words}, stemming surely helps {len(up)} of {len(stemmed)} metrics{_listed(up)} and surely "
                    f"harms {len(down)}{_listed(down)}."
                )
        if outliers:
            yield (
                f"{', '.join(outliers)}: far from the others in the eyes of people. The column without outliers shows "
                "how much of a correlation that is."
            )

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Intervals of both correlations, and below them what is correlated."""
        rows, points = defined(tables["table"], "pearson", "differences"), tables["points"]
        metrics, texts = different(rows, "metric"), different(rows, "text")
        colors = charts.palette(text for text in (_PLAIN, _STEMMED) if text in texts)
        top = []
        for name, over in (("pearson", "systems"), ("differences", "differences between systems")):
            named = [row | {"said": f"{row[name]:.3f}"} for row in rows]
            best = {metric: -max(row[name] for row in here) for metric, here in grouped(rows, "metric")}
            top.append(
                charts.interval_dots(
                    named, name="metric", value=name, ends=(f"{name}_low", f"{name}_high"), label="said", group="text",
                    colors=colors, order=sorted(best, key=best.__getitem__), step=16, heading=f"Pearson over {over}",
                )
            )  # fmt: skip
        # At most four side by side, in lines that are about as long.
        columns = -(-len(metrics) // -(-len(metrics) // 4))
        below = [
            charts.beside(
                *(_scatter(points, metric, colors, pairs=pairs, first=not at) for at, metric in line), spacing=22
            )
            for start in range(0, len(metrics), columns)
            for line in [list(enumerate(metrics[start : start + columns]))]
            for pairs in (False, True)
        ]
        said = [
            f"{campaign}, {', '.join(self.kind) or 'all judgements'}; bars hold 95 % of {self.samples:,} samples",
            "below: systems as people (across) and the metric (up) see them, then all pairs, better less worse for "
            "people",
        ]
        legend = [charts.key(colors)] if len(colors) > 1 else []
        whole = charts.above(*legend, charts.beside(*top), *below)
        return charts.figure("figure", whole, "Which metric follows the judges?", said)


def _scatter(points: Table, metric: str, colors: Mapping[str, str], *, pairs: bool, first: bool) -> Spec:
    """Systems, or pairs of them, as people and one metric see them; better is up everywhere."""
    points = those(points, metric=metric)
    title = "differences of pairs" if pairs else "scores of systems"
    reverse = not points[0]["higher_is_better"] and not pairs
    return charts.scatter(
        pairs_of(points) if pairs else points, x="human", y="score", kind="text", colors=colors, regression=True,
        across=Axis(title="people", ticks=4), area=14 if pairs else 28, opacity=0.7, width=190, height=150,
        up=Axis(title=title if first else None, ticks=4, zero=pairs, reverse=reverse),
        heading=None if pairs else metric,
    )  # fmt: skip


def _listed(names: Sequence[str]) -> str:
    return f" ({', '.join(names)})" if names else ""
