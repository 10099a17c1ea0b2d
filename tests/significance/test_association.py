"""Correlations of vectors under weights against scipy on repeated data."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import ParameterError
from assay.meta.statistics.system_pairs import accuracy, pearson_of_differences
from assay.significance.association import kendall_b, kendall_c, pearson, spearman
from oracles import meta as oracle

FUNCTIONS = {"pearson": pearson, "spearman": spearman, "kendall": kendall_b, "kendall-c": kendall_c}

triples = st.lists(
    st.tuples(
        st.integers(-3, 3) | st.none(), st.integers(-3, 3) | st.floats(-5, 5, allow_subnormal=False), st.integers(0, 4)
    ),
    max_size=9,
)


@pytest.mark.parametrize("name", FUNCTIONS)
@given(items=triples)
@settings(max_examples=150)
def test_weights_are_repetitions(name, items):
    x, y, weights = np.array([(math.nan if x is None else x, y, w) for x, y, w in items]).reshape(-1, 3).T
    there = ~np.isnan(x)
    expected = oracle.scipy_value(name, *(oracle.repeated(values[there], weights[there]) for values in (x, y)))
    found = float(FUNCTIONS[name](x, y, weights))
    if not math.isnan(expected) and name == "pearson" and abs(expected) > 1 + 1e-12:
        return
    assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_what_does_not_count_may_be_of_any_size():
    # The weights leave out what is 300 orders of magnitude larger than the rest.
    x, y, weights = np.array([1e-300, 2e-300, 4e-300, 1e10]), np.array([1.0, 2.0, 3.0, 1e9]), np.array([1, 1, 1, 0.0])
    assert pearson(x, y, weights) == pytest.approx(pearson(np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 3.0])))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_leading_axes_broadcast(name):
    generator = np.random.default_rng(1)
    x, y, weights = generator.normal(size=(2, 1, 12)), generator.normal(size=12), generator.integers(3, size=(5, 12))
    found = FUNCTIONS[name](x, y, weights)
    assert found.shape == (2, 5)
    assert found[1, 3] == pytest.approx(
        oracle.scipy_value(name, oracle.repeated(x[1, 0], weights[3]), oracle.repeated(y, weights[3]))
    )


@pytest.mark.parametrize("function", [*FUNCTIONS.values(), accuracy, pearson_of_differences])
def test_nothing_and_one_item_have_no_correlation(function):
    assert math.isnan(function(np.array([]), np.array([])))
    assert math.isnan(function(np.array([1.0]), np.array([2.0])))
    assert math.isnan(function(np.array([1.0, 2.0]), np.array([2.0, 4.0]), np.array([3.0, 0.0])))


def test_accuracy_by_hand():
    x, y = np.array([1.0, 1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0, 3.0])
    # ab is tied by the metric, bc by people; ac, ad, bd, cd are ordered alike: 4 of 6.
    assert accuracy(x, y) == pytest.approx(4 / 6)
    # Tied on both sides is alike.
    assert accuracy(np.array([1.0, 1.0]), np.array([2.0, 2.0])) == pytest.approx(1.0)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=8), st.integers(0, 100))
@settings(max_examples=80)
def test_accuracy_leaves_out_copies_of_a_system(items, seed):
    x, y = np.array(items, dtype=float).T
    assert accuracy(x, y) == pytest.approx(oracle.accuracy(x, y))
    weights = np.random.default_rng(seed).integers(3, size=len(x)).astype(float)
    right = total = 0.0
    for i, j in itertools.combinations(range(len(x)), 2):
        total += weights[i] * weights[j]
        right += weights[i] * weights[j] * (np.sign(x[i] - x[j]) == np.sign(y[i] - y[j]))
    assert accuracy(x, y, weights) == pytest.approx(right / total if total else math.nan, nan_ok=True)


def test_differences_taken_both_ways_have_the_correlation_of_the_scores():
    x, y = np.random.default_rng(2).normal(size=(2, 9))
    i, j = np.array([(i, j) for i in range(9) for j in range(9) if i != j]).T
    both = np.corrcoef(x[i] - x[j], y[i] - y[j])[0, 1]
    assert both == pytest.approx(float(pearson(x, y)), abs=1e-12)
    assert pearson_of_differences(x, y, orientation="both") == pytest.approx(both, abs=1e-12)


def test_differences_are_taken_from_the_better_to_the_worse():
    # People: c > b > a. Differences of people ba 1, ca 4, cb 3; of the metric 2, 3, 1.
    x, y = np.array([0.0, 2.0, 3.0]), np.array([1.0, 2.0, 5.0])
    assert pearson_of_differences(x, y) == pytest.approx(np.corrcoef([2, 3, 1], [1, 4, 3])[0, 1], abs=1e-12)


def test_a_pair_that_people_tie_enters_both_ways():
    # a and b are tied by people: (1, 0) and (-1, 0) with half the weight of ca (2, 3) and cb (3, 3).
    x, y = np.array([1.0, 0.0, 3.0]), np.array([2.0, 2.0, 5.0])
    expected = np.corrcoef([1, -1, 2, 2, 3, 3], [0, 0, 3, 3, 3, 3])[0, 1]
    assert pearson_of_differences(x, y) == pytest.approx(expected, abs=1e-12)


@given(st.permutations(range(7)))
@settings(max_examples=30)
def test_differences_do_not_depend_on_the_order_of_systems(order):
    generator = np.random.default_rng(3)
    x, y = generator.normal(size=7), generator.integers(3, size=7).astype(float)
    assert pearson_of_differences(x[order], y[order]) == pytest.approx(pearson_of_differences(x, y), abs=1e-12)


def test_differences_in_listed_order_depend_on_it():
    # Why pairs are not simply taken as they are listed: the same systems, two orders, two values.
    x, y = np.array([0.0, 1.0, 3.0]), np.array([0.0, 2.0, 1.0])
    values = set()
    for order in itertools.permutations(range(3)):
        i, j = np.array(list(itertools.combinations(order, 2))).T
        values.add(round(float(np.corrcoef(x[i] - x[j], y[i] - y[j])[0, 1]), 6))
    assert len(values) > 1


def test_an_unknown_orientation_is_told():
    with pytest.raises(ParameterError, match="people or both"):
        pearson_of_differences(np.ones(3), np.ones(3), orientation="listed")
