"""Shares and their intervals."""

import pytest

import assay
from assay.significance.draws import wilson_interval


def test_wilsons_interval_by_hand():
    # 8 of 10, z = 1.96: centre (0.8 + 1.92/10) / (1 + 3.84/10), half 1.96 sqrt(0.016 + 3.84/400) / 1.384.
    low, high = wilson_interval(8, 10)
    assert (low, high) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_all_and_none_reach_the_ends():
    assert wilson_interval(10, 10) == (pytest.approx(0.7225, abs=1e-4), 1)
    assert wilson_interval(0, 10)[0] == 0


def test_what_is_no_share_is_refused():
    for successes, trials in ((3, 2), (-1, 2), (0, 0)):
        with pytest.raises(assay.ParameterError, match="no share"):
            wilson_interval(successes, trials)
    with pytest.raises(assay.ParameterError, match="between 0 and 1"):
        wilson_interval(1, 2, confidence=1.0)
