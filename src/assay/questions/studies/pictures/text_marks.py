"""The figure of the study of foreign texts: each text a line, each of its translations a mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assay.figures import COLORS, INK, dress, load_altair
from assay.metrics.registry import metric as named_metric
from assay.questions.studies.base import StudyResult
from assay.questions.studies.parts.reference_sets import UNSEGMENTED

#: What a candidate is, and how figures show it.
KINDS = {"human": (COLORS[0], "circle"), "system": (COLORS[2], "square"), "foreign": (COLORS[1], "triangle-up")}


def draw(result: StudyResult) -> Any:
    """A panel per metric and size, in pairs."""
    altair = load_altair()
    groups = dict.fromkeys((row["metric"], row["k"]) for row in result.rows)
    panels = []
    order: list[str] = []
    for index, (metric, size) in enumerate(groups):
        rows = [row for row in result.table() if (row["metric"], row["k"]) == (metric, size)]
        # One order for all panels, which share their names.
        order = order or _order(rows)
        panels.append(_panel(altair, rows, order, f"{metric}, k = {size}", names=index % 2 == 0))
    pairs = [altair.hconcat(*panels[start : start + 2], spacing=24) for start in range(0, len(panels), 2)]
    said = [
        f"{result.campaign}, and other texts in its place: a mark is the mean of one translation over "
        "sets of k references, a line its range.",
        "Blue circles are true human translations, green squares systems, orange triangles other texts.",
    ]
    return dress(altair.vconcat(*pairs, spacing=24), result.study.question, said)


def _order(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The text itself, then the others, the most alike first."""
    means: dict[str, list[float]] = {}
    for row in rows:
        means.setdefault(row["text"], []).append(row["mean"])
    sign = -1.0 if _is_better_higher(rows) else 1.0
    foreign = {row["text"] for row in rows if row["kind"] == "foreign"}
    return sorted(means, key=lambda text: (text in foreign, sign * float(np.mean(means[text]))))


def _is_better_higher(rows: Sequence[Mapping[str, Any]]) -> bool:
    return named_metric(rows[0]["metric"].removesuffix(UNSEGMENTED)).higher_is_better


def _panel(altair: Any, rows: Sequence[Mapping[str, Any]], order: Sequence[str], title: str, *, names: bool) -> Any:
    better = _is_better_higher(rows)
    true = [row for row in rows if row["kind"] != "foreign"]
    false = [row for row in rows if row["kind"] == "foreign"]
    first, last = (min, max) if better else (max, min)
    lowest, highest = first(true, key=lambda row: row["mean"]), last(false, key=lambda row: row["mean"])
    span = max(row["high"] for row in rows)
    room = (lowest["low"] if better else span - lowest["high"]) / span > 0.3
    worse, best = ("low", "high") if better else ("high", "low")
    beside = (worse, "right", -8) if room else (best, "left", 8)
    scale = altair.Scale(zero=True, reverse=not better)
    kinds = [kind for kind in KINDS if any(row["kind"] == kind for row in rows)]
    color = altair.Color(
        "kind:N", scale=altair.Scale(domain=kinds, range=[KINDS[kind][0] for kind in kinds]), legend=None
    )
    shape = altair.Shape(
        "kind:N", scale=altair.Scale(domain=kinds, range=[KINDS[kind][1] for kind in kinds]), legend=None
    )
    y = altair.Y("text:N", sort=list(order), title=None, axis=altair.Axis(grid=False) if names else None)
    # Translations of one text stand a little apart.
    offset = altair.YOffset("place:O")
    placed = []
    for text in order:
        own = sorted((row for row in rows if row["text"] == text), key=lambda row: row["mean"])
        placed += [dict(row) | {"place": place} for place, row in enumerate(own)]
    base = altair.Chart(altair.Data(values=placed)).encode(y=y, yOffset=offset, color=color)
    axis = altair.Axis(title=None, tickCount=5)
    return altair.layer(
        base.mark_rule(strokeWidth=1.5, opacity=0.35).encode(x=altair.X("low:Q", scale=scale, axis=axis), x2="high:Q"),
        base.mark_point(filled=True, size=34, opacity=0.9).encode(
            x=altair.X("mean:Q", scale=scale, axis=axis), shape=shape, tooltip=[f"{key}:N" for key in rows[0]]
        ),
        # The nearest of either kind are named, outside of their lines.
        # The lowest stands at the top of its text, and its name above the next one's line.
        _named(altair, placed, lowest, beside, dy=-6).encode(y=y, yOffset=offset),
        _named(altair, placed, highest, (best, "left", 8)).encode(y=y, yOffset=offset),
    ).properties(
        width=320,
        height=max(60, 70 * len(order)),
        title={"text": title, "anchor": "start", "fontSize": 12, "fontWeight": "normal", "color": INK, "offset": 4},
    )


def _named(
    altair: Any, placed: Sequence[Mapping[str, Any]], row: Mapping[str, Any], beside: tuple[str, str, int], dy: int = 0
) -> Any:
    """The name of one translation at one end of its line."""
    end, align, dx = beside
    [found] = [one for one in placed if (one["text"], one["system"]) == (row["text"], row["system"])]
    text = altair.Chart(altair.Data(values=[found])).mark_text(align=align, dx=dx, dy=dy, fontSize=11, color=INK)
    return text.encode(x=f"{end}:Q", text="system:N")
