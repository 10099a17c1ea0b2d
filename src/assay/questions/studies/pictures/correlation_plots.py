"""The figure of ``correlations``: intervals of both correlations, and scatter plots of what is correlated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from assay.figures import COLORS, MUTED, RULE, dress, load_altair
from assay.questions.studies.base import StudyResult
from assay.questions.studies.pictures.emptiness import nothing_to_draw

#: The text as it is, and stemmed.
PLAIN, STEMMED = "words", "stems"
SIDES = (("pearson", "systems"), ("differences", "differences between systems"))
#: The most scatter plots side by side, and their size.
ACROSS, WIDTH, HEIGHT = 4, 190, 150


def correlation_plots(result: StudyResult) -> Any:
    """Dots with intervals on top, then for each metric its systems and their differences."""
    altair = load_altair()
    rows = [row for row in result.table() if row["pearson"] is not None and row["differences"] is not None]
    if not rows:
        raise nothing_to_draw()
    texts = [text for text in (PLAIN, STEMMED) if any(row["text"] == text for row in rows)]
    color = altair.Color(
        "text:N",
        sort=texts,
        scale=altair.Scale(domain=texts, range=list(COLORS[: len(texts)])),
        legend=altair.Legend(orient="top", title=None, symbolType="circle", symbolOpacity=1)
        if len(texts) > 1
        else None,
    )
    metrics = list(dict.fromkeys(row["metric"] for row in rows))
    top = altair.hconcat(
        *(_intervals(altair, rows, metrics, side, texts=texts, color=color) for side in SIDES), spacing=40
    )
    below = []
    lines = -(-len(metrics) // ACROSS)
    across = -(-len(metrics) // lines)
    for start in range(0, len(metrics), across):
        for differences in (False, True):
            panels = [
                _scatter(altair, result.points, metric, color, first=index == 0, differences=differences)
                for index, metric in enumerate(metrics[start : start + across])
            ]
            below.append(altair.hconcat(*panels, spacing=22))
    people = ", ".join(result.study.options()["kind"]) or "all judgements"
    subtitle = [
        f"{result.campaign}, {people}; bars hold 95 % of {result.study.options()['samples']:,} samples",
        "below: systems as people (across) and the metric (up) see them, then all pairs, better less worse for people",
    ]
    return dress(altair.vconcat(top, *below, spacing=24), "Which metric follows the judges?", subtitle)


def _intervals(
    altair: Any,
    rows: Sequence[dict[str, Any]],
    metrics: Sequence[str],
    side: tuple[str, str],
    *,
    texts: Sequence[str],
    color: Any,
) -> Any:
    name, title = side
    lows = [row[f"{name}_low"] for row in rows if row[f"{name}_low"] is not None]
    highs = [row[f"{name}_high"] for row in rows if row[f"{name}_high"] is not None]
    lowest, highest = min([*lows, *(row[name] for row in rows)]), max([*highs, *(row[name] for row in rows)])
    # Room for the numbers on the right.
    reach = (highest - lowest) or 0.1
    scale = altair.Scale(domain=[lowest - 0.05 * reach, highest + 0.2 * reach], nice=False, zero=False)
    data = [row | {"label": f"{row[name]:.3f}"} for row in rows]
    order = sorted(metrics, key=lambda one: -max(row[name] for row in rows if row["metric"] == one))
    base = altair.Chart(
        altair.Data(values=data), width=300, height=altair.Step(17), title=_heading(f"Pearson over {title}")
    ).encode(
        y=altair.Y(
            "metric:N", sort=order, title=None, axis=altair.Axis(grid=False), scale=altair.Scale(paddingInner=0.3)
        ),
        yOffset=altair.YOffset("text:N", sort=list(texts)),
        color=color,
    )
    x = altair.X(f"{name}:Q", scale=scale, title=None, axis=altair.Axis(tickCount=5))
    bars = base.mark_rule(strokeWidth=3, opacity=0.4).encode(
        x=altair.X(f"{name}_low:Q", scale=scale, title=None), x2=f"{name}_high:Q"
    )
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(x=x)
    ends = altair.X("end:Q", scale=scale, title=None)
    labels = (
        base.transform_calculate(end=f"isValid(datum.{name}_high) ? datum.{name}_high : datum.{name}")
        .mark_text(align="left", dx=6, fontSize=10)
        .encode(x=ends, text="label:N")
    )
    return altair.layer(bars, dots, labels)


def _scatter(
    altair: Any, points: Sequence[Mapping[str, Any]], metric: str, color: Any, *, first: bool, differences: bool
) -> Any:
    own = [dict(point) for point in points if point["metric"] == metric]
    rising = own[0]["higher_is_better"]
    rows = _pairs(own) if differences else own
    title = None if differences else _heading(metric)
    base = altair.Chart(altair.Data(values=rows), width=WIDTH, height=HEIGHT, **({"title": title} if title else {}))
    # An error rate is turned upside down, so that better is up everywhere.
    scale = altair.Scale(zero=differences, nice=False, padding=8, reverse=not rising and not differences)
    words = "differences of pairs" if differences else "scores of systems"
    x = altair.X(
        "human:Q", title="people", scale=altair.Scale(zero=False, nice=False, padding=8), axis=altair.Axis(tickCount=4)
    )
    y = altair.Y("score:Q", title=words if first else None, scale=scale, axis=altair.Axis(tickCount=4))
    dots = base.mark_point(filled=True, size=14 if differences else 28, opacity=0.7).encode(x=x, y=y, color=color)
    line = (
        base.transform_regression("human", "score", groupby=["text"])
        .mark_line(strokeWidth=1.2, opacity=0.8)
        .encode(x=x, y=y, color=color)
    )
    layers = [line, dots]
    if differences:
        zero = altair.Chart(altair.Data(values=[{"zero": 0}])).mark_rule(color=RULE).encode(y="zero:Q")
        layers.insert(0, zero)
    return altair.layer(*layers)


def _pairs(points: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Every two systems: the one that people find better less the other, upwards if the metric agrees."""
    rows = []
    for one, other in combinations(points, 2):
        if one["text"] != other["text"]:
            continue
        better, worse = (one, other) if one["human"] >= other["human"] else (other, one)
        sign = 1.0 if one["higher_is_better"] else -1.0
        rows.append(
            {
                "text": one["text"],
                "human": better["human"] - worse["human"],
                "score": sign * (better["score"] - worse["score"]),
                "better": better["system"],
                "worse": worse["system"],
            }
        )
    return rows


def _heading(text: str) -> dict[str, Any]:
    return {"text": text, "anchor": "start", "fontSize": 12, "fontWeight": "bold", "color": MUTED, "offset": 6}
