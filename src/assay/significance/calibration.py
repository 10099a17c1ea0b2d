"""Do the tests and intervals hold what they promise? Measured on the user's own rows.

The null hypothesis is made true by hand: documents, or segments where there are none, are drawn from the two systems'
own rows, and in each the two outputs change places at random. Whatever a test then calls significant is a false alarm.
For the alternative the outputs stay where they are, and intervals are asked to cover the score of the whole set, and
its difference. What is drawn here stands for what a new test set would bring; it need not be what the test takes as
its unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.significance.draws import Units, binomial_interval, stream
from assay.significance.pairs import IntervalName, PairedTest, Sampled
from assay.significance.tests import TESTS, is_significant

_Scorer = Callable[[Array], Array]
#: Rows of two systems.
Pair = tuple[Array, Array]

#: Simulations that share their draws: drawing is what costs.
GROUP = 25
#: What tests do: false alarms under the null, discoveries under the alternative; and what intervals do.
FALSE_POSITIVES, POWER, COVERAGE, COVERAGE_OF_DELTA = "false positives", "power", "coverage", "coverage of Δ"
#: Where the first system is worse: how often the whole interval of Δ lies above the truth, so that a gate for systems
#: that are surely less than so much worse (``--not-worse-than``) passes it by mistake.
WRONG_PASSES = "wrong passes"
#: The t that is taken where swaps of few units cannot show anything, by a name of its own.
FEW = "few-cluster t"


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
Rates = dict[tuple[str, str], Rate]


def calibrate(
    rows: Pair,
    score: _Scorer,
    *,
    units: int,
    blocks: _Blocks | None = None,
    simulations: int = 2000,
    seed: int = 1,
    **how: Any,
) -> Rates:
    """False alarms and discoveries of tests, and how often intervals cover the score of all rows and its difference.

    Each simulation draws so many ``units``, each a block of rows, or one row where none are given. What else there is
    to say is that of ``measure``.
    """
    truth = [float(score(table.sum(0))) for table in rows]
    truths = {COVERAGE: truth[0], COVERAGE_OF_DELTA: truth[0] - truth[1]}
    groups = _simulated_pairs(rows, blocks or _singles(rows[0]), units, simulations, seed)
    return measure(groups, score, truths, simulations=simulations, seed=seed, **how)


def measure(
    groups: Iterable[tuple[Sequence[Pair], Sequence[Pair]]],
    score: _Scorer,
    truths: Mapping[str, float],
    *,
    simulations: int,
    unit_score: _Scorer | None = None,
    size: Callable[[Array], Array | None] | None = None,
    tests: Mapping[str, Sequence[str]] | None = None,
    intervals: Sequence[IntervalName] = get_args(IntervalName),
    samples: int = 1000,
    permutations: int = 1000,
    alpha: float = 0.05,
    seed: int = 1,
    progress: Callable[[float], None] | None = None,
) -> Rates:
    """The same of pairs of systems that come in groups, ``GROUP`` at a time: under the null, and as they are.

    ``truths`` says which of ``COVERAGE``, ``COVERAGE_OF_DELTA`` and ``WRONG_PASSES`` are asked for, and what is true.
    ``tests`` says which are tried under the null (``FALSE_POSITIVES``) and under the alternative (``POWER``); all under
    both, unless told otherwise. ``unit_score`` scores single rows, where that is not ``score``: t and Wilcoxon's test
    take these. ``size`` says how large units are, as metrics that are means know it.
    """
    tests = {FALSE_POSITIVES: TESTS, POWER: TESTS} if tests is None else tests
    counts: Counter[tuple[str, str]] = Counter()
    for done, (changed, kept) in enumerate(groups):
        for what, pairs in ((FALSE_POSITIVES, changed), (POWER, kept)):
            for batch in _alike(pairs):
                test = PairedTest(
                    test="randomisation", correction="none", alpha=alpha, units=Units.segments(len(batch[0][0])),
                    interval="percentile", seed=seed + 1 + done, samples=samples, permutations=permutations,
                )  # fmt: skip
                for name in tests.get(what, ()):
                    counts[what, name] += _rejected(_named(test, name), batch, score, unit_score=unit_score, size=size)
                if what == POWER and intervals and truths:
                    counts += _covered(test, intervals, batch, score, truths, size=size)
        if progress is not None:
            progress(min((done + 1) * GROUP / simulations, 1.0))
    names = [(what, name) for what in (FALSE_POSITIVES, POWER) for name in tests.get(what, ())]
    names += [(what, kind) for what in truths for kind in intervals]
    return {name: Rate(counts[name], simulations) for name in names}


def _named(test: PairedTest, name: str) -> PairedTest:
    """``few-cluster t`` is what randomisation is replaced by where comparisons are too many for its swaps."""
    if name == FEW:
        return replace(test, correction="holm", comparisons=2 ** min(len(test.units), 1000))
    return replace(test, test=name)  # type: ignore[arg-type]


def _singles(rows: Array) -> _Blocks:
    return np.arange(len(rows))[:, None]  # type: ignore[return-value]


def _simulated_pairs(
    rows: Pair, blocks: _Blocks, units: int, simulations: int, seed: int
) -> Iterator[tuple[list[Pair], list[Pair]]]:
    """Groups of pairs of systems: swapped at random (the null), and as they are."""
    generator = stream(seed, "simulated pairs")
    first, second = rows
    sizes = np.array([len(block) for block in blocks])
    for start in range(0, simulations, GROUP):
        drawn = generator.integers(len(blocks), size=(min(GROUP, simulations - start), units))
        swaps = generator.integers(2, size=drawn.shape).astype(bool)
        places = [np.concatenate([blocks[block] for block in draw]) for draw in drawn]
        swapped = [np.repeat(swap, sizes[draw])[:, None] for draw, swap in zip(drawn, swaps, strict=True)]
        changed = [
            (np.where(swap, second[place], first[place]), np.where(swap, first[place], second[place]))
            for place, swap in zip(places, swapped, strict=True)
        ]
        yield changed, [(first[place], second[place]) for place in places]


def _alike(pairs: Iterable[Pair]) -> Iterable[list[Pair]]:
    """Pairs that can share their draws: those that have as many rows."""
    groups: dict[int, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(len(pair[0]), []).append(pair)
    return groups.values()


def _rejected(test: PairedTest, pairs: Sequence[Pair], score: _Scorer, **of_units: Any) -> int:
    """How many pairs are called different."""
    systems = {
        f"{number}{side}": Sampled(score, (table,), (np.empty(0),), **of_units)
        for number, pair in enumerate(pairs)
        for side, table in zip("ab", pair, strict=True)
    }
    found = test.p_values(systems, [(f"{number}a", f"{number}b") for number in range(len(pairs))])
    return sum(p is not None and is_significant(p.value, test.alpha) for p in found)


def _covered(
    test: PairedTest,
    kinds: Sequence[IntervalName],
    pairs: Sequence[Pair],
    score: _Scorer,
    truths: Mapping[str, float],
    **of_units: Any,
) -> Counter[tuple[str, str]]:
    """How many intervals, of the first system's score and of the difference, hold the truth."""
    rows = {
        (f"{number}{side}", ""): table
        for number, pair in enumerate(pairs)
        for side, table in zip("ab", pair, strict=True)
    }
    drawn = test.resample(rows, {"": score}, {name: (name,) for name, _ in rows}, test.units)
    counts: Counter[tuple[str, str]] = Counter()
    for number in range(len(pairs)):
        first, second = (replace(drawn[f"{number}{side}", ""], **of_units) for side in "ab")
        for kind in kinds:
            by = replace(test, interval=kind)
            ends = {COVERAGE: by.interval_of(first)}
            ends[COVERAGE_OF_DELTA] = ends[WRONG_PASSES] = by.interval_of(first, second)
            for what, truth in truths.items():
                (low, high) = ends[what]
                if low is not None and high is not None:
                    counts[what, kind] += low > truth if what == WRONG_PASSES else low <= truth <= high
    return counts
