"""What differs between two answers: the numbers that moved, and what was asked, read or counted in another way.

An answer is a run of a store, or a result alone. Rows are held beside each other by what names them, never by their
place; which differences may be the reason for which number follows from the systems and metrics that both are about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from assay.errors import AssayError, counted
from assay.properties import cached_property
from assay.results.result import Result, Table
from assay.store.folder import Run, Store
from assay.store.rows import key_parts, keys_in

#: Text that follows from numbers and texts, and names nothing.
_OUTCOMES = {"signature", "sacrebleu_signature", "letter", "verdict", "reason"}
#: Columns that name systems.
_SYSTEMS = ("system", "a", "b")
#: What a system has under a metric, whoever else takes part.
_ITS_OWN = ("score", "low", "high", "value")
#: Options of what is drawn at random, and what names a score that nothing is drawn for.
_OF_DRAWS = {("option", name) for name in ("samples", "permutations", "seed")}
_PLAIN = {"campaign", "system", "metric", "part", "segment", "document", "domain"}
#: Options that say which systems take part.
_CHOOSING_SYSTEMS = ("systems", "without", "human", "with_humans")
#: Columns that name metrics.
_METRICS = ("metric", "metric_a", "metric_b")
#: Parts of a key that digests name as well, in words of people.
_TEXTS = ("translation", "reference", "source", "documents", "present", "targeted")
#: So many segments are listed that differ between two texts.
_LISTED = 10


@dataclass(frozen=True, eq=False)
class Side:
    """One of two answers."""

    result: Result
    #: Where it is kept; nothing for a result alone.
    store: Store | None = None
    run: Run | None = None
    #: What systems are to be called.
    names: Mapping[str, str] = field(default_factory=dict)
    #: What it is called beside the other: by itself as its run, or as its question.
    label: str = ""

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", self.run.id if self.run is not None else self.result.question)

    @cached_property
    def systems(self) -> list[str]:
        """The systems that it is about, as they are called here."""
        named = {
            row[name]: None for rows in self.result.tables.values() for row in rows for name in _SYSTEMS if name in row
        }
        return [str(name) for name in named if isinstance(name, str)]

    def called(self, names: Mapping[str, str]) -> Side:
        """The same with other names of systems."""
        known = {
            table: [
                {
                    name: names.get(cell, cell) if name in _SYSTEMS and isinstance(cell, str) else cell
                    for name, cell in row.items()
                }
                for row in rows
            ]
            for table, rows in self.result.tables.items()
        }
        digests = {_renamed(name, names): digest for name, digest in self.result.digests.items()}
        return replace(self, result=replace(self.result, tables=known, digests=digests), names=names)

    @cached_property
    def keys(self) -> dict[tuple[str, ...], dict[str, str]]:
        """What counting read, by campaign, system, metric and references."""
        if self.run is None or self.store is None:
            return {}
        campaigns = [part["name"] for part in self.run.kept["campaigns"]]
        spelled: dict[str, dict[str, str]] = {}
        for folder in {link["folder"] for link in self.run.kept["rows"]}:
            for path in (self.store.path / "rows" / folder).glob("*.parquet"):
                try:
                    spelled |= {short: key_parts(key) for short, key in keys_in(path).items()}
                except AssayError:
                    # Whoever looks for damage is told of it; here a reason is lost, and no number.
                    continue
        return {
            (
                campaigns[link["campaign"]],
                self.names.get(link["system"], link["system"]),
                link["metric"],
                link["refs"],
            ): spelled[link["key"]]
            for link in self.run.kept["rows"]
            if link["key"] in spelled
        }

    def texts(self, name: str) -> list[str] | None:
        """A text by the name of its digest, such as ``sys.compass``, if it is kept."""
        back = {new: old for old, new in self.names.items()}
        system = name.removeprefix("sys.")
        name = f"sys.{back[system]}" if name.startswith("sys.") and system in back else name
        name = "src" if name == "source" else name
        found = [
            part["texts"][name] for part in (self.run.kept["campaigns"] if self.run else ()) if name in part["texts"]
        ]
        if self.store is None or len(found) != 1:
            return None
        try:
            return [str(text) for text in self.store.get("texts", found[0])["text"].to_pylist()]
        except AssayError:
            return None

    def judgements(self) -> Counter[tuple[Any, ...]] | None:
        """How often each judgement was given, if they are kept."""
        found = [part["judgements"] for part in (self.run.kept["campaigns"] if self.run else ()) if part["judgements"]]
        if self.store is None or len(found) != 1:
            return None
        try:
            rows = self.store.get("judgements", found[0]).to_pylist()
        except AssayError:
            return None
        return Counter(tuple(str(cell) for cell in row.values()) for row in rows)


class Reason(NamedTuple):
    """Something that was not the same in two answers."""

    #: Of which kind: question, option, text, judgements, scores, counting, version.
    what: str
    name: str
    before: Any
    after: Any
    detail: str = ""
    #: The systems and metrics that it is about; all where there are none.
    systems: frozenset[str] = frozenset()
    metrics: frozenset[str] = frozenset()
    #: Whether these take part in one answer alone.
    is_choice: bool = False

    def concerns(self, row: Mapping[str, Any], column: str) -> bool:
        """Whether a number in this row may have moved for it."""
        systems = {row[name] for name in _SYSTEMS if row.get(name)}
        metrics = {row[name] for name in _METRICS if row.get(name)}
        if (self.what, self.name) in _OF_DRAWS and metrics and row.keys() <= _PLAIN and column in ("score", "value"):
            return False
        if self.is_choice:
            # Ranks, corrected p-values and what is learnt hang on all that take part; what a system has by itself, on
            # nobody else.
            alone = column in _ITS_OWN and row.get("system") and row.get("metric")
            return not alone or not self.systems.isdisjoint(systems) or not self.metrics.isdisjoint(metrics)
        return not (
            (self.systems and systems and not self.systems & systems)
            or (self.metrics and metrics and not self.metrics & metrics)
        )

    def __str__(self) -> str:
        return f"{self.what} {self.name}".strip()


def reasons(before: Side, after: Side) -> list[Reason]:
    """All that was asked, read or counted in another way."""
    first, second = before.result, after.result
    asked = [" ".join(filter(None, (one.command, one.question))) for one in (first, second)]
    found = [Reason("question", "", asked[0], asked[1])] if asked[0] != asked[1] else []
    found += _options(first.options, second.options)
    found += _digests(before, after)
    found += _counting(before.keys, after.keys)
    found += [Reason("version", "assay", first.version, second.version)] if first.version != second.version else []
    versions = [one.run.record.get("versions", {}) if one.run is not None else {} for one in (before, after)]
    both = [name for name in versions[0] if name in versions[1]]
    return found + [
        Reason("version", name, versions[0][name], versions[1][name])
        for name in both
        if versions[0][name] != versions[1][name]
    ]


def _options(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Reason]:
    for name in dict.fromkeys([*before, *after]):
        # An option that only one of two questions has says nothing.
        if name not in before or name not in after or before[name] == after[name]:
            continue
        if not before[name] and not after[name]:
            # Of two questions each has its own way to say that nothing was chosen.
            continue
        reason = Reason("option", name, before[name], after[name])
        if name == "metrics":
            others = frozenset(map(str, before[name] or ())) ^ frozenset(map(str, after[name] or ()))
            reason = reason._replace(metrics=others, is_choice=True)
        elif name in _CHOOSING_SYSTEMS:
            reason = reason._replace(is_choice=True)
        yield reason


def _digests(before: Side, after: Side) -> Iterator[Reason]:
    known = (before.result.digests, after.result.digests)
    for name in dict.fromkeys([*known[0], *known[1]]):
        one, other = (digests.get(name) for digests in known)
        if one == other:
            continue
        kind, _, own = name.rpartition("/")[2].partition(".")
        what = {"judgements": "judgements", "scores": "scores", "config": "option"}.get(kind, "text")
        detail = ""
        if one is not None and other is not None:
            detail = _of_judgements(before, after) if what == "judgements" else _of_texts(before, after, name)
        systems = frozenset([own]) if kind == "sys" else frozenset()
        metrics = frozenset([own]) if kind == "scores" else frozenset()
        # Of several campaigns the name says whose they are.
        told = name.removesuffix("judgements") if what == "judgements" else name
        is_choice = None in (one, other) and bool(systems or metrics)
        yield Reason(what, told, one, other, detail, systems, metrics, is_choice)


def _of_texts(before: Side, after: Side, name: str) -> str:
    """Which segments differ."""
    one, other = before.texts(name), after.texts(name)
    if one is None or other is None:
        return ""
    if len(one) != len(other):
        return f"{len(one):,} segments, then {len(other):,}"
    places = [place for place, (text, new) in enumerate(zip(one, other, strict=True)) if text != new]
    some = ", ".join(map(str, places[:_LISTED])) + (", ..." if len(places) > _LISTED else "")
    return f"{len(places):,} of {counted(len(one), 'segment')}: {some}"


def _of_judgements(before: Side, after: Side) -> str:
    """How many judgements came and went."""
    one, other = before.judgements(), after.judgements()
    if one is None or other is None:
        return ""
    return f"{(one - other).total():,} of {one.total():,} gone, {(other - one).total():,} new"


def _counting(
    before: Mapping[tuple[str, ...], Mapping[str, str]], after: Mapping[tuple[str, ...], Mapping[str, str]]
) -> Iterator[Reason]:
    """What counting read beside the texts: versions of metrics and programs, word lists, files."""
    found: dict[tuple[str, str, str], list[set[str]]] = {}
    for key in before.keys() & after.keys():
        parts = before[key], after[key]
        # What one alone has, such as a fit on the whole campaign, follows from a choice that is told already.
        for name in parts[0].keys() & parts[1].keys():
            one, other = (part[name] for part in parts)
            if one != other and not name.startswith(_TEXTS):
                about = found.setdefault((name, one, other), [set(), set()])
                about[0].add(key[1])
                about[1].add(key[2])
    for (name, one, other), (_, metrics) in sorted(found.items(), key=str):
        yield Reason("counting", name, one, other, f"of {', '.join(sorted(metrics))}", frozenset(), frozenset(metrics))


class _Moved(NamedTuple):
    """A cell that is another in the second answer."""

    table: str
    #: What names the row.
    row: Mapping[str, Any]
    column: str
    before: Any
    after: Any


class Comparison(NamedTuple):
    """Two answers, number by number."""

    moved: list[_Moved]
    #: Rows that one of them alone has: the table, what names the row, and which of the two (0 or 1).
    alone: list[tuple[str, Mapping[str, Any], int]]
    #: How many numbers both have.
    numbers: int
    tables: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        """Whether nothing at all moved."""
        return not self.moved and not self.alone


def held_together(before: Result, after: Result) -> Comparison:
    """The numbers of all tables that both have, by what names their rows."""
    moved: list[_Moved] = []
    alone: list[tuple[str, Mapping[str, Any], int]] = []
    numbers = 0
    shared = tuple(name for name in before.tables if name in after.tables)
    for name in shared:
        keys = _names_of_rows((before, after), name)
        columns = [
            column
            for column in dict.fromkeys(column for row in before.tables[name] for column in row)
            if column not in keys and column not in _OUTCOMES and any(column in row for row in after.tables[name])
        ]
        first, second = (_by_keys(result.tables[name], keys) for result in (before, after))
        alone += [(name, _named(key, keys), 0) for key in first if key not in second]
        alone += [(name, _named(key, keys), 1) for key in second if key not in first]
        for key in first:
            if key not in second:
                continue
            one, other = first[key], second[key]
            for column in columns:
                cells = one.get(column), other.get(column)
                if cells == (None, None):
                    continue
                numbers += any(_is_number(cell) for cell in cells)
                if cells[0] != cells[1]:
                    moved.append(_Moved(name, _named(key, keys), column, *cells))
    return Comparison(moved, alone, numbers, shared)


def _names_of_rows(results: Sequence[Result], table: str) -> tuple[str, ...]:
    """The columns that tell the rows of a table apart: those by which people see them, and others if it takes them."""
    rows = [row for result in results for row in result.tables[table]]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    kinds = {name: {type(row[name]) for row in rows if row.get(name) is not None} for name in columns}
    views = [view for result in results for view in result.views if view.table == table]
    seen = {name for view in views for name in (*(key.name for key in view.keys), view.over or "", *view.where)}
    shown = {column.name for view in views for column in view.columns} - seen
    words = [name for name in columns if kinds[name] == {str} and name not in _OUTCOMES]
    numbers = [name for name in columns if kinds[name] == {int}]
    ranked = [
        *(name for name in words if name in seen),
        *(name for name in words if name not in seen and name not in shown),
        *(name for name in numbers if name in seen),
        *(name for name in numbers if name not in seen and name not in shown),
        *(name for name in words if name in shown),
    ]
    keys = [name for name in ranked if name in seen and kinds[name] == {str}]
    for name in ranked:
        if all(_are_apart(result.tables[table], keys) for result in results):
            break
        keys += [] if name in keys else [name]
    return tuple(name for name in columns if name in keys)


def _are_apart(rows: Table, keys: Sequence[str]) -> bool:
    return len({tuple(row.get(name) for name in keys) for row in rows}) == len(rows)


def _by_keys(rows: Table, keys: Sequence[str]) -> dict[tuple[Any, ...], Mapping[str, Any]]:
    """Rows by what names them, and by a number where that is the same again."""
    seen: Counter[tuple[Any, ...]] = Counter()
    found: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for row in rows:
        key = tuple(row.get(name) for name in keys)
        found[(*key, seen[key])] = row
        seen[key] += 1
    return found


def _named(key: tuple[Any, ...], keys: Sequence[str]) -> dict[str, Any]:
    named = dict(zip(keys, key, strict=False))
    return named | ({"repeat": key[-1]} if key[-1] else {})


def _is_number(cell: Any) -> bool:
    return isinstance(cell, (int, float)) and not isinstance(cell, bool)


def _renamed(digest: str, names: Mapping[str, str]) -> str:
    """The name of a digest with the new name of its system."""
    before, slash, last = digest.rpartition("/")
    system = last.removeprefix("sys.")
    return f"{before}{slash}sys.{names[system]}" if last.startswith("sys.") and system in names else digest


def label_of(row: Mapping[str, Any]) -> str:
    """What names a row, in a few words."""
    return ", ".join(str(cell) for cell in row.values() if cell is not None)
