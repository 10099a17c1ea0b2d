"""Folds never share a group, are nearly equal, and depend on the seed alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, ParameterError
from assay.learned.folds import Folds, make_folds


@given(
    groups=st.lists(st.integers(0, 30), min_size=20, max_size=120).filter(lambda found: len(set(found)) >= 5),
    seed=st.integers(0, 5),
)
def test_no_group_is_in_two_folds_and_every_example_is_tested_once(groups, seed):
    folds = make_folds(np.array(groups), 5, seed=seed)
    assert len(folds) == 5
    for group in set(groups):
        assert len(set(folds.fold[np.array(groups) == group])) == 1
    assert sum(folds.tested(number).sum() for number in range(5)) == len(groups)
    assert all(folds.tested(number).any() for number in range(5))


def test_groups_of_one_size_are_dealt_out_evenly():
    folds = make_folds(np.repeat(np.arange(20), 3), 10, seed=1)
    assert np.bincount(folds.fold).tolist() == [6] * 10


def test_the_seed_decides():
    groups = np.arange(50)
    one, same, other = (make_folds(groups, 5, seed=seed).fold for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()


def test_fewer_groups_than_folds_are_refused():
    with pytest.raises(InputError, match=r"3 segments for 10 folds.*--folds 3"):
        make_folds(np.array([0, 0, 1, 2]), 10, seed=1)
    with pytest.raises(InputError, match="3 translations for 10 folds, and no translation may be in two of them"):
        make_folds(np.arange(3), 10, seed=1, group="none")
    with pytest.raises(InputError, match="one system only"):
        make_folds(np.zeros(20, dtype=int), 10, seed=1, group="system")
    with pytest.raises(ParameterError, match="at least 2"):
        make_folds(np.arange(9), 1, seed=1)


def test_what_is_learnt_from_and_what_is_tested_are_all_there_is():
    folds = make_folds(np.array([0, 0, 1, 2, 3]), 2, seed=1)
    for number in range(2):
        assert (folds.training(number) ^ folds.tested(number)).all()


def test_draws_of_what_was_cross_validated_are_farther_from_the_value():
    # Three folds: a variance of 1 + 3/2 = 2.5 times, so that 0.5 + 0.2 becomes 0.5 + 0.2 · 1.5811.
    folds = make_folds(np.arange(6), 3, seed=1)
    assert folds.widened(np.array([0.5, 0.7, 0.3])) == pytest.approx([0.5, 0.816228, 0.183772], abs=1e-6)


def test_what_takes_no_part_is_in_no_fold():
    folds = Folds("segment", np.array([0, 1, -1, 0, 1]), np.array([5, 6, 7, 5, 6]))
    assert len(folds) == 2
    assert folds.outside([1]).tolist() == [True, False, True, True, False]
    assert folds.tested(1).tolist() == [False, True, False, False, True]
