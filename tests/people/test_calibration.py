"""Tie calibration against a direct search over all thresholds."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings

from assay import kernels
from assay.people.statistics import acc23
from assay.people.statistics.acc23 import agreement_at
from assay.people.statistics.base import GROUPINGS, Grid
from assay.people.statistics.registry import on_grid, statistic
from assay.significance.draws import Draws, numbered, shuffled
from oracles import meta as oracle
from people.test_grids import problems

calibrate, held_out = statistic("acc23").of_grid, statistic("acc23-heldout").of_grid


@pytest.mark.parametrize("grouping", GROUPINGS)
@given(problem=problems(largest=5))
@settings(max_examples=50)
def test_the_best_threshold_is_that_of_a_direct_search(grouping, problem):
    metric, human, draws = problem
    found = calibrate(Grid.of(metric, human, draws, grouping))
    for row in range(len(draws)):
        value, epsilon = oracle.calibrated(metric, human, (draws.weights[row], draws.systems[row]), grouping)
        assert found.values[row] == pytest.approx(value, abs=1e-9, nan_ok=True)
        assert found.epsilons[row] == pytest.approx(epsilon, abs=1e-9, nan_ok=True)


def test_calibration_by_hand():
    # People tie the first two. Distances 0.1 (tied by people), 1.9 and 2.0 (ordered alike): at 0.1 all are right.
    metric, human = np.array([[1.0], [1.1], [3.0]]), np.array([[2.0], [2.0], [5.0]])
    found = calibrate(Grid.of(metric, human, Draws.observed(3, 1), "item"))
    assert found.values == pytest.approx([1.0])
    assert found.epsilons == pytest.approx([0.1])


def test_one_threshold_serves_all_segments():
    # The first segment would like a threshold of 2, the second none below 1: together 2/2 or 1/2 + 0 are the choices.
    metric, human = np.array([[0.0, 0.0], [2.0, 1.0]]), np.array([[3.0, 1.0], [3.0, 2.0]])
    found = calibrate(Grid.of(metric, human, Draws.observed(2, 2), "item"))
    assert found.values == pytest.approx([0.5])
    assert found.epsilons == pytest.approx([0.0])


@pytest.mark.parametrize("grouping", GROUPINGS)
@given(problem=problems(largest=6))
@settings(max_examples=30)
def test_held_out_thresholds_come_from_the_other_folds(grouping, problem):
    metric, human, draws = problem
    segments = metric.shape[1]
    if segments < 2:
        return
    found = held_out(Grid.of(metric, human, draws, grouping, seed=7))
    fold = folds_of_two(segments, 7)
    for row in range(len(draws)):
        drawn, systems = (draws.weights[row], draws.systems[row])
        for number in (0, 1):
            _, epsilon = oracle.calibrated(metric, human, (drawn * (fold != number), systems), grouping)
            if not math.isnan(epsilon):
                assert found.epsilons[row, number] == pytest.approx(epsilon, abs=1e-9)
        expected = held_out_value(
            oracle.groups_of(metric, human, (drawn, systems), grouping), fold, found.epsilons[row]
        )
        assert found.values[row] == pytest.approx(expected, abs=1e-9, nan_ok=True)


def folds_of_two(segments, seed):
    """Every other one of the segments in a random order, so that both folds are even or nearly."""
    fold = np.empty(segments, dtype=int)
    fold[shuffled(numbered(segments), seed, "folds of acc23")] = np.arange(segments) % 2
    return fold


def held_out_value(groups, fold, epsilons):
    """Pairs within a fold, under the threshold given for it; the mean over groups."""
    values = []
    for group, times in groups:
        right = total = 0
        for one, other in itertools.combinations(group, 2):
            (_, segment), (_, second) = one[0], other[0]
            if one[0] != other[0] and fold[segment] == fold[second]:
                right += oracle.acc23_of_group([one, other], epsilons[fold[segment]])
                total += 1
        values.append((right / total if total else math.nan, times))
    return oracle.mean_of_groups(values)


def larger_problem(*, systems_drawn, holes=False):
    generator = np.random.default_rng(2)
    human = np.round(generator.normal(size=(8, 60)))
    metric = human + generator.normal(size=human.shape)
    if holes:
        human[generator.random(human.shape) < 0.2] = np.nan
    segments = np.vstack([np.ones(60), generator.multinomial(60, np.full(60, 1 / 60), size=20)])
    systems = np.ones((21, 8))
    if systems_drawn:
        systems[1:] = generator.multinomial(8, np.full(8, 1 / 8), size=20)
    return metric, human, Draws.given(segments, systems)


@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("grouping", GROUPINGS)
def test_draws_of_many_segments_and_systems_have_the_threshold_of_a_direct_search(grouping, holes):
    metric, human, draws = larger_problem(systems_drawn=True, holes=holes)
    metric, human = metric[:, :14].round(1), human[:, :14]
    draws = Draws.given(draws.weights[:, :14], draws.systems)
    found = calibrate(Grid.of(metric, human, draws, grouping))
    for row in (0, 5, 20):
        value, epsilon = oracle.calibrated(metric, human, (draws.weights[row], draws.systems[row]), grouping)
        assert found.values[row] == pytest.approx(value, abs=1e-9)
        assert found.epsilons[row] == pytest.approx(epsilon, abs=1e-9)


@pytest.mark.parametrize("systems_drawn", [False, True])
@pytest.mark.parametrize("grouping", GROUPINGS)
def test_agreement_at_a_threshold_is_that_of_the_definition(grouping, systems_drawn):
    metric, human, draws = larger_problem(systems_drawn=systems_drawn, holes=True)
    metric, human = metric[:3, :12].round(1), human[:3, :12]
    draws = Draws.given(draws.weights[:3, :12], draws.systems[:3, :3])
    grid = Grid.of(metric, human, draws, grouping)
    for epsilon in (0.0, 0.3, 1.0):
        right, total, _ = agreement_at(grid, np.full(3, epsilon))
        for row in range(3):
            groups = list(oracle.groups_of(metric, human, (draws.weights[row], draws.systems[row]), grouping))
            for number, (group, _) in enumerate(groups):
                expected = oracle.acc23_of_group(group, epsilon)
                assert (total[number, row] > 0) == (not math.isnan(expected))
                if total[number, row] > 0:
                    assert right[number, row] / total[number, row] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("grouping", ["none", "system"])
def test_a_sample_of_pairs_is_close(monkeypatch, grouping):
    grid = Grid.of(*larger_problem(systems_drawn=True), grouping)
    whole, whole_held_out = calibrate(grid), held_out(grid)
    monkeypatch.setattr(acc23, "LISTED_CELLS", 200_000)
    monkeypatch.setattr(acc23, "SAMPLED_PAIRS", (8_000, 8_000))
    sampled, sampled_held_out = calibrate(grid), held_out(grid)
    assert (sampled.values[1:] != whole.values[1:]).all()
    # The observed value is exact all the same, and the draws move alike.
    assert sampled.values[0] == pytest.approx(whole.values[0], abs=1e-12)
    assert sampled.epsilons[0] == whole.epsilons[0]
    assert sampled_held_out.values[0] == pytest.approx(whole_held_out.values[0], abs=1e-12)
    assert sampled.values == pytest.approx(whole.values, abs=0.06)
    assert sampled_held_out.values == pytest.approx(whole_held_out.values, abs=0.08)


def test_a_sample_depends_on_the_seed_alone(monkeypatch):
    monkeypatch.setattr(acc23, "LISTED_CELLS", 0)
    monkeypatch.setattr(acc23, "SAMPLED_PAIRS", (300, 300))
    grid = np.random.default_rng(1).normal(size=(2, 5, 30))
    draws = Draws.observed(5, 30)
    one, same, other = (calibrate(Grid.of(*grid, draws, "none", seed=seed)).values for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_a_system_with_a_single_score_has_no_pair_to_sample(monkeypatch):
    monkeypatch.setattr(acc23, "LISTED_CELLS", 0)
    human = np.arange(60.0).reshape(3, 20)
    human[0, 1:] = np.nan
    # The metric says what people say, so that all pairs of the other two systems are right, whichever are drawn.
    assert calibrate(Grid.of(human, human, Draws.observed(3, 20), "system")).values == pytest.approx([1.0])


@pytest.mark.parametrize("seed", range(1, 9))
def test_the_seed_says_which_segments_are_held_out_together(seed):
    # The metric sets both systems 1 apart on all segments. People tie them on the first two, which wants a threshold
    # of 1, and order them alike on the last two, which want 0. If the folds are these two and those two, each has the
    # threshold that is wrong for it: 0. If each fold has one of both, either threshold is right for one of two: 1/2.
    metric, human = np.array([[0.0] * 4, [1.0] * 4]), np.array([[0.0] * 4, [0.0, 0.0, 1.0, 1.0]])
    fold = folds_of_two(4, seed)
    expected = 0.0 if fold[0] == fold[1] else 0.5
    found = on_grid("acc23-heldout", metric, human, Draws.observed(2, 4), "item", seed=seed)
    assert found == pytest.approx([expected])


def test_kernels_refuse_pairs_and_draws_that_do_not_fit():
    codes = np.array([[0, 1, 2]], dtype=np.uint32)
    cells, weights = (np.ones((1, 3)), np.ones((1, 3)), codes), np.ones((3, 4))
    with pytest.raises(ValueError, match="weights for every unit"):
        kernels.best_thresholds((*cells[:2], codes + 1), weights, np.ones((1, 4)), None)
    with pytest.raises(ValueError, match="every group and draw"):
        kernels.best_thresholds(cells, weights, np.ones((1, 5)), None)
    with pytest.raises(ValueError, match="threshold is needed for every draw"):
        kernels.agreement_at(cells, weights, np.ones(5), None)
    with pytest.raises(ValueError, match="two items of one group"):
        kernels.agreement_at(cells, weights, np.ones(4), (codes[0], codes[0]))


def test_one_segment_cannot_be_held_out():
    metric, human = np.random.default_rng(1).normal(size=(2, 5, 1))
    assert np.isnan(held_out(Grid.of(metric, human, Draws.observed(5, 1), "item")).values).all()
