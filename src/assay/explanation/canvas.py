"""A sheet to draw SVG on: shapes are added, and it grows to hold them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from assay.explanation.words import visible
from assay.results.text import width_of as width

_FONT_SIZE = 13
#: Advance of one terminal column in this font, on the safe side; wide scripts take two columns.
_ADVANCE = 8.0
MARGIN = 12.0

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


def text_width(text: str, size: int = _FONT_SIZE) -> float:
    """Room that a text needs, in pixels."""
    return width(text) * _ADVANCE * size / _FONT_SIZE


def widest(words: Iterable[str]) -> float:
    """Room that any of these words needs in a box."""
    return max(text_width(visible(word)) for word in words) + 14


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
        inside = f"<title>{escape(title)}</title>" if title else ""
        self._shapes.append(f'<{shape} class="{kind}">{inside}</{shape.partition(" ")[0]}>')

    def text(self, x: float, y: float, text: str, kind: str = "", *, rotate: float = 0.0) -> None:
        """A text whose baseline is at ``y``."""
        turned = f' transform="rotate({rotate:g} {x:g} {y:g})"' if rotate else ""
        # Each text is a word of its own, whose direction concerns nobody else.
        self._shapes.append(
            f'<text x="{x:g}" y="{y:g}" class="{kind}"{turned} unicode-bidi="isolate">{escape(text)}</text>'
        )
        if not rotate and not {"end", "middle"} & set(kind.split()):
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
        """A soft curve from left to right."""
        (x, y), (to_x, to_y) = start, end
        bend = (to_x - x) / 2
        self.path(f"M{x:g} {y:g}C{x + bend:g} {y:g} {to_x - bend:g} {to_y:g} {to_x:g} {to_y:g}", kind, title)

    def word(self, box: Box, word: str, kind: str, title: str = "") -> None:
        """A word in the middle of a box: so its direction does not matter."""
        self.rectangle(box, f"box {kind}", title)
        slanted = " function" if "function" in kind else ""
        self.text(box.x + box.across / 2, box.y + box.down / 2 + 4.5, visible(word), f"middle{slanted}")

    def content(self) -> str:
        """All shapes."""
        return "\n".join(self._shapes)
