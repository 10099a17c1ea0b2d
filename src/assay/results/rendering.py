"""From views to cells: every format for people is made of the same cells.

A format is one file with a ``Style``, and a line in ``STYLES``; packages bring theirs as entry points of the group
``assay.formats``.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from assay.registry import Registry
from assay.results.visible import visible

if TYPE_CHECKING:
    from assay.results.result import Column, Result, Table, View

#: Stands where there is no value.
_NOTHING = "–"
#: Letters that fonts have raised: there is no such q.
RAISED = "abcdefghijklmnoprstuvwxyz"
_SUPERSCRIPTS = str.maketrans(f"{RAISED}0123456789", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ⁰¹²³⁴⁵⁶⁷⁸⁹")


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
    #: Whether HTML is a page of its own, or a part of one, as notebooks show it.
    page: bool = True
    #: Whether people see whole signatures, too; programs always do.
    signatures: bool = False
    #: The file that it is for, where its name says more than the format.
    file: str | None = None


@dataclass(frozen=True)
class Style:
    """One output format: how files of it end, and how it is made."""

    name: str
    endings: tuple[str, ...]
    render: Callable[[Result, Look], str]
    #: Whether it holds one table alone.
    one_table: bool = False
    #: What a folder of it holds, by the names of files; None where it is one file.
    files: Callable[[Result, Look], Mapping[str, str]] | None = None


#: Formats by name.
STYLES: Registry[Style] = Registry(
    "format",
    {
        "text": "assay.results.text:STYLE",
        "json": "assay.results.programs:JSON",
        "tsv": "assay.results.programs:TSV",
        "csv": "assay.results.programs:CSV",
        "markdown": "assay.results.markdown:STYLE",
        "latex": "assay.results.latex:STYLE",
        "html": "assay.results.html:STYLE",
        "junit": "assay.results.programs:JUNIT",
        "bibtex": "assay.results.citing:STYLE",
        "svg": "assay.results.programs:SVG",
        "mtme-score": "assay.results.score_files:STYLE",
        "every-eval-ever": "assay.results.every_eval_ever:STYLE",
    },
    "assay.formats",
)


@dataclass(frozen=True)
class Grid:
    """Cells that are ready to be read, under their headings; numbers stand right."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]
    #: How many columns say which row it is: on a narrow page they stand in every part.
    keys: int
    #: How many columns belong together behind them: a score and its interval.
    group: int = 1
    notes: tuple[str, ...] = ()
    #: The rows as plain lines, where that is how they are read.
    lines: tuple[str, ...] = ()
    section: str = ""
    #: The id of each row on a page, where pictures lead to it.
    anchors: tuple[str, ...] = ()
    #: Whether it is for pages alone.
    on_page: bool = False

    @property
    def marked(self) -> list[bool]:
        """Which columns have raised marks; their numbers line up all the same."""
        return [any(isinstance(cell, Cell) and cell.mark for cell in column) for column in zip(*self.rows, strict=True)]


class Cell(str):
    """A cell with something special: its mark stands raised behind ``text``, or it is the ``head`` of lines below."""

    text: str
    mark: str
    head: bool

    def __new__(cls, text: str, mark: str = "", *, head: bool = False) -> Cell:
        made = super().__new__(cls, text + mark.translate(_SUPERSCRIPTS))
        made.text, made.mark, made.head = text, mark, head
        return made


def grids(result: Result, *, page: bool = False) -> list[Grid]:
    """Every view that has rows, as cells; below the last one that is printed stands what the whole result has to say.

    A ``page`` has those, too, that are too long to be printed.
    """
    views = [view for view in result.views if page or not view.on_page]
    shown = [grid for grid in (_grid_of(view, result.tables) for view in views) if grid.rows]
    below = tuple(map(visible, result.findings))
    last = max((place for place, grid in enumerate(shown) if not grid.on_page), default=None)
    if last is None:
        return [Grid("", (), (), (), 0, notes=below), *shown] if below else shown
    shown[last] = replace(shown[last], notes=(*shown[last].notes, *below))
    return shown


def signed(result: Result, look: Look) -> list[Grid]:
    """The last lines of every format for people: a signature per metric, short unless whole ones are wanted."""
    lines = (line if look.signatures else _short(name, line) for name, line in result.signatures.items())
    return [Grid("", (), (), (), 0, notes=tuple(map(visible, lines)))] if result.signatures else []


def _short(name: str, signature: str) -> str:
    """What to know first of a whole signature, then its digest; what is no signature of Assay's stays as it is.

    >>> _short("bleu", "bleu(order=4,lowercase=false,tokenize=13a)|references:2|segments:60|version:0.2")
    'bleu 13a mixed refs:2 v0.2 #58a783'
    """
    references, version = (re.search(rf"\|{part}:([^|]*)", signature) for part in ("references", "version"))
    if references is None or version is None:
        return signature
    options = dict(re.findall(r"[(,](tokenize|lowercase)=([^,()|]*)", signature))
    case = {"true": "lowercase", "false": "mixed"}.get(options.get("lowercase", ""), options.get("lowercase"))
    # What the name says already is not said again.
    steps = {"tokenize=": options.get("tokenize"), "lowercase=": case}
    said = [step for option, step in steps.items() if step and option not in name]
    digest = hashlib.sha256(signature.encode()).hexdigest()[:6]
    return " ".join([name, *said, f"refs:{references[1]}", f"v{version[1]}", f"#{digest}"])


def spread(low: Any, high: Any, spec: str = "") -> str:
    """Both ends of an interval, as every table and sentence has them.

    >>> spread(-0.5, 1, "+.1f")
    '-0.5 – +1.0'
    """
    return f"{low:{spec}} – {high:{spec}}"


def bracketed(low: Any, high: Any, spec: str = "") -> str:
    """An interval behind the value that it is of; nothing where there is none.

    >>> 0.5, bracketed(0.25, 0.75, ".2f"), bracketed(None, None)
    (0.5, ' (0.25 – 0.75)', '')
    """
    return "" if low is None or high is None else f" ({spread(low, high, spec)})"


def _grid_of(view: View, tables: Mapping[str, Table]) -> Grid:
    """One view as cells: a line per row, or per rows with the same keys, the values of ``over`` side by side."""
    rows = [row for name in (view.table, view.below) if name for row in tables.get(name, ())]
    if view.where:
        rows = [row for row in rows if _has(row, view.where)]
    if view.order:
        first, places = (*view.keys, *view.columns)[0].name, {name: place for place, name in enumerate(view.order)}
        rows.sort(key=lambda row: places.get(row.get(first), len(places)))
    headings, values = [column.title for column in view.columns], [None]
    if view.over is not None:
        # Labels say in which order the values come, too.
        ranks = {label: rank for rank, label in enumerate(view.labels)}
        values = sorted({row[view.over]: None for row in rows}, key=lambda value: ranks.get(str(value), len(ranks)))
        labels = [view.labels.get(str(value), str(value)) for value in values]
        headings = [heading.replace("{}", label) for label in labels for heading in headings]
    columns = (*view.keys, *(column for _ in values for column in view.columns))
    joined = view.over is not None or any(column.where for column in view.columns)
    together = _by_keys(view, rows) if joined else [[row] for row in rows]
    lines = tuple(_lines(view, together, values))
    return Grid(
        visible(view.title),
        tuple(map(visible, [*(column.title for column in view.keys), *headings])),
        lines,
        tuple(bool(column.format) and "|" not in column.format for column in columns),
        len(view.keys) if joined else _naming(lines, len(view.keys) or 1),
        len(view.columns) if view.over is not None else 1,
        tuple(map(visible, view.notes)),
        () if view.line is None else tuple(visible(_filled(view.line, row)) for row in rows),
        view.section,
        () if view.anchor is None else tuple(str(rows[0].get(view.anchor)) for rows in together),
        view.on_page,
    )


def _naming(rows: Sequence[tuple[str, ...]], least: int) -> int:
    """How many columns it takes to tell the rows apart, beginning with the first; ``least`` where none can."""
    for count in range(least, len(rows[0]) if rows else 0):
        if len({row[:count] for row in rows}) == len(rows):
            return count
    return least


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


def _lines(view: View, together: list[Table], values: Sequence[Any]) -> Iterator[tuple[str, ...]]:
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
                shown = column.with_decimals(view.decimals[str(value)]) if str(value) in view.decimals else column
                cells.append(_cell(shown, row or {}))
        if view.under is not None:
            if rows[0][view.under] != above:
                above = rows[0][view.under]
                yield (Cell(visible(str(above)), head=True), *("" for _ in cells[1:]))
            cells[0] = f"  {cells[0]}"
        yield tuple(cells)


def _filled(line: str, row: Mapping[str, Any]) -> str:
    return re.sub(r"\{(\w+)\}", lambda name: str(row.get(name[1], "")), line)


def _cell(column: Column, row: Mapping[str, Any]) -> str:
    """A value, with its interval and mark where it has them."""
    value = row.get(column.name)
    if value is None:
        return _NOTHING
    text = _value(value, column)
    if column.high is not None:
        # The interval of a value, or a range of its own.
        low, high = value if column.low is None else row.get(column.low), row.get(column.high)
        if low is None or high is None:
            text = _NOTHING if column.low is None else text
        elif column.low is not None:
            text += bracketed(_value(low, column), _value(high, column))
        elif low != high or column.format != "d":
            # Of whole numbers, such as ranks, one may be all there is.
            text = spread(text, _value(high, column))
    mark = row.get(column.mark) if column.mark is not None else None
    return Cell(visible(text), visible(mark)) if mark else visible(text)


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
