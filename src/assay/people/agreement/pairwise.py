"""Two ratings per item, cut into grades or as they are, and two answers to which of two systems did a segment better.

Every statistic is computed under many weightings of the segments at once: ``weights`` has a row per weighting and a
column per segment, and ``unit`` says to which segment an item belongs. With whole numbers, a row gives exactly what the
statistic is of the items repeated so often: the bootstrap without looking at the items again. NaN where nothing varies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.arrays import Array, Codes
from assay.errors import ParameterError
from assay.people.agreement.ratings import Paired, Ratings, rows_of
from assay.people.rankings import equal_pairs
from assay.results.result import Table
from assay.significance import association
from assay.significance.draws import Draws, Estimate

#: So many different scores are grades as they are.
_FEW_VALUES = 10
#: Grades of equal size, where nobody asked and there are more.
_DEFAULT_GRADES = 5
#: Groups with fewer items have no say: two points always lie on a line.
_LEAST_ITEMS = 3
#: Cohen's kappa by the power of the distance between grades that a disagreement costs.
_KAPPAS = {"kappa": 0, "kappa-linear": 1, "kappa-quadratic": 2}


@dataclass(frozen=True)
class Grades:
    """Cut points between grades; a score on a cut belongs to the grade above it."""

    cuts: tuple[float, ...]
    #: How they came about, for people.
    summary: str

    def __len__(self) -> int:
        return len(self.cuts) + 1

    def of(self, scores: Array) -> Codes:
        """The grade of each score, from 0."""
        return np.searchsorted(np.array(self.cuts), scores, side="right").astype(np.int64)


def grades_of(scores: Array, wanted: int | Sequence[float] | None, *, turned: bool = False) -> Grades:
    """``wanted`` is a number of grades with about as many scores each, or cut points; None decides by the scores.

    With ``turned`` scores are, but cut points are not yet turned round.

    >>> len(grades_of(np.array([1.0, 2.0, 3.0, 4.0]), 2)), grades_of(np.array([1.0, 2.0, 5.0]), None).cuts
    (2, (1.5, 3.5))
    """
    values = np.unique(scores)
    if wanted is None and len(values) <= _FEW_VALUES:
        cuts = (values[1:] + values[:-1]) / 2.0
        return Grades(tuple(cuts.tolist()), f"the {len(values)} different scores are the grades")
    wanted = _DEFAULT_GRADES if wanted is None else wanted
    if not isinstance(wanted, int):
        if turned:
            # A score on a cut stays above it, so the cut moves by the smallest step there is.
            wanted = [float(np.nextafter(-cut, np.inf)) for cut in reversed(wanted)]
        return Grades(tuple(wanted), f"cut at {', '.join(f'{cut:g}' for cut in wanted)}")
    levels = np.quantile(scores, np.arange(1, wanted) / wanted, method="hazen")
    # Where many scores are the same, several levels lie between the same two scores, or below all of them.
    places = np.unique(np.searchsorted(values, levels))
    cuts = values[places[places > 0]]
    merged = "" if len(cuts) == wanted - 1 else f", of which many scores that are the same leave {len(cuts) + 1}"
    return Grades(tuple(cuts.tolist()), f"{wanted} grades with as many scores each{merged}")


def read_grades(given: int | str | Iterable[float] | None) -> int | tuple[float, ...] | None:
    """A number of grades, or several cut points with commas between; a single cut point has a comma behind it.

    >>> read_grades("5"), read_grades("30,50"), read_grades("50,")
    (5, (30.0, 50.0), (50.0,))
    """
    wanted = _spelled(given) if isinstance(given, str) else given
    if isinstance(wanted, int) and not 2 <= wanted <= 100:
        raise ParameterError(f"grades is {wanted}, but it takes 2 to 100 grades, or cut points such as 30,50,70.")
    if wanted is None or isinstance(wanted, int):
        return wanted
    cuts = tuple(float(cut) for cut in wanted)
    if not cuts or not np.isfinite(cuts).all() or (np.diff(cuts) <= 0.0).any():
        raise ParameterError("Cut points between grades are different numbers in rising order, such as 30,50,70.")
    return cuts


def _spelled(text: str) -> int | list[float]:
    parts = [part.strip() for part in text.split(",")]
    try:
        return int(parts[0]) if len(parts) == 1 else [float(part) for part in parts if part]
    except ValueError:
        raise ParameterError(
            f"grades is {text!r}, but it takes a number of grades (5) or cut points (30,50,70)."
        ) from None


@dataclass(frozen=True)
class Pairwise:
    """Every group of raters, and the mean over groups."""

    #: Per group and statistic: a rater, or two (a and b), items, statistic, value, low, high; the largest group first.
    groups: Table
    #: Per statistic the mean over groups, weighted by how many items they have.
    pooled: Table
    #: Which groups were too small to count, and the items that were in them, in words.
    left_out: str


def measure(paired: Paired, grades: Grades | None, prefix: str = "", *, samples: int, seed: int) -> Pairwise:
    """Correlations, and agreement on grades where there are grades; resampling segments."""
    draws = Draws.of(int(paired.unit.max(initial=0)) + 1, samples, seed, jackknife=True)
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
        for name, values in statistics(paired.x[rows], paired.y[rows], unit, weights, grades).items():
            defined = np.isfinite(values)
            weighted[name] = weighted.get(name, 0.0) + np.where(defined, values * items, 0.0)
            counts[name] = counts.get(name, 0.0) + np.where(defined, items, 0.0)
            groups.append(names | {"statistic": name, **draws.estimate(values).row()})
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = {name: draws.estimate(weighted[name] / counts[name]) for name in weighted}
    small = sizes < _LEAST_ITEMS
    raters = {row[side] for row in groups for side in "ab" if side in row}
    return Pairwise(
        sorted(groups, key=lambda row: (-row["items"], row["a"], row.get("b", ""))),
        rows_of(pooled, len(raters), len(np.unique(paired.item[~small[paired.group]])), prefix),
        f"{small.sum():,} with fewer than {_LEAST_ITEMS} items ({sizes[small].sum():,})" if small.any() else "",
    )


def statistics(x: Array, y: Array, unit: Codes, weights: Array, grades: Grades | None) -> dict[str, Array]:
    """Every statistic of two ratings per item under every row of weights."""
    values = {
        "pearson": association.pearson_under(x, y, weights.T, unit),
        "spearman": association.spearman_under(x, y, weights.T, unit),
        "kendall": association.pair_sums(x, y, weights.T, unit).kendall_b(),
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


def beyond_chance(share: Array, chance: Array) -> Array:
    """Agreement less that of chance, by the most it could be: any kappa."""
    return np.where(chance < 1.0, (share - chance) / (1.0 - chance), np.nan)


def shares(
    columns: Sequence[Array],
    unit: Codes,
    statistic: Callable[[Array], Mapping[str, Array]],
    *,
    samples: int,
    seed: int,
) -> dict[str, Estimate]:
    """Statistics of sums over pairs of ratings, of which ``columns`` hold what is added; resampling segments."""
    units, unit = np.unique(unit, return_inverse=True)
    sums = np.stack([np.bincount(unit, weights=column) for column in columns], axis=1)
    drawn = Draws.of(len(units), samples, seed, jackknife=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = statistic(np.moveaxis(drawn.weights @ sums, -1, 0))
    return {name: drawn.estimate(each) for name, each in values.items()}


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Per comparison: who made it, of which two systems on which segment, and -1, 0 or 1 for the first of them.

    Which of two systems did a segment better is what WMT's rankings say; scores imply it, too.
    """

    rater: Codes
    #: Segment and both systems as one number.
    item: Codes
    unit: Codes
    outcome: Codes

    @classmethod
    def of(cls, ratings: Ratings) -> Comparisons:
        """All pairs of systems that one rater rated on a segment; of rankings, all pairs within one ranking."""
        judgements, systems = ratings.judgements, len(ratings.judgements.system.names)
        together = judgements.ranking.codes
        if not (len(judgements) and (together >= 0).all()):
            of_rater = ratings.unit * len(ratings.raters) + ratings.rater
            together = of_rater * len(judgements.kinds) + judgements.kind.codes
        first, second = equal_pairs(together, then=ratings.system)
        different = ratings.system[first] != ratings.system[second]
        first, second = first[different], second[different]
        return cls(
            rater=ratings.rater[first],
            item=(ratings.unit[first] * systems + ratings.system[first]) * systems + ratings.system[second],
            unit=ratings.unit[first],
            outcome=np.sign(ratings.score[first] - ratings.score[second]).astype(np.int64),
        )

    def agreement(self, *, same_rater: bool, **draws: int) -> Table:
        """How often two comparisons of the same agree, by two raters or by one; nothing if there are no two."""
        key = self.item * (int(self.rater.max(initial=0)) + 1) + self.rater if same_rater else self.item
        first, second = equal_pairs(key)
        if not same_rater:
            different = self.rater[first] != self.rater[second]
            first, second = first[different], second[different]
        if len(first) == 0:
            return []
        ties = ((self.outcome[first] == 0).astype(np.float64) + (self.outcome[second] == 0)) / 2.0
        columns = (np.ones(len(first)), self.outcome[first] == self.outcome[second], ties)
        estimates = shares(columns, self.unit[first], comparison_values, **draws)
        raters = np.unique(self.rater[np.concatenate([first, second])])
        items = np.unique(self.item[first])
        return rows_of(estimates, len(raters), len(items), "repeat-" if same_rater else "")


def comparison_values(sums: Array) -> dict[str, Array]:
    """P(A), and kappa with P(E) of 1/3 and as the share of ties suggests, from pairs, agreeing ones and ties."""
    count, agreeing, ties = sums
    share, tied = agreeing / count, ties / count
    return {
        "comparison-agreement": share,
        "comparison-kappa-third": (share - 1.0 / 3.0) / (2.0 / 3.0),
        # Which of two systems comes first is our choice, so that better and worse are equally likely by chance.
        "comparison-kappa": beyond_chance(share, tied**2 + (1.0 - tied) ** 2 / 2.0),
    }
