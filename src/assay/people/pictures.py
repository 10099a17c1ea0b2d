"""Pictures of metrics beside people, and of people beside each other: rows of long tables in, a figure out.

The first four are those of ``assay meta``, the others those of ``assay agreement``. Each says which columns it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any

from assay.errors import InputError
from assay.results import charts
from assay.results.charts import COLORS, GREY, INK, Axis, Mark, Rows, Spec
from assay.results.figure import Figure
from assay.results.rendering import bracketed

#: Statistics in the picture of correlations: one per level, the one that most people know.
_USUAL = (("system", "pearson", None), ("document", "pearson", "none"), ("segment", "kendall", "item"))
_GROUPED = {None: "", "none": ", all together", "item": ", within segments", "system": ", within systems"}
#: What the axis of correlations spans at least: below that, differences are nobody's concern.
_NARROWEST = 0.1
#: More raters than this do not fit; those at both ends are drawn.
_MANY_RATERS = 40
#: Up to so many different scores ratings are counted, and drawn as discs with their numbers.
_FEW_SCORES = 12
#: How raters stand to the average, and their colours.
_SIDES = {"more severe": COLORS[1], "not told from the average": GREY, "milder": COLORS[0]}
#: Pixels of the picture of two judges, and of the distributions at its sides.
_SIDE, _MARGIN = 380, 56


def drawn(*pictures: Callable[[], Figure]) -> Iterator[Figure]:
    """Those of the pictures for which there is something to draw."""
    for draw in pictures:
        with suppress(InputError):
            yield draw()


def correlations(results: Rows, *, said: str) -> Figure:
    """A dot with its interval per metric, and what a perfect metric would reach as a line; a panel per level.

    Results have metric, level, statistic, grouping, value, low, high and ceiling; ``said`` is what they rest on.
    """
    panels = []
    for level, *usual in _USUAL:
        measured = [row for row in results if row["level"] == level]
        cells = [[row["statistic"], row["grouping"]] for row in measured]
        # The usual statistic, or the first that was measured there.
        cell = usual if usual in cells else next(iter(cells), [])
        rows = [row for row in measured if [row["statistic"], row["grouping"]] == cell and row["value"] is not None]
        if rows:
            rows = [dict(row) | {"text": f"{row['value']:.2f}"} for row in sorted(rows, key=lambda row: -row["value"])]
            ceiling = rows[0]["ceiling"]
            ends = [row[end] for row in rows for end in ("value", "low", "high", "ceiling") if row[end] is not None]
            panels.append(
                charts.interval_dots(
                    rows, name="metric", value="value", ends=("low", "high"), label="text", label_above=True,
                    axis=Axis().over([*ends, max(ends) - _NARROWEST]), width=240, step=26,
                    marks=[] if ceiling is None else [Mark(ceiling, color=COLORS[1], dash=(5, 4))],
                    heading=f"{level} level: {cell[0]}{_GROUPED[cell[1]]}",
                )
            )  # fmt: skip
    if not panels:
        raise InputError("No statistic has a value, so there is nothing to draw.")
    has_ceiling = any(row["ceiling"] is not None for row in results)
    lines = [said, *(["dashed: what a metric that knows the true quality would reach, about"] if has_ceiling else [])]
    return charts.figure("correlations", charts.beside(*panels), "How far each metric follows people", lines)


def systems(points: Rows, results: Rows = (), *, kind: str, said: str) -> Figure:
    """Each system by metric and people, with both intervals and its name; outliers in another colour.

    Points have metric, system, score, low, high, higher_is_better, human, human_low, human_high and outlier; what
    Pearson says stands above where results (as in :func:`correlations`) have it.
    """
    panels = []
    for metric in _metrics(points):
        rows = [dict(row) | {"far": "far" if row["outlier"] else "near"} for row in points if row["metric"] == metric]
        panels.append(
            charts.scatter(
                rows, x="human", y="score", name="system", x_ends=("human_low", "human_high"), y_ends=("low", "high"),
                kind="far", colors={"near": COLORS[0], "far": COLORS[1]}, area=55, opacity=1,
                across=Axis(title=f"people ({kind})"), up=Axis(title=metric, reverse=not rows[0]["higher_is_better"]),
                heading=_with_pearson(metric, results), width=320, height=280,
            )
        )  # fmt: skip
    outliers = list(dict.fromkeys(row["system"] for row in points if row["outlier"]))
    far = [f"orange: far from the others in the eyes of people ({', '.join(outliers)})"] if outliers else []
    return charts.figure("systems", charts.panels(panels), "Systems as metrics and as people see them", [said, *far])


def _metrics(points: Rows) -> list[str]:
    if not points:
        raise InputError("This picture is of scores of systems, which were not measured: --level system.")
    return list(dict.fromkeys(row["metric"] for row in points))


def _with_pearson(metric: str, results: Rows) -> str:
    cell = (metric, "system", "pearson")
    rows = (row for row in results if (row["metric"], row["level"], row["statistic"]) == cell)
    row = next(rows, {"value": None})
    return metric if row["value"] is None else f"{metric}: Pearson {_shown(row)}"


def pairs_of(points: Rows) -> list[dict[str, Any]]:
    """Every two systems of one metric: what people give the better one more, and the metric, upwards if it agrees.

    Points have system, score, human and higher_is_better; those of a different ``text`` are not compared.
    """
    pairs = []
    for first, second in combinations(points, 2):
        if first.get("text") != second.get("text"):
            continue
        better, worse = (first, second) if first["human"] >= second["human"] else (second, first)
        score = (better["score"] - worse["score"]) * (1.0 if first["higher_is_better"] else -1.0)
        pair = {"human": better["human"] - worse["human"], "score": score, "text": first.get("text", "")}
        pairs.append(pair | {"pair": f"{better['system']} – {worse['system']}"})
    return pairs


def differences(points: Rows, *, said: str) -> Figure:
    """Each pair of systems: how much better people find the better one, and what the metric says; points as above."""
    panels = []
    for metric in _metrics(points):
        pairs = pairs_of([row for row in points if row["metric"] == metric])
        rows = [pair | {"verdict": "agree" if pair["score"] > 0 else "disagree"} for pair in pairs]
        agreed = sum(row["verdict"] == "agree" for row in rows)
        panels.append(
            charts.scatter(
                rows, x="human", y="score", kind="verdict", colors={"agree": COLORS[0], "disagree": COLORS[1]},
                across=Axis(title="people: better less worse system"),
                up=Axis(title=f"{metric}: the same difference", zero=True),
                heading=f"{metric}: {agreed} of {len(rows)} pairs in the same order",
            )
        )  # fmt: skip
    dots = "each dot is a pair of systems; orange: the metric prefers the one that people find worse"
    title = "Differences between systems: people against metrics"
    return charts.figure("differences", charts.panels(panels), title, [said, dots])


def top(rows: Rows, *, said: str) -> Figure:
    """A statistic over the best k systems only, as k shrinks: metric, statistic, n, value; the first statistic."""
    statistic = rows[0]["statistic"] if rows else ""
    rows = [row for row in rows if row["statistic"] == statistic and row["value"] is not None]
    if not rows:
        raise InputError("Curves over the best systems need scores of at least four systems: --level system.")
    sizes = range(min(row["n"] for row in rows), max(row["n"] for row in rows) + 1)
    whole = charts.lines(
        rows, x="n", y="value", series="metric",
        across=Axis(title="best systems in the eyes of people", reverse=True, ticks=sizes, format="d"),
        up=Axis(title=statistic, zero=any(row["value"] < 0 for row in rows)),
    )  # fmt: skip
    title = f"{statistic.capitalize()} over the best systems only"
    return charts.figure("top", whole, title, [said])


def judges(
    counts: Rows, statistics: Mapping[str, Mapping[str, Any]], *, first: str, second: str, kind: str, said: str = ""
) -> Figure:
    """Two judges against each other, rating by rating (Figure 3 of Turian, Shen & Melamed, 2003).

    Counts have first and second, the scores, and items, how many got both. Statistics are by name, such as pearson,
    with value, low and high. ``said`` is a word about normalisation.
    """
    if not counts:
        raise InputError(f"{first} and {second} have no items in common, so there is nothing to draw.")
    scores = sorted({row[judge] for row in counts for judge in ("first", "second")})
    few = len(scores) <= _FEW_SCORES
    margin = 0.6 if few else 0.03 * ((scores[-1] - scores[0]) or 1.0)
    domain = (scores[0] - margin, scores[-1] + margin)
    axes = [Axis(title=f"{judge}'s score", domain=domain, ticks=scores if few else 6) for judge in (first, second)]
    cell, most = _SIDE / (len(scores) + 0.4), max(row["items"] for row in counts)
    # Area is number: the largest disc fills its cell. A number stands in its disc, or beside it where it does not fit.
    largest = 0.72 * cell**2 if few else min(400.0, 22.0 * most)
    discs = [dict(row) | {"area": max(largest * row["items"] / most, 0.0 if few else 22.0)} for row in counts]
    for disc in discs:
        number, fits = str(disc["items"]) if few else "", disc["area"] >= 260
        disc |= {"inside": number if fits else "", "beside": "" if fits else number}
    cloud = charts.scatter(
        discs, x="first", y="second", size="area", inside="inside", label="beside", identity=True, across=axes[0],
        up=axes[1], opacity=1 if few else 0.35, width=_SIDE, height=_SIDE,
    )  # fmt: skip
    bare = Axis(domain=domain, shown=False)
    sides: Spec = {"start": "from", "end": "to", "count": "items", "color": "#BBBBBB", "across": bare}
    sides["up"] = Axis(shown=False)
    over = charts.histogram(_side(counts, "first", domain, few=few), width=_SIDE, height=_MARGIN, **sides)
    beside = charts.histogram(
        _side(counts, "second", domain, few=few), width=_MARGIN, height=_SIDE, sideways=True, **sides
    )
    shown = ", ".join(f"{name.capitalize()} {_shown(statistics[name])}" for name in statistics)
    known = any(row["low"] is not None for row in statistics.values())
    items = sum(row["items"] for row in counts)
    subtitle = [
        f"{kind}{said}: {items:,} items that both rated. Scores on the dashed line are the same.",
        f"{shown}{'; 95 % intervals' if known else ''}.",
    ]
    whole = charts.above(over, charts.beside(cloud, beside, spacing=6), spacing=6)
    return charts.figure("judges", whole, _judged(first, second, counts, items), subtitle)


def _side(counts: Rows, judge: str, domain: tuple[float, float], *, few: bool) -> list[dict[str, float]]:
    """How often one judge gives which score: a bar for each, or for each of 24 bins."""
    totals: dict[float, float] = {}
    width = (domain[1] - domain[0]) / 24
    for row in counts:
        middle = row[judge] if few else domain[0] + (int((row[judge] - domain[0]) / width) + 0.5) * width
        totals[middle] = totals.get(middle, 0) + row["items"]
    half = 0.32 if few else width / 2
    return [{"from": middle - half, "to": middle + half, "items": items} for middle, items in sorted(totals.items())]


def _judged(first: str, second: str, counts: Rows, items: int) -> str:
    same = sum(row["items"] for row in counts if row["first"] == row["second"])
    higher = sum(row["items"] for row in counts if row["first"] > row["second"])
    if same == items:
        return f"{first} and {second} always give the same score"
    share = higher / (items - same)
    mild, often = (first, share) if share >= 0.5 else (second, 1.0 - share)
    return f"{first} and {second} give {same / items:.0%} of items the same score; else {mild} is milder in {often:.0%}"


def _shown(row: Mapping[str, Any]) -> str:
    value = "–" if row["value"] is None else f"{row['value']:.2f}"
    return f"{value}{bracketed(row['low'], row['high'], '.2f')}"


def _from_both_ends(rows: Sequence[Any]) -> list[Any]:
    return list(rows) if len(rows) <= _MANY_RATERS else [*rows[: _MANY_RATERS // 2], *rows[-_MANY_RATERS // 2 :]]


def severity(raters: Rows, *, said: str) -> Figure:
    """A dot with its interval per rater, the most severe on top: rater, severity, severity_low, severity_high.

    ``said`` is what was rated by whom: adequacy: 900 ratings by 3 raters.
    """
    known = [row for row in raters if row["severity"] is not None]
    if not known:
        raise InputError("Severity needs at least two raters whose scores differ.")
    rows = []
    for row in _from_both_ends(known):
        low, high = row["severity_low"] or 0.0, row["severity_high"] or 0.0
        severe, unknown, mild = _SIDES
        side = severe if low > 0.0 else mild if high < 0.0 else unknown
        rows.append(dict(row) | {"side": side, "text": f"{row['severity']:+.2f}".replace("-", "−")})
    whole = charts.interval_dots(
        rows, name="rater", value="severity", ends=("severity_low", "severity_high"), label="text", kind="side",
        colors=_SIDES,
        axis=Axis(title="Points below the average rater on the same work", ticks=6, zero=True), width=440, step=22,
    )  # fmt: skip
    first, last = rows[0], rows[-1]
    apart = first["severity"] - last["severity"]
    title = f"{first['rater']} is the most severe rater, {last['rater']} the mildest: {apart:.2f} points apart"
    part = "" if len(rows) == len(known) else f" {len(rows)} of {len(known)} raters, from both ends."
    return charts.figure(
        "severity", charts.above(whole, charts.key(_SIDES)), title, [f"{said}. Bars are 95 % intervals.{part}"]
    )


def distributions(rows: Rows, *, method: str, meaning: str, said: str) -> Figure:
    """Quartiles and tails per rater, raw and normalised, side by side.

    Rows have rater, scores (raw or normalised), p5, p25, p50, p75, p95 and mean; ``method`` is the normalisation,
    and ``meaning`` what it does.
    """
    names = _from_both_ends(list(dict.fromkeys(row["rater"] for row in rows)))
    panels, means = [], {}
    for scores, title, color in (("raw", "Raw scores", COLORS[0]), ("normalised", f"After {method}", COLORS[1])):
        given = [row for row in rows if row["scores"] == scores]
        means[scores] = [row["mean"] for row in given]
        panels.append(
            charts.interval_dots(
                [row for row in given if row["rater"] in names], name="rater", value="mean", ends=("p5", "p95"),
                box=("p25", "p75"), ticks="p50", order=names, axis=Axis(title=title, ticks=6), color=color,
                names=scores == "raw", step=22,
            )
        )  # fmt: skip
    low, high = min(means["raw"]), max(means["raw"])
    title = f"Mean scores of raters lie between {low:.2f} and {high:.2f}"
    if max(means["normalised"]) - min(means["normalised"]) < high - low:
        title += " before, and come closer after"
    line = "Line: 5 to 95 % of a rater's scores; box: the middle half; tick: the median; dot: the mean."
    what = f"{said}. {meaning[:1].upper()}{meaning[1:]}."
    return charts.figure("distributions", charts.beside(*panels, spacing=36), title, [line, what])


def normalisation(rows: Rows, effect: Rows, *, said: str) -> Figure:
    """Ranks of the systems, normalisation by normalisation, as lines that cross where systems change places.

    Rows have method, system and rank; effect has method and tau, with the ranks of raw scores.
    """
    rows = [row for row in rows if row["rank"] is not None]
    methods = list(dict.fromkeys(row["method"] for row in rows))
    ranks: dict[str, list[int]] = {}
    for row in rows:
        ranks.setdefault(row["system"], []).append(row["rank"])
    if len(ranks) < 2:
        raise InputError("The ranking of systems needs at least two systems that were judged on the same segments.")
    moved = {system for system, places in ranks.items() if len(set(places)) > 1}
    # The most restless systems have the colours; the others stay grey.
    restless = sorted(moved, key=lambda system: (min(ranks[system]) - max(ranks[system]), system))[: len(COLORS) - 1]
    places = [dict(row) | {"place": methods.index(row["method"])} for row in rows]
    count = len(methods)
    whole = charts.lines(
        places, x="place", y="rank", series="system", inside="rank", dots=230, names=("left", "right"), ink=INK,
        colors=dict.fromkeys(ranks, GREY) | charts.palette(restless), dashes=dict.fromkeys(ranks, (1, 0)),
        across=Axis(domain=(-0.5, count - 0.5), ticks=range(count), labels=methods, on_top=True, grid=False),
        up=Axis(domain=(0.5, len(ranks) + 0.5), reverse=True, shown=False), width=110 * count, height=26 * len(ranks),
    )  # fmt: skip
    title = "No normalisation changes the order of the systems"
    if moved:
        title = f"{len(moved)} of {len(ranks)} systems change places with the normalisation"
    taus = [f"{row['method']} {row['tau']:.2f}" for row in effect[1:] if row["tau"] is not None]
    rest = [f"{said}. Ranks of mean human scores.", f"Kendall's τ with the ranks of raw scores: {', '.join(taus)}."]
    return charts.figure("normalisation", whole, title, rest)
