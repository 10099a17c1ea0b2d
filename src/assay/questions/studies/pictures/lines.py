"""Curves over a few whole numbers, with a name at the end of each line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.figures import COLORS, INK

WIDTH, HEIGHT = 300, 260
#: Dashes tell lines apart where colours do not.
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4], [4, 1], [1, 4])
#: Of the height, what a name at the end of a line needs.
ROOM = 0.055


@dataclass(frozen=True)
class Line:
    """One curve: rows with ``k``, ``mean``, ``low`` and ``high``."""

    name: str
    rows: Sequence[Mapping[str, Any]]


def curves(altair: Any, lines: Sequence[Line], *, title: str, across: str, up: str) -> Any:
    """A panel of curves: means as lines, ranges as bars beside each other, names where lines end."""
    sizes = sorted({row["k"] for line in lines for row in line.rows})
    low = min(row["low"] for line in lines for row in line.rows)
    high = max(row["high"] for line in lines for row in line.rows)
    margin = (high - low) * 0.06 or 0.05
    names = [line.name for line in lines]
    values = [
        # Bars of several curves over one number would hide each other.
        dict(row) | {"name": line.name, "at": row["k"] + 0.06 * (place - (len(lines) - 1) / 2)}
        for place, line in enumerate(lines)
        for row in line.rows
    ]
    ends = spread_out({line.name: line.rows[-1]["mean"] for line in lines}, (high - low + 2 * margin) * ROOM)
    said = [
        {"name": name, "mean": height, "at": sizes[-1] + 0.06 * len(lines) / 2 + 0.1} for name, height in ends.items()
    ]
    x = altair.X(
        "at:Q",
        scale=altair.Scale(domain=[sizes[0] - 0.3, sizes[-1] + 0.3], nice=False),
        axis=altair.Axis(title=across, values=sizes, format="d", grid=False),
    )
    scale = altair.Scale(domain=[low - margin, high + margin], nice=False, zero=False)
    y = altair.Y("mean:Q", scale=scale, axis=altair.Axis(title=up, tickCount=6))
    colors = [COLORS[index % len(COLORS)] for index in range(len(names))]
    dashes = [DASHES[index % len(DASHES)] for index in range(len(names))]
    color = altair.Color("name:N", scale=altair.Scale(domain=names, range=colors), legend=None)
    dash = altair.StrokeDash("name:N", scale=altair.Scale(domain=names, range=dashes), legend=None)
    base = altair.Chart(altair.Data(values=values)).encode(color=color)
    return altair.layer(
        base.mark_rule(strokeWidth=2, opacity=0.35).encode(
            x=x, y=altair.Y("low:Q", scale=scale, title=up), y2="high:Q"
        ),
        base.mark_line(strokeWidth=2).encode(x=x, y=y, strokeDash=dash),
        base.mark_circle(size=46, opacity=1).encode(x=x, y=y, tooltip=[f"{key}:N" for key in values[0] if key != "at"]),
        altair.Chart(altair.Data(values=said))
        .mark_text(align="left", dx=6, fontSize=12, clip=False)
        .encode(x=x, y=y, text="name:N", color=color),
    ).properties(
        width=WIDTH,
        height=HEIGHT,
        title={"text": title, "anchor": "start", "fontSize": 12, "fontWeight": "normal", "color": INK, "offset": 6},
    )


def spread_out(heights: Mapping[str, float], room: float) -> dict[str, float]:
    """Heights for names, in the same order and so far apart that they can be read.

    >>> spread_out({"a": 1.0, "b": 1.1, "c": 5.0}, 1.0)
    {'a': 0.55, 'b': 1.55, 'c': 5.0}
    """
    groups = [[[name], height] for name, height in sorted(heights.items(), key=lambda item: item[1])]
    merged: list[Any] = []
    for group in groups:
        merged.append(group)
        # Names that would touch stand around their common middle.
        while len(merged) > 1 and _bottom(merged[-1], room) < _top(merged[-2], room):
            upper, lower = merged.pop(), merged.pop()
            count = len(lower[0]) + len(upper[0])
            middle = (lower[1] * len(lower[0]) + upper[1] * len(upper[0])) / count
            merged.append([lower[0] + upper[0], middle])
    placed = {}
    for names, middle in merged:
        for index, name in enumerate(names):
            placed[name] = round(middle + room * (index - (len(names) - 1) / 2), 9)
    return {name: placed[name] for name in heights}


def _bottom(group: Any, room: float) -> float:
    return float(group[1] - room * len(group[0]) / 2)


def _top(group: Any, room: float) -> float:
    return float(group[1] + room * len(group[0]) / 2)
