"""What a manager has to know of a campaign, in sentences that are drawn from the answers to questions about it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence

from assay.errors import counted
from assay.explorer.packing import Shown
from assay.metrics.base import Metric
from assay.metrics.registry import heading
from assay.results.rendering import bracketed
from assay.results.result import Result, Table
from assay.significance.draws import FEWEST_UNITS

#: Of more names than these the first are said.
_FEW_NAMES = 4


def findings(shown: Shown, results: Mapping[str, Result]) -> Iterator[str]:
    """What was compared, who is best and how surely, and what metrics and people agree on."""
    yield _compared(shown)
    labels = {str(metric): heading(metric, shown.fitted).rstrip(" ↑↓") for metric in shown.fitted}
    ranked: dict[str, Table] = {}
    for metric in shown.metrics:
        rows = _ranked(metric, results)
        if rows:
            ranked[str(metric)] = rows
            yield _best_by(labels[str(metric)], metric.decimals, rows, results)
    yield from _warned(results)
    means = _means_by_people(results.get("meta"))
    by_first: dict[tuple[str, ...], list[str]] = {}
    for kind, of_systems in means.items():
        if len(of_systems) > 1:
            by_first.setdefault(_highest(of_systems), []).append(kind)
    for systems, kinds in by_first.items():
        yield f"People put {_listed(systems)} first{' alike' if len(systems) > 1 else ''} ({', '.join(kinds)})."
        judged = {system for kind in kinds for system in means[kind]}
        by_metric = {}
        for metric in shown.metrics:
            among = [row["system"] for row in ranked.get(str(metric), ()) if row["system"] in judged]
            if among:
                by_metric[labels[str(metric)]] = among, _beaten(metric, judged, results.get("compare"))
        yield from _agreed(by_metric, systems)
    yield from _followed(results.get("meta"), labels)
    # Scores of other programs that stand for themselves are measured like raters, but nobody judged.
    yield from _agreement(results.get("agreement") if shown.judgements is not None or shown.ranked else None)


def _compared(shown: Shown) -> str:
    campaign, judgements = shown.campaign, shown.judgements
    parts = [counted(len(shown), "segment"), counted(len(shown.systems), "system")]
    parts.append(counted(len(campaign.references), "reference") if campaign.references else "no reference")
    kinds = "" if judgements is None else ", ".join(judgements.kinds)
    said = "no judgements of segments" if judgements is None else f"{counted(len(judgements), 'judgement')} ({kinds})"
    if shown.ranked:
        ranks = f"people's rankings ({', '.join(shown.ranked)})"
        said = ranks if judgements is None else f"{said}, {ranks}"
    texts = "" if campaign.has_texts else " There are no texts."
    return f"{campaign.name}: {', '.join(parts)}, {said}.{texts}"


def _listed(names: Sequence[str]) -> str:
    """Names as a sentence has them; of many the first.

    >>> _listed(["a"]), _listed(["a", "b"]), _listed(["a", "b", "c", "d", "e"])
    ('a', 'a and b', 'a, b, c and 2 more')
    """
    if len(names) > _FEW_NAMES:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _ranked(metric: Metric, results: Mapping[str, Result]) -> Table:
    """The scores of systems, the best first: with the ranks that tests leave open where these were asked."""
    known = results.get("compare") or results.get("score")
    rows = [] if known is None else known.tables["scores"]
    rows = [row for row in rows if row["metric"] == str(metric) and row["score"] is not None]
    return sorted(rows, key=lambda row: row["score"], reverse=metric.higher_is_better)


def _best_by(label: str, decimals: int, rows: Table, results: Mapping[str, Result]) -> str:
    """Who is best by a metric, and who may be as far as tests tell."""
    first, spec = rows[0], f".{decimals}f"
    system, score = first["system"], f"{first['score']:{spec}}{bracketed(first['low'], first['high'], spec)}"
    if len(rows) == 1:
        return f"{label} of {system}: {score}."
    begun = f"By {label} {system} stands first with {score}"
    if "compare" not in results:
        return f"{begun}."
    if results["compare"].setup["units"] < FEWEST_UNITS:
        return f"{begun}; there is too little text for a test."
    others = [row["system"] for row in rows[1:] if row["best_rank"] == 1]
    if not others:
        return f"By {label} {system} is best with {score}: significantly better than every other system."
    return f"{begun}, but tests leave open whether {_listed(others)} may be as good."


def _warned(results: Mapping[str, Result]) -> Iterator[str]:
    """What is to be known of the texts before any score of theirs is believed."""
    known = results.get("compare") or results.get("score")
    for remark in () if known is None else known.notes:
        if remark.level == "warning":
            yield f"Warning: {remark}"


def _means_by_people(meta: Result | None) -> dict[str, dict[str, float]]:
    """By kind of judgement the means of systems; people who stand as systems are left out, as in meta."""
    known = {kind: {row["system"]: row["human"] for row in rows} for kind, rows in _by_kind(meta, "points").items()}
    return {kind: {name: mean for name, mean in means.items() if mean is not None} for kind, means in known.items()}


def _highest(means: Mapping[str, float]) -> tuple[str, ...]:
    """The systems with the highest mean: several where they are equal."""
    most = max(means.values())
    return tuple(name for name, mean in means.items() if math.isclose(mean, most, rel_tol=1e-12, abs_tol=1e-12))


def _beaten(metric: Metric, systems: Collection[str], compare: Result | None) -> set[str]:
    """Those of some systems that another one of them is significantly better than."""
    sign = 1.0 if metric.higher_is_better else -1.0
    pairs = [] if compare is None else compare.tables["pairs"]
    return {
        pair["b"] if sign * pair["delta"] > 0 else pair["a"]
        for pair in pairs
        if pair["metric"] == str(metric) and pair["significant"] and {pair["a"], pair["b"]} <= set(systems)
    }


def _agreed(by_metric: Mapping[str, tuple[Sequence[str], Collection[str]]], firsts: Sequence[str]) -> Iterator[str]:
    """Whether metrics, too, put those systems first that people do, among the systems that people judged.

    By the label of a metric: the systems, the best first, and those that another one is significantly better than.
    """
    best, least = _listed(firsts), set(firsts)
    alike = [label for label, (ranked, _) in by_metric.items() if ranked[0] in least]
    beaten = [label for label, (_, worse) in by_metric.items() if label not in alike and least <= set(worse)]
    unsure = [label for label in by_metric if label not in alike and label not in beaten]
    if alike and len(alike) == len(by_metric):
        yield f"Metrics and people put the same system first: {best}."
    elif alike:
        yield f"{_listed(alike)} {'puts' if len(alike) == 1 else 'put'} the same system first as people: {best}."
    if unsure:
        yield f"By {_listed(unsure)} another system stands before {best}, but not significantly."
    if beaten:
        yield f"By {_listed(beaten)} another system is significantly better than {best}, which people put first."


def _by_kind(result: Result | None, table: str) -> dict[str, Table]:
    """The rows of a table by kind of judgement."""
    rows: dict[str, Table] = {}
    if result is not None:
        asked = ", ".join(result.options.get("kind") or ())
        for row in result.tables.get(table, []):
            rows.setdefault(row.get("kind") or asked, []).append(row)
    return rows


def _followed(meta: Result | None, labels: Mapping[str, str]) -> Iterator[str]:
    """How far metrics follow people, by Pearson's r of systems, the closest first."""
    for kind, rows in _by_kind(meta, "results").items():
        wanted = ("system", "pearson")
        known = [row for row in rows if (row["level"], row["statistic"]) == wanted and row["value"] is not None]
        if known:
            known.sort(key=lambda row: row["value"], reverse=True)
            named = [(labels.get(row["metric"], row["metric"]), row) for row in known]
            said = [f"{name} {row['value']:.2f}{bracketed(row['low'], row['high'], '.2f')}" for name, row in named]
            counts = sorted({row["n"] for row in known})
            n = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
            yield f"How far metrics follow people ({kind}), Pearson's r of {n} systems: {', '.join(said)}."


def _agreement(agreement: Result | None) -> Iterator[str]:
    """How far raters agree, by Krippendorff's alpha, where enough items were judged twice for an interval."""
    for kind, rows in _by_kind(agreement, "results").items():
        for row in rows:
            if row["statistic"] == "alpha-interval" and row["low"] is not None:
                ends = bracketed(row["low"], row["high"], ".2f")
                yield f"How far raters agree ({kind}), Krippendorff's α: {row['value']:.2f}{ends}."
