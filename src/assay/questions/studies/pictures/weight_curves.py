"""The figure of ``recall-weight``: correlation over the weight of recall, where one is chosen and where tested."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.figures import COLORS, INK, MUTED, dress, load_altair
from assay.meta.labels import spread
from assay.questions.studies.base import StudyResult
from assay.questions.studies.pictures.emptiness import nothing_to_draw

WIDTH, HEIGHT = 360, 280
#: Weights below the axis, and what they are called.
TICKS = {0.0: "precision", 0.25: "", 0.5: "F1", 0.75: "", 0.9: "paper", 1.0: "recall"}


def weight_curves(result: StudyResult, statistic: str) -> Any:
    """A panel per test: dashed where the weight was chosen, a line with its band where it was tested."""
    altair = load_altair()
    rows = [row for row in result.table() if row["correlation"] is not None and row["training"] is not None]
    if not rows:
        raise nothing_to_draw()
    values = [row[name] for row in rows for name in ("training", "correlation", "low", "high") if row[name] is not None]
    margin = 0.06 * (max(values) - min(values)) or 0.05
    scale = altair.Scale(domain=[min(values) - margin, max(values) + margin], nice=False, zero=False)
    tests = list(dict.fromkeys(row["test"] for row in rows))
    panels = [
        _panel(altair, [row for row in rows if row["test"] == test], scale, statistic, first=index == 0)
        for index, test in enumerate(tests)
    ]
    subtitle = [
        f"{result.campaign}: {statistic} of {result.study.options()['metric']} with people; band: 95 % of samples",
        "the ring is the result: the weight that was chosen elsewhere, on the segments it is tested on",
    ]
    return dress(altair.hconcat(*panels, spacing=40), "How much weight belongs on recall?", subtitle)


def _panel(altair: Any, rows: Sequence[dict[str, Any]], scale: Any, statistic: str, *, first: bool) -> Any:
    x = altair.X(
        "alpha:Q",
        title="weight of recall",
        scale=altair.Scale(domain=[0, 1], nice=False),
        axis=altair.Axis(
            values=list(TICKS),
            grid=False,
            labelExpr=_tick_names(),
            labelOverlap=False,
            labelFlush=False,
            labelFontSize=10,
        ),
    )

    def up(name: str) -> Any:
        return altair.Y(f"{name}:Q", scale=scale, title=f"{statistic} with people" if first else None)

    heading = {"text": f"tested on {rows[0]['test']}", "anchor": "start", "fontSize": 12, "color": MUTED, "offset": 26}
    base = altair.Chart(altair.Data(values=list(rows)), width=WIDTH, height=HEIGHT, title=heading)
    layers = []
    if any(row["low"] is not None for row in rows):
        layers.append(base.mark_area(opacity=0.16, color=COLORS[0]).encode(x=x, y=up("low"), y2="high:Q"))
    layers.append(base.mark_line(strokeWidth=2, color=COLORS[0]).encode(x=x, y=up("correlation")))
    layers.append(base.mark_line(strokeWidth=1.5, color=COLORS[1], strokeDash=[5, 4]).encode(x=x, y=up("training")))
    dots = base.transform_filter("datum.alpha === 0.5 || datum.alpha === 0.9")
    layers.append(dots.mark_point(filled=True, size=40, color=COLORS[0], opacity=1).encode(x=x, y=up("correlation")))
    layers += _chosen(altair, [row for row in rows if row["chosen"]], x, up)
    layers += _names(altair, rows, scale)
    return altair.layer(*layers)


def _tick_names() -> str:
    """Weights with their names below, as an expression of Vega's."""
    known = "".join(f"datum.value === {value:g} ? ['{value:g}', '{name}'] : " for value, name in TICKS.items())
    return f"{known}datum.label"


def _chosen(altair: Any, rows: Sequence[dict[str, Any]], x: Any, up: Any) -> list[Any]:
    """The weight that was chosen elsewhere, with what it reaches here, written above the panel."""
    said = [row | {"said": f"chosen: {row['alpha']:.2f}, reaches {row['correlation']:.3f}"} for row in rows]
    base = altair.Chart(altair.Data(values=said))
    side = "right" if rows and rows[0]["alpha"] > 0.5 else "left"
    return [
        base.mark_rule(color=INK, strokeWidth=0.8).encode(x=x),
        base.mark_point(size=120, strokeWidth=2.5, color=INK, opacity=1).encode(x=x, y=up("correlation")),
        base.mark_text(dy=-9, align=side, fontSize=12, fontWeight="bold", color=INK).encode(
            x=x, y=altair.value(0), text="said:N"
        ),
    ]


def _names(altair: Any, rows: Sequence[dict[str, Any]], scale: Any) -> list[Any]:
    """Which line is which, where they end."""
    end = max(rows, key=lambda row: row["alpha"])
    bottom, top = scale.domain
    places = [HEIGHT * (top - end[name]) / (top - bottom) for name in ("correlation", "training")]
    lines = (("tested", COLORS[0]), (f"where chosen ({end['train']})", COLORS[1]))
    return [
        altair.Chart(altair.Data(values=[{"said": said}]))
        .mark_text(align="left", baseline="middle", fontSize=12, color=color)
        .encode(x=altair.value(WIDTH + 10), y=altair.value(place), text="said:N")
        for (said, color), place in zip(lines, spread(places, 15.0, most=HEIGHT), strict=True)
    ]
