"""What each normalisation does: to the ranking of systems, and to how far metrics follow the judges."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations, product
from statistics import NormalDist

import numpy as np

from assay.data.campaign import Campaign
from assay.data.judgements import Judgements
from assay.errors import AssayWarning
from assay.meta.agreement.draws import Draws
from assay.meta.agreement.weighted import Codes, Floats, kendall
from assay.meta.bench_making import benches_of
from assay.meta.benches import Bench
from assay.meta.choosing import people_of
from assay.meta.gathering import own_sources
from assay.meta.normalise import METHODS, normalise, units_of
from assay.meta.request import Request
from assay.meta.result import interval_of, number_or_none
from assay.meta.sources import Source
from assay.metrics.base import Metric
from assay.results.result import Table
from assay.scoring.evaluate import thread_count
from assay.significance.clusters import clusters
from assay.significance.corrections import adjust
from assay.significance.tests import is_significant

ALPHA = 0.05
#: How far metrics follow the judges is measured at these levels, by these statistics, over so many points at least.
LEVELS = ("system", "segment")
STATISTICS = ("pearson", "kendall")
FEWEST_POINTS = 3


def every_normalisation(judgements: Judgements) -> dict[str, Judgements]:
    """Those with a score under every method; what several methods have to say is said once."""
    there = judgements.only(~np.isnan(judgements.score))
    found, said = {}, dict[str, list[str]]()
    for method in METHODS:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", AssayWarning)
            found[method] = normalise(there, method)
        for warning in caught:
            said.setdefault(str(warning.message).removeprefix(f"{method}: "), []).append(method)
    for message, methods in said.items():
        warnings.warn(f"{', '.join(methods)}: {message}", AssayWarning, stacklevel=2)
    return found


def system_rows(normalised: Mapping[str, Judgements], *, samples: int, seed: int) -> Table:
    """Each system under each normalisation: its mean over segments, its rank, and the cluster it is in."""
    order = np.unique(units_of(normalised["none"]))
    draws = Draws.of(len(order), samples, seed)
    return [row for method, scores in normalised.items() for row in _ranked(method, scores, order, draws)]


def _ranked(method: str, judgements: Judgements, order: Codes, draws: Draws) -> Table:
    means = _system_means(_item_means(judgements, order), draws.weights)
    names, observed = judgements.system.names, means[0]
    ranked = sorted(range(len(names)), key=lambda code: (-observed[code], names[code]))
    better = _surely_better(observed, means[1 : 1 + draws.samples], several_segments=len(order) > 1)
    code_of = {name: code for code, name in enumerate(names)}
    cut = clusters([names[code] for code in ranked], lambda a, b: (code_of[a], code_of[b]) in better)
    cluster = {name: number for number, found in enumerate(cut, start=1) for name in found.systems}
    found = []
    for rank, code in enumerate(ranked, start=1):
        score = draws.estimate(means[:, code])
        row = {"method": method, "system": names[code], "score": score.value, "low": score.low, "high": score.high}
        found.append(row | {"rank": rank, "cluster": cluster[names[code]]})
    return found


def _item_means(judgements: Judgements, order: Codes) -> Floats:
    """What people said, as segments by systems: the mean over judgements of an item, NaN where there are none."""
    units = np.searchsorted(order, units_of(judgements))
    systems = len(judgements.system.names)
    place, size = units * systems + judgements.system.codes, len(order) * systems
    count = np.bincount(place, minlength=size)
    total = np.bincount(place, weights=judgements.score, minlength=size)
    means: Floats = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    return means.reshape(len(order), systems)


def _system_means(means: Floats, weights: Floats) -> Floats:
    """Per weighting the mean over segments of each system."""
    there = ~np.isnan(means)
    count = weights @ there.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = (weights @ np.where(there, means, 0.0)) / count
    return found


def _surely_better(observed: Floats, drawn: Floats, *, several_segments: bool) -> set[tuple[int, int]]:
    """Which system is better than which, by normal tests with the spread over samples, Holm's correction."""
    pairs = list(combinations(range(len(observed)), 2))
    chances = []
    for one, two in pairs:
        apart = abs(float(observed[one] - observed[two]))
        chances.append(_chance(apart, drawn[:, one] - drawn[:, two]) if several_segments else 1.0)
    return {
        (one, two) if observed[one] > observed[two] else (two, one)
        for (one, two), p in zip(pairs, adjust(chances, "holm"), strict=True)
        if is_significant(p, ALPHA)
    }


def _chance(apart: float, drawn: Floats) -> float:
    """The two-sided p-value of a difference, by the normal distribution and its spread over samples."""
    fine = drawn[np.isfinite(drawn)]
    error = float(fine.std(ddof=1)) if len(fine) > 1 else 0.0
    return 2.0 * NormalDist().cdf(-apart / error) if error > 0.0 else float(apart == 0.0)


def effect_rows(systems: Table) -> Table:
    """Per normalisation: Kendall's tau with the raw ranking, systems that moved, clusters."""
    by_method = {method: {row["system"]: row for row in systems if row["method"] == method} for method in METHODS}
    raw, found = by_method["none"], []
    for method, here in by_method.items():
        moves = [abs(here[name]["rank"] - raw[name]["rank"]) for name in raw]
        scores = [np.array([float(table[name]["score"] or 0.0) for name in raw]) for table in (raw, here)]
        once = np.ones((1, len(raw)))
        tau = float(kendall(scores[0], scores[1], np.arange(len(raw)), once)[0]) if len(raw) > 1 else np.nan
        found.append(
            {
                "method": method,
                "tau": tau if np.isfinite(tau) else None,
                "moved": sum(move > 0 for move in moves),
                "largest_move": max(moves, default=0),
                "clusters": max((row["cluster"] for row in here.values()), default=0),
                "cluster_changes": sum(here[name]["cluster"] != raw[name]["cluster"] for name in raw),
            }
        )
    return found


def metric_rows(
    normalised: Mapping[str, Judgements],
    campaign: Campaign,
    metrics: Sequence[Metric],
    *,
    samples: int,
    seed: int,
    threads: int | None,
) -> Table:
    """How far each metric follows the judges, as ``assay meta`` measures it: the same values, the same intervals."""
    raw = normalised["none"]
    _warn_of_absent(raw, campaign)
    known = {name: texts for name, texts in campaign.systems.items() if name in raw.system.names}
    if not known:
        return []
    campaign = replace(campaign, systems=known)
    request = Request(LEVELS, STATISTICS, groupings=("none",), samples=samples, seed=seed)
    jobs: list[tuple[str, Bench]] = []
    sources: list[Source] = []
    for method, judgements in normalised.items():
        people, _ = people_of(campaign.with_judgements(judgements), kind="/".join(judgements.kinds))
        # Methods change scores, not what was judged.
        sources = sources or own_sources(campaign, metrics, people, request, threads=threads, progress=None)
        jobs += [(method, bench) for bench in benches_of(campaign, people, request)[0]]

    def work(job: tuple[Source, tuple[str, Bench]]) -> Table:
        source, (method, bench) = job
        keys = {"method": method, "metric": source.name, "level": bench.level}
        found = []
        for (statistic, _), one in bench.measure(request.cells(bench.level), source).items():
            if one.n >= FEWEST_POINTS:
                ends = interval_of(one)
                low, high = (None, None) if ends is None else (ends.low, ends.high)
                row = {"statistic": statistic, "value": number_or_none(one.value), "low": low, "high": high}
                found.append(keys | row | {"n": one.n})
        return found

    with ThreadPoolExecutor(thread_count(threads)) as pool:
        return [row for found in pool.map(work, product(sources, jobs)) for row in found]


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
