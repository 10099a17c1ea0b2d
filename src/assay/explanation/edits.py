"""WER, CER and TER: the translation beside the reference, edit by edit, and what was shifted before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.explanation.canvas import (
    BOX,
    Box,
    Canvas,
    Cell,
    Line,
    Place,
    beside,
    box_width,
    dealt,
    fold,
    in_lines,
    isolated,
    joined,
    lines_for,
    reads_right_to_left,
)
from assay.metrics.pictures import Edit, EditScript

_LETTERS = {"match": None, "substitution": "S", "insertion": "I", "deletion": "D"}
_STYLES = {"match": "", "substitution": "yellow", "insertion": "red", "deletion": "red"}
_SHIFTED = "cyan"

#: Pixels from a line of edits to the next, from translation to reference, and up to the translation as it was written.
_ROWS, _APART, _SHIFTED_ABOVE = 92.0, 46.0, 68.0
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
            f"shift {number}: “{isolated(_shifted(script, number))}” from position {shift.source} to {shift.target}",
            _SHIFTED,
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
    """A column per edit, in lines that fit a page; above them the translation before its shifts, if there are any."""
    labels = ["after the shifts" if script.shifts else "translation", f"reference {names[script.reference_index]}"]
    mirrored = reads_right_to_left(script.reference)
    widths = [box_width(*_words(script, edit)) for edit in script.edits]
    lines = lines_for(widths)
    before = [box_width(word) for word in script.translation] if script.shifts else []
    written, edited = (in_lines(dealt(across, lines), across) for across in (before, widths))
    written, edited = beside(labels, written, edited, mirrored=mirrored)
    above = _SHIFTED_ABOVE if script.shifts else 0.0
    rows = _ROWS + above
    tops = [above + rows * line for line in range(lines)]
    if script.shifts:
        _draw_shifts(canvas, script, written, edited, tops, to_the_left=mirrored)
    for y in tops:
        for label, down in zip(labels, (0.0, _APART), strict=True):
            canvas.text(0, y + down + BOX / 2 + 4, label, "small")
    for edit, place in zip(script.edits, edited, strict=True):
        y = tops[place.line]
        for down, word in zip((0.0, _APART), _words(script, edit), strict=True):
            if word is not None:
                box = Box(place.x, y + down, place.across, BOX)
                canvas.word(box, word, edit.operation, edit.operation, to_the_left=mirrored)
        canvas.text(place.middle, y + (_APART + BOX) / 2 + 4.5, _SIGNS[edit.operation], "middle")
    bottom = rows * len(tops) + 4
    canvas.text(0, bottom, "= match   ≠ substitution   – word too many   + word missing", "small")


def _draw_shifts(
    canvas: Canvas,
    script: EditScript,
    written: Sequence[Place],
    edited: Sequence[Place],
    tops: Sequence[float],
    *,
    to_the_left: bool,
) -> None:
    """The translation as it was written; a line for every word, a heavy one for those that are moved."""
    shift_of = _shift_of(script)
    place_of = {edit.translation: place for edit, place in zip(script.edits, edited, strict=True)}
    for y in tops:
        canvas.text(0, y - _SHIFTED_ABOVE + BOX / 2 + 4, "translation", "small")
    for position, (word, place) in enumerate(zip(script.translation, written, strict=True)):
        number, there, y = shift_of.get(position), place_of[position], tops[place.line] - _SHIFTED_ABOVE
        kind, title = ("shift", f"shift {number}: {_shifted(script, number)}") if number is not None else ("", "")
        ends = (y + BOX, tops[there.line]) if there.line >= place.line else (y, tops[there.line] + BOX)
        canvas.link((place.middle, ends[0]), (there.middle, ends[1]), kind or "line", title)
        canvas.word(Box(place.x, y, place.across, BOX), word, kind, title, to_the_left=to_the_left)
        if number is not None:
            canvas.text(place.middle + 4, y + BOX + 11, str(number), "small")
