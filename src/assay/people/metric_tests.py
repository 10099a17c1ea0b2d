"""Is one metric closer to people than another? Every pair of metrics, by one statistic per level, and clusters.

Every pair is tested on what the two metrics have in common, so that a metric with gaps changes no other pair; the
difference, its interval and p come from one test. Tests are two-sided:

* Williams's, of two Pearson correlations that share the human scores. It holds for new systems.
* The jackknife over systems, for any other statistic of systems: Student's t of what each system does to the
  difference. It holds for new systems, too.
* PERM-BOTH (Deutsch et al., 2021), which serves any statistic, and is about these systems alone. Both metrics' scores
  are standardised, and in each draw every cell (a system's segment) swaps its two scores with probability one half.
  Both statistics are computed anew, and p is the share of draws whose difference is at least as large as the one seen,
  whatever its sign. The draw that swaps nothing counts as one of them, so p is never 0.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Flags
from assay.errors import AssayWarning, ParameterError, UnknownName
from assay.people.levels import Cell, GridLevel, Level, RankingLevel, SystemLevel
from assay.people.scores import Scores, steady
from assay.people.statistics.base import Grouping
from assay.people.statistics.registry import ALL, cells, of_a_grid
from assay.people.statistics.registry import statistic as named_statistic
from assay.results.result import Table
from assay.significance.association import pearson
from assay.significance.draws import FEWEST_UNITS, Draws, Estimate, number_or_none
from assay.significance.tests import (
    above_zero,
    adjust,
    clusters,
    draws_for,
    is_significant,
    randomisation_p,
    reached,
    t_p,
)

#: Tests between two metrics.
_TestName = Literal["williams", "jackknife", "perm-both", "none"]
TESTS: tuple[_TestName, ...] = ("williams", "jackknife", "perm-both", "none")

#: The statistic that metrics are compared by at each level; another where it was not measured.
_USUAL: dict[str, Cell] = {"system": ("pearson", None), "document": ("kendall", "item"), "segment": ("kendall", "item")}
#: What Williams's test compares metrics by.
_WILLIAMS: dict[str, Cell] = {
    "system": ("pearson", None),
    "document": ("pearson", "none"),
    "segment": ("pearson", "none"),
}
#: So many systems a test takes.
_FEWEST = {"williams": 4, "jackknife": FEWEST_UNITS, "perm-both": 0}
#: Swaps of a test, at least; and after so many that reach what was seen, p is known well enough to stop.
_DRAWS, _STOP = 1000, 100
#: Draws before it is first seen which pairs may stop.
_FIRST = 256

#: What is no difference but that of arithmetic.
_ROUNDING = 1e-12

#: Where people gave scores.
_ScoreLevel = SystemLevel | GridLevel
#: What was measured, by metric, level, statistic and grouping.
Measurements = Mapping[tuple[str, str, str, str | None], Estimate]
#: The numbers of two metrics.
_Pair = tuple[int, int]
#: Differences of pairs of metrics (first less second) under each row of swaps.
_Deltas = Callable[[NDArray[np.uint8], Sequence[_Pair]], Array]


class _PairTest(NamedTuple):
    """The first metric's statistic less the second's, its 95 % interval, how likely so much is by chance; of n points.

    The interval holds the differences that the test does not reject: it has 0 in it just where p is above 0.05.
    """

    delta: float
    reach: float | None
    p: float
    n: int = 0


_UNDEFINED = _PairTest(float("nan"), None, float("nan"))


@dataclass(frozen=True, kw_only=True)
class MetricTest:
    """How two metrics are compared: by which test, with how many random draws, corrected how."""

    #: None for one that holds for new systems at the system level, and perm-both below it.
    test: _TestName | None
    correction: str
    alpha: float
    #: Random swaps; None for as many as the number of comparisons needs.
    permutations: int | None
    seed: int
    threads: int = 1

    def at(self, level: str, cell: Cell) -> _TestName:
        """The test of a level."""
        if self.test is not None:
            return self.test
        if level != "system":
            return "perm-both"
        return "williams" if cell == _WILLIAMS["system"] else "jackknife"

    def cell(self, level: str, measured: Iterable[Cell]) -> Cell | None:
        """What metrics are compared by at a level, out of what was measured there; None where there is nothing."""
        tested = [cell for cell in measured if cell[1] in named_statistic(cell[0]).tested]
        if self.test == "jackknife" and level != "system":
            return None
        usual = (_WILLIAMS if self.test == "williams" else _USUAL)[level]
        return usual if usual in tested else None if self.test == "williams" else next(iter(tested), None)

    def draws(self, comparisons: int) -> int:
        """How many swaps p-values come from, at most."""
        if self.permutations is not None:
            return self.permutations
        return draws_for(comparisons if self.correction != "none" else 1, self.alpha, _DRAWS)

    def pairs(
        self, level: _ScoreLevel, sources: Sequence[Scores], cell: Cell, pairs: Sequence[_Pair], comparisons: int
    ) -> dict[_Pair, _PairTest]:
        """Tests of these pairs of sources, which have the same segments of systems."""
        test = self.at(level.name, cell)
        if test == "williams":
            return {pair: _williams(level, *(sources[index] for index in pair)) for pair in pairs}
        if test == "jackknife":
            return {pair: _jackknife(cell[0], level, sources[pair[0]], sources[pair[1]]) for pair in pairs}
        samples, stop = self.draws(comparisons), _STOP if self.permutations is None else None
        if isinstance(level, GridLevel):
            grids = np.stack([level.scores(source) for source in sources])
            return grid_permutation(
                cell[0], grids, level.human, cell[1], draws=level.draws, samples=samples, seed=self.seed,  # type: ignore[arg-type]
                threads=self.threads, pairs=pairs, stop=stop,
            )  # fmt: skip
        contributions = np.stack([source.contributions() for source in sources])
        return system_permutation(
            cell[0], contributions, level.human[0], draws=level.draws, samples=samples, seed=self.seed, pairs=pairs,
            stop=stop,
        )  # fmt: skip


def compare_metrics(
    levels: Sequence[Level], sources: Sequence[Scores], measured: Measurements, how: MetricTest
) -> tuple[Table, Table]:
    """All pairs of metrics at every level, corrected for their number, and the clusters that follow."""
    pairs: Table = []
    ranks: Table = []
    if how.test == "none" or len(sources) < 2:
        return [], []
    for level in levels:
        if isinstance(level, RankingLevel):
            # Who ranks gives no scores that metrics could swap.
            continue
        cell = how.cell(level.name, dict.fromkeys(key[2:] for key in measured if key[1] == level.name))
        if cell is None:
            continue
        able = [source for source in sources if measured[source.name, level.name, *cell].value is not None]
        without = [source.name for source in sources if source not in able]
        if without and able and level.name == "system":
            _warn(f"{', '.join(without)}: not compared with other metrics at the system level, for want of {cell[0]}.")
        test, unit = how.at(level.name, cell), level.draws.units.name
        if level.name == "system" and test == "perm-both":
            left = [source.name for source in able if not np.isfinite(source.contributions()).any(axis=1).all()]
            able = [source for source in able if source.name not in left]
            if left:
                _warn(
                    f"{', '.join(left)}: not compared with other metrics at the system level, for perm-both looks at "
                    "scores of segments. --test williams does not."
                )
        there = level.people.mask if isinstance(level, SystemLevel) else np.isfinite(level.human)
        judged = np.asarray(there.any(axis=0))
        few = (level.name != "system" or test == "perm-both") and level.draws.units.count(judged) < FEWEST_UNITS
        if few and len(able) > 1:
            _warn(f"Metrics are not compared at the {level.name} level: {test} takes {FEWEST_UNITS} {unit}s or more.")
            continue
        if len(able) > 1:
            values = {source.name: measured[source.name, level.name, *cell] for source in able}
            compared = _pairs(level, able, cell, how)
            pairs += compared
            ranks += _ranks(level.name, cell, values, compared) if compared else []
    return pairs, ranks


def _warn(text: str) -> None:
    warnings.warn(text, AssayWarning, stacklevel=6)


def _pairs(level: _ScoreLevel, sources: Sequence[Scores], cell: Cell, how: MetricTest) -> Table:
    """Tests of all pairs, each on what its two metrics have in common, the metric with the higher statistic first."""
    test, pairs = how.at(level.name, cell), list(combinations(range(len(sources)), 2))
    tests: dict[_Pair, _PairTest] = {}
    for part, restricted, some in _parts(level, sources, pairs):
        tests |= how.pairs(part, restricted, cell, some, len(pairs))
    known = [pair for pair in pairs if np.isfinite(tests[pair].p)]
    if not known and _FEWEST[test]:
        _warn(f"Metrics are not compared at the {level.name} level: {test} takes {_FEWEST[test]} systems or more.")
    floor = 1.0 / (how.draws(len(pairs)) + 1) * (len(known) if how.correction == "holm" else 1)
    corrected_for = f" once corrected for {len(known)} comparisons" if how.correction == "holm" else ""
    if test == "perm-both" and known and not is_significant(floor, how.alpha):
        _warn(
            f"No difference at the {level.name} level can be significant: {how.draws(len(pairs)):,} permutations give "
            f"no p below {floor:.3g}{corrected_for}. Raise --permutations."
        )
    most = max((tests[pair].n for pair in known), default=0)
    fewer = [pair for pair in known if tests[pair].n < most]
    if fewer:
        named = ", ".join(f"{sources[a].name} and {sources[b].name} ({tests[a, b].n:,})" for a, b in fewer[:3])
        others = f" and {len(fewer) - 3} more pairs" if len(fewer) > 3 else ""
        points = "systems" if level.name == "system" else f"{level.name}s of systems"
        _warn(f"Tested on fewer than {most:,} {points}, those that both metrics have: {named}{others}.")
    adjusted = adjust([tests[pair].p for pair in known], how.correction)
    rows = []
    for pair, corrected in zip(known, adjusted, strict=True):
        found = tests[pair]
        better, worse = (sources[index].name for index in (pair if found.delta >= 0 else pair[::-1]))
        delta, reach = abs(found.delta), found.reach
        rows.append(
            {
                "metric_a": better,
                "metric_b": worse,
                "level": level.name,
                "statistic": cell[0],
                "grouping": cell[1],
                "delta": delta,
                "low": None if reach is None else number_or_none(delta - reach),
                "high": None if reach is None else number_or_none(delta + reach),
                "p": found.p,
                "p_adjusted": corrected,
                "significant": is_significant(corrected, how.alpha),
                "test": test,
                "n": found.n,
            }
        )
    return rows


def _parts(
    level: _ScoreLevel, sources: Sequence[Scores], pairs: Sequence[_Pair]
) -> Iterable[tuple[_ScoreLevel, list[Scores], list[_Pair]]]:
    """Pairs by the segments of systems that both metrics have, with the level and the metrics on these alone."""
    # What is given of whole systems comes from no segments, and asks for none.
    there = [np.ones_like(source.mask) if source.given else source.there() for source in sources]
    there = [cells if cells.any() else np.ones_like(cells) for cells in there]
    groups: dict[bytes, tuple[Flags, list[_Pair]]] = {}
    for first, second in pairs:
        common = there[first] & there[second]
        groups.setdefault(common.tobytes(), (common, []))[1].append((first, second))
    for common, some in groups.values():
        taken = {index for pair in some for index in pair}
        restricted = [
            source.only(common) if index in taken and (there[index] & ~common).any() else source
            for index, source in enumerate(sources)
        ]
        part: _ScoreLevel = level
        if isinstance(level, SystemLevel) and (level.people.mask & ~common).any():
            part = SystemLevel(level.people.only(common), level.draws, seed=level.seed)
        yield part, restricted, some


def _ranks(level: str, cell: Cell, values: Mapping[str, Estimate], pairs: Table) -> Table:
    """The clusters of metrics that tests leave together, the best first."""
    beaten = {(row["metric_a"], row["metric_b"]) for row in pairs if row["significant"]}
    ranked = sorted(values, key=lambda name: -(values[name].value or 0.0))
    return [
        {"level": level, "statistic": cell[0], "grouping": cell[1], "rank": cluster.rank, "metric": name}
        for cluster in clusters(ranked, lambda first, second: (first, second) in beaten)
        for name in cluster.systems
    ]


def _columns(level: _ScoreLevel, *sources: Scores) -> Array:
    """People's scores and those of metrics, over the points that all of them have."""
    if isinstance(level, SystemLevel):
        columns = np.stack([level.human[0], *(level.scores(source)[0] for source in sources)])
    else:
        columns = np.stack([level.human.ravel(), *(level.scores(source).ravel() for source in sources)])
    return columns[:, np.isfinite(columns).all(axis=0)]


def _williams(level: _ScoreLevel, first: Scores, second: Scores) -> _PairTest:
    """From three correlations: of each metric with people, and of the two metrics."""
    people, one, other = columns = _columns(level, first, second)
    with_people = float(pearson(one, people)), float(pearson(other, people))
    return williams(*with_people, float(pearson(one, other)), columns.shape[1])


def williams(first: float, second: float, between: float, count: int) -> _PairTest:
    """Williams's test (1959) of two correlations with the same human scores (Graham and Baldwin, 2014).

    ``first`` and ``second`` are the metrics' correlations with people, ``between`` the one of the metrics with each
    other, ``count`` the number of systems. Student's t with ``count`` - 3 degrees of freedom; nothing below 4 systems.

    >>> round(williams(0.4, 0.5, 0.1, 103).p, 2)
    0.37
    """
    from scipy.special import stdtr, stdtrit

    delta = first - second
    if not np.isfinite([first, second, between]).all():
        return _UNDEFINED
    if count < _FEWEST["williams"]:
        return _PairTest(delta, None, float("nan"), count)
    if abs(delta) <= _ROUNDING:
        # Metrics that are the same up to scale, above all: there is nothing to test.
        return _PairTest(0.0, None, 1.0, count)
    if between <= -1.0 + _ROUNDING:
        # One is the other turned round, so its correlation is 0 or differs: the limit of the formula below.
        square = 4.0 * max(1.0 - (delta / 2.0) ** 2, 0.0) / (count - 3)
    else:
        determinant = 1.0 - first**2 - second**2 - between**2 + 2.0 * first * second * between
        mean = (first + second) / 2.0
        variance = 2.0 * max(determinant, 0.0) * (count - 1) / (count - 3) + mean**2 * (1.0 - between) ** 3
        square = variance / ((count - 1) * (1.0 + between))
    if square <= _ROUNDING:
        # No error is left to hold it against. Of all ways to swap the metrics' scores of whole systems, two go so far.
        return _PairTest(delta, None, above_zero(2.0 ** (1 - count)), count)
    error = float(np.sqrt(square))
    p = 2.0 * float(stdtr(count - 3, -abs(delta) / error))
    return _PairTest(delta, -float(stdtrit(count - 3, 0.025)) * error, above_zero(p), count)


def _jackknife(statistic: str, level: _ScoreLevel, first: Scores, second: Scores) -> _PairTest:
    """Student's t over what each system does to the difference, which is the mean of these."""
    from scipy.special import stdtrit

    people, *metrics = columns = _columns(level, first, second)
    count = columns.shape[1]
    weights = np.concatenate([np.ones((1, count)), 1.0 - np.eye(count)])
    one, other = (named_statistic(statistic).over(people, metric, weights) for metric in metrics)
    delta, without = float(one[0] - other[0]), (one - other)[1:]
    if count < FEWEST_UNITS or not np.isfinite(without).all():
        return _PairTest(delta, None, float("nan"), count)
    shares = delta + (count - 1) * (without.mean() - without)
    error = float(shares.std(ddof=1)) / np.sqrt(count)
    reach = -float(stdtrit(count - 1, 0.025)) * error if error > _ROUNDING else None
    return _PairTest(delta, reach, t_p(shares, np.zeros(count)).value, count)


def system_permutation(
    statistic: str,
    contributions: Array,
    human: Array,
    *,
    draws: Draws | None = None,
    samples: int = 1000,
    seed: int = 1,
    pairs: Sequence[_Pair] | None = None,
    stop: int | None = None,
) -> dict[_Pair, _PairTest]:
    """PERM-BOTH of pairs of metrics (all, if none are named) at system level.

    ``contributions`` (metrics by systems by segments) have the system scores as their means over segments; ``human``
    holds one score per system. ``draws`` say what is swapped as a whole: cells by themselves, if there are none. See
    ``_permuted`` for ``stop``.
    """
    tested = named_statistic(statistic)
    if "system" not in tested.levels or None not in tested.tested:
        known = [name for name, _ in cells("system", [ALL]) if None in named_statistic(name).tested]
        raise UnknownName.of("statistic for a test at system level", statistic, known)
    pairs = list(combinations(range(len(contributions)), 2)) if pairs is None else pairs
    scores = _standardised(np.asarray(contributions, dtype=np.float64), pairs)
    present = ~np.isnan(scores[pairs[0][0]])
    human = np.where(present.any(axis=1), human, np.nan)
    # Systems by segments by metrics: what is swapped moves sums.
    filled, counts = np.nan_to_num(scores).transpose(1, 2, 0), np.maximum(present.sum(axis=1), 1)
    means = filled.sum(axis=1).T / counts

    def deltas(flags: NDArray[np.uint8], some: Sequence[_Pair]) -> Array:
        moved = np.matmul(flags.transpose(1, 0, 2).astype(np.float64), filled).T / counts
        found = []
        for first, second in some:
            change = moved[second] - moved[first]
            mixed = steady(np.stack([means[first] + change, means[second] - change]))
            values = tested.over(human, mixed, np.ones(()))
            found.append(values[0] - values[1])
        return np.array(found)

    swaps = (draws or Draws.observed(*present.shape)).cell_swaps(samples, seed)
    return _permuted(deltas, swaps, shape=present.shape, pairs=pairs, points=int((~np.isnan(human)).sum()), stop=stop)


def grid_permutation(
    statistic: str,
    metrics: Array,
    human: Array,
    grouping: Grouping,
    *,
    draws: Draws | None = None,
    samples: int = 1000,
    seed: int = 1,
    threads: int = 1,
    pairs: Sequence[_Pair] | None = None,
    stop: int | None = None,
) -> dict[_Pair, _PairTest]:
    """PERM-BOTH of pairs of metrics (metrics by systems by segments) at segment level, under a statistic of a grid."""
    tested = of_a_grid(statistic, grouping)
    if grouping not in tested.tested:
        raise ParameterError(f"{statistic} grouped by {grouping} has no test between metrics; acc23 by item has.")
    pairs = list(combinations(range(len(metrics)), 2)) if pairs is None else pairs
    scores = _standardised(np.where(np.isnan(human), np.nan, np.asarray(metrics, dtype=np.float64)), pairs)
    human = np.where(np.isnan(scores[pairs[0][0]]), np.nan, human)

    def deltas(flags: NDArray[np.uint8], some: Sequence[_Pair]) -> Array:
        return tested.swap_deltas(scores, human, grouping, flags, some, threads=threads)

    swaps = (draws or Draws.observed(*human.shape)).cell_swaps(samples, seed)
    return _permuted(deltas, swaps, shape=human.shape, pairs=pairs, points=int((~np.isnan(human)).sum()), stop=stop)


def _permuted(
    deltas: _Deltas,
    swaps: Iterable[NDArray[np.uint8]],
    *,
    shape: tuple[int, ...],
    pairs: Sequence[_Pair],
    points: int,
    stop: int | None,
) -> dict[_Pair, _PairTest]:
    """p-values and intervals of pairs of metrics, which all see the same swaps, a block after the other.

    A pair of which ``stop`` draws reach what was seen is done: with the last of them as the n-th draw, ``stop`` by n is
    a p-value that is as valid as one from all draws (Besag and Clifford, 1991).
    """
    observed = dict(zip(pairs, deltas(np.zeros((1, *shape), dtype=np.uint8), pairs)[:, 0].tolist(), strict=True))
    drawn: dict[_Pair, Array] = {pair: np.empty(0) for pair in pairs}
    going = [pair for pair in pairs if not np.isnan(observed[pair])]
    for flags in swaps if stop is None else _growing(swaps):
        if not going:
            break
        for pair, values in zip(going, deltas(flags, going), strict=True):
            # A draw in which a statistic is not defined cannot speak for the difference.
            sizes = np.where(np.isnan(values), np.inf, np.abs(values))
            drawn[pair] = np.concatenate([drawn[pair], sizes])
        if stop is not None:
            going = [pair for pair in going if reached(drawn[pair], observed[pair]).sum() < stop]
    return {pair: _permutation_test(drawn[pair], observed[pair], points, stop) for pair in pairs}


def _growing(blocks: Iterable[NDArray[np.uint8]]) -> Iterator[NDArray[np.uint8]]:
    """The same draws, few at a time at first: most pairs that do not differ are done early."""
    size = _FIRST
    for block in blocks:
        done = 0
        while done < len(block):
            yield block[done : done + size]
            done += size
            size *= 2


def _permutation_test(sizes: Array, observed: float, points: int, stop: int | None) -> _PairTest:
    if np.isnan(observed):
        return _UNDEFINED
    p = randomisation_p(sizes, observed, exact=False).value
    last = len(sizes) if stop is None else int(np.searchsorted(np.cumsum(reached(sizes, observed)), stop))
    if stop is not None and last < len(sizes):
        sizes, p = sizes[: last + 1], stop / (last + 1)
    # So many draws may go further, if p is to be 0.05 or less.
    allowed = int(np.floor(0.05 * (len(sizes) + 1) + _ROUNDING)) - 1
    reach = float(np.sort(sizes)[::-1][allowed]) if 0 <= allowed < len(sizes) else None
    return _PairTest(observed, reach, p, points)


def _standardised(scores: Array, pairs: Sequence[_Pair]) -> Array:
    """Each metric of some pairs with mean 0 and variance 1 over the cells that all have; a constant one becomes 0."""
    if scores.ndim != 3:
        raise ParameterError(f"Scores are metrics by systems by segments; these have the shape {scores.shape}.")
    taken = sorted({index for pair in pairs for index in pair})
    scores = np.where(np.isnan(scores[taken]).any(axis=0), np.nan, scores)
    present = ~np.isnan(scores[taken[0]])
    result = np.full_like(scores, np.nan)
    if present.any():
        for number, cells in ((number, scores[number][present]) for number in taken):
            constant = (cells == cells[0]).all()
            result[number][present] = 0.0 if constant else (cells - cells.mean()) / cells.std()
    return result
