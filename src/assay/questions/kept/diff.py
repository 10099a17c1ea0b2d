"""``assay diff``: which numbers moved between two answers, and what may be the reason."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.errors import ParameterError, UnknownName, counted
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.kept.base import OfStore, run_option
from assay.results.charts import COLORS, GREY, above, figure, interval_dots, key
from assay.results.figure import Figure, Figures
from assay.results.result import Column, Result, Row, Table, View
from assay.store.differences import Comparison, Reason, Side, held_together, label_of, reasons

#: Columns that hold what a row is about, the first that there is, and the ends of its interval.
_VALUES = ("score", "value", "delta", "mean")
#: So many rows stand in the picture.
_DRAWN = 30
#: Differences that are smaller than this share of a number are those of sums in another order.
_ROUNDING = 1e-9
#: So many rows are named of those that one answer alone has.
_SUCH = 3
_SIDES = {"before": GREY, "after": COLORS[0]}


@dataclass(frozen=True, kw_only=True)
class Diff(OfStore):
    """Which numbers moved between two answers, and what may be the reason: an option, a text, judgements, a version.

    Answers are runs of a store or result files. Rows are held beside each other by what names them, such as system and
    metric. Where each answer is about one system alone, the two systems stand side by side.
    """

    name: ClassVar[str] = "diff"
    question: ClassVar[str] = "Which numbers moved, and why?"
    arguments: ClassVar[tuple[str, ...]] = ("before", "after")

    before: str = run_option("A run: its name or a part of it, last, last~1, its folder; or FILE.json.")
    after: str = run_option("The other one.")
    called: tuple[str, ...] = option(
        (), "A system that the second calls otherwise; repeat it.", metavar="OLD=NEW", repeat=True
    )
    limit: int = option(20, "Print so many numbers of each table; other formats have all.", metavar="N", least=1)

    def answer(self, asked: Asked) -> Result:
        before, after = self.found(self.before), self.found(self.after)
        names = self._names(before, after)
        return compared(before.called(names) if names else before, after, limit=self.limit, names=names)

    def _names(self, before: Side, after: Side) -> dict[str, str]:
        """What systems of the first are called in the second."""
        names: dict[str, str] = {}
        for text in self.called:
            old, equals, new = text.partition("=")
            for name, side in ((old, before), (new, after)):
                if not equals:
                    raise ParameterError(f"called is {text!r}, but it takes OLD=NEW: names of two systems.")
                if name not in side.systems:
                    raise UnknownName.of(f"system (called) in {side.label}", name, side.systems)
            names[old] = new
        alone = before.systems != after.systems and len(before.systems) == len(after.systems) == 1
        return {before.systems[0]: after.systems[0]} if alone and not names else names


def compared(before: Side, after: Side, *, limit: int, names: Mapping[str, str] | None = None) -> Result:
    """Two answers, number by number, with what may be the reasons."""
    numbers, why = held_together(before.result, after.result), reasons(before, after)
    if not numbers.tables:
        what = f"{before.label} has the tables {', '.join(before.result.tables)}, {after.label} has others"
        raise ParameterError(f"{what} ({', '.join(after.result.tables)}): there is nothing to hold together.")
    moved = _moved(numbers, why, limit)
    differences = [
        {"what": one.what, "name": one.name, "before": _said(one.before), "after": _said(one.after), "more": one.detail}
        for one in why
    ]
    alone = [
        {"table": table, "row": label_of(row), "only": ("before", "after")[side]} for table, row, side in numbers.alone
    ]
    together: dict[tuple[str, str], list[str]] = {}
    for one in alone:
        together.setdefault((one["table"], one["only"]), []).append(one["row"])
    parts = [
        {"table": table, "only": side, "rows": len(rows), "such_as": "; ".join(rows[:_SUCH])}
        for (table, side), rows in together.items()
    ]
    return Result(
        "diff",
        {"numbers": moved, "differences": differences, "alone": parts, "rows": alone},
        tuple(_views(moved, numbers, limit)),
        tuple(_findings(numbers, moved, why, names or {})),
        setup={
            "before": before.label, "after": after.label, "same": numbers.is_same, "numbers": numbers.numbers,
            "moved": len(moved), "tables": list(numbers.tables),
        },
        figures=Figures(lambda: _pictures(before, after, numbers)),
    )  # fmt: skip


def _moved(numbers: Comparison, why: Sequence[Reason], limit: int) -> Table:
    """A row for each cell that is another; ``printed`` says whether people see it in text."""
    seen: Counter[str] = Counter()
    rows: Table = []
    for one in numbers.moved:
        seen[one.table] += 1
        both = all(isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in one[3:])
        because = [str(reason) for reason in why if reason.concerns(one.row, one.column)]
        rows.append(
            {
                "table": one.table,
                "row": label_of(one.row),
                "column": one.column,
                "before": one.before if both else _said(one.before),
                "after": one.after if both else _said(one.after),
                "change": one.after - one.before if both else None,
                "because": "; ".join(because),
                **{f"of_{name}": cell for name, cell in one.row.items()},
                "printed": seen[one.table] <= limit,
            }
        )
    return rows


def _views(moved: Table, numbers: Comparison, limit: int) -> list[View]:
    told = [Column("what"), Column("name"), Column("before"), Column("after"), Column("more", "")]
    columns = (
        Column("column"), Column("before", format=".6g"), Column("after", format=".6g"),
        Column("change", format="+.6g"), Column("because", "may be the reason"),
    )  # fmt: skip
    views = [View("What differs", "differences", tuple(told))]
    counts = Counter(row["table"] for row in moved)
    for table in numbers.tables:
        more = counts[table] - limit
        below = (f"{more:,} more of this table: --limit N, or -o FILE.tsv.",) if more > 0 else ()
        where = {"table": table, "printed": True}
        views.append(View(f"Moved: {table}", "numbers", columns, (Column("row", ""),), where=where, notes=below))
    only = (Column("only", "only in"), Column("rows", format=",d"), Column("such_as", "such as"))
    views.append(View("In one of them alone", "alone", only, (Column("table"),)))
    return views


def _findings(numbers: Comparison, moved: Table, why: Sequence[Reason], names: Mapping[str, str]) -> list[str]:
    said = [f"Side by side: {old} and {new}." for old, new in names.items()]
    listed = ", ".join(numbers.tables)
    if numbers.is_same:
        said.append(f"The same: all {counted(numbers.numbers, 'number')} of {listed}.")
        return [*said, f"Though {_listed(why)} differ{'s' * (len(why) == 1)}."] if why else said
    where = ", ".join(dict.fromkeys(row["table"] for row in moved))
    changed = sum(row["change"] is not None for row in moved)
    said.append(f"{changed:,} of {counted(numbers.numbers, 'number')} moved{f', in {where}' if where else ''}.")
    largest = max(
        (abs(row["change"]) / max(abs(row["before"]), abs(row["after"])) for row in moved if row["change"]), default=1.0
    )
    if changed == len(moved) and not numbers.alone and largest < _ROUNDING:
        said.append("All by less than a billionth of their size: sums in another order, of another machine or library.")
    concerning = [one for one in why if any(one.concerns(cell.row, cell.column) for cell in numbers.moved)]
    if len(concerning) == 1:
        others = "nothing else differs" if len(why) == 1 else "nothing else that differs concerns these numbers"
        said.append(f"The reason: {concerning[0]}; {others}.")
    elif concerning:
        said.append(f"Each of {len(concerning)} things, or several together, may be the reason: {_listed(concerning)}.")
    elif why:
        said.append(f"Other rows, for other things were asked: {_listed(why)}.")
    else:
        said.append("Nothing that is recorded differs. What is not recorded: the state of the machine.")
    return said


def _listed(why: Sequence[Reason]) -> str:
    return ", ".join(map(str, why))


def _said(value: Any) -> str:
    """The value of an option, or a digest, as text."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _pictures(before: Side, after: Side, numbers: Comparison) -> list[Figure]:
    """The values that moved most, each before and after, with its interval."""
    table = next((name for name in numbers.tables if _value_of(after.result.tables[name])), None)
    if table is None:
        return []
    value = _value_of(after.result.tables[table])
    moved = [one for one in numbers.moved if one.table == table and one.column == value and None not in one[3:]]
    moved = sorted(moved, key=lambda one: -abs(one.after - one.before))[:_DRAWN]
    metrics = list(dict.fromkeys(one.row.get("metric") for one in moved))
    panels = []
    for metric in metrics:
        rows = [
            {"name": label_of({name: cell for name, cell in one.row.items() if name != "metric"}), "side": label} | ends
            for one in moved
            if one.row.get("metric") == metric
            for label, side in zip(_SIDES, (before, after), strict=True)
            for ends in [_ends(side.result, table, one.row, value)]
        ]
        heading = str(metric) if metric is not None else None
        panels.append(
            interval_dots(
                rows, name="name", value="value", ends=("low", "high"), group="side", colors=_SIDES, heading=heading
            )
        )
    title = f"{table}: {before.label} and {after.label}"
    return [figure("numbers", above(key(_SIDES), *panels), title)] if panels else []


def _value_of(rows: Table) -> str:
    return next((name for name in _VALUES if rows and name in rows[0]), "")


def _ends(result: Result, table: str, named: Mapping[str, Any], value: str) -> dict[str, Any]:
    row: Row = result.of(table=table, **{name: cell for name, cell in named.items() if name != "repeat"})
    return {"value": row[value], "low": row.get("low"), "high": row.get("high")}
