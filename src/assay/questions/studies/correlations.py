"""Which metric follows the judges? Tables 1 to 4 of Lavie, Sagae & Jayaraman (2004), on one's own texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from assay.meta.benches import Measured, SystemBench
from assay.meta.result import number_or_none
from assay.meta.robust import outliers_of, points_of
from assay.metrics.registry import metrics as named_metrics
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.studies.base import Column, StudyResult
from assay.questions.studies.parts.judged import NormalisedStudy, by_chance, gained, is_sure, valued
from assay.questions.studies.parts.recipes import with_stems
from assay.questions.studies.pictures.correlation_plots import PLAIN, STEMMED, correlation_plots
from assay.results.result import Result

#: The two statistics, and how their columns are called.
CELLS = {"pearson": "pearson", "differences": "pearson-differences"}


@dataclass(frozen=True, kw_only=True)
class Correlations(NormalisedStudy):
    """Pearson's correlation of systems' scores, and of the differences between pairs of systems, with intervals."""

    name: ClassVar[str] = "correlations"
    question: ClassVar[str] = "Which metric follows the judges, and does stemming help?"
    source: ClassVar[str] = "Lavie, Sagae & Jayaraman (2004), Tables 1 to 4: recall does, and stemming mostly helps"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("metric", "metric"),
        Column("text", "text"),
        Column("pearson", "Pearson", ".3f"),
        Column("pearson_low", "low", ".3f"),
        Column("pearson_high", "high", ".3f"),
        Column("pearson_gain", "gain", "+.3f"),
        Column("without_outliers", "without outliers", ".3f"),
        Column("differences", "of differences", ".3f"),
        Column("differences_low", "low", ".3f"),
        Column("differences_high", "high", ".3f"),
        Column("differences_gain", "gain", "+.3f"),
    )

    metric: tuple[str, ...] = option(
        ("nist", "bleu", "precision", "recall", "f1", "fmean"), "Metrics, each as it is and with stemming."
    )
    stemmer: str = option("porter", "Which stemmer: porter, german, ...; none for no stems.")
    resample: Literal["segments", "both"] = option(
        "segments", "What intervals allow for: other segments, or other systems, too (both)."
    )
    samples: int = option(1000, "For intervals: how often they are drawn anew.")

    def check(self) -> None:
        self.require(self.samples >= 2, "samples", "a whole number of at least 2")
        names = [with_stems(metric, None) for metric in named_metrics(self.metric)]
        self.require(len(set(names)) == len(names), "metric", "metrics that differ in more than their stemmer")
        if self.stemmer != "none":
            for metric in names:
                with_stems(metric, self.stemmer)

    def answer(self, asked: Asked) -> Result:
        found = self.judged(asked)
        texts = (PLAIN,) if self.stemmer == "none" else (PLAIN, STEMMED)
        plain = [with_stems(metric, None) for metric in named_metrics(self.metric)]
        listed = [(metric, text) for metric in plain for text in texts]
        sources = found.sources(
            [with_stems(metric, None if text == PLAIN else self.stemmer) for metric, text in listed], asked.progress
        )
        draws = found.draws(self.samples, asked.seed, systems=self.resample == "both")
        bench = SystemBench(found.people, draws, seed=asked.seed)
        outliers = outliers_of(bench.human[0])
        rows, points = [], []
        base: dict[str, Measured] = {}
        for (metric, text), source in zip(listed, sources, strict=True):
            every = bench.points(source)
            measured = {name: bench.over(every, statistic, source) for name, statistic in CELLS.items()}
            base = measured if text == PLAIN else base
            row: dict[str, Any] = {"metric": str(metric), "text": text}
            for name, one in measured.items():
                row |= valued(one, name, f"{name}_low", f"{name}_high")
                row |= gained(one, base[name] if text != PLAIN else None, f"{name}_gain")
            inner = bench.over(every & ~outliers, "pearson", source).value if outliers.any() else None
            row["without_outliers"] = None if inner is None else number_or_none(inner)
            rows.append(row | {"systems": int(every.sum()), "spelling": source.name})
            points += [one | {"metric": str(metric), "text": text} for one in points_of(bench, [source], outliers)]
            asked.report(0.4 + 0.6 * len(rows) / len(listed))
        far = [name for name, out in zip(found.people.systems, outliers, strict=True) if out]
        said = (*self._findings(rows, far), str(found.used("system")))
        return self.result(asked, tuple(rows), said, tuple(points))

    def _findings(self, rows: Sequence[Mapping[str, Any]], outliers: Sequence[str]) -> Iterator[str]:
        drawn = "segments" if self.resample == "segments" else "segments and systems"
        yield f"{rows[0]['systems']} systems; intervals hold 95 % of {self.samples:,} samples of {drawn}."
        yield from by_chance(rows, "pearson_gain")
        for name, words in (("pearson", "Over systems"), ("differences", "Over differences between systems")):
            able = sorted((row for row in rows if row[name] is not None), key=lambda row: -row[name])
            if not able:
                yield f"{words}: no correlation is defined, for the scores of all systems are alike."
                continue
            best, worst = (f"{_name(row)} ({row[name]:.3f})" for row in (able[0], able[-1]))
            yield f"{words}, {best} follows people best, and {worst} least."
            stemmed = [row for row in able if row["text"] == STEMMED]
            if stemmed:
                sure = [row for row in stemmed if is_sure(row, f"{name}_gain")]
                up = [row["metric"] for row in sure if row[f"{name}_gain"] > 0]
                down = [row["metric"] for row in sure if row["metric"] not in up]
                yield (
                    f"{words}, stemming surely helps {len(up)} of {len(stemmed)} metrics"
                    f"{_listed(up)} and surely harms {len(down)}{_listed(down)}."
                )
        if outliers:
            yield (
                f"{', '.join(outliers)}: far from the others in the eyes of people. The column without outliers shows "
                "how much of a correlation that is."
            )

    def chart(self, result: StudyResult) -> Any:
        """Both correlations with their intervals, and below them the dots they are of."""
        return correlation_plots(result)


def _name(row: Mapping[str, Any]) -> str:
    return f"{row['metric']}, {row['text']}"


def _listed(names: Sequence[str]) -> str:
    return f" ({', '.join(names)})" if names else ""
