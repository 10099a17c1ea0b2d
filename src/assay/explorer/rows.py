"""Rows in as little memory as holds them exactly, so that a million segments of several systems stay at hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Codes
from assay.data.campaign import Campaign
from assay.explorer.packing import smallest
from assay.metrics.base import Rows
from assay.scoring.evaluate import RowMemory, Task, corpus_keys
from assay.scoring.statistics import Statistics

#: Rows are unpacked so many at a time.
_BLOCK = 65_536


@dataclass(frozen=True, eq=False)
class PackedRows:
    """Rows by column, each in the smallest type that holds it."""

    columns: tuple[NDArray[Any], ...] = field(repr=False)
    length: int

    @classmethod
    def of(cls, rows: Rows) -> PackedRows:
        """Rows as metrics count them."""
        return cls(tuple(smallest(np.ascontiguousarray(column)) for column in rows.T), len(rows))

    def __len__(self) -> int:
        return self.length

    def rows(self, places: Codes | slice = slice(None)) -> Rows:
        """Some of them, as they were."""
        chosen = [column[places] for column in self.columns]
        rows = np.empty((len(chosen[0]) if chosen else 0, len(chosen)))
        for number, column in enumerate(chosen):
            rows[:, number] = column
        return rows

    def blocks(self, places: Codes) -> Iterator[Rows]:
        """The same, piece by piece."""
        for start in range(0, len(places), _BLOCK):
            yield self.rows(places[start : start + _BLOCK])

    def total(self, places: Codes | None = None) -> Array:
        """The sum of some of them, or of all."""
        chosen = self.columns if places is None else tuple(column.take(places) for column in self.columns)
        return np.array([column.sum(dtype=np.float64 if column.dtype.kind == "f" else np.int64) for column in chosen],
                        dtype=np.float64)  # fmt: skip

    def sums(self, groups: Codes, count: int, places: Codes | None = None) -> Array:
        """The sum of each group, of which ``groups`` has the number for each of the rows that are meant."""
        sums = np.empty((count, len(self.columns)))
        for number, column in enumerate(self.columns):
            chosen = column if places is None else column.take(places)
            sums[:, number] = np.bincount(groups, weights=chosen, minlength=count)
        return sums


class Grid(Mapping[tuple[str, str], Statistics]):
    """Statistics by system and metric whose rows are packed, and unpacked for whoever asks."""

    def __init__(self, counted: Mapping[tuple[str, str], Statistics]) -> None:
        self.packed: dict[tuple[str, str], PackedRows] = {}
        self._others: dict[tuple[str, str], dict[str, Any]] = {}
        self.add(counted)

    def add(self, counted: Mapping[tuple[str, str], Statistics]) -> None:
        """Pack further ones."""
        for key, statistics in counted.items():
            self.packed[key] = PackedRows.of(statistics.rows)
            self._others[key] = {name: value for name, value in vars(statistics).items() if name != "rows"}

    def __getitem__(self, key: tuple[str, str]) -> Statistics:
        return Statistics(rows=self.packed[key].rows(), **self._others[key])

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.packed)

    def __len__(self) -> int:
        return len(self.packed)

    def about(self, key: tuple[str, str], name: str) -> Any:
        """What statistics say beside their rows, such as ``metric``."""
        return self._others[key][name]


@dataclass(frozen=True, eq=False)
class ChosenRows:
    """What questions about some segments of a campaign need not count: the rows of all of them are known."""

    grid: Grid
    #: All segments, and those that were chosen.
    whole: Campaign
    chosen: Campaign
    #: Rows of anything else; and what counting those that are known would read.
    others: RowMemory = field(default_factory=RowMemory)
    _keys: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict, repr=False)

    def get(self, task: Task) -> Rows | None:
        """The rows of a task. No row depends on its neighbours, but of metrics that look at whole documents."""
        key = (task.system, str(task.metric))
        if key not in self.grid.packed or task.metric.sees_documents or task.system not in self.chosen.systems:
            return self.others.get(task)
        if key not in self._keys:
            corpus, metric = self.chosen.corpus(task.system), self.grid.about(key, "metric")
            self._keys[key] = corpus_keys(metric, corpus if metric.sees_targeted else corpus.untargeted)
        if corpus_keys(task.metric, task.corpus) != self._keys[key]:
            return self.others.get(task)
        places = self.chosen.places
        if places is not None and self.whole.places is not None:
            # The campaign that is looked at may be a part of another itself.
            places = np.searchsorted(self.whole.places, places)
        return self.grid.packed[key].rows(slice(None) if places is None else places)

    def put(self, task: Task, rows: Rows) -> None:
        """Keep rows, if there is room."""
        self.others.put(task, rows)
