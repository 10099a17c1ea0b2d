"""The figure of ``sentence-level``: every metric's correlation, a panel per quality, a dot per normalisation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.figures import COLORS, MUTED, RULE, dress, load_altair
from assay.questions.studies.base import StudyResult
from assay.questions.studies.pictures.emptiness import nothing_to_draw

#: What normalisations are called in the legend.
JUDGES = {"none": "raw judges"}


def segment_panels(result: StudyResult) -> Any:
    """Dots with intervals; METEOR's modules stand together at the end, each below the one it extends."""
    altair = load_altair()
    rows = [
        row | {"judges": JUDGES.get(row["normalise"], row["normalise"]), "label": f"{row['correlation']:.3f}"}
        for row in result.table()
        if row["correlation"] is not None
    ]
    if not rows:
        raise nothing_to_draw()
    judges = list(dict.fromkeys(row["judges"] for row in rows))
    color = altair.Color(
        "judges:N",
        sort=judges,
        scale=altair.Scale(domain=judges, range=list(COLORS[: len(judges)])),
        legend=altair.Legend(orient="top", title=None, symbolType="circle", symbolOpacity=1)
        if len(judges) > 1
        else None,
    )
    panels = []
    qualities = list(dict.fromkeys(row["quality"] for row in rows))
    ends = [row[name] for row in rows for name in ("low", "high", "correlation") if row[name] is not None]
    scale = altair.Scale(domain=[min(0.0, *ends), max(ends) + 0.12 * (max(ends) - min(0.0, *ends))], nice=False)
    for index, quality in enumerate(qualities):
        own = [row for row in rows if row["quality"] == quality]
        panels.append(_panel(altair, own, judges, color, scale=scale, first=index == 0))
    subtitle = [
        f"{result.campaign}: Pearson over all translations of all segments; bars hold 95 % of "
        f"{result.study.options()['samples']:,} samples of segments"
    ]
    return dress(altair.hconcat(*panels, spacing=30), "What follows people, segment by segment?", subtitle)


def _panel(
    altair: Any, rows: Sequence[dict[str, Any]], judges: Sequence[str], color: Any, *, scale: Any, first: bool
) -> Any:
    metrics = list(dict.fromkeys(row["metric"] for row in rows))
    heading = {"text": rows[0]["quality"], "anchor": "start", "fontSize": 12, "color": MUTED, "offset": 8}
    base = altair.Chart(altair.Data(values=list(rows)), width=300, height=altair.Step(15), title=heading).encode(
        y=altair.Y(
            "metric:N",
            sort=metrics,
            title=None,
            axis=altair.Axis(grid=False, labelLimit=260) if first else None,
            scale=altair.Scale(paddingInner=0.3),
        ),
        yOffset=altair.YOffset("judges:N", sort=list(judges)),
        color=color,
    )
    axis = altair.Axis(tickCount=5)
    x = altair.X("correlation:Q", scale=scale, title=None, axis=axis)
    bars = base.mark_rule(strokeWidth=3, opacity=0.4).encode(
        x=altair.X("low:Q", scale=scale, title=None, axis=axis), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=55, opacity=1).encode(x=x)
    labels = (
        base.transform_calculate(end="isValid(datum.high) ? datum.high : datum.correlation")
        .mark_text(align="left", dx=6, fontSize=10)
        .encode(x=altair.X("end:Q", scale=scale, title=None, axis=axis), text="label:N")
    )
    zero = (
        altair.Chart(altair.Data(values=[{"zero": 0}])).mark_rule(color=RULE).encode(x=altair.X("zero:Q", scale=scale))
    )
    return altair.layer(zero, bars, dots, labels)
