"""Two systems on the same units: rows under draws that all systems share, and what their difference is worth.

It takes rows of counts and functions that score them, and never sees text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any, Literal, TypeVar

import numpy as np

from assay.arrays import Array
from assay.significance.draws import (
    Interval,
    all_swaps,
    bca_interval,
    percentile_interval,
    resampled_sums,
    swap_flags,
    weighted_sums,
)
from assay.significance.tests import Correction, PValue, TestName, bootstrap_p, randomisation_p, t_p, wilcoxon_p

_Scorer = Callable[[Array], Array]
_Progress = Callable[[float], None]
IntervalName = Literal["percentile", "bca"]
#: A system, or one of its runs, and a metric.
Key = tuple[str, str]
#: The names of each system's runs.
_Runs = Mapping[str, Sequence[str]]
Item = TypeVar("Item")
Found = TypeVar("Found")
Number = TypeVar("Number", float, Array)

#: Swaps that are scored at a time: few enough for what a formula needs in between to stay in a cache.
CHUNK = 5000
#: The share of all test sets in which a difference is to be found.
_POWER = 0.8


def runs_of(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The runs of each system, by the part of the name before the last ``@``: ``sys.<name>@<run>.txt``.

    >>> runs_of(["base@1", "base@2", "big"])
    {'base': ('base@1', 'base@2'), 'big': ('big',)}
    """
    by_system: dict[str, list[str]] = {}
    for name in names:
        system, at, run = name.rpartition("@")
        by_system.setdefault(system if at and system and run else name, []).append(name)
    return {system: tuple(runs) for system, runs in by_system.items()}


@dataclass(frozen=True, eq=False)
class Sampled:
    """One system under one metric: the rows of its runs, and what draws make of them. Scores are means over runs."""

    score: _Scorer = field(repr=False)
    #: Of each run, a row per unit.
    rows: tuple[Array, ...] = field(repr=False)
    #: Of each run, its score under every bootstrap sample.
    scores: tuple[Array, ...] = field(repr=False)
    #: The sums of the only run's rows under every swap; empty where no randomisation needs them.
    swapped: Array = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    #: What scores a single unit, where that is not ``score``: t and Wilcoxon's test take these.
    unit_score: _Scorer | None = field(default=None, repr=False)

    @cached_property
    def totals(self) -> tuple[Array, ...]:
        """The sum of each run's rows."""
        return tuple(rows.sum(0) for rows in self.rows)

    @cached_property
    def run_scores(self) -> list[float]:
        """The score of each run."""
        return [float(self.score(total)) for total in self.totals]

    @cached_property
    def value(self) -> float:
        """The score."""
        return float(np.mean(self.run_scores))

    @cached_property
    def resampled(self) -> Array:
        """The score under every bootstrap sample."""
        return np.asarray(np.mean(self.scores, axis=0))

    @cached_property
    def jackknife(self) -> Array:
        """The score without each unit in turn."""
        without = [self.score(total - rows) for total, rows in zip(self.totals, self.rows, strict=True)]
        return np.asarray(np.mean(without, axis=0))

    @property
    def selection(self) -> float:
        """Its standard deviation over bootstrap samples of the units, the mean over runs."""
        return float(np.mean([_deviation(scores) for scores in self.scores]))

    @property
    def training(self) -> float | None:
        """Its standard deviation over runs; None with a single run."""
        return float(np.std(self.run_scores, ddof=1)) if len(self.rows) > 1 else None


@dataclass(frozen=True)
class TwoLevels:
    """The error of a score or of a difference, from the choice of segments and from training.

    Training is a source of chance, like the choice of segments, where a system has several runs.
    """

    error: float
    #: Satterthwaite's degrees of freedom.
    freedom: float

    @classmethod
    def of(cls, selection_error: float, units: int, training: Iterable[tuple[float, int]]) -> TwoLevels:
        """Variances add up: of the segments, which all runs share, and between each system's runs, over their number.

        ``training`` holds the standard deviation over runs, and how many there are, of each system with several. A
        system of one run adds nothing: how its training varies is not known.
        """
        shares = [(selection_error**2, max(units - 1, 1))]
        shares += [(deviation**2 / runs, runs - 1) for deviation, runs in training]
        variance = sum(share for share, _ in shares)
        if variance == 0.0:
            return cls(0.0, float(shares[0][1]))
        return cls(math.sqrt(variance), variance**2 / sum(share**2 / degrees for share, degrees in shares))

    def p_value(self, delta: float) -> PValue:
        """Welch's t."""
        from scipy.special import stdtr

        if self.error == 0.0:
            return PValue(1.0 if delta == 0.0 else 0.0)
        return PValue(2.0 * float(stdtr(self.freedom, -abs(delta) / self.error)))

    def interval(self, observed: float) -> Interval:
        """As many errors to each side as Student's t asks for."""
        from scipy.special import stdtrit

        reach = -float(stdtrit(self.freedom, (1.0 - 0.95) / 2.0)) * self.error
        return Interval(observed - reach, observed + reach)


@dataclass(frozen=True, kw_only=True)
class PairedTest:
    """How systems are told apart: by which test, over which units, with how many draws, at which level."""

    test: TestName
    correction: Correction
    alpha: float
    #: What is drawn and swapped as a whole, and how many there are.
    unit: str
    units: int
    interval: IntervalName
    seed: int
    #: Bootstrap samples, and swaps of a randomisation.
    samples: int
    permutations: int
    #: Whether a system has several runs: the test is then Welch's t over both sources of chance.
    several_runs: bool = False

    @property
    def randomises(self) -> bool:
        """Whether p-values come from swaps."""
        return self.test == "randomisation" and not self.several_runs

    @property
    def exact(self) -> bool:
        """Whether every swap there is can be tried, rather than some drawn."""
        return self.randomises and self.units <= 30 and 2**self.units <= self.permutations

    @property
    def swaps(self) -> int:
        """How many swaps are tried."""
        return 2**self.units if self.exact else self.permutations

    def settings(self) -> dict[str, Any]:
        """What it takes to test again."""
        settings = vars(self) | {"permutations": self.swaps if self.randomises else None, "exact": self.exact}
        runs = settings.pop("several_runs")
        return settings | ({"test": "two-level t"} if runs else {})

    def draw(
        self, rows: Mapping[Key, Array], scorers: Mapping[str, _Scorer], runs: _Runs, threads: int = 1,
        progress: _Progress | None = None,
    ) -> dict[Key, Sampled]:  # fmt: skip
        """Every system under every metric, with the draws that its test and its interval need."""
        half = 0.5 if self.randomises else 1.0
        first = _part(progress, 0.0, half)
        drawn = resample(rows, scorers, runs, samples=self.samples, seed=self.seed, threads=threads, progress=first)
        if not self.randomises:
            return drawn
        flags = all_swaps(self.units) if self.exact else swap_flags(self.units, self.permutations, self.seed)
        sums = weighted_sums(list(rows.values()), flags, self.swaps, _part(progress, half, 1.0))
        swapped = dict(zip(rows, sums, strict=True))
        return {key: replace(sampled, swapped=swapped[runs[key[0]][0], key[1]]) for key, sampled in drawn.items()}

    def p_value(self, first: Sampled, second: Sampled) -> PValue:
        """The chance of such a difference between two systems that are equally good."""
        delta = first.value - second.value
        if self.several_runs:
            return self.error(first, second).p_value(delta)
        if self.test == "randomisation":
            differences = np.concatenate(list(swapped_differences(first, second)))
            return randomisation_p(differences, delta, exact=self.exact)
        if self.test == "bootstrap":
            return bootstrap_p(first.resampled - second.resampled, delta, self.units)
        on_scores = t_p if self.test == "t" else wilcoxon_p
        return on_scores(*((system.unit_score or system.score)(system.rows[0]) for system in (first, second)))

    def error(self, *systems: Sampled) -> TwoLevels:
        """Both sources of chance in the score of a system, or in the difference of two."""
        known = [(system.training, len(system.rows)) for system in systems]
        several = [(deviation, runs) for deviation, runs in known if deviation is not None]
        return TwoLevels.of(_deviation(_less(system.resampled for system in systems)), self.units, several)

    def interval_of(self, *systems: Sampled) -> Interval:
        """Of a system's score, or of the difference of two."""
        value = _less(system.value for system in systems)
        if self.several_runs if len(systems) > 1 else len(systems[0].rows) > 1:
            return self.error(*systems).interval(value)
        resampled = _less(system.resampled for system in systems)
        jackknife = _less(system.jackknife for system in systems)
        if self.interval == "bca" and self.units > 1:
            return bca_interval(resampled, value, jackknife)
        return percentile_interval(resampled, jackknife=jackknife)

    def power(self, delta: float, error: float) -> tuple[float, int | None]:
        """What such units can show, by the normal approximation: (z of alpha/2 + z of power) standard errors.

        First the smallest true difference that the test would find in 80 % of all such test sets. Then how many units
        of the same kind would show the difference that was seen; None where there is none.
        """
        normal = NormalDist()
        detectable = (normal.inv_cdf(1.0 - self.alpha / 2.0) + normal.inv_cdf(_POWER)) * error
        # More segments do not make training less a matter of chance.
        hopeless = delta == 0.0 or self.several_runs
        return detectable, None if hopeless else math.ceil(self.units * (detectable / delta) ** 2)

    def effect(self, delta: float, error: float) -> float | None:
        """The difference in standard deviations of one unit's share in it: Cohen's d for paired samples."""
        return delta / (error * float(np.sqrt(self.units))) if error > 0 else None


def resample(
    rows: Mapping[Key, Array], scorers: Mapping[str, _Scorer], runs: _Runs, *, samples: int, seed: int,
    threads: int = 1, progress: _Progress | None = None,
) -> dict[Key, Sampled]:  # fmt: skip
    """Every system under every metric, by the same bootstrap samples; ``rows`` are by run, and ``runs`` names them."""
    sums = resampled_sums(list(rows.values()), samples, seed, progress)
    work = [(scorers[metric], total) for (_, metric), total in zip(rows, sums, strict=True)]
    scores = dict(zip(rows, in_threads(lambda job: job[0](job[1]), work, threads), strict=True))
    return {
        (system, metric): Sampled(
            scorer, tuple(rows[run, metric] for run in names), tuple(scores[run, metric] for run in names)
        )
        for system, names in runs.items()
        for metric, scorer in scorers.items()
    }


def swapped_differences(first: Sampled, second: Sampled) -> Iterator[Array]:
    """The difference of two scores under every swap, block by block."""
    for start in range(0, len(first.swapped), CHUNK):
        step = second.swapped[start : start + CHUNK] - first.swapped[start : start + CHUNK]
        yield first.score(first.totals[0] + step) - second.score(second.totals[0] - step)


def in_threads(work: Callable[[Item], Found], items: Sequence[Item], threads: int) -> list[Found]:
    """The results of independent work, in order: numpy lets go of the lock."""
    if threads == 1 or len(items) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, items))


def _less(values: Iterable[Number]) -> Number:
    """One value, or the first of two less the second."""
    first, *others = values
    return first - others[0] if others else first


def _deviation(resampled: Array) -> float:
    return float(resampled.std(ddof=1)) if len(resampled) > 1 else 0.0


def _part(progress: _Progress | None, start: float, stop: float) -> _Progress | None:
    """A progress that fills a part of another."""
    return None if progress is None else lambda done: progress(start + (stop - start) * done)
