"""What each normalisation does: to the ranking of systems, and to how far metrics follow the judges."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np

from assay.arrays import Array, Codes
from assay.data.campaign import Campaign
from assay.data.judgements import Judgements
from assay.errors import AssayWarning
from assay.metrics.base import Metric
from assay.people.agreement.ratings import drawn_with, judged_units
from assay.people.levels import Level, Resampling, document_labels, level_of
from assay.people.normalise import METHODS, normalise, what_raters_saw
from assay.people.ratings import Ratings
from assay.people.scores import Scores, metric_scores
from assay.people.statistics.registry import cells
from assay.people.usage import people_of
from assay.results.result import Table
from assay.scoring.evaluate import thread_count
from assay.significance.association import kendall_b
from assay.significance.draws import FEWEST_UNITS, Draws, Units, degrees_of_freedom, number_or_none
from assay.significance.pairs import TwoLevels
from assay.significance.tests import adjust, clusters, is_significant
from assay.threads import in_threads

_ALPHA = 0.05
#: How far metrics follow the judges is measured at these levels, by these statistics, over so many points at least.
_LEVELS = ("system", "segment")
_STATISTICS = ("pearson", "kendall")
_FEWEST_POINTS = 3


def every_normalisation(judgements: Judgements) -> dict[str, Judgements]:
    """Scores under every method; what several methods have to say is said once."""
    normalised, remarks = {}, dict[str, list[str]]()
    for method in METHODS:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", AssayWarning)
            normalised[method] = normalise(judgements, method)
        for warning in caught:
            remarks.setdefault(str(warning.message).removeprefix(f"{method}: "), []).append(method)
    for message, methods in remarks.items():
        warnings.warn(f"{', '.join(methods)}: {message}", AssayWarning, stacklevel=2)
    return normalised


def system_rows(normalised: Mapping[str, Judgements], units: Units | None = None, *, samples: int, seed: int) -> Table:
    """Each system under each normalisation: its mean over segments, its rank, and the cluster it is in.

    ``units`` are what segments are drawn with.
    """
    raw = normalised["none"]
    _, first, place = np.unique(raw.parts, return_index=True, return_inverse=True)
    drawn, members = judged_units(drawn_with(raw, units)[first])
    draws = Draws.of(replace(drawn, members=members), samples, seed, jackknife=True)
    return [row for method, scores in normalised.items() for row in _ranked(method, scores, place, draws)]


def _ranked(method: str, judgements: Judgements, unit: Codes, draws: Draws) -> Table:
    """Systems from the best to the worst; ``unit`` is the segment, or what else was judged, that is drawn."""
    systems = judgements.system.names
    added = what_raters_saw(judgements, method)
    ratings = Ratings.of(replace(judgements, segment=unit), systems, draws.first.shape[1], added=added)
    means = ratings.system_scores(draws.weights)
    tested = draws.size >= FEWEST_UNITS
    better = _significantly_better(systems, means, draws) if tested else set()
    # Who shares no judged segment with the others has no score, and stands last without a rank.
    order = sorted(range(len(systems)), key=lambda code: (-np.nan_to_num(means[0, code], nan=-np.inf), systems[code]))
    ranked = [code for code in order if np.isfinite(means[0, code])]
    cut = clusters([systems[code] for code in ranked], lambda a, b: (a, b) in better) if tested else []
    cluster_of = {name: number for number, cluster in enumerate(cut, start=1) for name in cluster.systems}
    return [
        {
            "method": method,
            "system": systems[code],
            **draws.estimate(means[:, code]).row("score"),
            "rank": 1 + int((means[0] > means[0, code]).sum()) if code in ranked else None,
            "cluster": cluster_of.get(systems[code]),
        }
        for code in order
    ]


def _significantly_better(systems: Sequence[str], means: Array, draws: Draws) -> set[tuple[str, str]]:
    """Which system is better than which, by Student's t with the spread over samples, Holm's correction.

    The rows of ``means`` are what was observed, the samples, and what is left without each of few units.
    """
    ranked = [code for code in np.argsort(-means[0], kind="stable").tolist() if np.isfinite(means[0, code])]
    pairs = list(combinations(ranked, 2))
    p_values = [_t_p(means[:, first] - means[:, second], draws) for first, second in pairs]
    return {
        (systems[first], systems[second])
        for (first, second), p in zip(pairs, adjust(p_values, "holm"), strict=True)
        if is_significant(p, _ALPHA)
    }


def _t_p(differences: Array, draws: Draws) -> float:
    """The two-sided p-value of the first difference, by the spread of those of samples, as of an interval."""
    drawn, left_out = differences[1 : len(draws)], differences[len(draws) :]
    drawn = drawn[np.isfinite(drawn)]
    # Samples of n vary less than the truth, by the root of n/(n-1).
    error = float(drawn.std(ddof=1) * np.sqrt(draws.size / (draws.size - 1))) if len(drawn) > 1 else 0.0
    return TwoLevels(error, degrees_of_freedom(draws.size, left_out)).p_value(float(differences[0])).value


def effect_rows(systems: Table) -> Table:
    """Per normalisation: Kendall's tau with the raw ranking, systems that moved, clusters: 0 where none was tested."""
    by_method = {method: {row["system"]: row for row in systems if row["method"] == method} for method in METHODS}
    raw, table = by_method["none"], []
    for method, rows in by_method.items():
        # Methods change scores, not who has one.
        ranked = [name for name in raw if raw[name]["rank"] is not None]
        moves = [abs(rows[name]["rank"] - raw[name]["rank"]) for name in ranked]
        before, after = (np.array([float(each[name]["score"]) for name in ranked]) for each in (raw, rows))
        tau = float(kendall_b(before, after)) if len(ranked) > 1 else np.nan
        table.append({
            "method": method, "tau": number_or_none(tau),
            "moved": sum(move > 0 for move in moves), "largest_move": max(moves, default=0),
            "clusters": max((rows[name]["cluster"] or 0 for name in ranked), default=0),
            "cluster_changes": sum(rows[name]["cluster"] != raw[name]["cluster"] for name in ranked),
        })  # fmt: skip
    return table


def metric_rows(
    normalised: Mapping[str, Judgements],
    campaign: Campaign,
    metrics: Sequence[Metric],
    *,
    units: Units,
    samples: int,
    seed: int,
    threads: int | None,
) -> Table:
    """How far each metric follows the judges, as ``assay meta`` measures it: the same values, the same intervals."""
    raw = normalised["none"]
    strange = raw.only(~raw.system.holds(campaign.systems))
    if len(strange):
        items = len(np.unique(np.stack([strange.system.codes, strange.parts]), axis=1).T)
        warnings.warn(
            f"{items:,} judged items of {', '.join(sorted(strange.system.names))} cannot be held against metrics: no "
            "translation to score, itself a reference in use, or a person.",
            AssayWarning,
            stacklevel=2,
        )
    judged = {name: texts for name, texts in campaign.systems.items() if name in raw.system.names}
    if not judged:
        return []
    campaign, labels = replace(campaign, systems=judged), document_labels(campaign.documents)
    resampling = Resampling(units=units, samples=samples, seed=seed)
    levels: list[tuple[str, Level]] = []
    sources: list[Scores] = []
    for method in normalised:
        with warnings.catch_warnings():
            # What normalising has to say was said.
            if method != "none":
                warnings.simplefilter("ignore", AssayWarning)
            people, _ = people_of(campaign.with_judgements(raw), kind="/".join(raw.kinds), method=method)
        # Methods change scores, not what was judged.
        sources = sources or metric_scores(campaign, metrics, people, threads=threads)
        known = (level_of(name, people, labels, resampling) for name in _LEVELS)
        levels += [(method, level) for level in known if not isinstance(level, str)]

    def work(job: tuple[Scores, tuple[str, Level]]) -> Table:
        source, (method, level) = job
        keys = {"method": method, "metric": source.name, "level": level.name}
        return [
            keys | {"statistic": statistic} | measured.row() | {"n": measured.n}
            for (statistic, _), measured in level.measure(cells(level.name, _STATISTICS, ("none",)), source).items()
            if measured.n >= _FEWEST_POINTS
        ]

    parts = in_threads(work, list(product(sources, levels)), thread_count(threads))
    return [row for part in parts for row in part]
