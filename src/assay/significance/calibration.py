"""Do the tests and intervals hold what they promise? Measured on the user's own rows.

The null hypothesis is made true by hand: documents, or segments where there are none, are drawn from the two systems'
own rows, and in each the two outputs change places at random. Whatever a test then calls significant is a false alarm.
For the alternative the outputs stay where they are. Intervals are asked to cover the score of the whole set. What is
drawn here stands for what a new test set would bring; it need not be what the test takes as its unit.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.significance.draws import (
    bca_interval,
    binomial_interval,
    bootstrap_counts,
    interval,
    numbered,
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
    def interval(self) -> tuple[float, float]:
        """Clopper and Pearson's, which is never too narrow."""
        return binomial_interval(self.count, self.of, 0.99)


#: Rows that belong together, such as those of a document.
_Blocks = Sequence[NDArray[np.intp]]
#: By what was measured, and of which test or interval.
_Rates = dict[tuple[str, str], Rate]


def calibrate_tests(
    rows: tuple[Array, Array],
    score: _Scorer,
    tests: Sequence[TestName],
    *,
    units: int,
    blocks: _Blocks | None = None,
    simulations: int = 2000,
    samples: int = 1000,
    alpha: float = 0.05,
    seed: int = 1,
    alternative: bool = True,
    unit_score: _Scorer | None = None,
    progress: Callable[[float], None] | None = None,
) -> _Rates:
    """Reject or not, simulation by simulation, under the null and, unless told otherwise, under the alternative.

    Each simulation draws so many ``units``, each a block of rows, or one row where none are given. ``unit_score``
    scores single rows, where that is not ``score``: t and Wilcoxon's test take these.
    """
    wanted = (_FALSE_POSITIVES, _POWER) if alternative else (_FALSE_POSITIVES,)
    rejected: Counter[tuple[str, str]] = Counter()
    for done, (what, pairs) in enumerate(_simulated_pairs(rows, blocks or _singles(rows[0]), units, simulations, seed)):
        for test in tests if what in wanted else ():
            scorer = (unit_score or score) if test in ("t", "wilcoxon") else score
            values = _p_values(test, pairs, scorer, samples, seed + 1 + done)
            rejected[what, test] += sum(is_significant(value, alpha) for value in values)
        if progress is not None:
            progress((done + 1) / (2 * math.ceil(simulations / _GROUP)))
    return {(what, test): Rate(rejected[what, test], simulations) for test in tests for what in wanted}


def _singles(rows: Array) -> _Blocks:
    return np.arange(len(rows))[:, None]  # type: ignore[return-value]


def _simulated_pairs(
    rows: tuple[Array, Array], blocks: _Blocks, units: int, simulations: int, seed: int
) -> Iterator[tuple[str, list[tuple[Array, Array]]]]:
    """Groups of pairs of systems, first swapped at random (the null), then as they are."""
    generator = stream(seed, "simulated pairs")
    first, second = rows
    sizes = np.array([len(block) for block in blocks])
    for start in range(0, simulations, _GROUP):
        drawn = generator.integers(len(blocks), size=(min(_GROUP, simulations - start), units))
        swaps = generator.integers(2, size=drawn.shape).astype(bool)
        places = [np.concatenate([blocks[block] for block in draw]) for draw in drawn]
        swapped = [np.repeat(swap, sizes[draw])[:, None] for draw, swap in zip(drawn, swaps, strict=True)]
        yield (
            _FALSE_POSITIVES,
            [
                (np.where(swap, second[place], first[place]), np.where(swap, first[place], second[place]))
                for place, swap in zip(places, swapped, strict=True)
            ],
        )
        yield _POWER, [(first[place], second[place]) for place in places]


def _p_values(
    test: TestName, pairs: Sequence[tuple[Array, Array]], score: _Scorer, samples: int, seed: int
) -> Iterator[float]:
    """The p-values of several pairs under the same draws."""
    if test in ("t", "wilcoxon"):
        on_scores = t_p if test == "t" else wilcoxon_p
        yield from (on_scores(score(first), score(second)).value for first, second in pairs)
        return
    randomises = test == "randomisation"
    # What a swap moves from one system to the other is their difference; a bootstrap sample is taken of both.
    tables = [table for first, second in pairs for table in ([second - first] if randomises else [first, second])]
    sums = _sums(tables, samples, seed, swaps=randomises)
    for first, second in pairs:
        observed = float(score(first.sum(0)) - score(second.sum(0)))
        if randomises:
            step = next(sums)
            drawn = score(first.sum(0) + step) - score(second.sum(0) - step)
            yield randomisation_p(drawn, observed, exact=False).value
        else:
            yield bootstrap_p(score(next(sums)) - score(next(sums)), observed, len(first)).value


def _sums(tables: Sequence[Array], samples: int, seed: int, *, swaps: bool = False) -> Iterator[Array]:
    """The sums of tables, which may have rows in different numbers, under the same draws of their first, second ..."""
    longest = max(map(len, tables))
    # A row of zeros adds nothing.
    padded = [np.pad(table, ((0, longest - len(table)), (0, 0))) for table in tables]
    keys = numbered(longest)
    draws = swap_flags(keys, samples, seed) if swaps else bootstrap_counts(keys, samples, seed)
    sums = weighted_sums(padded, draws, samples)
    # Draws of few units may be empty: these say nothing.
    return iter([total if swaps else total[total.any(axis=1)] for total in sums])


def calibrate_intervals(
    rows: Array,
    score: _Scorer,
    *,
    units: int,
    blocks: _Blocks | None = None,
    simulations: int = 2000,
    samples: int = 1000,
    seed: int = 1,
    progress: Callable[[float], None] | None = None,
) -> _Rates:
    """How often the intervals of samples of so many ``units``, each a block of rows, cover the score of all rows."""
    truth, blocks = float(score(rows.sum(0))), blocks or _singles(rows)
    generator = stream(seed, "simulated samples")
    covered = {"percentile": 0, "bca": 0}
    for start in range(0, simulations, _GROUP):
        drawn = [generator.integers(len(blocks), size=units) for _ in range(min(_GROUP, simulations - start))]
        tables = [rows[np.concatenate([blocks[block] for block in draw])] for draw in drawn]
        for table, resampled in zip(tables, _sums(tables, samples, seed + 1 + start), strict=True):
            total, scores = table.sum(0), score(resampled)
            jackknife = score(total - table)
            percentile = interval(scores, len(table), jackknife=jackknife)
            bca = bca_interval(scores, float(score(total)), jackknife)
            for name, (low, high) in (("percentile", percentile), ("bca", bca)):
                covered[name] += low is not None and high is not None and low <= truth <= high
        if progress is not None:
            progress((start + len(tables)) / simulations)
    return {("coverage", name): Rate(count, simulations) for name, count in covered.items()}
