"""GTM's bitext grid as in its paper: bullets are hits, chosen runs are shaded blocks, bars part the references."""

from __future__ import annotations

from collections.abc import Sequence

from assay.explanation.grids import Layout
from assay.explanation.svg.canvas import Box, Canvas, text_width
from assay.explanation.words import joined, shorten, visible
from assay.metrics.pictures import BitextGrid
from assay.results.text import width_of as width

CELL = 20.0
WIDEST = 24
#: Headings of so many columns fit a cell without being turned.
UPRIGHT = 2


def draw_grid(canvas: Canvas, grid: BitextGrid, names: Sequence[str]) -> None:
    """The translation downwards, the references across, each with its name above it."""
    layout = Layout.of(grid)
    rows = [shorten(visible(word), WIDEST) for word in grid.translation]
    heads = ["" if word is None else shorten(visible(word), WIDEST) for word in layout.columns]
    left = max(map(text_width, rows), default=0.0) + 8
    top = max(map(text_width, heads), default=0.0) + 30
    across, down = CELL * len(heads), CELL * len(rows)
    start = 0
    for name, words in zip(names, grid.references, strict=True):
        canvas.text(left + CELL * start, 12, f"reference {name}", "small")
        start += len(words) + 1
    for column, head in enumerate(heads):
        if width(head) <= UPRIGHT:
            canvas.text(left + CELL * column + CELL / 2, top - 6, head, "middle")
        else:
            canvas.text(left + CELL * column + CELL / 2 + 4.5, top - 6, head, rotate=-90)
        canvas.path(f"M{left + CELL * column:g} {top:g}v{down:g}", "grid")
        if layout.columns[column] is None:
            canvas.rectangle(Box(left + CELL * column + CELL / 2 - 2, top, 4, down), "barrier", "matches nothing")
    for row, word in enumerate(rows):
        canvas.text(left - 6, top + CELL * row + CELL / 2 + 4.5, word, "end")
        canvas.path(f"M{left:g} {top + CELL * row:g}h{across:g}", "grid")
    canvas.rectangle(Box(left, top, across, down), "frame")
    for run in grid.runs:
        size = CELL * run.length
        kind = "run" if run.counted == run.length else "cut"
        matched = joined(grid.translation[run.row : run.row + run.length])
        title = f"run of {run.length}, counts {run.counted:g}: {matched}"
        canvas.rectangle(Box(left + CELL * run.column, top + CELL * run.row, size, size), kind, title)
    for row, column in sorted(layout.hits):
        x, y = left + CELL * (column + 0.5), top + CELL * (row + 0.5)
        if (row, column) in layout.capped:
            canvas.circle(x, y, 4, "open", "left out by the length cap")
        else:
            canvas.circle(x, y, 5 if (row, column) in layout.chosen else 3, "hit")
    _legend(canvas, top + down + 22, bool(grid.capped) or any(run.counted != run.length for run in grid.runs))


def _legend(canvas: Canvas, y: float, capped: bool) -> None:
    canvas.rectangle(Box(0, y - 11, 14, 14), "run")
    canvas.circle(7, y - 4, 4, "hit")
    canvas.text(20, y, "chosen run", "small")
    canvas.circle(112, y - 4, 3, "hit")
    canvas.text(120, y, "hit not chosen", "small")
    if capped:
        canvas.rectangle(Box(236, y - 11, 14, 14), "cut")
        canvas.circle(243, y - 4, 4, "open")
        canvas.text(256, y, "cut short or left out by the length cap", "small")
