"""Rows that are kept between runs: what was counted once is not counted again, by any question, in any order.

A row is kept under the key of its task (``scoring.evaluate.corpus_keys``), which names everything that counting reads.
Its part before the translation is a folder, so that all systems under one metric and one set of references stand
together; a file in it has the systems that were counted at one time.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from assay.errors import AssayError, AssayWarning, InputError
from assay.metrics.base import Rows
from assay.results.arrow import column_of
from assay.scoring.evaluate import RowMemory, Task
from assay.store.folder import Store, read_table, unreadable, write_table

#: Tells what is counted anew, and why: ``assay --debug`` shows it.
_LOGGER = logging.getLogger("assay.store")
#: Columns that every file of rows has; those of its metric follow.
KEY, SEGMENT, SCORE = "key", "segment", "segment_score"
#: Where a key goes on with the translation, and with how the rows were chosen.
_TRANSLATION = "|translation:"
#: Rows wait until there are so many bytes of them, or for so many seconds.
_MOST_WAITING, _LONGEST = 64 << 20, 5.0
_REMARKS = b"assay"


class Link(NamedTuple):
    """Whose rows a task asked for: a system under a metric, by the digests of its texts, and where they are kept."""

    system: str
    metric: str
    translation: str
    references: tuple[str, ...]
    folder: str
    key: str
    #: Rows for more than the segments themselves: candidates among which a formula chooses.
    plain: bool


@dataclass(eq=False)
class KeptRows:
    """Rows of a store, read when somebody asks for them and added when they are counted."""

    store: Store
    #: False where nothing can be written.
    keeps: bool = True
    memory: RowMemory = field(default_factory=RowMemory)
    #: What was asked for, in the order in which it first was, and how often rows were there already.
    links: dict[Link, None] = field(default_factory=dict)
    found: int = 0
    _waiting: dict[str, list[tuple[Task, Rows]]] = field(default_factory=dict, repr=False)
    _bytes: int = 0
    _since: float = 0.0
    #: Of each folder the keys in its files, and the rows of files that were read.
    _known: dict[str, dict[str, Path]] = field(default_factory=dict, repr=False)
    _read: dict[Path, dict[str, Rows]] = field(default_factory=dict, repr=False)

    def get(self, task: Task) -> Rows | None:
        """The rows of a task, from memory or from the store."""
        link = _link(task)
        self.links[link] = None
        rows = self.memory.get(task)
        if rows is None:
            rows = self._kept(task, link)
            if rows is not None:
                self.found += 1
                self.memory.put(task, rows)
            elif _LOGGER.isEnabledFor(logging.DEBUG):
                _LOGGER.debug("%s under %s is counted: %s", task.system or "it", task.metric, self._why(task.key))
        return rows

    def put(self, task: Task, rows: Rows) -> None:
        """Keep rows; they are written when there are some of them."""
        self.memory.put(task, rows)
        if not self.keeps:
            return
        now = time.monotonic()
        self._since = self._since if self._waiting else now
        self._waiting.setdefault(_link(task).folder, []).append((task, rows))
        self._bytes += rows.nbytes
        if self._bytes > _MOST_WAITING or now - self._since > _LONGEST:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        waiting, self._waiting, self._bytes = self._waiting, {}, 0
        for folder, tasks in waiting.items():
            links = [_link(task) for task, _ in tasks]
            name = _short("\n".join(sorted(link.key for link in links)))
            with self.store.drafted(self.store.path / "rows" / folder / f"{name}.parquet") as draft:
                write_table(_table_of(tasks, links), draft)

    def _kept(self, task: Task, link: Link) -> Rows | None:
        """The rows of a task in the store, if they are there and sound."""
        if link.folder not in self._known:
            files = sorted((self.store.path / "rows" / link.folder).glob("*.parquet"))
            self._known[link.folder] = {key: path for path in files for key in _keys(path)}
        path = self._known[link.folder].get(link.key)
        if path is None:
            return None
        if path not in self._read:
            try:
                self._read[path] = _rows_of(path)
            except InputError as error:
                self._read[path] = {}
                _warn(error)
        rows = self._read[path].get(link.key)
        whole = len(task.corpus) * (1 if link.plain else max(len(task.corpus.references), 1))
        columns = len(task.metric.columns) + (0 if link.plain else 1)
        if rows is not None and (rows.shape[1] != columns or (link.plain and len(rows) != whole)):
            _warn(InputError(f"{path}: the rows of {task.system} are not those of {task.metric}."))
            return None
        return rows

    def _why(self, key: str) -> str:
        """What differs between a key and the nearest one that is kept."""
        asked = key_parts(key)
        nearest: dict[str, str] | None = None
        for path in sorted((self.store.path / "rows").glob("*/*.parquet")):
            try:
                known = [key_parts(other) for other in keys_in(path).values()]
            except InputError:
                continue
            for parts in known:
                if parts.keys() == asked.keys() and (
                    nearest is None or _differences(parts, asked) < _differences(nearest, asked)
                ):
                    nearest = parts
        if nearest is None or nearest.get("metric", "").partition("(")[0] != asked.get("metric", "").partition("(")[0]:
            return "nothing is kept under this metric"
        changed = [f"{name} {nearest[name]} -> {asked[name]}" for name in asked if nearest[name] != asked[name]]
        return f"nothing is kept with the same {', '.join(changed)}" if changed else "its file is damaged"


def keys_in(path: Path) -> dict[str, str]:
    """The keys of the rows in a file, in their order: short ones, and each as it is spelt out."""
    try:
        import pyarrow.parquet

        remarks = (pyarrow.parquet.read_schema(path).metadata or {})[_REMARKS]
        return {_short(str(one["key"])): str(one["key"]) for one in json.loads(remarks)["tasks"]}
    except FileNotFoundError:
        return {}
    except PermissionError as error:
        raise unreadable(path, error) from error
    except Exception as error:
        reason = str(error).strip().partition("\n")[0][:200].rstrip(".")
        raise InputError(f"{path}: the file of rows is damaged ({reason}).", "See: assay store check") from None


def _keys(path: Path) -> Iterable[str]:
    try:
        return keys_in(path)
    except InputError as error:
        _warn(error)
        return []


def _rows_of(path: Path) -> dict[str, Rows]:
    """The rows in a file by their keys."""
    table = read_table(path)
    try:
        tasks = json.loads(table.schema.metadata[_REMARKS])["tasks"]
        # Without a detour over pandas, whose import takes longer than all the rest.
        columns = [np.from_dlpack(column.combine_chunks()) for column in table.columns[3:]]
        everything = np.column_stack(columns) if columns else np.empty((table.num_rows, 0))
        ends = np.cumsum([task["rows"] for task in tasks])
        if ends[-1] != len(everything) or everything.dtype != np.float64:
            raise ValueError(f"{len(everything)} rows, but {ends[-1]} are named")
    except Exception as error:
        raise InputError(f"{path}: the file of rows is damaged ({error}).", "See: assay store check") from None
    parts = np.split(everything, ends[:-1])
    for part in parts:
        part.setflags(write=False)
    return {_short(task["key"]): part for task, part in zip(tasks, parts, strict=True)}


def _table_of(tasks: Sequence[tuple[Task, Rows]], links: Sequence[Link]) -> Any:
    """A table of the rows of several systems, one below the other, with the score of each segment."""
    import pyarrow

    metric = tasks[0][0].metric
    sizes = [len(rows) for _, rows in tasks]
    whose = column_of(np.repeat(np.arange(len(tasks)), sizes), "int32")
    plain = links[0].plain
    numbers = np.concatenate([np.arange(size) for size in sizes])
    scores = np.concatenate([_segment_scores(*one) if plain else np.full(len(one[1]), np.nan) for one in tasks])
    joined = np.concatenate([rows for _, rows in tasks])
    names = [*metric.columns, *([] if plain else ["present"])]
    # A name of a metric's own may be that of one of ours.
    names = [f"{name}_" if name in (KEY, SEGMENT, SCORE) else name for name in names]
    columns = {
        KEY: pyarrow.DictionaryArray.from_arrays(whose, column_of([link.key for link in links], "string")),
        SEGMENT: column_of(numbers if plain else [None] * len(numbers), "int32"),
        SCORE: column_of(scores, "float64", np.isnan(scores)),
        **{name: column_of(joined[:, place], "float64") for place, name in enumerate(names)},
    }
    listed = [{"key": task.key, "rows": size} for (task, _), size in zip(tasks, sizes, strict=True)]
    remarks = {"metric": str(metric), "tasks": listed}
    return pyarrow.table(columns).replace_schema_metadata({_REMARKS: json.dumps(remarks)})


def _segment_scores(task: Task, rows: Rows) -> Rows:
    """A score per segment; NaN where there is none."""
    try:
        scores = np.asarray(task.metric.for_segments().score(rows), dtype=np.float64)
    except AssayError:
        return np.full(len(rows), np.nan)
    return np.where(task.metric.missing(rows), np.nan, scores)


def _link(task: Task) -> Link:
    """Where the rows of a task are kept, and whose they are."""
    before, _, behind = task.key.partition(_TRANSLATION)
    suffix = "|candidates:" in behind
    references = tuple(column.digest for column in task.corpus.references)
    folder = _short(f"{before}{'|candidates' if suffix else ''}")
    return Link(
        task.system,
        str(task.metric),
        task.corpus.translations.digest,
        references if task.metric.sees_references else (),
        folder,
        _short(task.key),
        not suffix,
    )


def _short(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def key_parts(key: str) -> dict[str, str]:
    """What a key names, by what it is."""
    return dict(part.partition(":")[::2] for part in key.split("|"))


def _differences(one: dict[str, str], other: dict[str, str]) -> tuple[bool, int]:
    """How unlike two keys are: those of one metric first."""
    same = one.get("metric") == other.get("metric")
    return (not same, sum(one[name] != other[name] for name in other))


def _warn(error: InputError) -> None:
    warnings.warn(AssayWarning(f"{error} What it held is counted again.", level="warning"), stacklevel=3)
