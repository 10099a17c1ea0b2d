"""What each normalisation does: to the ranking of systems, and to how far metrics follow the judges."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations, product
from statistics import NormalDist

import numpy as np

from assay.arrays import Array, Codes
from assay.data.campaign import Campaign
from assay.data.judgements import Judgements
from assay.errors import AssayWarning
from assay.metrics.base import Metric
from assay.people.levels import Level, Resampling, levels_of
from assay.people.normalise import METHODS, normalise, units_of
from assay.people.scores import Scores, metric_scores
from assay.people.statistics.registry import cells
from assay.people.usage import people_of
from assay.results.result import Table
from assay.scoring.evaluate import thread_count
from assay.significance.association import pair_sums
from assay.significance.clusters import clusters
from assay.significance.corrections import adjust
from assay.significance.draws import Draws
from assay.significance.tests import is_significant

_ALPHA = 0.05
#: How far metrics follow the judges is measured at these levels, by these statistics, over so many points at least.
_LEVELS = ("system", "segment")
_STATISTICS = ("pearson", "kendall")
_FEWEST_POINTS = 3


def every_normalisation(judgements: Judgements) -> dict[str, Judgements]:
    """Those with a score under every method; what several methods have to say is said once."""
    scored = judgements.only(~np.isnan(judgements.score))
    normalised, remarks = {}, dict[str, list[str]]()
    for method in METHODS:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", AssayWarning)
            normalised[method] = normalise(scored, method)
        for warning in caught:
            remarks.setdefault(str(warning.message).removeprefix(f"{method}: "), []).append(method)
    for message, methods in remarks.items():
        warnings.warn(f"{', '.join(methods)}: {message}", AssayWarning, stacklevel=2)
    return normalised


def system_rows(normalised: Mapping[str, Judgements], *, samples: int, seed: int) -> Table:
    """Each system under each normalisation: its mean over segments, its rank, and the cluster it is in."""
    units = np.unique(units_of(normalised["none"]))
    draws = Draws.of(len(units), samples, seed, jackknife=True)
    return [row for method, scores in normalised.items() for row in _ranked(method, scores, units, draws)]


def _ranked(method: str, judgements: Judgements, units: Codes, draws: Draws) -> Table:
    means = _system_means(judgements, units, draws.weights)
    codes = {name: code for code, name in enumerate(judgements.system.names)}
    ranked = sorted(codes, key=lambda name: (-means[0, codes[name]], name))
    better = _significantly_better(means[: 1 + draws.samples]) if len(units) > 1 else set()
    cut = clusters(ranked, lambda a, b: (codes[a], codes[b]) in better)
    cluster_of = {name: number for number, cluster in enumerate(cut, start=1) for name in cluster.systems}
    table = []
    for rank, name in enumerate(ranked, start=1):
        score = draws.estimate(means[:, codes[name]])
        row = {"method": method, "system": name, "score": score.value, "low": score.low, "high": score.high}
        table.append(row | {"rank": rank, "cluster": cluster_of[name]})
    return table


def _system_means(judgements: Judgements, units: Codes, weights: Array) -> Array:
    """Per weighting the mean over segments of each system; a segment counts by the mean over its judgements."""
    systems = len(judgements.system.names)
    shape, size = (len(units), systems), len(units) * systems
    cell = np.searchsorted(units, units_of(judgements)) * systems + judgements.system.codes
    count = np.bincount(cell, minlength=size).reshape(shape)
    total = np.bincount(cell, weights=judgements.score, minlength=size).reshape(shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((weights @ (total / np.maximum(count, 1))) / (weights @ (count > 0).astype(np.float64)))


def _significantly_better(means: Array) -> set[tuple[int, int]]:
    """Which system is better than which, by normal tests with the spread over samples, Holm's correction.

    The first row of ``means`` is what was observed, the others are the samples.
    """
    observed, pairs = means[0], list(combinations(range(means.shape[1]), 2))
    p_values = [_normal_p(means[:, first] - means[:, second]) for first, second in pairs]
    return {
        (first, second) if observed[first] > observed[second] else (second, first)
        for (first, second), p in zip(pairs, adjust(p_values, "holm"), strict=True)
        if is_significant(p, _ALPHA)
    }


def _normal_p(differences: Array) -> float:
    """The two-sided p-value of the first difference, by the normal distribution and the spread of the others."""
    apart, drawn = abs(float(differences[0])), differences[1:][np.isfinite(differences[1:])]
    error = float(drawn.std(ddof=1)) if len(drawn) > 1 else 0.0
    return 2.0 * NormalDist().cdf(-apart / error) if error > 0.0 else float(apart == 0.0)


def effect_rows(systems: Table) -> Table:
    """Per normalisation: Kendall's tau with the raw ranking, systems that moved, clusters."""
    by_method = {method: {row["system"]: row for row in systems if row["method"] == method} for method in METHODS}
    raw, table = by_method["none"], []
    for method, rows in by_method.items():
        moves = [abs(rows[name]["rank"] - raw[name]["rank"]) for name in raw]
        before, after = (np.array([float(each[name]["score"] or 0.0) for name in raw]) for each in (raw, rows))
        tau = float(pair_sums(before, after, np.ones((len(raw), 1))).kendall_b()[0]) if len(raw) > 1 else np.nan
        table.append({
            "method": method, "tau": tau if np.isfinite(tau) else None,
            "moved": sum(move > 0 for move in moves), "largest_move": max(moves, default=0),
            "clusters": max((row["cluster"] for row in rows.values()), default=0),
            "cluster_changes": sum(rows[name]["cluster"] != raw[name]["cluster"] for name in raw),
        })  # fmt: skip
    return table


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
    resampling = Resampling(samples=samples, seed=seed)
    jobs: list[tuple[str, Level]] = []
    sources: list[Scores] = []
    for method, judgements in normalised.items():
        people, _ = people_of(campaign.with_judgements(judgements), kind="/".join(judgements.kinds))
        # Methods change scores, not what was judged.
        sources = sources or metric_scores(campaign, metrics, people, threads=threads)
        jobs += [(method, level) for level in levels_of(campaign, people, _LEVELS, resampling)[0]]

    def work(job: tuple[Scores, tuple[str, Level]]) -> Table:
        source, (method, level) = job
        keys = {"method": method, "metric": source.name, "level": level.name}
        table = []
        for (statistic, _), measured in level.measure(cells(level.name, _STATISTICS, ("none",)), source).items():
            if measured.n >= _FEWEST_POINTS:
                table.append(keys | {"statistic": statistic} | measured.row() | {"n": measured.n})
        return table

    with ThreadPoolExecutor(thread_count(threads)) as pool:
        return [row for table in pool.map(work, product(sources, jobs)) for row in table]


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
