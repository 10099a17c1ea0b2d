"""The figure of ``recall-weight``: correlation over the weight of recall, where it was chosen and where it was tested."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.errors import InputError
from assay.figures import COLORS, INK, MUTED, dress, load_altair
from assay.studies.base import StudyResult

WIDTH, HEIGHT = 330, 280


def weight_curves(result: StudyResult, statistic: str) -> Any:
    """A panel per test: dashed where the weight was chosen, a line with its band where it was tested."""
    altair = load_altair()
    rows = [row for row in result.table() if row["correlation"] is not None and row["training"] is not None]
    if not rows:
        raise InputError("No correlation is defined, so there is nothing to draw.")
    values = [row[name] for row in rows for name in ("training", "correlation", "low", "high") if row[name] is not None]
    margin = 0.06 * (max(values) - min(values)) or 0.05
    scale = altair.Scale(domain=[min(values) - margin, max(values) + margin], nice=False, zero=False)
    tests = list(dict.fromkeys(row["test"] for row in rows))
    panels = [
        _panel(altair, [row for row in rows if row["test"] == test], scale, statistic, first=index == 0)
        for index, test in enumerate(tests)
    ]
    subtitle = [
        f"{result.campaign}: {statistic} of {result.study.options()['metric']} with people; band: 95 % of samples of segments",
        "the ring is the result: the weight that was chosen elsewhere, on the segments it is tested on",
    ]
    return dress(altair.hconcat(*panels, spacing=40), "How much weight belongs on recall?", subtitle)


def _panel(altair: Any, rows: Sequence[dict[str, Any]], scale: Any, statistic: str, *, first: bool) -> Any:
    x = altair.X(
        "alpha:Q",
        title="weight of recall (0: precision alone, 1: recall alone)",
        scale=altair.Scale(domain=[0, 1], nice=False),
        axis=altair.Axis(values=[0, 0.25, 0.5, 0.75, 0.9, 1], format=".2~f", grid=False),
    )

    def up(name: str) -> Any:
        return altair.Y(f"{name}:Q", scale=scale, title=f"{statistic} with people" if first else None)

    heading = {"text": f"tested on {rows[0]['test']}", "anchor": "start", "fontSize": 12, "color": MUTED, "offset": 8}
    base = altair.Chart(altair.Data(values=list(rows)), width=WIDTH, height=HEIGHT, title=heading)
    layers = []
    if any(row["low"] is not None for row in rows):
        layers.append(base.mark_area(opacity=0.16, color=COLORS[0]).encode(x=x, y=up("low"), y2="high:Q"))
    layers.append(base.mark_line(strokeWidth=2, color=COLORS[0]).encode(x=x, y=up("correlation")))
    layers.append(base.mark_line(strokeWidth=1.5, color=COLORS[1], strokeDash=[5, 4]).encode(x=x, y=up("training")))
    chosen = [row for row in rows if row["chosen"]]
    named = [row for row in rows if row["alpha"] in (0.5, 0.9)]
    layers += _marks(altair, chosen, named, x, up)
    layers += _names(altair, rows, x, up)
    return altair.layer(*layers)


def _marks(
    altair: Any, chosen: Sequence[dict[str, Any]], named: Sequence[dict[str, Any]], x: Any, up: Any
) -> list[Any]:
    """The weights that matter, with what they reach where they are tested."""
    texts = {0.5: "F1", 0.9: "0.9"}
    dots = altair.Chart(altair.Data(values=[row | {"said": texts[row["alpha"]]} for row in named]))
    rings = altair.Chart(
        altair.Data(values=[row | {"said": f"{row['alpha']:.2f}: {row['correlation']:.3f}"} for row in chosen])
    )
    return [
        dots.mark_point(filled=True, size=40, color=COLORS[0], opacity=1).encode(x=x, y=up("correlation")),
        dots.mark_text(dy=12, fontSize=11, color=MUTED).encode(x=x, y=up("correlation"), text="said:N"),
        rings.mark_point(size=120, strokeWidth=2.5, color=INK, opacity=1).encode(x=x, y=up("correlation")),
        rings.mark_text(dy=-16, dx=-6, align="right", fontSize=12, fontWeight="bold", color=INK).encode(
            x=x, y=up("correlation"), text="said:N"
        ),
    ]


def _names(altair: Any, rows: Sequence[dict[str, Any]], x: Any, up: Any) -> list[Any]:
    """Which line is which, where they start."""
    start = min(rows, key=lambda row: row["alpha"])
    found = []
    # The upper line's name stands above it, the lower one's below.
    above = start["correlation"] >= start["training"]
    for name, color, words, raised in (
        ("correlation", COLORS[0], "tested", above),
        ("training", COLORS[1], f"chosen on {start['train']}", not above),
    ):
        mark = altair.Chart(altair.Data(values=[start | {"said": words}]))
        found.append(
            mark.mark_text(align="left", dx=6, dy=-14 if raised else 14, fontSize=12, color=color).encode(
                x=x, y=up(name), text="said:N"
            )
        )
    return found
