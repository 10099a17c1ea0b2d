"""What stands where in GTM's grid, for both ways of drawing it."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from assay.metrics.pictures import BitextGrid


@dataclass(frozen=True)
class Layout:
    """The columns from left to right, and the cells that are marked."""

    #: The references' words; None is a barrier. The barrier behind the last reference is not drawn.
    columns: tuple[str | None, ...]
    hits: frozenset[tuple[int, int]]
    chosen: frozenset[tuple[int, int]]
    capped: frozenset[tuple[int, int]]
    barriers: tuple[int, ...]

    @classmethod
    def of(cls, grid: BitextGrid) -> Layout:
        """The layout of a grid."""
        columns: list[str | None] = []
        for words in grid.references:
            columns += [*words, None]
        return cls(
            tuple(columns[:-1]),
            frozenset(grid.hits),
            frozenset((run.row + step, run.column + step) for run in grid.runs for step in range(run.length)),
            frozenset(grid.capped),
            grid.barriers,
        )

    def reference_of(self, column: int) -> int:
        """The number of the reference that a column belongs to."""
        return bisect_left(self.barriers, column)
