"""Simulations of tests and intervals where every outcome is known beforehand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.significance.calibration import Rate, calibrate_intervals, calibrate_tests
from assay.significance.draws import bootstrap_counts, numbered, stream, student_quantile


def share(rows):
    """Points by units: rows hold both."""
    return rows[..., 0] / rows[..., 1]


def rows_of(points):
    return np.stack([np.asarray(points, dtype=np.float64), np.ones(len(points))], axis=1)


def test_every_simulation_is_counted_once():
    # Sixty are two groups of 25 and one of ten. The first system is always better by about 1, so each of them is found:
    # p is 1/201 by swaps of 30 units (one swap in 2^30 is as far apart), and next to 0 by the other tests.
    better, worse = rows_of(1.0 + np.arange(40) / 100), rows_of(np.arange(40) / 90)
    rates = calibrate_tests(
        (better, worse), share, ("randomisation", "bootstrap", "t", "wilcoxon"), units=30, simulations=60, samples=200
    )
    tests = ("randomisation", "bootstrap", "t", "wilcoxon")
    assert list(rates) == [(what, test) for test in tests for what in ("false positives", "power")]
    assert [(rates["power", test].count, rates["power", test].of) for test in tests] == [(60, 60)] * 4
    assert {rates["false positives", test].of for test in tests} == {60}


def test_systems_that_are_equal_are_never_told_apart():
    same = rows_of(np.arange(40) / 100)
    rates = calibrate_tests((same, same), share, ("randomisation", "bootstrap"), units=20, simulations=30, samples=100)
    assert [rate.count for rate in rates.values()] == [0, 0, 0, 0]


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
    rates = calibrate_tests(rows, share, (name,), units=30, simulations=40, alpha=0.2, seed=7)
    assert (rates["false positives", name].count, rates["power", name].count) == (alarms, found)
    assert 0 < alarms < found < 40


def test_power_is_left_out_if_nobody_asks():
    rows = rows_of(np.arange(10) / 10), rows_of(np.arange(10) / 20)
    rates = calibrate_tests(rows, share, ("t",), units=10, simulations=25, alternative=False)
    assert list(rates) == [("false positives", "t")]


def test_an_interval_of_equal_rows_is_their_score_and_covers_it():
    covered = calibrate_intervals(rows_of([0.5] * 8), share, units=6, simulations=30, samples=50)
    assert {name: (rate.count, rate.of) for (_, name), rate in covered.items()} == {
        "percentile": (30, 30),
        "bca": (30, 30),
    }


def test_an_interval_covers_the_middle_if_both_ends_were_drawn():
    # All rows together have 1/2. Five units that are alike have an interval of 0 or of 1 alone, others one that covers
    # the middle.
    generator = stream(4, "simulated samples")
    differ = sum(len(set(generator.integers(2, size=5).tolist())) == 2 for _ in range(100))
    covered = calibrate_intervals(rows_of([0.0, 1.0]), share, units=5, simulations=100, samples=200, seed=4)
    assert {name: (rate.count, rate.of) for (_, name), rate in covered.items()} == {
        "percentile": (differ, 100),
        "bca": (differ, 100),
    }
    assert 0 < differ < 100


def test_intervals_are_widened_for_few_units_before_they_are_asked():
    points = np.random.default_rng(3).exponential(size=30)
    generator = stream(1, "simulated samples")
    plain = widened = 0
    for start in (0, 25):
        tables = [points[generator.integers(30, size=5)] for _ in range(25 if start == 0 else 15)]
        (weights,) = bootstrap_counts(numbered(5), 300, 2 + start)
        weights = weights[weights.any(axis=1)]
        for table in tables:
            # By numpy's quantiles, whose k-th of n stands at k/(n+1), too; t of 3 degrees of freedom, the fewest.
            scores, apart = weights @ table / weights.sum(axis=1), table - table.mean()
            freedom = max(min(2 * 5 / (5 * (apart**4).sum() / (apart**2).sum() ** 2 - 1), 4), 3)
            tail = stats.norm.cdf(student_quantile(0.025, freedom) * np.sqrt(5 / 4))
            for number, at in enumerate((0.025, tail)):
                low, high = np.quantile(scores, [at, 1 - at], method="weibull")
                covers = low <= points.mean() <= high
                plain, widened = plain + covers * (number == 0), widened + covers * (number == 1)
    rates = calibrate_intervals(rows_of(points), share, units=5, simulations=40, samples=300)
    assert rates["coverage", "percentile"].count == widened
    assert plain < widened < 40


def test_whole_documents_are_drawn_and_change_places():
    # Twenty documents of ten segments that are all alike: as good as twenty segments. A test that takes the 200 for
    # independent is wrong far more often than one time in twenty.
    generator = np.random.default_rng(1)
    first, second = (rows_of(np.repeat(generator.normal(size=20), 10)) for _ in range(2))
    blocks = np.split(np.arange(200), 20)
    how = {"units": 20, "simulations": 200, "samples": 200, "alternative": False}
    by_segment = calibrate_tests((first, second), share, ("randomisation", "t"), blocks=blocks, **how)
    assert all(rate.share > 0.3 for rate in by_segment.values())
    documents = [np.add.reduceat(rows, np.arange(0, 200, 10)) for rows in (first, second)]
    by_document = calibrate_tests((documents[0], documents[1]), share, ("randomisation", "t"), **how)
    assert all(rate.interval[0] <= 0.05 for rate in by_document.values())
    # Intervals likewise: ten times too many units cover far less than they promise.
    how = {"simulations": 100, "samples": 200}
    wrong = calibrate_intervals(first, share, blocks=blocks, units=20, **how)
    right = calibrate_intervals(documents[0], share, units=20, **how)
    assert wrong["coverage", "percentile"].share < 0.7
    assert right["coverage", "percentile"].share > 0.88


def test_progress_ends_where_the_work_does():
    same = rows_of(np.arange(5.0))
    shares = []
    # Thirty simulations are two groups, each once under the null and once as it is.
    calibrate_tests((same, same), share, ("t",), units=5, simulations=30, progress=shares.append)
    assert shares == [0.25, 0.5, 0.75, 1.0]


def test_a_rate_has_a_share_and_an_interval_of_99_percent():
    # None of ten: (1 - p)^10 = 0.005 at the upper end, so p = 1 - 0.005^(1/10) = 0.4113.
    assert Rate(3, 10).share == 0.3
    assert Rate(0, 10).interval == (0.0, pytest.approx(1 - 0.005**0.1, abs=1e-12))
