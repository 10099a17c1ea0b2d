"""What chance hides in judgements: how far a perfect metric would get, and values corrected for noise.

Two random halves of the same judgements differ by noise alone. How far they agree is their reliability; Spearman and
Brown (1910) step it up to that of all judgements, and a metric that knows the true quality correlates with judgements
of a reliability R by the root of R (Spearman, 1904). Statistics that are no correlations go by way of the correlation
that normal scores of such a value have (``Statistic.as_pearson``); those that do not know it have no ceiling.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.people.levels import Cell, GridLevel, Level, RankingLevel, Resampling, SystemLevel, level_of
from assay.people.ratings import People, rows_of
from assay.people.severity import units_of
from assay.people.statistics.registry import statistic as named_statistic
from assay.significance.association import stepped_up
from assay.significance.draws import NOTHING, Draws, Estimate, estimate, fisher, recentred

#: Random halves that a reliability is averaged over.
_SPLITS = 20


def ceilings(people: People, level: Level, cells: Sequence[Cell], *, seed: int) -> dict[Cell, Estimate]:
    """What a metric that knows the true quality would reach against these judgements; nothing where no split tells.

    Halves that have no item in common say nothing of items, but something of systems.
    """
    known = _known(level, cells)
    shared = people if level.name == "system" else people.repeated()
    reached = dict.fromkeys(cells, NOTHING)
    if shared is None or isinstance(level, RankingLevel) or not known:
        return reached
    agreed = _Splits(level, known)
    as_they_are = Resampling(units=level.draws.units, samples=0, seed=level.seed)
    sizes: list[float] = []
    for number, draws in enumerate(agreed.blocks):
        halves = shared.halves(seed, number)
        half = level_of(level.name, halves[0], level.labels, as_they_are)
        # A half may have nothing to say here, which is no reason for the others not to.
        if not isinstance(half, str):
            measured = replace(half, draws=draws).measure(known, halves[1])
            agreed.add(number, {cell: each.values for cell, each in measured.items()})
            sizes += [_judgements_per_point(one, level) for one in halves]
    times = _judgements_per_point(people, level) * float(np.mean(1.0 / np.array(sizes))) if sizes else 2.0
    for cell, halves_agree in agreed.values().items():
        root = np.sqrt(np.clip(stepped_up(halves_agree, times), 0.0, 1.0))
        reached[cell] = estimate(_from_pearson(cell, root, level), _of_these_systems(level.draws).size)
    return reached


def _known(level: Level, cells: Iterable[Cell]) -> list[Cell]:
    """The cells whose statistics say what they would be of correlated normal scores."""
    return [
        cell for cell in cells if named_statistic(cell[0]).as_pearson(np.zeros(1), _points(level, cell)) is not None
    ]


def _as_pearson(cell: Cell, values: Array, level: Level) -> Array:
    found = named_statistic(cell[0]).as_pearson(values, _points(level, cell))
    return np.full(len(values), np.nan) if found is None else found


def _from_pearson(cell: Cell, values: Array, level: Level) -> Array:
    return named_statistic(cell[0]).from_pearson(values, _points(level, cell))


def _points(level: Level, cell: Cell) -> int:
    """How many points a value is over, in the mean over groups."""
    if isinstance(level, RankingLevel):
        return len(level.pairs)
    if isinstance(level, SystemLevel):
        return len(level.people.systems)
    there = np.isfinite(level.human)
    counts = {"none": there.sum(keepdims=True), "item": there.sum(axis=0), "system": there.sum(axis=1)}[
        cell[1] or "none"
    ]
    return round(float(counts[counts > 0].mean()))


class _Splits:
    """Values of halves over random splits, as correlations, under draws that the splits share among them.

    Each split has its share of the draws. Its values are moved by what the split itself is off, on Fisher's scale.
    """

    def __init__(self, level: Level, cells: Iterable[Cell]) -> None:
        self.level, self.cells, draws = level, list(cells), _of_these_systems(level.draws)
        shares = np.array_split(np.arange(1, len(draws)), _SPLITS)
        self.blocks = [_only(draws, np.concatenate([[0], share])) for share in shares]
        self._values: dict[Cell, list[Array]] = {
            cell: [np.full(len(part), np.nan) for part in self.blocks] for cell in self.cells
        }

    def add(self, number: int, values: Mapping[Cell, Array]) -> None:
        """What a split gave under its draws, of which the first is the data as they are."""
        for cell in self.cells:
            self._values[cell][number] = values[cell]

    def values(self) -> dict[Cell, Array]:
        """One value per draw, the first the mean over all splits; cells in which no split has a value are left out."""
        found: dict[Cell, Array] = {}
        for cell, parts in self._values.items():
            observed = np.array([part[0] for part in parts])
            if not np.isfinite(observed).any():
                continue
            mean, *turned = (_as_pearson(cell, part, self.level) for part in (np.array([np.nanmean(observed)]), *parts))
            drawn = [np.tanh(fisher(part[1:]) + fisher(mean) - fisher(part[:1])) for part in turned]
            # A segment that is drawn twice brings no new judgements: reliability is lower in samples than it is.
            found[cell] = recentred(np.concatenate([mean, *drawn]), scale="fisher")
        return found


def _of_these_systems(draws: Draws) -> Draws:
    """Draws of units alone, where they are drawn: the question is about these systems."""
    if not draws.systems_vary or (draws.weights == draws.first).all():
        return draws
    return replace(draws, systems=np.ones_like(draws.systems), systems_vary=False, size=len(draws.units))


def _only(draws: Draws, rows: NDArray[np.intp]) -> Draws:
    """Some rows of draws, the first of which is the data as they are."""
    weights, systems = draws.weights[rows], draws.systems[rows]
    return replace(draws, samples=len(rows) - 1, blocks=lambda: iter([weights[1:]]), systems=systems, jackknife=False)


def _judgements_per_point(people: People, level: SystemLevel | GridLevel) -> float:
    """How many judgements are behind a point, so that its noise is by so much smaller than that of one.

    Of a mean over items of means over judgements that is the square of the items by the sum of 1 by the judgements of
    each. Over points it is the harmonic mean.
    """
    judgements = people.judgements
    unit = units_of(judgements)
    systems = len(people.systems)
    item, first, count = np.unique(
        unit * systems + rows_of(judgements, people.systems), return_index=True, return_counts=True
    )
    point = item if level.name == "segment" else item % systems
    if level.name == "document" and level.labels is not None:
        names = {name: place for place, name in enumerate(level.labels.names)}
        of_documents = np.array([names.get(name, -1) for name in judgements.document.names] + [-1])
        segment = judgements.segment[first]
        of_segment = np.where(
            segment >= 0, level.labels.codes[np.maximum(segment, 0)], of_documents[judgements.document.codes[first]]
        )
        point = of_segment * systems + point
    _, group = np.unique(point, return_inverse=True)
    noise = np.bincount(group, 1.0 / count) / np.bincount(group) ** 2
    return float(1.0 / noise.mean())
