"""Lines of tables of judgements, and what is said when a field is not what it should be."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.data.formats.json_objects import json_object, refuse_surrogates
from assay.data.formats.lines import read_bytes, texts_of
from assay.errors import InputError, nearest

#: What stands for nothing.
NOTHING = ("", "-")
#: No segment, item or place in a text has such a number.
TOO_LARGE = 2**31


@dataclass(frozen=True)
class Row:
    """One line of a table, with the names of its columns."""

    path: str
    line: int
    cells: list[str]
    columns: Mapping[str, int] = field(repr=False)
    quoted: bool = False

    def raw(self, name: str) -> str:
        """The text of a field; empty where there is no such column."""
        return self.cells[self.columns[name]] if name in self.columns else ""

    def maybe(self, name: str) -> str | None:
        """The text of a field, or None where nothing is known."""
        text = self.raw(name)
        return None if text in NOTHING else text

    def needed(self, name: str, what: str) -> str:
        """The text of a field that must not be empty."""
        text = self.maybe(name)
        if text is None:
            raise self.flaw(name, f"no {what} is named")
        return text

    def integer(self, name: str, what: str, *, least: int = 0) -> int:
        """A whole number from ``least`` on."""
        text = self.raw(name).strip()
        try:
            number = int(text) if text.isascii() else least - 1
        except ValueError:
            number = least - 1
        if not least <= number < TOO_LARGE:
            raise self.flaw(name, f"the {what} is {self.raw(name)!r}, but a whole number from {least} on is needed")
        return number

    def number(self, name: str, what: str) -> float:
        """A finite number, or NaN where the field is empty, ``-`` or ``None``."""
        text = self.raw(name).strip()
        if text in (*NOTHING, "None"):
            return math.nan
        try:
            value = float(text)
        except ValueError:
            value = math.inf
        if not math.isfinite(value):
            raise self.flaw(name, f"the {what} is {self.raw(name)!r}, but a number is needed")
        return value

    def json(self, name: str, what: str) -> Any:
        """What a field with JSON in it says."""
        try:
            return json.loads(self.raw(name))
        except json.JSONDecodeError as error:
            raise self.flaw(name, f"the {what} is not JSON ({error.msg}, character {error.colno})") from None
        except (ValueError, RecursionError) as error:
            raise self.flaw(name, f"the {what} cannot be read ({error})") from None

    def flaw(self, name: str, message: str) -> InputError:
        """An error at the place where a field begins."""
        index = self.columns.get(name, 0)
        column = sum(len(cell) + 1 for cell in self.cells[:index]) + 1
        # Quotes move later fields, so that only the field itself can be named.
        place = f"field {index + 1}" if self.quoted else f"column {column}"
        return InputError(f"{self.path}, line {self.line}, {place}: {message}.")


def lines_of(path: str) -> Iterator[str]:
    """The lines of a file without a carriage return at their end."""
    return (line.removesuffix("\r") for line in texts_of(read_bytes(path), path))


def rows_of(path: str, separator: str, *, quoted: bool) -> Iterator[tuple[int, list[str]]]:
    """Fields by line, with the number of the line, without empty lines. Quoted fields may hold line ends."""
    if not quoted:
        yield from ((number, line.split(separator)) for number, line in enumerate(lines_of(path), start=1) if line)
        return
    text = b"\n".join(line.encode() for line in texts_of(read_bytes(path), path)).decode()
    limit = csv.field_size_limit(sys.maxsize)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    before = 0
    try:
        for cells in reader:
            if cells:
                yield before + 1, cells
            before = reader.line_num
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}. Is a quotation mark missing?") from None
    finally:
        csv.field_size_limit(limit)


def header_rows(
    path: str, separator: str = "\t", *, quoted: bool = False, needed: tuple[str, ...] = (), what: str
) -> tuple[list[str], Iterator[Row]]:
    """The header of a table and its rows; a comment before the header (a line that begins with ``#``) is left out."""
    found = rows_of(path, separator, quoted=quoted)
    line, header = next(found, (1, []))
    while header and (header[0].startswith("#") or len(header) == 1 < len(needed)):
        line, header = next(found, (line + 1, []))
    header = [name.strip() for name in header]
    while header and header[-1].startswith("#"):
        # A comment behind the last name has no fields below it.
        header.pop()
    if not header:
        raise InputError(f"{path}: no header. {what}")
    for name in needed:
        if name not in header:
            near = nearest(name, header)
            guess = f" Did you mean it by {near!r}?" if near else ""
            raise InputError(f"{path}, line {line}: no column {name!r}.{guess} {what}")
    twice = next((name for name in header if header.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{path}, line {line}: two columns are called {twice!r}. Give each its own name.")
    return header, _rows(path, header, found, quoted=quoted)


def _rows(path: str, header: list[str], found: Iterator[tuple[int, list[str]]], *, quoted: bool) -> Iterator[Row]:
    columns = {name: index for index, name in enumerate(header)}
    some = False
    for line, cells in found:
        if len(cells) != len(header):
            raise InputError(
                f"{path}, line {line}: {len(cells)} fields, but the header has {len(header)}. "
                "Every line has one field per column."
            )
        some = True
        yield Row(path, line, cells, columns, quoted)
    if not some:
        raise InputError(f"{path}: a header but no judgements.")


def json_objects(path: str, what: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file with the numbers of their lines."""
    some = False
    for number, line in enumerate(lines_of(path), start=1):
        if not line.strip():
            continue
        some = True
        yield number, json_object(line, f"{path}, line {number}", what)
    if not some:
        raise InputError(f"{path}: the file is empty. {what}")


def first_object(head: str) -> dict[str, Any]:
    """The object in the first line of a file; empty if there is none, for recognising a format."""
    try:
        value = json.loads(head.split("\n", 1)[0])
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def header_of(head: str, separator: str = "\t") -> list[str]:
    """The names in the first line that is a header, for recognising a format."""
    for line in head.split("\n", 3)[:3]:
        cells = line.strip("\r\ufeff").split(separator)
        if not line.startswith("#") and len(cells) > 1:
            return [cell.strip().strip('"') for cell in cells]
    return []


def json_number(value: Any, place: str, what: str) -> float:
    """A number of JSON; NaN where it is null."""
    if value is None:
        return math.nan
    try:
        number = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else math.inf
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InputError(f"{place}: {what} is {value!r:.40}, but a number is needed.")
    return number


def json_text(value: Any, place: str, what: str) -> str | None:
    """A string of JSON, or a number as a string; None where it is null or empty."""
    if value is None or value == "":
        return None
    if type(value) is str and value.isascii():
        # By far the most are such.
        return value
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise InputError(f"{place}: {what} is {value!r}, but a string is needed.")
    return refuse_surrogates(str(value), f"{place}: {what}")
