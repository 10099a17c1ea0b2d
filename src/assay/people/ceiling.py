"""The human ceiling: how well one half of the judgements predicts the other half.

No metric can be expected to follow people more closely than people follow each other. So the same statistic is taken
between two halves of the judgements, drawn at random, and averaged over several such splits.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.people.levels import Cell, Level
from assay.people.ratings import People
from assay.significance.draws import stream

#: Splits to average over.
_SPLITS = 20


def ceilings(
    people: People, level: Level, cells: Sequence[Cell], *, seed: int, splits: int = _SPLITS
) -> dict[Cell, float | None]:
    """The mean of each statistic over random halves; None where no split gives a value."""
    # Halves that have no item in common say nothing of items, but something of systems.
    shared = people if level.name == "system" else people.repeated()
    if shared is None:
        return dict.fromkeys(cells)
    values: dict[Cell, list[float]] = {cell: [] for cell in cells}
    for number in range(splits):
        first, second = shared.halves(stream(seed, "halves of judgements", number))
        for cell, measured in level.of_half(first).measure(cells, second).items():
            if measured.value is not None:
                values[cell].append(measured.value)
    return {cell: float(np.mean(several)) if several else None for cell, several in values.items()}
