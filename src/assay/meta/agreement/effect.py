"""What each normalisation does: to the ranking of systems, and to how far metrics follow the judges."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations, product
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.judgements import Judgements
from assay.errors import AssayWarning
from assay.meta.agreement.draws import Draws, Estimate
from assay.meta.agreement.weighted import kendall
from assay.meta.bench_making import benches_of
from assay.meta.benches import Bench, Measured
from assay.meta.choosing import people_of
from assay.meta.gathering import own_sources
from assay.meta.normalise import METHODS, normalise, units_of
from assay.meta.request import Request
from assay.meta.result import interval_of, number_or_none
from assay.meta.sources import Source
from assay.metrics.base import Metric
from assay.scoring.evaluate import thread_count
from assay.significance.clusters import clusters
from assay.significance.corrections import adjust
from assay.significance.tests import is_significant

Floats = NDArray[np.float64]

ALPHA = 0.05
#: How far metrics follow the judges is measured at these levels, by these statistics, over so many points at least.
LEVELS = ("system", "segment")
STATISTICS = ("pearson", "kendall")
FEWEST_POINTS = 3


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
    normalised = _normalised(there, seed)
    panels = {method: Panel(scores, order) for method, scores in normalised.items()}
    systems = [one for method, panel in panels.items() for one in _systems(method, panel, draws)]
    found: list[MetricEffect] = []
    if metrics and campaign is not None:
        found = _metrics(normalised, campaign, metrics, samples=samples, seed=seed, threads=threads)
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
        if is_significant(p, ALPHA)
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
    normalised: dict[str, Judgements],
    campaign: Campaign,
    metrics: Sequence[Metric],
    *,
    samples: int,
    seed: int,
    threads: int | None,
) -> list[MetricEffect]:
    """As ``assay meta`` measures them: the same values, and the same intervals."""
    chosen = campaign.choose()
    raw = normalised["none"]
    _warn_of_absent(raw, chosen)
    known = {name: texts for name, texts in chosen.systems.items() if name in raw.system.names}
    if not known:
        return []
    chosen = replace(chosen, systems=known)
    request = Request(LEVELS, STATISTICS, groupings=("none",), samples=samples, seed=seed)
    jobs: list[tuple[str, Bench]] = []
    sources: list[Source] = []
    for method, judgements in normalised.items():
        people, _ = people_of(chosen.with_judgements(judgements), kind=judgements.kinds)
        # Methods change scores, not what was judged.
        sources = sources or own_sources(chosen, metrics, people, request, threads=threads, progress=None)
        jobs += [(method, bench) for bench in benches_of(chosen, people, request)[0]]

    def work(job: tuple[Source, tuple[str, Bench]]) -> list[MetricEffect]:
        source, (method, bench) = job
        measured = bench.measure(request.cells(bench.level), source)
        return [
            MetricEffect(method, source.name, bench.level, statistic, _estimate(one), one.n)
            for (statistic, _), one in measured.items()
            if one.n >= FEWEST_POINTS
        ]

    with ThreadPoolExecutor(thread_count(threads)) as pool:
        return [one for found in pool.map(work, product(sources, jobs)) for one in found]


def _warn_of_absent(judgements: Judgements, campaign: Campaign) -> None:
    absent = sorted(set(judgements.system.names) - set(campaign.systems))
    if absent:
        left = judgements.only(np.isin(judgements.system.codes, [judgements.system.number(name) for name in absent]))
        items = len(set(zip(left.system.codes.tolist(), units_of(left).tolist(), strict=True)))
        warnings.warn(
            f"{items:,} judged items of {', '.join(absent)} cannot be held against metrics: no translation to score, "
            "or itself a reference in use.",
            AssayWarning,
            stacklevel=2,
        )


def _estimate(measured: Measured) -> Estimate:
    interval = interval_of(measured)
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    return Estimate(number_or_none(measured.value), low, high)
