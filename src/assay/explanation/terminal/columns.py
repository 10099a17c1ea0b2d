"""Lines whose words stand below each other, folded where the terminal ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.explanation.words import Text, pad, visible
from assay.results.text import width_of as width

#: Spaces between two columns.
GAP = 2


@dataclass(frozen=True)
class Cell:
    """A word as it is shown, or a mark; nothing at all where the word is None."""

    word: str | None
    style: str = ""

    @property
    def columns(self) -> int:
        return 0 if self.word is None else width(visible(self.word))

    def shown(self, columns: int) -> Text:
        """The cell, filled up to its column's width."""
        return Text(" " * columns if self.word is None else pad(self.word, columns), style=self.style)


def fold(lines: Sequence[tuple[str, Sequence[Cell]]], total: int, *, gap: int = GAP) -> Iterator[Text]:
    """Labelled lines of equally many cells, in as many blocks as the width asks for, with a blank line behind each."""
    label = max(width(name) for name, _ in lines) + 2
    widths = [max(cell.columns for cell in column) for column in zip(*(cells for _, cells in lines), strict=True)]
    start = 0
    while start < len(widths):
        stop, used = start, label
        while stop < len(widths) and (stop == start or used + gap + widths[stop] <= total):
            used += gap + widths[stop]
            stop += 1
        for name, cells in lines:
            line = Text(name.ljust(label) if start == 0 else " " * label, style="dim")
            for column in range(start, stop):
                line.append_text(cells[column].shown(widths[column]))
                line.append(" " * gap)
            yield line
        yield Text("")
        start = stop
