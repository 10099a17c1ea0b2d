"""The figure of ``case-and-stem``: metrics by recipes, each cell with its correlation and what the recipe changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.figures import INK, MUTED, dress, load_altair
from assay.questions.studies.base import StudyResult
from assay.questions.studies.parts.judged import is_sure
from assay.questions.studies.pictures.emptiness import nothing_to_draw

CELL, LINE = 118, 40
#: The smallest change that has the full colour: noise should not glow.
FAINT = 0.02


def recipe_grid(result: StudyResult, recipes: Sequence[str], statistic: str) -> Any:
    """Blue where a recipe helps, orange where it harms; bold where the interval of the change leaves 0 out."""
    altair = load_altair()
    rows = [row for row in result.table() if row["correlation"] is not None]
    if not rows:
        raise nothing_to_draw()
    panels = []
    for level in dict.fromkeys(row["level"] for row in rows):
        own = [row | _texts(row) for row in rows if row["level"] == level]
        # Small changes of many segments and large ones of few systems each have their own scale.
        most = max((abs(row["gain"]) for row in own if row["gain"] is not None), default=0.0)
        most = max(most, FAINT)
        panels.append(_panel(altair, own, recipes, f"{level} level", most))
    subtitle = [
        f"{result.campaign}: {statistic} with people; below it what the recipe changes and 95 % of that",
        "blue: closer to people than the first recipe; orange: further from them",
        "bold: 0 lies outside of the interval, as it does by chance in one cell of twenty",
    ]
    whole = altair.vconcat(*panels, spacing=26).resolve_scale(color="independent")
    return dress(whole, "How much of a metric is case, and how much inflection?", subtitle)


def _texts(row: Mapping[str, Any]) -> dict[str, Any]:
    if row["gain"] is None:
        interval = "" if row["low"] is None else f"[{row['low']:.3f}, {row['high']:.3f}]"
        return {"said": f"{row['correlation']:.3f}", "below": interval, "sure": False, "shade": 0.0}
    interval = "" if row["gain_low"] is None else f" [{row['gain_low']:+.3f}, {row['gain_high']:+.3f}]"
    return {
        "said": f"{row['correlation']:.3f}",
        "below": f"{row['gain']:+.3f}{interval}",
        "sure": is_sure(row),
        "shade": row["gain"],
    }


def _panel(altair: Any, rows: Sequence[dict[str, Any]], recipes: Sequence[str], title: str, most: float) -> Any:
    metrics = list(dict.fromkeys(row["metric"] for row in rows))
    x = altair.X(
        "recipe:N",
        sort=list(recipes),
        title=None,
        axis=altair.Axis(
            orient="top",
            labelAngle=0,
            grid=False,
            labelExpr="split(datum.label, '+')",
            labelLineHeight=14,
            # Further lines of a label would run into the cells.
            labelPadding=4 + 14 * max(recipe.count("+") for recipe in recipes),
        ),
    )
    y = altair.Y("metric:N", sort=metrics, title=None, axis=altair.Axis(grid=False))
    shade = altair.Color(
        "shade:Q",
        scale=altair.Scale(domain=[-most, 0.0, most], range=["#F0A367", "#F6F6F6", "#7FB8DA"], interpolate="rgb"),
        legend=None,
    )
    heading = {"text": title, "anchor": "start", "fontSize": 13, "fontWeight": "bold", "color": MUTED, "offset": 8}
    base = altair.Chart(
        altair.Data(values=list(rows)), width=CELL * len(recipes), height=LINE * len(metrics), title=heading
    ).encode(x=x, y=y)
    squares = base.mark_rect(stroke="white", strokeWidth=2).encode(color=shade)
    layers = [squares]
    for sure in (False, True):
        chosen = base.transform_filter(f"datum.sure === {str(sure).lower()}")
        weight = "bold" if sure else "normal"
        layers.append(chosen.mark_text(dy=-7, fontSize=13, color=INK, fontWeight=weight).encode(text="said:N"))
        layers.append(chosen.mark_text(dy=9, fontSize=9.5, color=INK, fontWeight=weight).encode(text="below:N"))
    return altair.layer(*layers)
