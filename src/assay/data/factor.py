"""A column of names that come again and again: each distinct one is kept once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Factor:
    """Names, and for each row the number of its name; -1 where a row has none.

    >>> Factor.of(["b", None, "a", "b"])
    Factor(names=('b', 'a'))
    >>> Factor.of(["b", None, "a", "b"]).codes.tolist()
    [0, -1, 1, 0]
    """

    names: tuple[str, ...]
    codes: NDArray[np.int64] = field(repr=False)

    @classmethod
    def of(cls, values: Iterable[str | None]) -> Factor:
        """Names are numbered in the order in which they first come."""
        numbers: dict[str, int] = {}
        codes = [-1 if value is None else numbers.setdefault(value, len(numbers)) for value in values]
        return cls(tuple(numbers), np.array(codes, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[str | None]:
        return (self.names[code] if code >= 0 else None for code in self.codes.tolist())

    def __getitem__(self, row: int) -> str | None:
        code = self.codes[row]
        return self.names[code] if code >= 0 else None

    def number(self, name: str) -> int:
        """The number of a name; -2, which no row has, where there is no such name."""
        return self.names.index(name) if name in self.names else -2

    def only(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> Factor:
        """These rows, with the names that are left in them."""
        codes = self.codes[rows]
        kept = np.unique(codes[codes >= 0])
        renumbered = np.full(len(self.names) + 1, -1, dtype=np.int64)
        renumbered[kept] = np.arange(len(kept))
        return Factor(tuple(self.names[code] for code in kept), renumbered[codes])

    def renamed(self, rename: Callable[[str], str | None]) -> Factor:
        """Every name as ``rename`` has it, which is asked once for each; None takes the name away from its rows."""
        renamed = Factor.of(map(rename, self.names))
        # The last place is that of rows without a name, which have the number -1.
        return Factor(renamed.names, np.append(renamed.codes, -1)[self.codes])
