"""Lines for a terminal: pieces in styles, and words that stand below each other, folded where the terminal ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.explanation.words import pad, visible
from assay.results.text import width_of as width

#: Colours and weights, by name.
_CODES = {"bold": 1, "dim": 2, "italic": 3, "red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36}


class Line:
    """A line made of pieces that may have a style such as ``bold green``."""

    def __init__(self, text: str = "", style: str = "") -> None:
        self._pieces = [(text, style)]

    def add(self, text: str, style: str = "") -> None:
        """Add a piece."""
        self._pieces.append((text, style))

    def drawn(self, color: bool) -> str:
        """The line, with escape codes where there are colours."""
        return "".join(_painted(text, style) if color and style else text for text, style in self._pieces).rstrip()


def _painted(text: str, style: str) -> str:
    codes = ";".join(str(_CODES[name]) for name in style.split())
    return f"\x1b[{codes}m{text}\x1b[0m"


@dataclass(frozen=True)
class Cell:
    """A word as it is shown, or a mark; nothing at all where the word is None."""

    word: str | None
    style: str = ""

    @property
    def columns(self) -> int:
        return 0 if self.word is None else width(visible(self.word))


def fold(lines: Sequence[tuple[str, Sequence[Cell]]], total: int, *, gap: int = 2) -> Iterator[Line]:
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
            line = Line(name.ljust(label) if start == 0 else " " * label, "dim")
            for cell, columns in zip(cells[start:stop], widths[start:stop], strict=True):
                line.add(" " * columns if cell.word is None else pad(cell.word, columns), cell.style)
                line.add(" " * gap)
            yield line
        yield Line()
        start = stop
