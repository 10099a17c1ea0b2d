"""What stands beside the tests: changes, buckets, the gate, calibration."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import assay
from assay.comparison.buckets import buckets
from assay.comparison.calibration import calibrate
from assay.comparison.changes import changes
from assay.comparison.compare import compare
from assay.comparison.gate import gate
from assay.demo import CAMPAIGN
from assay.errors import InputError, ParameterError
from assay.significance.tests import TESTS


@pytest.fixture(scope="module")
def campaign():
    return assay.read(CAMPAIGN)


@pytest.fixture(scope="module")
def comparison(campaign):
    return compare(campaign, "chrf", systems="rosetta,gravel", samples=500)


def test_changes_are_the_largest_differences(campaign, comparison):
    metric = comparison.metrics[0]
    better, worse = changes(comparison, campaign, metric, ("rosetta", "gravel"), 3)
    scores = {name: comparison.statistics[name, "chrf"].segment_scores() for name in ("rosetta", "gravel")}
    differences = scores["rosetta"] - scores["gravel"]
    assert better[0].delta == differences.max()
    assert [change.delta for change in better] == sorted(differences, reverse=True)[:3]
    assert all(change.delta < 0 for change in worse)
    first = better[0]
    text = campaign.systems["rosetta"][int(first.segment)]
    assert " ".join(stretch.text for stretch in first.translation_a) == " ".join(text.split())


def test_influence_is_what_the_corpus_score_would_lose(campaign, comparison):
    metric = comparison.metrics[0]
    better, _ = changes(comparison, campaign, metric, ("rosetta", "gravel"), 1)
    index = int(better[0].segment)
    texts = list(campaign.systems["rosetta"])
    texts[index] = campaign.systems["gravel"][index]
    references = list(campaign.references.values())
    swapped = assay.Corpus(translations=texts, references=references)
    before = comparison.of("chrf")[0].score
    assert better[0].influence == pytest.approx(before - metric.evaluate(swapped).corpus_score())


@pytest.mark.parametrize("by", ["length", "document", "domain"])
def test_buckets_hold_every_segment_once(campaign, comparison, by):
    if by == "domain" and campaign.domains is None:
        with pytest.raises(InputError, match="length, document"):
            buckets(comparison, campaign, by)
        return
    found = buckets(comparison, campaign, by)
    assert sum(bucket.segments for bucket in found) == len(campaign)
    for bucket in found:
        assert bucket.interval.low <= bucket.delta <= bucket.interval.high


def test_an_unknown_column_is_told(campaign, comparison):
    with pytest.raises(InputError, match="It can be cut by length"):
        buckets(comparison, campaign, "colour")


def test_the_gate_fails_what_is_worse(campaign):
    outcome = gate(compare(campaign, "chrf", systems="rosetta,gravel", baseline="rosetta", samples=500))
    assert outcome.failed
    assert "significantly worse" in outcome.verdicts[0].reason
    suite = ElementTree.fromstring(outcome.to_junit())
    assert suite.get("failures") == "1"
    assert "gravel vs rosetta" in [case.get("name") for case in suite]


def test_the_gate_passes_what_is_better_or_close(campaign):
    better = compare(campaign, "chrf", systems="rosetta,gravel", baseline="gravel", samples=500)
    assert not gate(better).failed
    worse = compare(campaign, "chrf", systems="rosetta,gravel", baseline="rosetta", samples=500)
    assert not gate(worse, min_delta=90.0).failed


def test_the_gate_needs_a_baseline(comparison):
    with pytest.raises(ParameterError, match="--baseline"):
        gate(comparison)


def test_calibration_measures_every_promise(comparison):
    found = calibrate(comparison, simulations=50, samples=100)
    tests = [(what, test) for what in ("false positives", "power") for test in TESTS]
    assert {(one.what, one.method) for one in found} == {*tests, ("coverage", "percentile"), ("coverage", "bca")}
    false_alarms = [one.rate.share for one in found if one.what == "false positives"]
    assert max(false_alarms) <= 0.2
    # The two systems are far apart: the tests see it every time.
    assert all(one.rate.share == 1.0 for one in found if one.what == "power")
