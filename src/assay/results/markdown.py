"""Tables in Markdown, for READMEs, issues and chat."""

from __future__ import annotations

import re

from assay.results.rendering import Grid, Look, Style, grids, signed
from assay.results.result import Result

#: What Markdown or the HTML inside it would take for its own.
_SPECIAL = re.compile(r"([\\|<>*_`]|(?<=\])\()")


def _render(result: Result, look: Look) -> str:
    return "\n".join(map(_table, [*grids(result), *signed(result, look)]))


def _table(grid: Grid) -> str:
    """A table, and below it what is said of it."""
    if not grid.headings:
        return "\n".join(f"{_code(note)}\n" for note in grid.notes)
    rules = ["---:" if right else "---" for right in grid.right]
    head, *body = [[_escaped(cell) for cell in row] for row in (grid.headings, *grid.rows)]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rules, *body))
    notes = "".join(f"\n{_code(note)}\n" for note in grid.notes)
    title = f"**{_escaped(grid.title)}**\n\n" if grid.title else ""
    return f"{title}{table}\n{notes}"


def _escaped(cell: str) -> str:
    return _SPECIAL.sub(r"\\\1", cell.strip())


def _code(text: str) -> str:
    """A line as code, whatever ticks it holds.

    >>> _code("a|b"), _code("a`b")
    ('`a|b`', '`` a`b ``')
    """
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{ticks}{text}{ticks}" if len(ticks) == 1 else f"{ticks} {text} {ticks}"


STYLE = Style("markdown", (".md",), _render)
