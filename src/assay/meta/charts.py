"""Pictures of a meta-evaluation: metrics beside the human ceiling, systems as metrics and people see them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from assay.errors import InputError, UnknownName
from assay.figures import COLORS, INK, MUTED, RULE, dress, load_altair
from assay.meta.labels import spread
from assay.meta.request import DRAWN
from assay.meta.result import MetaEvaluation, Result, SystemPoint

#: Statistics in the picture of correlations, unless somebody chooses: one per level, the one most people know.
USUAL = (("system", "pearson", None), ("document", "pearson", "none"), ("segment", "kendall", "item"))
#: Pixels of a line of small text, and from a panel to the names at its side.
LINE, MARGIN = 12.0, 14.0
#: So many metrics are set side by side.
PANELS_PER_ROW = 3

GROUPED = {None: "", "none": ", all together", "item": ", within segments", "system": ", within systems"}


def chart(found: MetaEvaluation, picture: str = "correlations", *, metrics: Sequence[str] | None = None) -> Any:
    """One of the pictures, as an Altair chart; ``metrics`` chooses which are in it."""
    if picture not in PICTURES:
        raise UnknownName.of("picture", picture, PICTURES)
    wanted = list(found.metrics) if metrics is None else list(metrics)
    for name in wanted:
        if name not in found.metrics:
            raise UnknownName.of("metric", name, found.metrics)
    return PICTURES[picture](found, wanted)


def _about(found: MetaEvaluation) -> str:
    setup = found.setup
    return (
        f"{found.campaign.name}, {setup.kind}, {len(setup.systems)} systems; bars span 95 % of {setup.samples:,} "
        f"samples of {DRAWN[setup.resample]}"
    )


def _correlations(found: MetaEvaluation, metrics: Sequence[str]) -> Any:
    """A dot with its interval per metric, and the human ceiling as a line; a panel per level."""
    altair = load_altair()
    chosen = _usual(found)
    panels = []
    for level, statistic, grouping in chosen:
        results = [
            one
            for one in found.results
            if (one.level, one.statistic, one.grouping) == (level, statistic, grouping)
            and one.metric in metrics
            and one.value is not None
        ]
        if results:
            panels.append(_correlation_panel(altair, results, f"{level} level: {statistic}{GROUPED[grouping]}"))
    if not panels:
        raise InputError("No statistic has a value, so there is nothing to draw.")
    whole = altair.hconcat(*panels, spacing=32).resolve_scale(y="independent")
    return dress(
        whole,
        "How far each metric follows people",
        [_about(found), "dashed: how well one half of the judgements follows the other"],
    )


def _usual(found: MetaEvaluation) -> list[tuple[str, str, str | None]]:
    """What the picture shows: the usual statistic of each level, or the first that was measured there."""
    chosen: list[tuple[str, str, str | None]] = []
    for level, statistic, grouping in USUAL:
        there = [(one.level, one.statistic, one.grouping) for one in found.results if one.level == level]
        if there:
            chosen.append((level, statistic, grouping) if (level, statistic, grouping) in there else there[0])
    return chosen


def _correlation_panel(altair: Any, results: Sequence[Result], title: str) -> Any:
    ordered = sorted(results, key=lambda one: -(one.value or 0.0))
    rows = [
        {
            "metric": one.metric,
            "value": one.value,
            "low": one.interval.low if one.interval else one.value,
            "high": one.interval.high if one.interval else one.value,
            "label": f"{one.value:.2f}",
        }
        for one in ordered
    ]
    data = altair.Data(values=rows)
    names = [row["metric"] for row in rows]
    lowest = min([0.0, *(one.interval.low for one in ordered if one.interval)])
    y = altair.Y("metric:N", sort=names, title=None)
    x = altair.Scale(domain=[lowest, 1.0], nice=False)
    base = altair.Chart(data, width=240, height=max(60, 26 * len(rows)), title=_panel_title(title))
    lines = base.mark_rule(color=COLORS[0], strokeWidth=3, opacity=0.35).encode(
        y=y, x=altair.X("low:Q", scale=x, title=None), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=80, color=COLORS[0], opacity=1).encode(y=y, x=altair.X("value:Q", scale=x))
    text = base.mark_text(dy=-10, fontSize=11, color=INK).encode(y=y, x=altair.X("value:Q", scale=x), text="label:N")
    layers = [lines, dots, text]
    ceiling = results[0].ceiling
    if ceiling is not None:
        mark = altair.Chart(altair.Data(values=[{"ceiling": ceiling}]))
        layers.insert(
            0,
            mark.mark_rule(color=COLORS[1], strokeDash=[5, 4], strokeWidth=1.5).encode(
                x=altair.X("ceiling:Q", scale=x)
            ),
        )
    return altair.layer(*layers)


def _panel_title(text: str) -> dict[str, Any]:
    return {"text": text, "anchor": "start", "fontSize": 12, "fontWeight": "normal", "color": MUTED, "offset": 8}


def _systems(found: MetaEvaluation, metrics: Sequence[str]) -> Any:
    """Each system by metric and people, with both intervals and its name; outliers in another colour."""
    altair = load_altair()
    points = _points(found)
    own = [[one for one in points if one.metric == name] for name in metrics]
    # A metric may have scored no system at all.
    panels = [_system_panel(altair, found, group) for group in own if group]
    if not panels:
        raise InputError("No system has a score of these metrics, so there is nothing to draw.")
    rows = [altair.hconcat(*panels[start : start + PANELS_PER_ROW]) for start in range(0, len(panels), PANELS_PER_ROW)]
    subtitle = [_about(found)]
    if found.outliers:
        subtitle.append(f"orange: far from the others in the eyes of people ({', '.join(found.outliers)})")
    return dress(altair.vconcat(*rows), "Systems as metrics and as people see them", subtitle)


def _points(found: MetaEvaluation) -> tuple[SystemPoint, ...]:
    if not found.points:
        raise InputError("This picture is of scores of systems, which were not measured: --level system.")
    return found.points


def _system_panel(altair: Any, found: MetaEvaluation, points: Sequence[SystemPoint]) -> Any:
    # All names have a line of their own.
    width, height = 320, max(280, int(LINE * len(points)))
    axes = (
        _Axis.of([(one.human, one.human_low, one.human_high) for one in points], width),
        _Axis.of([(one.score, one.low, one.high) for one in points], height, reverse=points[0].higher_is_better),
    )
    heights = spread([axes[1].pixel(one.score) for one in points], LINE, most=height)
    rows = [
        {
            **one.row(),
            "group": "far" if one.outlier else "near",
            "label_x": axes[0].value(width + MARGIN),
            "label_y": axes[1].value(place),
        }
        for one, place in zip(points, heights, strict=True)
    ]
    x_scale = altair.Scale(domain=[axes[0].low, axes[0].high], nice=False, zero=False)
    y_scale = altair.Scale(
        domain=[axes[1].low, axes[1].high], nice=False, zero=False, reverse=not points[0].higher_is_better
    )
    x = altair.X("human:Q", title=f"people ({found.setup.kind})", scale=x_scale)
    y = altair.Y("score:Q", title=points[0].metric, scale=y_scale)
    scale = altair.Scale(domain=["near", "far"], range=[COLORS[0], COLORS[1]])
    color = altair.Color("group:N", scale=scale, legend=None)
    title = _panel_title(_with_pearson(found, points[0].metric))
    base = altair.Chart(altair.Data(values=rows), width=width, height=height, title=title)
    layers = []
    if any(one.low is not None for one in points):
        layers.append(
            base.mark_rule(opacity=0.3).encode(x=x, y=altair.Y("low:Q", scale=y_scale), y2="high:Q", color=color)
        )
    if any(one.human_low is not None for one in points):
        between = altair.X("human_low:Q", scale=x_scale)
        layers.append(base.mark_rule(opacity=0.3).encode(y=y, x=between, x2="human_high:Q", color=color))
    at = {"x": altair.X("label_x:Q", scale=x_scale), "y": altair.Y("label_y:Q", scale=y_scale)}
    layers.append(
        base.mark_rule(color=MUTED, strokeWidth=0.6, opacity=0.6).encode(x=x, y=y, x2="label_x:Q", y2="label_y:Q")
    )
    layers.append(base.mark_point(filled=True, size=55, opacity=1).encode(x=x, y=y, color=color))
    layers.append(
        base.mark_text(align="left", baseline="middle", dx=3, fontSize=10, color=INK).encode(text="system:N", **at)
    )
    return altair.layer(*layers)


def _with_pearson(found: MetaEvaluation, metric: str) -> str:
    """The metric's name with what it reaches, if that was measured."""
    for one in found.results:
        if (one.metric, one.statistic, one.level) == (metric, "pearson", "system") and one.value is not None:
            range_of = "" if one.interval is None else f" [{one.interval.low:.2f}, {one.interval.high:.2f}]"
            return f"{metric}: Pearson {one.value:.2f}{range_of}"
    return metric


@dataclass(frozen=True)
class _Axis:
    """From values to pixels and back; ``reverse`` where large values stand at the beginning, as on a y axis."""

    low: float
    high: float
    length: float
    reverse: bool = False

    @classmethod
    def of(
        cls, values: Sequence[tuple[float, float | None, float | None]], length: float, *, reverse: bool = False
    ) -> _Axis:
        """An axis that holds all values and their intervals, with a margin."""
        flat = [value for group in values for value in group if value is not None]
        margin = 0.06 * (max(flat) - min(flat)) or 1.0
        return cls(min(flat) - margin, max(flat) + margin, length, reverse)

    def pixel(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.length * (1.0 - share if self.reverse else share)

    def value(self, pixel: float) -> float:
        share = pixel / self.length
        return self.low + (self.high - self.low) * (1.0 - share if self.reverse else share)


def _differences(found: MetaEvaluation, metrics: Sequence[str]) -> Any:
    """Each pair of systems: how much better people find the better one, and what the metric says of it."""
    altair = load_altair()
    points = _points(found)
    panels = []
    for name in metrics:
        own = [one for one in points if one.metric == name]
        rows = []
        for one, other in combinations(own, 2):
            better, worse = (one, other) if one.human >= other.human else (other, one)
            metric, human = better.score - worse.score, better.human - worse.human
            metric = metric if one.higher_is_better else -metric
            rows.append({"human": human, "metric": metric, "verdict": "agree" if metric > 0 else "disagree"})
        panels.append(_difference_panel(altair, name, rows))
    grid = [altair.hconcat(*panels[start : start + PANELS_PER_ROW]) for start in range(0, len(panels), PANELS_PER_ROW)]
    return dress(
        altair.vconcat(*grid),
        "Differences between systems: people against metrics",
        [_about(found), "each dot is a pair of systems; orange: the metric prefers the one that people find worse"],
    )


def _difference_panel(altair: Any, name: str, rows: Sequence[dict[str, Any]]) -> Any:
    agreed = sum(row["verdict"] == "agree" for row in rows)
    title = f"{name}: {agreed} of {len(rows)} pairs in the same order"
    color = altair.Color(
        "verdict:N", scale=altair.Scale(domain=["agree", "disagree"], range=[COLORS[0], COLORS[1]]), legend=None
    )
    base = altair.Chart(altair.Data(values=list(rows)), width=300, height=240, title=_panel_title(title))
    dots = base.mark_point(filled=True, size=45, opacity=0.75).encode(
        x=altair.X("human:Q", title="people: better less worse system"),
        y=altair.Y("metric:Q", title=f"{name}: the same difference"),
        color=color,
    )
    zero = altair.Chart(altair.Data(values=[{"zero": 0}])).mark_rule(color=MUTED).encode(y="zero:Q")
    return altair.layer(zero, dots)


def _top(found: MetaEvaluation, metrics: Sequence[str]) -> Any:
    """Correlation over the best k systems only, as k shrinks."""
    altair = load_altair()
    statistic = found.top[0].statistic if found.top else None
    rows = [
        {"metric": one.metric, "k": one.n, "value": one.value, "low": one.row()["low"], "high": one.row()["high"]}
        for one in found.top
        if one.statistic == statistic and one.metric in metrics and one.value is not None
    ]
    if not rows:
        raise InputError("Curves over the best systems need scores of at least four systems: --level system.")
    most = max(row["k"] for row in rows)
    names = list(dict.fromkeys(row["metric"] for row in rows))
    color = altair.Color("metric:N", scale=altair.Scale(domain=names, range=list(COLORS)), legend=None)
    fewest = min(row["k"] for row in rows)
    x = altair.X(
        "k:Q",
        title="best systems in the eyes of people",
        scale=altair.Scale(domain=[most, fewest], nice=False),
        axis=altair.Axis(values=list(range(fewest, most + 1)), format="d"),
    )
    lowest = min(0.0, *(row["value"] for row in rows))
    y = altair.Scale(domain=[lowest, 1.0], nice=True)
    base = altair.Chart(altair.Data(values=rows), width=520, height=320)
    line = base.mark_line(strokeWidth=2).encode(x=x, y=altair.Y("value:Q", title=statistic, scale=y), color=color)
    dots = base.mark_point(filled=True, size=30, opacity=1).encode(x=x, y=altair.Y("value:Q", scale=y), color=color)
    last = [row for row in rows if row["k"] == fewest]
    heights = spread([row["value"] for row in last], 0.045 * (1.0 - lowest))
    ends = [{**row, "place": place} for row, place in zip(last, heights, strict=True)]
    names_at_ends = (
        altair.Chart(altair.Data(values=ends), width=520, height=320)
        .mark_text(align="left", dx=10, fontSize=11)
        .encode(x=x, y=altair.Y("place:Q", scale=y), text="metric:N", color=color)
    )
    zero = altair.Chart(altair.Data(values=[{"zero": 0}])).mark_rule(color=RULE).encode(y="zero:Q")
    whole = altair.layer(zero, line, dots, names_at_ends)
    title = f"{str(statistic).capitalize()} over the best systems only"
    return dress(whole, title, [f"{found.campaign.name}, {found.setup.kind}, {len(found.setup.systems)} systems"])


PICTURES: dict[str, Callable[[MetaEvaluation, Sequence[str]], Any]] = {
    "correlations": _correlations,
    "systems": _systems,
    "differences": _differences,
    "top": _top,
}
