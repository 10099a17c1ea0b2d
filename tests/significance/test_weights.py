"""Bootstrap weights: counts that sum to n, the same for everybody."""

import numpy as np
import pytest

import assay
from assay.significance import weights
from assay.significance.intervals import percentile_interval
from assay.significance.weights import bootstrap_counts, resampled_sums


def all_counts(segments, samples, seed):
    return np.concatenate(list(bootstrap_counts(segments, samples, seed)))


def test_every_sample_draws_as_many_segments_as_there_are():
    counts = all_counts(segments=17, samples=200, seed=1)
    assert counts.shape == (200, 17)
    assert (counts.sum(axis=1) == 17).all()


def test_the_seed_decides():
    assert np.array_equal(all_counts(9, 20, seed=3), all_counts(9, 20, seed=3))
    assert not np.array_equal(all_counts(9, 20, seed=3), all_counts(9, 20, seed=4))


def test_blocks_do_not_matter(monkeypatch):
    whole = all_counts(11, 50, seed=1)
    monkeypatch.setattr(weights, "BLOCK_CELLS", 30)
    assert np.array_equal(all_counts(11, 50, seed=1), whole)


def test_segments_are_drawn_evenly():
    # Each of 4 segments is drawn once per sample on average; 4,000 samples have a standard error of 0.014.
    assert np.allclose(all_counts(4, 4000, seed=1).mean(axis=0), 1.0, atol=0.06)


def test_all_tables_see_the_same_samples():
    table = np.random.default_rng(0).random((30, 2))
    first, second = resampled_sums([table, table[:, :1]], samples=10, seed=1)
    assert np.allclose(first[:, 0], second[:, 0])
    assert resampled_sums([], samples=10, seed=1) == []


def test_sums_are_those_of_the_drawn_segments():
    table = np.arange(12.0).reshape(6, 2)
    (sums,) = resampled_sums([table], samples=5, seed=1)
    assert np.array_equal(sums, all_counts(6, 5, seed=1) @ table)


def test_percentiles_cut_off_equal_tails():
    # Of 1..999 the k-th stands at k/1000, so the middle 95 % runs from 25 to 975.
    interval = percentile_interval(np.arange(1.0, 1000.0))
    assert tuple(interval) == pytest.approx((25.0, 975.0))
    assert tuple(percentile_interval(np.arange(1.0, 1000.0), confidence=0.5)) == pytest.approx((250.0, 750.0))


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95, float("nan")])
def test_impossible_confidence(confidence):
    with pytest.raises(assay.ParameterError, match="between 0 and 1"):
        percentile_interval(np.arange(10.0), confidence)


def test_impossible_seeds_and_samples():
    with pytest.raises(assay.ParameterError, match="seed is -1"):
        all_counts(3, 3, seed=-1)
    with pytest.raises(assay.ParameterError, match="samples is -5"):
        all_counts(3, -5, seed=1)
    with pytest.raises(assay.ParameterError, match="at least one sample"):
        percentile_interval(np.array([]))
