"""WER, CER and TER: the translation beside the reference, edit by edit, and what was shifted before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.explanation.canvas import Box, Canvas, Cell, Line, fold, joined, widest
from assay.metrics.pictures import Edit, EditScript

_LETTERS = {"match": None, "substitution": "S", "insertion": "I", "deletion": "D"}
_STYLES = {"match": "", "substitution": "yellow", "insertion": "red", "deletion": "red"}
_SHIFTED = "cyan"

_ROW, _BOX, _GUTTER, _BETWEEN = 25.0, 21.0, 110.0, 44.0
_SIGNS = {"match": "=", "substitution": "≠", "insertion": "–", "deletion": "+"}


def _words(script: EditScript, edit: Edit) -> tuple[str | None, str | None]:
    """The words of an edit on both sides."""
    return (
        None if edit.translation is None else script.translation[edit.translation],
        None if edit.reference is None else script.reference[edit.reference],
    )


def _shift_of(script: EditScript) -> dict[int | None, int]:
    """The number of the shift that moved a word, by the word's position."""
    return {word: number for number, shift in enumerate(script.shifts, start=1) for word in shift.words}


def _shifted(script: EditScript, number: int) -> str:
    return joined([script.translation[word] for word in script.shifts[number - 1].words])


def rows(script: EditScript) -> Iterator[tuple[str, dict[str, Any]]]:
    """What it shows, as rows of tables: each with the table's name."""
    for edit in script.edits:
        translation, reference = _words(script, edit)
        left = {"translation_position": edit.translation, "translation": translation}
        right = {"reference_position": edit.reference, "reference": reference}
        yield "edits", {"operation": edit.operation} | left | right
    for number, shift in enumerate(script.shifts, start=1):
        words = " ".join(script.translation[word] for word in shift.words)
        yield "shifts", {"shift": number, "words": words, "source": shift.source, "target": shift.target}


def lines(script: EditScript, names: Sequence[str], width: int) -> Iterator[Line]:
    """Shifts first, as they happen; then the shifted translation above the reference, a letter for each edit."""
    shift_of = _shift_of(script)
    for number, shift in enumerate(script.shifts, start=1):
        yield Line(
            f"shift {number}: “{_shifted(script, number)}” from position {shift.source} to {shift.target}", _SHIFTED
        )
    if script.shifts:
        yield Line()
    reference_name = f"reference {names[script.reference_index]}"
    table: dict[str, list[Cell]] = {"shift": [], "translation": [], reference_name: [], "edit": []}
    for edit in script.edits:
        style, moved = _STYLES[edit.operation], shift_of.get(edit.translation)
        left, right = _words(script, edit)
        table["shift"].append((None if moved is None else str(moved), _SHIFTED))
        table["translation"].append(("·" if left is None else left, style or (_SHIFTED if moved else "")))
        table[reference_name].append(("·" if right is None else right, style))
        table["edit"].append((_LETTERS[edit.operation], style))
    if not script.shifts:
        del table["shift"]
    # Single characters stand closer than words.
    gap = 1 if all(len(word) <= 1 for word in (*script.translation, *script.reference)) else 2
    if script.edits:
        yield from fold(list(table.items()), width, gap=gap)
    yield Line("S substitution · I insertion, a word too many · D deletion, a word missing", "dim")


def draw(canvas: Canvas, script: EditScript, names: Sequence[str]) -> None:
    """A row per edit, downwards, so that long sentences fit a page; in front the translation before its shifts."""
    reference = f"reference {names[script.reference_index]}"
    left, right = widest(("after the shifts", *script.translation)), widest((reference, *script.reference))
    x, top = 0.0, 26.0
    if script.shifts:
        _draw_shifts(canvas, script, top, left)
        x = left + _GUTTER
    canvas.text(x, 14, "after the shifts" if script.shifts else "translation", "small")
    canvas.text(x + left + _BETWEEN, 14, reference, "small")
    for row, edit in enumerate(script.edits):
        y = top + _ROW * row
        boxes = Box(x, y, left, _BOX), Box(x + left + _BETWEEN, y, right, _BOX)
        for box, word in zip(boxes, _words(script, edit), strict=True):
            if word is not None:
                canvas.word(box, word, edit.operation, edit.operation)
        canvas.text(x + left + _BETWEEN / 2, y + _BOX / 2 + 4.5, _SIGNS[edit.operation], "middle")
    bottom = top + _ROW * max(len(script.edits), len(script.translation) if script.shifts else 0) + 20
    canvas.text(0, bottom, "= match   ≠ substitution   – word too many   + word missing", "small")


def _draw_shifts(canvas: Canvas, script: EditScript, top: float, left: float) -> None:
    """The translation as it was written; a line for every word, a heavy one for those that are moved."""
    shift_of = _shift_of(script)
    canvas.text(0, 14, "translation", "small")
    row_of = {edit.translation: row for row, edit in enumerate(script.edits) if edit.translation is not None}
    for position, word in enumerate(script.translation):
        y, number = top + _ROW * position, shift_of.get(position)
        kind, title = "", ""
        if number is not None:
            kind, title = "shift", f"shift {number}: {_shifted(script, number)}"
        canvas.link(
            (left, y + _BOX / 2), (left + _GUTTER, top + _ROW * row_of[position] + _BOX / 2), kind or "line", title
        )
        canvas.word(Box(0, y, left, _BOX), word, kind, title)
        if number is not None:
            canvas.text(left + 4, y + _BOX / 2 - 3, str(number), "small")
