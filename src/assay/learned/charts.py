"""The picture of what was learnt: who is right how often, what is taken for what, how sure, and because of what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.errors import InputError
from assay.figures import COLORS, INK, MUTED, RULE, dress, load_altair
from assay.learned.result import Learning, Result
from assay.learned.trials.results import BEST_SINGLE, MAJORITY

#: Baselines and models are told apart by colour, and by their order.
BASELINE, LEARNT = "baseline", "learnt"
BAR_COLORS = {BASELINE: "#999999", LEARNT: COLORS[0]}
#: Room for a bar and its name.
STEP = 24
#: About so many numbers fit under the axis with room between them.
TICKS = 6


def chart(found: Learning) -> Any:
    """Accuracies; of the best model the confusion, the calibration, and what each feature is worth."""
    altair = load_altair()
    task = next((name for name in found.setup.tasks if name not in ("regression", "pairwise")), None)
    if task is None:
        return _dressed(altair.hconcat(_bars(altair, found, found.setup.tasks[0])), found)
    best = max(found.setup.models, key=lambda name: _accuracy(found, name, task))
    upper = [_bars(altair, found, task)]
    if best in found.confusions:
        upper.append(_confusion(altair, found, best))
    lower = [
        panel
        for panel in (_calibration(altair, found, best), _importance(altair, found, task, best))
        if panel is not None
    ]
    rows = [altair.hconcat(*panels, spacing=48) for panels in (upper, lower) if panels]
    return _dressed(altair.vconcat(*rows, spacing=36).resolve_scale(color="independent"), found)


def _dressed(whole: Any, found: Learning) -> Any:
    setup = found.setup
    together = "dealt out at random" if setup.group == "none" else f"that keep each {setup.group} together"
    size = f"{len(found.examples):,} translations"
    about = f"{found.examples.campaign.name}, {setup.kind}, {size}, {setup.folds} folds {together}"
    return dress(
        whole,
        "How well metrics together predict what people say",
        [about, f"lines span 95 % of {setup.samples:,} samples of {setup.unit}s"],
    )


def _accuracy(found: Learning, model: str, task: str) -> float:
    value = next((one.value for one in found.find(model=model, task=task, statistic="accuracy", features="all")), None)
    return -1.0 if value is None else value


def _title(text: str) -> dict[str, Any]:
    return {"text": text, "anchor": "start", "fontSize": 12, "fontWeight": "bold", "color": INK}


def _bars(altair: Any, found: Learning, task: str) -> Any:
    """A dot with its interval per model, baselines first."""
    statistic, factor, unit = (
        ("spearman", 1.0, "Spearman") if task == "regression" else ("accuracy", 100.0, "right answers, %")
    )
    kinds = ("all", "none", "one, chosen inside")
    results = [
        one for one in found.find(task=task, statistic=statistic) if one.features in kinds and one.value is not None
    ]
    if not results:
        raise InputError("No statistic has a value, so there is nothing to draw.")
    learnt = (*found.setup.models, "preference")
    rows = [_dot(one, factor, LEARNT if one.model in learnt else BASELINE) for one in results]
    names = [row["name"] for row in rows]
    y = altair.Y("name:N", sort=names, title=None, axis=altair.Axis(grid=False))
    color = altair.Color(
        "group:N", scale=altair.Scale(domain=list(BAR_COLORS), range=list(BAR_COLORS.values())), legend=None
    )
    axis = altair.Axis(tickCount=TICKS)
    x = altair.X("value:Q", title=unit, scale=altair.Scale(zero=False, nice=True), axis=axis)
    base = altair.Chart(
        altair.Data(values=rows), width=300, height={"step": STEP}, title=_title(f"Who is how good at {task}")
    )
    line = base.mark_rule(strokeWidth=2).encode(
        y=y, x=altair.X("low:Q", title=unit, axis=axis), x2="high:Q", color=color
    )
    dot = base.mark_point(filled=True, size=70, opacity=1).encode(y=y, x=x, color=color)
    label = base.mark_text(align="left", dx=6, fontSize=11, color=INK).encode(
        y=y, x=altair.X("high:Q", title=unit, axis=axis), text="label:N"
    )
    return altair.layer(line, dot, label)


def _dot(one: Result, factor: float, group: str) -> dict[str, Any]:
    value = factor * (one.value or 0.0)
    return {
        "name": _spoken(one.model),
        "value": value,
        "low": value if one.low is None else factor * one.low,
        "high": value if one.high is None else factor * one.high,
        "label": f"{value:.1f}" if factor > 1 else f"{value:.2f}",
        "group": group,
    }


def _spoken(model: str) -> str:
    known = {MAJORITY: "most frequent grade", BEST_SINGLE: "best single feature"}
    if model in known:
        return known[model]
    if model.startswith(f"{BEST_SINGLE}-"):
        return f"best single feature ({model.removeprefix(BEST_SINGLE + '-')})"
    return {"uniform": "mean, untrained", "rank-average": "mean of ranks, untrained"}.get(model, model)


def _confusion(altair: Any, found: Learning, model: str) -> Any:
    """Shares of each true grade, in its row."""
    counts = found.confusions[model]
    labels = found.grades.labels
    rows = []
    for true, line in zip(labels, counts, strict=True):
        for predicted, count in zip(labels, line, strict=True):
            share = 100.0 * count / max(line.sum(), 1.0)
            rows.append(
                {"people": true, "model": predicted, "share": share, "label": f"{share:.0f}", "dark": bool(share > 45)}
            )
    side = max(34, min(56, 280 // len(labels)))
    base = altair.Chart(
        altair.Data(values=rows),
        width={"step": side},
        height={"step": side * 0.8},
        title=_title(f"{model}: what each grade is taken for, % of the row"),
    ).encode(
        x=altair.X("model:O", sort=list(labels), title=f"grade by {model}", axis=altair.Axis(labelAngle=0, grid=False)),
        y=altair.Y("people:O", sort=list(reversed(labels)), title="grade by people", axis=altair.Axis(grid=False)),
    )
    cells = base.mark_rect(stroke="white", strokeWidth=1).encode(
        color=altair.Color("share:Q", scale=altair.Scale(scheme="blues", domain=[0, 80], clamp=True), legend=None)
    )
    text = base.mark_text(fontSize=11).encode(
        text="label:N", color=altair.condition("datum.dark", altair.value("white"), altair.value(INK))
    )
    return altair.layer(cells, text)


def _calibration(altair: Any, found: Learning, model: str) -> Any | None:
    """How often right beside how sure; on the line both are equal."""
    rows = [
        {
            "certainty": 100 * one.certainty,
            "accuracy": 100 * one.accuracy,
            "low": 100 * (one.accuracy if one.accuracy_low is None else one.accuracy_low),
            "high": 100 * (one.accuracy if one.accuracy_high is None else one.accuracy_high),
            "label": f"{one.n:,}",
        }
        for one in found.calibration
        if one.model == model
    ]
    if not rows:
        return None
    scale = altair.Scale(domain=[0, 100], nice=False)
    x = altair.X("certainty:Q", title=f"how sure {model} is, %", scale=scale, axis=altair.Axis(tickCount=TICKS))
    y = altair.Y("accuracy:Q", title="how often it is right, %", scale=scale)
    diagonal = altair.Chart(altair.Data(values=[{"certainty": 0, "accuracy": 0}, {"certainty": 100, "accuracy": 100}]))
    base = altair.Chart(
        altair.Data(values=rows),
        width=300,
        height=240,
        title=_title(f"{model}: as often right as sure? (numbers: translations)"),
    )
    return altair.layer(
        diagonal.mark_line(color=MUTED, strokeDash=[4, 4], strokeWidth=1).encode(x=x, y=y),
        base.mark_rule(color=COLORS[0], strokeWidth=2).encode(x=x, y=altair.Y("low:Q", scale=scale), y2="high:Q"),
        base.mark_point(filled=True, size=70, opacity=1, color=COLORS[0]).encode(x=x, y=y),
        base.mark_text(align="left", dx=8, dy=-2, fontSize=10, color=MUTED).encode(x=x, y=y, text="label:N"),
    )


def _importance(altair: Any, found: Learning, task: str, model: str) -> Any | None:
    """What each feature is worth to the model: the right answers that are lost when it is shuffled."""
    results = found.find(task=task, model=model, statistic="permutation-importance")
    if not results:
        return None
    ordered: Sequence[Result] = sorted(results, key=lambda one: -(one.value or 0.0))[:15]
    rows = [
        {**_dot(one, 100.0, LEARNT), "name": one.features, "label": f"{100 * (one.value or 0):+.1f}"} for one in ordered
    ]
    y = altair.Y("name:N", sort=[row["name"] for row in rows], title=None, axis=altair.Axis(grid=False))
    unit = "right answers lost when shuffled, points"
    axis = altair.Axis(tickCount=TICKS)
    base = altair.Chart(
        altair.Data(values=rows),
        width=260,
        height={"step": STEP - 4},
        title=_title(f"{model}: what each feature is worth"),
    )
    zero = altair.Chart(altair.Data(values=[{"zero": 0}])).mark_rule(color=RULE).encode(x=altair.X("zero:Q", axis=axis))
    return altair.layer(
        zero,
        base.mark_rule(strokeWidth=2, color=COLORS[0]).encode(
            y=y, x=altair.X("low:Q", title=unit, axis=axis), x2="high:Q"
        ),
        base.mark_point(filled=True, size=60, opacity=1, color=COLORS[0]).encode(
            y=y, x=altair.X("value:Q", title=unit, axis=axis)
        ),
        base.mark_text(align="left", dx=6, fontSize=11, color=INK).encode(
            y=y, x=altair.X("high:Q", title=unit, axis=axis), text="label:N"
        ),
    )
