"""How far do a metric's scores vary over sentences that people find equally good? After Lavie's lecture (2007)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array, Codes
from assay.errors import InputError
from assay.metrics.base import Metric
from assay.people.grades import Grades, grades_of, read_grades
from assay.people.scores import Scores
from assay.questions.asked import Asked
from assay.questions.base import SCORED, metrics_option, option
from assay.questions.studies.base import SENTENCE_BLEU, WITH_SCORES, defined, different, those, watched
from assay.questions.studies.judged import JudgedStudy, gained, is_sure
from assay.results import charts
from assay.results.charts import COLORS, Axis, Spec
from assay.results.figure import Figure
from assay.results.rendering import bracketed
from assay.results.result import Column, Result, Table
from assay.significance.draws import Draws, Estimate

#: The row of what is left of a metric's spread within grades, all of them together.
WITHIN = "within grades"


@dataclass(frozen=True, eq=False)
class _Spread:
    """Numbers, means and deviations of a metric's scores, draws by grades; the first draw is the data as they are."""

    counts: Array
    means: Array
    variances: Array
    #: The mean and variance of all scores together, a value per draw.
    mean: Array
    variance: Array

    @classmethod
    def of(cls, scores: Array, grades: Codes, count: int, segments: Codes, draws: Draws) -> _Spread:
        """``scores`` of translations, the grade of each and the segment that it is of."""
        # Around the mean sums of squares lose no digits; what is all the same has exactly none.
        centre = float(scores.mean() if np.ptp(scores) else scores[0])
        apart = scores - centre
        # Sums per segment and grade, weighted as often as the segment was drawn.
        cells = segments * count + grades
        size = draws.first.shape[1] * count
        powers = [np.bincount(cells, values, size) for values in (np.ones(len(apart)), apart, apart * apart)]
        sums = [draws.weights @ power.reshape(-1, count) for power in powers]
        counts, means, variances = _moments(*sums)
        _, mean, variance = _moments(*(each.sum(axis=1) for each in sums))
        return cls(counts, means + centre, variances, mean + centre, variance)

    @property
    def within(self) -> Array:
        """The variance within grades: squares around each grade's mean, by what is free to vary."""
        freedom = np.maximum(self.counts - 1.0, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((freedom * np.nan_to_num(self.variances)).sum(axis=1) / freedom.sum(axis=1))


def _moments(count: Array, total: Array, squares: Array) -> tuple[Array, Array, Array]:
    """How many, their mean and their variance; NaN where there are too few."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / np.where(count > 0, count, np.nan)
        variance = np.maximum(squares - total * mean, 0.0) / np.where(count > 1, count - 1.0, np.nan)
    return count, mean, variance


@dataclass(frozen=True, kw_only=True)
class EqualGrades(JudgedStudy):
    """Deviations and histograms of a metric's scores by people's grade: in its own unit, and as a share of its spread.

    A metric that follows people gives equally good sentences nearly equal scores.
    """

    name = "equal-grades"
    takes = WITH_SCORES
    question = "How far do scores vary over sentences that people find equally good?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, SCORED: 1}
    source = "Lavie (2007), lecture: a better metric has less variable scores where people see no difference"
    columns = (
        Column("metric"), Column("grade"), Column("scores", "people's scores"),
        Column("translations", "translations", ",d"), Column("mean", "mean", ".2f"), Column("sd", "SD", ".2f"),
        Column("spread", "SD, share of all", ".3f", low="low", high="high"), Column("gain", "less first", "+.3f"),
    )  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option((SENTENCE_BLEU, "meteor"), "Metrics, with their recipes.", scores=True)
    grades: int | tuple[float, ...] | None = option(
        None,
        "How many grades (quantiles), or cut points. Default: the scores themselves, or 5 of more than 10.",
        metavar="N | A,B,...",
        parse=read_grades,
    )
    bins: int = option(24, "Bars of a histogram.", metavar="N", least=2, most=1000)
    samples: int = option(1000, "Bootstrap samples of segments, for intervals.", metavar="N", least=2)

    def answer(self, asked: Asked) -> Result:
        judged = self.judged(asked, fewest=1)
        human, sources, draws = judged.ratings().grid, judged.sources(self.metrics), judged.draws(self.samples)
        # The same translations for all metrics.
        there = np.isfinite(human) & np.all([np.isfinite(source.grid) for source in sources], axis=0)
        given, segments = human[there], np.nonzero(there)[1]
        grades = grades_of(given, self.grades, turned=self.lower_is_better)
        codes = grades.of(given)
        if np.count_nonzero(grades.counts(given)) < 2:
            raise InputError(
                f"{self.name}: all {len(given):,} translations have one grade ({given.min():g} to {given.max():g}). "
                "Choose other cut points (--grades A,B), or other judgements (--kind)."
            )
        labels = _labels(grades, given)
        tables: dict[str, Table] = {"table": [], "histograms": []}
        spreads = [
            _Spread.of(source.sign * source.grid[there], codes, len(grades), segments, draws)
            for source in watched(sources, asked, 0.4)
        ]
        base = _shares(spreads[0], draws)
        for source, spread in zip(sources, spreads, strict=True):
            tables["table"] += _rows(source, spread, draws, labels, base if spread is not spreads[0] else None)
        tables["histograms"] += self._histograms(sources, spreads, there, codes, labels)
        said = [*self._findings(tables["table"], grades, judged.units.name), judged.drawn()]
        used, kind = [judged.used("segment")], judged.people.name
        return self.result(asked, tables, said, self.metrics, usage=used, kind=kind)

    def _histograms(
        self, sources: Sequence[Scores], spreads: Sequence[_Spread], there: Array, codes: Codes, labels: _Labels
    ) -> Iterator[dict[str, Any]]:
        """Shares of each grade's translations by standardised score, higher is better, in bins of all metrics."""
        scaled = []
        for source, spread in zip(sources, spreads, strict=True):
            deviation = float(np.sqrt(spread.variance[0])) or 1.0
            scaled.append((source.grid[there] - source.sign * spread.mean[0]) / deviation)
        edges = np.linspace(min(map(np.min, scaled)), max(map(np.max, scaled)) + 1e-9, self.bins + 1)
        for source, values in zip(sources, scaled, strict=True):
            for code, (label, _) in enumerate(labels):
                own = values[codes == code]
                if not len(own):
                    continue
                counts = np.histogram(np.clip(own, edges[0], edges[-1]), edges)[0]
                for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True):
                    named = {"metric": source.name, "grade": label, "from": float(low), "to": float(high)}
                    yield named | {"translations": int(count), "share": 100.0 * float(count) / len(own)}

    def _findings(self, rows: Table, grades: Grades, unit: str) -> Iterator[str]:
        yield (
            f"Grades: {grades.method}. SD is in the metric's own unit; as a share of the SD of all its translations it "
            "can be compared between metrics: 1 where grades say nothing of the score, 0 where they say all. "
            f"Intervals hold 95 % of {self.samples:,} samples of {unit}s."
        )
        whole = [row for row in those(rows, grade=WITHIN) if row["spread"] is not None]
        if not whole:
            yield "No metric varies at all: all scores are the same."
            return
        listed = ", ".join(
            f"{row['metric']} {row['spread']:.3f}{bracketed(row['low'], row['high'], '.3f')}" for row in whole
        )
        least = min(whole, key=lambda row: row["spread"])
        yield f"Of the spread of its scores, what is left within grades: {listed}. {least['metric']} varies least."
        for row in whole:
            if row["gain"] is not None:
                chance = "" if is_sure(row) else ", which may be chance"
                interval = bracketed(row["gain_low"], row["gain_high"], "+.3f")
                yield f"{row['metric']} less {whole[0]['metric']}: {row['gain']:+.3f}{interval}{chance}."

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Histograms of standardised scores: a column per metric, a line per grade, the best above."""
        rows, bins = defined(tables["table"], "spread"), tables["histograms"]
        metrics, top = different(rows, "metric"), 1.18 * max(row["share"] for row in bins)
        axis = Axis(domain=(min(row["from"] for row in bins), max(row["to"] for row in bins)), grid=False)
        columns: list[Spec] = []
        for place, metric in enumerate(metrics):
            panels: list[Spec] = []
            *graded, within = those(rows, metric=metric)
            for row in graded:
                about = f"grade {row['grade']} ({row['scores']}), {row['translations']:,} translations"
                above = [f"{metric}: {within['spread']:.3f} of its SD within grades"] if not panels else []
                panels.append(
                    charts.histogram(
                        those(bins, metric=metric, grade=row["grade"]), start="from", end="to", count="share",
                        color=COLORS[place % len(COLORS)], mean=row["standardised"], sd=row["spread"],
                        label=f"SD {row['spread']:.2f}", across=axis, height=80, heading=[*above, about],
                        up=Axis(title=None if place else "%", ticks=3, domain=(0.0, top)),
                    )
                )  # fmt: skip
            columns.append(charts.above(*panels, spacing=12))
        said = [
            f"{campaign}: scores in standard deviations of all translations, from their mean; better is right",
            "lines are means, bars beside them one standard deviation of the grade",
        ]
        return charts.figure("figure", charts.beside(*columns, spacing=30), self.question, said)


#: What grades are called, and the scores that have them, from the lowest.
_Labels = Sequence[tuple[str, str]]


def _labels(grades: Grades, scores: Array) -> _Labels:
    """Grades that are single scores are called by them; others by their number."""
    values = [np.unique(scores[grades.of(scores) == code]) for code in range(len(grades))]
    alone = all(len(each) == 1 for each in values)
    return [
        (f"{values[code][0]:g}", "the same") if alone else (str(code + 1), grades.range_of(code))
        for code in range(len(grades))
    ]


def _shares(spread: _Spread, draws: Draws) -> list[Estimate]:
    """Deviations as a share of that of all scores: of each grade, and within all of them."""
    with np.errstate(invalid="ignore", divide="ignore"):
        columns = [*(spread.variances / spread.variance[:, None]).T, spread.within / spread.variance]
    return [draws.estimate(np.sqrt(column)) for column in columns]


def _rows(
    source: Scores, spread: _Spread, draws: Draws, labels: _Labels, base: Sequence[Estimate] | None
) -> Iterator[dict[str, Any]]:
    """A row per grade, the best first, and one for what varies within grades."""
    shares, deviation = _shares(spread, draws), float(np.sqrt(spread.variance[0]))
    places = [*range(len(labels) - 1, -1, -1), len(labels)]
    for place in places:
        together = place == len(labels)
        count = spread.counts[0].sum() if together else spread.counts[0, place]
        mean = spread.mean[0] if together else spread.means[0, place]
        variance = spread.within if together else spread.variances[:, place]
        label, scores = (WITHIN, "all") if together else labels[place]
        sd = draws.estimate(np.sqrt(variance))
        standard = source.sign * (mean - spread.mean[0]) / deviation if deviation else None
        yield (
            {"metric": source.name, "grade": label, "scores": scores, "translations": int(count)}
            | {"mean": _number(mean), "standardised": _number(standard), **sd.row("sd", "sd_low", "sd_high")}
            | shares[place].row("spread")
            | gained(shares[place], None if base is None else base[place])
        )


def _number(value: float | None) -> float | None:
    return None if value is None or not np.isfinite(value) else float(value)
