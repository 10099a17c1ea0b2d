"""Any number of raters at once, with gaps in the data: Krippendorff's alpha, intraclass correlations, split halves."""

from __future__ import annotations

import numpy as np

from assay.meta.agreement.draws import Draws, Estimate, rows_of
from assay.meta.agreement.grades import Grades
from assay.meta.agreement.ratings import Ratings
from assay.meta.agreement.weighted import BLOCK_CELLS, Codes, Floats, class_counts, contingency, correlation, midranks
from assay.results.result import Table

#: Random halves of the raters, over which a correlation is averaged.
SPLITS = 100
#: Systems that a correlation over them needs.
LEAST_SYSTEMS = 3
#: Cells of means of halves in memory at a time.
HALF_CELLS = 20_000_000


class Units:
    """Ratings of items that at least two raters rated, item by item, with the segments' weights."""

    def __init__(self, score: Floats, item: Codes, rater: Codes, unit: Codes) -> None:
        _, self.starts, self.item, self.size = np.unique(
            item, return_index=True, return_inverse=True, return_counts=True
        )
        # Around their mean, so that sums of squares do not swallow the differences.
        self.score = score - score.mean()
        self.rater = np.unique(rater, return_inverse=True)[1]
        self.unit = unit
        self.item_unit = unit[self.starts]

    @classmethod
    def of(cls, ratings: Ratings) -> Units:
        """From the items that several raters rated."""
        rows = ratings.shared
        units = np.unique(ratings.unit[rows], return_inverse=True)[1]
        return cls(ratings.score[rows], ratings.item[rows], ratings.rater[rows], units)

    def per_unit(self, columns: list[Floats], by_item: bool) -> Floats:
        """Columns of items or of ratings, added up per segment."""
        place = self.item_unit if by_item else self.unit
        count = int(self.unit.max()) + 1
        return np.stack([np.bincount(place, weights=column, minlength=count) for column in columns], axis=1)

    def sums(self, column: Floats) -> Floats:
        """A column of ratings, added up per item."""
        return np.asarray(np.bincount(self.item, weights=column), dtype=np.float64)


def alphas(units: Units, grades: Grades | None, scores: Floats, draws: Draws) -> dict[str, Estimate]:
    """Krippendorff's alpha: nominal of the grades, ordinal and interval of the scores."""
    found = {
        "alpha-ordinal": alpha_ordinal(units, draws.weights),
        "alpha-interval": alpha_interval(units, draws.weights),
    }
    if grades is not None:
        found = {"alpha-nominal": alpha_nominal(units, grades.of(scores), draws.weights), **found}
    return {name: draws.estimate(values) for name, values in found.items()}


def alpha_interval(units: Units, weights: Floats) -> Floats:
    """One less the squared differences within items by those between any two ratings."""
    total, square = units.sums(units.score), units.sums(units.score**2)
    within = 2.0 * (units.size * square - total**2) / (units.size - 1)
    sums = weights @ units.per_unit([within, units.size.astype(np.float64), total, square], by_item=True)
    observed, count, first, second = sums.T
    return _alpha(observed / count, 2.0 * (count * second - first**2) / (count * (count - 1.0)))


def alpha_ordinal(units: Units, weights: Floats) -> Floats:
    """Krippendorff's ordinal distance is that of mid-ranks: the interval alpha of ranks, ranked anew per weighting."""
    codes = np.unique(units.score, return_inverse=True)[1]
    found = np.empty(len(weights))
    step = max(1, BLOCK_CELLS // len(codes))
    for start in range(0, len(weights), step):
        block = weights[start : start + step]
        counts = class_counts(codes, units.unit, block)
        ranks = midranks(counts) - (counts.sum(axis=1, keepdims=True) + 1.0) / 2.0
        count, second = counts.sum(axis=1), (counts * ranks**2).sum(axis=1)
        by_rating = ranks[:, codes]
        total = np.add.reduceat(by_rating, units.starts, axis=1)
        square = np.add.reduceat(by_rating**2, units.starts, axis=1)
        within = 2.0 * (units.size * square - total**2) / (units.size - 1)
        observed = (within * block[:, units.item_unit]).sum(axis=1)
        # Ranks lie around 0, so that their sum does not enter.
        found[start : start + step] = _alpha(observed / count, 2.0 * second / (count - 1.0))
    return found


def alpha_nominal(units: Units, grades: Codes, weights: Floats) -> Floats:
    """Any two different grades are as far apart as any others."""
    size = int(grades.max()) + 1
    per_item = np.bincount(units.item * size + grades, minlength=len(units.size) * size).reshape(-1, size)
    within = (units.size**2 - (per_item**2).sum(axis=1)) / (units.size - 1)
    sums = weights @ units.per_unit([within, units.size.astype(np.float64)], by_item=True)
    observed, count = sums.T
    margins = contingency(grades, size, units.unit, weights)
    return _alpha(observed / count, (count**2 - (margins**2).sum(axis=1)) / (count * (count - 1.0)))


def _alpha(observed: Floats, expected: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(expected > 1e-12, 1.0 - observed / expected, np.nan)
    return found


def intraclass(units: Units, draws: Draws) -> dict[str, Estimate]:
    """Shrout and Fleiss' coefficients, of one rating and of the mean of a usual number of them."""
    return {name: draws.estimate(values) for name, values in intraclass_values(units, draws.weights).items()}


def intraclass_values(units: Units, weights: Floats) -> dict[str, Floats]:
    """From variances of items, raters and errors, by Henderson's first method.

    Where every rater rated every item these are Shrout and Fleiss' sums to the last digit; else they stay unbiased. A
    mean is of as many ratings as the harmonic mean over items.
    """
    size = units.size.astype(np.float64)
    total, square = units.sums(units.score), units.sums(units.score**2)
    columns = [np.ones(len(size)), size, size**2, total, square, total**2 / size, 1.0 / size]
    sums = weights @ units.per_unit(columns, by_item=True)
    items, count, size_square, first, second, item_square, inverse = sums.T
    by_rater = _per_rater(units, weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        correction = first**2 / count
        within = (second - item_square) / (count - items)
        spread = (count - size_square / count) / (items - 1.0)
        one_way = ((item_square - correction) / (items - 1.0) - within) / spread
        item, rater = _two_way(
            (items, count, size_square, by_rater), within, item_square - correction, by_rater[0] - correction
        )
        error = within - rater
        usual = items / inverse
        found = {
            "icc-1-1": one_way / (one_way + within),
            "icc-2-1": item / (item + rater + error),
            "icc-3-1": item / (item + error),
            "icc-1-k": one_way / (one_way + within / usual),
            "icc-2-k": item / (item + (rater + error) / usual),
            "icc-3-k": item / (item + error / usual),
        }
    return {name: np.where(np.isfinite(values), values, np.nan) for name, values in found.items()}


def _per_rater(units: Units, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Per weighting: the sum over raters of their squared total by their number, raters there, and squared numbers."""
    raters, segments = int(units.rater.max()) + 1, int(units.unit.max()) + 1
    place = units.unit * raters + units.rater
    shape = (segments, raters)
    count = weights @ np.bincount(place, minlength=segments * raters).reshape(shape).astype(np.float64)
    total = weights @ np.bincount(place, weights=units.score, minlength=segments * raters).reshape(shape)
    there = count > 0.0
    squares = np.where(there, total**2 / np.where(there, count, 1.0), 0.0)
    return squares.sum(axis=1), there.sum(axis=1).astype(np.float64), (count**2).sum(axis=1)


def _two_way(
    sizes: tuple[Floats, Floats, Floats, tuple[Floats, Floats, Floats]], within: Floats, items: Floats, raters: Floats
) -> tuple[Floats, Floats]:
    """Variances of items and raters, from the expectations of the two corrected sums of squares.

    ``within`` estimates the rater's and the error's variance together, since each rater rates an item once.
    """
    number, count, size_square, (_, rater_number, rater_square) = sizes
    k1, k2 = size_square / count, rater_square / count
    a11, a12, b1 = count - k1, 1.0 - k2, items - (number - 1.0) * within
    a21, a22, b2 = rater_number - k1, count - k2 - rater_number + 1.0, raters - (rater_number - 1.0) * within
    determinant = a11 * a22 - a12 * a21
    return (b1 * a22 - a12 * b2) / determinant, (a11 * b2 - a21 * b1) / determinant


def split_halves(ratings: Ratings, *, samples: int, seed: int, splits: int = SPLITS) -> Table:
    """Do two halves of the raters say the same? The mean correlation over random halves, and stepped up to all raters.

    Of items that at least two raters rated; each split divides the raters of each item anew.
    """
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
    found: Table = []
    for name, values, items in (
        ("split-half", by_segment, len(starts)),
        ("split-half-system", by_system, len(systems)),
    ):
        sizes = {name: values, f"{name}-all": stepped_up(values)}
        estimates = {key: draws.estimate(each, centred=True) for key, each in sizes.items()}
        if name == "split-half" or estimates[name].value is not None:
            found += rows_of(estimates, len(np.unique(ratings.rater[rows])), items)
    return found


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
    step = max(1, HALF_CELLS // (systems * splits))
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
