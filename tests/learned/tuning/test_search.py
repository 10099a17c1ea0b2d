"""The grid of parameters and the search on it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from assay.learned.tuning.search import SPREAD, ParameterGrid, ParameterRange, best_point, shortest_way
from assay.metrics.tunable import Tunable


def test_a_range_reaches_both_ends_and_keeps_the_present_value_as_it_is():
    one = ParameterRange(Tunable("beta", 1 / 3, 0.05, 5.0, log=True))
    assert one.value(0) == 1 / 3
    assert (one.value(one.lowest), one.value(one.highest)) == (0.05, 5.0)
    values = [one.value(step) for step in range(one.lowest, one.highest + 1)]
    assert values == sorted(set(values))
    assert len(values) in (101, 102)


def test_a_present_value_beyond_the_bounds_widens_them():
    one = ParameterRange(Tunable("beta", 20.0, 0.1, 10.0, log=True))
    assert one.highest == 0
    assert one.value(one.lowest) == 0.1


def test_values_have_few_digits():
    one = ParameterRange(Tunable("beta", 0.2, 0.05, 5.0, log=True))
    values = [one.value(step) for step in range(one.lowest, one.highest)]
    assert all(value == float(f"{value:.4g}") for value in values)


def grid_of(*tunables):
    made = ParameterGrid(tunables)
    return made, made.spread(SPREAD * len(tunables), np.random.default_rng(1))


@pytest.mark.parametrize("centre", [(0.2, 0.9), (0.5, 0.5), (0.0, 1.0)])
@pytest.mark.parametrize("flat", [False, True])
def test_the_search_finds_what_trying_everything_finds(centre, flat):
    grid, spread = grid_of(Tunable("a", 0.85), Tunable("b", 0.3))

    def objective(steps):
        a, b = grid.values(steps).values()
        # A ridge along which both numbers work against each other; with steps, as ranks have them.
        value = -((a - centre[0] + b - centre[1]) ** 2) * 4 - (a - centre[0]) ** 2
        return round(value, 4) if flat else value

    ranges = [range(one.lowest, one.highest + 1) for one in grid.ranges]
    best = max(objective(steps) for steps in product(*ranges))
    point, value = best_point(objective, grid, spread)
    assert value == objective(point)
    assert value >= best - 2e-4


def test_where_nothing_is_better_the_present_values_stay():
    grid, spread = grid_of(Tunable("a", 0.85), Tunable("b", 0.3))
    assert best_point(lambda _: 1.0, grid, spread) == (grid.origin, 1.0)
    assert best_point(lambda _: float("nan"), grid, spread)[0] == grid.origin


def test_a_value_that_is_not_defined_is_worse_than_any():
    grid, spread = grid_of(Tunable("a", 0.5))
    point, _ = best_point(lambda steps: float("nan") if steps[0] > 0 else float(steps[0]), grid, spread)
    assert point == (0,)


def test_the_shortest_way_is_taken_unless_a_longer_one_is_surely_better():
    # The last way is better in every fold, by nearly the same: go all the way.
    steady = np.array([[0.1] * 4, [0.2] * 4, [0.30, 0.31, 0.29, 0.30]])
    assert shortest_way(steady.mean(axis=1), steady) == 2
    # Here it is better by luck of one fold: differences 0.9, -0.3, -0.3, -0.1; mean 0.05, standard error 0.29.
    lucky = np.array([[0.1] * 4, [1.0, -0.2, -0.2, 0.0]])
    assert shortest_way(lucky.mean(axis=1), lucky) == 0
    # Single folds without a value: the best way.
    assert shortest_way(np.array([0.1, 0.2]), np.full((2, 3), np.nan)) == 1
    assert shortest_way(np.full(2, np.nan), np.full((2, 3), np.nan)) == 0
