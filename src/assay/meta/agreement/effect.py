"""What each normalisation does: to the ranking of systems, and to how far metrics follow the judges."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
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
from assay.meta.agreement.weighted import correlation, kendall
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
    panels = {}
    for method in METHODS:
        with warnings.catch_warnings():
            if method == "none":
                warnings.simplefilter("ignore", AssayWarning)
            panels[method] = Panel(normalise(there, method, seed=seed), order)
    systems = [one for method, panel in panels.items() for one in _systems(method, panel, draws)]
    found: list[MetricEffect] = []
    if metrics and campaign is not None:
        segments = order[order <= int(there.segment.max(initial=-1))]
        found = _metrics(panels, campaign, metrics, segments, Draws.of(len(segments), samples, seed), threads)
    return Effects(tuple(systems), tuple(found))


def _systems(method: str, panel: Panel, draws: Draws) -> list[SystemEffect]:
    means = panel.system_means(draws.weights)
    names, observed = panel.systems, means[0]
    ranked = sorted(range(len(names)), key=lambda code: (-observed[code], names[code]))
    spread = means[1 : 1 + draws.samples]
    pairs = list(combinations(range(len(names)), 2))
    chances = []
    for one, two in pairs:
        error = float(np.nanstd(spread[:, one] - spread[:, two], ddof=1)) if draws.samples > 1 else 0.0
        apart = abs(float(observed[one] - observed[two]))
        chances.append(2.0 * NormalDist().cdf(-apart / error) if error > 0.0 else float(apart == 0.0))
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


def _metrics(
    panels: dict[str, Panel],
    campaign: Campaign,
    metrics: Sequence[Metric],
    segments: NDArray[np.int64],
    draws: Draws,
    threads: int | None,
) -> list[MetricEffect]:
    chosen = campaign.choose()
    names = [name for name in panels["none"].systems if name in chosen.systems]
    absent = sorted(set(panels["none"].systems) - set(names))
    if absent:
        warnings.warn(
            f"Metrics cannot be held against the judgements of {', '.join(absent)}: no translation to score, or itself "
            "a reference in use.",
            AssayWarning,
            stacklevel=2,
        )
    if len(names) == 0:
        return []
    counted = evaluate_all(metrics, {name: chosen.corpus(name) for name in names}, threads=threads)
    columns = [panels["none"].systems.index(name) for name in names]
    found = []
    for index, metric in enumerate(metrics):
        mine = [counted[place * len(metrics) + index] for place in range(len(names))]
        found += _metric(metric, mine, panels, columns, segments, draws)
    return found


def _metric(
    metric: Metric,
    statistics: Sequence[Statistics],
    panels: dict[str, Panel],
    columns: list[int],
    segments: NDArray[np.int64],
    draws: Draws,
) -> list[MetricEffect]:
    sign = 1.0 if metric.higher_is_better else -1.0
    judged = ~np.isnan(panels["none"].means[: len(segments), columns])
    scores = np.stack([sign * one.segment_scores()[segments] for one in statistics], axis=1)
    totals = np.stack(
        [sign * metric_scores(one, segments, draws.weights * flags) for one, flags in zip(statistics, judged.T, strict=True)],
        axis=1,
    )  # fmt: skip
    found = []
    for method, panel in panels.items():
        means = panel.means[: len(segments), columns]
        human = Panel.system_means(
            panel, np.hstack([draws.weights, np.zeros((len(draws.weights), len(panel.means) - len(segments)))])
        )[:, columns]  # noqa: E501
        fine = judged & np.isfinite(scores)
        x, y = means[fine] - means[fine].mean(), scores[fine] - scores[fine].mean()
        unit = np.nonzero(fine)[0]
        moments = np.stack(
            [np.bincount(unit, weights=column, minlength=len(segments)) for column in (np.ones(len(x)), x, y, x * x, y * y, x * y)],
            axis=1,
        )  # fmt: skip
        if len(columns) > 2:
            found += [
                MetricEffect(method, str(metric), "system", "pearson", draws.estimate(_row_pearson(human, totals)), len(columns)),
                MetricEffect(method, str(metric), "system", "kendall", draws.estimate(_row_kendall(human, totals)), len(columns)),
            ]  # fmt: skip
        tau = float(kendall_once(x, y))
        found += [
            MetricEffect(method, str(metric), "segment", "pearson", draws.estimate(correlation(draws.weights @ moments)), len(x)),
            MetricEffect(method, str(metric), "segment", "kendall", Estimate(tau if np.isfinite(tau) else None, None, None), len(x)),
        ]  # fmt: skip
    return found


def metric_scores(statistics: Statistics, segments: NDArray[np.int64], weights: Floats) -> Floats:
    """Corpus scores under weights over some of the segments."""
    return np.asarray(statistics.metric.score(weights @ statistics.rows[segments]), dtype=np.float64)


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
