"""Statistics on grids against scipy on data in which every item is repeated as often as it was drawn."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr

from assay.errors import ParameterError, UnknownName
from assay.people.statistics.base import GROUPINGS
from assay.people.statistics.registry import on_grid, several_on_grid, statistic
from assay.significance.draws import Draws
from oracles import meta as oracle

CORRELATIONS = ("pearson", "spearman", "kendall", "kendall-c")


@st.composite
def problems(draw, largest=7):
    """Two small grids with ties and holes, and three draws of them, the first of which is the data as they are."""
    seed = draw(st.integers(0, 10**6))
    generator = np.random.default_rng(seed)
    systems, segments = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    values = draw(st.integers(1, 6))
    metric, human = generator.integers(values, size=(2, systems, segments)).astype(float)
    if draw(st.booleans()):
        metric = metric + generator.normal(size=metric.shape)
    hole = draw(st.sampled_from([0.0, 0.3]))
    human[generator.random(human.shape) < hole] = np.nan
    metric[generator.random(metric.shape) < hole / 3] = np.nan
    drawn = generator.integers(3, size=(2, systems)) if draw(st.booleans()) else np.ones((2, systems))
    draws = Draws.given(
        np.vstack([np.ones(segments), generator.integers(4, size=(2, segments))]),
        np.vstack([np.ones(systems), drawn]),
    )
    return metric, human, draws


@pytest.mark.parametrize("grouping", GROUPINGS)
@given(problem=problems())
@settings(max_examples=60)
def test_correlations_are_scipys_on_repeated_data(grouping, problem):
    metric, human, draws = problem
    found = several_on_grid(CORRELATIONS, metric, human, draws, grouping)
    for name in CORRELATIONS:
        for row in range(len(draws)):
            expected = oracle.on_grid(name, metric, human, (draws.weights[row], draws.systems[row]), grouping)
            assert found[name][row] == pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("grouping", GROUPINGS)
@given(problem=problems())
@settings(max_examples=60)
def test_tau23_counts_ties_on_both_sides_as_agreement(grouping, problem):
    metric, human, draws = problem
    found = on_grid("tau23", metric, human, draws, grouping)
    for row in range(len(draws)):
        share = oracle.acc23(metric, human, (draws.weights[row], draws.systems[row]), grouping, 0.0)
        assert found[row] == pytest.approx(2 * share - 1, abs=1e-9, nan_ok=True)


@given(problem=problems())
@settings(max_examples=60)
def test_kendall_like_pools_pairs_that_people_set_apart(problem):
    metric, human, draws = problem
    # Whole numbers times 12.5: two apart are the 25 points that count.
    human = 12.5 * human
    found = on_grid("kendall-like", metric, human, draws, "item")
    for row in range(len(draws)):
        expected = oracle.kendall_like(metric, human, (draws.weights[row], draws.systems[row]), 25.0)
        assert found[row] == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(problem=problems())
@settings(max_examples=100)
def test_pdp_is_scipys_pearson_of_all_differences_within_segments(problem):
    metric, human, draws = problem
    found = on_grid("pdp", metric, human, draws, "item")
    for row in range(len(draws)):
        apart = []
        for segment, times in enumerate(draws.weights[row].astype(int)):
            systems = np.repeat(np.arange(len(metric)), draws.systems[row].astype(int))
            cells = [(metric[i, segment], human[i, segment]) for i in systems]
            cells = [cell for cell in cells if not np.isnan(cell).any()]
            pairs = [(x[0] - y[0], x[1] - y[1]) for x, y in itertools.permutations(cells, 2)]
            apart += times * pairs
        x, y = np.array(apart).T if apart else np.zeros((2, 1))
        expected = pearsonr(x, y).statistic if np.ptp(x) > 1e-9 and np.ptp(y) > 1e-9 else np.nan
        assert found[row] == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_pdp_by_hand():
    # Differences of the first segment: 1, 3, 2 by the metric and 2, 2, 0 by people; of the second, which has two
    # systems: 2 and -1. Products add up to 2 + 6 + 0 - 2 = 6, squares to 1 + 9 + 4 + 4 = 18 and 4 + 4 + 0 + 1 = 9.
    metric = np.array([[4.0, 12.0], [3.0, 10.0], [1.0, np.nan]])
    human = np.array([[5.0, 1.0], [3.0, 2.0], [3.0, 9.0]])
    assert on_grid("pdp", metric, human, Draws.observed(3, 2), "item") == pytest.approx(6 / math.sqrt(18 * 9))
    # The first segment alone: 8 by the root of 14 times 8.
    alone = statistic("pdp").compute(human[:, 0], metric[:, 0], np.ones(3))
    assert float(alone) == pytest.approx(8 / math.sqrt(14 * 8))


def test_pdp_of_a_metric_that_says_the_same_of_all_systems_is_none():
    metric, human = np.array([[0.1, 0.7], [0.1, 0.7], [0.1, 0.7]]), np.array([[1.0, 2.0], [2.0, 5.0], [4.0, 3.0]])
    assert np.isnan(on_grid("pdp", metric, human, Draws.observed(3, 2), "item")).all()


def test_long_vectors_agree_with_scipy():
    # Long enough for several stretches and bins, with classes of ties that fill bins of their own.
    generator = np.random.default_rng(3)
    human = np.round(generator.normal(size=(9, 83)) * 1.2)
    metric = human + generator.normal(size=human.shape).round(1)
    human[generator.random(human.shape) < 0.1] = np.nan
    draws = Draws.given(
        generator.multinomial(83, np.full(83, 1 / 83), size=2).astype(float),
        generator.multinomial(9, np.full(9, 1 / 9), size=2).astype(float),
    )
    for grouping in GROUPINGS:
        for name, values in several_on_grid(CORRELATIONS, metric, human, draws, grouping).items():
            for row in range(2):
                expected = oracle.on_grid(name, metric, human, (draws.weights[row], draws.systems[row]), grouping)
                assert values[row] == pytest.approx(expected, abs=1e-9)


def test_kendall_like_by_hand():
    # People give 90, 60, 50: pairs 90-60 and 90-50 are 25 apart. The metric ties the first and orders the second.
    metric, human = np.array([[2.0], [2.0], [1.0]]), np.array([[90.0], [60.0], [50.0]])
    assert on_grid("kendall-like", metric, human, Draws.observed(3, 1), "item") == pytest.approx(0.0)


def test_kendall_like_of_one_segment_by_hand():
    # People give 90, 60, 30, all of them 25 apart; the metric orders 90-60 and 90-30 alike and 60-30 not: (2 - 1) / 3.
    # With the second drawn twice these weigh 2, 1 and 2: (3 - 2) / 5. Without it 90-30 is left; alone it has no pair.
    human, metric = np.broadcast_to([90.0, 60.0, 30.0], (4, 3)), np.broadcast_to([3.0, 1.0, 2.0], (4, 3))
    weights = np.array([[1.0, 1.0, 1.0], [1.0, 2.0, 1.0], [1.0, 0.0, 1.0], [0.0, 2.0, 0.0]])
    assert statistic("kendall-like").compute(human, metric, weights) == pytest.approx([1 / 3, 1 / 5, 1.0, 0.0])


def test_a_group_without_a_value_is_left_out_of_the_mean():
    # The second segment has one score from people for all, so the first alone is the mean.
    metric, human = np.array([[1.0, 1.0], [2.0, 5.0], [4.0, 2.0]]), np.array([[1.0, 3.0], [2.0, 3.0], [3.0, 3.0]])
    assert on_grid("kendall", metric, human, Draws.observed(3, 2), "item") == pytest.approx(1.0)


def test_nothing_to_correlate_is_nan():
    empty = np.full((3, 4), np.nan)
    for grouping in GROUPINGS:
        for name in (*CORRELATIONS, "tau23", "acc23"):
            assert math.isnan(on_grid(name, empty, empty, Draws.observed(3, 4), grouping)[0])
    # mt-metrics-eval has 0 where there is no pair.
    assert on_grid("kendall-like", empty, empty, Draws.observed(3, 4), "item")[0] == 0.0


def test_what_does_not_fit_is_told():
    grid, draws = np.ones((3, 4)), Draws.observed(3, 4)
    with pytest.raises(UnknownName, match="kendall"):
        on_grid("kendal", grid, grid, draws, "item")
    with pytest.raises(UnknownName, match="grouping"):
        on_grid("kendall", grid, grid, draws, "segment")
    with pytest.raises(ParameterError, match="systems by segments"):
        on_grid("kendall", grid.T, grid.T, draws, "item")
    with pytest.raises(ParameterError, match="grouping is item"):
        on_grid("kendall-like", grid, grid, draws, "none")
    with pytest.raises(ParameterError, match="one row per draw"):
        Draws.given(np.ones((2, 4)), np.ones((3, 3)))
    with pytest.raises(ParameterError, match="negative"):
        Draws.given(-np.ones((2, 4)), np.ones((2, 3)))
