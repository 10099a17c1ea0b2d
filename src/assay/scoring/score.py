"""``assay.score``: every system with every metric, each score with its interval."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from assay.data.campaign import Campaign
from assay.data.reading import read
from assay.errors import InputError, ParameterError, UnknownName
from assay.metrics.base import Metric
from assay.metrics.registry import metrics as named_metrics
from assay.scoring.evaluate import Progress, evaluate_all
from assay.scoring.statistics import Statistics, finite_or_none, intervals
from assay.significance.intervals import Interval
from assay.version import __version__

#: What is computed when nobody says.
DEFAULT_METRICS = ("bleu", "chrf")

#: Parts of a campaign that have scores of their own, and what one of them is called.
Level = Literal["segments", "documents", "domains"]
KEYS: dict[Level, str] = {"segments": "segment", "documents": "document", "domains": "domain"}


@dataclass(frozen=True)
class Score:
    """One system's score under one metric."""

    system: str
    statistics: Statistics = field(repr=False)
    #: None where a segment could not be scored.
    score: float | None
    interval: Interval | None
    signature: str

    @property
    def metric(self) -> Metric:
        """The metric as it was asked for."""
        return self.statistics.metric

    def sacrebleu_signature(self) -> str | None:
        """sacreBLEU's line, where sacreBLEU computes the same number."""
        return self.metric.sacrebleu_signature(len(self.statistics.provenance.digests) - 1)

    def parts(self) -> dict[str, float | None]:
        """The components of the score; none where there is no score."""
        if self.score is None:
            return {}
        return {name: finite_or_none(value) for name, value in self.statistics.parts().items()}


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

        def rank(system: str) -> tuple[bool, float]:
            score = self.of(system, metric).score
            return score is None, sign * (score or 0.0)

        return sorted(self.systems, key=rank)

    def table(self, *, sacrebleu_signature: bool = False) -> list[dict[str, Any]]:
        """A row per system and metric; sacreBLEU's signature is null where it computes something else."""
        return [
            {
                "system": score.system,
                "metric": str(score.metric),
                "score": score.score,
                "low": None if score.interval is None else score.interval.low,
                "high": None if score.interval is None else score.interval.high,
                "signature": score.signature,
                **({"sacrebleu_signature": score.sacrebleu_signature()} if sacrebleu_signature else {}),
                "parts": score.parts(),
            }
            for score in self.scores
        ]

    def level(self, level: Level) -> list[dict[str, Any]]:
        """A row per system, metric and segment, document or domain; a segment without a score has None."""
        return [
            {"system": score.system, "metric": str(score.metric), KEYS[level]: name, "score": finite_or_none(value)}
            for score in self.scores
            for name, value in self.level_of(score, level)
        ]

    def level_of(self, score: Score, level: Level) -> list[tuple[str | int, float]]:
        """Names and scores of the segments, documents or domains behind one score."""
        if level not in KEYS:
            raise UnknownName.of("level", level, KEYS)
        if level == "segments":
            values = score.statistics.segment_scores().tolist()
            names = self.campaign.segments or range(len(values))
            return list(zip(names, values, strict=True))
        grouped = score.statistics.document_scores() if level == "documents" else score.statistics.domain_scores()
        return list(grouped.items())

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
        from html import escape

        def cell(value: object) -> str:
            shown = "–" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
            return f"<td>{escape(shown)}</td>"

        keys = ("system", "metric", "score", "low", "high")
        lines = "".join(f"<tr>{''.join(cell(row[key]) for key in keys)}</tr>" for row in self.table())
        return f"<table><tr>{''.join(f'<th>{key}</th>' for key in keys)}</tr>{lines}</table>"


def score(
    campaign: Campaign | str | Path,
    metrics: Iterable[str | Metric] | str | Metric = DEFAULT_METRICS,
    *,
    systems: Iterable[str] | str | None = None,
    references: Iterable[str] | str | None = None,
    targeted: Iterable[str] | str | None = None,
    seed: int = 1,
    samples: int = 1000,
    threads: int | None = None,
    progress: Progress | None = None,
) -> ScoreTable:
    """Score the systems of a campaign; ``samples=0`` leaves the intervals out.

    ``targeted`` names references that are human post-edits, beside those called ``pe`` and ``pe.<anything>``.
    """
    chosen = named_metrics(metrics)
    if isinstance(campaign, (str, Path)):
        campaign = read(campaign)
    if not isinstance(campaign, Campaign):
        raise InputError(
            f"assay.score takes a campaign or its path, not a {type(campaign).__name__}. "
            "For one corpus use assay.metric(...).evaluate(corpus)."
        )
    campaign = campaign.choose(systems=systems, references=references, targeted=targeted)
    corpora = campaign.corpora()
    for metric in chosen:
        if metric.sees_targeted:
            campaign.require_targeted(metric.name)
    halves = (
        (None, None)
        if progress is None
        else (lambda share: progress(share / 2), lambda share: progress((1 + share) / 2))
    )
    counted = evaluate_all(chosen, corpora, threads=threads, progress=halves[0])
    ranges: list[Interval | None] = [None] * len(counted)
    if samples < 0:
        raise ParameterError(f"samples is {samples}, but it takes a whole number of at least 0.")
    whole = [index for index, statistics in enumerate(counted) if not statistics.failed.any()]
    for index in set(range(len(counted))) - set(whole):
        counted[index].warn_of_failures(list(corpora)[index // len(chosen)])
    if samples > 0:
        found = intervals([counted[index] for index in whole], seed=seed, samples=samples, progress=halves[1])
        for index, interval in zip(whole, found, strict=True):
            ranges[index] = interval
    owners = [name for name in corpora for _ in chosen]
    drawn = {"seed": seed, "samples": samples} if samples > 0 else {}
    scores = tuple(
        Score(
            owner,
            statistics,
            finite_or_none(statistics.corpus_score()) if index in whole else None,
            interval,
            statistics.signature(**drawn),
        )
        for index, (owner, statistics, interval) in enumerate(zip(owners, counted, ranges, strict=True))
    )
    return ScoreTable(campaign, scores)
