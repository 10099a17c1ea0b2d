"""Two ratings per item, cut into grades or as they are; two answers to which of two systems did a segment better; two
raters' marked errors.

Every statistic is computed under many weightings of the segments at once: ``weights`` has a row per weighting and a
column per segment, and ``unit`` says to which segment an item belongs. With whole numbers, a row gives exactly what the
statistic is of the items repeated so often: the bootstrap without looking at the items again. NaN where nothing varies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assay.arrays import Array, Codes
from assay.data.judgements import ErrorSpan
from assay.errors import ParameterError
from assay.people.agreement.ratings import Paired, Ratings, statistic_rows
from assay.people.rankings import equal_pairs
from assay.results.result import Table
from assay.significance import association
from assay.significance.draws import Draws

#: So many different scores are grades as they are.
_FEW_VALUES = 10
#: Grades of equal size, where nobody asked and there are more.
_DEFAULT_GRADES = 5
#: Groups with fewer items have no say: two points always lie on a line.
_LEAST_ITEMS = 3
#: Cohen's kappa by the power of the distance between grades that a disagreement costs.
_KAPPAS = {"kappa": 0, "kappa-linear": 1, "kappa-quadratic": 2}
#: Severities of marked errors, from the mildest to the gravest; where one rater's overlap, the graver one counts.
_SEVERITIES = ("neutral", "minor", "major", "critical")

#: Characters that were marked, with their severity; those of the source stand apart.
_Marked = dict[tuple[bool, int], str]


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
    if isinstance(given, str):
        parts = given.split(",")
        try:
            given = int(parts[0]) if len(parts) == 1 else [float(part) for part in parts if part.strip()]
        except ValueError:
            raise ParameterError(
                f"grades is {given!r}, but it takes a number of grades (5) or cut points (30,50,70)."
            ) from None
    if isinstance(given, int) and not 2 <= given <= 100:
        raise ParameterError(f"grades is {given}, but it takes 2 to 100 grades, or cut points such as 30,50,70.")
    if given is None or isinstance(given, int):
        return given
    cuts = tuple(float(cut) for cut in given)
    if not cuts or not np.isfinite(cuts).all() or (np.diff(cuts) <= 0.0).any():
        raise ParameterError("Cut points between grades are different numbers in rising order, such as 30,50,70.")
    return cuts


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


def _beyond_chance(share: Array, chance: Array) -> Array:
    """Agreement less that of chance, by the most it could be: any kappa."""
    return np.where(chance < 1.0, (share - chance) / (1.0 - chance), np.nan)


def _under_draws(
    columns: Sequence[Array], unit: Codes, statistic: Callable[[Array], Mapping[str, Array]], samples: int, seed: int
) -> tuple[Draws, Mapping[str, Array]]:
    """Statistics of sums over pairs of ratings, of which ``columns`` hold what is added; resampling segments."""
    units, unit = np.unique(unit, return_inverse=True)
    sums = np.stack([np.bincount(unit, weights=column) for column in columns], axis=1)
    draws = Draws.of(len(units), samples, seed, jackknife=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return draws, statistic(np.moveaxis(draws.weights @ sums, -1, 0))


def comparison_rows(ratings: Ratings, *, repeats: bool, samples: int, seed: int) -> Table:
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
    rater, unit = ratings.rater[first], ratings.unit[first]
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
            draws, values = _under_draws(columns, unit[a], comparison_values, samples, seed)
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


def span_rows(ratings: Ratings, between: Paired, *, samples: int, seed: int) -> Table:
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
    draws, values = _under_draws(list(np.array(counts).T), between.unit[kept], _span_values, samples, seed)
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
