"""Everything in a store as tables, by name: what runs answered, and the texts, judgements and scores behind it.

Tables of answers have the names that results give them (``scores``, ``pairs``, ``results``, ``features``, ...), with
all runs below each other. What runs rest on stands there once, as the last run of each campaign saw it, and whole
campaigns come before parts of them that ``--where`` chose. What is damaged is left out, and a warning names it.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from assay.errors import AssayWarning, InputError, counted
from assay.properties import cached_property
from assay.results.arrow import column_of
from assay.store.folder import Run, Store, read_table
from assay.store.rows import KEY, SCORE, SEGMENT

#: Columns of tables that are there even if no run has brought one yet, with their types; those of answers first have
#: whose they are.
_OF_RUN = {"run": "string", "time": "timestamp", "question": "string", "campaign": "string"}
_ANSWERS = {
    "scores": {
        "system": "string", "metric": "string", "score": "float64", "low": "float64", "high": "float64",
        "signature": "string",
    },
    "pairs": {
        "metric": "string", "a": "string", "b": "string", "delta": "float64", "low": "float64", "high": "float64",
        "p": "float64", "p_adjusted": "float64", "significant": "bool_",
    },
}  # fmt: skip
_RUNS = {
    **_OF_RUN, "version": "string", "seed": "int64", "seconds": "float64", "metrics": "list of string",
    "options": "string", "tables": "list of string",
}  # fmt: skip
_WHOSE = {"campaign": "string", "run": "string"}
_OF_ROWS = {"system": "string", "metric": "string", "refs": "string"}
#: Where a segment stands, beside its number.
_LABELS = {"name": "large_string", "document": "large_string", "domain": "large_string"}
_SEGMENTS = {**_WHOSE, **_OF_ROWS, "segment": "int32", **_LABELS, "score": "float64"}
_ROWS = {**_WHOSE, **_OF_ROWS, "current": "bool_", "segment": "int32", **_LABELS, "score": "float64"}
_JUDGEMENTS = {
    **_WHOSE, "system": "string", "segment": "int64", "document": "string", "rater": "string", "score": "float64",
    "kind": "string",
}  # fmt: skip
_TEXTS = {**_WHOSE, "side": "string", "name": "string", "segment": "int32", "text": "large_string"}
_EXTERNAL_SCORES = {
    **_WHOSE, "metric": "string", "level": "string", "system": "string", "segment": "int32", "part": "string",
    "score": "float64",
}  # fmt: skip


_ABOUT = {
    "runs": "what was asked when, of what",
    "segments": "the score of every segment of every system, as texts and metrics last were",
    "rows": "all that was counted, of earlier texts too: the numbers that scores are made of",
    "judgements": "what people said",
    "texts": "sources, references and translations",
    "external_scores": "what other programs scored",
}


class _Part(NamedTuple):
    """Something that a campaign of a run has: a text, judgements, scores or the rows of a system under a metric."""

    campaign: str
    #: What it is called, such as ``sys.compass``; of rows system, metric and references.
    name: tuple[str, ...]
    #: The digest that it is kept under; of rows folder and key.
    where: tuple[str, ...]
    #: The digest of the places of the campaign's segments.
    segments: str
    run: str


@dataclass(eq=False)
class Tables(Mapping[str, Any]):
    """The tables of a store by name, as Arrow has them; each is made when somebody asks for it."""

    store: Store
    #: Files that could not be read, and why.
    damaged: dict[str, InputError] = field(default_factory=dict)
    #: Where segments stand, by the digest of it.
    _places: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)

    @cached_property
    def runs(self) -> list[Run]:
        """All runs, the oldest first."""
        return self.store.runs()

    @cached_property
    def _makers(self) -> dict[str, Callable[[], Any]]:
        fixed = {
            "runs": self._runs,
            "segments": self._segments,
            "rows": self._rows,
            "judgements": self._judgements,
            "texts": self._texts,
            "external_scores": self._external_scores,
        }
        filled = (name for run in self.runs for name, count in run.record["tables"].items() if count)
        answers = dict.fromkeys([*_ANSWERS, *filled])
        return fixed | {name: partial(self._answers, name) for name in answers if name not in fixed}

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __getitem__(self, name: str) -> Any:
        return _below(self.parts(name))

    def parts(self, name: str) -> list[Any]:
        """A table as tables below each other, which need not have the same columns: nothing is copied."""
        made = self._makers[name]()
        return made if isinstance(made, list) else [made]

    def about(self, name: str) -> str:
        """What a table holds, in a few words."""
        asked = dict.fromkeys(run.question for run in self.runs if run.record["tables"].get(name))
        return _ABOUT.get(name) or f"answers of assay {', '.join(asked)}"

    def warn_of_damage(self) -> None:
        """Name the files that could not be read."""
        if self.damaged:
            said = f"Left out: {counted(len(self.damaged), 'file')} that cannot be read."
            some = " ".join(str(error) for error in [*self.damaged.values()][:3])
            warnings.warn(AssayWarning(f"{said} {some}", level="warning"), stacklevel=3)

    # Runs and their answers

    def _runs(self) -> Any:
        cells: dict[str, list[Any]] = {name: [] for name in _RUNS}
        for run in self.runs:
            document, options = run.record["result"], run.record["result"]["options"]
            made = {
                **_whose(run),
                "version": document["assay"],
                "seed": options.get("seed"),
                "seconds": run.record.get("seconds"),
                "metrics": metrics_of(options),
                "options": json.dumps(options, ensure_ascii=False),
                "tables": [name for name, count in run.record["tables"].items() if count],
            }
            for name, cell in made.items():
                cells[name].append(cell)
        return _table({name: _column(values, _RUNS[name]) for name, values in cells.items()})

    def _answers(self, name: str) -> Any:
        """One table of all runs that have it, below each other."""
        parts = [_nothing(_OF_RUN | _ANSWERS.get(name, {}))]
        for run in self.runs:
            if not run.record["tables"].get(name):
                continue
            table = self._read(run.table_file(name))
            if table is not None:
                # An answer about several campaigns says itself which one it is.
                whose = _cells(_OF_RUN, _whose(run).values(), len(table))
                parts.append(_table(whose | dict(zip(table.column_names, table.columns, strict=True))))
        return _below(parts)

    # What runs rest on

    def _campaigns(self) -> Iterator[tuple[Run, int, Mapping[str, Any]]]:
        """The campaigns of all runs with their numbers: parts of campaigns first, then whole ones, by time."""
        listed = [(run, number, part) for run in self.runs for number, part in enumerate(run.kept["campaigns"])]
        return iter(sorted(listed, key=lambda one: bool(one[2].get("whole", True))))

    def _latest(self, kind: str) -> list[_Part]:
        """Of everything of one kind that campaigns have, by its name, what the last run saw."""
        latest: dict[tuple[str, tuple[str, ...]], _Part] = {}
        for run, _, part in self._campaigns():
            given = part.get(kind) or {}
            for name, digest in (given if isinstance(given, Mapping) else {"": given}).items():
                latest[part["name"], (name,)] = _Part(part["name"], (name,), (digest,), part["segments"], run.id)
        return list(latest.values())

    def rows_of_runs(self, *, latest: bool) -> list[_Part]:
        """Rows of systems under metrics: all that any run rests on, under the last one that does; or the ``latest``."""
        parts: dict[tuple[Any, ...], _Part] = {}
        for run, number, campaign in self._campaigns():
            for link in run.kept["rows"]:
                if link["campaign"] != number:
                    continue
                name = (link["system"], link["metric"], link["refs"])
                part = _Part(campaign["name"], name, (link["folder"], link["key"]), campaign["segments"], run.id)
                key = (part.campaign, name) if latest else (part.campaign, name, part.where)
                parts.pop(key, None)
                parts[key] = part
        return list(parts.values())

    def _read(self, path: Path, columns: list[str] | None = None) -> Any:
        """A table of the store; nothing where it is damaged, which is remembered."""
        if str(path) in self.damaged:
            return None
        try:
            return read_table(path, columns)
        except InputError as error:
            self.damaged[str(path)] = error
            return None

    def _places_of(self, digest: str) -> dict[str, Any]:
        """The columns that say where the segments of a campaign stand; nothing where they cannot be had."""
        if digest not in self._places:
            table = self._read(self.store.place_of("segments", digest)) if digest else None
            columns = {} if table is None else dict(zip(table.column_names, table.columns, strict=True))
            known = [name for name in ("segment", *_LABELS) if name in columns]
            self._places[digest] = {name: columns[name].combine_chunks() for name in known}
        return self._places[digest]

    def _segments_of(self, digest: str, count: int) -> dict[str, Any]:
        """The same of a campaign of so many segments, which are numbered in any case."""
        known = self._places_of(digest)
        fits = len(known.get("segment", ())) == count
        return known if fits else {"segment": column_of(np.arange(count), "int32")}

    def _blocks(self, parts: Iterable[_Part], columns: Sequence[str] | None) -> Iterator[tuple[_Part, Any]]:
        """The rows of each part; ``columns`` of them, or all."""
        wanted: dict[str, dict[str, list[_Part]]] = {}
        for part in parts:
            folder, key = part.where
            wanted.setdefault(folder, {}).setdefault(key, []).append(part)
        for folder, keys in wanted.items():
            for path in sorted((self.store.path / "rows" / folder).glob("*.parquet")):
                table = self._read(path, None if columns is None else [*columns])
                if table is None:
                    continue
                coded = table[KEY].combine_chunks()
                codes, names = np.asarray(coded.indices), coded.dictionary.to_pylist()
                edges = np.flatnonzero(np.diff(codes, prepend=-1, append=-1))
                # The rows of a key stand together; what several files have is taken from the first one.
                for start, stop in pairwise(edges):
                    for part in keys.pop(names[codes[start]], ()):
                        yield part, table.slice(int(start), int(stop - start))
            for part in [part for left in keys.values() for part in left]:
                path = self.store.path / "rows" / folder
                if not any(Path(known).parent == path for known in self.damaged):
                    self.damaged.setdefault(str(path), InputError(f"{path}: rows of {part.name[0]} are gone."))

    def _segments(self) -> Any:
        """The score of every segment of every system, as texts and metrics last were."""
        import pyarrow

        tables = []
        for part, block in self._blocks(self.rows_of_runs(latest=True), (KEY, SCORE)):
            places = self._segments_of(part.segments, len(block))
            columns = {**_cells(_SEGMENTS, (part.campaign, part.run, *part.name), len(block)), **places}
            tables.append(_table(columns | {"score": block[SCORE]}))
        wanted = _nothing(_SEGMENTS | dict.fromkeys((*_WHOSE, *_OF_ROWS), "text")).schema
        return pyarrow.concat_tables([wanted.empty_table(), *tables], promote_options="default").select(wanted.names)

    def _rows(self) -> list[Any]:
        """Everything that was counted, with the numbers that each metric makes its scores of."""
        import pyarrow

        current = {part[:3] for part in self.rows_of_runs(latest=True)}
        tables: dict[tuple[str, ...], list[Any]] = {}
        for part, block in self._blocks(self.rows_of_runs(latest=False), None):
            first = _cells(_ROWS, (part.campaign, part.run, *part.name, part[:3] in current), len(block))
            first |= {**self._segments_of(part.segments, len(block)), "score": block[SCORE]}
            own = {number_of(name): block[name] for name in block.column_names if name not in (KEY, SEGMENT, SCORE)}
            tables.setdefault((*first, *own), []).append(_table(first | own))
        return [_nothing(_ROWS), *map(pyarrow.concat_tables, tables.values())]

    def _kept(self, kind: str, columns: Mapping[str, str], named: Callable[[str], Mapping[str, str]]) -> Any:
        """What campaigns have of one kind, below each other; ``named`` makes cells of what each is called."""
        tables = [_nothing(columns)]
        for part in self._latest(kind):
            table = self._read(self.store.place_of(kind, part.where[0]))
            if table is None:
                continue
            own = dict(zip(table.column_names, table.columns, strict=True))
            places = self._places_of(part.segments).get("segment")
            if places is not None and "segment" in own:
                # Of a part of a campaign segments have the numbers that they have in the whole.
                own["segment"] = places.take(own["segment"])
            cells = {"campaign": part.campaign, "run": part.run, **named(part.name[0])}
            tables.append(_table(_cells(cells, cells.values(), len(table)) | own))
        return _below(tables)

    def _judgements(self) -> Any:
        """What people said, as each campaign's judgements last were."""
        return self._kept("judgements", _JUDGEMENTS, lambda _: {})

    def _texts(self) -> Any:
        """All texts, as they last were."""
        sides = {"src": "source", "ref": "reference", "sys": "system"}

        def named(name: str) -> dict[str, str]:
            side, _, own = name.partition(".")
            return {"side": sides[side], "name": own}

        return self._kept("texts", _TEXTS, named)

    def _external_scores(self) -> Any:
        """What other programs scored, as it last was."""
        return self._kept("scores", _EXTERNAL_SCORES, lambda name: {"metric": name})


def number_of(column: str) -> str:
    """What a number of a metric is called among the columns of ``rows``, of which one may have the same name."""
    return f"{column}_" if column in _ROWS else column


def metrics_of(options: Mapping[str, Any]) -> list[str]:
    """The metrics among the options of a run."""
    given = [options.get(name) or () for name in ("metrics", "metric")]
    return [str(one) for value in given for one in ([value] if isinstance(value, str) else value)]


def _whose(run: Run) -> dict[str, Any]:
    """What every row of an answer says of its run."""
    named = {"run": run.id, "time": datetime.fromisoformat(run.time), "question": run.question}
    return {**named, "campaign": run.record["result"]["campaign"]}


def _column(values: Sequence[Any], kind: str) -> Any:
    """A column of plain values: moments, which are UTC, and ``text`` that comes again and again, among them."""
    import pyarrow

    if kind == "text":
        known = list(dict.fromkeys(value for value in values if value is not None))
        numbers = {None: -1} | {value: number for number, value in enumerate(known)}
        codes = np.array([numbers[value] for value in values], dtype=np.int32)
        return pyarrow.DictionaryArray.from_arrays(
            column_of(np.maximum(codes, 0), "int32", codes < 0), column_of(known, "string")
        )
    if kind != "timestamp":
        return column_of(values, kind)
    moments = np.array([value.astimezone(UTC).replace(tzinfo=None) for value in values], dtype="datetime64[us]")
    return column_of(moments.astype(np.int64), "int64").view(pyarrow.timestamp("us"))


def _nothing(kinds: Mapping[str, str]) -> Any:
    """A table with these columns, and no rows."""
    return _table({name: _column([], kind) for name, kind in kinds.items()})


def _cells(names: Iterable[str], values: Iterable[Any], count: int) -> dict[str, Any]:
    """Columns in which one value each stands again and again."""
    return {name: _same(value, count) for name, value in zip(names, values, strict=False)}


def _same(value: Any, count: int) -> Any:
    import pyarrow

    if isinstance(value, bool):
        return column_of(np.full(count, value), "bool_")
    if isinstance(value, datetime):
        return _column([value] * count, "timestamp")
    codes = column_of(np.zeros(count, dtype=np.int32), "int32", None if value is not None else np.full(count, True))
    known = column_of([] if value is None else [value], "string")
    return pyarrow.DictionaryArray.from_arrays(codes, known, safe=False)


def _table(columns: Mapping[str, Any]) -> Any:
    import pyarrow

    return pyarrow.table(dict(columns))


def _below(tables: Sequence[Any]) -> Any:
    """Tables below each other; what one of them lacks is missing there."""
    import pyarrow

    kinds: dict[str, list[Any]] = {}
    for table in tables:
        for one in table.schema:
            kinds.setdefault(one.name, []).append((one.type, table[one.name].null_count < len(table)))
    wanted = {name: _common_type(known) for name, known in kinds.items()}
    cast = [_table({name: _cast(table[name], wanted[name]) for name in table.column_names}) for table in tables]
    return pyarrow.concat_tables(cast, promote_options="default")


def _common_type(kinds: Iterable[tuple[Any, bool]]) -> Any:
    """A type that holds what several tables have under one name: text holds everything, and empty columns any."""
    import pyarrow
    from pyarrow import types as of

    listed = list(kinds)
    plain = {
        pyarrow.string() if of.is_dictionary(kind) or of.is_large_string(kind) else kind
        for kind, filled in listed
        if filled
    } or {listed[0][0]}
    if len(plain) == 1:
        return plain.pop()
    numbers = all(of.is_integer(kind) or of.is_floating(kind) for kind in plain)
    return pyarrow.float64() if numbers else pyarrow.string()


def _cast(column: Any, wanted: Any) -> Any:
    import pyarrow

    if column.type == wanted:
        return column
    if column.null_count == len(column):
        return pyarrow.nulls(len(column), wanted)
    if pyarrow.types.is_list(column.type):
        texts = [None if value is None else json.dumps(value, ensure_ascii=False) for value in column.to_pylist()]
        return column_of(texts, "string")
    return column.cast(wanted)
