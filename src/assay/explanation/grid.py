"""GTM's bitext grid as in its paper: a row per word of the translation, a column per word of the references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from assay.errors import counted
from assay.explanation import alignment
from assay.explanation.canvas import (
    PAGE,
    Box,
    Canvas,
    Line,
    isolated,
    joined,
    pad,
    reads_right_to_left,
    shorten,
    text_width,
    visible,
)
from assay.metrics.pictures import Alignment, BitextGrid, Link, Run
from assay.results.text import width_of as columns_of

#: Column headings run downwards, and long words are cut there.
_TALLEST = 12
_WIDEST = 24
_CHOSEN, _CAPPED, _HIT, _BARRIER = "▓●", "░○", " •", " │"
#: Cells of a block, which are drawn where a cap cut the matching: what was left of it, and what it was before.
_DARK, _LIGHT = "▓", "░"

#: The shades of the matching before the cap, and of what is left of it.
_BEFORE, _AFTER = "level1", "level3"
#: Pixels of a cell: of many columns they are smaller, so that a page holds them, but not too small for words.
_CELL, _SMALLEST = 20.0, 12.0
#: So many columns of a grid fit a page.
_MOST = int(PAGE / _SMALLEST)
#: Pixels of a letter of a heading that is not turned, which has to fit a cell.
_UPRIGHT = 8.0


def fits(grid: BitextGrid) -> bool:
    """Whether it is small enough to be shown."""
    return len(_columns(grid)) <= _MOST


def _columns(grid: BitextGrid) -> list[str | None]:
    """The references' words; None is a barrier. The barrier behind the last reference is not drawn."""
    return [word for words in grid.references for word in (*words, None)][:-1]


def _chosen(grid: BitextGrid) -> set[tuple[int, int]]:
    """The cells of all runs."""
    return {cell for run in grid.runs for cell in run.cells}


def _blocks(runs: Iterable[Run]) -> set[tuple[int, int]]:
    """The cells of the squares around runs."""
    return {
        (run.row + down, run.column + across)
        for run in runs
        for down in range(run.length)
        for across in range(run.length)
    }


def _cap_said(grid: BitextGrid) -> str:
    """What the cap made of the matching, in words."""
    before, after = sum(map(grid.size_of, grid.initial)), sum(run.counted for run in grid.runs)
    return (
        f"Before the length cap {counted(round(before), 'word')} in {counted(len(grid.initial), 'run')}, "
        f"after it {after:.4g} in {len(grid.runs)}."
    )


def _matched(grid: BitextGrid, run: Run) -> str:
    return joined(grid.translation[run.row : run.row + run.length])


def rows(grid: BitextGrid) -> Iterator[tuple[str, dict[str, Any]]]:
    """What it shows, as rows of tables: each with the table's name."""
    capped = set(grid.capped)
    for row, column in grid.hits:
        yield "hits", {"row": row, "column": column, "capped": (row, column) in capped}
    for run in grid.runs:
        yield "runs", asdict(run) | ({"weight": grid.size_of(run)} if grid.weights else {})
    for row, weight in enumerate(grid.weights):
        yield "weights", {"row": row, "word": grid.translation[row], "weight": weight}
    for run in grid.initial:
        yield "initial_runs", {"row": run.row, "column": run.column, "length": run.length}


def _as_links(grid: BitextGrid) -> Alignment:
    """The chosen runs alone, as links between words: what can still be read where the grid would be too large."""
    links = (
        Link((run.row, run.row + run.length), (run.column, run.column + run.length), "exact", number)
        for number, run in enumerate(grid.runs)
    )
    return Alignment(grid.translation, tuple("│" if word is None else word for word in _columns(grid)), 0, tuple(links))


def _whole(grid: BitextGrid, names: Sequence[str]) -> tuple[str, str]:
    """All references by their names, and why the grid is not shown."""
    size = f"{len(grid.translation):,} × {sum(map(len, grid.references)):,} words"
    return ", ".join(names), f"The grid of {size} is too large to be shown: these are the runs that were chosen."


def lines(grid: BitextGrid, names: Sequence[str], width: int) -> Iterator[Line]:
    """The grid in as many parts as the width asks for, then the runs; of a large one the runs alone."""
    columns = _columns(grid)
    if not fits(grid):
        name, why = _whole(grid, names)
        yield Line(why, "dim")
        yield from alignment.lines(_as_links(grid), [name], width, what="run")
        return
    if not grid.translation or not columns:
        yield Line(f"translation: {joined(grid.translation) or '∅'}")
        for name, words in zip(names, grid.references, strict=True):
            yield Line(f"reference {name}: {joined(words) or '∅'}")
        yield Line()
    label = min(_WIDEST, max((columns_of(visible(word)) for word in grid.translation), default=1))
    per_block = max((width - label - 2) // 2, 8)
    # What comes later covers what comes before.
    cells = dict.fromkeys(grid.hits, (_HIT, "")) | dict.fromkeys(grid.capped, (_CAPPED, "yellow"))
    cells |= dict.fromkeys(_chosen(grid), (_CHOSEN, "green"))
    dark, light = (_blocks(runs) if grid.initial else set() for runs in (grid.runs, grid.initial))
    shades = dict.fromkeys(light, (_LIGHT, "yellow")) | dict.fromkeys(dark, (_DARK, "green"))
    for start in range(0, len(columns), per_block):
        block = columns[start : start + per_block]
        yield from _headings(block, label)
        for row, word in enumerate(grid.translation):
            line = Line(pad(shorten(visible(word), label), label, right=True) + " ")
            for column, heading in enumerate(block, start):
                if heading is None:
                    line.add(_BARRIER, "dim")
                    continue
                mark, style = cells.get((row, column), ("  ", ""))
                shade, tint = shades.get((row, column), (mark[0], style))
                line.add(shade + (shade if mark == "  " else mark[1]), tint)
            yield line
        yield Line()
    for number, run in enumerate(grid.runs, start=1):
        reference = names[sum(barrier < run.column for barrier in grid.barriers)]
        weight = f", which weigh {grid.size_of(run):.4g}" if grid.weights else ""
        cut = "" if run.counted == grid.size_of(run) else f", of which {run.counted:.4g} count"
        size = f"{run.length} word{'s' if run.length != 1 else ''}"
        yield Line(
            f"run {number}: {size} of reference {reference}{weight}{cut}: {isolated(_matched(grid, run))}", "green"
        )
    if grid.weights:
        named = zip(grid.translation, grid.weights, strict=True)
        listed = dict.fromkeys(f"{isolated(word)} {weight:.2f}" for word, weight in named)
        yield Line(shorten(f"weights: {' · '.join(listed)}", width), "dim")
    barrier = f" ·{_BARRIER} barrier between references" if len(grid.references) > 1 else ""
    legend = f"{_CHOSEN} hit in a chosen run · {_HIT.strip()} hit not chosen · {_CAPPED} left out by the length cap"
    if grid.initial:
        yield Line(_cap_said(grid))
        barrier = f" · blocks: {_LIGHT * 2} before the cap, {_DARK * 2} after it{barrier}"
    yield Line(legend + barrier, "dim")


def _headings(columns: Sequence[str | None], label: int) -> Iterator[Line]:
    """Words written downwards, their last letters at the grid."""
    words = ["" if word is None else visible(word) for word in columns]
    words = [word if len(word) <= _TALLEST else word[: _TALLEST - 1] + "…" for word in words]
    tallest = max(map(len, words), default=0)
    for letters in zip(*(word.rjust(tallest) for word in words), strict=True):
        wide = {0: "  ", 2: "{}"}
        shown = (wide.get(columns_of(letter), " {}").format(letter) for letter in letters)
        yield Line(" " * (label + 1) + "".join(shown))


def draw(canvas: Canvas, grid: BitextGrid, names: Sequence[str]) -> None:
    """The translation downwards, the references across, each with its name above it; of a large grid the runs alone."""
    if not fits(grid):
        name, why = _whole(grid, names)
        alignment.draw(canvas, _as_links(grid), [name], what="run")
        canvas.text(0, canvas.height + 16, why, "small")
        return
    words = [shorten(visible(word), _WIDEST) for word in grid.translation]
    heads = ["" if word is None else shorten(visible(word), _WIDEST) for word in _columns(grid)]
    left = max(map(text_width, words), default=0.0) + 8
    top = max(map(text_width, heads), default=0.0) + 30
    cell = min(_CELL, PAGE / len(heads)) if heads else _CELL
    across, down, start = cell * len(heads), cell * len(words), 0
    # References that are read to the left begin at the right.
    mirrored = reads_right_to_left(heads)

    def x_of(column: int, length: int = 1) -> float:
        """The left edge of so many columns from this one on."""
        return left + cell * (len(heads) - column - length if mirrored else column)

    for name, reference in zip(names, grid.references, strict=True):
        canvas.text(x_of(start, len(reference)), 12, f"reference {name}", "small")
        start += len(reference) + 1
    edges = [x_of(column) for column in range(len(heads))]
    _draw_axes(canvas, words, dict(zip(edges, heads, strict=True)), left, top, cell=cell, to_the_left=mirrored)
    canvas.rectangle(Box(left, top, across, down), "frame")
    for run in grid.initial:
        size, title = cell * run.length, f"run of {run.length} before the length cap: {_matched(grid, run)}"
        canvas.rectangle(Box(x_of(run.column, run.length), top + cell * run.row, size, size), _BEFORE, title)
    for run in grid.runs:
        # A run that the cap cut within a word has a block of the words that count.
        size = cell * run.length * (run.counted / grid.size_of(run) if grid.size_of(run) else 1.0)
        title = f"run of {run.length}, counts {run.counted:g}: {_matched(grid, run)}"
        x = x_of(run.column, run.length) + (cell * run.length - size if mirrored else 0.0)
        canvas.rectangle(Box(x, top + cell * run.row, size, size), _AFTER if grid.initial else "run", title)
    chosen, capped = _chosen(grid), set(grid.capped)
    for row, column in sorted(set(grid.hits)):
        x, y = edges[column] + cell / 2, top + cell * (row + 0.5)
        if (row, column) in capped:
            canvas.circle(x, y, 0.2 * cell, "open", "left out by the length cap")
        else:
            canvas.circle(x, y, (0.25 if (row, column) in chosen else 0.15) * cell, "hit")
    _legend(canvas, top + down + 22, grid)


def _draw_axes(
    canvas: Canvas,
    words: Sequence[str],
    heads: Mapping[float, str],
    left: float,
    top: float,
    *,
    cell: float,
    to_the_left: bool,
) -> None:
    """Words at both sides with their lines; a column without a word is a barrier."""
    for x, head in heads.items():
        down = cell * len(words)
        if _UPRIGHT * columns_of(head) <= cell:
            canvas.text(x + cell / 2, top - 6, head, "middle", to_the_left=to_the_left)
        else:
            canvas.text(x + cell / 2 + 4.5, top - 6, head, rotate=-90, to_the_left=to_the_left)
        canvas.path(f"M{x:g} {top:g}v{down:g}", "grid")
        if not head:
            canvas.rectangle(Box(x + cell / 2 - 2, top, 4, down), "barrier", "matches nothing")
    turned = reads_right_to_left(words)
    for row, word in enumerate(words):
        canvas.text(left - 6, top + cell * row + cell / 2 + 4.5, word, "end", to_the_left=turned)
        canvas.path(f"M{left:g} {top + cell * row:g}h{cell * len(heads):g}", "grid")


def _legend(canvas: Canvas, y: float, grid: BitextGrid) -> None:
    canvas.rectangle(Box(0, y - 11, 14, 14), _AFTER if grid.initial else "run")
    canvas.circle(7, y - 4, 4, "hit")
    canvas.text(20, y, "chosen run", "small")
    canvas.circle(112, y - 4, 3, "hit")
    canvas.text(120, y, "hit not chosen", "small")
    if grid.initial:
        canvas.rectangle(Box(236, y - 11, 14, 14), _BEFORE)
        canvas.circle(243, y - 4, 4, "open")
        canvas.text(256, y, "cut short or left out by the length cap", "small")
        canvas.text(0, y + 18, _cap_said(grid), "small")
