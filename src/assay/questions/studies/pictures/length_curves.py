"""The figure of ``pseudo-documents``: correlation over the length of documents, each curve with its name at the end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from assay.figures import COLORS, INK, MUTED, RULE, dress, load_altair
from assay.meta.labels import spread
from assay.questions.studies.base import StudyResult
from assay.questions.studies.pictures.emptiness import nothing_to_draw

#: What the judges' own curve is called.
JUDGES = "judge against judge"
WIDTH, HEIGHT, LINE = 520, 380, 13.0
#: Black is for the judges.
HUES = COLORS[:6]
DASHES = ([1, 0], [6, 3], [2, 2], [8, 2, 2, 2])


def length_curves(result: StudyResult, samples: int) -> Any:
    """Lines with bands for the interval of the mean."""
    altair = load_altair()
    rows = [row for row in result.table() if row["correlation"] is not None]
    if not rows:
        raise nothing_to_draw()
    names = list(dict.fromkeys(row["curve"] for row in rows if row["curve"] != JUDGES))
    hues, dashes = _looks(rows)
    longest = max(row["length"] for row in rows)
    low, high = (
        choose(row["correlation"] if row[end] is None else row[end] for row in rows)
        for choose, end in ((min, "low"), (max, "high"))
    )
    margin = 0.04 * (high - low) or 0.1
    scale = altair.Scale(domain=[max(low - margin, -1.0), min(high + margin, 1.0)], nice=False, zero=False)
    ticks = sorted({row["length"] for row in rows if row["curve"] != JUDGES})
    x = altair.X(
        "length:Q",
        title="segments in a document (logarithmic)",
        scale=altair.Scale(type="log", domain=[1, max(longest, 2)], nice=False),
        axis=altair.Axis(values=ticks, format=",d", grid=False),
    )
    y = altair.Y("correlation:Q", title="mean Spearman correlation with people", scale=scale)
    known = [name for name in [*names, JUDGES] if any(row["curve"] == name for row in rows)]
    color = altair.Color("curve:N", scale=altair.Scale(domain=known, range=[hues[name] for name in known]), legend=None)
    dash = altair.StrokeDash(
        "curve:N", scale=altair.Scale(domain=known, range=[dashes[name] for name in known]), legend=None
    )
    base = altair.Chart(altair.Data(values=rows), width=WIDTH, height=HEIGHT)
    bounded = altair.Chart(
        altair.Data(values=[row for row in rows if row["low"] is not None]), width=WIDTH, height=HEIGHT
    )
    band = bounded.mark_area(opacity=0.14).encode(x=x, y=altair.Y("low:Q", scale=scale), y2="high:Q", color=color)
    line = base.mark_line(strokeWidth=2).encode(x=x, y=y, color=color, strokeDash=dash)
    dots = base.mark_point(filled=True, size=24, opacity=1).encode(x=x, y=y, color=color)
    layers = [band, line, dots, *_names(altair, rows, scale, hues, dashes)]
    if low < 0 < high:
        zero = altair.Chart(altair.Data(values=[{"zero": 0}])).mark_rule(color=RULE).encode(y="zero:Q")
        layers.insert(0, zero)
    kinds = ", ".join(result.study.options()["kind"]) or "all judgements"
    about = f"{result.campaign}, {kinds}; {samples:,} random documents of each length; bands: 95 % of the mean's error"
    whole = altair.layer(*layers)
    if result.points:
        whole = altair.hconcat(whole, _two_judges(altair, result.points), spacing=50).resolve_scale(color="independent")
    return dress(whole, "How reliable are metrics on short texts?", [about])


def _two_judges(altair: Any, points: Sequence[Mapping[str, Any]]) -> Any:
    """Scores of the two judges who agree least, each dot moved a little so that equal ones can be seen."""
    from scipy.stats import spearmanr

    first, second = points[0]["first"], points[0]["second"]
    value = spearmanr([point["x"] for point in points], [point["y"] for point in points]).statistic
    lines = [
        "the two judges who agree least",
        f"Spearman {value:.2f}, {len(points):,} translations; dots are moved a little",
    ]
    heading = {"text": lines, "anchor": "start", "fontSize": 12, "fontWeight": "normal", "color": MUTED, "offset": 8}
    shown = [point[name] for point in points for name in ("shown_x", "shown_y")]
    scale = altair.Scale(domain=[min(shown), max(shown)], zero=False, nice=True)
    return (
        altair.Chart(altair.Data(values=[dict(point) for point in points]), width=240, height=240, title=heading)
        .mark_point(filled=True, size=16, opacity=0.45, color=INK)
        .encode(
            x=altair.X("shown_x:Q", title=first, scale=scale, axis=altair.Axis(tickCount=5)),
            y=altair.Y("shown_y:Q", title=second, scale=scale, axis=altair.Axis(tickCount=5)),
        )
    )


def _looks(rows: Sequence[Mapping[str, Any]]) -> tuple[dict[str, str], dict[str, list[int]]]:
    """A colour for each metric, and a dash for each number of references; metrics beyond the colours are dashed."""
    curves = {row["curve"]: row for row in rows if row["curve"] != JUDGES}
    metrics = list(dict.fromkeys(row["metric"] for row in curves.values()))
    counts = sorted({row["references"] for row in curves.values()})
    hues, dashes = {JUDGES: INK}, {JUDGES: [2, 2]}
    for name, row in curves.items():
        place = metrics.index(row["metric"])
        hues[name] = HUES[place % len(HUES)]
        step = counts.index(row["references"]) if len(counts) > 1 else place // len(HUES)
        dashes[name] = DASHES[step % len(DASHES)]
    return hues, dashes


def _names(
    altair: Any, rows: Sequence[dict[str, Any]], scale: Any, hues: dict[str, str], dashes: dict[str, list[int]]
) -> list[Any]:
    """Each curve's name where it ends; those at the right edge are moved apart."""
    longest = max(row["length"] for row in rows)
    ends: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row["length"] >= ends.get(row["curve"], row)["length"]:
            ends[row["curve"]] = row
    bottom, top = scale.domain
    edge = [row for row in ends.values() if row["length"] == longest]
    at_ends = [HEIGHT * (top - row["correlation"]) / (top - bottom) for row in edge]
    # Half of them up and half down, so that names stay close to their curves.
    shift = LINE * (len(edge) - 1) / 4
    pixels = spread([pixel - shift if _crowded(pixel, at_ends) else pixel for pixel in at_ends], LINE, most=HEIGHT)
    found: list[tuple[str, float, float]] = []
    lines = []
    for row, pixel, end in zip(edge, pixels, at_ends, strict=True):
        found.append((row["curve"], WIDTH + 24.0, pixel))
        lines.append(
            altair.Chart(altair.Data(values=[{}]))
            .mark_rule(color=hues[row["curve"]], strokeWidth=1.2, strokeDash=dashes[row["curve"]])
            .encode(x=altair.value(WIDTH + 4), x2=altair.value(WIDTH + 20), y=altair.value(end), y2=altair.value(pixel))
        )
    for row in ends.values():
        if row["length"] != longest:
            across = WIDTH * math.log(row["length"]) / math.log(longest) if longest > 1 else 0.0
            found.append((row["curve"], across + 8, HEIGHT * (top - row["correlation"]) / (top - bottom) - 6))
    return lines + [
        altair.Chart(altair.Data(values=[{"name": name}]))
        .mark_text(align="left", baseline="middle", fontSize=12, color=hues[name])
        .encode(x=altair.value(across), y=altair.value(down), text="name:N")
        for name, across, down in found
    ]


def _crowded(pixel: float, others: Sequence[float]) -> bool:
    """Whether another curve ends where this one's name would stand."""
    return sum(abs(pixel - other) < LINE for other in others) > 1
