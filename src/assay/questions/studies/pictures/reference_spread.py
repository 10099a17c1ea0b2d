"""The figure of the study of references: every score, the mean and the deviation of each translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.figures import COLORS, INK, dress, load_altair
from assay.metrics.registry import metric as named_metric
from assay.questions.studies.base import StudyResult
from assay.questions.studies.parts.reference_sets import UNSEGMENTED

#: Panels side by side; with more sizes than this some are left out of the figure.
PANELS = 4
#: Scores of one translation in one panel that are drawn; above it, as many spread evenly from lowest to highest.
DRAWN = 120
WIDTH, STEP = 230, 17
#: People's translations and systems.
KINDS = {"human": COLORS[0], "system": COLORS[1]}

Rows = Sequence[Mapping[str, Any]]


def draw(result: StudyResult) -> Any:
    """Metrics one below the other, sizes side by side; translations by the mean of the first metric."""
    altair = load_altair()
    rows, scores = result.rows, result.details["scores"]
    metrics = list(dict.fromkeys(row["metric"] for row in rows))
    sizes = chosen_sizes(sorted({row["k"] for row in rows}))
    kinds = {row["system"]: row["kind"] for row in scores}
    order = list(dict.fromkeys(row["system"] for row in rows if row["metric"] == metrics[0]))
    grid = []
    for metric in metrics:
        own = [row | {"kind": kinds[row["system"]]} for row in result.table() if row["metric"] == metric]
        bounds = [min(row["low"] for row in own if row["k"] in sizes), max(row["high"] for row in own)]
        panels = [
            panel(
                altair,
                [row for row in own if row["k"] == size],
                [row for row in scores if (row["metric"], row["k"]) == (metric, size)],
                order,
                bounds=bounds,
                # Error rates run from right to left, so that better is to the right everywhere.
                reverse=not named_metric(metric.removesuffix(UNSEGMENTED)).higher_is_better,
                first=size == sizes[0],
                title=f"{metric}, k = {size}",
            )
            for size in sizes
        ]
        grid.append(altair.hconcat(*panels, spacing=18))
    return dress(altair.vconcat(*grid, spacing=26), "How much does the choice of references decide?", subtitle(result))


def chosen_sizes(sizes: Sequence[int]) -> list[int]:
    """All sizes, or as many as there is room for, the first and the last among them.

    >>> chosen_sizes([1, 2, 4]), chosen_sizes(range(1, 12))
    ([1, 2, 4], [1, 2, 4, 11])
    """
    if len(sizes) <= PANELS:
        return list(sizes)
    # As in the papers, where there is a choice.
    usual = [size for size in (1, 2, 4) if size in sizes]
    return sorted({*(usual or sizes[: PANELS - 1]), sizes[-1]})


def panel(
    altair: Any,
    rows: Rows,
    scores: Rows,
    order: list[str],
    *,
    bounds: list[float],
    reverse: bool,
    first: bool,
    title: str,
) -> Any:
    """One metric and size: a tick per score, a bar for the deviation, a dot for the mean."""
    ticks = [
        {"system": one["system"], "kind": one["kind"], "score": score}
        for one in scores
        for score in thinned(one["score"])
    ]
    means = [
        dict(row) | {"from": max(row["mean"] - row["sd"], row["low"]), "to": min(row["mean"] + row["sd"], row["high"])}
        for row in rows
    ]
    axis = altair.Axis(grid=False, labelLimit=200) if first else None
    across = altair.Scale(domain=bounds, nice=True, zero=False, reverse=reverse)
    y = altair.Y("system:N", sort=order, title=None, axis=axis, scale=altair.Scale(domain=order))
    color = altair.Color("kind:N", scale=altair.Scale(domain=list(KINDS), range=list(KINDS.values())), legend=None)
    lines = altair.Chart(altair.Data(values=ticks)).mark_tick(thickness=1, size=9, opacity=0.3)
    bars = altair.Chart(altair.Data(values=means)).mark_rule(strokeWidth=3, opacity=0.9)
    dots = altair.Chart(altair.Data(values=means)).mark_point(
        size=42, filled=True, opacity=1, stroke=INK, strokeWidth=0.8
    )
    x_axis = altair.Axis(title=None, tickCount=4)
    layers = [
        lines.encode(x=altair.X("score:Q", scale=across, axis=x_axis), y=y, color=color),
        bars.encode(x=altair.X("from:Q", scale=across, axis=x_axis), x2="to:Q", y=y, color=color),
        dots.encode(
            x=altair.X("mean:Q", scale=across, axis=x_axis),
            y=y,
            color=color,
            shape=altair.Shape(
                "kind:N", scale=altair.Scale(domain=list(KINDS), range=["circle", "triangle-up"]), legend=None
            ),
            tooltip=[f"{key}:N" for key in rows[0]],
        ),
    ]
    return altair.layer(*layers).properties(
        width=WIDTH,
        height=altair.Step(STEP),
        title={"text": title, "anchor": "start", "fontSize": 12, "fontWeight": "normal", "color": INK, "offset": 4},
    )


def thinned(scores: Sequence[float]) -> list[float]:
    """Scores to draw: all, or some that are spread evenly over their ranks, lowest and highest among them."""
    ordered = sorted(scores)
    if len(ordered) <= DRAWN:
        return ordered
    last = len(ordered) - 1
    return [ordered[round(place * last / (DRAWN - 1))] for place in range(DRAWN)]


def subtitle(result: StudyResult) -> list[str]:
    """What is drawn, and what is not."""
    kinds = {row["kind"] for row in result.details["scores"]}
    told = (
        "Blue circles are human translations, orange triangles systems."
        if len(kinds) == 2
        else f"All of them are {'human' if 'human' in kinds else 'machine'} translations."
    )
    sizes = sorted({row["k"] for row in result.rows})
    lines = [
        f"{result.campaign}: every translation against all sets of k references that it is not part of. {told}",
        "Ticks are sets of references, dots means, bars one standard deviation, cut at the range.",
    ]
    left = [str(size) for size in sizes if size not in chosen_sizes(sizes)]
    if left:
        lines[1] += f" Not drawn: k = {', '.join(left)}."
    if any(len(row["score"]) > DRAWN for row in result.details["scores"]):
        lines[1] += f" Of more than {DRAWN} sets so many are drawn, from lowest to highest."
    return lines
