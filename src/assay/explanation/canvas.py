"""What pictures are made of: words that any reader can see, lines of them on a terminal, and a sheet to draw SVG on."""

from __future__ import annotations

import math
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from assay.results.text import width_of as width
from assay.results.visible import visible as harmless

#: What stands for a character that nobody would see.
_VISIBLE = {" ": "␣", "\t": "⇥", "\u00a0": "⍽", "\u3000": "□"}

#: Colours and weights, by name.
_CODES = {"bold": 1, "dim": 2, "italic": 3, "red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36}

#: A word as it is shown, or a mark, and its style; nothing at all where the word is None.
Cell = tuple[str | None, str]

_JOINERS = "\u200c\u200d"

#: Keep a word's direction to itself, so that columns stay in their order.
_ISOLATE, _END = "\u2068", "\u2069"

_FONT_SIZE = 13
#: Advance of one terminal column in this font, on the safe side; wide scripts take two columns.
_ADVANCE = 8.0
MARGIN = 12.0
#: Pixels of a line of words, of the box around one, between two of them, and inside a box beside its word.
PAGE, BOX, _BETWEEN, _INSIDE = 860.0, 21.0, 6.0, 14.0
#: Columns of a word in a box; what is longer is cut there, and whole where the mouse rests on it.
_LONGEST = 40

#: Colour and line of everything that has a meaning: dashes tell apart what colours do.
STYLE = """
.assay text { font: 13px ui-monospace, "DejaVu Sans Mono", "Noto Sans Mono", "Noto Sans Mono CJK SC", monospace;
  fill: #1a202c; }
.assay .title { font-size: 16px; font-weight: bold; }
.assay .small { font-size: 11px; fill: #4a5568; }
.assay .end { text-anchor: end; }
.assay .middle { text-anchor: middle; }
.assay .sheet { fill: #ffffff; }
.assay .box { fill: #f7fafc; stroke: #cbd5e0; }
.assay .frame { fill: none; stroke: #cbd5e0; }
.assay .line { fill: none; stroke: #a0aec0; stroke-width: 1.5; }
.assay .exact, .assay .match { fill: none; stroke: #2b6cb0; stroke-width: 2; }
.assay .stem { fill: none; stroke: #2f855a; stroke-width: 2; stroke-dasharray: 7 3; }
.assay .synonym { fill: none; stroke: #b7791f; stroke-width: 2; stroke-dasharray: 2 3; }
.assay .paraphrase { fill: none; stroke: #805ad5; stroke-width: 2; stroke-dasharray: 10 3 2 3; }
.assay .other { fill: none; stroke: #4a5568; stroke-width: 2; }
.assay .substitution { fill: none; stroke: #c05621; stroke-width: 2; stroke-dasharray: 5 3; }
.assay .shift { fill: none; stroke: #6b46c1; stroke-width: 1.5; }
.assay .box.exact, .assay .box.match { fill: #ebf8ff; stroke-width: 1; stroke-dasharray: none; }
.assay .box.stem { fill: #f0fff4; stroke-width: 1; }
.assay .box.synonym { fill: #fffff0; stroke-width: 1; }
.assay .box.paraphrase { fill: #faf5ff; stroke-width: 1; }
.assay .box.substitution { fill: #fffaf0; stroke-width: 1; }
.assay .box.insertion, .assay .box.deletion { fill: #fff5f5; stroke: #c53030; }
.assay .box.deletion { stroke-dasharray: 3 2; }
.assay .function { font-style: italic; }
.assay .hit { fill: #2d3748; }
.assay .open { fill: #ffffff; stroke: #b7791f; stroke-width: 1.5; }
.assay .run { fill: #bee3f8; stroke: #2b6cb0; }
.assay .cut { fill: #fefcbf; stroke: #b7791f; stroke-dasharray: 3 2; }
.assay .barrier { fill: #a0aec0; }
.assay .grid { stroke: #edf2f7; }
.assay .bar { fill: #3182ce; }
.assay .rest { fill: #e2e8f0; }
.assay .level0 { fill: #ffffff; stroke: #c53030; stroke-dasharray: 3 2; }
.assay .level1 { fill: #ebf8ff; stroke: #90cdf4; }
.assay .level2 { fill: #bee3f8; stroke: #63b3ed; }
.assay .level3 { fill: #90cdf4; stroke: #3182ce; }
"""


def visible(word: str) -> str:
    """A word with nothing invisible in it; an empty one is shown as such."""
    shown = "".join(_VISIBLE.get(character) or _shown(character) for character in word)
    return shown or "∅"


def _shown(character: str) -> str:
    # Controls, line ends and non-characters: XML forbids most of them, and nobody would see the others. Marks that join
    # letters belong to their word; those that turn the direction would turn the whole line.
    category = unicodedata.category(character)
    if category in ("Cc", "Cn", "Cs", "Zl", "Zp", "Zs") or (category == "Cf" and character not in _JOINERS):
        return f"\\u{ord(character):04x}"
    return character


def pad(word: str, columns: int, *, right: bool = False) -> str:
    """A visible word filled up with spaces; a right-to-left one is kept from turning its neighbours round."""
    shown = visible(word)
    space = " " * max(columns - width(shown), 0)
    return space + isolated(shown) if right else isolated(shown) + space


def isolated(shown: str) -> str:
    """A text that keeps its direction to itself, where letters or digits of it run to the left."""
    turned = any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in shown)
    return f"{_ISOLATE}{shown}{_END}" if turned else shown


def shorten(text: str, columns: int) -> str:
    """A text cut to so many columns, with an ellipsis."""
    if width(text) <= columns:
        return text
    while text and width(text) > columns - 1:
        text = text[:-1]
    return text + "…"


def reads_right_to_left(words: Iterable[str]) -> bool:
    """Whether most letters are Arabic, Hebrew or another script that runs to the left."""
    directions = [unicodedata.bidirectional(character) for word in words for character in word]
    right_to_left = sum(direction in ("R", "AL") for direction in directions)
    return right_to_left > sum(direction == "L" for direction in directions)


def joined(words: Sequence[str], unit: str = "word") -> str:
    """Words with spaces between them, or characters without."""
    return ("" if unit == "character" else " ").join(map(visible, words))


class Line:
    """A line made of pieces that may have a style such as ``bold green``."""

    def __init__(self, text: str = "", style: str = "") -> None:
        self._pieces = [(text, style)]

    def add(self, text: str, style: str = "") -> None:
        """Add a piece."""
        self._pieces.append((text, style))

    def wrapped(self, columns: int) -> Iterator[Line]:
        """A sentence in as many lines as it takes; what is drawn in columns is as wide as it has to be."""
        (text, style), *further = self._pieces
        if further or width(text) <= columns or text.startswith(" "):
            yield self
            return
        yield from (Line(part, style) for part in textwrap.wrap(text, columns, subsequent_indent="  "))

    def drawn(self, color: bool) -> str:
        """The line, with escape codes where there are colours."""
        return "".join(_painted(text, style) if color and style else text for text, style in self._pieces).rstrip()


def _painted(text: str, style: str) -> str:
    codes = ";".join(str(_CODES[name]) for name in style.split())
    return f"\x1b[{codes}m{text}\x1b[0m"


def fold(lines: Sequence[tuple[str, Sequence[Cell]]], total: int, *, gap: int = 2) -> Iterator[Line]:
    """Labelled lines of equally many cells, in as many blocks as the width asks for, with a blank line behind each."""
    label = max(width(name) for name, _ in lines) + 2
    columns = zip(*(cells for _, cells in lines), strict=True)
    widths = [max(0 if word is None else width(visible(word)) for word, _ in column) for column in columns]
    start = 0
    while start < len(widths):
        stop, used = start, label
        while stop < len(widths) and (stop == start or used + gap + widths[stop] <= total):
            used += gap + widths[stop]
            stop += 1
        for name, cells in lines:
            line = Line(name.ljust(label) if start == 0 else " " * label, "dim")
            for (word, style), room in zip(cells[start:stop], widths[start:stop], strict=True):
                line.add(" " * room if word is None else pad(word, room), style)
                line.add(" " * gap)
            yield line
        yield Line()
        start = stop


def text_width(text: str, size: int = _FONT_SIZE) -> float:
    """Room that a text needs, in pixels."""
    return width(text) * _ADVANCE * size / _FONT_SIZE


def box_width(*words: str | None) -> float:
    """Room that any of these words needs in a box."""
    return max(text_width(shorten(visible(word), _LONGEST)) for word in words if word is not None) + _INSIDE


class Place(NamedTuple):
    """Where a word stands: in which line, from which pixel on, and how wide its box is."""

    line: int
    x: float
    across: float

    @property
    def middle(self) -> float:
        """The pixel in the middle of the box."""
        return self.x + self.across / 2


def lines_for(widths: Sequence[float]) -> int:
    """How many lines of a page boxes of these widths take: a little less than full, for no word is torn."""
    return max(1, math.ceil((sum(widths) + _BETWEEN * len(widths)) / (0.9 * PAGE)))


def in_lines(line_of: Sequence[int], widths: Sequence[float]) -> list[Place]:
    """Boxes one behind the other, each in the line that it is given."""
    places: list[Place] = []
    reached: dict[int, float] = {}
    for line, across in zip(line_of, widths, strict=True):
        x = reached.get(line, 0.0)
        reached[line] = x + across + _BETWEEN
        places.append(Place(line, x, across))
    return places


def beside(labels: Iterable[str], *rows: Sequence[Place], mirrored: bool) -> tuple[list[Place], ...]:
    """Rows of boxes to the right of what they are called; where they are read to the left they begin at the right."""
    left = max(text_width(label, 11) for label in labels) + 10
    right = max((place.x + place.across for places in rows for place in places), default=0.0)
    return tuple(
        [place._replace(x=left + (right - place.x - place.across if mirrored else place.x)) for place in places]
        for places in rows
    )


def dealt(widths: Sequence[float], lines: int) -> list[int]:
    """The line of each box, so that all lines are about equally long.

    >>> dealt([10, 10, 10, 10, 10], 2)
    [0, 0, 0, 1, 1]
    """
    whole, before, line_of = sum(widths), 0.0, []
    for across in widths:
        line_of.append(min(int(lines * (before + across / 2 - 0.001) / whole), lines - 1))
        before += across
    return line_of


class Box(NamedTuple):
    """Where something stands: its upper left corner and its size."""

    x: float
    y: float
    across: float
    down: float


class Canvas:
    """Shapes in the order in which they are drawn."""

    def __init__(self) -> None:
        self._shapes: list[str] = []
        self.width = 0.0
        self.height = 0.0

    def reach(self, x: float, y: float) -> None:
        """Make room up to a point."""
        self.width, self.height = max(self.width, x), max(self.height, y)

    def _add(self, shape: str, kind: str, title: str) -> None:
        """A shape, with a text that appears when the mouse rests on it."""
        inside = f"<title>{escape(harmless(title))}</title>" if title else ""
        self._shapes.append(f'<{shape} class="{kind}">{inside}</{shape.partition(" ")[0]}>')

    def text(
        self, x: float, y: float, text: str, kind: str = "", *, rotate: float = 0.0, to_the_left: bool = False
    ) -> None:
        """A text whose baseline is at ``y``; ``to_the_left`` is one of a sentence that is read so.

        Its punctuation and digits then stand where that sentence has them. ``x`` is its left end whatever the
        direction, or of kind ``end`` the right one: where text runs to the left it starts at the right.
        """
        text = harmless(text)
        turned = f' transform="rotate({rotate:g} {x:g} {y:g})"' if rotate else ""
        kinds = set(kind.split())
        drawn = " ".join(sorted(kinds ^ {"end"})) if to_the_left and "middle" not in kinds else kind
        # Each text is a word of its own, whose direction concerns nobody else.
        direction = f' direction="{"rtl" if to_the_left else "ltr"}" unicode-bidi="isolate"'
        self._shapes.append(f'<text x="{x:g}" y="{y:g}" class="{drawn}"{turned}{direction}>{escape(text)}</text>')
        if not rotate and not {"end", "middle"} & kinds:
            size = 16 if "title" in kind else 11 if "small" in kind else _FONT_SIZE
            self.reach(x + text_width(text, size), y + 4)

    def rectangle(self, box: Box, kind: str, title: str = "") -> None:
        """A rectangle."""
        x, y, across, down = box
        self._add(f'rect x="{x:g}" y="{y:g}" width="{across:g}" height="{down:g}" rx="3"', kind, title)
        self.reach(x + across, y + down)

    def circle(self, x: float, y: float, radius: float, kind: str, title: str = "") -> None:
        """A dot."""
        self._add(f'circle cx="{x:g}" cy="{y:g}" r="{radius:g}"', kind, title)

    def path(self, commands: str, kind: str, title: str = "") -> None:
        """Any line; the caller makes room for it."""
        self._add(f'path d="{commands}"', kind, title)

    def link(self, start: tuple[float, float], end: tuple[float, float], kind: str, title: str = "") -> None:
        """A soft curve from one line of words to another."""
        (x, y), (to_x, to_y) = start, end
        bend = (to_y - y) / 2
        self.path(f"M{x:g} {y:g}C{x:g} {y + bend:g} {to_x:g} {to_y - bend:g} {to_x:g} {to_y:g}", kind, title)

    def word(self, box: Box, word: str, kind: str, title: str = "", *, to_the_left: bool = False) -> None:
        """A word in the middle of a box; one that is too long is cut, and whole in the title."""
        shown = shorten(visible(word), _LONGEST)
        whole = "" if shown == visible(word) else visible(word)
        self.rectangle(box, f"box {kind}", ": ".join(filter(None, (title, whole))))
        slanted = " function" if "function" in kind else ""
        at = box.x + box.across / 2, box.y + box.down / 2 + 4.5
        self.text(*at, shown, f"middle{slanted}", to_the_left=to_the_left)

    def content(self) -> str:
        """All shapes."""
        return "\n".join(self._shapes)
