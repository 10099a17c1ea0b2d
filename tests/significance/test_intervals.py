"""Intervals against known answers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.significance.intervals import bca_interval, binomial_interval, percentile_interval


def test_bca_agrees_with_scipy_on_a_skewed_mean():
    values = np.random.default_rng(1).exponential(size=80)
    generator = np.random.default_rng(2)
    resampled = values[generator.integers(80, size=(20_000, 80))].mean(axis=1)
    jackknife = (values.sum() - values) / 79
    ours = bca_interval(resampled, float(values.mean()), jackknife)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(3))
    assert list(ours) == pytest.approx(list(theirs.confidence_interval), abs=0.01)
    # A long tail to the right pulls the interval to the right of the percentiles.
    assert ours.low > percentile_interval(resampled).low


def test_bca_of_a_constant_is_that_constant():
    assert list(bca_interval(np.full(10, 3.0), 3.0, np.full(5, 3.0))) == [3.0, 3.0]


@pytest.mark.parametrize(("count", "of"), [(0, 10), (3, 10), (10, 10), (50, 1000)])
def test_binomial_interval_is_clopper_pearsons(count, of):
    theirs = stats.binomtest(count, of).proportion_ci(0.95, "exact")
    assert list(binomial_interval(count, of)) == pytest.approx([theirs.low, theirs.high])
