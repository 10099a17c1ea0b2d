"""Eight kinds of picture as plain Vega-Lite: rows and the names of their columns in, a dictionary out.

Nothing is drawn here: :class:`assay.results.figure.Figure` does that where somebody looks. A primitive copies the few
values that it shows under names of its own, leaves out rows whose numbers are not finite, and sets all places and
colours itself, so that pictures side by side do not disturb each other.
"""

from __future__ import annotations

import colorsys
import json
import math
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from assay.errors import InputError
from assay.results.figure import Figure, drawable
from assay.results.visible import plain, visible

#: Colours that differ in lightness too, so that they survive a grey printer (Okabe & Ito).
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
INK, MUTED, _RULE, GREY = "#222222", "#666666", "#DDDDDD", "#999999"
#: Dashes tell lines apart, and shapes dots, beyond as many as there are colours.
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (12, 4), (4, 1), (1, 4))
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left")
#: A step around the circle of hues that no number of steps brings near to where one of them was.
_HUE_STEP = 0.618034
#: Pixels of a line of text, of one of its letters, and of a letter of a title, about.
LINE, _LETTER, _BOLD = 13.0, 6.0, 8.5
#: What is a number under our names, and what is a look; all else is text.
_NUMBERS = {"value", "low", "high", "x", "y", "left", "right", "from", "to", "count", "shade", "size"}
_LOOKS = {"color", "shape", "size", "dash"}

#: Where a name ends that is written from right to left: before punctuation and a number.
_BEHIND_A_NAME = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc](?: ?[0-9]+)*(?= ?[,;:.()\\[\\]]+ ?[+-]?[0-9])")
_OUR_LETTERS = re.compile("[A-Za-z]")

Spec = dict[str, Any]
_Row = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]
#: Names of the columns that hold both ends of something.
_Ends = tuple[str, str] | None
_Heading = str | Sequence[str] | None


@dataclass(frozen=True, kw_only=True)
class Axis:
    """An axis of numbers. Without a domain it holds all values, with a margin; one that is given grows if it must."""

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
        kept = [value for value in map(_number, values) if value is not None]
        if self.domain is not None:
            within = [value for value in kept if value > 0 or not self.log]
            return replace(self, domain=(min(self.domain[0], *within), max(self.domain[1], *within)))
        kept += [0.0] if self.zero else []
        low, high, ticks = min(kept, default=0.0), max(kept, default=1.0), self.ticks
        if self.log and low > 0:
            return replace(self, domain=(low, high) if high > low else (low / 2, high * 2))
        if low == high:
            # Where all values are the same, the one tick is theirs: there may be none around it.
            ticks = [low] if isinstance(ticks, int) else ticks
            low, high = (low - 0.05 * abs(low), high + 0.05 * abs(high)) if low else (-1.0, 1.0)
        # What starts at 0 starts at the edge.
        before, after = (0.0 if self.zero and end == 0 else margin for end in (low, high))
        reach = high - low
        domain = (low - (before + room[0]) * reach, high + (after + room[1]) * reach)
        return replace(self, log=False, domain=domain, ticks=ticks)

    def place(self, value: float, length: float, *, up: bool = False) -> float:
        """The pixel of a value; on an axis that runs ``up`` they are counted from its top."""
        low, high = self.domain or (0.0, 1.0)
        if self.log:
            value, low, high = math.log(value), math.log(low), math.log(high)
        share = (value - low) / (high - low)
        return length * (1.0 - share if self.reverse != up else share)

    def spaced(self, length: float) -> Axis:
        """With ticks whose labels do not meet along so many pixels; the first and the last of them stay."""
        low, high = self.domain or (0.0, 1.0)
        ticks = self.ticks
        if isinstance(ticks, int):
            if not self.log:
                return self
            powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
            ticks = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
            ticks = [tick for tick in ticks if low <= tick <= high] or [low, high]
        if self.labels or len(ticks) < 3:
            return replace(self, ticks=ticks)
        first, *between, last = ticks
        kept = [first]
        for tick in between:
            room = _LETTER * max(len(f"{value:,g}") for value in (kept[-1], tick, last)) + 8
            if all(abs(self.place(tick, length) - self.place(other, length)) >= room for other in (kept[-1], last)):
                kept.append(tick)
        return replace(self, ticks=[*kept, last])

    def of(self, column: str) -> Spec:
        """A column along this axis, as Vega-Lite encodes it."""
        scale: Spec = {"domain": list(self.domain or (0.0, 1.0)), "nice": False, "zero": False, "reverse": self.reverse}
        scale |= {"type": "log"} if self.log else {}
        # A label stands below its tick at the ends, too.
        axis: Spec = {"grid": self.grid, "labelFlush": False} | ({"orient": "top"} if self.on_top else {})
        axis |= {"tickCount": self.ticks} if isinstance(self.ticks, int) else {"values": list(self.ticks)}
        axis |= {"format": self.format} if self.format else {}
        if self.labels:
            # Names in an expression are quoted, and plain ASCII.
            names, places = json.dumps(_clean(self.labels)), json.dumps(axis["values"])
            axis |= {"labelExpr": f"{names}[indexof({places}, datum.value)]", "labelAngle": 0}
            axis |= {"labelOverlap": False}
        encoding = {"field": column, "type": "quantitative", "title": self.title, "scale": scale}
        return encoding | {"axis": axis if self.shown else None}

    def span(self, channel: str, start: str, end: str) -> Spec:
        """From one column to another; ``channel`` is x or y."""
        return {channel: self.of(start), f"{channel}2": {"field": end}}

    def at_zero(self, channel: str) -> list[Spec]:
        """The line at 0, where there is to be one."""
        return _layer("rule", [{"zero": 0.0}], {channel: self.of("zero")}, when=self.zero, color=GREY)


#: An axis as its values make it.
_AUTO = Axis()


class Mark(NamedTuple):
    """A line across a picture at one value, with words above it, and a ring where it meets a curve."""

    at: float
    text: str = ""
    color: str = MUTED
    dash: Sequence[int] = (4, 3)
    ring: float | None = None


def figure(name: str, spec: Mapping[str, Any], title: str, subtitle: Sequence[str] = ()) -> Figure:
    """The figure, with the look that all of them share, and nothing in it that JSON or a page cannot hold."""
    axis = {"labelColor": INK, "titleColor": MUTED, "titleFontWeight": "normal", "gridColor": _RULE, "domain": False}
    axis |= {"labelFontSize": 12, "titleFontSize": 12, "ticks": False, "labelPadding": 8, "labelLimit": 260}
    look = {"font": "Helvetica, Arial, sans-serif", "axis": axis, "view": {"stroke": None}}
    # Lines that are longer than the picture is wide would be cut off.
    lines, below = _wrapped([title], _width(spec) / _BOLD), _wrapped(subtitle, _width(spec) / _LETTER)
    head: Spec = {"text": lines if len(lines) > 1 else title, "subtitle": below}
    head |= {"anchor": "start", "offset": 16, "fontSize": 15, "color": INK}
    head |= {"subtitleColor": MUTED, "subtitleFontSize": 12, "subtitlePadding": 6}
    # A panel may have a heading, which the title of the whole does not replace.
    body = beside(dict(spec)) if "title" in spec else spec
    whole = {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "title": head, **body}
    return Figure(name, spec=_clean(whole | {"padding": 16, "background": "white", "config": look}), title=title)


def with_line(picture: Figure, line: str) -> Figure:
    """A figure that :func:`figure` made with one more line below its title; any other as it is."""
    head = picture.data.get("title")
    if not line or not isinstance(head, dict):
        return picture
    lines = [*head.get("subtitle", ()), *_wrapped([_clean(line)], _width(picture.data) / _LETTER)]
    return replace(picture, spec={**picture.data, "title": {**head, "subtitle": lines}})


def with_name(picture: Figure, what: str, name: str) -> Figure:
    """A figure that says whose it is: below its title stands ``what: name``, unless that is named there already."""
    head = picture.data.get("title")
    if not isinstance(head, dict):
        return picture
    told = " ".join([picture.title, *head.get("subtitle", ())])
    there = re.search(rf"(?<![\w-]){re.escape(_clean(name))}(?![\w-])", told)
    return picture if there else with_line(picture, f"{what}: {name}")


def _width(spec: Mapping[str, Any]) -> float:
    """Pixels of a picture from left to right, without what stands beside its axes."""
    parts = [_width(part) for part in (*spec.get("hconcat", ()), *spec.get("vconcat", ()))]
    if "hconcat" in spec:
        return sum(parts) + float(spec.get("spacing", 0)) * (len(parts) - 1)
    return max(parts, default=float(spec.get("width", 0)))


def _wrapped(lines: Iterable[str], letters: float) -> list[str]:
    """Lines of so many letters at most, but of 40 in any case."""
    return [part for line in lines for part in textwrap.wrap(line, max(int(letters), 40))]


def beside(*specs: Spec, spacing: int = 40) -> Spec:
    """Pictures side by side."""
    return {"hconcat": list(specs), "spacing": spacing, "resolve": {"scale": {"yOffset": "independent"}}}


def above(*specs: Spec, spacing: int = 24) -> Spec:
    """Pictures one below the other."""
    return {"vconcat": list(specs), "spacing": spacing, "resolve": {"scale": {"yOffset": "independent"}}}


def panels(specs: Sequence[Spec], *, columns: int = 3, spacing: int = 28) -> Spec:
    """Pictures in lines of as many as there are columns."""
    filled = [beside(*specs[start : start + columns], spacing=spacing) for start in range(0, len(specs), columns)]
    return filled[0] if len(filled) == 1 else above(*filled, spacing=spacing)


def key(colors: Mapping[str, str], *, title: str = "", shapes: Mapping[str, str] | None = None) -> Spec:
    """What colours, and shapes, stand for, in a line of its own, to be set above or below a picture."""
    said, at = [], _LETTER * len(title) + (10 if title else 0)
    for name, color in colors.items():
        said.append({"x": at + 5, "end": at + 14, "text": name, "color": color})
        at += 32 + _LETTER * len(name)
    line = {"y": {"value": 6}}
    text, dot = line | {"text": _raw("text")}, {"x": _pixel("x")} | line | {"color": _raw("color")}
    if shapes:
        said, dot = [row | {"shape": shapes[str(row["text"])]} for row in said], dot | {"shape": _raw("shape")}
    layers = [
        *_layer("point", said, dot, filled=True, size=90, opacity=1),
        *_layer("text", said, text | {"x": _pixel("end")}, align="left", fontSize=12),
        *_layer("text", [{"text": title}], text | {"x": {"value": 0}}, align="left", fontSize=12, color=MUTED),
    ]
    return _panel(layers, at, 12, None)


def palette(names: Iterable[Any], colors: Sequence[str] = COLORS) -> dict[str, str]:
    """A colour for each different name, in their order; beyond those that are given they are made, no two alike."""
    return {
        name: colors[place] if place < len(colors) else _made_color(place - len(colors))
        for place, name in enumerate(dict.fromkeys(map(str, names)))
    }


def _made_color(place: int) -> str:
    """Hues far from their neighbours, light and dark in turn."""
    lightness = (0.62, 0.3, 0.48)[place % 3]
    red, green, blue = colorsys.hls_to_rgb(place * _HUE_STEP % 1.0, lightness, (0.55, 0.8)[place % 2])
    return "#" + "".join(f"{round(255 * part):02X}" for part in (red, green, blue))


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


def _number(value: Any) -> float | None:
    """A finite number as a plain float; None for everything else."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _clean(value: Any) -> Any:
    """Plain values only, and control characters shown, those that the converter knows among them."""
    return plain(value, lambda text: _in_order(visible(drawable(text))))


def _in_order(text: str) -> str:
    """A line in which numbers behind a Hebrew or Arabic name do not join it: they belong to our words.

    A name that is nothing but such letters and digits keeps them together.
    """
    return _BEHIND_A_NAME.sub("\\g<0>\u200e", text) if _OUR_LETTERS.search(text) else text


def interval_dots(
    rows: Rows, *, name: str, value: str, ends: _Ends = None, box: _Ends = None, ticks: str | None = None,
    label: str | None = None, label_above: bool = False, label_side: str | None = None, group: str | None = None,
    kind: str | None = None, colors: Mapping[str, str] | None = None, color: str = COLORS[0],
    shapes: Mapping[str, str] | None = None, order: Sequence[str] = (), axis: Axis = _AUTO,
    marks: Sequence[Mark] = (), stem: bool = False, names: bool = True,
    heading: _Heading = None, width: int = 300, step: float = 24,
) -> Spec:  # fmt: skip
    """A dot with its interval in the line of each name.

    ``group`` sets several dots of a name below each other; ``kind`` (without it the group) chooses colour and shape.
    ``box`` are the ends of a wide bar, ``ticks`` is a number or a list of them, ``label`` a text at the end or above,
    or on the side that ``label_side`` says, left or right, ``stem`` a line from 0.
    """
    columns = {"name": name, "value": value, "group": group, "kind": kind or group, "text": label, "ticks": ticks}
    columns |= {"side": label_side, **_both("low", "high", ends), **_both("from", "to", box)}
    shown = _picked(rows, columns, needed=("value",))
    _colour(shown, colors, color)
    for row in shown:
        row |= {end: row["value"] for end in ("low", "high") if row.get(end) is None}
        row |= {"zero": 0.0, "shape": (shapes or {}).get(row["kind"], row["shape"])}
        # Beside a line at 0 words stand on the outer side.
        row.setdefault("side", "left" if axis.zero and (row["value"] < 0) != axis.reverse else "right")
    at, height = _lines_of(shown, order, step, names=names, centred=True)
    cloud = [row | {"tick": tick} for row in shown for tick in row.pop("ticks", ())]
    sides = sorted({row["side"] for row in shown} if label and not label_above else ())
    # Words on the right stand beyond the axis, where no tick promises values that there may not be.
    room = (0.12 if "left" in sides else 0.0, 0.0)
    reached = [row[end] for row in shown for end in ("low", "high", "value")] + [row["tick"] for row in cloud]
    axis = axis.over([*reached, *(mark.at for mark in marks)], room=room[::-1] if axis.reverse else room)
    tinted = at | {"color": _raw("color")}
    layers = [*axis.at_zero("x"), *_across(marks, axis, width)]
    look: Spec = {"thickness": 3, "size": 14} if box else {"thickness": 1, "size": 9, "opacity": 0.3}
    layers += _layer("tick", cloud, tinted | {"x": axis.of("tick")}, when=cloud, **look)
    layers += _layer("bar", shown, tinted | axis.span("x", "from", "to"), when=box, height=10, opacity=0.35)
    look = {"strokeWidth": 1.5 if box else 2.5, "opacity": 0.9 if cloud and not box else 0.5}
    layers += _layer("rule", shown, tinted | axis.span("x", "low", "high"), when=ends, **look)
    layers += _layer("rule", shown, tinted | axis.span("x", "zero", "value"), when=stem, strokeWidth=2.5, opacity=0.5)
    point = (at if box else tinted) | {"x": axis.of("value"), "shape": _raw("shape"), "tooltip": _tips(shown, "value")}
    layers += _layer("point", shown, point, filled=True, size=28 if box else 64, opacity=1, color=INK)
    said = at | {"x": axis.of("value"), "text": _raw("text")}
    layers += _layer("text", shown, said, when=label_above, dy=-10, fontSize=11)
    for side in sides:
        beside_it = [row for row in shown if row["side"] == side]
        said = at | {"x": axis.of("high" if (side == "right") != axis.reverse else "low"), "text": _raw("text")}
        layers += _layer("text", beside_it, said, fontSize=11, **_beside(side, 8))
    return _panel(layers, width, height, heading)


def bars(
    rows: Rows, *, name: str, value: str, group: str | None = None, stacked: bool = False, label: str | None = None,
    colors: Mapping[str, str] | None = None, color: str = COLORS[0], order: Sequence[str] = (), axis: Axis = _AUTO,
    names: bool = True, heading: _Heading = None, width: int = 300, step: float = 20,
) -> Spec:  # fmt: skip
    """A bar from 0 in the line of each name; those of several groups below each other, or one behind the other."""
    columns = {"name": name, "value": value, "kind": group, "text": label, "group": None if stacked else group}
    shown = _picked(rows, columns, needed=("value",))
    _colour(shown, colors, color)
    reached: dict[tuple[str, bool], float] = {}
    for row in shown:
        # Of a stack, what is below 0 goes to the left.
        stack = (row["name"], row["value"] < 0)
        row["from"] = reached.get(stack, 0.0) if stacked else 0.0
        row["to"] = reached[stack] = row["from"] + row["value"]
        row["middle"] = (row["from"] + row["to"]) / 2
    axis = replace(axis, zero=True).over(row["to"] for row in shown)
    at, height = _lines_of(shown, order, step, names=names)
    drawn = at | axis.span("x", "from", "to") | {"color": _raw("color"), "tooltip": _tips(shown, "value")}
    said = at | {"x": axis.of("middle" if stacked else "to"), "text": _raw("text")}
    look = {"color": "white"} if stacked else _beside("right", 6)
    layers = [*_layer("bar", shown, drawn, opacity=0.85), *axis.at_zero("x")]
    layers += _layer("text", shown, said, when=label, fontSize=11, **look)
    return _panel(layers, width, height, heading)


def scatter(
    rows: Rows, *, x: str, y: str, across: Axis = _AUTO, up: Axis = _AUTO, name: str | None = None,
    x_ends: _Ends = None, y_ends: _Ends = None, kind: str | None = None, colors: Mapping[str, str] | None = None,
    color: str = COLORS[0], size: str | None = None, area: float = 45, opacity: float = 0.8, label: str | None = None,
    inside: str | None = None, identity: bool = False, regression: bool = False,
    line: tuple[float, float] | None = None, link: str | None = None, heading: _Heading = None, width: int = 300,
    height: int = 240,
) -> Spec:  # fmt: skip
    """A dot per row, by two numbers.

    ``name`` stands at the right side, moved apart and joined to its dot; ``label`` beside the dot, ``inside`` in it.
    ``x_ends`` and ``y_ends`` are columns with the ends of intervals, ``size`` is one with areas in pixels. ``identity``
    is the line on which both numbers are the same, ``regression`` the straight line through each kind, ``line`` has the
    height at 0 and the slope of a given one. ``link`` is a column that says what a dot is, and to which row of a page
    it leads: the row's id (``segment-`` and twelve hexadecimal digits), a colon, and words.
    """
    columns = {"x": x, "y": y, "name": name, "kind": kind, "text": label, "inside": inside, "size": size, "link": link}
    columns |= {**_both("left", "right", x_ends), **_both("low", "high", y_ends)}
    shown = _picked(rows, columns, needed=("x", "y"))
    _colour(shown, colors, color)
    # All names have a line of their own.
    height = max(height, round(LINE * len(shown))) if name else height
    for row in shown:
        row |= {end: row["x"] for end in ("left", "right") if row.get(end) is None}
        row |= {end: row["y"] for end in ("low", "high") if row.get(end) is None}
        row["size"] = row.get("size", area)
    across = across.over(row[end] for row in shown for end in ("x", "left", "right")).spaced(width)
    up = up.over(row[end] for row in shown for end in ("y", "low", "high"))
    at: Spec = {"x": across.of("x"), "y": up.of("y")}
    tinted = at | {"color": _raw("color")}
    layers = [*across.at_zero("x"), *up.at_zero("y")]
    corners = [{"x": end, "y": end} for end in across.domain or ()]
    layers += _layer("line", corners, at, when=identity, color=MUTED, strokeDash=[4, 4], strokeWidth=1, clip=True)
    for fitted in _layer("line", shown, tinted, when=regression, strokeWidth=1.2, opacity=0.8):
        layers.append(fitted | {"transform": [{"regression": "y", "on": "x", "groupby": ["kind", "color"]}]})
    drawn = _within(line, across, up) if line else []
    layers += _layer("line", drawn, at, when=drawn, color=INK, strokeWidth=1.5)
    bar = {"strokeWidth": 2, "opacity": 0.35}
    layers += _layer("rule", shown, tinted | up.span("y", "low", "high"), when=y_ends, **bar)
    layers += _layer("rule", shown, tinted | across.span("x", "left", "right"), when=x_ends, **bar)
    dots = tinted | {"size": _raw("size"), "shape": _raw("shape"), "tooltip": _tips(shown, "x", "y", "link")}
    dots |= {"description": _raw("link")} if link else {}
    layers += _layer("point", shown, dots, filled=True, opacity=opacity)
    layers += _layer("text", shown, at | {"text": _raw("inside")}, when=inside, fontSize=11, color="white")
    places = [(across.place(row["x"], width), up.place(row["y"], height, up=True)) for row in shown]
    for away, rows_there in _labelled(shown, places).items() if label else ():
        look = {"fontSize": 11, "color": MUTED, "dy": away} | _beside("right", 10)
        layers += _layer("text", rows_there, at | {"text": _raw("text")}, **look)
    if name:
        said = [row | {"px": px, "py": py, "color": INK} for row, (px, py) in zip(shown, places, strict=True)]
        layers += _side_names(said, width, height, "right", leader=MUTED)
    return _panel(layers, width, height, heading)


def _labelled(rows: Sequence[_Row], places: Sequence[tuple[float, float]]) -> dict[float, list[_Row]]:
    """The rows by how far down the text beside their dot stands, so that it covers no other dot and no other text."""
    found: dict[float, list[_Row]] = {}
    radii = [math.sqrt(row["size"] / math.pi) for row in rows]
    dots = [(x - reach, x + reach, y - reach, y + reach) for (x, y), reach in zip(places, radii, strict=True)]
    written: list[tuple[float, ...]] = []
    for place in sorted((place for place, row in enumerate(rows) if row["text"]), key=lambda place: places[place]):
        (x, y), wide = places[place], _LETTER * len(rows[place]["text"])
        taken = [*dots[:place], *dots[place + 1 :], *written]
        tried = [(away, (x + 8, x + 12 + wide, y + away - 6, y + away + 6)) for away in (0.0, -12.0, 12.0, -24.0, 24.0)]
        away, box = next((one for one in tried if not any(_meet(one[1], other) for other in taken)), tried[0])
        written.append(box)
        found.setdefault(away, []).append(rows[place])
    return found


def _meet(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two boxes, from left to right and from top to bottom, have a part in common."""
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _within(line: tuple[float, float], across: Axis, up: Axis) -> list[_Row]:
    """Both ends of the part of a line that lies inside a panel; nothing where none does."""
    (left, right), (bottom, top) = across.domain or (0.0, 1.0), up.domain or (0.0, 1.0)
    height, slope = line
    if slope:
        reached = sorted((bound - height) / slope for bound in (bottom, top))
        left, right = max(left, reached[0]), min(right, reached[1])
    if left >= right or not (slope or bottom <= height <= top):
        return []
    return [{"x": end, "y": height + slope * end} for end in (left, right)]


def lines(
    rows: Rows, *, x: str, y: str, series: str, ends: _Ends = None, ranges: bool = False, across: Axis = _AUTO,
    up: Axis = _AUTO, colors: Mapping[str, str] | None = None, dashes: Mapping[str, Sequence[int]] | None = None,
    names: Sequence[str] = ("right",), ink: str | None = None, dots: float = 30, inside: str | None = None,
    nudge: float = 0.0, marks: Sequence[Mark] = (), rug: Sequence[float] = (), flush: bool = False,
    heading: _Heading = None, width: int = 520, height: int = 320,
) -> Spec:  # fmt: skip
    """A curve per series, with its name where it ends.

    ``names`` are the sides on which curves are named, in the colour of the curve or in ``ink``; with ``flush`` all
    stand at the edge, also those of curves that end before. Between ``ends`` is a
    band, or with ``ranges`` a bar at each dot; ``nudge`` moves each series to the right of the last one, so that bars
    do not hide each other. ``dots`` is their area, ``inside`` is written into them; ``rug`` are ticks at the bottom.
    """
    columns = {"x": x, "y": y, "name": series, "text": inside, **_both("low", "high", ends)}
    shown = _picked(rows, columns, needed=("x", "y"))
    known = list(dict.fromkeys(row["name"] for row in shown))
    colors = palette(known) | dict(colors or {})
    dashes = {name: DASHES[place // len(COLORS) % len(DASHES)] for place, name in enumerate(known)} | dict(dashes or {})
    across = across.over([*(row["x"] for row in shown), *(mark.at for mark in marks)], margin=0.0).spaced(width)
    up = up.over(row[end] for row in shown for end in ("y", "low", "high") if end in row)
    for row in shown:
        row["x"] += nudge * (known.index(row["name"]) - (len(known) - 1) / 2)
        row |= {"color": colors[row["name"]], "dash": list(dashes[row["name"]])}
        row |= {"px": across.place(row["x"], width), "py": up.place(row["y"], height, up=True)}
    shown.sort(key=lambda row: row["px"])
    at: Spec = {"x": across.of("x"), "y": up.of("y"), "color": _raw("color"), "detail": _raw("name")}
    layers = [*up.at_zero("y"), *_across(marks, across, width)]
    bounded = [row for row in shown if row.get("low") is not None and row.get("high") is not None]
    look: Spec = {"strokeWidth": 2, "opacity": 0.35} if ranges else {"opacity": 0.14}
    band = at | up.span("y", "low", "high")
    layers += _layer("rule" if ranges else "area", bounded, band, when=bounded, **look)
    layers += _layer("line", shown, at | {"strokeDash": _raw("dash")}, strokeWidth=2)
    point = at | {"tooltip": _tips(shown, "x", "y")}
    layers += _layer("point", shown, point, when=dots, filled=True, opacity=1, size=dots)
    said = {"x": at["x"], "y": at["y"], "text": _raw("text")}
    layers += _layer("text", shown, said, when=inside, fontSize=10, fontWeight="bold", color="white")
    rings = [{"x": mark.at, "y": mark.ring, "color": mark.color} for mark in marks if mark.ring is not None]
    layers += _layer("point", rings, at, when=rings, size=110, strokeWidth=2, opacity=1)
    below = {"x": at["x"], "y": {"value": height - 6}}
    ticks = [{"x": value} for value in rug]
    layers += _layer("tick", ticks, below, when=ticks, color=INK, opacity=0.45, size=12)
    for side in names:
        last = {row["name"]: row | ({"color": ink} if ink else {}) for row in shown[:: 1 if side == "right" else -1]}
        layers += _end_names([last[name] for name in known], height, side, max(math.sqrt(dots) / 2, 6.0), flush)
    return _panel(layers, width, height, heading)


def histogram(
    rows: Rows, *, start: str, end: str, count: str, across: Axis = _AUTO, up: Axis = _AUTO, color: str = COLORS[0],
    mean: float | None = None, sd: float | None = None, label: str = "", sideways: bool = False,
    heading: _Heading = None, width: int = 300, height: int = 130,
) -> Spec:  # fmt: skip
    """A bar over each bin, as high as its count; the mean is a line, with a bar of one deviation to both sides."""
    shown = _picked(rows, {"from": start, "to": end, "count": count}, needed=("from", "to", "count"))
    low, high = min(row["from"] for row in shown), max(row["to"] for row in shown)
    across = across.over((low, high), margin=0.0)
    tallest = (1.18 if label else 1.0) * max(row["count"] for row in shown)
    up = replace(up, domain=up.domain or (0.0, tallest or 1.0)).over(row["count"] for row in shown)
    along, off = ("y", "x") if sideways else ("x", "y")
    at = across.span(along, "from", "to") | up.span(off, "zero", "count")
    at |= {"tooltip": _tips(shown, "from", "to", "count")}
    drawn = [row | {"zero": 0.0} for row in shown]
    layers = _layer("rect", drawn, at, color=color, opacity=0.75, stroke="white", strokeWidth=0.5)
    if mean is not None:
        wide, top = sd or 0.0, 0.93 * (up.domain or (0.0, 1.0))[1]
        said = [{"from": max(mean - wide, low), "to": min(mean + wide, high), "mean": mean, "top": top, "text": label}]
        layers += _layer("rule", said, {along: across.of("mean")}, color=INK, strokeWidth=1.5)
        deviation = across.span(along, "from", "to") | {off: up.of("top")}
        layers += _layer("rule", said, deviation, color=INK, strokeWidth=3)
        place = {along: across.of("mean"), off: up.of("top"), "text": _raw("text")}
        look = _beside("left" if mean > (low + high) / 2 else "right", 6)
        layers += _layer("text", said, place, dy=-9, fontSize=12, **look)
    return _panel(layers, width, height, heading)


def heat_grid(
    rows: Rows, *, column: str, line: str, shade: str, text: str, below: str | None = None, bold: str | None = None,
    columns: Sequence[str] = (), lines_: Sequence[str] = (), reach: float | None = None,
    colors: tuple[str, str, str] = ("#F0A367", "#F6F6F6", "#7FB8DA"), across: str | None = None, up: str | None = None,
    on_top: bool = False, split: str | None = None, heading: _Heading = None, cell: tuple[float, float] = (56, 40),
) -> Spec:  # fmt: skip
    """A cell per row, with a text on it and a smaller one below, bold where the column ``bold`` says so.

    ``shade`` runs from -``reach`` over 0 to +``reach`` through the three colours; a cell without it has the middle one.
    ``columns`` and ``lines_`` are names in their order, ``across`` and ``up`` titles; ``split`` breaks long names.
    """
    kept = {"column": column, "line": line, "shade": shade, "text": text, "below": below, "bold": bold}
    shown = _picked(rows, kept)
    most = reach or max((abs(row["shade"] or 0.0) for row in shown), default=0.0) or 1.0
    for row in shown:
        row["color"] = _mixed(colors, (row["shade"] or 0.0) / most)
        row["ink"] = "white" if _is_dark(row["color"]) else INK
    side = list(dict.fromkeys([*map(str, columns), *(row["column"] for row in shown)]))
    down = list(dict.fromkeys([*map(str, lines_), *(row["line"] for row in shown)]))
    axis: Spec = {"grid": False, "labelAngle": 0, "orient": "top" if on_top else "bottom"}
    if split:
        axis |= {"labelExpr": f"split(datum.label, {json.dumps(split)})", "labelLineHeight": 14}
        # Further lines of a label would run into the cells.
        axis |= {"labelPadding": 4 + 14 * max(name.count(split) for name in side) if on_top else 8}
    at: Spec = {
        "x": {"field": "column", "type": "nominal", "title": across, "scale": {"domain": side}, "axis": axis},
        "y": {"field": "line", "type": "nominal", "title": up, "scale": {"domain": down}, "axis": {"grid": False}},
    }
    layers = _layer("rect", shown, at | {"color": _raw("color")}, stroke="white", strokeWidth=2)
    at |= {"color": {"field": "ink", "type": "nominal", "scale": None}}
    for sure, weight in ((False, "normal"), (True, "bold")):
        cells = [row for row in shown if bool(row.get("bold")) == sure]
        upper = {"fontSize": 13, "dy": -7} if below else {"fontSize": 11}
        layers += _layer("text", cells, at | {"text": _raw("text")}, fontWeight=weight, **upper)
        lower = at | {"text": _raw("below")}
        layers += _layer("text", cells, lower, when=below, fontWeight=weight, fontSize=9.5, dy=9)
    return _panel(layers, cell[0] * len(side), cell[1] * len(down), heading)


def dendrogram(
    merges: Rows, *, names: Sequence[str], first: str = "first", second: str = "second", height: str = "height",
    axis: Axis = _AUTO, cut: float | None = None, heading: _Heading = None, width: int = 300, step: float = 20,
) -> Spec:  # fmt: skip
    """Which names are alike, as a tree that joins them from left to right; ``cut`` is a line across it.

    Names are numbered from 0, and merges behind them, as scipy's ``linkage`` does: each joins two numbers at a height.
    """
    count = len(names)
    if len(merges) != count - 1 or count < 2:
        raise InputError(f"A tree of {count} names takes {max(count - 1, 1)} merges, and there are {len(merges)}.")
    heights = [0.0] * count + [_number(row[height]) or 0.0 for row in merges]
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
        ends, to = [middle[child] for child in pair], {"to": heights[node]}
        middle[node] = sum(ends) / 2
        joins += [{"from": heights[child]} | to | {"y": middle[child], "y2": middle[child]} for child in pair]
        joins.append({"from": heights[node]} | to | {"y": min(ends), "y2": max(ends)})
    axis = replace(axis, zero=True).over(heights)
    layers = _across([] if cut is None else [Mark(cut)], axis, width)
    at = axis.span("x", "from", "to") | {"y": _pixel("y"), "y2": {"field": "y2"}}
    layers += _layer("rule", joins, at, strokeWidth=1.5, color=COLORS[0])
    said = [{"text": str(names[leaf]), "y": middle[leaf]} for leaf in leaves]
    place = {"x": {"value": -8}, "y": _pixel("y"), "text": _raw("text")}
    layers += _layer("text", said, place, align="right", fontSize=12)
    return _panel(layers, width, step * count, heading)


def branching(
    rows: Rows, *, node: str = "node", parent: str = "parent", text: str = "condition", said: str = "said",
    shares: Mapping[str, str] | None = None, colors: Mapping[str, str] | None = None, heading: _Heading = None,
    step: float = 34, column: float = 130, bar: float = 110,
) -> Spec:  # fmt: skip
    """A tree from the root on the left to its leaves on the right: a text on every branch, another behind each leaf.

    Rows come parents first, children in the order in which they stand. ``shares`` are columns with numbers and what
    they are numbers of, drawn as a bar at each leaf in these ``colors``.
    """
    known = {row[node]: row for row in rows}
    children: dict[Any, list[Any]] = {name: [] for name in known}
    depth: dict[Any, int] = {}
    for name, row in known.items():
        above_it = row[parent]
        depth[name] = 0 if above_it is None else depth[above_it] + 1
        if above_it is not None:
            children[above_it].append(name)
    leaves = [name for name in known if not children[name]]
    middle = {leaf: (place + 0.5) * step for place, leaf in enumerate(leaves)}
    for name in reversed([*known]):
        if children[name]:
            middle[name] = sum(middle[child] for child in children[name]) / len(children[name])
    column = max(column, _LETTER * max(len(str(row[text])) for row in rows) + 16)
    # The root is as long as its text.
    root = _LETTER * max(len(str(row[text])) for row in rows if row[parent] is None) + 16
    edge = root + column * max(depth.values())

    def start(name: Any) -> float:
        return 0.0 if depth[name] == 0 else root + column * (depth[name] - 1)

    flat, upright, words = [], [], []
    for name, row in known.items():
        end = edge if not children[name] else start(children[name][0])
        flat.append({"x": start(name), "to": end, "y": middle[name]})
        ends = [middle[child] for child in children[name]]
        upright += [{"x": end, "y": min(ends), "to": max(ends)}] if ends else []
        words.append({"x": start(name) + 5, "y": middle[name] - 7, "text": str(row[text])})
    layers = _layer("rule", flat, {"x": _pixel("x"), "x2": {"field": "to"}, "y": _pixel("y")}, color=GREY)
    layers += _layer(
        "rule", upright, {"x": _pixel("x"), "y": _pixel("y"), "y2": {"field": "to"}}, when=upright, color=GREY
    )
    at = {"x": _pixel("x"), "y": _pixel("y"), "text": _raw("text")}
    layers += _layer("text", words, at, align="left", fontSize=11)
    pieces, behind = [], []
    for leaf in leaves:
        numbers = {name: _number(known[leaf][column_]) or 0.0 for column_, name in (shares or {}).items()}
        total, from_ = sum(numbers.values()), edge
        for name, number in numbers.items():
            to = from_ + bar * number / total if total else from_
            low, high = middle[leaf] - 0.28 * step, middle[leaf] + 0.28 * step
            color = (colors or {}).get(name, GREY)
            piece = {"x": from_, "to": to, "y": low, "y2": high, "color": color, "kind": name, "count": number}
            pieces += [piece] if number else []
            from_ = to
        far = edge + (bar if shares else 0.0) + 8
        behind.append({"x": far, "y": middle[leaf], "text": str(known[leaf][said])})
    ends_of = {"x": _pixel("x"), "x2": {"field": "to"}, "y": _pixel("y"), "y2": {"field": "y2"}, "color": _raw("color")}
    tips = {"tooltip": [{"field": name, "type": "nominal"} for name in ("kind", "count")]}
    layers += _layer("rect", pieces, ends_of | tips, when=pieces, stroke="white", strokeWidth=1)
    layers += _layer("text", behind, at, align="left", fontSize=12)
    room = max((_LETTER * len(str(row["text"])) for row in behind), default=0.0) * 1.1
    return _panel(layers, edge + (bar if shares else 0.0) + 8 + room, step * len(leaves), heading)


def _both(low: str, high: str, ends: _Ends) -> dict[str, str]:
    return dict(zip((low, high), ends, strict=True)) if ends else {}


def _picked(rows: Rows, columns: Mapping[str, str | None], *, needed: Sequence[str] = ()) -> list[_Row]:
    """The columns that are shown, under our names; without rows whose ``needed`` numbers are none."""
    picked = []
    for row in rows:
        made: _Row = {}
        for ours, theirs in columns.items():
            value = row[theirs] if theirs else None
            if ours == "ticks":
                several = value if isinstance(value, (list, tuple)) else [value]
                made[ours] = [tick for tick in map(_number, several) if tick is not None]
            elif theirs:
                text = value if ours == "bold" else "" if value is None else str(value)
                made[ours] = _number(value) if ours in _NUMBERS else text
        if all(made[name] is not None for name in needed):
            picked.append(made)
    if not picked:
        raise InputError("There is nothing to draw: no row has the numbers that the picture shows.")
    return picked


def _colour(rows: Sequence[_Row], colors: Mapping[str, str] | None, color: str) -> None:
    """Give each row the colour of its kind, and beyond as many as there are colours another shape."""
    known = colors or palette(row["kind"] for row in rows if "kind" in row)
    shapes = {name: _SHAPES[place // len(COLORS) % len(_SHAPES)] for place, name in enumerate(known)}
    for row in rows:
        row["kind"] = row.get("kind", "")
        row |= {"color": known.get(row["kind"], color), "shape": shapes.get(row["kind"], _SHAPES[0])}


def _layer(kind: str, rows: Rows, at: Mapping[str, Any], *, when: Any = True, **look: Any) -> list[Spec]:
    """Marks of one kind, a row each, in one layer; nothing where it is not wanted."""
    ink = {"color": INK} if kind == "text" else {}
    layer = {"data": {"values": list(rows)}, "mark": {"type": kind, **ink, **look}, "encoding": dict(at)}
    return [layer] if when else []


def _panel(layers: Sequence[Spec], width: float, height: float, heading: _Heading) -> Spec:
    made: Spec = {"width": round(width), "height": round(height), "layer": list(layers)}
    if heading is None:
        return made
    text, *further = [heading] if isinstance(heading, str) else heading
    # Lines that are wider than the panel would push away what stands beside it.
    further = _wrapped(further, width / _LETTER)
    title = {"text": text, "anchor": "start", "fontSize": 12, "fontWeight": "normal", "color": INK, "offset": 8}
    said = {"subtitle": further, "subtitleColor": MUTED, "subtitleFontSize": 11} if further else {}
    return {"title": title | said, **made}


def _raw(column: str) -> Spec:
    """A column that is taken as it is: a text, a colour, a shape."""
    return {"field": column, "type": "nominal"} | ({"scale": None, "legend": None} if column in _LOOKS else {})


def _pixel(column: str) -> Spec:
    """A column that holds places in pixels."""
    return {"field": column, "type": "quantitative", "scale": None, "axis": None, "title": None}


def _tips(rows: Sequence[_Row], *columns: str) -> list[Spec]:
    """What is shown of a row when somebody points at it, where pages can be pointed at."""
    known = dict.fromkeys(("name", "kind", *columns, "low", "high"))
    return [{"field": name, "type": "nominal"} for name in known if rows[0].get(name) not in (None, "")]


def _beside(side: str, away: float) -> Spec:
    return {"align": "left", "dx": away} if side == "right" else {"align": "right", "dx": -away}


def _lines_of(
    rows: Sequence[_Row], order: Sequence[str], step: float, *, names: bool, centred: bool = False
) -> tuple[Spec, float]:
    """A line for each name, and in it a place for each group; and how high all of them are.

    ``centred``, those of a name that has some of the groups only stand in the middle of its line, and a line has as
    many places as the fullest one has groups.
    """
    known = list(dict.fromkeys([*map(str, order), *(row["name"] for row in rows)]))
    groups = list(dict.fromkeys(row["group"] for row in rows if "group" in row))
    scale = {"type": "band", "domain": known, "paddingInner": 0.25, "paddingOuter": 0.125}
    at: Spec = {"y": {"field": "name", "type": "nominal", "title": None, "scale": scale}}
    at["y"]["axis"] = {"grid": False} if names else None
    if len(groups) < 2:
        # A line for one group is as far from the next one as lines of several are.
        return at, (step + 8 if groups else step) * len(known)
    there = {name: {row["group"] for row in rows if row["name"] == name} for name in known}
    most = max(map(len, there.values())) if centred else len(groups)
    if not centred or all(len(own) in (0, len(groups)) for own in there.values()):
        scale = {"type": "band", "domain": groups, "padding": 0.05}
        at["yOffset"] = {"field": "group", "type": "nominal", "scale": scale}
    else:
        for row in rows:
            own = [group for group in groups if group in there[row["name"]]]
            row["lane"] = own.index(row["group"]) - (len(own) - 1) / 2
        at["yOffset"] = {"field": "lane", "type": "quantitative", "scale": {"domain": [-most / 2, most / 2]}}
    return at, (step * most + 8) * len(known)


def _across(marks: Sequence[Mark], axis: Axis, width: float) -> list[Spec]:
    """Lines from top to bottom, with their words above the panel, moved apart."""
    layers: list[Spec] = []
    for mark in marks:
        layers += _layer("rule", [{"at": mark.at}], {"x": axis.of("at")}, color=mark.color, strokeDash=list(mark.dash))
    said = [mark for mark in marks if mark.text]
    room = max((_LETTER * len(mark.text) for mark in said), default=0.0)
    places = spread([axis.place(mark.at, width) for mark in said], room, low=room / 2, high=width - room / 2)
    rows = [{"x": place, "text": mark.text, "color": mark.color} for mark, place in zip(said, places, strict=True)]
    at = {"x": _pixel("x"), "y": {"value": -9}, "text": _raw("text"), "color": _raw("color")}
    return [*layers, *_layer("text", rows, at, when=rows, fontSize=11)]


def _side_names(
    rows: Sequence[_Row], edge: float, height: float, side: str, *, leader: str | None = None
) -> list[Spec]:
    """Names in a column beside the panel, moved apart; joined to their places (``px``, ``py``) where they moved."""
    places = spread([row["py"] for row in rows], LINE, low=0.0, high=height)
    moved = leader is not None or any(abs(row["py"] - place) > 3 for row, place in zip(rows, places, strict=True))
    far = edge + (20 if moved else 0) * (1 if side == "right" else -1)
    said = [
        {"text": row["name"], "x": far, "y": place, "color": row["color"], "px": row["px"] if leader else edge}
        | {"py": row["py"], "dash": row.get("dash", [1, 0])}
        for row, place in zip(rows, places, strict=True)
    ]
    text = {"x": _pixel("x"), "y": _pixel("y"), "text": _raw("text"), "color": _raw("color")}
    words = _layer("text", said, text, fontSize=11 if leader else 12, **_beside(side, 4))
    ends = {"x": _pixel("px"), "x2": {"field": "x"}, "y": _pixel("py"), "y2": {"field": "y"}}
    tint = {"color": {"value": leader} if leader else _raw("color"), "strokeDash": _raw("dash")}
    thin = {"strokeWidth": 0.7, "opacity": 0.6} if leader else {"strokeWidth": 1.2}
    return [*_layer("rule", said, ends | tint, when=moved, **thin), *words]


def _end_names(rows: Sequence[_Row], height: float, side: str, gap: float, flush: bool) -> list[Spec]:
    """The names of curves: in a column at the edge or, unless all are ``flush``, where a curve ends before."""
    edge = (max if side == "right" else min)(row["px"] for row in rows)
    # Curves that are moved a little against each other still end together.
    near = [row for row in rows if flush or abs(row["px"] - edge) < 30]
    layers = _side_names(near, edge + (gap + 3) * (1 if side == "right" else -1), height, side)
    early = [row for row in rows if row not in near]
    at = {"x": _pixel("px"), "y": _pixel("py"), "text": _raw("name"), "color": _raw("color")}
    return [*layers, *_layer("text", early, at, when=early, dy=-7, fontSize=12, **_beside(side, gap + 3))]


def _mixed(colors: tuple[str, str, str], share: float) -> str:
    """A colour between the middle one and that of either end; ``share`` runs from -1 to 1."""
    ends = (colors[1], colors[2] if share >= 0 else colors[0])
    middle, end = ([int(color[place : place + 2], 16) for place in (1, 3, 5)] for color in ends)
    weight = min(abs(share), 1.0)
    return "#" + "".join(f"{round(a + (b - a) * weight):02X}" for a, b in zip(middle, end, strict=True))


def _is_dark(color: str) -> bool:
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140
