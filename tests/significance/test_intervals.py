"""Intervals against known answers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import assay
from assay.significance.draws import (
    bca_interval,
    binomial_interval,
    interval,
    student_quantile,
    widened_tail,
    wilson_interval,
)


def test_bca_agrees_with_scipy_on_a_skewed_mean():
    values = np.random.default_rng(1).exponential(size=80)
    generator = np.random.default_rng(2)
    resampled = values[generator.integers(80, size=(20_000, 80))].mean(axis=1)
    jackknife = (values.sum() - values) / 79
    ours = bca_interval(resampled, float(values.mean()), jackknife)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(3))
    # Ours is a little wider: 80 values of an exponential know less of their variance than as many normal ones.
    assert theirs.confidence_interval.low - 0.1 < ours.low < theirs.confidence_interval.low
    assert theirs.confidence_interval.high < ours.high < theirs.confidence_interval.high + 0.1
    # A long tail to the right pulls the interval to the right of the percentiles.
    wide = interval(resampled, 80, jackknife=jackknife)
    assert ours.low > wide.low
    assert ours.high > wide.high


def test_bca_of_a_constant_is_that_constant():
    assert list(bca_interval(np.full(10, 3.0), 3.0, np.full(5, 3.0))) == [3.0, 3.0]


@pytest.mark.parametrize(("count", "of"), [(0, 10), (3, 10), (10, 10), (50, 1000)])
def test_binomial_interval_is_clopper_pearsons(count, of):
    theirs = stats.binomtest(count, of).proportion_ci(0.95, "exact")
    assert list(binomial_interval(count, of)) == pytest.approx([theirs.low, theirs.high])


@pytest.mark.parametrize("freedom", [3, 5, 10, 30, 1000])
def test_the_series_is_students_quantile(freedom):
    assert student_quantile(0.025, freedom) == pytest.approx(stats.t.ppf(0.025, freedom), rel=0.01)


def test_normal_influence_has_as_many_degrees_of_freedom_as_units():
    influence = np.random.default_rng(1).normal(size=4000)
    # At 4,000 units the t is the normal; at 20 it is far wider.
    assert widened_tail(0.025, len(influence), influence) == pytest.approx(0.025, rel=0.01)
    assert widened_tail(0.025, 20, influence[:20]) < 0.022


def test_two_units_leave_next_to_nothing_beyond_an_interval():
    # The t of three degrees of freedom, the fewest that are read, is 3.18; by the root of 2 it is 4.5 deviations.
    assert 1e-6 < widened_tail(0.025, 2) < 1e-5


def test_bca_of_few_units_is_none():
    assert bca_interval(np.arange(10.0), 3.0, np.arange(4.0)) == (None, None)


@pytest.mark.parametrize("confidence", [0.0, 1.0])
def test_wilsons_interval_takes_a_confidence_between_0_and_1(confidence):
    with pytest.raises(assay.ParameterError, match="between 0 and 1"):
        wilson_interval(1, 2, confidence)


def test_one_segment_that_decides_everything_makes_an_interval_wide():
    heavy = np.array([10.0, *np.full(99, 0.01)])
    even = np.tile([1.0, -1.0], 50)
    assert widened_tail(0.025, len(heavy), heavy) < 0.01 < widened_tail(0.025, len(even), even)
