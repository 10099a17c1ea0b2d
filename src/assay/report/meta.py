"""Meta-evaluations as people read them: a table per level and grouping, the human ceiling below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.meta.known import OF_RANKINGS
from assay.meta.request import DRAWN
from assay.meta.result import MetaEvaluation, MetricPair, Result, Subset
from assay.report.tables import PLAIN, Look, Table, separated

#: So many pairs of metrics are listed without being asked for.
FEW_PAIRS = 10

#: What a statistic is over, at each level.
POINTS = {"system": "system", "document": "document of a system", "segment": "segment of a system"}
PLURALS = {
    "system": "systems",
    "document of a system": "documents of systems",
    "segment of a system": "segments of systems",
    "ranked pair": "ranked pairs that are no ties",
}

TITLES = {
    None: "",
    "none": ", all together",
    "item": ", systems within each {}",
    "system": ", {}s within each system",
}


def render_meta(
    found: MetaEvaluation, style: str, look: Look = PLAIN, *, all_pairs: bool = False, top: bool = False
) -> str:
    """In one of the output formats; TSV and CSV hold the results alone."""
    if style == "json":
        return found.to_json() + "\n"
    if style in ("tsv", "csv"):
        return separated(found.table(), "\t" if style == "tsv" else ",")
    return "\n".join(table.render(style, look) for table in _tables(found, all_pairs, top))


def _tables(found: MetaEvaluation, all_pairs: bool, top: bool) -> list[Table]:
    groups = list(dict.fromkeys((one.level, one.grouping) for one in found.results))
    tables = [_level_table(found, level, grouping) for level, grouping in groups]
    if all_pairs or 0 < len(found.comparisons) <= FEW_PAIRS * len(found.clusters):
        tables += _pair_tables(found)
    outliers = [one for one in found.robust if one.systems == "without outliers"]
    if outliers:
        tables.append(_subset_table("Without outliers", outliers, found))
    if top:
        tables.append(_subset_table("The best systems only", found.top, found))
    last = tables[-1]
    tables[-1] = replace(last, notes=(*last.notes, *_notes(found)))
    return tables


def _level_table(found: MetaEvaluation, level: str, grouping: str | None) -> Table:
    """Metrics, the best first, by every statistic of a level; what people reach among themselves stands last."""
    results = [one for one in found.results if (one.level, one.grouping) == (level, grouping)]
    statistics = list(dict.fromkeys(one.statistic for one in results))
    by_metric = {(one.metric, one.statistic): one for one in results}
    first = statistics[0]
    ranked = sorted(found.metrics, key=lambda name: _order(by_metric.get((name, first))))
    rows = [[name, *(_cell(by_metric.get((name, one))) for one in statistics)] for name in ranked]
    if any(one.ceiling is not None for one in results):
        ceilings = {one.statistic: one.ceiling for one in results}
        rows.append(["people", *(_number(ceilings[one]) for one in statistics)])
    title = f"{level.capitalize()} level{TITLES[grouping].format(level)}"
    count = max((one.n for one in results), default=0)
    points = "ranked pair" if statistics[0] in OF_RANKINGS else POINTS[level]
    number = f"{count:,} {points if count == 1 else PLURALS[points]}"
    notes = _cluster_notes(found, level, grouping)
    headings = ["metric", *statistics]
    return Table(f"{title} ({number})", headings, rows, [False, *(True for _ in statistics)], notes)


def _order(result: Result | None) -> tuple[bool, float]:
    missing = result is None or result.value is None
    return missing, 0.0 if missing or result is None else -(result.value or 0.0)


def _cell(result: Result | Subset | None) -> str:
    if result is None or result.value is None:
        return "–"
    if result.interval is None:
        return _number(result.value)
    return f"{_number(result.value)} [{_number(result.interval.low)}, {_number(result.interval.high)}]"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _cluster_notes(found: MetaEvaluation, level: str, grouping: str | None) -> list[str]:
    """Which metrics the tests tell apart, under the table that shows the statistic they test."""
    notes = []
    for (at, statistic, group), clusters in found.clusters.items():
        if (at, group) == (level, grouping):
            ranked = " > ".join("{" + ", ".join(cluster.systems) + "}" for cluster in clusters)
            notes.append(f"by {statistic}: {ranked}")
    return notes


def _pair_tables(found: MetaEvaluation) -> list[Table]:
    tables = []
    for level, statistic, grouping in found.clusters:
        pairs = [
            one for one in found.comparisons if (one.level, one.statistic, one.grouping) == (level, statistic, grouping)
        ]
        title = f"Metrics against each other: {statistic} at the {level} level"
        headings = ["metrics", "Δ", "95 % interval", "p", f"p ({found.setup.correction})"]
        tables.append(Table(title, headings, [_pair(one) for one in pairs], [False, True, True, True, True]))
    return tables


def _pair(pair: MetricPair) -> list[str]:
    interval = "–" if pair.interval is None else f"{pair.interval.low:.3f} – {pair.interval.high:.3f}"
    sign = ">" if pair.significant else "≈"
    return [
        f"{pair.metric_a} {sign} {pair.metric_b}",
        f"{pair.delta:+.3f}",
        interval,
        _p_value(pair.p),
        _p_value(pair.p_adjusted),
    ]


def _p_value(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def _subset_table(title: str, subsets: Sequence[Subset], found: MetaEvaluation) -> Table:
    statistics = list(dict.fromkeys(one.statistic for one in subsets))
    labels = list(dict.fromkeys((one.metric, one.systems, one.n) for one in subsets))
    cells = {(one.metric, one.systems, one.statistic): one for one in subsets}
    rows = []
    for metric, systems, count in labels:
        line = [cells.get((metric, systems, one)) for one in statistics]
        rows.append([metric, str(count), *(_cell(one) for one in line)])
    notes = [f"outliers: {', '.join(found.outliers)}"] if title.startswith("Without") else []
    headings = ["metric", "systems", *statistics]
    return Table(title, headings, rows, [False, True, *(True for _ in statistics)], notes)


def _notes(found: MetaEvaluation) -> list[str]:
    setup = found.setup
    drawn = DRAWN[setup.resample].replace("segment", setup.unit)
    normalised = "" if setup.normalise == "none" else f", raters normalised ({setup.normalise})"
    notes = [str(found.usage), *(f"{name}: {usage}" for name, usage in found.beside.items())]
    intervals = f"intervals: 95 % of {setup.samples:,} samples of {drawn}; " if setup.samples else ""
    tested = (
        "" if setup.test == "none" else f"metrics tested by {setup.test}, {setup.correction}, alpha {setup.alpha:g}; "
    )
    notes.append(
        f"Judgements: {setup.kind}{normalised}; metrics on {setup.scope} segments; {intervals}{tested}"
        f"seed {setup.seed}."
    )
    if any(one.ceiling is not None for one in found.results):
        notes.append(
            "people: one half of the judgements against the other half, in the mean of random halves. Halves are less "
            "sure than the whole, which metrics are held against, so a metric may lie above."
        )
    return notes
