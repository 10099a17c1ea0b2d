"""The human ceiling: how well one half of the judgements predicts the other half.

No metric can be expected to follow people more closely than people follow each other. So the same statistic is taken
between two halves of the judgements, drawn at random, and averaged over several such splits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.data.factor import Factor
from assay.meta.benches import Bench, Cell, GridBench, SystemBench
from assay.meta.people import Array, People
from assay.meta.sources import Source
from assay.meta.statistics.draws import Draws

#: Splits to average over.
SPLITS = 20


@dataclass(frozen=True, eq=False)
class _Half(Source):
    """One half of the judgements, measured like a metric against the other half."""

    people: People

    def systems(self, weights: Array) -> Array:
        return self.people.system_scores(weights)

    def segments(self) -> Array:
        scores = self.people.segment_scores()
        return np.full(self.mask.shape, np.nan) if scores is None else scores

    def documents(self, labels: Factor) -> Array:
        return self.people.document_scores(labels)

    def contributions(self) -> Array:
        return self.people.contributions()


def ceilings(
    people: People, level: str, cells: Sequence[Cell], *, labels: Factor | None, seed: int, splits: int = SPLITS
) -> dict[Cell, float | None]:
    """The mean of each statistic over random halves; None where no split gives a value."""
    # Halves that have no item in common say nothing of items, but something of systems.
    shared = people if level == "system" else people.repeated()
    if shared is None:
        return dict.fromkeys(cells)
    values: dict[Cell, list[float]] = {cell: [] for cell in cells}
    for number in range(splits):
        one, other = shared.halves(np.random.default_rng([seed, 2, number]))
        bench = _bench(one, level, labels, seed)
        if bench is None:
            continue
        for cell, measured in bench.measure(cells, _Half("human", other.judged, other)).items():
            if np.isfinite(measured.value):
                values[cell].append(measured.value)
    return {cell: float(np.mean(found)) if found else None for cell, found in values.items()}


def _bench(people: People, level: str, labels: Factor | None, seed: int) -> Bench | None:
    """The first half as what is to be followed; only as it is, without draws."""
    if level == "system":
        return SystemBench(people, Draws.observed(*people.judged.shape), seed=seed)
    if level == "document" and labels is not None:
        grid = people.document_scores(labels)
        return GridBench(level, grid, Draws.observed(*grid.shape), lambda half: half.documents(labels), seed)
    scores = people.segment_scores()
    if scores is None:
        return None
    return GridBench(level, scores, Draws.observed(*scores.shape), lambda half: half.segments(), seed)
