"""p-values by hand, by enumeration and at their limits."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from assay.significance.draws import all_swaps
from assay.significance.pairs import TwoLevels
from assay.significance.tests import bootstrap_p, randomisation_p, stretched_tail, t_p, wilcoxon_p


def test_ties_count_and_the_observed_outcome_is_one_of_them():
    # Two of four draws reach 1, one of them by its absolute value; plus the observed one: (2 + 1) / (4 + 1).
    assert randomisation_p(np.array([1.0, -1.0, 0.5, 0.0]), 1.0, exact=False).value == 3 / 5


def test_enumeration_needs_no_plus_one():
    # Differences 3 and 1 of two segments: sums +4, -4, +2, -2; two of four reach 4.
    found = randomisation_p(np.array([4.0, -4.0, 2.0, -2.0]), 4.0, exact=True)
    assert (found.value, found.exact) == (0.5, True)


def test_rounding_does_not_break_a_tie():
    assert randomisation_p(np.array([0.1 + 0.2]), 0.3, exact=True).value == 1.0
    assert randomisation_p(np.array([0.3]), 0.1 + 0.2, exact=True).value == 1.0


@pytest.mark.parametrize("units", [1, 2, 100])
def test_no_difference_has_p_one(units):
    nothing = np.zeros(50)
    same = np.arange(units, dtype=float)
    assert randomisation_p(nothing, 0.0, exact=False).value == 1.0
    assert bootstrap_p(nothing, 0.0, units).value == 1.0
    assert t_p(same, same).value == 1.0
    assert wilcoxon_p(same, same).value == 1.0


def test_the_bootstrap_is_centred():
    # Samples scatter by 1 round an observed difference of 6: none deviates by 6, so only the +1 remains.
    samples = 6.0 + np.random.default_rng(1).normal(size=999)
    assert bootstrap_p(samples, 6.0, 1_000_000).value == pytest.approx(1 / 1000, rel=1e-3)


def test_few_units_make_the_bootstrap_careful():
    # At 1.96 standard errors the normal tail is 5 %; Student's t with 9 degrees of freedom, stretched, says 9.5 %.
    assert stretched_tail(0.05, 1_000_000) == pytest.approx(0.05, rel=1e-3)
    assert stretched_tail(0.05, 10) == pytest.approx(0.0954, abs=1e-3)


def test_t_and_wilcoxon_agree_with_scipy():
    from scipy import stats

    generator = np.random.default_rng(3)
    first, second = generator.normal(size=(2, 40))
    assert t_p(first, second).value == pytest.approx(stats.ttest_rel(first, second).pvalue)
    assert wilcoxon_p(first, second).value == pytest.approx(stats.wilcoxon(first, second).pvalue)


def test_a_tie_of_large_numbers_is_one_up_to_their_rounding():
    # A ten-billionth of a million is 0.0001: less than the billionth that counts as equal.
    assert randomisation_p(np.array([1e6 - 1e-4, 0.0]), 1e6, exact=True).value == 0.5
    assert randomisation_p(np.array([1e6 - 1e-2, 0.0]), 1e6, exact=True).value == 0.0


def test_two_units_are_enough_for_a_bootstrap_test_and_one_is_not():
    samples = 6.0 + np.random.default_rng(1).normal(size=999)
    # Of 1,000 one reaches 6: z = 3.2905, by the root of 2 is 2.3267; t with one degree of freedom has 0.2584 beyond.
    assert bootstrap_p(samples, 6.0, 2).value == pytest.approx(0.2584, abs=1e-3)
    assert bootstrap_p(samples, 6.0, 1).value == 1.0


def test_what_spreads_by_little_more_than_rounding_is_tested():
    from scipy import stats

    moved = 1e-6 + np.array([-1.5e-9, 0.0, 1.5e-9])
    assert t_p(moved, np.zeros(3)).value == pytest.approx(stats.ttest_rel(moved, np.zeros(3)).pvalue, rel=1e-6)


def test_all_segments_moved_alike():
    # As likely as three coins that fall alike: 2 / 2^3. Never 0.
    assert t_p(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0])).value == 0.25


def test_all_swaps_are_all_and_once():
    (flags,) = all_swaps(3)
    assert sorted(map(tuple, flags.tolist())) == sorted(itertools.product([0.0, 1.0], repeat=3))


def test_no_p_value_of_a_formula_is_zero():
    # 2 ** -1999 and the tail of t beyond 1e9 are 0 to a computer.
    assert t_p(np.full(2000, 1.0), np.zeros(2000)).value > 0.0
    generator = np.random.default_rng(1)
    assert t_p(1e6 + generator.normal(size=500), np.zeros(500)).value > 0.0
    assert TwoLevels(0.0, 1999.0).p_value(1.0).value > 0.0
    assert TwoLevels(1e-6, 400.0).p_value(1e6).value > 0.0
    assert wilcoxon_p(np.arange(1.0, 4001.0), np.zeros(4000)).value > 0.0
    assert TwoLevels(1e-6, 400.0).p_value(0.0).value == 1.0
