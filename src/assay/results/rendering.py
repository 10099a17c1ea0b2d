"""From views to cells: every format for people is made of the same cells.

A format is one file with a ``Style``, and a line in ``STYLES``; packages bring theirs as entry points of the group
``assay.formats``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from assay.errors import ParameterError
from assay.registry import Registry
from assay.results.result import Column, Result, Table, View
from assay.results.visible import visible

#: Stands where there is no value.
_NOTHING = "–"


@dataclass(frozen=True)
class Look:
    """Where a result will be seen, and what of it is wanted."""

    color: bool = False
    #: Columns of the terminal, if it is one: wider tables are broken.
    width: int | None = None
    #: Of formats that hold one table, which one; the main one without a name.
    table: str | None = None
    #: Whether cells that a spreadsheet would run as formulas get an apostrophe in front (CSV and TSV).
    guard_formulas: bool = False


_PLAIN = Look()


@dataclass(frozen=True)
class Style:
    """One output format: how files of it end, and how it is made."""

    name: str
    endings: tuple[str, ...]
    render: Callable[[Result, Look], str]
    #: Whether it holds one table alone.
    one_table: bool = False


#: Formats by name.
STYLES: Registry[Style] = Registry(
    "format",
    {
        "text": "assay.results.text:STYLE",
        "json": "assay.results.json_text:STYLE",
        "tsv": "assay.results.separated:TSV",
        "csv": "assay.results.separated:CSV",
        "markdown": "assay.results.markdown:STYLE",
        "latex": "assay.results.latex:STYLE",
        "html": "assay.results.html:STYLE",
        "junit": "assay.results.junit:STYLE",
        "svg": "assay.results.svg:STYLE",
    },
    "assay.formats",
)


def style_of_file(path: str, wanted: str | None) -> str:
    """The format of a file by its ending; an ending that nobody knows, or that contradicts ``wanted``, is an error."""
    ending = Path(path).suffix.lower()
    endings = {known: name for name in STYLES for known in STYLES[name].endings}
    if wanted is not None and ending in ("", *STYLES[wanted].endings):
        return wanted
    if wanted is None and not ending:
        return "text"
    if ending not in endings:
        listed = ", ".join(sorted(endings))
        raise ParameterError(f"{path}: a file that ends in {ending or 'nothing'} has no known format. Known: {listed}.")
    if wanted is not None:
        raise ParameterError(
            f"{path} ends in {ending}, which is {endings[ending]}, but --format says {wanted}. Leave one of them out."
        )
    return endings[ending]


def render(result: Result, name: str, look: Look | None = None, **options: Any) -> str:
    """``result`` in one of the formats; further options are those of ``Look``."""
    return STYLES[name].render(result, replace(look or _PLAIN, **options))


@dataclass(frozen=True)
class Grid:
    """Cells that are ready to be read, under their headings; numbers stand right."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    right: tuple[bool, ...]
    #: How many columns say which row it is.
    keys: int
    #: How many columns belong together behind them: a score and its interval.
    group: int = 1
    notes: tuple[str, ...] = ()
    #: The rows as plain lines, where that is how they are read.
    lines: tuple[str, ...] = ()
    section: str = ""


class Cell(str):
    """The text of a cell; ``mark`` stands raised behind it, and ``head`` says that it is a line above others."""

    mark: str
    head: bool

    def __new__(cls, text: str, mark: str = "", head: bool = False) -> Cell:
        made = super().__new__(cls, visible(text))
        made.mark, made.head = visible(mark), head
        return made


def grids(result: Result) -> list[Grid]:
    """Every view that has rows, as cells; below the last one stands what the whole result has to say."""
    shown = [grid for grid in (_grid_of(view, result.tables) for view in result.views) if grid.rows]
    below = tuple(map(visible, (*result.findings, *result.signatures.values())))
    if not shown:
        return [Grid("", (), (), (), 0, notes=below)] if below else []
    return [*shown[:-1], replace(shown[-1], notes=(*shown[-1].notes, *below))]


def _grid_of(view: View, tables: Mapping[str, Table]) -> Grid:
    """One view as cells: a line per row, or per rows with the same keys, the values of ``over`` side by side."""
    rows = [row for name in (view.table, view.below) if name for row in tables.get(name, ()) if _has(row, view.where)]
    if view.order:
        first, places = (*view.keys, *view.columns)[0].name, dict(zip(view.order, count(), strict=False))
        rows.sort(key=lambda row: places.get(row.get(first), len(places)))
    headings, values = [column.title for column in view.columns], [None]
    if view.over is not None:
        # Labels say in which order the values come, too.
        ranks = dict(zip(view.labels, count(), strict=False))
        values = sorted({row[view.over]: None for row in rows}, key=lambda value: ranks.get(str(value), len(ranks)))
        labels = [view.labels.get(str(value), str(value)) for value in values]
        headings = [heading.replace("{}", label) for label in labels for heading in headings]
    columns = (*view.keys, *(column for _ in values for column in view.columns))
    joined = view.over is not None or any(column.where for column in view.columns)
    together = _by_keys(view, rows) if joined else [[row] for row in rows]
    return Grid(
        visible(view.title),
        tuple(map(visible, [*(column.title for column in view.keys), *headings])),
        tuple(_lines(view, together, values)),
        tuple(column.is_number for column in columns),
        len(view.keys) or int(not joined),
        len(view.columns) if view.over is not None else 1,
        tuple(map(visible, view.notes)),
        () if view.line is None else tuple(visible(_filled(view.line, row)) for row in rows),
        view.section,
    )


def _has(row: Mapping[str, Any], cells: Mapping[str, Any]) -> bool:
    """Whether a row has these cells, each with this value or one of several."""
    return all(
        row.get(name) in value if isinstance(value, (list, tuple)) else row.get(name) == value
        for name, value in cells.items()
    )


def _by_keys(view: View, rows: Table) -> list[Table]:
    """Rows with the same keys together."""
    lines: dict[tuple[Any, ...], Table] = {}
    seen: Counter[tuple[Any, ...]] = Counter()
    for row in rows:
        key = tuple(row.get(column.name) for column in view.keys)
        # What has the same name twice, as segments may, stands in two lines.
        named = (*key, row.get(view.over or ""))
        lines.setdefault((*key, seen[named] if view.over else 0), []).append(row)
        seen[named] += 1
    return list(lines.values())


def _lines(view: View, together: list[Table], values: Sequence[Any]) -> Iterator[tuple[Cell, ...]]:
    """The cells of each line, from the rows that stand together in it, each column from the row that it is about."""
    above: Any = None
    for rows in together:
        by_value = {row.get(view.over or ""): row for row in rows}
        cells = [_cell(column, rows[0]) for column in view.keys]
        for value in values:
            for column in view.columns:
                row = (
                    next((row for row in rows if _has(row, column.where)), {}) if column.where else by_value.get(value)
                )
                cells.append(_cell(column, row or {}))
        if view.under is not None:
            if rows[0][view.under] != above:
                above = rows[0][view.under]
                yield (Cell(str(above), head=True), *(Cell("") for _ in cells[1:]))
            cells[0] = Cell(f"  {cells[0]}")
        yield tuple(cells)


def _filled(line: str, row: Mapping[str, Any]) -> str:
    return re.sub(r"\{(\w+)\}", lambda name: str(row.get(name[1], "")), line)


def _cell(column: Column, row: Mapping[str, Any]) -> Cell:
    value = row.get(column.name)
    if value is None:
        return Cell(_NOTHING)
    mark = row.get(column.mark) or "" if column.mark is not None else ""
    if column.high is None:
        return Cell(_value(value, column), mark)
    # A range of its own, or the interval of a value.
    low, high = value if column.low is None else row.get(column.low), row.get(column.high)
    text = "" if column.low is None else _value(value, column)
    if low is None or high is None:
        return Cell(text or _NOTHING, mark)
    if text:
        return Cell(f"{text} [{_value(low, column)}, {_value(high, column)}]", mark)
    if column.format == "d":
        # Whole numbers, such as ranks.
        return Cell(str(low) if low == high else f"{low}–{high}", mark)
    return Cell(f"{_value(low, column)} – {_value(high, column)}", mark)


def _value(value: Any, column: Column) -> str:
    """One value in the column's format."""
    spec = column.format
    if isinstance(value, bool):
        true, _, false = (spec if "|" in spec else "yes|no").partition("|")
        return true if value else false
    if not spec or isinstance(value, str):
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    if spec == "p":
        return f"{value:.4f}" if value >= 0.0001 else "< 0.0001"
    return format(100 * value if column.unit == "%" else value, spec)


def one_table(result: Result, look: Look) -> Table:
    """The table that a format with room for one holds."""
    facts = {
        "setup": result.setup,
        "options": result.options,
        "signatures": result.signatures,
        "digests": result.digests,
    }
    if look.table in facts and look.table not in result.tables:
        return [{"name": name, "value": value} for name, value in facts[look.table].items()]
    return result.table(look.table or result.main or None)
