"""Seven kinds of picture as plain Vega-Lite: rows and the names of their columns in, a dictionary out.

Nothing is drawn here: :class:`assay.results.figure.Figure` does that where somebody looks. A primitive copies the few
values that it shows under names of its own, leaves out rows whose numbers are not finite, and sets all places and
colours itself, so that pictures side by side do not disturb each other.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from assay.errors import InputError
from assay.results.figure import Figure
from assay.results.figure import clean as drawable
from assay.results.visible import visible

#: Colours that differ in lightness too, so that they survive a grey printer (Okabe & Ito).
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
INK, MUTED, RULE, GREY = "#222222", "#666666", "#DDDDDD", "#999999"
#: Dashes tell lines apart where colours do not.
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (12, 4), (4, 1), (1, 4))
#: Pixels of a line of text, and of one of its letters, about.
LINE, LETTER = 13.0, 6.0

#: Pictures in one figure have their own colours and places.
APART = {"scale": {"color": "independent", "yOffset": "independent"}}

Spec = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]
Heading = str | Sequence[str] | None


@dataclass(frozen=True, kw_only=True)
class Axis:
    """An axis of numbers. Without a domain it holds all values, with a margin."""

    title: str | None = None
    domain: tuple[float, float] | None = None
    #: Where ticks stand, or about how many there are.
    ticks: Sequence[float] | int = 5
    #: What ticks at given places are called instead: a text each, or lines of text.
    labels: Sequence[str | Sequence[str]] = ()
    format: str | None = None
    log: bool = False
    #: Large values come first: on the left, or at the bottom.
    reverse: bool = False
    grid: bool = True
    shown: bool = True
    #: Whether 0 belongs to it, and has a line.
    zero: bool = False
    on_top: bool = False

    def over(self, values: Iterable[Any], *, margin: float = 0.05, room: tuple[float, float] = (0.0, 0.0)) -> Axis:
        """The axis with a domain that holds these values; ``room`` is for text at both ends, as a share of it."""
        if self.domain is not None:
            return self
        kept = [value for value in map(number, values) if value is not None] + ([0.0] if self.zero else [])
        low, high = min(kept, default=0.0), max(kept, default=1.0)
        if self.log and low > 0:
            return replace(self, domain=(low, high) if high > low else (low / 2, high * 2))
        if low == high:
            low, high = (low - 0.05 * abs(low), high + 0.05 * abs(high)) if low else (-1.0, 1.0)
        reach = high - low
        # What starts at 0 starts at the edge.
        before, after = (0.0 if self.zero and end == 0 else margin for end in (low, high))
        return replace(self, log=False, domain=(low - (before + room[0]) * reach, high + (after + room[1]) * reach))

    def place(self, value: float, length: float, *, up: bool = False) -> float:
        """The pixel of a value; on an axis that runs ``up`` they are counted from its top."""
        low, high = self.domain or (0.0, 1.0)
        if self.log:
            value, low, high = math.log(value), math.log(low), math.log(high)
        share = (value - low) / (high - low)
        return length * (1.0 - share if self.reverse != up else share)

    def of(self, column: str) -> Spec:
        """A column along this axis, as Vega-Lite encodes it."""
        scale: Spec = {"domain": list(self.domain or (0.0, 1.0)), "nice": False, "zero": False}
        scale |= {"type": "log"} if self.log else {}
        scale |= {"reverse": True} if self.reverse else {}
        axis: Spec = {"grid": self.grid}
        axis |= {"tickCount": self.ticks} if isinstance(self.ticks, int) else {"values": list(self.ticks)}
        axis |= {"format": self.format} if self.format else {}
        axis |= {"orient": "top"} if self.on_top else {}
        if self.labels:
            # Names in an expression are quoted, and plain ASCII.
            names, places = json.dumps(clean(self.labels)), json.dumps(clean(self.ticks))
            axis |= {"labelExpr": f"{names}[indexof({places}, datum.value)]", "labelOverlap": False}
            axis |= {"labelFlush": False, "labelAngle": 0}
        found = {"field": column, "type": "quantitative", "title": self.title, "scale": scale}
        return found | {"axis": axis if self.shown else None}

    def span(self, channel: str, start: str, end: str) -> Spec:
        """From one column to another; ``channel`` is x or y."""
        return {channel: self.of(start), f"{channel}2": {"field": end}}


#: An axis as its values make it.
AUTO = Axis()


class Mark(NamedTuple):
    """A line across a picture at one value, with words above it, and a ring where it meets a curve."""

    at: float
    text: str = ""
    color: str = MUTED
    dash: Sequence[int] = (4, 3)
    ring: float | None = None


def figure(name: str, spec: Mapping[str, Any], title: str, subtitle: Sequence[str] = ()) -> Figure:
    """The figure, with the look that all of them share, and nothing in it that JSON or a page cannot hold."""
    axis = {"labelColor": INK, "titleColor": MUTED, "titleFontWeight": "normal", "gridColor": RULE, "domain": False}
    axis |= {"labelFontSize": 12, "titleFontSize": 12, "ticks": False, "labelPadding": 8, "labelLimit": 260}
    legend = {"titleColor": MUTED, "titleFontWeight": "normal", "labelColor": INK, "labelFontSize": 12}
    look = {"font": "Helvetica, Arial, sans-serif", "axis": axis, "view": {"stroke": None}, "legend": legend}
    head = {"text": title, "subtitle": list(subtitle), "anchor": "start", "offset": 16, "fontSize": 15, "color": INK}
    head |= {"subtitleColor": MUTED, "subtitleFontSize": 12, "subtitlePadding": 6}
    # A panel may have a heading, which the title of the whole does not replace.
    body = beside(dict(spec)) if "title" in spec else spec
    whole = {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "title": head, **body}
    return Figure(name, spec=clean(whole | {"padding": 16, "background": "white", "config": look}), title=title)


def beside(*specs: Spec, spacing: int = 40) -> Spec:
    """Pictures side by side."""
    return {"hconcat": list(specs), "spacing": spacing, "resolve": APART}


def above(*specs: Spec, spacing: int = 24) -> Spec:
    """Pictures one below the other."""
    return {"vconcat": list(specs), "spacing": spacing, "resolve": APART}


def panels(specs: Sequence[Spec], *, columns: int = 3, spacing: int = 28) -> Spec:
    """Pictures in lines of as many as there are columns."""
    filled = [beside(*specs[start : start + columns], spacing=spacing) for start in range(0, len(specs), columns)]
    return filled[0] if len(filled) == 1 else above(*filled, spacing=spacing)


def palette(names: Iterable[Any], colors: Sequence[str] = COLORS) -> dict[str, str]:
    """A colour for each different name, in their order."""
    return {name: colors[place % len(colors)] for place, name in enumerate(dict.fromkeys(map(str, names)))}


def spread(values: Sequence[float], gap: float, *, low: float = -math.inf, high: float = math.inf) -> list[float]:
    """Places for names that would cover each other: ``gap`` apart, in the same order, as near as can be.

    None is below ``low``, and none above ``high`` if there is room for all of them.

    >>> spread([1.0, 1.1, 5.0], 1.0)
    [0.55, 1.55, 5.0]
    >>> spread([9.5, 9.0], 1.0, high=9.6)
    [9.6, 8.6]
    """
    order = sorted(range(len(values)), key=lambda index: values[index])
    # Less the gaps, places only have to rise, and neighbours that fall share their mean: isotonic regression.
    blocks: list[tuple[float, int]] = []
    for rank, index in enumerate(order):
        mean, count = values[index] - rank * gap, 1
        while blocks and blocks[-1][0] > mean:
            before, many = blocks.pop()
            mean, count = (before * many + mean * count) / (many + count), many + count
        blocks.append((mean, count))
    last = high - gap * (len(values) - 1)
    levels = [max(low, min(mean, last)) for mean, count in blocks for _ in range(count)]
    moved = {index: level + rank * gap for rank, (index, level) in enumerate(zip(order, levels, strict=True))}
    return [round(moved[index], 9) for index in range(len(values))]


def number(value: Any) -> float | None:
    """A finite number as a plain float; None for everything else."""
    try:
        plain = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return plain if math.isfinite(plain) else None


def clean(value: Any) -> Any:
    """Plain values only: numbers that are not finite become None, and control characters are shown.

    >>> clean({"a": [float("nan"), 1, "x\\ny"]})
    {'a': [None, 1, 'x␊y']}
    """
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return visible(drawable(value))
    if isinstance(value, Mapping):
        return {clean(str(key)): clean(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(inner) for inner in value]
    return clean(value.tolist()) if hasattr(value, "tolist") and not isinstance(value, float) else number(value)


def interval_dots(
    rows: Rows, *, name: str, value: str, low: str | None = None, high: str | None = None,
    box: tuple[str, str] | None = None, ticks: str | None = None, label: str | None = None, label_above: bool = False,
    group: str | None = None, kind: str | None = None, colors: Mapping[str, str] | None = None,
    shapes: Mapping[str, str] | None = None, order: Sequence[str] = (), axis: Axis = AUTO, marks: Sequence[Mark] = (),
    stem: bool = False, color: str = COLORS[0], names: bool = True, legend: str | None = None,
    legend_title: str | None = None, heading: Heading = None, width: int = 300, step: float = 24,
) -> Spec:  # fmt: skip
    """A dot with its interval in the line of each name.

    ``group`` sets several dots of a name below each other; ``kind`` (without it the group) chooses colour and shape.
    ``box`` are the ends of a wide bar, ``ticks`` is a number or a list of them, ``label`` a text at the end or above,
    ``stem`` a line from 0, ``legend`` the side of the picture on which kinds are named.
    """
    kind = kind or group
    start, end = box or (None, None)
    shown = _picked(
        rows,
        needed={"value": value},
        numbers={"low": low, "high": high, "from": start, "to": end},
        others={"name": name, "kind": kind, "group": group, "text": label, "ticks": ticks},
    )
    colors = colors or palette(row["kind"] for row in shown if kind)
    for row in shown:
        row |= {end: row["value"] for end in ("low", "high") if row.get(end) is None}
        row |= {"color": colors.get(row.get("kind", ""), color)}
        row |= {"shape": (shapes or {}).get(row.get("kind", ""), "circle")}
        # Beside a line at 0 words stand on the outer side.
        row["side"] = "left" if axis.zero and row["value"] < 0 else "right"
    cloud = [row | {"tick": number(tick)} for row in shown for tick in _listed(row.pop("ticks", ()))]
    reached = [row[end] for row in shown for end in ("low", "high", "value")] + [row["tick"] for row in cloud]
    sides = {row["side"] for row in shown} if label and not label_above else set()
    room = (0.12 if "left" in sides else 0.0, 0.14 if "right" in sides else 0.0)
    axis = axis.over([*reached, *(mark.at for mark in marks)], room=room)
    groups = list(dict.fromkeys(row["group"] for row in shown)) if group else []
    at = _lines_of(shown, order, groups, names)
    tinted = at | {"color": _tint(colors, legend, legend_title)}
    layers = _across([*([Mark(0.0, color=GREY, dash=(1, 0))] if axis.zero else []), *marks], axis, width)
    if cloud:
        many = len(cloud) > len(shown)
        look: Spec = {"thickness": 1, "size": 9, "opacity": 0.3} if many else {"thickness": 3, "size": 14}
        layers.append(_layer("tick", cloud, tinted | {"x": axis.of("tick")}, **look))
    if box:
        layers.append(_layer("bar", shown, tinted | axis.span("x", "from", "to"), height=10, opacity=0.35))
    if low or high:
        look = {"strokeWidth": 1.5 if box else 2.5, "opacity": 0.5}
        layers.append(_layer("rule", shown, tinted | axis.span("x", "low", "high"), **look))
    if stem:
        for row in shown:
            row["zero"] = 0.0
        layers.append(_layer("rule", shown, tinted | axis.span("x", "zero", "value"), strokeWidth=2.5, opacity=0.5))
    tips = _tips("name", "kind" if kind else "", "value", "low" if low else "", "high" if high else "")
    point = tinted | {"x": axis.of("value"), "shape": _raw("shape"), "tooltip": tips}
    layers.append(_layer("point", shown, point, filled=True, size=30 if box else 64, opacity=1))
    if label_above:
        layers.append(_layer("text", shown, at | {"x": axis.of("value"), "text": _raw("text")}, dy=-10, fontSize=11))
    for side in sorted(sides):
        own = [row for row in shown if row["side"] == side]
        said = at | {"x": axis.of("high" if side == "right" else "low"), "text": _raw("text")}
        look = {"align": "left", "dx": 8} if side == "right" else {"align": "right", "dx": -8}
        layers.append(_layer("text", own, said, fontSize=11, **look))
    pitch = step * max(len(groups), 1) + (8 if len(groups) > 1 else 0)
    return _panel(layers, width, pitch * len(at["y"]["scale"]["domain"]), heading)


def bars(
    rows: Rows, *, name: str, value: str, group: str | None = None, stacked: bool = False, label: str | None = None,
    colors: Mapping[str, str] | None = None, color: str = COLORS[0], order: Sequence[str] = (), axis: Axis = AUTO,
    legend: str | None = "top", names: bool = True, heading: Heading = None, width: int = 300, step: float = 20,
) -> Spec:  # fmt: skip
    """A bar from 0 in the line of each name; those of several groups below each other, or one behind the other."""
    shown = _picked(rows, needed={"value": value}, others={"name": name, "group": group, "kind": group, "text": label})
    colors = colors or palette(row["kind"] for row in shown if group)
    reached: dict[tuple[str, bool], float] = {}
    for row in shown:
        # Of a stack, what is below 0 goes to the left.
        key = (row["name"], row["value"] < 0)
        row["from"] = reached.get(key, 0.0) if stacked else 0.0
        row["to"] = reached[key] = row["from"] + row["value"]
        row |= {"middle": (row["from"] + row["to"]) / 2, "color": colors.get(row.get("kind", ""), color)}
    room = 0.14 if label and not stacked else 0.0
    axis = replace(axis, zero=True).over((row["to"] for row in shown), room=(0.0, room))
    groups = list(dict.fromkeys(row["group"] for row in shown)) if group and not stacked else []
    at = _lines_of(shown, order, groups, names)
    tinted = at | axis.span("x", "from", "to") | {"color": _tint(colors, legend if group else None)}
    tips = _tips("name", "group" if group else "", "value")
    layers = [_layer("bar", shown, tinted | {"tooltip": tips}, opacity=0.85)]
    layers += _across([Mark(0.0, color=GREY, dash=(1, 0))], axis, width)
    if label:
        said = at | {"x": axis.of("middle" if stacked else "to"), "text": _raw("text")}
        look = {"color": "white"} if stacked else {"align": "left", "dx": 6}
        layers.append(_layer("text", shown, said, fontSize=11, **look))
    pitch = step * max(len(groups), 1) + (8 if len(groups) > 1 else 0)
    return _panel(layers, width, pitch * len(at["y"]["scale"]["domain"]), heading)


def scatter(
    rows: Rows, *, x: str, y: str, across: Axis = AUTO, up: Axis = AUTO, name: str | None = None,
    x_ends: tuple[str, str] | None = None, y_ends: tuple[str, str] | None = None, kind: str | None = None,
    colors: Mapping[str, str] | None = None, color: str = COLORS[0], size: str | None = None, area: float = 45,
    opacity: float = 0.8, label: str | None = None, inside: str | None = None, identity: bool = False,
    regression: bool = False, legend: str | None = None, heading: Heading = None, width: int = 300, height: int = 240,
) -> Spec:  # fmt: skip
    """A dot per row, by two numbers.

    ``name`` stands at the right side, moved apart and joined to its dot; ``label`` beside the dot, ``inside`` in it.
    ``x_ends`` and ``y_ends`` are columns with the ends of intervals; ``size`` is one with areas in pixels. ``identity``
    is the line on which both numbers are the same, ``regression`` the straight line through each kind.
    """
    ends = dict(zip(("left", "right"), x_ends or (), strict=False))
    ends |= dict(zip(("low", "high"), y_ends or (), strict=False))
    others = {"name": name, "kind": kind, "text": label, "inside": inside, "size": size}
    shown = _picked(rows, needed={"x": x, "y": y}, numbers=ends, others=others)
    colors = colors or palette(row["kind"] for row in shown if kind)
    for row in shown:
        row |= {end: row["x" if end in ("left", "right") else "y"] for end in ends if row[end] is None}
        row |= {"kind": row.get("kind", ""), "size": number(row.get("size", area)) or 0.0}
        row["color"] = colors.get(row["kind"], color)
    # All names have a line of their own.
    height = max(height, round(LINE * len(shown))) if name else height
    across = across.over(row[key] for row in shown for key in ("x", "left", "right") if key in row)
    up = up.over(row[key] for row in shown for key in ("y", "low", "high") if key in row)
    at: Spec = {"x": across.of("x"), "y": up.of("y")}
    tinted = at | {"color": _tint(colors, legend)}
    layers = [
        _layer("rule", [{"zero": 0.0}], {channel: axis.of("zero")}, color=GREY)
        for channel, axis in (("x", across), ("y", up))
        if axis.zero
    ]
    if identity:
        corners = [{"x": end, "y": end} for end in across.domain or ()]
        layers.append(_layer("line", corners, at, color=MUTED, strokeDash=[4, 4], strokeWidth=1, clip=True))
    if regression:
        fitted = _layer("line", shown, tinted, strokeWidth=1.2, opacity=0.8)
        layers.append(fitted | {"transform": [{"regression": "y", "on": "x", "groupby": ["kind", "color"]}]})
    if y_ends:
        layers.append(_layer("rule", shown, tinted | up.span("y", "low", "high"), strokeWidth=2, opacity=0.35))
    if x_ends:
        layers.append(_layer("rule", shown, tinted | across.span("x", "left", "right"), strokeWidth=2, opacity=0.35))
    tips = _tips("name" if name else "", "kind" if kind else "", "x", "y")
    layers.append(
        _layer("point", shown, tinted | {"size": _raw("size"), "tooltip": tips}, filled=True, opacity=opacity)
    )
    if inside:
        layers.append(_layer("text", shown, at | {"text": _raw("inside")}, fontSize=11, color="white"))
    if label:
        layers.append(_layer("text", shown, at | {"text": _raw("text")}, align="left", dx=9, fontSize=11, color=MUTED))
    if name:
        for row in shown:
            row |= {"px": across.place(row["x"], width), "py": up.place(row["y"], height, up=True)}
        layers += _side_names([row | {"color": INK} for row in shown], width, height, leader=MUTED)
    return _panel(layers, width, height, heading)


def lines(
    rows: Rows, *, x: str, y: str, series: str, low: str | None = None, high: str | None = None,
    ranges: bool = False, across: Axis = AUTO, up: Axis = AUTO, colors: Mapping[str, str] | None = None,
    dashes: Mapping[str, Sequence[int]] | None = None, names: Sequence[str] = ("right",), ink: str | None = None,
    dots: float = 30, inside: str | None = None, nudge: float = 0.0, marks: Sequence[Mark] = (),
    rug: Sequence[float] = (), heading: Heading = None, width: int = 520, height: int = 320,
) -> Spec:  # fmt: skip
    """A curve per series, with its name where it ends.

    ``names`` are the sides on which curves are named, in the colour of the curve or in ``ink``. Between ``low`` and
    ``high`` is a band, or with ``ranges`` a bar at each dot; ``nudge`` moves each series to the right of the last
    one, so that bars do not hide each other. ``inside`` is written into dots, ``rug`` are ticks at the bottom.
    """
    others = {"name": series, "text": inside}
    shown = _picked(rows, needed={"x": x, "y": y}, numbers={"low": low, "high": high}, others=others)
    known = list(dict.fromkeys(row["name"] for row in shown))
    colors = palette(known) | dict(colors or {})
    dashes = {name: DASHES[place // len(COLORS) % len(DASHES)] for place, name in enumerate(known)} | dict(dashes or {})
    across = across.over([*(row["x"] for row in shown), *(mark.at for mark in marks)], margin=0.0)
    up = up.over(row[key] for row in shown for key in ("y", "low", "high") if key in row)
    for row in shown:
        row |= {"color": colors[row["name"]], "dash": list(dashes[row["name"]])}
        row["x"] += nudge * (known.index(row["name"]) - (len(known) - 1) / 2)
        row |= {"px": across.place(row["x"], width), "py": up.place(row["y"], height, up=True)}
    shown.sort(key=lambda row: (known.index(row["name"]), row["px"]))
    at: Spec = {"x": across.of("x"), "y": up.of("y"), "color": _raw("color")}
    layers = [_layer("rule", [{"zero": 0.0}], {"y": up.of("zero")}, color=GREY)] if up.zero else []
    layers += _across(marks, across, width)
    bounded = [row for row in shown if row.get("low") is not None and row.get("high") is not None]
    if bounded:
        look: Spec = {"strokeWidth": 2, "opacity": 0.35} if ranges else {"opacity": 0.14}
        layers.append(_layer("rule" if ranges else "area", bounded, at | up.span("y", "low", "high"), **look))
    layers.append(_layer("line", shown, at | {"detail": _raw("name"), "strokeDash": _raw("dash")}, strokeWidth=2))
    if dots:
        tips = _tips("name", "x", "y", "low" if low else "", "high" if high else "")
        layers.append(_layer("point", shown, at | {"tooltip": tips}, filled=True, opacity=1, size=dots))
    if inside:
        look = {"fontSize": 10, "fontWeight": "bold", "color": "white"}
        layers.append(_layer("text", shown, {**at, "text": _raw("text"), "color": {"value": "white"}}, **look))
    rings = [{"x": mark.at, "y": mark.ring, "color": mark.color} for mark in marks if mark.ring is not None]
    if rings:
        layers.append(_layer("point", rings, at, size=110, strokeWidth=2, opacity=1))
    if rug:
        below = {"x": at["x"], "y": {"value": height - 6}}
        layers.append(_layer("tick", [{"x": value} for value in rug], below, color=INK, opacity=0.45, size=12))
    for side in names:
        ends = {row["name"]: row for row in (shown if side == "right" else shown[::-1])}
        layers += _end_names([row | ({"color": ink} if ink else {}) for row in ends.values()], height, side, dots)
    return _panel(layers, width, height, heading)


def histogram(
    rows: Rows, *, start: str, end: str, count: str, across: Axis = AUTO, up: Axis = AUTO, color: str = COLORS[0],
    mean: float | None = None, sd: float | None = None, label: str = "", sideways: bool = False,
    heading: Heading = None, width: int = 300, height: int = 130,
) -> Spec:  # fmt: skip
    """A bar over each bin, as high as its count; the mean is a line, with a bar of one deviation to both sides."""
    shown = _picked(rows, needed={"from": start, "to": end, "count": count})
    low, high = min(row["from"] for row in shown), max(row["to"] for row in shown)
    across = across if across.domain else replace(across, domain=(low, high))
    tallest = max(row["count"] for row in shown) or 1.0
    up = up if up.domain else replace(up, domain=(0.0, (1.18 if label else 1.0) * tallest))
    for row in shown:
        row["zero"] = 0.0
    along, off = ("y", "x") if sideways else ("x", "y")
    at = across.span(along, "from", "to") | up.span(off, "zero", "count") | {"tooltip": _tips("from", "to", "count")}
    layers = [_layer("rect", shown, at, color=color, opacity=0.75, stroke="white", strokeWidth=0.5)]
    if mean is not None:
        layers.append(_layer("rule", [{"mean": mean}], {along: across.of("mean")}, color=INK, strokeWidth=1.5))
        wide, top = sd or 0.0, 0.93 * (up.domain or (0.0, 1.0))[1]
        said = [{"from": max(mean - wide, low), "to": min(mean + wide, high), "mean": mean, "top": top, "text": label}]
        layers.append(_layer("rule", said, across.span(along, "from", "to") | {off: up.of("top")}, strokeWidth=3))
        look = {"align": "right", "dx": -6} if mean > (low + high) / 2 else {"align": "left", "dx": 6}
        place = {along: across.of("mean"), off: up.of("top"), "text": _raw("text")}
        layers.append(_layer("text", said, place, dy=-9, fontSize=12, **look))
    return _panel(layers, width, height, heading)


def heat_grid(
    rows: Rows, *, x: str, y: str, shade: str, text: str, below: str | None = None, bold: str | None = None,
    columns: Sequence[str] = (), lines_of: Sequence[str] = (), reach: float | None = None,
    colors: tuple[str, str, str] = ("#F0A367", "#F6F6F6", "#7FB8DA"), across: str | None = None, up: str | None = None,
    on_top: bool = False, split: str | None = None, heading: Heading = None, cell: tuple[float, float] = (56, 40),
) -> Spec:  # fmt: skip
    """A cell per row, with a text on it and a smaller one below, bold where the column ``bold`` says so.

    ``shade`` runs from -``reach`` over 0 to +``reach`` through the three colours; a cell without it has the middle one.
    ``across`` and ``up`` are titles, ``split`` is where names of columns are broken into lines.
    """
    others = {"x": x, "y": y, "text": text, "below": below, "bold": bold}
    shown = _picked(rows, numbers={"shade": shade}, others=others)
    most = reach or max((abs(row["shade"]) for row in shown if row["shade"] is not None), default=0.0) or 1.0
    for row in shown:
        row["color"] = _mixed(colors, (row["shade"] or 0.0) / most)
        row["ink"] = "white" if _is_dark(row["color"]) else INK
    side = list(dict.fromkeys([*map(str, columns), *(row["x"] for row in shown)]))
    down = list(dict.fromkeys([*map(str, lines_of), *(row["y"] for row in shown)]))
    axis: Spec = {"grid": False, "labelAngle": 0, "orient": "top" if on_top else "bottom"}
    if split:
        most_lines = max(name.count(split) for name in side)
        # Further lines of a label would run into the cells.
        axis |= {"labelExpr": f"split(datum.label, {json.dumps(split)})", "labelLineHeight": 14}
        axis |= {"labelPadding": 4 + 14 * most_lines if on_top else 8}
    at: Spec = {
        "x": {"field": "x", "type": "nominal", "title": across, "scale": {"domain": side}, "axis": axis},
        "y": {"field": "y", "type": "nominal", "title": up, "scale": {"domain": down}, "axis": {"grid": False}},
    }
    layers = [_layer("rect", shown, at | {"color": _raw("color")}, stroke="white", strokeWidth=2)]
    for sure in (False, True):
        own = [row for row in shown if bool(row.get("bold")) == sure]
        look = {"fontWeight": "bold" if sure else "normal"}
        place = at | {"color": _raw("ink")}
        if own:
            upper = {"fontSize": 13, "dy": -7} if below else {"fontSize": 11}
            layers.append(_layer("text", own, place | {"text": _raw("text")}, **look, **upper))
        if own and below:
            layers.append(_layer("text", own, place | {"text": _raw("below")}, **look, fontSize=9.5, dy=9))
    return _panel(layers, cell[0] * len(side), cell[1] * len(down), heading)


def dendrogram(
    merges: Rows, *, names: Sequence[str], first: str = "first", second: str = "second", height: str = "height",
    axis: Axis = AUTO, cut: float | None = None, heading: Heading = None, width: int = 300, step: float = 20,
) -> Spec:  # fmt: skip
    """Which names are alike, as a tree that joins them from left to right; ``cut`` is a line across it.

    Names are numbered from 0, and merges behind them, as scipy's ``linkage`` does: each joins two numbers at a height.
    """
    count = len(names)
    if len(merges) != count - 1 or count < 2:
        raise InputError(f"A tree of {count} names takes {max(count - 1, 1)} merges, and there are {len(merges)}.")
    heights = [0.0] * count + [number(row[height]) or 0.0 for row in merges]
    pairs = {count + place: (int(row[first]), int(row[second])) for place, row in enumerate(merges)}
    leaves: list[int] = []
    waiting = [2 * count - 2]
    while waiting:
        node = waiting.pop()
        leaves += [node] if node < count else []
        waiting += reversed(pairs.get(node, ()))
    middle = {leaf: (place + 0.5) * step for place, leaf in enumerate(leaves)}
    joins = []
    for node, pair in pairs.items():
        ends = [middle[child] for child in pair]
        middle[node] = sum(ends) / 2
        joins += [
            {"from": heights[child], "to": heights[node], "y": end, "y2": end}
            for child, end in zip(pair, ends, strict=True)
        ]
        joins.append({"from": heights[node], "to": heights[node], "y": min(ends), "y2": max(ends)})
    axis = replace(axis, zero=True).over(heights)
    layers = _across([] if cut is None else [Mark(cut)], axis, width)
    at = axis.span("x", "from", "to") | {"y": _pixel("y"), "y2": {"field": "y2"}}
    layers.append(_layer("rule", joins, at, strokeWidth=1.5, color=COLORS[0]))
    said = [{"text": str(names[leaf]), "y": middle[leaf]} for leaf in leaves]
    place = {"x": {"value": -8}, "y": _pixel("y"), "text": _raw("text")}
    layers.append(_layer("text", said, place, align="right", fontSize=12))
    return _panel(layers, width, step * count, heading)


def _picked(
    rows: Rows,
    *,
    needed: Mapping[str, str] | None = None,
    numbers: Mapping[str, str | None] | None = None,
    others: Mapping[str, str | None] | None = None,
) -> list[dict[str, Any]]:
    """The columns that are shown, under our names; without rows whose ``needed`` numbers are none."""
    found = []
    for row in rows:
        values = {key: number(row[column]) for key, column in (needed or {}).items()}
        if None in values.values():
            continue
        made: dict[str, Any] = dict(values)
        made |= {key: number(row[column]) for key, column in (numbers or {}).items() if column}
        given = {key: row[column] for key, column in (others or {}).items() if column}
        found.append(made | {key: _text(value) if key in _TEXTS else value for key, value in given.items()})
    if not found:
        raise InputError("There is nothing to draw: no row has the numbers that the picture shows.")
    return found


#: Keys whose values are names, whatever they are in the rows.
_TEXTS = ("name", "kind", "group", "x", "y", "text", "below", "inside")


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _listed(value: Any) -> list[float]:
    """A number, or several, as a list of those that are finite."""
    several = value if isinstance(value, (list, tuple)) else [value]
    return [kept for kept in map(number, several) if kept is not None]


def _layer(kind: str, rows: Sequence[Mapping[str, Any]], at: Mapping[str, Any], **look: Any) -> Spec:
    ink = {"color": INK} if kind == "text" else {}
    return {"data": {"values": list(rows)}, "mark": {"type": kind, **ink, **look}, "encoding": dict(at)}


def _panel(layers: Sequence[Spec], width: float, height: float, heading: Heading) -> Spec:
    made: Spec = {"width": round(width), "height": round(height), "layer": list(layers)}
    if heading is None:
        return made
    text, *further = [heading] if isinstance(heading, str) else heading
    title = {"text": text, "anchor": "start", "fontSize": 12, "fontWeight": "normal", "color": INK, "offset": 8}
    said = {"subtitle": further, "subtitleColor": MUTED, "subtitleFontSize": 11} if further else {}
    return {"title": title | said, **made}


def _raw(column: str) -> Spec:
    """A column that is taken as it is: a colour, a shape, a text."""
    plain = {"field": column, "type": "nominal"}
    return plain | (
        {"scale": None, "legend": None} if column in ("color", "line", "ink", "shape", "size", "dash") else {}
    )


def _pixel(column: str) -> Spec:
    """A column that holds places in pixels."""
    return {"field": column, "type": "quantitative", "scale": None, "axis": None, "title": None}


def _tips(*columns: str) -> list[Spec]:
    return [{"field": column, "type": "nominal"} for column in columns if column]


def _tint(colors: Mapping[str, str], legend: str | None, title: str | None = None) -> Spec:
    """The colour of each row as it is; only a legend needs to know what it stands for."""
    if legend is None:
        return _raw("color")
    scale = {"domain": list(colors), "range": list(colors.values())}
    look = {"orient": legend, "direction": "horizontal", "title": title, "symbolType": "circle", "symbolOpacity": 1}
    return {"field": "kind", "type": "nominal", "scale": scale, "legend": look}


def _lines_of(rows: Rows, order: Sequence[str], groups: Sequence[str], names: bool) -> Spec:
    """A line for each name, and in it a place for each group."""
    known = list(dict.fromkeys([*map(str, order), *(row["name"] for row in rows)]))
    scale = {"type": "band", "domain": known, "paddingInner": 0.25, "paddingOuter": 0.125}
    y = {"field": "name", "type": "nominal", "title": None, "scale": scale, "axis": {"grid": False} if names else None}
    offset = {"field": "group", "type": "nominal", "scale": {"type": "band", "domain": list(groups), "padding": 0.05}}
    return {"y": y} | ({"yOffset": offset} if len(groups) > 1 else {})


def _across(marks: Sequence[Mark], axis: Axis, width: float) -> list[Spec]:
    """Lines from top to bottom, with their words above the panel, moved apart."""
    layers = [
        _layer("rule", [{"at": mark.at}], {"x": axis.of("at")}, color=mark.color, strokeDash=list(mark.dash))
        for mark in marks
    ]
    said = [mark for mark in marks if mark.text]
    room = max((LETTER * len(mark.text) for mark in said), default=0.0)
    places = spread([axis.place(mark.at, width) for mark in said], room, low=room / 2, high=width - room / 2)
    rows = [{"x": at, "text": mark.text, "color": mark.color} for mark, at in zip(said, places, strict=True)]
    if rows:
        at = {"x": _pixel("x"), "y": {"value": -9}, "text": _raw("text"), "color": _raw("color")}
        layers.append(_layer("text", rows, at, fontSize=11))
    return layers


def _side_names(
    rows: Sequence[Mapping[str, Any]], edge: float, height: float, *, leader: str | None = None, left: bool = False
) -> list[Spec]:
    """Names in a column beside the panel, moved apart; joined to their places (``px``, ``py``) where they moved."""
    places = spread([row["py"] for row in rows], LINE, low=0.0, high=height)
    moved = leader is not None or any(abs(row["py"] - at) > 3 for row, at in zip(rows, places, strict=True))
    away = (18 if moved else 4) * (-1 if left else 1)
    said = [
        {"text": row["name"], "color": row["color"], "line": leader or row["color"], "px": row["px"], "py": row["py"]}
        | {"x": edge + away, "y": at, "start": row["px"] if leader else edge}
        for row, at in zip(rows, places, strict=True)
    ]
    ends = {"x": _pixel("start"), "x2": {"field": "x"}, "y": _pixel("py"), "y2": {"field": "y"}, "color": _raw("line")}
    text = {"x": _pixel("x"), "y": _pixel("y"), "text": _raw("text"), "color": _raw("color")}
    look = {"align": "right", "dx": -3} if left else {"align": "left", "dx": 3}
    words = _layer("text", said, text, fontSize=11 if leader else 12, **look)
    return [_layer("rule", said, ends, strokeWidth=0.7, opacity=0.6), words] if moved else [words]


def _end_names(rows: Sequence[dict[str, Any]], height: float, side: str, dots: float) -> list[Spec]:
    """The names of curves: in a column at the edge, or beside the end of a curve that ends before."""
    gap = 3.0 + math.sqrt(dots) / 2
    edge = max(row["px"] for row in rows) if side == "right" else min(row["px"] for row in rows)
    # Curves that are moved a little against each other still end together.
    near = [row for row in rows if abs(row["px"] - edge) < 30]
    layers = _side_names(near, edge + (gap if side == "right" else -gap), height, left=side == "left")
    early = [
        {"x": row["px"], "y": row["py"], "text": row["name"], "color": row["color"]} for row in rows if row not in near
    ]
    at = {"x": _pixel("x"), "y": _pixel("y"), "text": _raw("text"), "color": _raw("color")}
    return layers + ([_layer("text", early, at, align="left", dx=gap, dy=-7, fontSize=12)] if early else [])


def _mixed(colors: tuple[str, str, str], share: float) -> str:
    """A colour between the middle one and that of either end; ``share`` runs from -1 to 1."""
    ends = (colors[1], colors[2] if share >= 0 else colors[0])
    one, other = ([int(color[place : place + 2], 16) for place in (1, 3, 5)] for color in ends)
    weight = min(abs(share), 1.0)
    return "#" + "".join(f"{round(a + (b - a) * weight):02X}" for a, b in zip(one, other, strict=True))


def _is_dark(color: str) -> bool:
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140
