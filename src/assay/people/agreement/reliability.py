"""Any number of raters at once, with gaps in the data: Krippendorff's alpha, intraclass correlations, split halves."""

from __future__ import annotations

import numpy as np

from assay.arrays import Array, Codes
from assay.people.agreement.pairwise import Grades, contingency
from assay.people.agreement.ratings import Ratings, statistic_rows
from assay.results.result import Table
from assay.significance.association import BLOCK_CELLS, from_moments
from assay.significance.draws import Draws, stream

#: Random halves of the raters, over which a correlation is averaged.
SPLITS = 100
#: Systems that a correlation over them needs.
_LEAST_SYSTEMS = 3
#: Cells of means of halves in memory at a time.
_HALF_CELLS = 20_000_000


class SharedItems:
    """Ratings of items that at least two raters rated, item by item, with their segments and systems."""

    def __init__(self, ratings: Ratings) -> None:
        rows = ratings.shared
        _, self.starts, self.item, self.size = np.unique(
            ratings.item[rows], return_index=True, return_inverse=True, return_counts=True
        )
        self.given = ratings.score[rows]
        # Around their mean, so that sums of squares do not swallow the differences.
        self.score = self.given - self.given.mean()
        columns = (ratings.rater[rows], ratings.unit[rows], ratings.system[rows][self.starts])
        self.rater, self.unit, self.item_system = (np.unique(codes, return_inverse=True)[1] for codes in columns)
        self.item_unit = self.unit[self.starts]
        self.raters, self.units, self.systems = (len(np.unique(codes)) for codes in columns)

    def per_unit(self, *columns: Array | Codes) -> Array:
        """Columns of items, added up per segment."""
        return np.stack([np.bincount(self.item_unit, column, self.units) for column in columns], axis=1)

    def sums(self, column: Array) -> Array:
        """A column of ratings, added up per item."""
        return np.asarray(np.bincount(self.item, column), dtype=np.float64)


def coefficients(items: SharedItems, grades: Grades | None, *, samples: int, seed: int) -> Table:
    """Krippendorff's alpha, nominal of the grades, ordinal and interval of the scores; intraclass correlations."""
    draws = Draws.of(items.units, samples, seed, jackknife=True)
    values = {} if grades is None else {"alpha-nominal": alpha_nominal(items, grades.of(items.given), draws.weights)}
    values["alpha-ordinal"] = alpha_ordinal(items, draws.weights)
    values["alpha-interval"] = alpha_interval(items, draws.weights)
    values |= intraclass(items, draws.weights)
    return statistic_rows(draws, values, raters=items.raters, items=len(items.size))


def alpha_interval(items: SharedItems, weights: Array) -> Array:
    """One less the squared differences within items by those between any two ratings."""
    total, square = items.sums(items.score), items.sums(items.score**2)
    within = 2.0 * (items.size * square - total**2) / (items.size - 1)
    observed, count, first, second = (weights @ items.per_unit(within, items.size, total, square)).T
    return _alpha(observed / count, 2.0 * (count * second - first**2) / (count * (count - 1.0)))


def alpha_ordinal(items: SharedItems, weights: Array) -> Array:
    """Krippendorff's ordinal distance is that of mid-ranks: the interval alpha of ranks, ranked anew per weighting."""
    classes, codes = np.unique(items.score, return_inverse=True)
    values = np.empty(len(weights))
    step = max(1, BLOCK_CELLS // len(codes))
    for start in range(0, len(weights), step):
        block = weights[start : start + step]
        counts = contingency(codes, len(classes), items.unit, block)
        count = counts.sum(axis=1)
        midranks = np.cumsum(counts, axis=-1) - (counts - 1.0) / 2.0
        ranks = midranks - (count[:, None] + 1.0) / 2.0
        by_rating = ranks[:, codes]
        total = np.add.reduceat(by_rating, items.starts, axis=1)
        square = np.add.reduceat(by_rating**2, items.starts, axis=1)
        within = 2.0 * (items.size * square - total**2) / (items.size - 1)
        observed = (within * block[:, items.item_unit]).sum(axis=1)
        # Ranks lie around 0, so that their sum does not enter.
        expected = 2.0 * (counts * ranks**2).sum(axis=1) / (count - 1.0)
        values[start : start + step] = _alpha(observed / count, expected)
    return values


def alpha_nominal(items: SharedItems, grades: Codes, weights: Array) -> Array:
    """Any two different grades are as far apart as any others."""
    size = int(grades.max()) + 1
    per_item = np.bincount(items.item * size + grades, minlength=len(items.size) * size).reshape(-1, size)
    within = (items.size**2 - (per_item**2).sum(axis=1)) / (items.size - 1)
    observed, count = (weights @ items.per_unit(within, items.size)).T
    margins = contingency(grades, size, items.unit, weights)
    return _alpha(observed / count, (count**2 - (margins**2).sum(axis=1)) / (count * (count - 1.0)))


def _alpha(observed: Array, expected: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 1e-12, 1.0 - observed / expected, np.nan)


def intraclass(items: SharedItems, weights: Array) -> dict[str, Array]:
    """Shrout and Fleiss' coefficients, of one rating and of the mean of a usual number of them.

    Where every rater rated every item these are their sums to the last digit; else they stay unbiased. A mean is of as
    many ratings as the harmonic mean over items.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        one_way, within, item, rater, usual = _variances(items, weights)
        error = within - rater
        values = {
            "icc-1-1": one_way / (one_way + within),
            "icc-2-1": item / (item + rater + error),
            "icc-3-1": item / (item + error),
            "icc-1-k": one_way / (one_way + within / usual),
            "icc-2-k": item / (item + (rater + error) / usual),
            "icc-3-k": item / (item + error / usual),
        }
    return {name: np.where(np.isfinite(each), each, np.nan) for name, each in values.items()}


def _variances(items: SharedItems, weights: Array) -> tuple[Array, Array, Array, Array, Array]:
    """By Henderson's first method: of items (one-way) and within them, of items and raters (two-way); the usual size.

    That within items is the rater's and the error's together, since each rater rates an item once.
    """
    size, total = items.size.astype(np.float64), items.sums(items.score)
    columns = (np.ones(len(size)), size, size**2, total, items.sums(items.score**2), total**2 / size, 1.0 / size)
    number, count, size_square, first, second, item_square, inverse = (weights @ items.per_unit(*columns)).T
    rater_square, raters, ratings_square = _rater_sums(items, weights)
    correction = first**2 / count
    within = (second - item_square) / (count - number)
    spread = (count - size_square / count) / (number - 1.0)
    one_way = ((item_square - correction) / (number - 1.0) - within) / spread
    # The expectations of the two corrected sums of squares, solved for both variances.
    k1, k2 = size_square / count, ratings_square / count
    a11, a12, b1 = count - k1, 1.0 - k2, item_square - correction - (number - 1.0) * within
    a21, a22, b2 = raters - k1, count - k2 - raters + 1.0, rater_square - correction - (raters - 1.0) * within
    determinant = a11 * a22 - a12 * a21
    item, rater = (b1 * a22 - a12 * b2) / determinant, (a11 * b2 - a21 * b1) / determinant
    return one_way, within, item, rater, number / inverse


def _rater_sums(items: SharedItems, weights: Array) -> tuple[Array, Array, Array]:
    """Per weighting: the sum over raters of their squared total by their number, raters there, and squared numbers."""
    cell, shape = items.unit * items.raters + items.rater, (items.units, items.raters)
    count = weights @ np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
    total = weights @ np.bincount(cell, items.score, shape[0] * shape[1]).reshape(shape)
    there = count > 0.0
    squares = np.where(there, total**2 / np.where(there, count, 1.0), 0.0)
    return squares.sum(axis=1), there.sum(axis=1).astype(np.float64), (count**2).sum(axis=1)


def split_halves(items: SharedItems, *, samples: int, seed: int, splits: int = SPLITS) -> Table:
    """Do two halves of the raters say the same? The mean correlation over random halves, and stepped up to all raters.

    Each split divides the raters of each item anew.
    """
    first, second = half_means(items, splits=splits, seed=seed)
    draws = Draws.of(items.units, samples, seed, jackknife=True)
    moments = (np.ones_like(first), first, second, first**2, second**2, first * second)
    per_unit = [_added(each, items.item_unit, items.units) for each in moments]
    by_segment = _mean(from_moments(np.stack([draws.weights @ sums for sums in per_unit])))
    by_system = _system_correlation(first, second, items, draws.weights)
    table: Table = []
    for name, values, number in (
        ("split-half", by_segment, len(items.size)),
        ("split-half-system", by_system, items.systems),
    ):
        if name == "split-half" or np.isfinite(values[0]):
            both = {name: values, f"{name}-all": stepped_up(values)}
            table += statistic_rows(draws, both, raters=items.raters, items=number, centred=True)
    return table


def half_means(items: SharedItems, *, splits: int, seed: int) -> tuple[Array, Array]:
    """Means of both random halves per item (items by splits); of an odd number, the first half is the smaller one."""
    generator = stream(seed, "halves of ratings")
    first, second = np.empty((2, len(items.size), splits))
    half, total = items.size // 2, np.add.reduceat(items.score, items.starts)
    in_half = np.arange(len(items.score)) - items.starts[items.item] < half[items.item]
    for split in range(splits):
        # Ratings in random order within each item: those that come first are one half.
        order = np.lexsort((generator.random(len(items.score)), items.item))
        low = np.add.reduceat(np.where(in_half, items.score[order], 0.0), items.starts)
        first[:, split] = low / half
        second[:, split] = (total - low) / (items.size - half)
    return first, second


def stepped_up(values: Array) -> Array:
    """Spearman and Brown: what a correlation of halves comes to for the whole."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values > -1.0, 2.0 * values / (1.0 + values), np.nan)


def _added(values: Array, place: Codes, size: int) -> Array:
    """Items by splits, added up in ``size`` places."""
    sums = np.zeros((size, values.shape[1]))
    np.add.at(sums, place, values)
    return sums


def _mean(values: Array) -> Array:
    """Over splits; those in which nothing varies have no say."""
    defined = np.isfinite(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(defined, values, 0.0).sum(axis=-1) / defined.sum(axis=-1))


def _system_correlation(first: Array, second: Array, items: SharedItems, weights: Array) -> Array:
    """Correlation over systems of their means in each half."""
    values = np.full(len(weights), np.nan)
    if items.systems < _LEAST_SYSTEMS:
        return values
    units, systems, splits = items.units, items.systems, first.shape[1]
    cell = items.item_unit * systems + items.item_system
    count = np.bincount(cell, minlength=units * systems).reshape(units, systems).astype(np.float64)
    halves = [_added(half, cell, units * systems).reshape(units, systems * splits) for half in (first, second)]
    step = max(1, _HALF_CELLS // (systems * splits))
    for start in range(0, len(weights), step):
        block = weights[start : start + step]
        drawn = (block @ count)[:, :, None]
        sums = ((block @ half).reshape(len(block), systems, splits) for half in halves)
        values[start : start + step] = _mean(_over_systems(drawn, *sums))
    return values


def _over_systems(drawn: Array, first: Array, second: Array) -> Array:
    """Per weighting and split, from sums of segments by system; a system that was not drawn does not count."""
    there = drawn > 0.0
    number = np.broadcast_to(there, first.shape).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = (np.where(there, sums / drawn, 0.0) for sums in (first, second))
        # Around 0, for the sums of squares.
        x, y = (
            np.where(there, each - each.sum(axis=1, keepdims=True) / number.sum(axis=1, keepdims=True), 0.0)
            for each in means
        )
    moments = np.stack([each.sum(axis=1) for each in (number, x, y, x * x, y * y, x * y)])
    return from_moments(np.where(moments[0] < _LEAST_SYSTEMS, np.nan, moments))
