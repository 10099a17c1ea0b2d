"""Tables as text, for terminals, files and pipes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest

from wcwidth import wcswidth

from assay.results.figure import Figures
from assay.results.rendering import Cell, Grid, Look, Style, grids, signed
from assay.results.result import Result

#: Columns between two cells.
_GAP = 3
#: No column is folded below this.
_NARROWEST = 12
#: So wide a column is still read with ease, and so many lines of it.
_READABLE, _LINES = 20, 8


def _render(result: Result, look: Look) -> str:
    """All tables, and below them the answer in sentences."""
    # What is yet to be made is for pages.
    figures = () if isinstance(result.figures, Figures) else result.figures
    if any(figure.text is not None for figure in figures):
        # What is drawn in characters says everything that the tables say.
        drawn = [figure.to_text(color=look.color, width=look.width) for figure in figures]
        notes = _quiet(result.findings, look)
        return "\n".join([*drawn, *(f"{note}\n" for note in notes)])
    parts = [_lined_up(grid) for grid in grids(result)]
    if look.width is not None:
        parts = [part for grid in parts for part in broken(grid, look.width)]
    return "\n".join(_text(grid, look) for grid in [*parts, *signed(result, look)])


def _lined_up(grid: Grid) -> Grid:
    """The grid with room for marks behind all numbers of a column, so that no mark pushes its number to the left."""
    lines = (grid.headings, *grid.rows)
    marks = [[width_of(cell) - width_of(cell.text) if isinstance(cell, Cell) else 0 for cell in row] for row in lines]
    rooms = [max(column) for column in zip(*marks, strict=True)]
    if not any(rooms):
        return grid
    head, *body = (
        tuple(cell + " " * (room - mark) for cell, room, mark in zip(cells, rooms, of_cells, strict=True))
        for cells, of_cells in zip(lines, marks, strict=True)
    )
    return replace(grid, headings=head, rows=tuple(body))


def width_of(text: str) -> int:
    """Columns that a text takes on a terminal.

    >>> width_of("abc"), width_of("訳")
    (3, 2)
    """
    return len(text) if text.isascii() else max(wcswidth(text), 0)


def broken(grid: Grid, width: int | None) -> list[Grid]:
    """Grids that fit into ``width``, each with the key columns; the first has the title, the last the notes.

    A grid that fits once its sentences go on below stays whole.
    """
    if width is None or grid.lines or _width_of_row(_folding(grid)) <= width:
        return [grid]
    needed = [_GAP + width for width in _widths(grid)]
    keys = list(range(grid.keys))
    parts = [list(keys)]
    for start in range(grid.keys, len(grid.headings), grid.group):
        block = range(start, min(start + grid.group, len(grid.headings)))
        used = sum(needed[column] for column in [*parts[-1], *block]) - _GAP
        if len(parts[-1]) > grid.keys and used > width:
            parts.append(list(keys))
        parts[-1] += block
    if len(parts) == 1:
        return [grid]
    return [
        replace(
            grid,
            title=grid.title if number == 0 else "",
            notes=grid.notes if number == len(parts) - 1 else (),
            headings=tuple(grid.headings[column] for column in columns),
            rows=tuple(tuple(row[column] for column in columns) for row in grid.rows),
            right=tuple(grid.right[column] for column in columns),
        )
        for number, columns in enumerate(parts)
    ]


def wrapped(text: str, width: int | None) -> str:
    """A text in lines of at most so many columns, where there is a limit; a longer word stays whole, to be copied.

    >>> print(wrapped("a sentence, bleu(order=4,smoothing=exp) and more", 15))
    a sentence,
    bleu(order=4,smoothing=exp)
    and more
    """
    if width is None:
        return text
    lines = ([line] if width_of(line) <= width else _folded(line, width, cut=False) for line in text.split("\n"))
    return "\n".join(part for parts in lines for part in parts)


def _quiet(notes: Sequence[str], look: Look) -> list[str]:
    """What stands below tables, in pale letters."""
    lines = [wrapped(note, look.width) for note in notes]
    return [f"\x1b[2m{line}\x1b[0m" for line in lines] if look.color else lines


def _text(grid: Grid, look: Look) -> str:
    notes = _quiet(grid.notes, look)
    if not grid.headings or grid.lines:
        return "\n".join([*grid.lines, *([""] if grid.lines and notes else []), *notes, ""])
    lines = (grid.headings, *grid.rows)
    widths = _widths(grid)
    if look.width is not None:
        widths = _narrowed(grid, look.width)
    head, *body = [_line(row, widths, grid.right) for row in lines]
    rule = "─" * (sum(widths) + _GAP * (len(widths) - 1))
    heading = wrapped(grid.title, look.width)
    title = [f"\x1b[1m{heading}\x1b[0m" if look.color else heading, ""] if heading else []
    return "\n".join([*title, head, rule, *body, *([""] if notes else []), *notes, ""])


def _widths(grid: Grid, parts: Callable[[str], Iterable[str]] = lambda cell: [cell]) -> list[int]:
    """The width of the widest cell, or of the widest part of one, in each column."""
    columns = zip(grid.headings, *grid.rows, strict=True)
    return [max((width_of(part) for cell in column for part in parts(cell)), default=0) for column in columns]


def _width_of_row(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _folding(grid: Grid) -> list[int]:
    """How far each column may give way so that sentences are still read with ease, and no word is cut."""
    return [
        width if right else min(width, max(_READABLE, word, width // _LINES))
        for width, word, right in zip(_widths(grid), _widths(grid, str.split), grid.right, strict=True)
    ]


def _narrowed(grid: Grid, most: int) -> list[int]:
    """A width per column; texts give way where the page is too narrow, the widest first."""
    natural, least = _widths(grid), _folding(grid)
    if _width_of_row(least) > most:
        least = [width if right else min(width, _NARROWEST) for width, right in zip(natural, grid.right, strict=True)]
    widths = [max(low, min(width, most)) for width, low in zip(natural, least, strict=True)]
    while _width_of_row(widths) > most:
        widest = max(range(len(widths)), key=lambda index: (widths[index] > least[index], widths[index]))
        if widths[widest] == least[widest]:
            break
        widths[widest] -= 1
    return widths


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    """One row; cells that are too long go on below."""
    folded = [
        [cell] if width_of(cell) <= width else _folded(cell, width) for cell, width in zip(cells, widths, strict=True)
    ]
    lines = []
    for parts in zip_longest(*folded, fillvalue=""):
        spaces = [" " * (width - width_of(part)) for part, width in zip(parts, widths, strict=True)]
        padded = [
            space + part if is_number else part + space
            for part, space, is_number in zip(parts, spaces, right, strict=True)
        ]
        lines.append((" " * _GAP).join(padded).rstrip())
    return "\n".join(lines)


def _folded(text: str, width: int, *, cut: bool = True) -> list[str]:
    """A text in lines of ``width`` columns, broken between words; longer words are ``cut``."""
    lines, line = [], ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if width_of(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        line = word
        while cut and width_of(line) > width:
            end = next(end for end in range(len(line), 0, -1) if width_of(line[:end]) <= width or end == 1)
            lines.append(line[:end])
            line = line[end:]
    return [*lines, line] if line else lines


STYLE = Style("text", (".txt",), _render)
