"""Histograms of segment scores: metrics side by side, groups of translations one below the other."""

from __future__ import annotations

from typing import Any

from assay.data.wording import counted
from assay.figures import COLORS, INK, MUTED, dress, load_altair
from assay.questions.studies.base import StudyResult

#: The group of people's translations, and the row of a whole group.
HUMAN = "human"
TOGETHER = "all"


def histograms(result: StudyResult) -> Any:
    """A panel for each metric and group, with mean and deviation."""
    altair = load_altair()
    groups = list(dict.fromkeys(row["group"] for row in result.rows))
    metrics = list(dict.fromkeys(row["metric"] for row in result.rows))
    grid = [
        altair.hconcat(*(_panel(altair, result, group, metric) for metric in metrics), spacing=30) for group in groups
    ]
    said = [f"{result.campaign}: segment scores. Lines are means, bars beside them one standard deviation."]
    return dress(altair.vconcat(*grid, spacing=22), "Do equally good translations score high and alike?", said)


def _panel(altair: Any, result: StudyResult, group: str, metric: str) -> Any:
    bars = [row for row in result.details["histograms"] if (row["group"], row["metric"]) == (group, metric)]
    rows = [row for row in result.rows if (row["group"], row["metric"]) == (group, metric)]
    whole = rows[0]
    members = [row["system"] for row in rows if row["system"] != TOGETHER]
    top = max(row["share"] for row in result.details["histograms"] if row["metric"] == metric) * 1.18
    # Those of all groups have one height, so that they can be compared.
    scale = altair.Scale(domain=[0, top], nice=False)
    domain = altair.Scale(domain=[bars[0]["from"], bars[-1]["to"]], nice=False)
    color = COLORS[0] if group == HUMAN else COLORS[1]
    x_axis, y_axis = altair.Axis(title=None, tickCount=5, grid=False), altair.Axis(title="% of segments", tickCount=4)
    said = [
        {
            "mean": whole["mean"],
            "from": max(whole["mean"] - (whole["sd"] or 0.0), bars[0]["from"]),
            "to": min(whole["mean"] + (whole["sd"] or 0.0), bars[-1]["to"]),
            "height": top * 0.93,
            "label": f"mean {whole['mean']:.1f}, SD {whole['sd'] or 0.0:.1f}",
        }
    ]
    base = altair.Chart(altair.Data(values=said))
    right = whole["mean"] > (bars[0]["from"] + bars[-1]["to"]) / 2
    text = base.mark_text(align="right" if right else "left", dx=-6 if right else 6, dy=-9, fontSize=12, color=INK)
    height = altair.Y("height:Q", scale=scale, axis=y_axis)
    shown = ", ".join(members[:4]) + (f" and {len(members) - 4} more" if len(members) > 4 else "")
    shown += f"; {counted(whole['references'], 'reference')} each"
    who = "human translations" if group == HUMAN else "not told apart by judges"
    return altair.layer(
        altair.Chart(altair.Data(values=bars))
        .mark_bar(color=color, opacity=0.75, stroke="white", strokeWidth=0.5)
        .encode(
            x=altair.X("from:Q", scale=domain, axis=x_axis), x2="to:Q",
            y=altair.Y("share:Q", scale=scale, axis=y_axis), y2=altair.datum(0),
            tooltip=["from:Q", "to:Q", "segments:Q"],
        ),
        base.mark_rule(color=INK, strokeWidth=1.5).encode(x=altair.X("mean:Q", scale=domain, axis=x_axis)),
        base.mark_rule(color=INK, strokeWidth=3).encode(
            x=altair.X("from:Q", scale=domain, axis=x_axis), x2="to:Q", y=height
        ),
        text.encode(x=altair.X("mean:Q", scale=domain, axis=x_axis), y=height, text="label:N"),
    ).properties(
        width=300,
        height=130,
        title={
            "text": f"{metric}: {who}", "subtitle": shown,
            "anchor": "start", "fontSize": 12, "fontWeight": "normal", "color": INK, "subtitleColor": MUTED,
            "subtitleFontSize": 11, "offset": 4,
        },
    )  # fmt: skip
