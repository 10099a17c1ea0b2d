"""Pictures of what was learnt and of what was tuned: rows of long tables in, a figure out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.errors import InputError
from assay.results import charts
from assay.results.charts import COLORS, GREY, INK, MUTED, Axis, Mark, Rows, Spec
from assay.results.figure import Figure

#: What the models are called that learn nothing.
_SPOKEN = {
    "majority": "most frequent grade",
    "best-single": "best single feature",
    "uniform": "mean, untrained",
    "rank-average": "mean of ranks, untrained",
}
#: Leaves of a tree that a page has room for.
_MOST_LEAVES = 24
#: Features of a model that stands for itself: all of them, none, or one that it chose.
WHOLE = ("all", "none", "one, chosen inside")


def learnt(
    results: Rows, confusions: Rows = (), calibration: Rows = (), *,
    models: Sequence[str], tasks: Sequence[str], group: str, said: Sequence[str],
) -> Figure:  # fmt: skip
    """Who is right how often, what is taken for what, how sure, and because of what.

    Results have model, task, features, statistic, value, low, high and group, of which those of ``group`` are drawn.
    Confusions have model, truth, predicted and n, in the order of the grades; calibration has model, n, certainty,
    accuracy, accuracy_low and accuracy_high. The last three panels are those of the best model of the first task of
    grades, if there is one.
    """
    kept = [row for row in results if row["group"] == group]
    scored = ("regression", "pairwise")
    task = next((name for name in tasks if name not in scored), tasks[0])
    statistic = "spearman" if task == "regression" else "accuracy"
    whole = [row for row in kept if (row["task"], row["statistic"]) == (task, statistic) and row["features"] in WHOLE]
    upper, lower = [_models(whole, task, models)], []
    if task not in scored:
        right = {row["model"]: row["value"] for row in whole if row["features"] == "all"}
        best = max(models, key=lambda name: right.get(name) or -1.0)
        taken, sure = ([row for row in rows if row["model"] == best] for rows in (confusions, calibration))
        about = (best, task, "permutation-importance")
        worth = [row for row in kept if (row["model"], row["task"], row["statistic"]) == about]
        upper += [_confusion(taken, best)] if taken else []
        lower += [_calibration(sure, best)] if sure else []
        lower += [_importance(worth, best)] if worth else []
    spec = charts.beside(*upper, spacing=48)
    if lower:
        spec = charts.above(spec, charts.beside(*lower, spacing=48), spacing=36)
    return charts.figure("learnt", spec, "How well metrics together predict what people say", said)


def _times(
    row: Mapping[str, Any], factor: float, names: Sequence[str] = ("value", "low", "high"), **more: Any
) -> dict[str, Any]:
    """The row with these numbers times a factor, where there are any, and more cells."""
    return dict(row) | {name: None if row[name] is None else factor * row[name] for name in names} | more


def _models(rows: Rows, task: str, models: Sequence[str]) -> Spec:
    """A dot with its interval per model; what learns nothing is grey."""
    factor, digits = (1.0, 2) if task == "regression" else (100.0, 1)
    shown = [
        _times(
            row, factor, name=_spoken(row["model"]), text=f"{factor * row['value']:.{digits}f}",
            kind="learnt" if row["model"] in (*models, "preference") else "baseline",
        )
        for row in rows
        if row["value"] is not None
    ]  # fmt: skip
    if not shown:
        raise InputError("No statistic has a value, so there is nothing to draw.")
    return charts.interval_dots(
        shown, name="name", value="value", ends=("low", "high"), label="text", kind="kind",
        colors={"baseline": GREY, "learnt": COLORS[0]}, heading=f"Who is how good at {task}",
        axis=Axis(title="Spearman" if task == "regression" else "right answers, %", ticks=6),
    )  # fmt: skip


def _spoken(model: str) -> str:
    if model.startswith("best-single-"):
        return f"{_SPOKEN['best-single']} ({model.removeprefix('best-single-')})"
    return _SPOKEN.get(model, model)


def _confusion(rows: Rows, model: str) -> Spec:
    """Shares of each true grade, in its row; the highest grade is on top."""
    labels = list(dict.fromkeys(str(row["truth"]) for row in rows))
    totals = {label: sum(row["n"] for row in rows if str(row["truth"]) == label) for label in labels}
    shares = [100.0 * row["n"] / max(totals[str(row["truth"])], 1) for row in rows]
    cells = [dict(row) | {"share": share, "text": f"{share:.0f}"} for row, share in zip(rows, shares, strict=True)]
    side = max(34, min(56, 280 // len(labels)))
    return charts.heat_grid(
        cells, column="predicted", line="truth", shade="share", text="text", columns=labels, lines_=labels[::-1],
        reach=80, colors=("#FFFFFF", "#F2F6FA", "#08519C"), across=f"grade by {model}", up="grade by people",
        cell=(side, 0.8 * side), heading=f"{model}: what each grade is taken for, % of the row",
    )  # fmt: skip


def _calibration(rows: Rows, model: str) -> Spec:
    """How often right beside how sure; on the line both are equal."""
    names = ("certainty", "accuracy", "accuracy_low", "accuracy_high")
    shown = [_times(row, 100, names, text=f"{row['n']:,}") for row in rows]
    axis = Axis(domain=(0.0, 100.0), ticks=6)
    return charts.scatter(
        shown, x="certainty", y="accuracy", y_ends=("accuracy_low", "accuracy_high"), label="text", identity=True,
        area=70, opacity=1, across=replace(axis, title=f"how sure {model} is, %"),
        up=replace(axis, title="how often it is right, %"),
        heading=f"{model}: as often right as sure? (numbers: translations)",
    )  # fmt: skip


def _importance(rows: Rows, model: str) -> Spec:
    """What each feature is worth to the model: the right answers that are lost when it is shuffled."""
    ordered = sorted(rows, key=lambda row: -(row["value"] or 0.0))[:15]
    return charts.interval_dots(
        [_times(row, 100.0, text=f"{100 * (row['value'] or 0.0):+.1f}") for row in ordered],
        name="features", value="value", ends=("low", "high"), label="text", width=260, step=20,
        axis=Axis(title="right answers lost when shuffled, points", ticks=6, zero=True),
        heading=f"{model}: what each feature is worth",
    )  # fmt: skip


def tree(nodes: Rows, *, task: str, said: str) -> Figure:
    """A decision tree: on each branch its condition, at each leaf the grade that it gives and what people gave.

    Nodes have node, parent, condition, prediction, translations and, of grades, ``right`` and ``count_<grade>``; where
    there are too many leaves, branches are cut off, and it is said how many leaves are behind them.
    """
    shown = _cut(nodes)
    counts = [name for name in nodes[0] if name.startswith("count_")]
    grades = {name: name.removeprefix("count_") for name in counts}
    spec = charts.branching(shown, shares=grades or None, colors=(colors := _shades([*grades.values()])))
    if grades:
        spec = charts.above(charts.key(colors, title="what people gave"), spec, spacing=12)
    behind = "the grade that the tree gives" if grades else "the score that the tree gives"
    told = [said, f"behind each leaf: {behind}, and to how many of the translations that it was learnt from"]
    return charts.figure("tree", spec, f"The decision tree for {task}", told)


def _shades(names: Sequence[str]) -> dict[str, str]:
    """From the worst to the best, told apart by lightness, too."""
    ends = [(166, 54, 3), (217, 217, 217), (8, 81, 156)]
    colors = {}
    for place, name in enumerate(names):
        at = 2.0 * place / max(len(names) - 1, 1)
        first, second = (ends[0], ends[1]) if at < 1 else (ends[1], ends[2])
        share = at if at < 1 else at - 1
        colors[name] = "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in zip(first, second, strict=True))
    return colors


def _cut(nodes: Rows) -> list[dict[str, Any]]:
    """The nodes that fit on a page, each with what stands behind it where it is a leaf, or has lost its branches."""
    depth: dict[Any, int] = {}
    below = dict.fromkeys((row["node"] for row in nodes), 0)
    for row in nodes:
        depth[row["node"]] = 0 if row["parent"] is None else depth[row["parent"]] + 1
    for row in reversed(nodes):
        below[row["node"]] += bool(row["leaf"])
        if row["parent"] is not None:
            below[row["parent"]] += below[row["node"]]
    deepest = max(depth.values())
    while deepest > 1 and _ends(nodes, depth, deepest) > _MOST_LEAVES:
        deepest -= 1
    shown = []
    for row in nodes:
        if depth[row["node"]] > deepest:
            continue
        number = row["translations"]
        right = "" if row.get("right") is None else f", {100 * row['right']:.0f} % right"
        prediction = row["prediction"] if isinstance(row["prediction"], str) else f"{row['prediction']:.2f}"
        hidden = "" if row["leaf"] or depth[row["node"]] < deepest else f" ({below[row['node']]} leaves behind it)"
        text = row["condition"] or f"all {number:,}"
        shown.append(dict(row) | {"condition": text, "said": f"{prediction}: {number:,}{right}{hidden}"})
    return shown


def _ends(nodes: Rows, depth: Mapping[Any, int], deepest: int) -> int:
    """How many leaves there are where nothing below this depth is drawn."""
    at = [depth[row["node"]] for row in nodes if row["leaf"] or depth[row["node"]] == deepest]
    return sum(place <= deepest for place in at)


def tuned(
    curves: Rows, parameters: Rows, chosen: Rows, *, metric: str, statistic: str, said: str
) -> Figure:  # fmt: skip
    """The statistic over each parameter, in training and on held-out folds, the others as each fold chose them.

    Curves have parameter, value, training and held_out; parameters have parameter, default, tuned and, where it is
    looked for in ratios, log; what the folds chose has parameter and value.
    """
    known = [row for row in curves if row["training"] is not None]
    if not known:
        raise InputError("This result has no curves to draw. Tune with curves=True.")
    up = Axis(title=f"{statistic} with people").over(
        (row[name] for row in known for name in ("training", "held_out")), margin=0.08
    )
    drawn = [one for one in parameters if any(row["parameter"] == one["parameter"] for row in known)]
    # Two of four, so that no line is left with one.
    columns = {1: 1, 2: 2, 4: 2}.get(len(drawn), 3)
    panels = []
    for place, one in enumerate(drawn):
        own = [row for row in known if row["parameter"] == one["parameter"]]
        rug = [row["value"] for row in chosen if row["parameter"] == one["parameter"]]
        panels.append(_parameter(own, one, rug, replace(up, title=up.title if place % columns == 0 else None)))
    told = "mean over folds: blue on the fold that is held out, dashed where the numbers were chosen; "
    subtitle = [said, f"{told}ticks below are the choices of the folds"]
    return charts.figure("tuned", charts.panels(panels, columns=columns), f"Tuning {metric}", subtitle)


def _parameter(rows: Rows, one: Mapping[str, Any], rug: Sequence[float | None], up: Axis) -> Spec:
    """Both curves, the present value and the tuned one, and what the folds chose."""
    series = [
        {"at": row["value"], "value": row[name], "curve": name} for name in ("training", "held_out") for row in rows
    ]
    marks = []
    for name, value, color, dash in (("as it is", one["default"], MUTED, (2, 3)), ("tuned", one["tuned"], INK, (1, 0))):
        if value is not None and (name == "as it is" or value != one["default"]):
            at = min(rows, key=lambda row: abs(row["value"] - value))
            marks.append(
                Mark(at["value"], f"{name} {value:.3g}", color, dash, at["held_out"] if len(rows) > 1 else None)
            )
    return charts.lines(
        series, x="at", y="value", series="curve", colors={"training": COLORS[1], "held_out": COLORS[0]}, dots=0,
        names=(), dashes={"training": (5, 4)}, marks=marks, rug=[at for at in rug if at is not None], up=up,
        across=Axis(title=one["parameter"], log=bool(one.get("log")), grid=False, format="~g"), width=250, height=210,
    )  # fmt: skip
