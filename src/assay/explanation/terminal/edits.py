"""WER, CER and TER: the translation above the reference, step by step, with a letter for each edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.explanation.terminal.columns import Cell, fold
from assay.explanation.words import Text, joined
from assay.metrics.pictures import EditScript

LETTERS = {"match": None, "substitution": "S", "insertion": "I", "deletion": "D"}
STYLES = {"match": "", "substitution": "yellow", "insertion": "red", "deletion": "red"}
SHIFTED = "cyan"


def draw_edits(script: EditScript, names: Sequence[str], width: int) -> Iterator[Text]:
    """Shifts first, as they happen; then the shifted translation beside the reference."""
    shift_of = {word: number for number, shift in enumerate(script.shifts, start=1) for word in shift.words}
    for number, shift in enumerate(script.shifts, start=1):
        words = joined([script.translation[word] for word in shift.words])
        yield Text(f"shift {number}: “{words}” from position {shift.source} to {shift.target}", style=SHIFTED)
    if script.shifts:
        yield Text("")
    translation, reference, marks, shifts = [], [], [], []
    for edit in script.edits:
        style = STYLES[edit.operation]
        word = None if edit.translation is None else script.translation[edit.translation]
        moved = None if edit.translation is None else shift_of.get(edit.translation)
        translation.append(Cell("·" if word is None else word, style or (SHIFTED if moved else "")))
        reference.append(Cell("·" if edit.reference is None else script.reference[edit.reference], style))
        marks.append(Cell(LETTERS[edit.operation], style))
        shifts.append(Cell(None if moved is None else str(moved), SHIFTED))
    lines = [("translation", translation), (f"reference {names[script.reference_index]}", reference), ("edit", marks)]
    if script.shifts:
        lines.insert(0, ("shift", shifts))
    # Single characters stand closer than words.
    gap = 1 if all(len(word) <= 1 for word in (*script.translation, *script.reference)) else 2
    if script.edits:
        yield from fold(lines, width, gap=gap)
    yield Text("S substitution · I insertion, a word too many · D deletion, a word missing", style="dim")
