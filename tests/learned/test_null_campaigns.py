"""Where nothing can be learnt, as little is found as is promised: an interval of 95 % lies above 0 in 2.5 %."""

from __future__ import annotations

import pytest

from learned.null_campaigns import NOISES, learnt_something, shares, tuning_helps

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")


@pytest.mark.parametrize("noise", NOISES)
def test_tuning_helps_in_none_of_a_few_campaigns_of_noise(noise):
    # By 2.5 % of twelve there is less than one.
    assert not any(tuning_helps(seed, noise) for seed in range(12))


def test_nothing_is_learnt_from_noise_that_goes_by_document():
    # Drawn by segment, and without allowing for what is learnt from, half of such campaigns seem to teach something.
    assert not any(learnt_something(seed, "document") for seed in range(5))


@pytest.mark.slow
@pytest.mark.parametrize(("function", "campaigns"), [(tuning_helps, 400), (learnt_something, 150)])
def test_the_promise_is_kept(function, campaigns):
    # 2.5 % and what chance adds to it: 99 % of binomial draws are within 2.33 standard errors.
    most = 0.025 + 2.33 * (0.025 * 0.975 / campaigns) ** 0.5
    found = shares(function, campaigns)
    assert max(found.values()) <= most, found
