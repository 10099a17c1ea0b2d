"""Do the tests and intervals hold what they promise? Measured on the user's own rows.

The null hypothesis is made true by hand: units are drawn from the two systems' own rows, and in each the two outputs
change places at random. Whatever a test then calls significant is a false alarm. For the alternative the outputs stay
where they are. Intervals are asked to cover the score of the whole set, from which the units are drawn.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assay.arrays import Array
from assay.significance.draws import (
    Interval,
    bca_interval,
    binomial_interval,
    bootstrap_counts,
    percentile_interval,
    stream,
    swap_flags,
    weighted_sums,
)
from assay.significance.tests import TestName, bootstrap_p, is_significant, randomisation_p, t_p, wilcoxon_p

_Scorer = Callable[[Array], Array]

#: Simulations that share their draws: drawing is what costs.
_GROUP = 25
#: What tests do: false alarms under the null, discoveries under the alternative.
_FALSE_POSITIVES, _POWER = "false positives", "power"


@dataclass(frozen=True)
class Rate:
    """How often something happened in so many simulations, with a 99 % binomial interval."""

    count: int
    of: int

    @property
    def share(self) -> float:
        """Between 0 and 1."""
        return self.count / self.of

    @property
    def interval(self) -> Interval:
        """Clopper and Pearson's, which is never too narrow."""
        return binomial_interval(self.count, self.of, 0.99)


#: By what was measured, and of which test or interval.
_Rates = dict[tuple[str, str], Rate]


def calibrate_tests(
    rows: tuple[Array, Array],
    score: _Scorer,
    tests: Sequence[TestName],
    *,
    units: int,
    simulations: int = 2000,
    samples: int = 1000,
    alpha: float = 0.05,
    seed: int = 1,
    alternative: bool = True,
    unit_score: _Scorer | None = None,
    progress: Callable[[float], None] | None = None,
) -> _Rates:
    """Reject or not, simulation by simulation, under the null and, unless told otherwise, under the alternative.

    ``unit_score`` scores single units, where that is not ``score``: t and Wilcoxon's test take these.
    """
    wanted = (_FALSE_POSITIVES, _POWER) if alternative else (_FALSE_POSITIVES,)
    rejected: Counter[tuple[str, str]] = Counter()
    for done, (what, pairs) in enumerate(_simulated_pairs(rows, units, simulations, seed)):
        for test in tests if what in wanted else ():
            scorer = (unit_score or score) if test in ("t", "wilcoxon") else score
            values = _p_values(test, pairs, scorer, samples, seed + 1 + done)
            rejected[what, test] += sum(is_significant(value, alpha) for value in values)
        if progress is not None:
            progress((done + 1) / (2 * math.ceil(simulations / _GROUP)))
    return {(what, test): Rate(rejected[what, test], simulations) for test in tests for what in wanted}


def _simulated_pairs(
    rows: tuple[Array, Array], units: int, simulations: int, seed: int
) -> Iterator[tuple[str, list[tuple[Array, Array]]]]:
    """Groups of pairs of systems, first swapped at random (the null), then as they are."""
    generator = stream(seed, "simulated pairs")
    first, second = rows
    for start in range(0, simulations, _GROUP):
        drawn = generator.integers(len(first), size=(min(_GROUP, simulations - start), units))
        swaps = generator.integers(2, size=(*drawn.shape, 1)).astype(bool)
        yield (
            _FALSE_POSITIVES,
            [
                (np.where(swap, second[draw], first[draw]), np.where(swap, first[draw], second[draw]))
                for draw, swap in zip(drawn, swaps, strict=True)
            ],
        )
        yield _POWER, [(first[draw], second[draw]) for draw in drawn]


def _p_values(
    test: TestName, pairs: Sequence[tuple[Array, Array]], score: _Scorer, samples: int, seed: int
) -> Iterator[float]:
    """The p-values of several pairs under the same draws."""
    if test in ("t", "wilcoxon"):
        on_scores = t_p if test == "t" else wilcoxon_p
        yield from (on_scores(score(first), score(second)).value for first, second in pairs)
        return
    units, randomises = len(pairs[0][0]), test == "randomisation"
    # What a swap moves from one system to the other is their difference; a bootstrap sample is taken of both.
    tables = [table for first, second in pairs for table in ([second - first] if randomises else [first, second])]
    draws = swap_flags(units, samples, seed) if randomises else bootstrap_counts(units, samples, seed)
    sums = iter(weighted_sums(tables, draws, samples))
    for first, second in ((first.sum(0), second.sum(0)) for first, second in pairs):
        observed = float(score(first) - score(second))
        if randomises:
            step = next(sums)
            yield randomisation_p(score(first + step) - score(second - step), observed, exact=False).value
        else:
            yield bootstrap_p(score(next(sums)) - score(next(sums)), observed, units).value


def calibrate_intervals(
    rows: Array,
    score: _Scorer,
    *,
    units: int,
    simulations: int = 2000,
    samples: int = 1000,
    seed: int = 1,
    progress: Callable[[float], None] | None = None,
) -> _Rates:
    """How often the intervals of samples of ``units`` cover the score of all rows."""
    truth = float(score(rows.sum(0)))
    generator = stream(seed, "simulated samples")
    covered = {"percentile": 0, "bca": 0}
    for start in range(0, simulations, _GROUP):
        tables = [rows[generator.integers(len(rows), size=units)] for _ in range(min(_GROUP, simulations - start))]
        sums = weighted_sums(tables, bootstrap_counts(units, samples, seed + 1 + start), samples)
        for table, resampled in zip(tables, sums, strict=True):
            total, scores = table.sum(0), score(resampled)
            jackknife = score(total - table)
            percentile = percentile_interval(scores, jackknife=jackknife)
            bca = bca_interval(scores, float(score(total)), jackknife)
            for name, interval in (("percentile", percentile), ("bca", bca)):
                covered[name] += interval.low <= truth <= interval.high
        if progress is not None:
            progress((start + len(tables)) / simulations)
    return {("coverage", name): Rate(count, simulations) for name, count in covered.items()}
