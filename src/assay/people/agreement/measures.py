"""How far raters agree: two of them on scores, on grades, on which of two systems is better and on marked errors; and
any number at once, with gaps in the data, by Krippendorff's alpha, intraclass correlations and split halves.

Every statistic is computed under many weightings of what is drawn, segments or documents, at once: ``weights`` has a
row per weighting and a column per unit, and ``unit`` says to which one an item belongs. With whole numbers, a row gives
exactly what the statistic is of the items repeated so often: the bootstrap without looking at the items again. NaN
where nothing varies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from assay.arrays import Array, Codes
from assay.data.judgements import ErrorSpan
from assay.people.agreement.ratings import Paired, RatedItems, judged_units, statistic_rows
from assay.people.grades import Grades
from assay.people.rankings import equal_pairs
from assay.people.ratings import judgement_keys
from assay.people.scores import adjusted_means, steady
from assay.results.result import Table
from assay.significance import association
from assay.significance.draws import Draws, Keys, random_numbers

#: Groups with fewer items have no say: two points always lie on a line.
_LEAST_ITEMS = 3
#: Cohen's kappa by the power of the distance between grades that a disagreement costs.
_KAPPAS = {"kappa": 0, "kappa-linear": 1, "kappa-quadratic": 2}
#: Random halves of the raters, over which a correlation is averaged.
SPLITS = 100
#: Systems that a correlation over them needs.
_LEAST_SYSTEMS = 3
#: Cells of means of halves in memory at a time.
_HALF_CELLS = 20_000_000
#: Severities of marked errors, from the mildest to the gravest; where one rater's overlap, the graver one counts.
_SEVERITIES = ("neutral", "minor", "major", "critical")
#: Of draws in which nothing was drawn, nothing is defined.
_UNDEFINED = np.errstate(divide="ignore", invalid="ignore")

#: Characters that were marked, with their severity; those of the source stand apart.
_Marked = dict[tuple[bool, int], str]


class Pairwise(NamedTuple):
    """Every group of raters, and the mean over groups."""

    #: Per group and statistic: a rater, or two (a and b), items, statistic, value, low, high; the largest group first.
    groups: Table
    #: Per statistic the mean over groups, weighted by how many items they have.
    pooled: Table
    #: Which groups were too small to count, and the items that were in them, in words.
    left_out: str


def measure(paired: Paired, grades: Grades | None, prefix: str = "", *, samples: int, seed: int) -> Pairwise:
    """Correlations, and agreement on grades where there are grades; resampling segments."""
    draws = Draws.of(paired.units, samples, seed, jackknife=True)
    sizes = np.bincount(paired.group, minlength=len(paired.names))
    groups: Table = []
    weighted: dict[str, Array] = {}
    counts: dict[str, Array] = {}
    for code, rows in enumerate(np.split(np.argsort(paired.group, kind="stable"), np.cumsum(sizes)[:-1])):
        if len(rows) < _LEAST_ITEMS:
            continue
        units, unit = np.unique(paired.unit[rows], return_inverse=True)
        weights = np.ascontiguousarray(draws.weights[:, units])
        items = weights @ np.bincount(unit)
        names = {**dict(zip("ab", paired.names[code], strict=False)), "items": len(rows)}
        for name, values in _statistics(paired.x[rows], paired.y[rows], unit, weights, grades).items():
            defined = np.isfinite(values)
            weighted[name] = weighted.get(name, 0.0) + np.where(defined, values * items, 0.0)
            counts[name] = counts.get(name, 0.0) + np.where(defined, items, 0.0)
            groups.append(names | {"statistic": name, **draws.estimate(values).row()})
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = {name: weighted[name] / counts[name] for name in weighted}
    small = sizes < _LEAST_ITEMS
    raters = {row[side] for row in groups for side in "ab" if side in row}
    shared = len(np.unique(paired.item[~small[paired.group]]))
    return Pairwise(
        sorted(groups, key=lambda row: (-row["items"], row["a"], row.get("b", ""))),
        statistic_rows(draws, pooled, raters=len(raters), items=shared, prefix=prefix),
        f"{small.sum():,} with fewer than {_LEAST_ITEMS} items ({sizes[small].sum():,})" if small.any() else "",
    )


def _statistics(x: Array, y: Array, unit: Codes, weights: Array, grades: Grades | None) -> dict[str, Array]:
    """Every statistic of two ratings per item under every row of weights."""
    values = {
        "pearson": association.under("pearson", x, y, weights.T, unit),
        "spearman": association.under("spearman", x, y, weights.T, unit),
        "kendall": association.under("kendall_b", x, y, weights.T, unit),
    }
    if grades is not None:
        size = len(grades)
        cells = grades.of(x) * size + grades.of(y)
        table = contingency(cells, size * size, unit, weights).reshape(-1, size, size)
        values["exact-agreement"] = exact_agreement(table)
        values |= {name: kappa(table, power) for name, power in _KAPPAS.items()}
    return values


def contingency(cells: Codes, size: int, unit: Codes, weights: Array) -> Array:
    """Per row of weights how much lies in each of ``size`` cells."""
    from scipy.sparse import csr_matrix

    # Sparse, because most cells are empty, and because small dense products wait for each other's threads.
    members = csr_matrix((np.ones(len(cells)), (cells, unit)), shape=(size, weights.shape[1]))
    return np.ascontiguousarray((members @ weights.T).T)


def exact_agreement(table: Array) -> Array:
    """The share of items that got the same grade twice, from tables (…, grades, grades)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.trace(table, axis1=-2, axis2=-1) / table.sum(axis=(-2, -1)))


def kappa(table: Array, power: int) -> Array:
    """Cohen's kappa from tables (…, grades, grades).

    A disagreement costs the same for all (power 0), as far as the grades are apart (1), or the square of it (2).
    """
    grades = np.arange(table.shape[-1])
    apart = np.abs(np.subtract.outer(grades, grades)).astype(np.float64)
    costs = (apart > 0).astype(np.float64) if power == 0 else apart**power
    total = table.sum(axis=(-2, -1))
    chance = np.einsum("...i,...j,ij->...", table.sum(axis=-1), table.sum(axis=-2), costs)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = (table * costs).sum(axis=(-2, -1)) * total
        return np.where(chance > 0.0, 1.0 - observed / chance, np.nan)


def _beyond_chance(share: Array, chance: Array) -> Array:
    """Agreement less that of chance, by the most it could be: any kappa."""
    return np.where(chance < 1.0, (share - chance) / (1.0 - chance), np.nan)


def _under_draws(
    columns: Sequence[Array], drawn: Keys, statistic: Callable[[Array], Mapping[str, Array]], samples: int, seed: int,
) -> tuple[Draws, Mapping[str, Array]]:  # fmt: skip
    """Statistics of sums over pairs of ratings, of which ``columns`` hold what is added, and ``drawn`` the keys."""
    units, unit = judged_units(drawn)
    sums = np.stack([np.bincount(unit, weights=column) for column in columns], axis=1)
    draws = Draws.of(units, samples, seed, jackknife=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return draws, statistic(np.moveaxis(draws.weights @ sums, -1, 0))


def comparison_rows(ratings: RatedItems, *, repeats: bool, samples: int, seed: int) -> Table:
    """Which of two systems did a segment better? How often two raters agree; with ``repeats`` one rater again, too.

    That is what WMT's rankings say; scores imply it, too. All pairs of systems count that one rater rated on a
    segment; of rankings, all pairs within one ranking. There are no rows where nobody compared the same.
    """
    judgements, systems, raters = ratings.judgements, len(ratings.judgements.system.names), len(ratings.raters)
    together = judgements.ranking.codes
    if not (len(judgements) and (together >= 0).all()):
        together = (ratings.unit * raters + ratings.rater) * len(judgements.kinds) + judgements.kind.codes
    first, second = equal_pairs(together, then=ratings.system)
    different = ratings.system[first] != ratings.system[second]
    first, second = first[different], second[different]
    rater, unit, drawn = ratings.rater[first], ratings.unit[first], ratings.drawn[first]
    item = (unit * systems + ratings.system[first]) * systems + ratings.system[second]
    outcome = np.sign(ratings.score[first] - ratings.score[second])
    table: Table = []
    for prefix, key in (("", item), ("repeat-", item * raters + rater))[: 1 + repeats]:
        a, b = equal_pairs(key)
        if not prefix:
            different = rater[a] != rater[b]
            a, b = a[different], b[different]
        if len(a):
            ties = ((outcome[a] == 0) + (outcome[b] == 0).astype(np.float64)) / 2.0
            columns = (np.ones(len(a)), outcome[a] == outcome[b], ties)
            draws, values = _under_draws(columns, drawn[a], comparison_values, samples, seed)
            known = len(np.unique(rater[np.concatenate([a, b])]))
            table += statistic_rows(draws, values, raters=known, items=len(np.unique(item[a])), prefix=prefix)
    return table


def comparison_values(sums: Array) -> dict[str, Array]:
    """P(A), and kappa with P(E) of 1/3 and as the share of ties suggests, from pairs, agreeing ones and ties."""
    count, agreeing, ties = sums
    share, tied = agreeing / count, ties / count
    return {
        "comparison-agreement": share,
        "comparison-kappa-third": (share - 1.0 / 3.0) / (2.0 / 3.0),
        # Which of two systems comes first is our choice, so that better and worse are equally likely by chance.
        "comparison-kappa": _beyond_chance(share, tied**2 + (1.0 - tied) ** 2 / 2.0),
    }


def span_rows(ratings: RatedItems, between: Paired, *, samples: int, seed: int) -> Table:
    """Did two raters mark the same errors? Over all pairs together; nothing if no item has any from two raters.

    An error without a place (of the whole segment) marks no characters, and where nobody marked any there is nothing
    to agree on: such items count for ``error-agreement`` alone.
    """
    spans = ratings.judgements.spans
    rows = list(zip(*(rows.tolist() for rows in between.rows), strict=True)) if spans else []
    kept = [place for place, pair in enumerate(rows) if all(spans[row] is not None for row in pair)]
    if not kept:
        return []
    marked = {row: _characters(spans[row] or ()) for row in {row for place in kept for row in rows[place]}}
    counts = []
    for a, b in (rows[place] for place in kept):
        both, errors = marked[a].keys() & marked[b].keys(), (bool(spans[a]), bool(spans[b]))
        same = sum(marked[a][place] == marked[b][place] for place in both)
        either = len(marked[a]) + len(marked[b])
        counts.append((len(both), same, either, 1.0, errors[0] == errors[1], sum(errors) / 2.0))
    draws, values = _under_draws(
        list(np.array(counts).T), between.units.keys[between.unit[kept]], _span_values, samples, seed
    )
    raters = {name for code in np.unique(between.group[kept]) for name in between.names[code]}
    return statistic_rows(draws, values, raters=len(raters), items=len(np.unique(between.item[kept])))


def _characters(spans: tuple[ErrorSpan, ...]) -> _Marked:
    """What these errors mark, character by character."""
    marked: _Marked = {}
    for span in sorted(spans, key=lambda span: -_gravity(span.severity)):
        if span.start is not None and span.end is not None:
            places = ((span.in_source, place) for place in range(span.start, span.end))
            # Graver errors came before, and stay.
            marked = dict.fromkeys(places, span.severity.lower()) | marked
    return marked


def _gravity(severity: str) -> int:
    known = severity.lower()
    return _SEVERITIES.index(known) if known in _SEVERITIES else -1


def _span_values(sums: Array) -> dict[str, Array]:
    """F1 of characters, F1 where severities count, and agreement on whether there is an error, by chance corrected.

    Sums are of characters marked by both, with the same severity, by either added up; of items, of those where both or
    neither have errors, and of errors.
    """
    both, same, either, count, agreed, errors = sums
    share, rate = agreed / count, errors / count
    return {
        "span-f1": 2.0 * both / either,
        "span-f1-severity": 2.0 * same / either,
        "error-agreement": share,
        "error-kappa": _beyond_chance(share, rate**2 + (1.0 - rate) ** 2),
    }


class SharedItems:
    """Ratings of items that at least two raters rated, item by item, with their segments and systems."""

    def __init__(self, ratings: RatedItems) -> None:
        rows = ratings.shared
        _, self.starts, self.item, self.size = np.unique(
            ratings.item[rows], return_index=True, return_inverse=True, return_counts=True
        )
        self.given = ratings.score[rows]
        self.keys = judgement_keys(ratings.judgements)[rows]
        # Around their mean, so that sums of squares do not swallow the differences.
        self.score = self.given - self.given.mean()
        columns = (ratings.rater[rows], ratings.system[rows][self.starts])
        self.rater, self.item_system = (np.unique(codes, return_inverse=True)[1] for codes in columns)
        self.drawn, self.unit = judged_units(ratings.drawn[rows])
        #: Of each item its segment, and of each segment what it is drawn with.
        _, first, self.item_segment = np.unique(ratings.unit[rows][self.starts], return_index=True, return_inverse=True)
        self.segment_unit = self.unit[self.starts][first]
        self.item_unit, self.units = self.unit[self.starts], len(self.drawn)
        self.raters, self.systems = (len(np.unique(codes)) for codes in columns)

    def per_unit(self, *columns: Array | Codes) -> Array:
        """Columns of items, added up per segment."""
        return np.stack([np.bincount(self.item_unit, column, self.units) for column in columns], axis=1)

    def sums(self, column: Array) -> Array:
        """A column of ratings, added up per item."""
        return np.asarray(np.bincount(self.item, column), dtype=np.float64)


def coefficients(items: SharedItems, grades: Grades | None, *, samples: int, seed: int) -> Table:
    """Krippendorff's alpha, nominal of the grades, ordinal and interval of the scores; intraclass correlations."""
    draws = Draws.of(items.drawn, samples, seed, jackknife=True)
    values = {} if grades is None else {"alpha-nominal": alpha_nominal(items, grades.of(items.given), draws.weights)}
    values["alpha-ordinal"] = alpha_ordinal(items, draws.weights)
    values["alpha-interval"] = alpha_interval(items, draws.weights)
    values |= intraclass(items, draws.weights)
    return statistic_rows(draws, values, raters=items.raters, items=len(items.size))


class GradeAgreement(NamedTuple):
    """How far raters agree on each grade, and on the lowest and the highest against those between."""

    #: Per grade, from the highest: how often it was given, how often another rater gave the same or a neighbour, what
    #: chance would give, and kappa.
    rows: Table
    #: The mean kappa of the two extreme grades, that of the others, and the first less the second, with its interval;
    #: None where fewer than three grades were given.
    extremes: Mapping[str, float | None] | None


@_UNDEFINED
def grade_agreement(items: SharedItems, grades: Grades, *, samples: int, seed: int) -> GradeAgreement:
    """Where one rater gives this grade, what does another rater of the item give? Grade by grade.

    Each rating counts once, however many other raters its item has, and is held against all of them. With as many
    raters for every item these are Fleiss' (1971) conditional probability and kappa of a category.
    """
    codes, size = grades.of(items.given), len(grades)
    counts = np.bincount(items.item * size + codes, minlength=len(items.size) * size).reshape(-1, size).astype(float)
    padded = np.pad(counts, ((0, 0), (1, 1)))
    near = padded[:, :-2] + counts + padded[:, 2:]
    # Per item and grade: ratings, and the share of the other ratings of the item that are the same, and near.
    others = (items.size - 1.0)[:, None]
    same, close = counts * (counts - 1.0) / others, counts * (near - 1.0) / others
    draws = Draws.of(items.drawn, samples, seed, jackknife=True)
    sums = draws.weights @ items.per_unit(*counts.T, *same.T, *close.T)
    given, same, close = (sums[:, place * size : (place + 1) * size] for place in range(3))
    chance = given / given.sum(axis=1, keepdims=True)
    wide = np.pad(chance, ((0, 0), (1, 1)))
    agreed, beside = same / given, close / given
    kappas = _beyond_chance(agreed, chance)
    rows: Table = []
    for place in range(size - 1, -1, -1):
        values = np.unique(items.given[codes == place])
        if not len(values):
            continue
        row = {
            "grade": f"{values[0]:g}" if len(values) == 1 else str(place + 1),
            "scores": grades.range_of(place) if size > 1 else "all",
            "ratings": int(given[0, place]),
            "share": float(chance[0, place]),
            **draws.estimate(agreed[:, place]).row("same", "same_low", "same_high"),
            **draws.estimate(beside[:, place]).row("within_one", "within_one_low", "within_one_high"),
            "chance_within_one": float(wide[0, place : place + 3].sum()),
            **draws.estimate(kappas[:, place]).row("kappa", "kappa_low", "kappa_high"),
        }
        rows.append(row)
    there = np.flatnonzero(given[0] > 0)
    if len(there) < 3:
        return GradeAgreement(rows, None)
    ends, middle = kappas[:, there[[0, -1]]].mean(axis=1), kappas[:, there[1:-1]].mean(axis=1)
    means = {"extremes": float(ends[0]), "between": float(middle[0])}
    return GradeAgreement(rows, means | draws.estimate(ends - middle).row("difference", "low", "high"))


@_UNDEFINED
def alpha_interval(items: SharedItems, weights: Array) -> Array:
    """One less the squared differences within items by those between any two ratings."""
    total, square = items.sums(items.score), items.sums(items.score**2)
    within = 2.0 * (items.size * square - total**2) / (items.size - 1)
    observed, count, first, second = (weights @ items.per_unit(within, items.size, total, square)).T
    return _alpha(observed / count, 2.0 * (count * second - first**2) / (count * (count - 1.0)))


@_UNDEFINED
def alpha_ordinal(items: SharedItems, weights: Array) -> Array:
    """Krippendorff's ordinal distance is that of mid-ranks: the interval alpha of ranks, ranked anew per weighting."""
    # Means of one rater's scores that are equal in truth have one rank.
    classes, codes = np.unique(steady(items.score), return_inverse=True)
    values = np.empty(len(weights))
    step = max(1, association.BLOCK_CELLS // len(codes))
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


@_UNDEFINED
def alpha_nominal(items: SharedItems, grades: Codes, weights: Array) -> Array:
    """Any two different grades are as far apart as any others."""
    size = int(grades.max()) + 1
    per_item = np.bincount(items.item * size + grades, minlength=len(items.size) * size).reshape(-1, size)
    within = (items.size**2 - (per_item**2).sum(axis=1)) / (items.size - 1)
    observed, count = (weights @ items.per_unit(within, items.size)).T
    margins = contingency(grades, size, items.unit, weights)
    return _alpha(observed / count, (count**2 - (margins**2).sum(axis=1)) / (count * (count - 1.0)))


def _alpha(observed: Array, expected: Array) -> Array:
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
    draws = Draws.of(items.drawn, samples, seed, jackknife=True)
    moments = (np.ones_like(first), first, second, first**2, second**2, first * second)
    per_unit = [_added(each, items.item_unit, items.units) for each in moments]
    by_segment = _mean(association.from_moments(np.stack([draws.weights @ sums for sums in per_unit])))
    by_system = _system_correlation(first, second, items, draws.weights)
    table: Table = []
    for name, values, number in (
        ("split-half", by_segment, len(items.size)),
        ("split-half-system", by_system, items.systems),
    ):
        if name == "split-half" or np.isfinite(values[0]):
            both = {name: values, f"{name}-all": association.stepped_up(values)}
            table += statistic_rows(draws, both, raters=items.raters, items=number, centred=True)
    return table


def half_means(items: SharedItems, *, splits: int, seed: int) -> tuple[Array, Array]:
    """Means of both random halves per item (items by splits); of an odd number, the first half is the smaller one."""
    first, second = np.empty((2, len(items.size), splits))
    half, total = items.size // 2, np.add.reduceat(items.score, items.starts)
    in_half = np.arange(len(items.score)) - items.starts[items.item] < half[items.item]
    for split in range(splits):
        # Ratings in random order within each item: those that come first are one half.
        order = np.lexsort((random_numbers(items.keys, seed, "halves of ratings", split), items.item))
        low = np.add.reduceat(np.where(in_half, items.score[order], 0.0), items.starts)
        first[:, split] = low / half
        second[:, split] = (total - low) / (items.size - half)
    return first, second


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
    """Correlation over systems of their means in each half, adjusted where they were judged on different segments."""
    values = np.full(len(weights), np.nan)
    if items.systems < _LEAST_SYSTEMS:
        return values
    splits = first.shape[1]
    halves = [np.full((items.systems, len(items.segment_unit), splits), np.nan) for _ in range(2)]
    for half, means in zip(halves, (first, second), strict=True):
        half[items.item_system, items.item_segment] = means
    step = max(1, _HALF_CELLS // (items.systems * splits))
    for start in range(0, len(weights), step):
        block = weights[start : start + step, items.segment_unit]
        values[start : start + step] = _mean(_over_systems(*(adjusted_means(half, block) for half in halves)))
    return values


def _over_systems(first: Array, second: Array) -> Array:
    """Per weighting and split, from scores of systems; a system that was not drawn has none, and does not count."""
    there = np.isfinite(first)
    number = there.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        # Around 0, for the sums of squares.
        x, y = (
            np.where(
                there, each - np.where(there, each, 0.0).sum(axis=1, keepdims=True) / number.sum(axis=1)[:, None], 0.0
            )
            for each in (first, second)
        )
    moments = np.stack([each.sum(axis=1) for each in (number, x, y, x * x, y * y, x * y)])
    return association.from_moments(np.where(moments[0] < _LEAST_SYSTEMS, np.nan, moments))
