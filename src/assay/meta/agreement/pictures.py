"""Pictures of judges: two against each other, how severe they are, what scores they give, what normalising does."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from assay.errors import InputError, ParameterError, UnknownName
from assay.figures import COLORS, INK, MUTED, dress, load_altair
from assay.meta.agreement.result import PICTURES, Agreement
from assay.meta.agreement.two_judges import judges
from assay.meta.normalise import METHODS, normalise

#: More raters than this do not fit; those at both ends are drawn.
MANY_RATERS = 40
#: The normalisation that is drawn beside raw scores, where none was chosen.
BESIDE = "z"


def draw(agreement: Agreement, picture: str, raters: str | None = None) -> Any:
    """One of the pictures, as an Altair chart."""
    if picture not in PICTURES:
        raise UnknownName.of("picture", picture, PICTURES)
    if not agreement.raters:
        raise InputError(f"{agreement.origin}: rankings have no scores to draw.")
    if raters is not None and picture != "judges":
        raise ParameterError("raters chooses two judges: it goes with the picture judges.")
    if picture == "judges":
        return judges(agreement, raters)
    return {"severity": severity, "distributions": distributions, "normalisation": normalisation}[picture](agreement)


def severity(agreement: Agreement) -> Any:
    """A dot with its interval per rater, the most severe on top."""
    altair = load_altair()
    known = [rater for rater in agreement.raters if rater.severity.value is not None]
    if not known:
        raise InputError(f"{agreement.origin}: severity needs at least two raters whose scores differ.")
    shown = known if len(known) <= MANY_RATERS else [*known[: MANY_RATERS // 2], *known[-MANY_RATERS // 2 :]]
    rows: list[dict[str, Any]] = []
    for rater in shown:
        low, high = rater.severity.low or 0.0, rater.severity.high or 0.0
        side = "more severe" if low > 0.0 else "milder" if high < 0.0 else "not told from the average"
        rows.append(
            {
                "rater": rater.name,
                "value": rater.severity.value,
                "low": low,
                "high": high,
                "side": side,
                "ratings": rater.ratings,
                "label": f"{rater.severity.value:+.2f}".replace("-", "−"),
            }
        )
    base = altair.Chart(altair.Data(values=rows)).encode(
        y=altair.Y("rater:N", sort=[rater.name for rater in shown], title=None, axis=altair.Axis(grid=False)),
        color=altair.Color(
            "side:N",
            scale=altair.Scale(
                domain=["more severe", "not told from the average", "milder"], range=[COLORS[1], "#767676", COLORS[0]]
            ),
            legend=altair.Legend(
                title=None, orient="bottom", direction="horizontal", symbolType="circle", symbolOpacity=1
            ),
        ),
    )
    # Room for the numbers at both ends.
    ends = [min(row["low"] for row in rows), max(row["high"] for row in rows)]
    room = 0.14 * ((ends[1] - ends[0]) or 1.0)
    across = altair.X(
        "low:Q",
        title="Points below the average rater on the same work",
        axis=altair.Axis(tickCount=6),
        scale=altair.Scale(domain=[ends[0] - room, ends[1] + room], nice=False),
    )
    zero = altair.Chart(altair.Data(values=[{"zero": 0}])).mark_rule(color=MUTED).encode(x="zero:Q")
    bars = base.mark_rule(strokeWidth=2.5, opacity=0.5).encode(x=across, x2="high:Q")
    tips = ["rater:N", "value:Q", "low:Q", "high:Q", "ratings:Q"]
    dots = base.mark_circle(size=70, opacity=1).encode(x="value:Q", tooltip=tips)
    # Numbers stand at the outer end, away from the line of the average.
    right = base.transform_filter(altair.datum.value >= 0.0).mark_text(align="left", dx=7, fontSize=11)
    left = base.transform_filter(altair.datum.value < 0.0).mark_text(align="right", dx=-7, fontSize=11)
    words = (right.encode(x="high:Q", text="label:N"), left.encode(x="low:Q", text="label:N"))
    chart = altair.layer(zero, bars, dots, *words).properties(width=440, height=altair.Step(22))
    first, last = shown[0], shown[-1]
    apart = (first.severity.value or 0.0) - (last.severity.value or 0.0)
    title = f"{first.name} is the most severe rater, {last.name} the mildest: {apart:.2f} points apart"
    part = "" if len(shown) == len(known) else f" {len(shown)} of {len(known)} raters, from both ends."
    return dress(chart, title, [f"{_about(agreement)}. Bars are 95 % intervals.{part}"])


def distributions(agreement: Agreement) -> Any:
    """Quartiles and tails per rater, raw and normalised, side by side."""
    altair = load_altair()
    method = agreement.setup.normalise if agreement.setup.normalise != "none" else BESIDE
    after = agreement.ratings.score
    if agreement.setup.normalise == "none":
        after = normalise(agreement.raw.judgements, method).score
    names = [rater.name for rater in agreement.raters]
    if len(names) > MANY_RATERS:
        names = [*names[: MANY_RATERS // 2], *names[-MANY_RATERS // 2 :]]
    panels = []
    for title, scores, color in (("Raw scores", agreement.raw.score, COLORS[0]), (f"After {method}", after, COLORS[1])):
        rows = []
        for name in names:
            mine = scores[agreement.raw.rater == agreement.raw.raters.index(name)]
            levels = dict(
                zip(("p5", "p25", "p50", "p75", "p95"), np.quantile(mine, (0.05, 0.25, 0.5, 0.75, 0.95)), strict=True)
            )
            rows.append(
                {"rater": name, **{key: float(value) for key, value in levels.items()}, "mean": float(mine.mean())}
            )
        first = title == "Raw scores"
        y = altair.Y("rater:N", sort=names, title=None, axis=altair.Axis(grid=False) if first else None)
        base = altair.Chart(altair.Data(values=rows)).encode(y=y)
        across = altair.X("p5:Q", title=title, axis=altair.Axis(tickCount=6), scale=altair.Scale(zero=False, nice=True))
        panels.append(
            altair.layer(
                base.mark_rule(color=color, strokeWidth=1.5, opacity=0.7).encode(x=across, x2="p95:Q"),
                base.mark_bar(color=color, height=10, opacity=0.35).encode(x="p25:Q", x2="p75:Q"),
                base.mark_tick(color=color, thickness=3, height=14).encode(x="p50:Q"),
                base.mark_circle(color=INK, size=26, opacity=1).encode(x="mean:Q", tooltip=["rater:N", "mean:Q"]),
            ).properties(width=300, height=altair.Step(22))
        )
    means = [rater.mean for rater in agreement.raters]
    title = f"Mean scores of raters lie between {min(means):.2f} and {max(means):.2f} before, and come closer after"
    if np.ptp(_means(agreement, after)) >= np.ptp(means):
        title = f"Mean scores of raters lie between {min(means):.2f} and {max(means):.2f}"
    said = [
        "Line: 5 to 95 % of a rater's scores; box: the middle half; tick: the median; dot: the mean.",
        f"{_about(agreement)}. {METHODS[method][0].upper()}{METHODS[method][1:]}.",
    ]
    return dress(altair.hconcat(*panels, spacing=36), title, said)


def _means(agreement: Agreement, scores: Any) -> list[float]:
    raw = agreement.raw
    return [float(scores[raw.rater == code].mean()) for code in range(len(raw.raters))]


def normalisation(agreement: Agreement) -> Any:
    """Ranks of the systems, normalisation by normalisation, as lines that cross where systems change places."""
    altair = load_altair()
    effects = agreement.effects
    if effects is None or len({one.system for one in effects.systems}) < 2:
        raise InputError(f"{agreement.origin}: the ranking of systems needs at least two systems.")
    methods = list(METHODS)
    ranks: dict[str, list[int]] = {}
    for one in effects.systems:
        ranks.setdefault(one.system, []).append(one.rank)
    moved = {system for system, places in ranks.items() if len(set(places)) > 1}
    # The most restless systems have the colours; the others stay grey.
    restless = sorted(moved, key=lambda system: (min(ranks[system]) - max(ranks[system]), system))[: len(COLORS) - 1]
    rows = [
        {
            "system": one.system,
            "method": one.method,
            "rank": one.rank,
            "score": one.score.value,
            "color": one.system if one.system in restless else "others",
        }
        for one in effects.systems
    ]
    scale = altair.Scale(domain=[*restless, "others"], range=[*COLORS[: len(restless)], "#999999"])
    base = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("method:N", sort=methods, title=None, axis=altair.Axis(labelAngle=0, orient="top", grid=False)),
        y=altair.Y("rank:Q", scale=altair.Scale(reverse=True, domain=[0.5, len(ranks) + 0.5]), axis=None),
        color=altair.Color("color:N", scale=scale, legend=None),
    )
    lines = base.mark_line(strokeWidth=2.5, opacity=0.9).encode(detail="system:N")
    dots = base.mark_circle(size=230, opacity=1).encode(tooltip=["system:N", "method:N", "rank:Q", "score:Q"])
    numbers = base.mark_text(fontSize=10, fontWeight="bold").encode(text="rank:Q", color=altair.value("white"))
    left = base.transform_filter(altair.datum.method == methods[0])
    right = base.transform_filter(altair.datum.method == methods[-1])
    names = (
        left.mark_text(align="right", dx=-16, fontSize=12).encode(text="system:N", color=altair.value(INK)),
        right.mark_text(align="left", dx=16, fontSize=12).encode(text="system:N", color=altair.value(INK)),
    )
    chart = altair.layer(lines, dots, numbers, *names).properties(width=altair.Step(110), height=26 * len(ranks))
    title = (
        f"{len(moved)} of {len(ranks)} systems change places with the normalisation"
        if moved
        else "No normalisation changes the order of the systems"
    )
    taus = [f"{row['method']} {row['tau']:.2f}" for row in effects.summary()[1:] if row["tau"] is not None]
    return dress(
        chart,
        title,
        [
            f"{_about(agreement)}. Ranks of mean human scores.",
            f"Kendall's τ with the ranks of raw scores: {', '.join(taus)}.",
        ],
    )


def _about(agreement: Agreement) -> str:
    count = Counter(agreement.raw.rater.tolist())
    return f"{agreement.kind}: {len(agreement.raw):,} ratings by {len(count)} raters"
