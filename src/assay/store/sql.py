"""Questions in SQL to a store: DuckDB sees its tables in memory, and can neither write nor read anything else.

The database gets Arrow tables that were read and checked here, so it opens no file at all: it is told not to
(``enable_external_access``), and that cannot be changed any more (``lock_configuration``). Extensions are off, and so
is the look at Python's variables.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.errors import AssayError, InputError, MissingExtra, ParameterError, UnknownName
from assay.metrics.registry import metric as named_metric
from assay.results.arrow import column_of
from assay.store.tables import Tables, number_of
from assay.threads import workers

_CONFIG: dict[str, Any] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
}
#: Names by which a statement may ask for all tables that there are.
_CATALOGUE = {"show", "information_schema", "duckdb_tables", "duckdb_columns", "duckdb_views", "pg_class", "pg_tables"}
#: So many seconds a query that is stopped may take to end.
_PATIENCE = 0.5
#: What queries call the score of rows that are added up.
_CORPUS_SCORE = "corpus_score"
#: What DuckDB says before an error of ours, and in lines about what is closed here.
_OF_FUNCTION = "Invalid Input Error: Python exception occurred while executing the UDF: ParameterError: "
_ELSEWHERE = ("Use SET ", "For more information")
_WORD = re.compile(r"\w+")


class Answer(NamedTuple):
    """What a statement gives: names of columns, and rows of Python's values."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    #: Whether there are further rows.
    is_cut: bool


def query(tables: Tables, statement: str, *, most: int, seconds: float) -> Answer:
    """The answer to a statement: ``most`` rows at most, within so many seconds."""
    text = statement.lower()
    everything = not _CATALOGUE.isdisjoint(_WORD.findall(text))
    wanted = [name for name in tables if everything or name.lower() in text]
    with _database() as connection:
        _require_query(connection, statement)
        for name in wanted:
            _register(connection, name, [tables[name]] if everything else tables.parts(name))
        if _CORPUS_SCORE in text:
            if "rows" not in wanted:
                raise ParameterError(f"{_CORPUS_SCORE} adds up rows: select {_CORPUS_SCORE}(rows) from rows.")
            _define_corpus_score(connection)
        connection.execute("set lock_configuration = true")
        tables.warn_of_damage()
        return _fetched(connection, statement, tables, most, seconds)


@contextmanager
def _database() -> Iterator[Any]:
    try:
        import duckdb
    except ImportError as error:
        raise MissingExtra.of("SQL", "store") from error
    connection = duckdb.connect(":memory:", config=_CONFIG)
    try:
        # Times of runs are in UTC, so that those of now() are, too.
        connection.execute("set TimeZone = 'UTC'")
        yield connection
    finally:
        # Who interrupts twice does not wait for the query to end.
        with suppress(duckdb.Error):
            connection.close()


def _register(connection: Any, name: str, parts: Sequence[Any]) -> None:
    """Make a table known; its parts may have columns of their own."""
    if len(parts) == 1:
        connection.register(name, parts[0])
        return
    for number, part in enumerate(parts):
        connection.register(f"{name} {number}", part)
    selects = (f'select * from "{name} {number}"' for number in range(len(parts)))
    connection.execute(f'create temporary view "{name}" as {" union all by name ".join(selects)}')


def _define_corpus_score(connection: Any) -> None:
    """Make ``corpus_score(rows)`` known: the score of the rows of each group together, by the metric's own formula."""
    described = connection.execute('describe "rows"').fetchall()
    # The numbers of all metrics; a score of a segment is none that could be added.
    names = [name for name, kind, *_ in described if kind == "DOUBLE" and name != "score"]

    def scored(least: Any, largest: Any, sums: Any) -> Any:
        table = np.array([row or [None] * len(names) for row in sums.to_pylist()], dtype=np.float64)
        scores = _scores_of(least.to_pylist(), largest.to_pylist(), dict(zip(names, table.T, strict=True)))
        return column_of(scores, "float64", np.isnan(scores))

    connection.create_function(
        "score_of_sums", scored, ["VARCHAR", "VARCHAR", "DOUBLE[]"], "DOUBLE", type="arrow", null_handling="special"
    )
    metric = "struct_extract(r, 'metric')"
    quoted = (name.replace("'", "''") for name in names)
    sums = ", ".join(f"sum(struct_extract(r, '{name}'))" for name in quoted)
    connection.execute(
        f"create temporary macro {_CORPUS_SCORE}(r) as score_of_sums(min({metric}), max({metric}), [{sums}])"
    )


def _scores_of(
    least: Sequence[str | None], largest: Sequence[str | None], sums: Mapping[str, NDArray[np.float64]]
) -> NDArray[np.float64]:
    """The scores of summed rows, each of which has to be of one metric; NaN where there are no rows."""
    scores, groups = np.full(len(least), np.nan), dict[str, list[int]]()
    for place, (one, other) in enumerate(zip(least, largest, strict=True)):
        if one is None or other is None:
            continue
        if one != other:
            raise ParameterError(f"{_CORPUS_SCORE} is of one metric, and here rows of {one} and {other} are together.")
        groups.setdefault(one, []).append(place)
    for name, places in groups.items():
        metric = named_metric(name)
        missing = np.full(len(least), np.nan)
        rows = np.stack([sums.get(number_of(column), missing)[places] for column in metric.columns], axis=-1)
        there = np.isfinite(rows).all(axis=-1)
        found = np.full(len(places), np.nan)
        found[there] = metric.score(rows[there])
        scores[places] = np.where(np.isfinite(found), found, np.nan)
    return scores


def _require_query(connection: Any, statement: str) -> None:
    """Refuse whatever is not one query."""
    import duckdb

    kinds = duckdb.StatementType
    try:
        found = connection.extract_statements(statement)
    except duckdb.Error as error:
        raise _refused(error) from None
    queries = {kinds.SELECT}
    if "pivot" in statement.lower():
        # DuckDB finds the columns of a pivot by statements before it, which have no text; or all are one.
        found, queries = [one for one in found if one.query or one.type != kinds.CREATE], {kinds.SELECT, kinds.MULTI}
    if len(found) != 1:
        what = "There is no statement." if not found else f"These are {len(found)} statements."
        raise ParameterError(f"{what} One query is answered at a time.")
    if found[0].type not in queries:
        kind = str(found[0].type).rpartition(".")[2]
        raise ParameterError(
            f"This is no query ({kind}): a store is only read. Queries begin with select, with, from, values, pivot, "
            "describe or summarize."
        )


def _fetched(connection: Any, statement: str, tables: Tables, most: int, seconds: float) -> Answer:
    """The first rows. Whoever interrupts, or the time that is up, stops the database in the middle of its work."""
    import duckdb

    done = threading.Event()

    def work() -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        try:
            connection.execute(statement)
            names = tuple(column[0] for column in connection.description or ())
            return names, connection.fetchmany(most + 1)
        finally:
            done.set()

    try:
        with workers(1) as pool:
            columns, rows = pool.submit(work).result(seconds)
    except duckdb.Error as error:
        raise _refused(error, tables) from None
    except BaseException as error:
        connection.interrupt()
        # While it is at work it cannot be closed; in the middle of one function it hears nothing, and is left behind.
        done.wait(_PATIENCE)
        if isinstance(error, TimeoutError):
            what = f"The query took longer than {seconds:g} s, and was stopped."
            raise InputError(what, "Ask for less (where, limit), or wait longer: --timeout SECONDS.") from None
        raise
    return Answer(columns, rows[:most], len(rows) > most)


def _refused(error: Exception, tables: Tables | None = None) -> AssayError:
    """What DuckDB says, in a line or two, without pointers to its own documentation."""
    import duckdb

    if isinstance(error, duckdb.OutOfMemoryException):
        return InputError("The query needs more memory than there is.", "Ask for less: fewer columns, where, limit.")
    if isinstance(error, duckdb.PermissionException):
        return InputError(
            "A query sees the tables of the store alone: files, settings and extensions are closed to it.",
            "assay sql lists the tables.",
        )
    text = str(error).strip()
    if "'pytz'" in text:
        return InputError("A moment with a time zone cannot be shown.", "Say how: ::timestamp (UTC), or ::text.")
    text = text.removeprefix(_OF_FUNCTION)
    missing = re.match(r"Catalog Error: Table with name (.*) does not exist", text)
    if missing is not None and tables is not None:
        return UnknownName.of("table", missing[1], tables)
    # Where in the query it is stands below each other, with a mark under it.
    remedy = 'The columns of a table: assay sql "describe NAME".' if isinstance(error, duckdb.BinderException) else ""
    lines = [line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith(_ELSEWHERE)]
    return InputError("\n".join(["The query cannot be answered.", *lines, *filter(None, [remedy])]))
