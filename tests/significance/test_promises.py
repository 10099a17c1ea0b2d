"""Do tests and intervals keep their promise on real rows? Minutes of simulation: ``make slow``."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.significance.calibration import calibrate_intervals, calibrate_tests
from assay.significance.tests import TESTS

REAL = Path(__file__).parents[2].parent / "shared" / "data" / "wmt23-zh-en"
SIMULATIONS = 4000

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=["bleu", "chrf", "ter", "meteor"])
def counted(request):
    """A metric, and its rows of two systems that are close."""
    if REAL.is_dir():
        campaign, systems = assay.read(REAL), ("ONLINE-A", "GPT4-5shot")
    else:
        campaign, systems = assay.read(CAMPAIGN), ("rosetta", "compass")
    metric = assay.metric(request.param)
    return metric, tuple(metric.evaluate(campaign.corpus(system)).rows for system in systems)


@pytest.mark.parametrize("units", [100, 500, 3000])
def test_false_positives_are_as_rare_as_promised(counted, units):
    metric, rows = counted
    rates = calibrate_tests(
        rows, metric.score, TESTS, units=units, simulations=SIMULATIONS, samples=1000, seed=1, alternative=False
    )
    for test in TESTS:
        rate = rates["false positives", test]
        assert rate.interval.low <= 0.05, (test, rate)
        assert rate.share <= 0.06, (test, rate)


@pytest.mark.parametrize("units", [200, 500, 1000])
def test_intervals_cover_the_score(counted, units):
    metric, rows = counted
    covered = calibrate_intervals(rows[0], metric.score, units=units, simulations=SIMULATIONS, samples=1000, seed=1)
    kinds = ("percentile", "bca") if units >= 500 else ("bca",)
    for kind in kinds:
        rate = covered["coverage", kind]
        assert 0.94 <= rate.share <= 0.96, (kind, rate)
