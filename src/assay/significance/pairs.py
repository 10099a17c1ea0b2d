"""Two systems on the same units: rows under draws that all systems share, and what their difference is worth.

It takes rows of counts and functions that score them, and never sees text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

import numpy as np

from assay.arrays import Array
from assay.properties import cached_property
from assay.significance.draws import (
    FEWEST_UNITS,
    NO_INTERVAL,
    Interval,
    Units,
    all_swaps,
    bca_interval,
    bootstrap_counts,
    degrees_of_freedom,
    interval,
    quantiles,
    resampled_scores,
    satterthwaite,
    student_quantile,
    swap_flags,
    weighted_sums,
)
from assay.significance.tests import (
    Correction,
    PValue,
    TestName,
    above_zero,
    draws_for,
    is_significant,
    reached,
    stretched_tail,
    t_p,
    wilcoxon_p,
)
from assay.threads import in_threads

_Scorer = Callable[[Array], Array]
_Progress = Callable[[float], None]
IntervalName = Literal["percentile", "bca"]
#: A system, or one of its runs, and a metric.
Key = tuple[str, str]
#: The names of each system's runs.
_Runs = Mapping[str, Sequence[str]]
Number = TypeVar("Number", float, Array)

#: Swaps that are scored at a time: few enough for what a formula needs in between to stay in a cache.
CHUNK = 5000
#: A deviation that is a smaller share of the values is one of their last digits.
_ROUNDING = 1e-12
#: Threads are given pairs in so many parts.
_PARTS = 16
#: Draws of a test, at least.
_DRAWS = 10_000
#: A pair of which so many of the usual draws reach what was seen needs no further ones.
_STOP = 100
#: The share of all test sets in which a difference is to be found.
_POWER = 0.8
#: Where fewer units differ, and others do not, samples know too little of those that would.
_RARE = 10
#: Differences that are smaller are none: rounding decides nothing.
_EQUAL = 1e-9
#: From so many degrees of freedom on a series gives quantiles of Student's t.
_MANY_DEGREES = 30


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
    #: Of each run, the rows that are drawn and left out, where these are not ``rows``: what each unit brings to their
    #: sum, the fit of the metric included. They may be of more units, those of the whole that it is fitted to.
    drawn: tuple[Array, ...] = field(default=(), repr=False)
    #: What scores a single unit, where that is not ``score``: t and Wilcoxon's test take these.
    unit_score: _Scorer | None = field(default=None, repr=False)
    #: How large units are, by the sums of their rows; what gives nothing leaves it at the sum of all counts.
    size: Callable[[Array], Array | None] | None = field(default=None, repr=False)
    #: The variance over runs of systems that have several, and its degrees of freedom, where this one has one run.
    borrowed: tuple[float, int] | None = field(default=None, repr=False)

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
    def without(self) -> Array:
        """The score without each unit that is drawn in turn."""
        without = [self.score(total - rows) for total, rows in zip(self.totals, self.drawn or self.rows, strict=True)]
        return np.asarray(np.mean(without, axis=0))

    @property
    def jackknife(self) -> Array:
        """The score without each of its own units in turn."""
        return self.without[: len(self.rows[0])]

    @cached_property
    def summands(self) -> tuple[Array, Array] | None:
        """What each unit adds to the score where that is a mean, and how many scores it has; of a single run."""
        sizes = None if self.size is None or len(self.rows) > 1 else self.size(self.rows[0])
        if sizes is None:
            return None
        return np.where(sizes > 0.0, self.score(self.rows[0]), 0.0) * sizes / sizes.sum(), sizes

    @property
    def blind(self) -> bool:
        """Whether nobody can say what other units would bring: there is no interval then."""
        return any(bool(np.isnan(rows).any()) for rows in self.drawn)

    @property
    def selection(self) -> float | None:
        """Its standard deviation over bootstrap samples of the units, the mean over runs."""
        return None if self.blind else float(np.mean([_deviation(scores) for scores in self.scores]))

    @property
    def variance(self) -> float | None:
        """Over runs; None with a single run."""
        return float(np.var(self.run_scores, ddof=1)) if len(self.rows) > 1 else None

    @property
    def training_variance(self) -> float | None:
        """The variance that training brings, below 0 where chance has it so; None with a single run.

        Runs that are equally good differ on so many units, too, by what their translations happen to be: that is known
        from the bootstrap, and is taken off.
        """
        if self.variance is None:
            return None
        apart = np.array(self.scores) - np.array(self.run_scores)[:, None]
        by_chance = float(np.nanmean(apart.var(axis=0, ddof=1))) if np.isfinite(apart).any() else 0.0
        return self.variance - by_chance

    @property
    def training(self) -> float | None:
        """The standard deviation that training brings; None with a single run."""
        return None if self.training_variance is None else math.sqrt(max(self.training_variance, 0.0))


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
        """Variances add up: of the segments, which all runs share, and between runs, over their number.

        ``training`` holds such variances, with their degrees of freedom.
        """
        shares = [(selection_error**2, max(units - 1, 1)), *training]
        variance, freedom = satterthwaite(shares)
        return cls(math.sqrt(variance), freedom if variance > 0.0 else float(shares[0][1]))

    def p_value(self, delta: float) -> PValue:
        """Welch's t."""
        from scipy.special import stdtr

        if self.error == 0.0:
            return PValue(1.0 if delta == 0.0 else above_zero(2.0**-self.freedom))
        return PValue(above_zero(2.0 * float(stdtr(self.freedom, -abs(delta) / self.error))))

    def interval(self, observed: float, together: int = 1) -> Interval:
        """As many errors to each side as Student's t asks for; of so many ``together``, each leaves out its share."""
        reach = self.reach(together)
        return Interval(observed - reach, observed + reach)

    def reach(self, together: int = 1) -> float:
        """How far the interval goes to either side."""
        from scipy.special import stdtrit

        return -float(stdtrit(self.freedom, (1.0 - 0.95) / 2.0 / together)) * self.error


@dataclass(frozen=True, kw_only=True)
class PairedTest:
    """How systems are told apart: by which test, over which units, with how many draws, at which level."""

    test: TestName
    correction: Correction
    alpha: float
    #: What is drawn and swapped as a whole.
    units: Units
    interval: IntervalName
    seed: int
    #: Bootstrap samples, and swaps of a randomisation.
    samples: int
    #: None for as many as the number of comparisons needs.
    permutations: int | None = None
    #: How many comparisons p-values are corrected for.
    comparisons: int = 1
    #: Whether a system has several runs: the test is then Welch's t over both sources of chance.
    several_runs: bool = False

    @property
    def randomises(self) -> bool:
        """Whether p-values come from swaps."""
        return self.test == "randomisation" and self.simulates

    @property
    def simulates(self) -> bool:
        """Whether p-values come from random draws, of swaps or of samples."""
        return self.test in ("randomisation", "bootstrap") and not (self.several_runs or self.few)

    @property
    def few(self) -> bool:
        """Whether no swaps of so few units could make the first of all comparisons significant: t is taken then."""
        randomised = self.test == "randomisation" and not self.several_runs and len(self.units) >= FEWEST_UNITS
        first = self.alpha / (self.comparisons if self.correction != "none" else 1)
        return randomised and 2.0 ** (1 - len(self.units)) > first

    @property
    def exact(self) -> bool:
        """Whether every swap there is can be tried, rather than some drawn."""
        return self.randomises and len(self.units) <= 30 and 2 ** len(self.units) <= self._drawn

    @property
    def _drawn(self) -> int:
        return draws_for(self.comparisons, self.alpha, _DRAWS) if self.permutations is None else self.permutations

    @property
    def draws(self) -> int:
        """How many swaps, or samples, p-values come from."""
        return 2 ** len(self.units) if self.exact else self._drawn

    @property
    def stops(self) -> bool:
        """Whether pairs that are clearly not significant have fewer draws than others."""
        return self.simulates and not self.exact and self.permutations is None and self.draws > _DRAWS

    @property
    def smallest(self) -> float:
        """The smallest p-value that there can be, corrected for the number of comparisons."""
        least = 2.0 / self.draws if self.exact else 1.0 / (self.draws + 1)
        if self.test == "bootstrap":
            least = stretched_tail(least, len(self.units))
        return least * (self.comparisons if self.correction == "holm" else 1) if self.simulates else 0.0

    @property
    def can_tell(self) -> bool:
        """Whether any p-value could be significant: not if draws are too few for so many comparisons."""
        return is_significant(self.smallest, self.alpha)

    @property
    def draws_units(self) -> bool:
        """Whether p-values come from units that are drawn or left out, rather than from what is swapped or ranked."""
        return not self.randomises and (self.test not in ("t", "wilcoxon") or self.several_runs)

    def settings(self) -> dict[str, Any]:
        """What it takes to test again."""
        settings = vars(self) | {"unit": self.units.name, "units": len(self.units), "exact": self.exact}
        settings |= {"permutations": self.draws if self.simulates else None, "stops": self.stops}
        runs = settings.pop("several_runs")
        return settings | ({"test": "two-level t"} if runs else {"test": "few-cluster t"} if self.few else {})

    def resample(
        self, rows: Mapping[Key, Array], scorers: Mapping[str, _Scorer], runs: _Runs, units: Units,
        drawn: Mapping[Key, Array] | None = None, **how: Any,
    ) -> dict[Key, Sampled]:  # fmt: skip
        """Every system under every metric, by the same bootstrap samples; rows are by run, and ``runs`` names them.

        ``drawn`` are the rows that draws add up, where these are others.
        """
        drawn = rows if drawn is None else drawn
        jobs = [(scorers[metric], table) for (_, metric), table in drawn.items()]
        found = resampled_scores(jobs, units, samples=self.samples, seed=self.seed, **how)
        scores = dict(zip(drawn, found, strict=True))
        return {
            (system, metric): Sampled(
                scorer,
                tuple(rows[run, metric] for run in names),
                tuple(scores[run, metric] for run in names),
                tuple(drawn[run, metric] for run in names),
            )
            for system, names in runs.items()
            for metric, scorer in scorers.items()
        }

    def p_values(
        self, systems: Mapping[str, Sampled], pairs: Sequence[tuple[str, str]], threads: int = 1,
        progress: _Progress | None = None,
    ) -> list[PValue | None]:  # fmt: skip
        """Of each pair the chance of such a difference between systems that are equally good.

        None where there are too few units to tell, or units cannot be drawn. All pairs see the same draws, a block
        after the other.
        """
        if len(self.units) < FEWEST_UNITS or (self.draws_units and any(system.blind for system in systems.values())):
            return [None] * len(pairs)
        if not self.simulates:
            return list(in_threads(lambda pair: self._formula(*(systems[name] for name in pair)), pairs, threads))
        observed = {pair: systems[pair[0]].value - systems[pair[1]].value for pair in pairs}
        counts = dict.fromkeys(pairs, (0, 0))
        going, looked = list(pairs), False
        of_pair = self._shifted if not self.randomises else self._swapped_means if _means(systems) else self._swapped
        for done, sums in self._draw_sums(systems):
            # Means take so little work that threads get many pairs at once.
            parts = [going[start::_PARTS] for start in range(min(_PARTS, len(going)))]

            def reaching(part: Sequence[tuple[str, str]]) -> list[tuple[int, int]]:
                drawn = [of_pair(*((systems[name], sums[name]) for name in pair)) for pair in part]  # noqa: B023
                pairs = zip(part, drawn, strict=True)
                return [(int(reached(values, observed[pair]).sum()), len(values)) for pair, values in pairs]

            for part, found in zip(parts, in_threads(reaching, parts, threads), strict=True):
                for pair, (reached_by, number) in zip(part, found, strict=True):
                    counts[pair] = counts[pair][0] + reached_by, counts[pair][1] + number
            if self.stops and done >= _DRAWS and not looked:
                # To look once keeps p valid: who stops has the p-value of the usual draws, which is above 0.01, and
                # who goes on had a smaller one there.
                going, looked = [pair for pair in going if counts[pair][0] < _STOP], True
            if progress is not None:
                progress(done / self.draws if going else 1.0)
            if not going:
                break
        return [self._simulated(*counts[pair]) for pair in pairs]

    def _simulated(self, reached_by: int, drawn: int) -> PValue:
        if self.exact:
            return PValue(reached_by / drawn, exact=True)
        share = (reached_by + 1) / (drawn + 1)
        return PValue(share if self.randomises else stretched_tail(share, len(self.units)))

    def _draw_sums(self, systems: Mapping[str, Sampled]) -> Iterator[tuple[int, dict[str, Array]]]:
        """Sums of every system's rows that are swapped, or drawn, block by block, and how many draws that makes."""
        # Who swaps outputs leaves the references, and with them the fit of a metric, as they are.
        swapped, of_means = self.randomises, _means(systems)
        tables = [(system.rows if swapped else system.drawn or system.rows)[0] for system in systems.values()]
        if swapped and of_means:
            tables = [summands[:, None] for summands, _ in of_means]
        keys, done = self.units.keys, 0
        if self.units.whole is not None and len(tables[0]) > len(keys):
            keys = self.units.whole.keys
        blocks: Iterable[Any] = bootstrap_counts(keys, self.draws, self.seed)
        if self.randomises:
            blocks = all_swaps(len(self.units)) if self.exact else swap_flags(keys, self.draws, self.seed)
        for block in blocks:
            for start in range(0, len(block), CHUNK):
                weights = block[start : start + CHUNK].astype(np.float64)
                if not self.randomises:
                    # Where nothing was drawn there is nothing to score.
                    weights = weights[weights[:, : len(self.units)].any(axis=1)]
                done += len(block[start : start + CHUNK])
                yield done, dict(zip(systems, weighted_sums(tables, [weights], len(weights)), strict=True))

    @staticmethod
    def _swapped(first: tuple[Sampled, Array], second: tuple[Sampled, Array]) -> Array:
        """Differences under swaps, from each system's rows that are swapped, added up."""
        step = second[1] - first[1]
        return first[0].score(first[0].totals[0] + step) - second[0].score(second[0].totals[0] - step)

    @staticmethod
    def _swapped_means(first: tuple[Sampled, Array], second: tuple[Sampled, Array]) -> Array:
        """The same of means of the same size: whatever changes places is taken from one and given to the other."""
        return first[0].value - second[0].value + 2.0 * (second[1] - first[1])[:, 0]

    @staticmethod
    def _shifted(first: tuple[Sampled, Array], second: tuple[Sampled, Array]) -> Array:
        """Differences of bootstrap samples, shifted so that the null hypothesis holds for them."""
        return first[0].score(first[1]) - second[0].score(second[1]) - (first[0].value - second[0].value)

    def _formula(self, first: Sampled, second: Sampled) -> PValue:
        """Without draws."""
        if self.several_runs:
            return self.error(first, second).p_value(first.value - second.value)
        if self.few:
            return _few_cluster_p(first, second)
        on_scores = t_p if self.test == "t" else wilcoxon_p
        return on_scores(*((system.unit_score or system.score)(system.rows[0]) for system in (first, second)))

    def error(self, *systems: Sampled) -> TwoLevels:
        """Both sources of chance in the score of a system, or in the difference of two.

        How the training of a system with one run varies is borrowed from the others.
        """
        runs = [len(system.rows) for system in systems]
        training = [
            (system.variance / len(system.rows), len(system.rows) - 1)
            for system in systems
            if system.variance is not None
        ]
        lent = next((system.borrowed for system in systems if system.borrowed is not None), None)
        if lent is not None and len(systems) > 1:
            training = [(lent[0] * sum(1.0 / count for count in runs), lent[1])]
        return TwoLevels.of(_deviation(_less(system.resampled for system in systems)), len(self.units), training)

    def interval_of(self, *systems: Sampled) -> Interval:
        """Of a system's score, or of the difference of two; of means that seldom differ no narrower than ``_rare``."""
        value = _less(system.value for system in systems)
        if any(system.blind for system in systems):
            return NO_INTERVAL
        if self.several_runs if len(systems) > 1 else len(systems[0].rows) > 1:
            return self.error(*systems).interval(value) if len(self.units) >= FEWEST_UNITS else NO_INTERVAL
        resampled = _less(system.resampled for system in systems)
        jackknife = _less(system.jackknife for system in systems)
        if self.interval == "bca":
            found = bca_interval(resampled, value, jackknife)
        else:
            found = interval(resampled, len(jackknife), jackknife=jackknife)
        return self._rare(systems, found)

    def _rare(self, systems: Sequence[Sampled], found: Interval, together: int = 1) -> Interval:
        """The interval, if it is of two means' difference made wider where few units differ, and others do not.

        Samples know nothing of differences that did not come up: of five right and wrong answers that are alike all
        samples say 0. So it holds Student's t over the units and two more, which differ as the others do (the root of
        the mean square), one to each side, as Agresti and Min (2005) add to 2 x 2 tables. Where no unit differs the two
        differ by the smallest step between scores, if these come in steps: units have half as many of them, or fewer.
        Where all scores are the same nobody can say, and there is no interval.
        """
        both = _means(dict(zip("ab", systems, strict=True))) if len(systems) == 2 else None
        if both is None or found.low is None or found.high is None:
            return found
        units = len(both[0][0])
        scores = np.array([summands * units for summands, _ in both])
        apart = scores[0] - scores[1]
        differ = np.abs(apart) > _EQUAL * max(1.0, float(np.abs(scores).max()))
        if differ.sum() >= min(_RARE, units):
            return found
        step = float(np.sqrt((apart[differ] ** 2).mean())) if differ.any() else _step(scores)
        if step is None:
            return NO_INTERVAL
        more = np.array([*np.where(differ, apart, 0.0), step, -step])
        error = float(more.std(ddof=1)) / math.sqrt(len(more))
        reach = TwoLevels(error, len(more) - 1.0).reach(together)
        return Interval(min(found.low, float(more.mean()) - reach), max(found.high, float(more.mean()) + reach))

    def simultaneous(self, pairs: Sequence[tuple[Sampled, Sampled]]) -> list[Interval]:
        """Intervals of differences that hold for all pairs together.

        The largest of all deviations, each in its own standard errors, is below what they reach in 95 % of the draws;
        as many errors of Student's t as that leave as much beyond. Its degrees of freedom are the median of the pairs'.
        Of several runs each interval leaves out its share of 5 %. A pair with too few units of its own, for it has few
        scores in common, has none.
        """
        units = np.array([len(first.rows[0]) for first, _ in pairs])
        if (units < FEWEST_UNITS).any():
            told = iter(
                self.simultaneous([pair for pair, own in zip(pairs, units, strict=True) if own >= FEWEST_UNITS])
            )
            return [next(told) if own >= FEWEST_UNITS else NO_INTERVAL for own in units]
        if not pairs or any(system.blind for pair in pairs for system in pair):
            return [NO_INTERVAL] * len(pairs)
        values = np.array([first.value - second.value for first, second in pairs])
        both = [self.error(*pair) for pair in pairs]
        if self.several_runs:
            # Training is in the errors, but not in the draws.
            return [one.interval(value, len(pairs)) for one, value in zip(both, values.tolist(), strict=True)]
        errors = np.array([one.error for one in both])
        apart = np.array([first.resampled - second.resampled for first, second in pairs]) - values[:, None]
        # A draw in which nothing was drawn says nothing, nor does a pair without any error.
        apart = apart[:, np.isfinite(apart).all(axis=0)]
        largest = np.max(np.abs(apart[errors > 0]) / errors[errors > 0, None], axis=0, initial=0.0)
        from scipy.special import ndtr, stdtrit

        freedom = np.median(
            [degrees_of_freedom(len(pair[0].rows[0]), _less(system.jackknife for system in pair)) for pair in pairs]
        )
        # Samples of n vary less than the truth, by the root of n/(n-1).
        errors *= np.sqrt(units / (units - 1))
        reach = -float(stdtrit(freedom, ndtr(-quantiles(largest, [0.95])[0]))) * errors
        ends = [Interval(value - far, value + far) for value, far in zip(values.tolist(), reach.tolist(), strict=True)]
        return [self._rare(pair, found, len(pairs)) for pair, found in zip(pairs, ends, strict=True)]

    def level(self, found: int = 0) -> float:
        """What a p-value is held against if ``found`` of the other comparisons are significant.

        Holm's correction divides alpha by the comparisons that are left, Benjamini and Hochberg's multiplies it by the
        share that is found.
        """
        if self.correction == "holm":
            return self.alpha / max(self.comparisons - found, 1)
        share = min(found + 1, self.comparisons) / self.comparisons
        return self.alpha * (share if self.correction == "benjamini-hochberg" else 1.0)

    def power(self, error: float, ends: Interval, found: int = 0) -> tuple[float | None, int | None, int | None]:
        """What such units can show: the smallest true difference that is found in 80 % of all such test sets.

        That is so many standard errors as Student's t asks for at the level that the correction leaves to a comparison
        if ``found`` others are significant. Then how many units of the same kind would show a difference like the one
        that was seen: the fewest and the most, by the ends of its interval; None for most if that holds 0. Nothing of
        tests that look at other differences than those of the corpus score, nor of too few units or draws.
        """
        tells = self.test not in ("t", "wilcoxon") and not (self.several_runs or self.few) and self.can_tell
        if not tells or error == 0.0 or ends.low is None or ends.high is None:
            return None, None, None
        tails = (self.level(found) / 2.0, 1.0 - _POWER)
        detectable = -sum(_student_quantile(tail, len(self.units) - 1) for tail in tails) * error
        far = max(abs(ends.low), abs(ends.high))
        near = 0.0 if ends.low <= 0.0 <= ends.high else min(abs(ends.low), abs(ends.high))
        most = math.ceil(len(self.units) * (detectable / near) ** 2) if near > 0.0 else None
        return detectable, math.ceil(len(self.units) * (detectable / far) ** 2) if far > 0.0 else None, most

    def effect(self, delta: float, error: float) -> float | None:
        """The difference in standard deviations of one unit's share in it: Cohen's d for paired samples.

        None where nothing varies, and of too few units to say how they do.
        """
        known = error > 0 and len(self.units) >= FEWEST_UNITS
        return delta / (error * float(np.sqrt(len(self.units)))) if known else None


def _means(systems: Mapping[str, Sampled]) -> list[tuple[Array, Array]] | None:
    """What units add to the scores, if these are means over the same number of scores in every unit."""
    listed = [system.summands for system in systems.values()]
    known = [summands for summands in listed if summands is not None]
    alike = len(known) == len(listed) and all(np.array_equal(sizes, known[0][1]) for _, sizes in known)
    return known if alike else None


def _step(scores: Array) -> float | None:
    """The smallest difference between scores that come in steps; 0 if they do not, None if all are the same."""
    distinct = np.unique(scores)
    gaps = np.diff(distinct)[np.diff(distinct) > _EQUAL * max(1.0, float(np.abs(scores).max()))]
    if not len(gaps):
        return None
    return float(gaps.min()) if 2 * (len(gaps) + 1) <= scores.shape[1] else 0.0


def _student_quantile(tail: float, freedom: int) -> float:
    """Of few degrees of freedom by scipy; of many by a series, right to 0.01 %, for loading scipy takes longer."""
    if freedom >= _MANY_DEGREES:
        return student_quantile(tail, freedom)
    from scipy.special import stdtrit

    return float(stdtrit(freedom, tail))


def _few_cluster_p(first: Sampled, second: Sampled) -> PValue:
    """Student's t of a difference whose error comes from leaving out each unit in turn.

    Its degrees of freedom are those of Bell and McCaffrey (2002) for a mean of units of unequal size: of weights w, the
    square of the sum of w^2 over the sum of w^4, less 1. The size of a unit is the sum of its counts, of means the
    number of segments.
    """
    apart, delta = first.without - second.without, first.value - second.value
    sizes = None if first.size is None else first.size(first.rows[0])
    if sizes is None:
        sizes = np.abs(np.hstack([*first.rows, *second.rows])).sum(axis=1)
    squares = sizes**2
    units, freedom = len(apart), float(squares.sum()) ** 2 / max(float((squares**2).sum()), 1e-300) - 1.0
    variance = (units - 1) / units * float(((apart - apart.mean()) ** 2).sum())
    return TwoLevels(math.sqrt(variance), min(max(freedom, 1.0), units - 1.0)).p_value(delta)


def borrowing(systems: Mapping[Key, Sampled]) -> dict[Key, Sampled]:
    """Systems of one run know how training varies from those with several, under the same metric."""
    several: dict[str, list[tuple[float, int]]] = {}
    for (_, metric), sampled in systems.items():
        if sampled.variance is not None:
            several.setdefault(metric, []).append((sampled.variance, len(sampled.rows) - 1))
    lent = {}
    for metric, known in several.items():
        freedom = sum(degrees for _, degrees in known)
        lent[metric] = (sum(variance * degrees for variance, degrees in known) / freedom, freedom)
    return {
        key: sampled if len(sampled.rows) > 1 else replace(sampled, borrowed=lent.get(key[1]))
        for key, sampled in systems.items()
    }


def _less(values: Iterable[Number]) -> Number:
    """One value, or the first of two less the second."""
    first, *others = values
    return first - others[0] if others else first


def _deviation(resampled: Array) -> float:
    finite = resampled[np.isfinite(resampled)]
    deviation = float(np.std(finite, ddof=1)) if len(finite) > 1 else 0.0
    # What differs by rounding alone does not vary.
    return deviation if deviation > _ROUNDING * float(np.abs(finite).max(initial=0.0)) else 0.0
