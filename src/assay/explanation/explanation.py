"""Why did this translation get this score? Numbers and a picture, for a terminal or as SVG."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from types import ModuleType
from typing import Any

from assay.explanation import alignment, edits, grid, ngrams
from assay.explanation.canvas import MARGIN, STYLE, Canvas, Line
from assay.metrics.base import Metric
from assay.metrics.pictures import Alignment, BitextGrid, EditScript, NgramMatches, Picture
from assay.results.text import width_of as columns_of
from assay.results.visible import visible

#: Columns of the components below a picture.
_PARTS_WIDTH = 120
#: Who shows which picture, each in three ways: ``rows`` of tables, ``lines`` of a terminal, and ``draw`` on a canvas.
_PICTURES: dict[type[Any], ModuleType] = {
    Alignment: alignment,
    EditScript: edits,
    NgramMatches: ngrams,
    BitextGrid: grid,
}


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why one translation scored what it did.

    ``score`` is None where the metric could not score the segment. ``picture`` is one of the types of
    ``assay.metrics.pictures``, or None for a metric that has nothing but ``parts`` to show.
    """

    metric: Metric
    translation: str
    references: tuple[str, ...]
    reference_names: tuple[str, ...]
    score: float | None
    parts: Mapping[str, float | None]
    picture: Picture | None = field(repr=False)
    source: str | None = None
    #: Where the segment comes from, if it comes from a campaign.
    system: str | None = None
    segment: str | None = None
    #: What a reader should know: that a search was cut short, say.
    remarks: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Metric and score, with what they are about."""
        score = "no score" if self.score is None else f"{self.score:.2f}"
        where = [f"system {self.system}"] if self.system is not None else []
        where += [f"segment {self.segment}"] if self.segment is not None else []
        return " · ".join([f"{self.metric.label} {score}", *where])

    @property
    def shown_by(self) -> ModuleType | None:
        """What shows the picture; None where there is nothing but ``parts``."""
        return next((module for kind, module in _PICTURES.items() if isinstance(self.picture, kind)), None)

    def to_text(self, *, color: bool = False, width: int | None = None) -> str:
        """For a terminal; readable without colour. ``width`` is where lines are folded, 100 columns by default."""
        columns = width or 100
        return "".join(f"{part.drawn(color)}\n" for line in self._lines(columns) for part in line.wrapped(columns))

    def _lines(self, width: int) -> Iterator[Line]:
        """Title, picture and parts."""
        yield Line(self.title, "bold")
        yield Line(str(self.metric), "dim")
        for remark in self.remarks:
            yield Line(f"! {remark}", "yellow")
        yield Line()
        if self.shown_by is not None:
            yield from self.shown_by.lines(self.picture, self.reference_names, width)
        for line in self.part_lines(width):
            yield Line(line, "dim")

    def part_lines(self, width: int) -> Iterator[str]:
        """The components of the score, as many in a line as there is room for."""
        line = ""
        for name, value in self.parts.items():
            cell = f"{name.replace('_', ' ')} {_number(value)}"
            if line and columns_of(line) + 3 + columns_of(cell) > width:
                yield line
                line = ""
            line = f"{line} · {cell}" if line else cell
        if line:
            yield line


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.0f}" if value.is_integer() else f"{value:.3f}"


def to_svg(explanations: Sequence[Explanation]) -> str:
    """A whole SVG file, with several explanations below each other."""
    parts: list[str] = []
    across, down = 0.0, MARGIN
    for explanation in explanations:
        remarks = [line for remark in explanation.remarks for line in textwrap.wrap(f"! {remark}", _PARTS_WIDTH)]
        heading, body, top = Canvas(), Canvas(), 48.0 + 16 * len(remarks)
        heading.text(0, 16, explanation.title, "title")
        heading.text(0, 33, str(explanation.metric), "small")
        for number, line in enumerate(remarks):
            heading.text(0, 50 + 16 * number, line, "small")
        if explanation.shown_by is not None:
            explanation.shown_by.draw(body, explanation.picture, explanation.reference_names)
        below = body.height + 18 if explanation.shown_by is not None else 8.0
        for number, line in enumerate(explanation.part_lines(_PARTS_WIDTH)):
            body.text(0, below + 16 * number, line, "small")
        heading.reach(body.width, top + body.height)
        parts.append(
            f'<g transform="translate({MARGIN:g} {down:g})">\n{heading.content()}\n'
            f'<g transform="translate(0 {top:g})">\n{body.content()}\n</g>\n</g>'
        )
        across = max(across, heading.width)
        down += heading.height + 2 * MARGIN
    across += 2 * MARGIN
    title, content = escape(visible("; ".join(explanation.title for explanation in explanations))), "\n".join(parts)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" class="assay" width="{across:g}" height="{down:g}" '
        f'viewBox="0 0 {across:g} {down:g}" role="img">\n<title>{title}</title>\n<style>{STYLE}</style>\n'
        f'<rect class="sheet" width="{across:g}" height="{down:g}"/>\n{content}\n</svg>\n'
    )
