"""Do the tests and intervals hold what they promise? Measured on the user's own rows.

The null hypothesis is made true by hand: units are drawn from the two systems' own rows, and in each the two outputs
change places at random. Whatever a test then calls significant is a false alarm. For the alternative the outputs stay
where they are. Intervals are asked to cover the score of the whole set, from which the units are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assay.arrays import Array
from assay.significance.draws import bootstrap_counts, stream, swap_flags
from assay.significance.intervals import (
    Interval,
    bca_interval,
    binomial_interval,
    influence_of,
    percentile_interval,
)
from assay.significance.tests import TestName, bootstrap_p, is_significant, randomisation_p, t_p, wilcoxon_p

_Scorer = Callable[[Array], Array]

#: Simulations that share their draws: drawing is what costs.
_GROUP = 25


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


@dataclass(frozen=True)
class _TestRates:
    """What one test did: false alarms under the null, discoveries under the alternative."""

    test: TestName
    false_positives: Rate
    #: None where the alternative was not asked for.
    power: Rate | None


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
    progress: Callable[[float], None] | None = None,
) -> list[_TestRates]:
    """Reject or not, simulation by simulation, under the null and, unless told otherwise, under the alternative."""
    rejected = {(test, null): 0 for test in tests for null in (True, False)}
    for done, (pairs, null) in enumerate(_simulated_pairs(rows, units, simulations, seed)):
        if not null and not alternative:
            continue
        for test in tests:
            values = _p_values(test, pairs, score, samples, seed + 1 + done)
            rejected[test, null] += sum(is_significant(value, alpha) for value in values)
        if progress is not None:
            progress((done + 1) * _GROUP / (2 * simulations))
    return [
        _TestRates(
            test,
            Rate(rejected[test, True], simulations),
            Rate(rejected[test, False], simulations) if alternative else None,
        )
        for test in tests
    ]


def _simulated_pairs(
    rows: tuple[Array, Array], units: int, simulations: int, seed: int
) -> Iterator[tuple[list[tuple[Array, Array]], bool]]:
    """Groups of pairs of systems, first swapped at random (the null), then as they are."""
    generator = stream(seed, "simulated pairs")
    first, second = rows
    for start in range(0, simulations, _GROUP):
        drawn = generator.integers(len(first), size=(min(_GROUP, simulations - start), units))
        swaps = generator.integers(2, size=drawn.shape).astype(bool)
        null = [
            (np.where(swap[:, None], second[draw], first[draw]), np.where(swap[:, None], first[draw], second[draw]))
            for draw, swap in zip(drawn, swaps, strict=True)
        ]
        yield null, True
        yield [(first[draw], second[draw]) for draw in drawn], False


def _p_values(
    test: TestName, pairs: Sequence[tuple[Array, Array]], score: _Scorer, samples: int, seed: int
) -> list[float]:
    """The p-values of several pairs under the same draws."""
    if test in ("t", "wilcoxon"):
        on_scores = t_p if test == "t" else wilcoxon_p
        return [on_scores(score(first), score(second)).value for first, second in pairs]
    units = len(pairs[0][0])
    observed = [float(score(first.sum(0)) - score(second.sum(0))) for first, second in pairs]
    if test == "randomisation":
        steps = _sums([second - first for first, second in pairs], swap_flags(units, samples, seed))
        differences = [
            score(first.sum(0) + step) - score(second.sum(0) - step)
            for (first, second), step in zip(pairs, steps, strict=True)
        ]
        return [
            randomisation_p(drawn, delta, exact=False).value for drawn, delta in zip(differences, observed, strict=True)
        ]
    firsts = _sums([first for first, _ in pairs], bootstrap_counts(units, samples, seed))
    seconds = _sums([second for _, second in pairs], bootstrap_counts(units, samples, seed))
    return [
        bootstrap_p(score(first) - score(second), delta, units).value
        for first, second, delta in zip(firsts, seconds, observed, strict=True)
    ]


def _sums(tables: Sequence[Array], blocks: Iterator[Array]) -> list[Array]:
    """The sums of several tables under the same weights, by one product."""
    side_by_side = np.hstack(tables)
    sums = np.vstack([weights @ side_by_side for weights in blocks])
    return np.split(sums, len(tables), axis=1)


def calibrate_intervals(
    rows: Array,
    score: _Scorer,
    *,
    units: int,
    simulations: int = 2000,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = 1,
    progress: Callable[[float], None] | None = None,
) -> dict[str, Rate]:
    """How often the intervals of samples of ``units`` cover the score of all rows."""
    truth = float(score(rows.sum(0)))
    generator = stream(seed, "simulated samples")
    covered = {"percentile": 0, "bca": 0}
    for start in range(0, simulations, _GROUP):
        tables = [rows[generator.integers(len(rows), size=units)] for _ in range(min(_GROUP, simulations - start))]
        sums = _sums(tables, bootstrap_counts(units, samples, seed + 1 + start))
        for table, resampled in zip(tables, sums, strict=True):
            total = table.sum(0)
            scores = score(resampled)
            jackknife = score(total - table)
            for name, interval in (
                ("percentile", percentile_interval(scores, confidence, influence=influence_of(jackknife))),
                ("bca", bca_interval(scores, float(score(total)), jackknife, confidence)),
            ):
                covered[name] += interval.low <= truth <= interval.high
        if progress is not None:
            progress((start + len(tables)) / simulations)
    return {name: Rate(count, simulations) for name, count in covered.items()}
