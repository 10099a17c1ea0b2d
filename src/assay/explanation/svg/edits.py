"""WER, CER and TER: one row per edit, and in front of them the translation as it was before it was shifted."""

from __future__ import annotations

from collections.abc import Sequence

from assay.explanation.svg.canvas import Box, Canvas, text_width
from assay.explanation.words import joined, visible
from assay.metrics.pictures import EditScript

ROW, BOX, GUTTER, BETWEEN = 25.0, 21.0, 110.0, 44.0
SIGNS = {"match": "=", "substitution": "≠", "insertion": "–", "deletion": "+"}


def draw_edits(canvas: Canvas, script: EditScript, names: Sequence[str]) -> None:
    """Steps run downwards, so that long sentences fit a page."""
    left = _widest(("after the shifts", *script.translation))
    right = _widest((f"reference {names[script.reference_index]}", *script.reference))
    top = 26.0
    x = 0.0
    if script.shifts:
        _draw_shifts(canvas, script, top, left)
        x = left + GUTTER
    canvas.text(x, 14, "after the shifts" if script.shifts else "translation", "small")
    canvas.text(x + left + BETWEEN, 14, f"reference {names[script.reference_index]}", "small")
    for row, edit in enumerate(script.edits):
        y = top + ROW * row
        if edit.translation is not None:
            word = script.translation[edit.translation]
            canvas.word(Box(x, y, left, BOX), word, edit.operation, edit.operation)
        if edit.reference is not None:
            canvas.word(
                Box(x + left + BETWEEN, y, right, BOX), script.reference[edit.reference], edit.operation, edit.operation
            )
        canvas.text(x + left + BETWEEN / 2, y + BOX / 2 + 4.5, SIGNS[edit.operation], "middle")
    bottom = top + ROW * max(len(script.edits), len(script.translation) if script.shifts else 0) + 20
    canvas.text(0, bottom, "= match   ≠ substitution   – word too many   + word missing", "small")


def _draw_shifts(canvas: Canvas, script: EditScript, top: float, left: float) -> None:
    """The translation as it was written; a line for every word, a heavy one for those that are moved."""
    shift_of = {word: number for number, shift in enumerate(script.shifts, start=1) for word in shift.words}
    canvas.text(0, 14, "translation", "small")
    row_of = {edit.translation: row for row, edit in enumerate(script.edits) if edit.translation is not None}
    for position, word in enumerate(script.translation):
        start = (left, top + ROW * position + BOX / 2)
        end = (left + GUTTER, top + ROW * row_of[position] + BOX / 2)
        number = shift_of.get(position)
        title = "" if number is None else f"shift {number}: {_shifted(script, number)}"
        canvas.link(start, end, "line" if number is None else "shift", title)
        canvas.word(Box(0, top + ROW * position, left, BOX), word, "" if number is None else "shift", title)
        if number is not None:
            canvas.text(left + 4, top + ROW * position + BOX / 2 - 3, str(number), "small")


def _shifted(script: EditScript, number: int) -> str:
    return joined([script.translation[word] for word in script.shifts[number - 1].words])


def _widest(words: Sequence[str]) -> float:
    return max(text_width(visible(word)) for word in words) + 14
