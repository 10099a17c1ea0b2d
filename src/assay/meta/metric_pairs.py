"""Is one metric closer to people than another? Every pair of metrics, by one statistic per level, and clusters."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from assay.errors import AssayWarning, ParameterError
from assay.meta.benches import Bench, Cell, GridBench, Measured, SystemBench, quantile_pair
from assay.meta.metric_tests import pseudo_document_test, pseudo_document_weights, williams_p
from assay.meta.permutation import grid_permutation, system_permutation
from assay.meta.sources import Source
from assay.meta.statistics.registry import statistic as named_statistic
from assay.significance.association import pearson
from assay.significance.clusters import clusters
from assay.significance.corrections import adjust
from assay.significance.tests import is_significant

#: Tests between two metrics.
TestName = Literal["perm-both", "williams", "wilcoxon", "none"]

#: The statistic that metrics are compared by at each level, if it was measured; else the first that can be.
TESTED: dict[str, Cell] = {"system": ("pearson", None), "document": ("kendall", "item"), "segment": ("kendall", "item")}
#: Segments of a pseudo-document.
LENGTH = 100

#: What was measured, by metric, level, statistic and grouping.
Measurements = Mapping[tuple[str, str, str, str | None], Measured]
Rows = list[dict[str, Any]]


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


def compare_metrics(
    benches: Sequence[Bench], sources: Sequence[Source], measured: Measurements, how: MetricTest
) -> tuple[Rows, Rows]:
    """All pairs of metrics on every bench, corrected for their number, and the clusters that follow."""
    pairs: Rows = []
    ranks: Rows = []
    if how.test == "none" or len(sources) < 2:
        return [], []
    for bench in benches:
        cell = _tested(bench, measured, how)
        if cell is None:
            continue
        able = [source for source in sources if _testable(bench, source, how)]
        _warn_of_others(bench, sources, able, how)
        able = [source for source in able if np.isfinite(measured[source.name, bench.level, *cell].value)]
        if len(able) < 2:
            continue
        own = _pairs(bench, able, cell, measured, how)
        pairs += own
        ranked = sorted((one.name for one in able), key=lambda name: -_value(measured[name, bench.level, *cell]))
        keys = {"level": bench.level, "statistic": cell[0], "grouping": cell[1]}
        ranks += [
            keys | {"rank": cluster.rank, "metric": name}
            for cluster in clusters(ranked, _better(own))
            for name in cluster.systems
        ]
    return pairs, ranks


def _better(pairs: Rows) -> Callable[[str, str], bool]:
    beaten = {(one["metric_a"], one["metric_b"]) for one in pairs if one["significant"]}
    return lambda one, other: (one, other) in beaten


def _tested(bench: Bench, measured: Measurements, how: MetricTest) -> Cell | None:
    """The statistic to compare by; Williams and Wilcoxon are tests of one statistic each."""
    cells: list[Cell] = list(dict.fromkeys((key[2], key[3]) for key in measured if key[1] == bench.level))
    if how.test == "williams":
        wanted: Cell = ("pearson", None) if bench.level == "system" else ("pearson", "none")
        return wanted if wanted in cells else None
    if how.test == "wilcoxon":
        return ("spearman", None) if isinstance(bench, SystemBench) and ("spearman", None) in cells else None
    if TESTED[bench.level] in cells:
        return TESTED[bench.level]
    return next((cell for cell in cells if named_statistic(cell[0]).is_tested(bench.level, cell[1])), None)


def _testable(bench: Bench, source: Source, how: MetricTest) -> bool:
    """Whether a source has what the test looks at."""
    if isinstance(bench, SystemBench) and how.test == "perm-both":
        return bool(np.isfinite(source.contributions()).any(axis=1).all())
    if isinstance(bench, SystemBench):
        return how.test == "williams" or source.resampled
    return isinstance(bench, GridBench) and bool(np.isfinite(bench.scores(source)).any())


def _warn_of_others(bench: Bench, sources: Sequence[Source], able: Sequence[Source], how: MetricTest) -> None:
    left = [source.name for source in sources if source not in able]
    if left and isinstance(bench, SystemBench):
        warnings.warn(
            f"{', '.join(left)}: not compared with other metrics at the system level, for {how.test} looks at "
            "scores of segments. --test williams does not.",
            AssayWarning,
            stacklevel=6,
        )


def _pairs(bench: Bench, sources: Sequence[Source], cell: Cell, measured: Measurements, how: MetricTest) -> Rows:
    """Tests of all pairs, the metric with the higher statistic first."""
    p_values = _p_values(bench, sources, cell, how)
    numbers = [pair for pair in combinations(range(len(sources)), 2) if np.isfinite(p_values[pair])]
    adjusted = adjust([p_values[pair] for pair in numbers], how.correction)
    found = []
    for (first, second), corrected in zip(numbers, adjusted, strict=True):
        one, other = (measured[sources[index].name, bench.level, *cell] for index in (first, second))
        names = sources[first].name, sources[second].name
        if _value(one) < _value(other):
            one, other, names = other, one, names[::-1]
        low, high = quantile_pair(one.drawn - other.drawn, one.units)
        found.append(
            {
                "metric_a": names[0],
                "metric_b": names[1],
                "level": bench.level,
                "statistic": cell[0],
                "grouping": cell[1],
                "delta": one.value - other.value,
                "low": low,
                "high": high,
                "p": float(p_values[first, second]),
                "p_adjusted": corrected,
                "significant": is_significant(corrected, how.alpha),
            }
        )
    return found


def _value(measured: Measured) -> float:
    return measured.value if np.isfinite(measured.value) else -np.inf


def _p_values(
    bench: Bench, sources: Sequence[Source], cell: Cell, how: MetricTest
) -> dict[tuple[int, int], float]:  # fmt: skip
    if how.test == "williams":
        return _williams(bench, sources)
    if how.test == "wilcoxon" and isinstance(bench, SystemBench):
        return _wilcoxon(bench, sources, how)
    if isinstance(bench, SystemBench):
        contributions = np.stack([source.contributions() for source in sources])
        made = system_permutation(cell[0], contributions, bench.human[0], samples=how.permutations, seed=how.seed)
    elif isinstance(bench, GridBench):
        grids = np.stack([bench.scores(source) for source in sources])
        options = {"samples": how.permutations, "seed": how.seed, "threads": how.threads}
        made = grid_permutation(cell[0], grids, bench.human, cell[1], **options)  # type: ignore[arg-type]
    else:
        raise ParameterError(f"{how.test} does not test metrics at the {bench.level} level of rankings.")
    return {(one.first, one.second): one.p for one in made}


def _williams(bench: Bench, sources: Sequence[Source]) -> dict[tuple[int, int], float]:
    """From three correlations: of each metric with people, and of the two metrics."""
    if isinstance(bench, SystemBench):
        human, scores = bench.human[0], [bench.scores(source)[0] for source in sources]
    elif isinstance(bench, GridBench):
        human, scores = bench.human.ravel(), [bench.scores(source).ravel() for source in sources]
    else:
        raise ParameterError("Williams's test needs scores, and people ranked here.")
    found = {}
    for first, second in combinations(range(len(sources)), 2):
        there = np.isfinite(human) & np.isfinite(scores[first]) & np.isfinite(scores[second])
        one, other, people = scores[first][there], scores[second][there], human[there]
        found[first, second] = williams_p(
            float(pearson(one, people)), float(pearson(other, people)), float(pearson(one, other)), int(there.sum())
        )
    return found


def _wilcoxon(bench: SystemBench, sources: Sequence[Source], how: MetricTest) -> dict[tuple[int, int], float]:
    """Over pseudo-documents: rank correlations of systems in each of them, for either metric."""
    segments = bench.people.judged.shape[1]
    weights = pseudo_document_weights(segments, min(LENGTH, max(1, segments // 2)), how.permutations, how.seed)
    human = bench.people.system_scores(weights)
    scores = [source.systems(weights) for source in sources]
    return {
        (first, second): pseudo_document_test(scores[first], scores[second], human).p
        for first, second in combinations(range(len(sources)), 2)
    }
