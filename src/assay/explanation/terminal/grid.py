"""GTM's bitext grid: a row per word of the translation, a column per word of the references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.explanation.grids import Layout
from assay.explanation.words import Text, joined, pad, shorten, visible
from assay.metrics.pictures import BitextGrid
from assay.results.text import width_of as columns_of

#: Column headings run downwards, and long words are cut there.
TALLEST = 12
WIDEST = 24

CHOSEN, CAPPED, HIT, BARRIER, EMPTY = "▓●", "░○", " •", " │", "  "


def draw_grid(grid: BitextGrid, names: Sequence[str], width: int) -> Iterator[Text]:
    """The grid in as many parts as the width asks for, then the runs."""
    layout = Layout.of(grid)
    label = min(WIDEST, max((columns_of(visible(word)) for word in grid.translation), default=1))
    per_block = max((width - label - 2) // 2, 8)
    if not grid.translation or not layout.columns:
        yield Text(f"translation: {joined(grid.translation) or '∅'}")
        for name, reference_words in zip(names, grid.references, strict=True):
            yield Text(f"reference {name}: {joined(reference_words) or '∅'}")
        yield Text("")
    for start in range(0, len(layout.columns), per_block):
        block = range(start, min(start + per_block, len(layout.columns)))
        yield from _headings(layout, block, label)
        for row, word in enumerate(grid.translation):
            line = Text(pad(shorten(visible(word), label), label, right=True) + " ")
            for column in block:
                line.append_text(_cell(layout, row, column))
            yield line
        yield Text("")
    for number, run in enumerate(grid.runs, start=1):
        words = joined(grid.translation[run.row : run.row + run.length])
        reference = names[layout.reference_of(run.column)]
        cut = "" if run.counted == run.length else f", of which {run.counted:g} count"
        size = f"{run.length} word{'s' if run.length != 1 else ''}"
        yield Text(f"run {number}: {size} of reference {reference}{cut}: {words}", style="green")
    yield Text(
        f"{CHOSEN} hit in a chosen run · {HIT.strip()} hit not chosen · {CAPPED} left out by the length cap"
        f"{' ·' + BARRIER + ' barrier between references' if len(grid.references) > 1 else ''}",
        style="dim",
    )


def _headings(layout: Layout, block: range, label: int) -> Iterator[Text]:
    """Words written downwards, their last letters at the grid."""
    words = ["" if layout.columns[column] is None else _short(layout.columns[column] or "") for column in block]
    tallest = max(map(len, words), default=0)
    for level in range(tallest):
        line = " " * (label + 1)
        for word in words:
            index = level - (tallest - len(word))
            character = word[index] if index >= 0 else " "
            line += character if columns_of(character) == 2 else " " + (character if columns_of(character) else " ")
        yield Text(line)


def _short(word: str) -> str:
    shown = visible(word)
    return shown if len(shown) <= TALLEST else shown[: TALLEST - 1] + "…"


def _cell(layout: Layout, row: int, column: int) -> Text:
    if layout.columns[column] is None:
        return Text(BARRIER, style="dim")
    if (row, column) in layout.chosen:
        return Text(CHOSEN, style="green")
    if (row, column) in layout.capped:
        return Text(CAPPED, style="yellow")
    return Text(HIT) if (row, column) in layout.hits else Text(EMPTY)
