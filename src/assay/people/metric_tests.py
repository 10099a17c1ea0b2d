"""Is one metric closer to people than another? Every pair of metrics, by one statistic per level, and clusters.

Tests are two-sided, on the same systems and segments: Williams's, of two Pearson correlations that share the human
scores; Turian et al.'s, Wilcoxon's over pseudo-documents; and PERM-BOTH (Deutsch et al., 2021), which serves any
statistic. There both metrics' scores are standardised, and in each draw every cell (a system's segment) swaps its two
scores with probability one half. Both statistics are computed anew, and p is the share of draws whose difference is at
least as large as the one seen, whatever its sign. The draw that swaps nothing counts as one of them, so p is never 0.
All pairs of metrics see the same draws, over the cells that all of them and people have.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from assay.arrays import Array
from assay.errors import AssayWarning, ParameterError, UnknownName
from assay.people.levels import Cell, GridLevel, Level, RankingLevel, SystemLevel
from assay.people.scores import Scores
from assay.people.statistics.base import Grouping
from assay.people.statistics.registry import ALL, cells, of_a_grid
from assay.people.statistics.registry import statistic as named_statistic
from assay.results.result import Table
from assay.significance.association import pearson, spearman
from assay.significance.draws import Estimate, stream, swap_flags
from assay.significance.tests import adjust, clusters, is_significant, randomisation_p, wilcoxon_p

#: Tests between two metrics.
TestName = Literal["perm-both", "williams", "wilcoxon", "none"]

#: The statistic that a test compares metrics by at each level. PERM-BOTH takes another where it was not measured.
_TESTED: dict[TestName, dict[str, Cell]] = {
    "perm-both": {"system": ("pearson", None), "document": ("kendall", "item"), "segment": ("kendall", "item")},
    "williams": {"system": ("pearson", None), "document": ("pearson", "none"), "segment": ("pearson", "none")},
    "wilcoxon": {"system": ("spearman", None)},
}
#: Segments of a pseudo-document.
_LENGTH = 100

#: Where people gave scores.
_ScoreLevel = SystemLevel | GridLevel
#: What was measured, by metric, level, statistic and grouping.
Measurements = Mapping[tuple[str, str, str, str | None], Estimate]


@dataclass(frozen=True, kw_only=True)
class MetricTest:
    """How two metrics are compared: by which test, with how many random draws, corrected how."""

    test: TestName
    correction: str
    alpha: float
    #: Random swaps, or pseudo-documents.
    permutations: int
    seed: int
    threads: int = 1

    def is_able(self, level: _ScoreLevel, source: Scores) -> bool:
        """Whether scores have what the test looks at."""
        if isinstance(level, GridLevel):
            return bool(np.isfinite(level.scores(source)).any())
        if self.test == "perm-both":
            return bool(np.isfinite(source.contributions()).any(axis=1).all())
        return self.test == "williams" or not source.given

    def p_values(self, level: _ScoreLevel, sources: Sequence[Scores], cell: Cell) -> dict[tuple[int, int], float]:
        """Of all pairs, by their numbers."""
        if self.test == "williams":
            return _williams(level, sources)
        how = {"samples": self.permutations, "seed": self.seed}
        if isinstance(level, GridLevel):
            grids = np.stack([level.scores(source) for source in sources])
            tests = grid_permutation(cell[0], grids, level.human, cell[1], threads=self.threads, **how)  # type: ignore[arg-type]
        elif self.test == "wilcoxon":
            return _wilcoxon(level, sources, self.permutations, self.seed)
        else:
            contributions = np.stack([source.contributions() for source in sources])
            tests = system_permutation(cell[0], contributions, level.human[0], **how)
        return {(pair.first, pair.second): pair.p for pair in tests}


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
        known = dict.fromkeys(key[2:] for key in measured if key[1] == level.name)
        tested = [cell for cell in known if cell[1] in named_statistic(cell[0]).tested]
        chosen = [cell for cell in tested if cell == _TESTED[how.test].get(level.name)]
        cell = next(iter(chosen or (tested if how.test == "perm-both" else [])), None)
        if cell is None:
            continue
        able = [source for source in sources if how.is_able(level, source)]
        left = [source.name for source in sources if source not in able]
        if left and level.name == "system":
            warnings.warn(
                f"{', '.join(left)}: not compared with other metrics at the system level, for {how.test} looks at "
                "scores of segments. --test williams does not.",
                AssayWarning,
                stacklevel=5,
            )
        values = {source.name: measured[source.name, level.name, *cell] for source in able}
        values = {name: estimate for name, estimate in values.items() if estimate.value is not None}
        if len(values) > 1:
            compared = _pairs(level, [source for source in able if source.name in values], cell, values, how)
            pairs += compared
            ranks += _ranks(level.name, cell, values, compared)
    return pairs, ranks


def _pairs(
    level: _ScoreLevel, sources: Sequence[Scores], cell: Cell, values: Mapping[str, Estimate], how: MetricTest
) -> Table:
    """Tests of all pairs, the metric with the higher statistic first."""
    p_values = how.p_values(level, sources, cell)
    numbers = [pair for pair in combinations(range(len(sources)), 2) if np.isfinite(p_values[pair])]
    adjusted = adjust([p_values[pair] for pair in numbers], how.correction)
    rows = []
    for pair, corrected in zip(numbers, adjusted, strict=True):
        better, worse = sorted((sources[index].name for index in pair), key=lambda name: -(values[name].value or 0.0))
        rows.append(
            {
                "metric_a": better,
                "metric_b": worse,
                "level": level.name,
                "statistic": cell[0],
                "grouping": cell[1],
                **(values[better] - values[worse]).row("delta"),
                "p": float(p_values[pair]),
                "p_adjusted": corrected,
                "significant": is_significant(corrected, how.alpha),
            }
        )
    return rows


def _ranks(level: str, cell: Cell, values: Mapping[str, Estimate], pairs: Table) -> Table:
    """The clusters of metrics that tests leave together, the best first."""
    beaten = {(row["metric_a"], row["metric_b"]) for row in pairs if row["significant"]}
    ranked = sorted(values, key=lambda name: -(values[name].value or 0.0))
    return [
        {"level": level, "statistic": cell[0], "grouping": cell[1], "rank": cluster.rank, "metric": name}
        for cluster in clusters(ranked, lambda first, second: (first, second) in beaten)
        for name in cluster.systems
    ]


def _williams(level: _ScoreLevel, sources: Sequence[Scores]) -> dict[tuple[int, int], float]:
    """From three correlations: of each metric with people, and of the two metrics."""
    if isinstance(level, SystemLevel):
        human, scores = level.human[0], [level.scores(source)[0] for source in sources]
    else:
        human, scores = level.human.ravel(), [level.scores(source).ravel() for source in sources]
    p_values = {}
    for pair in combinations(range(len(sources)), 2):
        columns = np.stack([human, *(scores[index] for index in pair)])
        people, first, second = columns = columns[:, np.isfinite(columns).all(axis=0)]
        with_people = float(pearson(first, people)), float(pearson(second, people))
        p_values[pair] = williams_p(*with_people, float(pearson(first, second)), columns.shape[1])
    return p_values


def _wilcoxon(level: SystemLevel, sources: Sequence[Scores], documents: int, seed: int) -> dict[tuple[int, int], float]:
    """Over pseudo-documents: rank correlations of systems in each of them, for either metric."""
    segments = level.people.mask.shape[1]
    weights = pseudo_document_weights(segments, min(_LENGTH, max(1, segments // 2)), documents, seed)
    human = level.people.system_scores(weights)
    scores = [source.system_scores(weights) for source in sources]
    return {
        (first, second): pseudo_document_test(scores[first], scores[second], human)[2]
        for first, second in combinations(range(len(sources)), 2)
    }


def williams_p(first: float, second: float, between: float, count: int) -> float:
    """Williams's test (1959) of two correlations with the same human scores (Graham and Baldwin, 2014).

    ``first`` and ``second`` are the metrics' correlations with people, ``between`` the one of the metrics with each
    other, ``count`` the number of systems. Student's t with ``count`` - 3 degrees of freedom; NaN below 4 systems.

    >>> round(williams_p(0.4, 0.5, 0.1, 103), 2)
    0.37
    """
    from scipy.special import stdtr

    if count < 4 or not np.isfinite([first, second, between]).all():
        return float("nan")
    if first == second:
        return 1.0
    determinant = 1.0 - first**2 - second**2 - between**2 + 2.0 * first * second * between
    mean = (first + second) / 2.0
    variance = 2.0 * max(determinant, 0.0) * (count - 1) / (count - 3) + mean**2 * (1.0 - between) ** 3
    if variance <= 0.0:
        return 0.0
    t = (first - second) * np.sqrt((count - 1) * (1.0 + between) / variance)
    return 2.0 * float(stdtr(count - 3, -abs(t)))


def pseudo_document_weights(segments: int, length: int, count: int = 1000, seed: int = 1) -> Array:
    """Which segments each of ``count`` pseudo-documents is made of: ``length`` different ones at random (0 and 1)."""
    if not 1 <= length <= segments:
        raise ParameterError(f"A pseudo-document of {length} segments cannot be made from {segments}.")
    generator = stream(seed, "pseudo-documents")
    weights = np.zeros((count, segments))
    for row in weights:
        row[generator.choice(segments, size=length, replace=False)] = 1.0
    return weights


def pseudo_document_test(first: Array, second: Array, human: Array) -> tuple[Array, Array, float]:
    """Wilcoxon's signed ranks over pseudo-documents (Turian et al., 2003), from system scores, documents by systems.

    Gives both metrics' correlations with people in each pseudo-document, and p between them. Pseudo-documents in which
    one of the two is not defined are left out. They share segments, so they are not independent, as the test takes them
    to be: with many of them p is small for differences that a new test set need not show. It says which metric does
    better on these segments.
    """
    values = np.stack([spearman(scores, human) for scores in (first, second)])
    first, second = values[:, ~np.isnan(values).any(axis=0)]
    return first, second, wilcoxon_p(first, second).value if len(first) else float("nan")


class _PairTest(NamedTuple):
    """Two metrics by their numbers, the first's statistic less the second's, and how likely so much is by chance."""

    first: int
    second: int
    delta: float
    p: float


def system_permutation(
    statistic: str, contributions: Array, human: Array, *, samples: int = 1000, seed: int = 1
) -> list[_PairTest]:
    """All pairs of metrics at system level.

    ``contributions`` (metrics by systems by segments) have the system scores as their means over segments; ``human``
    holds one score per system.
    """
    tested = named_statistic(statistic)
    if "system" not in tested.levels or None not in tested.tested:
        known = [name for name, _ in cells("system", [ALL]) if None in named_statistic(name).tested]
        raise UnknownName.of("statistic for a test at system level", statistic, known)
    scores = _standardised(np.asarray(contributions, dtype=np.float64))
    present = ~np.isnan(scores[0])
    human = np.where(present.any(axis=1), human, np.nan)
    # Segments by metrics, system by system: what is swapped moves sums, and the first draw swaps nothing.
    filled, (systems, segments) = np.nan_to_num(scores).transpose(1, 2, 0), present.shape
    moved = np.zeros((systems, 1 + samples, len(scores)))
    done = 1
    for flags in swap_flags(systems * segments, samples, seed):
        swapped = flags.reshape(-1, systems, segments).transpose(1, 0, 2)
        np.matmul(swapped, filled, out=moved[:, done : done + len(flags)])
        done += len(flags)
    means, moved = (sums / np.maximum(present.sum(axis=1), 1) for sums in (filled.sum(axis=1).T, moved.T))
    deltas = []
    for first, second in combinations(range(len(scores)), 2):
        change = moved[second] - moved[first]
        values = tested.over(human, np.stack([means[first] + change, means[second] - change]), np.ones(()))
        deltas.append(values[0] - values[1])
    return _tests(deltas, len(scores))


def grid_permutation(
    statistic: str,
    metrics: Array,
    human: Array,
    grouping: Grouping,
    *,
    samples: int = 1000,
    seed: int = 1,
    threads: int = 1,
) -> list[_PairTest]:
    """All pairs of metrics (metrics by systems by segments) at segment level, under any statistic of a grid."""
    tested = of_a_grid(statistic, grouping)
    if grouping not in tested.tested:
        raise ParameterError(f"{statistic} grouped by {grouping} has no test between metrics; acc23 by item has.")
    scores = _standardised(np.where(np.isnan(human), np.nan, np.asarray(metrics, dtype=np.float64)))
    human = np.where(np.isnan(scores[0]), np.nan, human)
    deltas = tested.swap_deltas(scores, human, grouping, samples=samples, seed=seed, threads=threads)
    return _tests(deltas, len(scores))


def _tests(deltas: Iterable[Array], metrics: int) -> list[_PairTest]:
    """All pairs of metrics, from the differences of their statistic in every draw, the first of which swaps nothing."""
    tests = []
    for (first, second), drawn in zip(combinations(range(metrics), 2), deltas, strict=True):
        # A draw in which a statistic is not defined cannot speak for the difference.
        observed, reached = float(drawn[0]), np.where(np.isnan(drawn[1:]), np.inf, drawn[1:])
        p = float("nan") if np.isnan(observed) else randomisation_p(reached, observed, exact=False).value
        tests.append(_PairTest(first, second, observed, p))
    return tests


def _standardised(scores: Array) -> Array:
    """Each metric with mean 0 and variance 1 over the cells that all have; a constant one becomes 0."""
    if scores.ndim != 3:
        raise ParameterError(f"Scores are metrics by systems by segments; these have the shape {scores.shape}.")
    scores = np.where(np.isnan(scores).any(axis=0), np.nan, scores)
    present = ~np.isnan(scores[0])
    result = np.full_like(scores, np.nan)
    if present.any():
        for number, cells in enumerate(scores[:, present]):
            constant = (cells == cells[0]).all()
            result[number][present] = 0.0 if constant else (cells - cells.mean()) / cells.std()
    return result
