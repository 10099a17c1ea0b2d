"""Tests between metrics: published values, slow ways to the same numbers, and limits."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy import stats

from assay.errors import ParameterError, UnknownName
from assay.people.levels import SystemLevel
from assay.people.metric_tests import (
    MetricTest,
    _permutation_test,
    grid_permutation,
    system_permutation,
    williams,
)
from assay.people.scores import MeanScores
from assay.people.statistics.registry import GROUPINGS, on_grid, statistic
from assay.significance.association import kendall_b, over_rows, pearson, spearman
from assay.significance.draws import Draws, Units, binomial_interval, crossed, numbered, swap_flags

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


def cells_of(grid):
    """The keys of cells whose systems and segments are known by their places."""
    return crossed(*map(numbered, grid.shape))


def slow_p(value, x, y, seed):
    """Mixed grids made one by one."""
    observed = value(x) - value(y)
    reached = 0
    for flags in np.vstack(list(swap_flags(cells_of(x), SAMPLES, seed))):
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
    for (first, second), found in grid_permutation(name, metrics, human, grouping, samples=SAMPLES, seed=3).items():
        x, y = grids[first], grids[second]
        expected = slow_p(lambda grid: on_grid(name, grid, human, draws, grouping)[0], x, y, 3)
        assert (found.delta, found.p) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", SYSTEM_STATISTICS)
def test_mixed_system_scores_are_means_of_mixed_segments(name):
    metrics, human = small_problem()
    metrics[:, :, 8] = np.nan
    people = np.array([1.0, 3.0, 2.0, 2.0, 5.0])
    grids = standardised(metrics, np.zeros_like(human))
    function = SYSTEM_STATISTICS[name]
    for (first, second), found in system_permutation(name, metrics, people, samples=SAMPLES, seed=3).items():
        x, y = grids[first], grids[second]
        expected = slow_p(lambda grid: float(function(np.nanmean(grid, axis=1), people)), x, y, 3)
        assert (found.delta, found.p) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("grouping", ["none", "system"])
@pytest.mark.parametrize("name", ["kendall", "tau23"])
def test_many_cells_are_sorted_and_judged_as_if_made_one_by_one(name, grouping):
    # 480 cells, and 80 of each system: more than those whose pairs are looked at one by one.
    generator = np.random.default_rng(9)
    human = generator.integers(5, size=(6, 80)).astype(float)
    metrics = human + generator.normal(size=(3, 6, 80)).round(1) * np.array([1.0, 2.0, 4.0])[:, None, None]
    human[generator.random(human.shape) < 0.1] = np.nan
    draws, swaps = Draws.observed(6, 80), np.vstack(list(swap_flags(cells_of(human), 5, 3))).reshape(5, 6, 80)
    pairs = [(0, 2), (1, 2)]
    found = statistic(name).swap_deltas(metrics, human, grouping, swaps, pairs)
    for values, (first, second) in zip(found, pairs, strict=True):
        for value, swap in zip(values, swaps == 1, strict=True):
            one, other = (
                on_grid(name, np.where(swap, *mixed), human, draws, grouping)[0]
                for mixed in ((metrics[second], metrics[first]), (metrics[first], metrics[second]))
            )
            assert value == pytest.approx(one - other, abs=1e-12)


def test_where_draws_are_cut_does_not_matter(monkeypatch):
    generator = np.random.default_rng(2)
    human = generator.normal(size=(5, 30))
    metrics = human + generator.normal(size=(4, 5, 30)) * np.array([1.0, 1.1, 1.5, 4.0])[:, None, None]
    whole = grid_permutation("kendall", metrics, human, "item", samples=900, stop=20)
    monkeypatch.setattr("assay.people.metric_tests._FIRST", 7)
    assert grid_permutation("kendall", metrics, human, "item", samples=900, stop=20) == whole
    # Some stop early, some do not.
    assert {0.0, 1.0} == {float(test.p < 20 / 900) for test in whole.values()}


def test_acc23_swaps_whole_segments():
    # The first metric is right in all 12 segments, the second in none: only 2 of 4,096 swaps are so one-sided.
    human = np.tile([[1.0], [2.0]], (1, 12))
    metrics = np.stack([human, -human])
    (found,) = grid_permutation("acc23", metrics, human, "item", samples=1000).values()
    assert found.delta == pytest.approx(1.0)
    assert 1 / 1001 <= found.p < 0.006


def test_a_metric_does_not_differ_from_itself():
    generator = np.random.default_rng(1)
    human, metric = generator.normal(size=(2, 4, 20))
    twice = np.stack([metric, 3 * metric + 7])
    for name in ("pearson", "kendall", "tau23", "acc23"):
        (found,) = grid_permutation(name, twice, human, "item", samples=50).values()
        assert found.delta == pytest.approx(0.0, abs=1e-12)
        assert found.p == 1.0
    assert system_permutation("pearson", twice, human.mean(axis=1), samples=50)[0, 1].p == 1.0


def test_a_good_metric_beats_noise():
    generator = np.random.default_rng(2)
    human = generator.normal(size=(6, 80))
    metrics = np.stack([human + 0.5 * generator.normal(size=human.shape), generator.normal(size=human.shape)])
    for name in ("pearson", "kendall", "tau23", "acc23"):
        assert grid_permutation(name, metrics, human, "item", samples=200)[0, 1].p == pytest.approx(1 / 201)


@pytest.mark.slow
def test_false_alarms_stay_below_five_per_cent():
    # Two metrics equally close to people: p below 0.05 in 5 % of 400 sets, give or take 2.2 (two standard errors).
    generator = np.random.default_rng(3)
    alarms = {"kendall": 0, "acc23": 0, "pearson": 0}
    for _ in range(400):
        human = generator.normal(size=(6, 30)).round()
        metrics = human + generator.normal(size=(2, 6, 30)) + generator.normal(size=(2, 1, 30))
        for name in alarms:
            alarms[name] += grid_permutation(name, metrics, human, "item", samples=199)[0, 1].p <= 0.05
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
    found = williams(0.4, 0.5, 0.1, 103)
    assert stats.t.isf(found.p / 2, 100) == pytest.approx(0.89, abs=0.005)
    assert found.p == pytest.approx(0.37, abs=0.005)
    assert williams(0.5, 0.4, 0.1, 103).p == found.p


def test_williams_by_hand():
    # n = 12, r = 0.9 and 0.8, 0.85 between them. K = 1 - 0.81 - 0.64 - 0.7225 + 2 x 0.612 = 0.0515;
    # t = 0.1 sqrt(11 x 1.85 / (2 x 0.0515 x 11/9 + 0.7225 x 0.003375)) = 0.1 x sqrt(20.35 / 0.128327) = 1.2593.
    found = williams(0.9, 0.8, 0.85, 12)
    assert stats.t.isf(found.p / 2, 9) == pytest.approx(1.2593, abs=1e-4)
    # The interval is as many such errors to each side as t with 9 degrees of freedom asks for: 2.2622 x 0.1 / 1.2593.
    assert found.reach == pytest.approx(2.2622 * 0.1 / 1.2593, abs=1e-4)


def test_williams_at_its_limits():
    assert williams(0.5, 0.5, 0.5, 10).p == 1.0
    assert math.isnan(williams(0.5, 0.4, 0.5, 3).p)
    assert math.isnan(williams(math.nan, 0.4, 0.5, 30).p)
    # The same metric twice, up to rounding: p was 0.
    assert williams(0.7, 0.7 + 1e-16, 1.0, 10).p == 1.0
    # One is the other turned round: t of r itself, 0.6 sqrt(7 / (1 - 0.36)) = 1.9843.
    assert stats.t.isf(williams(0.6, -0.6, -1.0, 10).p / 2, 7) == pytest.approx(1.9843, abs=1e-4)
    # No error at all, and yet never 0: r = 1 and -1, which two of 2^10 swaps of whole systems give.
    assert williams(1.0, -1.0, -1.0, 10).p == 2.0**-9
    assert williams(0.9, 0.1, 0.1, 100_000).p > 0.0


@pytest.mark.parametrize("stop", [None, 20])
def test_an_interval_holds_zero_just_where_p_is_above_five_per_cent(stop):
    generator = np.random.default_rng(11)
    for effect in np.linspace(0.0, 1.0, 12):
        human = generator.normal(size=(4, 30))
        errors = np.array([1.0, 1.0 + effect])[:, None, None]
        metrics = human + errors * generator.normal(size=(2, 4, 30))
        for found in (
            grid_permutation("kendall", metrics, human, "none", samples=199, stop=stop)[0, 1],
            system_permutation("pearson", metrics, human.mean(axis=1), samples=199, stop=stop)[0, 1],
        ):
            assert (abs(found.delta) <= found.reach) == (found.p > 0.05)


def test_many_metrics_get_the_swaps_that_they_need():
    # Eleven metrics are 55 pairs. The smallest p is to be a fifth of what Holm asks of the first: 5 x 55 / 0.05 draws.
    usual = MetricTest(test=None, correction="holm", alpha=0.05, permutations=None, seed=1)
    assert [usual.draws(pairs) for pairs in (1, 10, 55, 10_000)] == [1000, 1000, 5500, 100_000]
    assert replace(usual, alpha=0.01).draws(55) == 27_500
    assert replace(usual, correction="none").draws(55) == 1000
    assert replace(usual, permutations=200).draws(55) == 200


def test_a_test_that_has_seen_enough_stops_with_a_p_value_of_what_it_saw():
    # Besag and Clifford: the draw with the tenth difference that is large enough is the n-th; p is 10/n.
    generator = np.random.default_rng(12)
    human = generator.normal(size=(4, 30))
    metrics = human + generator.normal(size=(2, 4, 30))
    x, y = standardised(metrics, human)
    observed = pearson(x.ravel(), human.ravel()) - pearson(y.ravel(), human.ravel())
    count = number = 0
    for number, flags in enumerate(np.vstack(list(swap_flags(cells_of(x), 999, 3))), start=1):  # noqa: B007
        swap = flags.reshape(x.shape) == 1
        one, other = np.where(swap, y, x), np.where(swap, x, y)
        delta = pearson(one.ravel(), human.ravel()) - pearson(other.ravel(), human.ravel())
        count += abs(delta) >= abs(observed) - 1e-9
        if count == 10:
            break
    found = grid_permutation("pearson", metrics, human, "none", samples=999, seed=3, stop=10)[0, 1]
    assert found.p == pytest.approx(10 / number)


def equal_metrics(count, generator, segments=50):
    """Systems as people and two metrics see them, each metric with an error of its own of the same size per system."""
    quality = generator.normal(size=count)
    people = quality + 0.3 * generator.normal(size=count)
    metrics = quality + 0.5 * generator.normal(size=(2, count))
    grids = np.stack([people, *metrics])[:, :, None] + 0.5 * generator.normal(size=(3, count, segments))
    mask = np.ones((count, segments), dtype=np.bool_)
    names = tuple(f"s{number}" for number in range(count))
    return [MeanScores(name, names, mask, grid) for name, grid in zip(("people", "a", "b"), grids, strict=True)]


def false_positives(count, campaigns, seed, tests):
    """The share of campaigns in which equal metrics are called different at 5 %, by test and statistic."""
    generator, alarms = np.random.default_rng(seed), dict.fromkeys(tests, 0)
    for _ in range(campaigns):
        people, *metrics = equal_metrics(count, generator)
        level = SystemLevel(people, Draws.observed(count, 50), seed=1)
        for test, name in tests:
            how = MetricTest(test=test, correction="none", alpha=0.05, permutations=99, seed=1)
            alarms[test, name] += how.pairs(level, metrics, (name, None), [(0, 1)], 1)[0, 1].p <= 0.05
    return {key: round(100 * alarm / campaigns, 1) for key, alarm in alarms.items()}


NEW_SYSTEMS = [
    ("williams", "pearson"), ("jackknife", "spearman"), ("jackknife", "kendall"), ("jackknife", "accuracy"),
    ("jackknife", "pearson-differences"),
]  # fmt: skip


def test_the_usual_tests_hold_for_new_systems_and_perm_both_does_not():
    # 5 % of 200 are 10; more than 18 are as good as never seen (binomial, 99 %).
    found = false_positives(8, 200, 1, [*NEW_SYSTEMS, ("perm-both", "pearson")])
    assert found.pop(("perm-both", "pearson")) > 30.0
    assert all(share <= 9.0 for share in found.values()), found


@pytest.mark.slow
@pytest.mark.parametrize("count", [5, 8, 12, 20])
def test_the_usual_tests_hold_for_any_number_of_new_systems(count):
    # 5 % of 2,000 are 100; more than 126 in one of five tests are as good as never seen (binomial, 99.5 %).
    found = false_positives(count, 2000, count, NEW_SYSTEMS)
    assert all(share <= 6.3 for share in found.values()), found


def test_the_jackknife_over_systems_by_hand():
    # Centred pseudo-values of the difference, and Student's t of them as scipy has it.
    people, *metrics = equal_metrics(9, np.random.default_rng(3))
    level = SystemLevel(people, Draws.observed(9, 50), seed=1)
    how = MetricTest(test=None, correction="none", alpha=0.05, permutations=None, seed=1)
    found = how.pairs(level, metrics, ("kendall", None), [(0, 1)], 1)[0, 1]
    human, first, second = (each.grid.mean(axis=1) for each in (people, *metrics))

    def difference(kept):
        one, other = (stats.kendalltau(metric[kept], human[kept]).statistic for metric in (first, second))
        return one - other

    whole = difference(np.arange(9))
    without = np.array([difference(np.delete(np.arange(9), left)) for left in range(9)])
    shares = 9 * whole - 8 * without
    expected = stats.ttest_1samp(shares - shares.mean() + whole, 0.0)
    assert (found.delta, found.p) == (pytest.approx(whole), pytest.approx(expected.pvalue))
    assert found.delta + found.reach == pytest.approx(expected.confidence_interval().high)


def test_the_interval_of_a_permutation_test_has_zero_in_it_just_where_p_is_above_the_level():
    sizes = np.array([5.0, 4.0, *[1.0] * 37])
    # Two of 39 draws go as far as 3: p is 3 / 40, and the interval reaches 4 to either side of 3.
    assert _permutation_test(sizes, 3.0, 10, None)[:3] == (3.0, 4.0, 3 / 40)
    # One goes as far as 4.5: p is 2 / 40, which is significant, and 4 leaves 0 out.
    assert _permutation_test(sizes, 4.5, 10, None)[:3] == (4.5, 4.0, 2 / 40)


def alike_on_all_systems(generator, systems=6, segments=100):
    """Two equally good metrics, each with errors of its own by document and by segment that all systems share."""
    document = np.arange(segments) // 5
    quality = generator.normal(size=(systems, segments)) + 0.5 * generator.normal(size=(systems, 1))
    human = quality + 0.5 * generator.normal(size=quality.shape)
    shared = 0.5 * generator.normal(size=(2, 1, segments // 5))[..., document] + 0.5 * generator.normal(
        size=(2, 1, segments)
    )
    return human, quality + shared + 0.5 * generator.normal(size=(2, *quality.shape))


@pytest.mark.slow
def test_errors_on_all_systems_alike_mislead_statistics_that_are_not_grouped_by_item():
    generator, alarms = np.random.default_rng(2), {("kendall", "item"): 0, ("pearson", "none"): 0}
    draws = Draws.of(Units.documents([f"d{place // 5}" for place in range(100)]), 0, 1, systems=6)
    for seed in range(300):
        human, metrics = alike_on_all_systems(generator)
        for name, grouping in alarms:
            found = grid_permutation(name, metrics, human, grouping, draws=draws, samples=99, seed=seed)
            alarms[name, grouping] += found[0, 1].p <= 0.05
    assert binomial_interval(alarms["kendall", "item"], 300, 0.99)[0] <= 0.05
    assert binomial_interval(alarms["pearson", "none"], 300, 0.99)[0] > 0.05
