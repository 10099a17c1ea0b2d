"""``assay.score``: every system with every metric, each score with its interval."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from assay.data.campaign import Campaign
from assay.data.reading import read
from assay.errors import UnknownName
from assay.metrics.base import Metric
from assay.metrics.registry import metrics as named_metrics
from assay.scoring.evaluate import Progress, evaluate_all
from assay.scoring.statistics import Statistics, finite_or_none, intervals
from assay.significance.intervals import Interval
from assay.version import __version__

#: What is computed when nobody says.
DEFAULT_METRICS = ("bleu", "chrf")

#: Parts of a campaign that have scores of their own.
Level = Literal["segments", "documents", "domains"]


@dataclass(frozen=True)
class Score:
    """One system's score under one metric."""

    system: str
    statistics: Statistics = field(repr=False)
    score: float
    interval: Interval | None
    signature: str

    @property
    def metric(self) -> Metric:
        """The metric as it was asked for."""
        return self.statistics.metric


@dataclass(frozen=True)
class ScoreTable:
    """Scores of all systems, and behind them the rows for every finer view."""

    campaign: Campaign
    scores: tuple[Score, ...]

    @property
    def systems(self) -> list[str]:
        """Systems in the order of the campaign."""
        return list(dict.fromkeys(score.system for score in self.scores))

    @property
    def metrics(self) -> list[Metric]:
        """Metrics in the order in which they were asked for."""
        return list({str(score.metric): score.metric for score in self.scores}.values())

    def of(self, system: str, metric: Metric | str) -> Score:
        """The score of one system under one metric."""
        if system not in self.systems:
            raise UnknownName.of("system", system, self.systems)
        found = [score for score in self.scores if score.system == system and str(score.metric) == str(metric)]
        if not found:
            raise UnknownName.of("metric", str(metric), map(str, self.metrics))
        return found[0]

    def ranked_systems(self) -> list[str]:
        """Systems by the first metric, the best first."""
        metric = self.metrics[0]
        sign = -1.0 if metric.higher_is_better else 1.0
        return sorted(self.systems, key=lambda system: sign * self.of(system, metric).score)

    def table(self, *, sacrebleu_signature: bool = False) -> list[dict[str, Any]]:
        """A row per system and metric; sacreBLEU's signature is null where it computes something else."""
        count = len(self.campaign.references)
        return [
            {
                "system": score.system,
                "metric": str(score.metric),
                "score": score.score,
                "low": None if score.interval is None else score.interval.low,
                "high": None if score.interval is None else score.interval.high,
                "signature": score.signature,
                **({"sacrebleu_signature": score.metric.sacrebleu_signature(count)} if sacrebleu_signature else {}),
                "parts": {name: finite_or_none(value) for name, value in score.statistics.parts().items()},
            }
            for score in self.scores
        ]

    def level(self, level: Level) -> list[dict[str, Any]]:
        """A row per system, metric and segment, document or domain; a segment without a score has None."""
        return [
            {"system": score.system, "metric": str(score.metric), level[:-1]: name, "score": finite_or_none(value)}
            for score in self.scores
            for name, value in self._level_scores(score, level)
        ]

    def _level_scores(self, score: Score, level: Level) -> Iterator[tuple[str | int, float]]:
        if level == "segments":
            values = score.statistics.segment_scores().tolist()
            names = self.campaign.segments or range(len(values))
            return iter(zip(names, values, strict=True))
        grouped = score.statistics.document_scores() if level == "documents" else score.statistics.domain_scores()
        return iter(grouped.items())

    def to_dict(self, *levels: Level, sacrebleu_signature: bool = False) -> dict[str, Any]:
        """All that ``assay score --format json`` prints."""
        tables: dict[str, Any] = {level: self.level(level) for level in levels}
        return {
            "assay": __version__,
            "command": "score",
            "scores": self.table(sacrebleu_signature=sacrebleu_signature),
            **tables,
        }

    def to_json(self, *levels: Level, sacrebleu_signature: bool = False) -> str:
        """The same as text."""
        tables = self.to_dict(*levels, sacrebleu_signature=sacrebleu_signature)
        return json.dumps(tables, ensure_ascii=False, allow_nan=False, indent=2)

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{row['system']}</td><td>{row['metric']}</td><td>{row['score']:.2f}</td></tr>"
            for row in self.table()
        )
        return f"<table><tr><th>system</th><th>metric</th><th>score</th></tr>{cells}</table>"


def score(
    campaign: Campaign | str | Path,
    metrics: Iterable[str | Metric] | str | Metric = DEFAULT_METRICS,
    *,
    systems: Iterable[str] | str | None = None,
    references: Iterable[str] | str | None = None,
    seed: int = 1,
    samples: int = 1000,
    threads: int | None = None,
    progress: Progress | None = None,
) -> ScoreTable:
    """Score the systems of a campaign; ``samples=0`` leaves the intervals out."""
    chosen = named_metrics(metrics)
    if not isinstance(campaign, Campaign):
        campaign = read(campaign)
    campaign = campaign.choose(systems=systems, references=references)
    corpora = campaign.corpora()
    halves = (
        (None, None)
        if progress is None
        else (lambda share: progress(share / 2), lambda share: progress((1 + share) / 2))
    )
    counted = evaluate_all(chosen, corpora, threads=threads, progress=halves[0])
    ranges: list[Interval | None] = [None] * len(counted)
    if samples > 0:
        ranges = list(intervals(counted, seed=seed, samples=samples, progress=halves[1]))
    owners = [name for name in corpora for _ in chosen]
    drawn = {"seed": seed, "samples": samples} if samples > 0 else {}
    scores = tuple(
        Score(owner, statistics, statistics.corpus_score(), interval, statistics.signature(**drawn))
        for owner, statistics, interval in zip(owners, counted, ranges, strict=True)
    )
    return ScoreTable(campaign, scores)
