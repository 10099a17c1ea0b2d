"""Rows of all systems, the draws that they share, and what is read from both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from string import ascii_lowercase
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.comparison.decomposition import decompose
from assay.comparison.result import Pair, Standing
from assay.comparison.runs import Spread, TwoLevels, spread_of
from assay.comparison.units import Unit, unit_rows
from assay.metrics.base import Metric, Rows
from assay.metrics.bleu import Bleu
from assay.scoring.statistics import Statistics
from assay.significance.clusters import Better, rank_range
from assay.significance.corrections import adjust
from assay.significance.intervals import Interval, bca_interval, influence_of, percentile_interval
from assay.significance.power import power_of
from assay.significance.tests import PValue, TestName, bootstrap_p, is_significant, randomisation_p, t_p, wilcoxon_p
from assay.significance.weights import all_swaps, bootstrap_counts, swap_flags, weighted_sums

Array = NDArray[np.float64]
Key = tuple[str, str]
Progress = Callable[[float], None]
IntervalName = Literal["percentile", "bca"]
Item = TypeVar("Item")
Found = TypeVar("Found")

#: Segment scores that differ by less are equal: rounding decides no win.
EQUAL = 1e-9
#: Draws that are scored at a time: few enough for what a formula needs in between to stay in a cache.
CHUNK = 5000


@dataclass
class Laboratory:
    """Rows of all runs, the draws that all of them share, and what is read from both."""

    statistics: Mapping[Key, Statistics]
    runs: Mapping[str, tuple[str, ...]]
    unit: Unit
    test: TestName
    interval_name: IntervalName
    seed: int
    samples: int
    bootstrap_samples: int
    threads: int
    alpha: float

    def __post_init__(self) -> None:
        self.keys = list(self.statistics)
        self.rows: dict[Key, Rows] = {key: unit_rows(self.statistics[key], self.unit) for key in self.keys}
        self.units = len(self.rows[self.keys[0]])
        self.has_runs = any(len(runs) > 1 for runs in self.runs.values())
        self.exact = self.units <= 30 and 2**self.units <= self.samples
        self.drawn_samples = 2**self.units if self.exact else self.samples
        self.totals = {key: rows.sum(0) for key, rows in self.rows.items()}
        self._swapped: dict[Key, Array] = {}
        self._resampled: dict[Key, Array] = {}
        self._scores: dict[Key, Array] = {}
        self._jackknives: dict[Key, Array] = {}
        self._segment_scores = {key: self.statistics[key].segment_scores() for key in self.keys}
        self._run_scores = {key: float(self.statistics[key].metric.score(self.totals[key])) for key in self.keys}

    def draw(self, progress: Progress | None) -> None:
        """Add up the rows of every run under the same draws."""
        tables = [self.rows[key] for key in self.keys]
        randomises = self.test == "randomisation" and not self.has_runs
        share = 0.5 if randomises else 1.0
        counts = bootstrap_counts(self.units, self.bootstrap_samples, self.seed)
        sums = weighted_sums(tables, counts, self.bootstrap_samples, part_of(progress, 0.0, share))
        self._resampled = dict(zip(self.keys, sums, strict=True))
        if randomises:
            swaps = all_swaps(self.units) if self.exact else swap_flags(self.units, self.samples, self.seed)
            sums = weighted_sums(tables, swaps, self.drawn_samples, part_of(progress, share, 1.0))
            self._swapped = dict(zip(self.keys, sums, strict=True))
        keys = [(name, metric) for name, metric in self.keys]
        scored = self._in_threads(lambda key: self.statistics[key].metric.score(self._resampled[key]), keys)
        self._scores = dict(zip(keys, scored, strict=True))

    def score(self, system: str, metric: Metric) -> float:
        """The mean over the system's runs."""
        return float(np.mean([self._run_scores[run, str(metric)] for run in self.runs[system]]))

    def resampled_scores(self, system: str, metric: Metric) -> Array:
        """The score under every bootstrap sample, the mean over runs."""
        mean: Array = np.mean([self._scores[run, str(metric)] for run in self.runs[system]], axis=0)
        return mean

    def jackknife(self, system: str, metric: Metric) -> Array:
        """The score without each unit in turn."""
        known = self._jackknives.get((system, str(metric)))
        if known is None:
            keys = [(run, str(metric)) for run in self.runs[system]]
            known = np.mean([metric.score(self.totals[key] - self.rows[key]) for key in keys], axis=0)
            self._jackknives[system, str(metric)] = known
        return known

    def ranked(self, metric: Metric) -> list[str]:
        """The systems, the best first; equal ones by name."""
        sign = -1.0 if metric.higher_is_better else 1.0
        return sorted(self.runs, key=lambda system: (sign * self.score(system, metric), system))

    def interval(self, resampled: Array, observed: float, jackknife: Callable[[], Array]) -> Interval:
        """By the method asked for."""
        if self.interval_name == "bca" and self.units > 1:
            return bca_interval(resampled, observed, jackknife())
        return percentile_interval(resampled, influence=influence_of(jackknife()))

    def spread(self, system: str, metric: Metric) -> Spread:
        """Chance of selection and of training."""
        scores = [self._run_scores[run, str(metric)] for run in self.runs[system]]
        return spread_of(scores, [self._scores[run, str(metric)] for run in self.runs[system]])

    def pairs(self, metric: Metric, wanted: Sequence[tuple[str, str]], correction: str) -> list[Pair]:
        """Tested pairs; the correction is over all of one metric's."""
        tested = self._in_threads(lambda pair: self.p_value(metric, *pair), wanted)
        adjusted = adjust([found.value for found in tested], correction)
        return [
            self._pair(metric, a, b, found, corrected)
            for (a, b), found, corrected in zip(wanted, tested, adjusted, strict=True)
        ]

    def two_levels(self, metric: Metric, *systems: str) -> TwoLevels:
        """Both sources of chance in the score of a system, or in the difference of two."""
        drawn = [self.resampled_scores(system, metric) for system in systems]
        moved = drawn[0] if len(drawn) == 1 else drawn[0] - drawn[1]
        error = float(moved.std(ddof=1)) if len(moved) > 1 else 0.0
        return TwoLevels.of(error, self.units, [self.spread(system, metric) for system in systems])

    def p_value(self, metric: Metric, a: str, b: str) -> PValue:
        """The chance of such a difference between two systems that are equally good."""
        delta = self.score(a, metric) - self.score(b, metric)
        if self.has_runs:
            return self.two_levels(metric, a, b).p_value(delta)
        first, second = self._only(a, metric), self._only(b, metric)
        if self.test == "randomisation":
            return randomisation_p(self._swapped_differences(metric, first, second), delta, exact=self.exact)
        if self.test == "bootstrap":
            return bootstrap_p(self._scores[first] - self._scores[second], delta, self.units)
        on_scores = t_p if self.test == "t" else wilcoxon_p
        return on_scores(metric.score(self.rows[first]), metric.score(self.rows[second]))

    def _swapped_differences(self, metric: Metric, first: Key, second: Key) -> Array:
        """The difference of the scores under every swap."""
        differences = np.empty(self.drawn_samples)
        for start in range(0, self.drawn_samples, CHUNK):
            part = slice(start, start + CHUNK)
            step = self._swapped[second][part] - self._swapped[first][part]
            differences[part] = metric.score(self.totals[first] + step) - metric.score(self.totals[second] - step)
        return differences

    def _pair(self, metric: Metric, a: str, b: str, found: PValue, adjusted: float) -> Pair:
        delta = self.score(a, metric) - self.score(b, metric)
        resampled = self.resampled_scores(a, metric) - self.resampled_scores(b, metric)
        levels = self.two_levels(metric, a, b)
        error = levels.error
        power = power_of(delta, error, self.units, alpha=self.alpha)
        if self.has_runs:
            # More segments do not make training less a matter of chance.
            interval, power = levels.interval(delta), replace(power, needed=None)
        else:
            interval = self.interval(resampled, delta, lambda: self.jackknife(a, metric) - self.jackknife(b, metric))
        first, second = (self.segment_scores(system, metric) for system in (a, b))
        gain = first - second if metric.higher_is_better else second - first
        single = len(self.runs[a]) == 1 and len(self.runs[b]) == 1
        return Pair(
            metric=metric,
            a=a,
            b=b,
            delta=delta,
            interval=interval,
            p=found.value,
            p_adjusted=adjusted,
            significant=is_significant(adjusted, self.alpha),
            exact=found.exact,
            effect=delta / (error * float(np.sqrt(self.units))) if error > 0 else None,
            wins=int((gain > EQUAL).sum()),
            losses=int((gain < -EQUAL).sum()),
            ties=int((np.abs(gain) <= EQUAL).sum()),
            power=power,
            decomposition=decompose(metric, *(self.totals[self._only(system, metric)] for system in (a, b)))
            if isinstance(metric, Bleu) and single
            else None,
        )

    def _only(self, system: str, metric: Metric) -> Key:
        """Where the rows of a system with one run are."""
        (run,) = self.runs[system]
        return run, str(metric)

    def segment_scores(self, system: str, metric: Metric) -> Array:
        """The score of each segment, the mean over runs."""
        mean: Array = np.mean([self._segment_scores[run, str(metric)] for run in self.runs[system]], axis=0)
        return mean

    def standings(self, metric: Metric, ranked: Sequence[str], pairs: Sequence[Pair]) -> list[Standing]:
        """The systems in their order, with what the pairs say about their ranks."""
        better = better_of(pairs)
        letters = dict(zip(ranked, _letters(len(ranked)), strict=True))
        standings = []
        for system in ranked:
            score = self.score(system, metric)
            if len(self.runs[system]) > 1:
                interval = self.two_levels(metric, system).interval(score)
            else:
                resampled = self.resampled_scores(system, metric)
                interval = self.interval(resampled, score, partial(self.jackknife, system, metric))
            best, worst = rank_range(system, ranked, better)
            beaten = "".join(letters[other] for other in ranked if other != system and better(system, other))
            spread = self.spread(system, metric)
            standings.append(Standing(system, metric, score, interval, best, worst, spread, letters[system], beaten))
        return standings

    def _in_threads(self, work: Callable[[Item], Found], items: Sequence[Item]) -> list[Found]:
        """The results of independent work, in order: numpy lets go of the lock."""
        if self.threads == 1 or len(items) < 2:
            return [work(item) for item in items]
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(work, items))


def better_of(pairs: Sequence[Pair]) -> Better:
    """Who is significantly better than whom."""
    won = {
        (one, other)
        for pair in pairs
        for one, other in ((pair.a, pair.b), (pair.b, pair.a))
        if pair.favours(one, other)
    }
    return lambda one, other: (one, other) in won


def _letters(count: int) -> list[str]:
    """a to z, then a1, b1 ..."""
    return [ascii_lowercase[index % 26] + (str(index // 26) if index >= 26 else "") for index in range(count)]


def part_of(progress: Progress | None, start: float, stop: float) -> Progress | None:
    """A progress that fills a part of another."""
    return None if progress is None else lambda done: progress(start + (stop - start) * done)
