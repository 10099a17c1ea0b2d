"""Tables: one reader and one writer for those whose cells have a tab, a comma or the like between them, whatever the
format, and one each for Parquet, which needs the extra ``parquet``.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from typing import Any

from assay.data.files import check_size, read_bytes, texts_of
from assay.data.foreign import HEAD, other_kind
from assay.data.json_lines import TOO_LARGE, decoded_json
from assay.data.problems import STRICT, Problems
from assay.errors import InputError, MissingExtra, Place, nearest, shown

#: So many rows of a table are turned into columns at a time: few enough that Python does not go round collecting them.
_ROWS = 256
#: What stands for nothing.
NOTHING = ("", "-")
_NO_NUMBER = (*NOTHING, "None")
#: What ends a cell or a line where nothing is quoted.
SEPARATOR = re.compile(r"[\t\n\r]")
#: Numbers as programs write them. Python's own rules take 1_0, and digits of any script.
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
#: A line's number, and its cells.
Cells = tuple[int, list[str]]


@dataclass(slots=True)
class Row:
    """One line of a table, with the names of its columns."""

    path: str
    line: int
    cells: list[str]
    columns: Mapping[str, int] = field(repr=False)
    quoted: bool = False

    def raw(self, name: str) -> str:
        """The text of a cell; empty where there is no such column."""
        return self.cells[self.columns[name]] if name in self.columns else ""

    def maybe(self, name: str) -> str | None:
        """The text of a cell, or None where nothing is known."""
        text = self.raw(name)
        return None if text in NOTHING else text

    def needed(self, name: str, what: str) -> str:
        """The text of a cell that must not be empty."""
        text = self.maybe(name)
        if text is None:
            raise self.flaw(name, f"no {what} is named")
        return text

    def integer(self, name: str, what: str, *, least: int = 0) -> int:
        """A whole number from ``least`` on."""
        text = self.raw(name).strip()
        number = int(text) if _INTEGER.fullmatch(text) else least - 1
        if not least <= number < TOO_LARGE:
            raise self.flaw(
                name, f"the {what} is {shown(self.raw(name))}, but a whole number from {least} on is needed"
            )
        return number

    def number(self, name: str, what: str) -> float:
        """A finite number, or NaN where the cell is empty, ``-`` or ``None``."""
        text = self.raw(name).strip()
        if text in _NO_NUMBER:
            return math.nan
        value = finite(text)
        if value is None:
            raise self.flaw(name, f"the {what} is {shown(self.raw(name))}, but a number is needed")
        return value

    def json(self, name: str, what: str) -> Any:
        """What a cell with JSON in it says."""
        try:
            return decoded_json(self.raw(name))
        except json.JSONDecodeError as error:
            raise self.flaw(name, f"the {what} is not JSON ({error.msg}, character {error.colno})") from None
        except ValueError as error:
            raise self.flaw(name, f"the {what} cannot be read ({error})") from None

    @property
    def place(self) -> Place:
        """Where the line stands."""
        return Place(self.path, self.line)

    def place_of(self, name: str) -> Place:
        """Where a cell begins. Quotes move later cells, so that only the cell itself can be named."""
        index = self.columns.get(name, 0)
        if self.quoted:
            return Place(self.path, self.line, part=f"field {index + 1}")
        return Place(self.path, self.line, sum(len(cell) + 1 for cell in self.cells[:index]) + 1)

    def flaw(self, name: str, message: str) -> InputError:
        """An error in a cell."""
        return InputError(f"{message}.", place=self.place_of(name))


@dataclass
class Table:
    """A header, and the lines below it as they come; those that are not as wide as the header are told of."""

    path: str
    header: list[str]
    lines: Iterator[Cells]
    quoted: bool = False
    #: What is told of a line that is not as wide as the header, and what is said of it.
    tell: Callable[[InputError], None] = STRICT.add
    remedy: str = "Every line has one field per column."
    #: What is missing where there is no line at all; nothing if that is the reader's matter.
    content: str = "judgements"

    def cells(self) -> Iterator[Cells]:
        """The cells of each line, with its number."""
        width, line = len(self.header), None
        for line, cells in self.lines:
            if len(cells) == width:
                yield line, cells
            else:
                what = f"{len(cells)} fields, but the header has {width}."
                self.tell(InputError(what, self.remedy, Place(self.path, line)))
        if line is None and self.content:
            raise InputError(f"a header but no {self.content}.", place=Place(self.path))

    def __iter__(self) -> Iterator[Row]:
        columns = {name: index for index, name in enumerate(self.header)}
        for line, cells in self.cells():
            yield Row(self.path, line, cells, columns, self.quoted)

    def columns(self) -> Iterator[tuple[Sequence[int], Iterable[Sequence[str]]]]:
        """Some lines at a time, column by column, with the numbers of these lines."""
        cells = self.cells()
        while some := list(islice(cells, _ROWS)):
            numbers, rows = zip(*some, strict=True)
            yield numbers, zip(*rows, strict=True)


def cells_of(
    path: str, separator: str = "\t", *, quoted: bool = False, skip_empty: bool = True, problems: Problems = STRICT
) -> Iterator[Cells]:
    """The cells of every line, with its number; quoted ones may hold line ends, and then it is the first line's.

    Without any separator there are blanks or tabs between cells.
    """
    texts = texts_of(read_bytes(path), path, problems)
    if quoted:
        return _quoted_cells(path, texts.buffer.decode(), separator, skip_empty, problems)
    lines = enumerate(texts, start=1)
    return ((number, line.split(separator or None)) for number, line in lines if line or not skip_empty)


def _quoted_cells(path: str, text: str, separator: str, skip_empty: bool, problems: Problems) -> Iterator[Cells]:
    # A lone carriage return ends no line here, but does for the csv module: one of the code points that are no
    # characters stands in for it.
    stand_in = next(chr(code) for code in range(0xFDD0, 0xFDF0) if chr(code) not in text)
    alone = re.search(r"\r(?!\n)", text) is not None
    text = re.sub(r"\r(?!\n)", stand_in, text) if alone else text
    limit = csv.field_size_limit(sys.maxsize)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    before = 0
    try:
        while True:
            try:
                cells = next(reader, None)
            except csv.Error as error:
                remedy = "Is a quotation mark missing? Quote fields that hold commas, quotes or line ends."
                problems.add(InputError(f"{error}.", remedy, Place(path, reader.line_num)))
                cells = []
            else:
                if cells is None:
                    return
                if cells or not skip_empty:
                    yield before + 1, [cell.replace(stand_in, "\r") for cell in cells] if alone else cells
            before = reader.line_num
    finally:
        csv.field_size_limit(limit)


def read_table(
    path: str,
    separator: str = "\t",
    *,
    quoted: bool = False,
    needed: Sequence[str] = (),
    what: str,
    bare: bool = False,
    problems: Problems = STRICT,
) -> Table:
    """A table whose header has names of columns; ``needed`` ones must be there, and ``what`` says how it looks.

    Empty lines, and comments (``#``) before and behind the names, are left out, unless the table is ``bare`` of them.
    """
    lines = cells_of(path, separator, quoted=quoted, skip_empty=not bare, problems=problems)
    line, header = next(lines, (1, []))
    while not bare and header and (header[0].startswith("#") or len(header) == 1 < len(needed)):
        line, header = next(lines, (line + 1, []))
    header = [name.strip() for name in header]
    while not bare and header and header[-1].startswith("#"):
        # A comment behind the last name has no cells below it.
        header.pop()
    if not header:
        raise InputError("no header.", what, Place(path))
    for name in needed:
        if name not in header:
            near = nearest(name, header)
            guess = f" Did you mean it by {near!r}?" if near else ""
            raise InputError(f"no column {name!r}.{guess}", what, Place(path, line))
    twice = next((name for name in header if header.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two columns are called {twice!r}.", "Give each its own name.", Place(path, line))
    return Table(path, header, lines, quoted, problems.add)


def header_of(head: str, separator: str = "\t") -> list[str]:
    """The names in the first line that is a header, for recognising a format."""
    for line in head.split("\n", 3)[:3]:
        cells = line.strip("\r\ufeff").split(separator)
        if not line.startswith("#") and len(cells) > 1:
            return [cell.strip().strip('"') for cell in cells]
    return []


def spell_table(
    rows: Iterable[Sequence[str]], separator: str = "\t", *, quoted: bool = False, checked: bool = False
) -> Iterator[bytes]:
    """The lines of a table.

    What ends a cell or a line is quoted, or else a blank stands for it, unless somebody has ``checked`` for it.
    """
    special = re.compile(rf'[{separator}"\r\n]|^\s|\s$|^$')
    for row in rows:
        line = separator.join(row)
        if quoted:
            # An empty cell is quoted, too: a line without anything would be no row.
            cells = ('"' + cell.replace('"', '""') + '"' if special.search(cell) else cell for cell in row)
            line = separator.join(cells)
        elif not checked and ("\n" in line or "\r" in line or line.count("\t") >= len(row)):
            line = separator.join(SEPARATOR.sub(" ", cell) for cell in row)
        yield (line + "\n").encode()


def finite(text: str) -> float | None:
    """The finite number that a text spells, in ASCII and with a point; None if it spells none.

    >>> finite("-1.5e3"), finite("1_0"), finite("٣"), finite("1e999")
    (-1500.0, None, None, None)
    """
    stripped = text.strip()
    number = float(stripped) if _NUMBER.fullmatch(stripped) else math.inf
    return number if math.isfinite(number) else None


def spell_number(number: float) -> str:
    """A number as it is read back to the last bit; whole ones without a point, and ``-`` for none.

    >>> spell_number(-5.0), spell_number(0.1), spell_number(float("nan"))
    ('-5', '0.1', '-')
    """
    if math.isnan(number):
        return "-"
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def read_arrow(path: str, nested: Collection[str] = ()) -> Any:
    """The table in a Parquet file; only the ``nested`` columns may hold lists and the like.

    A few bytes may stand for very many there: how many values there are is known before they are read, but for those
    in lists, and how long texts are that come again and again before they are spelled out.
    """
    arrow, _ = packages(path)
    compute = import_module("pyarrow.compute")

    def look(file: Any) -> Any:
        for column in file.schema_arrow:
            if arrow.types.is_nested(column.type) and column.name not in nested:
                place = Place(path, part=f"column {column.name!r}")
                raise InputError(f"it holds {column.type}, but strings are needed.", place=place)
        # What a file says of single columns is not asked for: where that is damaged, pyarrow ends the process.
        groups = (file.metadata.row_group(number) for number in range(file.metadata.num_row_groups))
        cells = file.metadata.num_rows * file.metadata.num_columns
        check_size(path, max(8 * cells, sum(group.total_byte_size for group in groups)))
        table = file.read()
        # Texts may be no UTF-8, or lie outside of their buffer, which nobody else would notice.
        table.validate(full=True)
        kept = [arrow.types.is_dictionary(one.type) and _is_text(arrow, one.type.value_type) for one in table.columns]
        size = 0
        for chunk in (
            chunk for column, once in zip(table.columns, kept, strict=True) if once for chunk in column.chunks
        ):
            size += compute.sum(compute.binary_length(chunk.dictionary).take(chunk.indices)).as_py() or 0
            check_size(path, size)
        columns = (
            column.cast(column.type.value_type) if once else column
            for column, once in zip(table.columns, kept, strict=True)
        )
        return arrow.table([*columns], names=table.column_names)

    return _opened(path, look, compact=True)


def _is_text(arrow: Any, kind: Any) -> bool:
    return kind in (arrow.string(), arrow.large_string(), arrow.binary(), arrow.large_binary())


def column_names(path: str) -> list[str]:
    """What the columns of a file are called."""
    return list(_opened(path, lambda file: file.schema_arrow.names))


def spell_arrow(columns: Mapping[str, tuple[Sequence[Any], str]], compression: str = "snappy") -> bytes:
    """A file out of columns, each with its type."""
    arrow, parquet = packages()
    table = arrow.table({name: arrow.array(values, getattr(arrow, of)()) for name, (values, of) in columns.items()})
    out = arrow.BufferOutputStream()
    parquet.write_table(table, out, compression=compression)
    content: bytes = out.getvalue().to_pybytes()
    return content


def packages(path: str = "") -> tuple[Any, Any]:
    """pyarrow and its part for Parquet; ``path`` is what needs them."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra.of(f"{path}: Parquet" if path else "Parquet", "parquet") from None
    return pyarrow, pyarrow.parquet


def _opened(path: str, look: Callable[[Any], Any], *, compact: bool = False) -> Any:
    """What is seen in a Parquet file; in a ``compact`` one texts that come again and again are kept once."""
    arrow, parquet = packages(path)
    content = read_bytes(path)
    try:
        file = parquet.ParquetFile(arrow.BufferReader(content))
        if compact:
            texts = [field.name for field in file.schema_arrow if _is_text(arrow, field.type)]
            file = parquet.ParquetFile(arrow.BufferReader(content), read_dictionary=texts)
        return look(file)
    except (arrow.ArrowException, OSError, UnicodeError) as error:
        reason = str(error).strip().split("\n")[0][:200].rstrip(".")
        what = InputError(f"not a sound Parquet file ({reason}).", place=Place(path))
        raise (None if content.startswith(b"PAR1") else other_kind(path, content, content[-HEAD:])) or what from None
