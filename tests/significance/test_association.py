"""Correlations of vectors under weights against scipy on repeated data."""

from __future__ import annotations

import itertools
import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import kernels
from assay.people.statistics.registry import statistic
from assay.significance.association import from_moments, kendall_b, over_rows, pearson, spearman, under
from oracles import association as by_hand
from oracles import meta as oracle

kendall_c, accuracy = (partial(over_rows, measure) for measure in ("kendall_c", "agreement"))
FUNCTIONS = {"pearson": pearson, "spearman": spearman, "kendall": kendall_b, "kendall-c": kendall_c}


def pearson_of_differences(x, y, weights=1.0):
    return statistic("pearson-differences").over(y, x, np.asarray(weights))


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


def test_no_correlation_is_above_one_by_rounding():
    # Lists that are the same, of which rounding takes some a little above 1 and some a little below.
    lists = np.random.default_rng(1).normal(size=(200, 7))
    ones = np.ones_like(lists)
    moments = np.stack([part.sum(axis=1) for part in (ones, lists, lists, lists**2, lists**2, lists**2)])
    found = from_moments(moments)
    assert found == pytest.approx(1.0, abs=1e-12)
    assert found.max() == 1.0


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


@st.composite
def drawn_lists(draw):
    """Two lists with ties, the unit of each item, and four draws of units."""
    generator = np.random.default_rng(draw(st.integers(0, 10**6)))
    items, units, values = draw(st.integers(0, 12)), draw(st.integers(1, 6)), draw(st.integers(1, 8))
    x, y = generator.integers(values, size=(2, items)).astype(float)
    if draw(st.booleans()):
        x = x + generator.normal(size=items)
    return x, y, generator.integers(4, size=(units, 4)).astype(float), generator.integers(units, size=items)


@given(problem=drawn_lists())
@settings(max_examples=200, deadline=None)
def test_pairs_under_draws_are_those_that_are_counted_one_by_one(problem):
    x, y, weights, unit = problem
    for turned in (False, True):
        one, other = (y, x) if turned else (x, y)
        found = {name: under(name, one, other, weights, unit) for name in ("kendall_b", "kendall_c", "agreement")}
        for draw in range(4):
            drawn = weights[unit, draw]
            pairs, tied_x, tied_y, tied_both, difference, classes, total = by_hand.pair_sums(
                one.tolist(), other.tolist(), drawn.tolist()
            )
            # Copies of an item are no pair, but two items of one unit are.
            assert pairs == (drawn.sum() ** 2 - (drawn**2).sum()) / 2
            concordant = (pairs - tied_x - tied_y + tied_both + difference) / 2
            scale = math.sqrt((pairs - tied_x) * (pairs - tied_y))
            expected = {
                "kendall_b": difference / scale if scale else math.nan,
                "kendall_c": 2 * difference / (total**2 * (classes - 1) / classes) if classes > 1 else math.nan,
                "agreement": (concordant + tied_both) / pairs if pairs else math.nan,
            }
            for name, values in found.items():
                assert values[draw] == pytest.approx(expected[name], abs=1e-15, nan_ok=True)


@given(problem=drawn_lists())
@settings(max_examples=100, deadline=None)
def test_ranks_under_draws_are_taken_anew(problem):
    x, y, weights, unit = problem
    found = under("spearman", x, y, weights, unit)
    assert found == pytest.approx(under("spearman", x, y, weights[unit]), abs=0, nan_ok=True)
    for draw in range(4):
        expected = by_hand.spearman(x.tolist(), y.tolist(), weights[unit, draw].tolist())
        assert found[draw] == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(problem=drawn_lists())
@settings(max_examples=100, deadline=None)
def test_units_or_their_items_may_be_weighed(problem):
    x, y, weights, unit = problem
    assert under("pearson", x, y, weights, unit) == pytest.approx(
        under("pearson", x, y, weights[unit]), abs=1e-12, nan_ok=True
    )


def test_long_vectors_are_those_of_scipy():
    generator = np.random.default_rng(8)
    x = generator.integers(40, size=(3, 700)).astype(float)
    y = x + generator.normal(size=x.shape).round() * 20
    x[0, :5] = np.nan
    for name, function in FUNCTIONS.items():
        found = function(x, y)
        for row in range(3):
            there = ~np.isnan(x[row])
            assert found[row] == pytest.approx(oracle.scipy_value(name, x[row][there], y[row][there]), abs=1e-12)


@pytest.mark.parametrize("name", ["kendall", "tau23"])
@pytest.mark.parametrize("values", [3, 50])
def test_swapped_scores_are_judged_as_if_mixed_one_by_one(name, values):
    generator = np.random.default_rng(values)
    # Thirteen systems have 78 pairs: more than 64 bits hold.
    scores = generator.integers(values, size=(3, 13, 6)).astype(float)
    human = generator.integers(values, size=(13, 6)).astype(float)
    human[generator.random(human.shape) < 0.1] = np.nan
    human[1:, 4] = np.nan
    human[:, 5] = 2.0
    flags = generator.integers(2, size=(4, 13, 6)).astype(np.uint8)
    pairs = [(0, 1), (0, 2), (1, 2)]
    sums, counts = kernels.swapped_shares(scores, human, flags, pairs, name == "kendall", 2).reshape(2, 2, 4, 3)
    statistic = {"kendall": by_hand.kendall_b, "tau23": by_hand.tau23}[name]
    for pair, (first, second) in enumerate(pairs):
        for draw in range(4):
            expected = by_hand.swapped(statistic, scores[first], scores[second], human, flags[draw])
            assert sums[:, draw, pair] / counts[:, draw, pair] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["kendall", "tau23"])
@pytest.mark.parametrize("values", [2, 9, 10_000])
def test_swapped_scores_of_many_cells_are_judged_as_if_mixed_one_by_one(name, values):
    # More cells of a group than those whose pairs are looked at one by one: they are sorted.
    generator = np.random.default_rng(values)
    scores = generator.integers(-values, values, size=(3, 90, 2)).astype(float)
    scores[scores == 1.0] = -0.0
    human = generator.integers(values, size=(90, 2)).astype(float)
    human[generator.random(human.shape) < 0.1] = np.nan
    flags = generator.integers(2, size=(3, 90, 2)).astype(np.uint8)
    pairs = [(2, 0), (1, 2)]
    sums, counts = kernels.swapped_shares(scores, human, flags, pairs, name == "kendall", 2).reshape(2, 2, 3, 2)
    statistic = {"kendall": by_hand.kendall_b, "tau23": by_hand.tau23}[name]
    assert (counts == 2.0).all()
    for pair, (first, second) in enumerate(pairs):
        for draw in range(3):
            expected = by_hand.swapped(statistic, scores[first], scores[second], human, flags[draw])
            assert sums[:, draw, pair] / 2.0 == pytest.approx(expected, abs=1e-12)


def test_kernels_refuse_lists_that_do_not_fit():
    values, unit, weights = np.zeros((1, 3)), np.array([[0, 1, 2]], dtype=np.uint32), np.ones((2, 4))
    with pytest.raises(ValueError, match="weights for every unit"):
        kernels.associations((values, values, unit), weights, "pairs")
    with pytest.raises(ValueError, match="two values and a unit"):
        kernels.associations((values, values[:, :2].copy(), unit), np.ones((3, 4)), "ranks")
    with pytest.raises(ValueError, match="no family is called signs"):
        kernels.associations((values, values, unit), np.ones((3, 4)), "signs")
    with pytest.raises(ValueError, match="same systems and segments"):
        kernels.swapped_shares(np.ones((2, 3, 4)), np.ones((3, 4)), np.ones((1, 3, 3), dtype=np.uint8), [], True, 1)
    with pytest.raises(ValueError, match="two metrics that are there"):
        kernels.swapped_shares(
            np.ones((2, 3, 4)), np.ones((3, 4)), np.ones((1, 3, 4), dtype=np.uint8), [(0, 2)], True, 1
        )
