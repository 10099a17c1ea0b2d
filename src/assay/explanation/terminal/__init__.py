"""Explanations in a terminal: Unicode, readable without colour, folded to its width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.explanation.terminal.alignment import draw_alignment
from assay.explanation.terminal.edits import draw_edits
from assay.explanation.terminal.grid import draw_grid
from assay.explanation.terminal.ngrams import draw_ngrams
from assay.explanation.words import Text
from assay.metrics.pictures import Alignment, BitextGrid, EditScript, NgramMatches
from assay.results.text import width_of as columns_of

if TYPE_CHECKING:
    from assay.explanation.explanation import Explanation


def draw(explanation: Explanation, *, color: bool, width: int) -> str:
    """Title, picture and parts."""
    return "".join(f"{line.drawn(color)}\n" for line in _lines(explanation, width))


def _lines(explanation: Explanation, width: int) -> Iterator[Text]:
    yield Text(explanation.title, style="bold")
    yield Text(str(explanation.metric), style="dim")
    for remark in explanation.remarks:
        yield Text(f"! {remark}", style="yellow")
    yield Text("")
    picture = explanation.picture
    names = explanation.reference_names
    if isinstance(picture, Alignment):
        yield from draw_alignment(picture, names, width)
    elif isinstance(picture, EditScript):
        yield from draw_edits(picture, names, width)
    elif isinstance(picture, NgramMatches):
        yield from draw_ngrams(picture, names, width)
    elif isinstance(picture, BitextGrid):
        yield from draw_grid(picture, names, width)
    yield from _parts(explanation, width)


def _parts(explanation: Explanation, width: int) -> Iterator[Text]:
    """The numbers that the score is made of, as many to a line as fit."""
    cells = [f"{name.replace('_', ' ')} {_number(value)}" for name, value in explanation.parts.items()]
    line = ""
    for cell in cells:
        if line and columns_of(line) + 3 + columns_of(cell) > width:
            yield Text(line, style="dim")
            line = ""
        line = f"{line} · {cell}" if line else cell
    if line:
        yield Text(line, style="dim")


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.0f}" if value.is_integer() else f"{value:.3f}"
