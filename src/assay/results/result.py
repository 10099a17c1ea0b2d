"""The answer to a question: long tables of plain values, views of them for people, sentences, and how to repeat it.

Everything that prints, keeps, compares or shows an answer reads a ``Result`` and nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

from assay.arguments import checked
from assay.errors import InputError, MissingExtra, UnknownName, nearest
from assay.results.arrow import to_arrow
from assay.results.figure import Figure, Figures
from assay.results.rendering import STYLES, Look
from assay.results.visible import plain
from assay.version import __version__

#: The number of the JSON format; files with a higher one come from a newer Assay. See docs/reference/results.md.
SCHEMA = 1

#: Keys of a result file that are no tables.
_RESERVED = (
    "assay", "schema", "command", "study", "paper", "campaign", "options", "setup", "digests", "signatures", "findings",
    "notes", "views", "figures", "main",
)  # fmt: skip

#: What C1 control characters and line separators become in JSON, where they are allowed but do harm on a terminal.
_UNSEEN = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")

#: What makes data frames, the first choice first.
_LIBRARIES = ("pandas", "polars")

#: Stands where a row is of no single campaign, and heads the table that has them side by side.
AVERAGE = "average"
_AVERAGED = "Campaigns side by side, and their mean"

Table = list[dict[str, Any]]


@dataclass(frozen=True)
class Column:
    """How people see one value of a row: under which heading, in which format, with which interval."""

    name: str
    #: Without one, the name.
    heading: str | None = None
    #: As in ``format(value, spec)``; ``p`` is a p-value; ``yes|no`` stand for true and false. Text has none.
    format: str = ""
    #: ``%`` shows a share of 1 in per cent.
    unit: str = ""
    better: Literal["higher", "lower"] | None = None
    #: Columns with the ends of its interval. Without ``low`` the column itself is the lower end, and a range is shown.
    low: str | None = None
    high: str | None = None
    #: A column whose text stands behind the value, raised: letters, or a star.
    mark: str | None = None
    #: Of the rows with the same keys, the one with these cells; the others are for other columns.
    where: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The heading, with an arrow that says which way is better."""
        arrow = {"higher": " ↑", "lower": " ↓", None: ""}[self.better]
        return f"{self.name if self.heading is None else self.heading}{arrow}"

    def with_decimals(self, count: int) -> Column:
        """The same with so many decimals in place of the two that scores usually have."""
        return replace(self, format=self.format.replace(".2f", f".{count}f"))


@dataclass(frozen=True)
class View:
    """One table as people read it: a long table as it is, or with one of its columns spread over the page."""

    title: str
    table: str
    columns: tuple[Column, ...]
    #: Columns that say which row it is: they come first, and again where a narrow page breaks the table.
    keys: tuple[Column, ...] = ()
    #: The column whose values stand side by side; ``{}`` in a heading is such a value.
    over: str | None = None
    #: What to call the values of ``over``.
    labels: Mapping[str, str] = field(default_factory=dict)
    #: Values of ``over`` whose scores are shown with another number of decimals than two.
    decimals: Mapping[str, int] = field(default_factory=dict)
    #: Only rows with these values; a list is of all that will do.
    where: Mapping[str, Any] = field(default_factory=dict)
    #: Values of the first key in the order in which they are shown; without it, as the rows come.
    order: tuple[Any, ...] = ()
    #: A table whose rows follow at the end, under the same columns.
    below: str | None = None
    #: A column whose values stand as lines above the rows that have them.
    under: str | None = None
    #: In plain text every row is such a line instead of cells: ``{place}: {message}``.
    line: str | None = None
    notes: tuple[str, ...] = ()
    #: The part of the answer that it belongs to; a page sets it apart, with the figures ``<section>.<name>``.
    section: str = ""
    #: A column with the id of each row, to which pictures of a page lead: see ``charts.scatter``.
    anchor: str | None = None
    #: Whether it is for pages alone, for it is too long to be printed.
    on_page: bool = False


class _Ends(NamedTuple):
    """Both ends of an interval."""

    low: float
    high: float


class Row(dict[str, Any]):
    """A row of a table, with its cells as attributes too: ``row["value"]`` is ``row.value``."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"This row has no {name!r}; it has {', '.join(self)}.") from None

    @property
    def interval(self) -> _Ends | None:
        """The ends of its interval; None where it has none."""
        low, high = self.get("low"), self.get("high")
        return None if low is None or high is None else _Ends(low, high)


class Remark(str):
    """Something that a reader should know; ``level`` is ``note`` or ``warning``."""

    level: str

    def __new__(cls, text: str, level: str = "note") -> Remark:
        made = super().__new__(cls, text)
        made.level = level
        return made


@dataclass(frozen=True, eq=False)
class Result:
    """What a command answers."""

    #: What was asked: the name of a command, or of a study.
    question: str
    tables: Mapping[str, Table] = field(repr=False)
    views: tuple[View, ...] = field(default=(), repr=False)
    #: The answer in sentences, and what one has to know to read it.
    findings: tuple[str, ...] = field(default=(), repr=False)
    #: Remarks of the work behind it, such as what was left out.
    notes: tuple[Remark, ...] = field(default=(), repr=False)
    campaign: str | None = None
    #: Every option with its value: enough to ask again.
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)
    #: Single values of how it was done, and how much was used.
    setup: Mapping[str, Any] = field(default_factory=dict, repr=False)
    #: Stand for the texts and judgements that were read, by name.
    digests: Mapping[str, str] = field(default_factory=dict, repr=False)
    #: A line per metric that says exactly what was computed.
    signatures: Mapping[str, str] = field(default_factory=dict, repr=False)
    #: Given as ``Figures`` they are made when somebody looks at them.
    figures: Sequence[Figure] = field(default=(), repr=False)
    #: The command, where that is not the question: studies share one.
    command: str = ""
    #: The version of Assay that gave the answer.
    version: str = __version__
    #: The table that TSV and CSV hold, where it is not the first one.
    main: str = field(default="", repr=False)
    #: What was made beside the answer, such as a trained model; it lives in this process only.
    made: Any = field(default=None, repr=False)
    #: What makes the page that it is in HTML, where that is more than its tables; it lives in this process only, too.
    page: Callable[[], str] | None = field(default=None, repr=False)
    #: When it was given, in seconds since 1970, if it is kept in a store.
    time: float | None = field(default=None, repr=False)
    #: Whether a gate failed; the command then exits with 1.
    failed: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        for name in self.tables:
            if name in _RESERVED:
                raise ValueError(f"No table may be called {name!r}.")
        # Numbers of numpy are plain ones from here on; a result made of another need not be looked through again.
        for name in ("tables", "setup", "options"):
            if not isinstance(getattr(self, name), _Plain):
                object.__setattr__(self, name, _Plain(plain(getattr(self, name))))

    def table(self, name: str | None = None) -> Table:
        """The rows of a table, a dictionary each; without a name those of the first one."""
        return [dict(row) for row in self._rows(name)]

    def of(self, *values: Any, table: str | None = None, **cells: Any) -> Row:
        """The first row of a table that has these values, wherever they stand, and these cells.

        ``result.of("bleu", "pearson")`` and ``result.of(metric="bleu", statistic="pearson")`` may be the same row.
        """
        for row in self._rows(table):
            if all(value in row.values() for value in values) and all(
                row.get(name) == value for name, value in cells.items()
            ):
                return Row(row)
        name = table or next(iter(self.tables))
        words = {cell for row in self._rows(table) for cell in row.values() if isinstance(cell, str)}
        for value in (*values, *cells.values()):
            if isinstance(value, str) and value not in words:
                near = nearest(value, words)
                raise UnknownName(
                    f"There is no {value!r} in the table {name}." + (f" Did you mean {near!r}?" if near else "")
                )
        asked = ", ".join([*map(str, values), *(f"{name}={value}" for name, value in cells.items())])
        raise UnknownName(f"No row of the table {name} has all of: {asked}.")

    @checked
    def _rows(self, name: str | None) -> Table:
        name = name or next(iter(self.tables))
        if name not in self.tables:
            raise UnknownName.of("table", name, self.tables)
        return self.tables[name]

    @checked
    def frame(self, name: str | None = None, *, library: str | None = None) -> Any:
        """A table as a pandas data frame, or polars where only that is installed; ``library`` chooses."""
        rows = self._rows(name)
        if library is not None and library not in _LIBRARIES:
            raise UnknownName.of("library of data frames", library, _LIBRARIES)
        wanted = [library] if library else _LIBRARIES
        there = next((known for known in wanted if find_spec(known) is not None), None)
        if there is None:
            raise MissingExtra(f"A data frame needs {' or '.join(wanted)}. Install it: pip install {wanted[0]}")
        module = import_module(there)
        if there == "pandas":
            return module.DataFrame.from_records(rows)
        return module.from_dicts(rows, infer_schema_length=None) if rows else module.DataFrame()

    @checked
    def arrow(self, name: str | None = None) -> Any:
        """A table as an Arrow table, which other libraries take without copying; needs the extra ``parquet``."""
        return to_arrow(self._rows(name))

    def to_dict(self) -> dict[str, Any]:
        """All of it in lists, dictionaries and plain values."""
        return {
            "assay": self.version,
            "schema": SCHEMA,
            "command": self.command or self.question,
            **({self.command: self.question} if self.command else {}),
            "campaign": self.campaign,
            "options": dict(self.options),
            "setup": dict(self.setup),
            "digests": dict(self.digests),
            "signatures": dict(self.signatures),
            "findings": list(self.findings),
            "notes": [{"level": remark.level, "text": str(remark)} for remark in self.notes],
            **{name: list(rows) for name, rows in self.tables.items()},
            "views": [_written(view) for view in self.views],
            "figures": [figure.to_dict() for figure in self.figures],
            **({"main": self.main} if self.main not in ("", next(iter(self.tables))) else {}),
        }

    def to_json(self) -> str:
        """The same as text; it can be read back."""
        return spell_json(self.to_dict(), indent=2)

    @classmethod
    @checked
    def from_json(cls, text: str | bytes, origin: str = "This text") -> Result:
        """The result that ``to_json`` wrote; it renders the same. ``origin`` stands in messages."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{origin} is no whole result of Assay: its JSON cannot be read ({error}).") from None
        if not isinstance(document, dict) or "assay" not in document or "command" not in document:
            raise InputError(f"{origin} is no result of Assay: write one with -o FILE.json.")
        return cls.from_dict(document, origin)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], origin: str = "This dictionary") -> Result:
        """The result that ``to_dict`` gave."""
        schema = document.get("schema", 0)
        if not isinstance(schema, int) or schema > SCHEMA:
            raise InputError(
                f"{origin} was written by a newer Assay ({document['assay']}, schema {schema}; this one reads up to "
                f"{SCHEMA}). Install that version."
            )
        try:
            return _restored(document)
        except (TypeError, KeyError, AttributeError, ValueError) as error:
            raise InputError(f"{origin} is damaged: {type(error).__name__}: {error}.") from None

    @checked
    def render(self, style: str = "text", **options: Any) -> str:
        """As ``text``, ``markdown``, ``latex``, ``html``, ``json``, ``tsv`` or ``csv``.

        Options are those of :class:`assay.results.rendering.Look`, such as ``table`` and ``width``.
        """
        return STYLES[style].render(self, Look(**options))

    def chart(self, name: str | None = None) -> Figure:
        """A figure by name, or the first one; notebooks show it, and ``save`` writes it to a file."""
        if not self.figures:
            raise InputError(f"There is nothing to draw in this answer to {self.question!r}.")
        for figure in self.figures:
            if name in (None, figure.name):
                return figure
        raise UnknownName.of("figure", str(name), [figure.name for figure in self.figures])

    def __str__(self) -> str:
        return self.render("text").rstrip("\n")

    def _repr_html_(self) -> str:
        return self.render("html", page=False)


def spell_json(value: Any, indent: int | None = None) -> str:
    """A value as JSON that does no harm on a terminal."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def joined(answers: Mapping[str, Result], column: str) -> Result:
    """Answers to one question as one: ``column`` says in every row whose it is; None stands for all of them.

    Sentences that not all of them say, but for their names, begin with the name; so do titles of views and names of
    figures.
    """
    first = next(iter(answers.values()))
    # As a word of its own: a campaign may be called a.
    said = {
        name: [re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "\0", text) for text in answer.findings]
        for name, answer in answers.items()
    }
    shared = [text for text in next(iter(said.values())) if all(text in texts for texts in said.values())]
    findings = [f"{name}: {text}".replace("\0", name) for name in said for text in said[name] if text not in shared]
    return replace(
        first,
        tables=_joined_tables(answers, column),
        views=tuple(
            replace(
                view,
                title=view.title if name in view.title else f"{name}: {view.title}",
                where={**view.where, column: [name, None]},
                section=name,
            )
            for name, answer in answers.items()
            for view in answer.views
        ),
        findings=(*findings, *(text.replace("\0", ", ".join(answers)) for text in shared)),
        notes=tuple({str(remark): remark for answer in answers.values() for remark in answer.notes}.values()),
        setup=_joined_setup({name: answer.setup for name, answer in answers.items()}, column),
        signatures=_joined_signatures({name: answer.signatures for name, answer in answers.items()}),
        figures=Figures(
            lambda: (
                replace(figure, name=f"{name}.{figure.name}")
                for name, answer in answers.items()
                for figure in answer.figures
            )
        ),
        failed=any(answer.failed for answer in answers.values()),
    )


def averaged(result: Result, tables: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]) -> Result:
    """An answer that is joined by campaign, with the mean over campaigns of what all of them have.

    ``tables`` name the columns that say which row it is, and the numbers. Each gets rows of the campaign ``average``,
    and a view in which campaigns stand side by side.
    """
    known, views = dict(result.tables), []
    for name, (columns, numbers) in tables.items():
        rows = known.get(name, [])
        campaigns = list(dict.fromkeys(row["campaign"] for row in rows))
        keys = (*columns, *(["kind"] if "kind" not in columns and any("kind" in row for row in rows) else []))
        alike: dict[tuple[Any, ...], Table] = {}
        for row in rows:
            alike.setdefault(tuple(row.get(key) for key in keys), []).append(row)
        means = [
            {"campaign": AVERAGE, **dict(zip(keys, cells, strict=True))}
            | {number: _mean([row.get(number) for row in same], len(campaigns)) for number in numbers}
            for cells, same in alike.items()
        ]
        known[name] = [*rows, *means]
        shown = {column.name: column for view in result.views if view.table == name for column in view.columns}
        side_by_side = tuple(
            replace(column, heading=f"{column.heading or column.name}, {{}}" if len(numbers) > 1 else "{}", where={})
            for column in (shown.get(number, Column(number, format=".3f")) for number in numbers)
        )
        kinds = {row.get("kind") for row in rows}
        named = tuple(
            replace(shown.get(key, Column(key)), where={}) for key in keys if key in columns or len(kinds) > 1
        )
        views.append(View(_AVERAGED, name, side_by_side, named, over="campaign"))
    return replace(result, tables=known, views=(*views, *result.views))


def _mean(values: Sequence[float | None], campaigns: int) -> float | None:
    """The mean of a number that every campaign has."""
    there = [value for value in values if value is not None]
    return sum(there) / campaigns if len(there) == campaigns else None


def _joined_signatures(signatures: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """A line per metric where all answers have the same one, and else one for each of them."""
    lines: dict[str, dict[str, str]] = {}
    for name, own in signatures.items():
        for metric, line in own.items():
            lines.setdefault(metric, {})[name] = line
    return {
        metric if len(set(own.values())) == 1 else f"{metric}, {name}": line
        for metric, own in lines.items()
        for name, line in own.items()
    }


def _joined_tables(answers: Mapping[str, Result], column: str) -> dict[str, Table]:
    """The rows of all answers; what is nobody's own stands there once."""
    tables: dict[str, Table] = {}
    for name, answer in answers.items():
        for table, rows in answer.tables.items():
            there = tables.setdefault(table, [])
            marked = [row if column in row else {column: name} | row for row in rows]
            there += [row for row in marked if row[column] is not None or row not in there]
    return tables


def _joined_setup(setups: Mapping[str, Mapping[str, Any]], column: str) -> dict[str, Any]:
    """What is the same in all of them, and by name what is not."""
    parts = list(setups.values())
    alike = {key: value for key, value in parts[0].items() if all(part.get(key) == value for part in parts)}
    others = {name: {key: part[key] for key in part if key not in alike} for name, part in setups.items()}
    usages = {name: part["usage"] for name, part in others.items() if isinstance(part.get("usage"), str)}
    said = {"usage": " ".join(f"{name}: {usage}" for name, usage in usages.items())} if usages else {}
    return {column: ", ".join(setups)} | alike | said | {f"{column}s": others}


def _restored(document: Mapping[str, Any]) -> Result:
    """A result out of its JSON; every list of rows that is nothing else is a table."""
    others = {name: value for name, value in document.items() if name not in _RESERVED and isinstance(value, list)}
    # Commands with a name behind them keep it under their own: "study": "references".
    named = document.get(document["command"]) if document["command"] in _RESERVED else None
    tables = {name: rows for name, rows in others.items() if all(isinstance(row, dict) for row in rows)}
    return Result(
        question=named or document["command"],
        tables=tables or {"table": []},
        views=tuple(map(_read_view, document.get("views", ()))),
        findings=tuple(document.get("findings", ())),
        notes=tuple(Remark(note["text"], note["level"]) for note in document.get("notes", ())),
        figures=tuple(Figure.from_dict(figure) for figure in document.get("figures", ())),
        command=document["command"] if named else "",
        version=document["assay"],
        main=document.get("main", ""),
        campaign=document.get("campaign"),
        **{name: document.get(name, {}) for name in ("options", "setup", "digests", "signatures")},
    )


def _read_view(view: Mapping[str, Any]) -> View:
    columns = {name: tuple(Column(**column) for column in view.get(name, ())) for name in ("columns", "keys")}
    texts = {name: tuple(view.get(name, ())) for name in ("order", "notes")}
    return View(**{**view, **columns, **texts})


def _written(value: View | Column) -> dict[str, Any]:
    """A view or column as a dictionary, without what is as usual."""
    changed = {}
    for part in fields(value):
        inner = getattr(value, part.name)
        if inner != (part.default if part.default_factory is MISSING else part.default_factory()):
            changed[part.name] = list(map(_written, inner)) if part.name in ("columns", "keys") else plain(inner)
    return changed


class _Plain(dict[str, Any]):
    """Holds lists, dictionaries, text and numbers alone."""
