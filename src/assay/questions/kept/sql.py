"""``assay sql``: any question to a store, in SQL."""

from __future__ import annotations

import math
import sys
import warnings
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, ClassVar
from uuid import UUID

from assay.errors import AssayWarning, ParameterError, counted
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.kept.base import OfStore
from assay.results.result import Column, Result, Table, View
from assay.store.sql import Answer, query
from assay.store.tables import Tables

#: Numbers below this need more than four decimals.
_SMALL = 1e-3


@dataclass(frozen=True, kw_only=True)
class Sql(OfStore):
    """Ask a store anything in SQL, as DuckDB speaks it. Without a query it lists the tables and their columns.

    The tables are those of all answers (scores, pairs, results, features, ...), and what they rest on: runs, segments,
    rows, judgements, texts, external_scores. Nothing can be written, and no other file can be read. With - the query is
    read from standard input.
    """

    name: ClassVar[str] = "sql"
    question: ClassVar[str] = "What does the store say?"
    arguments: ClassVar[tuple[str, ...]] = ("query",)

    query: str | None = option(None, "A query.", metavar='["select ..."]')
    limit: int = option(10_000, "So many rows at most.", metavar="N", least=1, most=100_000_000)
    timeout: float = option(60.0, "So many seconds at most.", metavar="SECONDS", least=0.001, most=1e6)

    def answer(self, asked: Asked) -> Result:
        tables = Tables(self.opened())
        if self.query is None:
            return _listed(tables)
        text = self.query if self.query != "-" else _typed()
        answer = query(tables, text, most=self.limit, seconds=self.timeout)
        if answer.is_cut:
            said = f"There are more rows; these are the first {self.limit:,}. --limit N gives more."
            warnings.warn(AssayWarning(said, level="warning"), stacklevel=2)
        rows = _rows_of(answer)
        columns = tuple(Column(name, format=_format([row[name] for row in rows])) for name in _names(answer.columns))
        findings = () if rows else ("No row fits.",)
        return Result("sql", {"table": rows}, (View("", "table", columns),), findings, setup={"query": text.strip()})


def _typed() -> str:
    if sys.stdin is None or sys.stdin.isatty():
        raise ParameterError("With - the query is read from standard input, and nothing comes from there.")
    return sys.stdin.read()


def _listed(tables: Tables) -> Result:
    """Every table with its columns."""
    rows: Table = []
    columns: Table = []
    for name in tables:
        table = tables[name]
        rows.append({"table": name, "rows": len(table), "about": tables.about(name)})
        columns += [{"table": name, "column": one.name, "type": str(one.type)} for one in table.schema]
    tables.warn_of_damage()
    shown = (Column("table"), Column("rows", format=",d"), Column("about", "what it holds"))
    said = (
        f'{counted(len(rows), "table")} in {tables.store.path}. The columns of one: assay sql "describe NAME". '
        "Queries that people want: docs/guides/sql.md.",
    )
    return Result("sql", {"table": rows, "columns": columns}, (View("", "table", shown),), said)


def _names(columns: tuple[str, ...]) -> tuple[str, ...]:
    """Names of columns; what comes twice is numbered, as rows are known by names."""
    names: list[str] = []
    for name in columns:
        number, made = 1, name
        while made in names:
            made, number = f"{name}_{number}", number + 1
        names.append(made)
    return tuple(names)


def _rows_of(answer: Answer) -> Table:
    names = _names(answer.columns)
    return [dict(zip(names, map(_plain, row), strict=True)) for row in answer.rows]


def _plain(value: Any) -> Any:
    """A value of DuckDB as results hold it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, (timedelta, UUID)):
        return str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    return value


def _format(values: list[Any]) -> str:
    """How the numbers of a column are shown."""
    numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if not numbers or len(numbers) < sum(value is not None for value in values):
        return ""
    if all(isinstance(number, int) for number in numbers):
        return "d"
    return ".4g" if any(0 < abs(number) < _SMALL for number in numbers) else ".4f"
