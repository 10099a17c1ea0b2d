"""The figure of a tuning: the statistic over each parameter, in training and on held-out folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.errors import InputError
from assay.figures import COLORS, INK, MUTED, dress, load_altair
from assay.learned.tuning.result import FittedNumber, Tuning
from assay.meta.labels import spread

WIDTH, HEIGHT = 250, 210
#: Panels in a line: two of four, so that no line is left with one.
COLUMNS = {1: 1, 2: 2, 4: 2}
USUAL_COLUMNS = 3
#: How far apart labels stand, in pixels.
APART = 96.0
TRAINING, HELD_OUT = COLORS[1], COLORS[0]


def parameter_curves(found: Tuning) -> Any:
    """A panel per parameter; the others are as each fold chose them."""
    altair = load_altair()
    rows = [one.row() for one in found.curves if one.training is not None]
    if not rows:
        raise InputError("This result has no curves to draw. Tune with curves=True.")
    values = [row[name] for row in rows for name in ("training", "held_out") if row[name] is not None]
    margin = 0.08 * (max(values) - min(values)) or 0.05
    scale = altair.Scale(domain=[min(values) - margin, max(values) + margin], nice=False, zero=False)
    drawn = {row["parameter"] for row in rows}
    columns = COLUMNS.get(len(drawn), USUAL_COLUMNS)
    panels: list[Any] = []
    for number in found.parameters:
        own = sorted((row for row in rows if row["parameter"] == number.name), key=lambda row: row["value"])
        if own:
            first = len(panels) % columns == 0
            panels.append(_panel(altair, own, number, scale, found.setup.statistic if first else None))
    lines = [altair.hconcat(*panels[start : start + columns], spacing=28) for start in range(0, len(panels), columns)]
    setup = found.setup
    better = f"{found.default.value:.3f} as it is, {found.tuned.value:.3f} tuned"
    subtitle = [
        f"{found.campaign}: {setup.statistic} with {setup.kind} at the {setup.level} level; held out {better}",
        "mean over folds: blue on the fold that is held out, dashed where the numbers were chosen; "
        "ticks below are the choices of the folds",
    ]
    return dress(altair.vconcat(*lines, spacing=28), f"Tuning {found.default_metric}", subtitle)


def _panel(altair: Any, rows: Sequence[dict[str, Any]], number: FittedNumber, scale: Any, statistic: str | None) -> Any:
    ends = [rows[0]["value"], rows[-1]["value"]]
    x = altair.X(
        "value:Q",
        title=number.name,
        scale=altair.Scale(type="log" if number.log else "linear", domain=ends, nice=False, zero=False),
        axis=altair.Axis(grid=False, tickCount=4 if number.log else 5, format="~g", labelFlush=True),
    )

    def up(name: str) -> Any:
        return altair.Y(f"{name}:Q", scale=scale, title=f"{statistic} with people" if statistic else None)

    base = altair.Chart(altair.Data(values=list(rows)), width=WIDTH, height=HEIGHT)
    layers = [base.mark_line(strokeWidth=1.5, color=TRAINING, strokeDash=[5, 4]).encode(x=x, y=up("training"))]
    known = base.transform_filter("isValid(datum.held_out)")
    layers.append(known.mark_line(strokeWidth=2, color=HELD_OUT).encode(x=x, y=up("held_out")))
    layers += _marks(altair, rows, number, x, up)
    ticks = [{"value": value} for value in number.by_fold if value is not None]
    layers.append(
        altair.Chart(altair.Data(values=ticks))
        .mark_tick(color=INK, opacity=0.45, thickness=1.5, size=12)
        .encode(x=x, y=altair.value(HEIGHT - 6))
    )
    return altair.layer(*layers)


def _marks(altair: Any, rows: Sequence[dict[str, Any]], number: FittedNumber, x: Any, up: Any) -> list[Any]:
    """The present value and the tuned one, named above the panel."""
    wanted = [("as it is", number.default, MUTED, [2, 3])] if number.default is not None else []
    if number.tuned is not None and number.tuned != number.default:
        wanted.append(("tuned", number.tuned, INK, [1, 0]))
    span = rows[-1]["value"] - rows[0]["value"]
    places = [_place(value, rows, number) * WIDTH for _, value, _, _ in wanted]
    layers = []
    for (name, value, color, dash), place in zip(wanted, spread(places, APART, most=WIDTH), strict=True):
        at = min(rows, key=lambda row: abs(row["value"] - value))
        data = altair.Chart(altair.Data(values=[{**at, "said": f"{name} {value:.3g}"}]))
        layers.append(data.mark_rule(color=color, strokeWidth=1, strokeDash=dash).encode(x=x))
        if at["held_out"] is not None and span:
            layers.append(data.mark_point(size=80, strokeWidth=2, color=color, opacity=1).encode(x=x, y=up("held_out")))
        layers.append(
            data.mark_text(dy=-9, fontSize=11, color=color, align="center").encode(
                x=altair.value(min(max(place, 34), WIDTH - 30)), y=altair.value(0), text="said:N"
            )
        )
    return layers


def _place(value: float, rows: Sequence[dict[str, Any]], number: FittedNumber) -> float:
    """Where a value stands on its axis, 0 to 1."""
    from math import log

    low, high = rows[0]["value"], rows[-1]["value"]
    if number.log:
        value, low, high = log(value), log(low), log(high)
    return float((value - low) / (high - low)) if high > low else 0.5
