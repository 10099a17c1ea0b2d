"""Simulations of tests and intervals where every outcome is known beforehand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.significance.calibration import (
    COVERAGE,
    COVERAGE_OF_DELTA,
    FALSE_POSITIVES,
    FEW,
    POWER,
    WRONG_PASSES,
    Rate,
    calibrate,
    measure,
)
from assay.significance.draws import bootstrap_counts, numbered, stream, student_quantile


def share(rows):
    """Points by units: rows hold both."""
    return rows[..., 0] / rows[..., 1]


def rows_of(points):
    return np.stack([np.asarray(points, dtype=np.float64), np.ones(len(points))], axis=1)


def alarms_of(rows, tests, **options):
    """Of these tests alone, under the null."""
    return calibrate(rows, share, tests={FALSE_POSITIVES: tests}, intervals=(), **options)


def test_every_simulation_is_counted_once():
    # Sixty are two groups of 25 and one of ten. The first system is always better by about 1, so each of them is found:
    # p is 1/201 by swaps of 30 units (one swap in 2^30 is as far apart), and next to 0 by the other tests.
    better, worse = rows_of(1.0 + np.arange(40) / 100), rows_of(np.arange(40) / 90)
    rates = calibrate((better, worse), share, units=30, simulations=60, samples=100, permutations=200)
    tests, kinds = ("randomisation", "bootstrap", "t", "wilcoxon"), ("percentile", "bca")
    assert list(rates) == [
        *((what, test) for what in (FALSE_POSITIVES, POWER) for test in tests),
        *((what, kind) for what in (COVERAGE, COVERAGE_OF_DELTA) for kind in kinds),
    ]
    assert [(rates[POWER, test].count, rates[POWER, test].of) for test in tests] == [(60, 60)] * 4
    assert {rate.of for rate in rates.values()} == {60}


def test_systems_that_are_equal_are_never_told_apart():
    same = rows_of(np.arange(40) / 100)
    tests = dict.fromkeys((FALSE_POSITIVES, POWER), ("randomisation", "bootstrap", FEW))
    rates = calibrate((same, same), share, tests=tests, units=20, simulations=30, samples=100, permutations=100)
    assert [rates[what, test].count for what, names in tests.items() for test in names] == [0] * 6
    # And their difference is 0, always.
    assert rates[COVERAGE_OF_DELTA, "percentile"].count == 30


def signed_ranks(first, second):
    """With ties, as units that are drawn twice tie: by the normal distribution, corrected for steps of one."""
    return stats.wilcoxon(first - second, zero_method="pratt", correction=True, method="asymptotic")


@pytest.mark.parametrize(("name", "function"), [("t", stats.ttest_rel), ("wilcoxon", signed_ranks)])
def test_false_alarms_are_those_of_scipy_on_the_same_draws(name, function):
    # Drawn are units, then which of them change places, for 25 simulations at a time.
    points = np.random.default_rng(5).normal(size=(2, 50)) + np.array([[0.6], [0.0]])
    generator = stream(7, "simulated pairs")
    alarms = found = 0
    for simulations in (25, 15):
        drawn = generator.integers(50, size=(simulations, 30))
        swaps = generator.integers(2, size=drawn.shape).astype(bool)
        for draw, swap in zip(drawn, swaps, strict=True):
            first, second = points[0][draw], points[1][draw]
            mixed = np.where(swap, second, first), np.where(swap, first, second)
            alarms += function(*mixed).pvalue <= 0.2
            found += function(first, second).pvalue <= 0.2
    rows = (rows_of(points[0]), rows_of(points[1]))
    tests = {FALSE_POSITIVES: (name,), POWER: (name,)}
    rates = calibrate(rows, share, tests=tests, intervals=(), units=30, simulations=40, alpha=0.2, seed=7)
    assert (rates[FALSE_POSITIVES, name].count, rates[POWER, name].count) == (alarms, found)
    assert 0 < alarms < found < 40


def test_what_nobody_asks_for_is_left_out():
    rows = rows_of(np.arange(10) / 10), rows_of(np.arange(10) / 20)
    assert list(alarms_of(rows, ("t",), units=10, simulations=25)) == [(FALSE_POSITIVES, "t")]


def test_few_units_are_tested_as_compare_tests_them():
    # Five units can change places in 32 ways, so that randomisation takes the few-cluster t.
    rows = tuple(rows_of(points) for points in np.random.default_rng(2).normal(size=(2, 40)))
    rates = alarms_of(rows, ("randomisation", FEW), units=5, simulations=400, alpha=0.06)
    assert rates[FALSE_POSITIVES, "randomisation"] == rates[FALSE_POSITIVES, FEW]
    assert 0 < rates[FALSE_POSITIVES, FEW].count < 40
    # Of four there is no p-value, nor an interval.
    none = calibrate(rows, share, units=4, simulations=25, alpha=0.5)
    assert {rate.count for rate in none.values()} == {0}


def test_units_are_as_large_as_their_metric_says():
    # Degrees of freedom by the sizes of units, as Bell and McCaffrey's; errors leave out each unit in turn.
    generator = np.random.default_rng(4)
    sizes = np.tile([1.0, 2, 3, 30], 10)
    first, second = (np.stack([sizes * generator.normal(size=40), sizes], axis=1) for _ in range(2))
    draws, alarms = stream(1, "simulated pairs"), 0
    for _ in range(8):
        drawn = draws.integers(40, size=(25, 6))
        swaps = draws.integers(2, size=drawn.shape).astype(bool)[..., None]
        for draw, swap in zip(drawn, swaps, strict=True):
            one, other = np.where(swap, second[draw], first[draw]), np.where(swap, first[draw], second[draw])
            without = share(one.sum(0) - one) - share(other.sum(0) - other)
            error = np.sqrt(5 / 6 * ((without - without.mean()) ** 2).sum())
            freedom = (sizes[draw] ** 2).sum() ** 2 / (sizes[draw] ** 4).sum() - 1
            alarms += 2 * stats.t.sf(abs(share(one.sum(0)) - share(other.sum(0))) / error, max(freedom, 1)) <= 0.3
    how = {"units": 6, "simulations": 200, "alpha": 0.3}
    found = alarms_of((first, second), (FEW,), size=lambda rows: rows[:, 1], **how)
    assert found[FALSE_POSITIVES, FEW].count == alarms > 0
    # By the sum of all counts it would be something else.
    assert alarms_of((first, second), (FEW,), **how)[FALSE_POSITIVES, FEW].count != alarms


def test_a_gate_passes_wrongly_where_the_whole_interval_is_above_the_truth():
    # The first is 0.05 to 0.5 below the second, so that an interval of Δ lies between these, around -0.275.
    rows = rows_of(np.arange(1, 11) / -20), rows_of(np.zeros(10))
    for truth, passes, held in ((-0.6, 30, 0), (-0.275, 0, 30), (0.0, 0, 0)):
        groups = [([], [rows] * 25), ([], [rows] * 5)]
        rates = measure(groups, share, {WRONG_PASSES: truth, COVERAGE_OF_DELTA: truth}, tests={}, simulations=30)
        assert {rate.count for (what, _), rate in rates.items() if what == WRONG_PASSES} == {passes}
        assert {rate.count for (what, _), rate in rates.items() if what == COVERAGE_OF_DELTA} == {held}
    # Of equal answers a mean's interval goes further than what was seen: by 2.08 times the root of 2/21/22, or 0.137.
    same = rows_of(np.arange(20) % 2)
    for truth, passes in ((-0.13, 0), (-0.14, 30)):
        groups = [([], [(same, same)] * 25), ([], [(same, same)] * 5)]
        how = {"tests": {}, "simulations": 30, "intervals": ("percentile",)}
        (rate,) = measure(groups, share, {WRONG_PASSES: truth}, size=lambda rows: rows[..., 1], **how).values()
        assert rate.count == passes
        (rate,) = measure(groups, share, {WRONG_PASSES: truth}, **how).values()
        assert rate.count == 30


def test_an_interval_of_equal_rows_is_their_score_and_covers_it():
    same = rows_of([0.5] * 8)
    covered = calibrate((same, same), share, tests={}, units=6, simulations=30, samples=50)
    assert {name: (rate.count, rate.of) for name, rate in covered.items()} == {
        (what, kind): (30, 30) for what in (COVERAGE, COVERAGE_OF_DELTA) for kind in ("percentile", "bca")
    }


def test_intervals_are_widened_for_few_units_before_they_are_asked():
    first, second = np.random.default_rng(3).exponential(size=(2, 30))
    generator = stream(1, "simulated pairs")
    covers = np.zeros((2, 2), dtype=int)
    for group, simulations in enumerate((25, 15)):
        drawn = generator.integers(30, size=(simulations, 5))
        generator.integers(2, size=drawn.shape)
        (weights,) = bootstrap_counts(numbered(5), 300, 2 + group)
        weights = weights[weights.any(axis=1)]
        for draw in drawn:
            # By numpy's quantiles, whose k-th of n stands at k/(n+1), too; t of 3 degrees of freedom, the fewest.
            for number, points in enumerate((first, first - second)):
                table = points[draw]
                scores, apart = weights @ table / weights.sum(axis=1), table - table.mean()
                freedom = max(min(2 * 5 / (5 * (apart**4).sum() / (apart**2).sum() ** 2 - 1), 4), 3)
                tail = stats.norm.cdf(student_quantile(0.025, freedom) * np.sqrt(5 / 4))
                for kind, at in enumerate((0.025, tail)):
                    low, high = np.quantile(scores, [at, 1 - at], method="weibull")
                    covers[kind, number] += low <= points.mean() <= high
    rows = rows_of(first), rows_of(second)
    rates = calibrate(rows, share, tests={}, intervals=("percentile",), units=5, simulations=40, samples=300)
    assert [rates[what, "percentile"].count for what in (COVERAGE, COVERAGE_OF_DELTA)] == covers[1].tolist()
    assert covers[0, 0] < covers[1, 0] < 40


def test_whole_documents_are_drawn_and_change_places():
    # Twenty documents of two to eighteen segments that are all alike: as good as twenty segments. A test that takes the
    # 200 for independent is wrong far more often than one time in twenty.
    generator, sizes = np.random.default_rng(1), np.arange(20) % 9 * 2 + 2
    first, second = (rows_of(np.repeat(generator.normal(size=20), sizes)) for _ in range(2))
    ends = np.cumsum(sizes)
    blocks, tests = np.split(np.arange(ends[-1]), ends[:-1]), ("randomisation", "t")
    how = {"units": 20, "simulations": 200, "samples": 200, "permutations": 200}
    wrong = calibrate((first, second), share, tests={FALSE_POSITIVES: tests}, blocks=blocks, **how)
    assert all(wrong[FALSE_POSITIVES, name].share > 0.3 for name in tests)
    documents = [np.add.reduceat(rows, ends - sizes) for rows in (first, second)]
    right = calibrate((documents[0], documents[1]), share, tests={FALSE_POSITIVES: tests}, **how)
    assert all(right[FALSE_POSITIVES, name].interval[0] <= 0.05 for name in tests)
    # Intervals likewise: ten times too many units cover far less than they promise.
    for what in (COVERAGE, COVERAGE_OF_DELTA):
        assert wrong[what, "percentile"].share < 0.7
        assert right[what, "percentile"].share > 0.88


def test_progress_ends_where_the_work_does():
    same = rows_of(np.arange(5.0))
    shares = []
    # Sixty simulations are two groups of 25 and one of ten.
    alarms_of((same, same), ("t",), units=5, simulations=60, progress=shares.append)
    assert shares == [pytest.approx(25 / 60), pytest.approx(50 / 60), 1.0]


def test_a_rate_has_a_share_and_an_interval_of_99_percent():
    # None of ten: (1 - p)^10 = 0.005 at the upper end, so p = 1 - 0.005^(1/10) = 0.4113.
    assert Rate(3, 10).share == 0.3
    assert Rate(0, 10).interval == (0.0, pytest.approx(1 - 0.005**0.1, abs=1e-12))
