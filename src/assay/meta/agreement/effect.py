"""What each normalisation does: to the ranking of systems, and to how far metrics follow the judges."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.judgements import Judgements
from assay.errors import AssayWarning
from assay.meta.agreement.draws import Draws, Estimate
from assay.meta.agreement.weighted import correlation, kendall, pearson
from assay.meta.normalise import METHODS, normalise, units_of
from assay.metrics.base import Metric
from assay.scoring.evaluate import evaluate_all
from assay.scoring.statistics import Statistics
from assay.significance.clusters import clusters
from assay.significance.corrections import adjust

Floats = NDArray[np.float64]

ALPHA = 0.05


@dataclass(frozen=True)
class SystemEffect:
    """One system under one normalisation: its mean, its rank, and the cluster it is in."""

    method: str
    system: str
    score: Estimate
    rank: int
    cluster: int

    def row(self) -> dict[str, Any]:
        """As JSON and tables hold it."""
        score = self.score
        return {
            "method": self.method,
            "system": self.system,
            "score": score.value,
            "low": score.low,
            "high": score.high,
            "rank": self.rank,
            "cluster": self.cluster,
        }


@dataclass(frozen=True)
class MetricEffect:
    """How far one metric follows the judges under one normalisation."""

    method: str
    metric: str
    level: str
    statistic: str
    estimate: Estimate
    n: int

    def row(self) -> dict[str, Any]:
        """As JSON and tables hold it."""
        value = self.estimate
        return {
            "method": self.method,
            "metric": self.metric,
            "level": self.level,
            "statistic": self.statistic,
            "value": value.value,
            "low": value.low,
            "high": value.high,
            "n": self.n,
        }


class Panel:
    """What people said, as segments by systems: the mean over judgements of an item, NaN where there are none."""

    def __init__(self, judgements: Judgements, order: NDArray[np.int64]) -> None:
        there = ~np.isnan(judgements.score)
        units = np.searchsorted(order, units_of(judgements)[there])
        self.systems = judgements.system.names
        place = units * len(self.systems) + judgements.system.codes[there]
        size = len(order) * len(self.systems)
        count = np.bincount(place, minlength=size)
        total = np.bincount(place, weights=judgements.score[there], minlength=size)
        means = np.where(count > 0, total / np.maximum(count, 1), np.nan)
        self.means: Floats = means.reshape(len(order), len(self.systems))

    def system_means(self, weights: Floats) -> Floats:
        """Per weighting the mean over segments of each system."""
        there = ~np.isnan(self.means)
        count = weights @ there.astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Floats = (weights @ np.where(there, self.means, 0.0)) / count
        return found


@dataclass(frozen=True)
class Effects:
    """Systems and metrics under every normalisation."""

    systems: tuple[SystemEffect, ...]
    metrics: tuple[MetricEffect, ...]

    def summary(self) -> list[dict[str, Any]]:
        """Per normalisation: tau with the raw ranking, systems that moved, clusters."""
        rows = []
        raw = {one.system: one for one in self.systems if one.method == "none"}
        for method in METHODS:
            here = {one.system: one for one in self.systems if one.method == method}
            moves = [abs(here[name].rank - raw[name].rank) for name in raw]
            ranks = [np.array([float(table[name].score.value or 0.0) for name in raw]) for table in (raw, here)]
            tau = (
                float(kendall(ranks[0], ranks[1], np.arange(len(raw)), np.ones((1, len(raw))))[0])
                if len(raw) > 1
                else float("nan")
            )
            rows.append(
                {
                    "method": method,
                    "tau": tau if np.isfinite(tau) else None,
                    "moved": sum(move > 0 for move in moves),
                    "largest_move": max(moves, default=0),
                    "clusters": max((one.cluster for one in here.values()), default=0),
                    "cluster_changes": sum(here[name].cluster != raw[name].cluster for name in raw),
                }
            )
        return rows


def effects(
    judgements: Judgements,
    campaign: Campaign | None,
    metrics: Sequence[Metric],
    *,
    samples: int,
    seed: int,
    threads: int | None = None,
) -> Effects:
    """Every normalisation beside the raw scores; metrics need a campaign with the translations."""
    there = judgements.only(~np.isnan(judgements.score))
    order = np.unique(units_of(there))
    draws = Draws.of(len(order), samples, seed)
    panels = {method: Panel(scores, order) for method, scores in _normalised(there, seed).items()}
    systems = [one for method, panel in panels.items() for one in _systems(method, panel, draws)]
    found: list[MetricEffect] = []
    if metrics and campaign is not None:
        segments = order[order <= int(there.segment.max(initial=-1))]
        found = _metrics(panels, campaign, metrics, segments, Draws.of(len(segments), samples, seed), threads=threads)
    return Effects(tuple(systems), tuple(found))


def _normalised(judgements: Judgements, seed: int) -> dict[str, Judgements]:
    """The judgements under every method; what several of them have to say is said once."""
    found, said = {}, dict[str, list[str]]()
    for method in METHODS:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", AssayWarning)
            found[method] = normalise(judgements, method, seed=seed)
        for warning in caught:
            said.setdefault(str(warning.message).removeprefix(f"{method}: "), []).append(method)
    for message, methods in said.items():
        warnings.warn(f"{', '.join(methods)}: {message}", AssayWarning, stacklevel=2)
    return found


def _systems(method: str, panel: Panel, draws: Draws) -> list[SystemEffect]:
    means = panel.system_means(draws.weights)
    names, observed = panel.systems, means[0]
    ranked = sorted(range(len(names)), key=lambda code: (-observed[code], names[code]))
    spread = means[1 : 1 + draws.samples]
    pairs = list(combinations(range(len(names)), 2))
    chances = []
    for one, two in pairs:
        apart = abs(float(observed[one] - observed[two]))
        chances.append(_chance(apart, spread[:, one] - spread[:, two]) if len(panel.means) > 1 else 1.0)
    better = {
        (one, two) if observed[one] > observed[two] else (two, one)
        for (one, two), p in zip(pairs, adjust(chances, "holm"), strict=True)
        if p < ALPHA
    }
    code_of = {name: code for code, name in enumerate(names)}
    cut = clusters([names[code] for code in ranked], lambda a, b: (code_of[a], code_of[b]) in better)
    cluster = {name: number for number, found in enumerate(cut, start=1) for name in found.systems}
    return [
        SystemEffect(method, names[code], draws.estimate(means[:, code]), rank, cluster[names[code]])
        for rank, code in enumerate(ranked, start=1)
    ]


def _chance(apart: float, drawn: Floats) -> float:
    """The two-sided p-value of a difference, by the normal distribution and its spread over samples."""
    fine = drawn[np.isfinite(drawn)]
    error = float(fine.std(ddof=1)) if len(fine) > 1 else 0.0
    return 2.0 * NormalDist().cdf(-apart / error) if error > 0.0 else float(apart == 0.0)


def _metrics(
    panels: dict[str, Panel],
    campaign: Campaign,
    metrics: Sequence[Metric],
    segments: NDArray[np.int64],
    draws: Draws,
    *,
    threads: int | None,
) -> list[MetricEffect]:
    chosen = campaign.choose()
    systems = panels["none"].systems
    names = [name for name in systems if name in chosen.systems]
    absent = sorted(set(systems) - set(names))
    if absent:
        items = int((~np.isnan(panels["none"].means[:, [systems.index(name) for name in absent]])).sum())
        warnings.warn(
            f"{items:,} judged items of {', '.join(absent)} cannot be held against metrics: no translation to score, "
            "or itself a reference in use.",
            AssayWarning,
            stacklevel=2,
        )
    if not names:
        return []
    counted = evaluate_all(metrics, {name: chosen.corpus(name) for name in names}, threads=threads)
    columns = [systems.index(name) for name in names]
    judged = ~np.isnan(panels["none"].means[: len(segments), columns])
    found = []
    for index, metric in enumerate(metrics):
        scored = Scored.of(metric, counted[index :: len(metrics)], segments, judged, draws)
        for method, panel in panels.items():
            means = panel.means[: len(segments), columns]
            for level, statistic, estimate, n in scored.beside(means, draws):
                found.append(MetricEffect(method, str(metric), level, statistic, estimate, n))
    return found


@dataclass(frozen=True, eq=False)
class Scored:
    """One metric's scores of segments, and of systems under every weighting, on what was judged; higher is better."""

    segments: Floats
    systems: Floats
    #: Segments by systems: judged, and scored by the metric.
    there: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        metric: Metric,
        statistics: Sequence[Statistics],
        segments: NDArray[np.int64],
        judged: NDArray[np.bool_],
        draws: Draws,
    ) -> Scored:
        """System scores are corpus scores over the segments that were judged for that system."""
        sign = 1.0 if metric.higher_is_better else -1.0
        scores = np.stack([sign * one.segment_scores()[segments] for one in statistics], axis=1)
        totals = [
            sign * np.asarray(one.metric.score((draws.weights * flags) @ one.rows[segments]), dtype=np.float64)
            for one, flags in zip(statistics, judged.T, strict=True)
        ]
        return cls(scores, np.stack(totals, axis=1), judged & np.isfinite(scores))

    def beside(self, means: Floats, draws: Draws) -> Iterator[tuple[str, str, Estimate, int]]:
        """Correlations with human scores, segments by systems: level, statistic, estimate, and of how many."""
        judged = ~np.isnan(means)
        weights = draws.weights
        if means.shape[1] > 2:
            with np.errstate(divide="ignore", invalid="ignore"):
                human = (weights @ np.where(judged, means, 0.0)) / (weights @ judged.astype(np.float64))
            yield "system", "pearson", draws.estimate(_row_pearson(human, self.systems)), means.shape[1]
            yield "system", "kendall", draws.estimate(_row_kendall(human, self.systems)), means.shape[1]
        x, y = means[self.there], self.segments[self.there]
        if len(x) > 2:
            unit = np.nonzero(self.there)[0]
            tau = kendall_once(x, y)
            yield "segment", "pearson", draws.estimate(pearson(x, y, unit, weights)), len(x)
            yield "segment", "kendall", Estimate(tau if np.isfinite(tau) else None, None, None), len(x)


def kendall_once(x: Floats, y: Floats) -> float:
    """Kendall's tau-b of many values, without an interval."""
    from scipy.stats import kendalltau

    return float(kendalltau(x, y).statistic)


def _row_pearson(x: Floats, y: Floats) -> Floats:
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    columns = (np.ones_like(x), x, y, x * x, y * y, x * y)
    return correlation(np.stack([column.sum(axis=1) for column in columns], axis=-1))


def _row_kendall(x: Floats, y: Floats) -> Floats:
    one, two = np.triu_indices(x.shape[1], 1)
    x_signs, y_signs = np.sign(x[:, one] - x[:, two]), np.sign(y[:, one] - y[:, two])
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = (x_signs * y_signs).sum(axis=1) / np.sqrt((x_signs**2).sum(axis=1) * (y_signs**2).sum(axis=1))
    return found
