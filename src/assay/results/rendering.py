"""From views to cells: every format for people is made of the same cells.

A format is one file with a ``Style``, and a line in ``STYLES``; packages bring theirs as entry points of the group
``assay.formats``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.errors import ParameterError
from assay.registry import Registry
from assay.results.result import Column, Result, Table, View
from assay.results.visible import visible

#: Stands where there is no value.
NOTHING = "–"


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


PLAIN = Look()


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
    return STYLES[name].render(result, replace(look or PLAIN, **options))


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
    made = [replace(grid_of(view, result.tables), section=view.section) for view in result.views]
    found = [grid for grid in made if grid.rows]
    below = _shown((*result.findings, *result.signatures.values()))
    if not found:
        return [Grid("", (), (), (), 0, notes=below)] if below else []
    return [*found[:-1], replace(found[-1], notes=(*found[-1].notes, *below))]


def grid_of(view: View, tables: Mapping[str, Table]) -> Grid:
    """One view as cells."""
    rows = [row for name in (view.table, view.below) if name is not None for row in tables.get(name, ())]
    rows = [row for row in rows if _has(row, view.where)]
    if view.over is not None:
        return _spread(view, rows)
    if any(column.where for column in view.columns):
        return _joined(view, rows)
    columns = (*view.keys, *view.columns)
    lines: list[tuple[Cell, ...]] = []
    head: Any = None
    for row in _ordered(view, rows):
        if view.under is not None and row[view.under] != head:
            head = row[view.under]
            lines.append((Cell(str(head), head=True), *(Cell("") for _ in columns[1:])))
        cells = [_cell(column, row) for column in columns]
        if view.under is not None:
            cells[0] = Cell(f"  {cells[0]}")
        lines.append(tuple(cells))
    headings = tuple(visible(column.title) for column in columns)
    right = tuple(column.is_number for column in columns)
    plain = [] if view.line is None else [_filled(view.line, row) for row in rows]
    notes, shown = _shown(view.notes), _shown(plain)
    return Grid(visible(view.title), headings, tuple(lines), right, max(len(view.keys), 1), notes=notes, lines=shown)


def _filled(line: str, row: Mapping[str, Any]) -> str:
    return re.sub(r"\{(\w+)\}", lambda name: str(row.get(name[1], "")), line)


def _ordered(view: View, rows: Table) -> Table:
    if not view.order:
        return rows
    first = (*view.keys, *view.columns)[0].name
    place = {value: index for index, value in enumerate(view.order)}
    return sorted(rows, key=lambda row: place.get(row.get(first), len(place)))


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
    for row in _ordered(view, rows):
        key = tuple(row.get(column.name) for column in view.keys)
        # What has the same name twice, as segments may, stands in two lines.
        twice = (*key, row.get(view.over)) if view.over else None
        lines.setdefault((*key, seen[twice] if twice else 0), []).append(row)
        seen[twice or key] += 1
    return list(lines.values())


def _joined(view: View, rows: Table) -> Grid:
    """Rows with the same keys in one line, each column from the row that it is about."""
    cells = [
        (
            *(_cell(column, line[0]) for column in view.keys),
            *(_cell(column, next((row for row in line if _has(row, column.where)), {})) for column in view.columns),
        )
        for line in _by_keys(view, rows)
    ]
    columns = (*view.keys, *view.columns)
    headings = tuple(visible(column.title) for column in columns)
    right = tuple(column.is_number for column in columns)
    return Grid(visible(view.title), headings, tuple(cells), right, len(view.keys), notes=_shown(view.notes))


def _spread(view: View, rows: Table) -> Grid:
    """Rows with the same keys in one line, the values of ``over`` side by side."""
    over = view.over or ""
    places = {value: place for place, value in enumerate(view.labels)}
    # Labels say in which order the values come, too.
    values = sorted(dict.fromkeys(row[over] for row in rows), key=lambda value: places.get(str(value), len(places)))
    headings = [column.title for column in view.keys]
    for value in values:
        label = view.labels.get(str(value), str(value))
        headings += [column.title.replace("{}", label) for column in view.columns]
    cells = []
    for line in _by_keys(view, rows):
        found = {row[over]: row for row in line}
        cells.append(
            (
                *(_cell(column, line[0]) for column in view.keys),
                *(_cell(column, found.get(value, {})) for value in values for column in view.columns),
            )
        )
    columns = [*view.keys, *(column for _ in values for column in view.columns)]
    return Grid(
        visible(view.title),
        tuple(map(visible, headings)),
        tuple(cells),
        tuple(column.is_number for column in columns),
        len(view.keys),
        len(view.columns),
        _shown(view.notes),
    )


def _shown(notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(visible(note) for note in notes)


def _cell(column: Column, row: Mapping[str, Any]) -> Cell:
    value = row.get(column.name)
    if value is None:
        return Cell(NOTHING)
    mark = row.get(column.mark) or "" if column.mark is not None else ""
    if column.high is None:
        return Cell(_value(value, column), mark)
    high = row.get(column.high)
    if column.low is None:
        return Cell(NOTHING if high is None else _range(value, high, column), mark)
    low = row.get(column.low)
    ends = "" if low is None or high is None else f" [{_value(low, column)}, {_value(high, column)}]"
    return Cell(f"{_value(value, column)}{ends}", mark)


def _range(low: Any, high: Any, column: Column) -> str:
    if column.format == "d":
        # Whole numbers, such as ranks.
        return str(low) if low == high else f"{low}–{high}"
    return f"{_value(low, column)} – {_value(high, column)}"


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
