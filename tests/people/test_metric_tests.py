"""Tests between metrics: published values, slow ways to the same numbers, and limits."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from scipy import stats

from assay.errors import ParameterError, UnknownName
from assay.people.metric_tests import (
    grid_permutation,
    pseudo_document_test,
    pseudo_document_weights,
    system_permutation,
    williams_p,
)
from assay.people.statistics.registry import GROUPINGS, on_grid, statistic
from assay.significance.association import kendall_b, over_rows, pearson, spearman
from assay.significance.draws import Draws, swap_flags

SAMPLES = 60
#: Functions of one score per system and side, by the names of what is tested.
SYSTEM_STATISTICS = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall_b,
    "kendall-c": partial(over_rows, "kendall_c"),
    "accuracy": partial(over_rows, "agreement"),
    "pearson-differences": lambda x, y: statistic("pearson-differences").over(y, x, np.ones(())),
}


def small_problem():
    generator = np.random.default_rng(4)
    human = generator.integers(4, size=(5, 9)).astype(float)
    metrics = human + generator.normal(size=(3, 5, 9)).round(1) * np.array([1.0, 2.0, 4.0])[:, None, None]
    human[1, 2] = np.nan
    human[:, 5] = 3.0
    human[1:, 7] = np.nan
    metrics[1, 3, 4] = np.nan
    return metrics, human


def standardised(metrics, human):
    missing = np.isnan(metrics).any(axis=0) | np.isnan(human)
    cells = np.where(missing, np.nan, metrics)
    return [(grid - np.nanmean(grid)) / np.nanstd(grid) for grid in cells]


def slow_p(value, x, y, seed):
    """Mixed grids made one by one."""
    observed = value(x) - value(y)
    reached = 0
    for flags in np.vstack(list(swap_flags(x.size, SAMPLES, seed))):
        swap = flags.reshape(x.shape) == 1
        delta = value(np.where(swap, y, x)) - value(np.where(swap, x, y))
        reached += abs(delta) >= abs(observed) - 1e-9
    return observed, (reached + 1) / (SAMPLES + 1)


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("name", ["pearson", "kendall", "tau23", "spearman"])
def test_mixed_grids_are_judged_as_if_made_one_by_one(name, grouping):
    metrics, human = small_problem()
    grids = standardised(metrics, human)
    draws = Draws.observed(*human.shape)
    for found in grid_permutation(name, metrics, human, grouping, samples=SAMPLES, seed=3):
        x, y = grids[found.first], grids[found.second]
        expected = slow_p(lambda grid: on_grid(name, grid, human, draws, grouping)[0], x, y, 3)
        assert (found.delta, found.p) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", SYSTEM_STATISTICS)
def test_mixed_system_scores_are_means_of_mixed_segments(name):
    metrics, human = small_problem()
    metrics[:, :, 8] = np.nan
    people = np.array([1.0, 3.0, 2.0, 2.0, 5.0])
    grids = standardised(metrics, np.zeros_like(human))
    function = SYSTEM_STATISTICS[name]
    for found in system_permutation(name, metrics, people, samples=SAMPLES, seed=3):
        x, y = grids[found.first], grids[found.second]
        expected = slow_p(lambda grid: float(function(np.nanmean(grid, axis=1), people)), x, y, 3)
        assert (found.delta, found.p) == pytest.approx(expected, abs=1e-9)


def test_acc23_swaps_whole_segments():
    # The first metric is right in all 12 segments, the second in none: only 2 of 4,096 swaps are so one-sided.
    human = np.tile([[1.0], [2.0]], (1, 12))
    metrics = np.stack([human, -human])
    (found,) = grid_permutation("acc23", metrics, human, "item", samples=1000)
    assert found.delta == pytest.approx(1.0)
    assert 1 / 1001 <= found.p < 0.006


def test_a_metric_does_not_differ_from_itself():
    generator = np.random.default_rng(1)
    human, metric = generator.normal(size=(2, 4, 20))
    twice = np.stack([metric, 3 * metric + 7])
    for name in ("pearson", "kendall", "tau23", "acc23"):
        (found,) = grid_permutation(name, twice, human, "item", samples=50)
        assert found.delta == pytest.approx(0.0, abs=1e-12)
        assert found.p == 1.0
    assert system_permutation("pearson", twice, human.mean(axis=1), samples=50)[0].p == 1.0


def test_a_good_metric_beats_noise():
    generator = np.random.default_rng(2)
    human = generator.normal(size=(6, 80))
    metrics = np.stack([human + 0.5 * generator.normal(size=human.shape), generator.normal(size=human.shape)])
    for name in ("pearson", "kendall", "tau23", "acc23"):
        assert grid_permutation(name, metrics, human, "item", samples=200)[0].p == pytest.approx(1 / 201)


@pytest.mark.slow
def test_false_alarms_stay_below_five_per_cent():
    # Two metrics equally close to people: p below 0.05 in 5 % of 400 sets, give or take 2.2 (two standard errors).
    generator = np.random.default_rng(3)
    alarms = {"kendall": 0, "acc23": 0, "pearson": 0}
    for _ in range(400):
        human = generator.normal(size=(6, 30)).round()
        metrics = human + generator.normal(size=(2, 6, 30)) + generator.normal(size=(2, 1, 30))
        for name in alarms:
            alarms[name] += grid_permutation(name, metrics, human, "item", samples=199)[0].p <= 0.05
    assert all(count <= 400 * 0.072 for count in alarms.values()), alarms


def test_what_cannot_be_tested_is_told():
    metrics, human = small_problem()
    with pytest.raises(UnknownName, match="system level"):
        system_permutation("spa", metrics, np.ones(5))
    with pytest.raises(UnknownName, match="statistic of a grid"):
        grid_permutation("accuracy", metrics, human, "item")
    with pytest.raises(ParameterError, match="acc23 by item has"):
        grid_permutation("acc23", metrics, human, "none")
    with pytest.raises(ParameterError, match="metrics by systems by segments"):
        grid_permutation("kendall", metrics[0], human, "item")


def test_williams_gives_the_published_value():
    # Steiger (1980), case A, as in the manual of R's psych: n = 103, r12 = .4, r13 = .5, r23 = .1 gives t = -0.89.
    p = williams_p(0.4, 0.5, 0.1, 103)
    assert stats.t.isf(p / 2, 100) == pytest.approx(0.89, abs=0.005)
    assert p == pytest.approx(0.37, abs=0.005)
    assert williams_p(0.5, 0.4, 0.1, 103) == p


def test_williams_by_hand():
    # n = 12, r = 0.9 and 0.8, 0.85 between them. K = 1 - 0.81 - 0.64 - 0.7225 + 2 x 0.612 = 0.0515;
    # t = 0.1 sqrt(11 x 1.85 / (2 x 0.0515 x 11/9 + 0.7225 x 0.003375)) = 0.1 x sqrt(20.35 / 0.128327) = 1.2593.
    assert stats.t.isf(williams_p(0.9, 0.8, 0.85, 12) / 2, 9) == pytest.approx(1.2593, abs=1e-4)


def test_williams_at_its_limits():
    assert williams_p(0.5, 0.5, 0.5, 10) == 1.0
    assert math.isnan(williams_p(0.5, 0.4, 0.5, 3))
    assert math.isnan(williams_p(math.nan, 0.4, 0.5, 30))
    assert williams_p(1.0, -1.0, -1.0, 10) >= 0.0


def test_pseudo_documents_hold_different_segments():
    weights = pseudo_document_weights(20, 5, count=30, seed=2)
    assert weights.shape == (30, 20)
    assert set(weights.ravel()) == {0.0, 1.0}
    assert (weights.sum(axis=1) == 5).all()
    assert (weights == pseudo_document_weights(20, 5, count=30, seed=2)).all()
    with pytest.raises(ParameterError, match="cannot be made"):
        pseudo_document_weights(4, 5)


def test_wilcoxon_over_pseudo_documents_is_scipys():
    generator = np.random.default_rng(5)
    people = generator.normal(size=(6, 200)) + np.arange(6)[:, None] * 0.2
    weights = pseudo_document_weights(200, 15, count=40)
    good, poor = people + generator.normal(size=people.shape), people + 4 * generator.normal(size=people.shape)
    first, second, p = pseudo_document_test(weights @ good.T, weights @ poor.T, weights @ people.T)
    values = [
        [stats.spearmanr(row, target).statistic for row, target in zip(weights @ m.T, weights @ people.T, strict=True)]
        for m in (good, poor)
    ]
    assert first == pytest.approx(values[0], abs=1e-12)
    assert second == pytest.approx(values[1], abs=1e-12)
    assert first.mean() > second.mean()
    assert p < 0.01


def test_pseudo_documents_without_a_correlation_are_left_out():
    human = np.array([[1.0, 2.0, 3.0], [2.0, 2.0, 2.0]])
    metric = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    first, _, p = pseudo_document_test(metric, metric, human)
    assert len(first) == 1
    assert p == 1.0
    assert math.isnan(pseudo_document_test(metric[1:], metric[1:], human[1:])[2])
