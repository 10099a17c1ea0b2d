"""Two judges against each other, rating by rating: Figure 3 of Turian, Shen & Melamed (2003)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from assay.errors import InputError, ParameterError, UnknownName
from assay.figures import COLORS, INK, MUTED, dress, load_altair
from assay.meta.agreement.draws import Estimate
from assay.meta.agreement.result import Agreement, show

#: Up to so many different scores the ratings are counted, and drawn as discs with their numbers.
FEW_SCORES = 12
SIDE, MARGIN = 380, 56
#: Bins of the distributions at the sides.
BINS = 24


def chosen_pair(agreement: Agreement, raters: str | None) -> tuple[str, str]:
    """The two that were named, or those with most items in common."""
    if not agreement.pairs:
        raise InputError(f"{agreement.origin}: no two raters have three items in common, so there is no pair to draw.")
    if raters is None:
        first, second = agreement.pairs[0].names
        return first, second
    names = [name.strip() for name in raters.split(",")]
    if len(names) != 2 or names[0] == names[1]:
        raise ParameterError(f"raters is {raters!r}, but it takes two different raters with a comma between.")
    for name in names:
        if name not in agreement.raw.raters:
            raise UnknownName.of("rater", name, agreement.raw.raters)
    if not any(set(pair.names) == set(names) for pair in agreement.pairs):
        raise InputError(f"{names[0]} and {names[1]} have fewer than three items in common.")
    return names[0], names[1]


def judges(agreement: Agreement, raters: str | None) -> Any:
    """Each item by both scores, its ties counted; the distributions of both at the sides."""
    altair = load_altair()
    first, second = chosen_pair(agreement, raters)
    pair = next(pair for pair in agreement.pairs if set(pair.names) == {first, second})
    points = _points(agreement, first, second)
    scores = [score for point in points for score in point]
    few = len(set(scores)) <= FEW_SCORES
    margin = 0.6 if few else 0.03 * ((max(scores) - min(scores)) or 1.0)
    scale = altair.Scale(domain=[min(scores) - margin, max(scores) + margin], nice=False, zero=False)
    axis = altair.Axis(values=sorted(set(scores)), grid=True) if few else altair.Axis(tickCount=6)
    x = altair.X("x:Q", scale=scale, axis=axis, title=f"{first}'s score")
    y = altair.Y("y:Q", scale=scale, axis=axis, title=f"{second}'s score")
    rows = [{"x": a, "y": b, "items": count} for (a, b), count in sorted(Counter(points).items())]
    ends = [{"x": end, "y": end} for end in (min(scores) - margin, max(scores) + margin)]
    diagonal = (
        altair.Chart(altair.Data(values=ends)).mark_line(color=MUTED, strokeDash=[4, 4], strokeWidth=1).encode(x=x, y=y)
    )
    cloud = altair.layer(diagonal, *_cloud(altair, rows, x, y, few)).properties(width=SIDE, height=SIDE)
    above = _side(altair, [a for a, _ in points], "x", scale, few).properties(width=SIDE, height=MARGIN)
    beside = _side(altair, [b for _, b in points], "y", scale, few).properties(width=MARGIN, height=SIDE)
    whole = altair.vconcat(above, altair.hconcat(cloud, beside, spacing=6), spacing=6)
    told = ", ".join(
        f"{name} {_shown(pair.statistics[key])}"
        for key, name in (("pearson", "Pearson"), ("spearman", "Spearman"), ("kendall", "Kendall"))
    )
    normalised = "" if agreement.setup.normalise == "none" else f", normalised: {agreement.setup.normalise}"
    subtitle = [
        f"{agreement.kind}{normalised}: {pair.items:,} items that both rated. Scores on the dashed line are the same.",
        f"{told} (95 % intervals).",
    ]
    return dress(whole, _title(first, second, points), subtitle)


def _points(agreement: Agreement, first: str, second: str) -> list[tuple[float, float]]:
    ratings = agreement.ratings
    found: list[dict[int, float]] = []
    for name in (first, second):
        rows = ratings.shared[ratings.rater[ratings.shared] == ratings.raters.index(name)]
        found.append(dict(zip(ratings.item[rows].tolist(), ratings.score[rows].tolist(), strict=True)))
    return [(found[0][item], found[1][item]) for item in found[0] if item in found[1]]


def _cloud(altair: Any, rows: list[dict[str, float]], x: Any, y: Any, few: bool) -> list[Any]:
    most = max(row["items"] for row in rows)
    base = altair.Chart(altair.Data(values=rows))
    if not few:
        size = altair.Size("items:Q", scale=altair.Scale(domain=[1, max(most, 2)], range=[22, 400]), legend=None)
        dots = base.mark_circle(color=COLORS[0], opacity=0.35).encode(
            x=x, y=y, size=size, tooltip=["x:Q", "y:Q", "items:Q"]
        )
        return [dots]
    # Area is number: the largest disc fills its cell.
    values = {row["x"] for row in rows} | {row["y"] for row in rows}
    cell = SIDE / (len(values) + 0.4)
    scale = altair.Scale(domain=[0, most], range=[0, 0.72 * cell**2])
    size = altair.Size("items:Q", scale=scale, legend=None)
    discs = base.mark_circle(color=COLORS[0], opacity=1).encode(x=x, y=y, size=size, tooltip=["x:Q", "y:Q", "items:Q"])
    # A number stands in its disc, or beside it where it does not fit in.
    inside = 260.0 * most / (0.72 * cell**2)
    words = base.encode(x=x, y=y, text="items:Q")
    return [
        discs,
        words.transform_filter(f"datum.items >= {inside}").mark_text(fontSize=11, color="white"),
        words.transform_filter(f"datum.items < {inside}").mark_text(fontSize=11, color=INK, align="left", dx=10),
    ]


def _side(altair: Any, scores: list[float], channel: str, scale: Any, few: bool) -> Any:
    """How often one judge gives which score, along an axis of the cloud."""
    if few:
        counted = sorted(Counter(scores).items())
        rows = [{"low": score - 0.32, "high": score + 0.32, "items": count} for score, count in counted]
    else:
        counts, edges = np.histogram(scores, bins=BINS, range=(scale.domain[0], scale.domain[1]))
        rows = [
            {"low": float(edges[bin_]), "high": float(edges[bin_ + 1]), "items": int(count)}
            for bin_, count in enumerate(counts)
        ]
    bars = altair.Chart(altair.Data(values=rows)).mark_rect(color="#BBBBBB", stroke="white", strokeWidth=0.5)
    none = altair.Axis(labels=False, grid=False, title=None)
    zero = altair.datum(0)
    if channel == "x":
        return bars.encode(
            x=altair.X("low:Q", scale=scale, axis=none), x2="high:Q", y=altair.Y("items:Q", axis=None), y2=zero
        )
    return bars.encode(
        y=altair.Y("low:Q", scale=scale, axis=none), y2="high:Q", x=altair.X("items:Q", axis=None), x2=zero
    )


def _title(first: str, second: str, points: list[tuple[float, float]]) -> str:
    same = sum(a == b for a, b in points)
    higher = sum(a > b for a, b in points)
    different = len(points) - same
    if not different:
        return f"{first} and {second} always give the same score"
    mild, share = (first, higher / different) if 2 * higher >= different else (second, 1.0 - higher / different)
    often = f"{same / len(points):.0%}"
    return f"{first} and {second} give {often} of items the same score; else {mild} is milder in {share:.0%}"


def _shown(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return show(estimate.value, 2)
    return f"{show(estimate.value, 2)} [{estimate.low:.2f}, {estimate.high:.2f}]"
