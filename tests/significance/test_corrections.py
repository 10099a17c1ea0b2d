"""Corrections and clusters by hand."""

from __future__ import annotations

import pytest

from assay.errors import UnknownName
from assay.significance.tests import adjust, clusters, rank_range


def test_holm_steps_down():
    # 4 x 0.01, 3 x 0.02, 2 x 0.03, 1 x 0.04, never below the one before.
    assert adjust([0.04, 0.01, 0.03, 0.02], "holm") == pytest.approx([0.06, 0.04, 0.06, 0.06])


def test_benjamini_hochberg_steps_up():
    # 4/4 x 0.04, 4/3 x 0.03, 4/2 x 0.02, 4/1 x 0.01, never above the one behind.
    assert adjust([0.04, 0.01, 0.03, 0.02], "benjamini-hochberg") == pytest.approx([0.04, 0.04, 0.04, 0.04])


def test_an_adjusted_p_value_is_never_below_the_raw_one():
    # To 15 digits this is 0.123456789012345, which is less.
    raw = 0.12345678901234547
    assert round(raw, 15) < raw
    for correction in ("holm", "benjamini-hochberg"):
        assert adjust([raw], correction) == [raw]
        assert adjust([0.9, raw], correction)[1] >= raw


def test_adjusted_p_values_stay_below_one():
    assert adjust([0.9, 0.8], "holm") == [1.0, 1.0]
    assert adjust([], "holm") == []
    assert adjust([0.2, 0.9], "none") == [0.2, 0.9]


def test_an_unknown_correction_is_told():
    with pytest.raises(UnknownName, match="holm"):
        adjust([0.1], "bonferoni")


def beats(*wins):
    return lambda one, other: one + other in wins


def test_one_undecided_pair_joins_two_systems():
    # a beats c and d, b beats d only: no cut is clean but the one before d.
    better = beats("ac", "ad", "bd", "cd")
    assert [cluster.systems for cluster in clusters("abcd", better)] == [("a", "b", "c"), ("d",)]
    assert [cluster.rank for cluster in clusters("abcd", better)] == [1, 4]
    assert rank_range("b", "abcd", better) == (1, 3)
    assert rank_range("c", "abcd", better) == (2, 3)
