"""Split-half reliability: do two halves of the raters say the same?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.meta.agreement.draws import Draws, Estimate
from assay.meta.agreement.ratings import Ratings
from assay.meta.agreement.weighted import correlation

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

#: Random halves, over which the correlation is averaged.
SPLITS = 100
#: Systems that a correlation over them needs.
LEAST_SYSTEMS = 3
#: Cells of intermediate arrays in memory at a time.
BLOCK_CELLS = 20_000_000


@dataclass(frozen=True)
class Halves:
    """The mean correlation over splits, and what it comes to for all raters, by Spearman and Brown."""

    segment: Estimate
    segment_stepped: Estimate
    system: Estimate
    system_stepped: Estimate
    raters: int
    items: int
    systems: int


def split_halves(ratings: Ratings, *, samples: int, seed: int, splits: int = SPLITS) -> Halves:
    """Items that at least two raters rated; each split divides the raters of each item anew."""
    rows = ratings.shared
    _, starts, place, size = np.unique(ratings.item[rows], return_index=True, return_inverse=True, return_counts=True)
    score = ratings.score[rows] - ratings.score[rows].mean()
    first, second = half_means(score, starts, place, size, splits=splits, seed=seed)
    units = np.unique(ratings.unit[rows][starts], return_inverse=True)[1]
    draws = Draws.of(int(units.max(initial=0)) + 1, samples, seed)
    by_segment = _mean_correlation(
        [_per_unit(each, units) for each in (np.ones_like(first), first, second, first**2, second**2, first * second)],
        draws.weights,
    )
    systems, system = np.unique(ratings.system[rows][starts], return_inverse=True)
    by_system = _system_correlation(first, second, units, system, draws.weights)
    return Halves(
        segment=draws.estimate(by_segment, centred=True),
        segment_stepped=draws.estimate(stepped_up(by_segment), centred=True),
        system=draws.estimate(by_system, centred=True),
        system_stepped=draws.estimate(stepped_up(by_system), centred=True),
        raters=len(np.unique(ratings.rater[rows])),
        items=len(starts),
        systems=len(systems),
    )


def half_means(
    score: Floats, starts: Codes, place: Codes, size: Codes, *, splits: int, seed: int
) -> tuple[Floats, Floats]:
    """Means of both random halves per item (items by splits); of an odd number, the first half is the smaller one."""
    generator = np.random.default_rng([seed, 2])
    first, second = np.empty((len(starts), splits)), np.empty((len(starts), splits))
    half, total = size // 2, np.add.reduceat(score, starts)
    for split in range(splits):
        # Ratings in random order within each item: those that come first are one half.
        order = np.lexsort((generator.random(len(score)), place))
        within = np.arange(len(score)) - starts[place]
        chosen = np.where(within < half[place], score[order], 0.0)
        low = np.add.reduceat(chosen, starts)
        first[:, split] = low / half
        second[:, split] = (total - low) / (size - half)
    return first, second


def stepped_up(values: Floats) -> Floats:
    """Spearman and Brown: what a correlation of halves comes to for the whole."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(values > -1.0, 2.0 * values / (1.0 + values), np.nan)
    return found


def _per_unit(values: Floats, place: Codes) -> Floats:
    """Items by splits, added up per segment."""
    found = np.zeros((int(place.max(initial=0)) + 1, values.shape[1]))
    np.add.at(found, place, values)
    return found


def _mean_correlation(moments: list[Floats], weights: Floats) -> Floats:
    sums = np.stack([weights @ table for table in moments], axis=-1)
    return _mean(correlation(sums))


def _mean(values: Floats) -> Floats:
    """Over splits; those in which nothing varies have no say."""
    fine = np.isfinite(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(fine, values, 0.0).sum(axis=-1) / fine.sum(axis=-1)
    return found


def _system_correlation(first: Floats, second: Floats, unit: Codes, system: Codes, weights: Floats) -> Floats:
    """Correlation over systems of their means in each half."""
    systems = int(system.max(initial=-1)) + 1
    if systems < LEAST_SYSTEMS:
        return np.full(len(weights), np.nan)
    units, splits = int(unit.max(initial=0)) + 1, first.shape[1]
    place = unit * systems + system
    count = np.bincount(place, minlength=units * systems).reshape(units, systems).astype(np.float64)
    tables = []
    for half in (first, second):
        table = np.zeros((units * systems, splits))
        np.add.at(table, place, half)
        tables.append(table.reshape(units, systems * splits))
    found = np.empty(len(weights))
    step = max(1, BLOCK_CELLS // (systems * splits))
    for start in range(0, len(weights), step):
        block = weights[start : start + step]
        seen = block @ count
        there = (seen > 0.0)[:, :, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            means = [
                np.where(there, (block @ table).reshape(len(block), systems, splits) / seen[:, :, None], 0.0)
                for table in tables
            ]
        # Around 0, for the sums of squares; a system that was not drawn does not count.
        number = np.broadcast_to(there, means[0].shape).astype(np.float64)
        x, y = (
            np.where(there, each - each.sum(axis=1, keepdims=True) / number.sum(axis=1, keepdims=True), 0.0)
            for each in means
        )
        moments = np.stack([each.sum(axis=1) for each in (number, x, y, x * x, y * y, x * y)], axis=-1)
        moments[moments[..., 0] < LEAST_SYSTEMS] = np.nan
        found[start : start + step] = _mean(correlation(moments))
    return found
