"""What stands beside the tests of ``compare``: what changed and where, the gate, calibration."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.errors import InputError, ParameterError
from assay.questions.compare import _labels_by, marked
from assay.significance.tests import TESTS

TWO = {"systems": "rosetta,gravel", "permutations": 500}


@pytest.fixture(scope="module")
def campaign():
    return assay.read(CAMPAIGN)


@pytest.fixture(scope="module")
def changed(campaign):
    return assay.compare(campaign, "chrf", segments=3, **TWO)


def test_changes_are_the_largest_differences(campaign, changed):
    first, second = (
        assay.metric("chrf").evaluate(campaign.corpus(name)).segment_scores() for name in ("rosetta", "gravel")
    )
    rows = changed.table("segments")
    assert [row["delta"] for row in rows[:3]] == sorted(first - second, reverse=True)[:3]
    # One segment alone is better in the other system, and stands last.
    assert [row["delta"] > 0 for row in rows] == [True, True, True, False]
    text = campaign.systems["rosetta"][int(rows[0]["segment"])]
    assert rows[0]["translation_a"] == " ".join(text.split())


def test_every_text_of_a_segment_has_a_row_of_its_own(campaign, changed):
    first = changed.table("segments")[0]
    rows = changed.table("texts")[:6]
    assert [row["who"] for row in rows] == ["rosetta", "gravel", "reference", "reference", "reference", "source"]
    assert [row["score"] for row in rows] == [first["score_a"], first["score_b"], None, None, None, None]
    assert {(row["segment"], row["delta"], row["better"]) for row in rows} == {(first["segment"], first["delta"], True)}
    assert (rows[0]["text"], rows[1]["text"]) == marked(first["translation_a"], first["translation_b"])
    assert rows[-1]["text"] == first["source"] == campaign.source[int(first["segment"])]
    assert "Where rosetta is worse than gravel: chrf" in str(changed)


def test_what_only_one_has_stands_in_brackets():
    assert marked("a b c", "a x c d") == ("a [b] c", "a [x] c [d]")
    assert marked("", "a") == ("", "[a]")
    assert marked("same", "same") == ("same", "same")


def test_influence_is_what_the_corpus_score_would_lose(campaign, changed):
    row = changed.table("segments")[0]
    index = int(row["segment"])
    texts = list(campaign.systems["rosetta"])
    texts[index] = campaign.systems["gravel"][index]
    swapped = assay.Corpus(translations=texts, references=list(campaign.references.values()))
    before = changed.table("scores")[0]["score"]
    assert row["influence"] == pytest.approx(before - assay.metric("chrf").evaluate(swapped).corpus_score())


@pytest.mark.parametrize("by", ["length", "document", "domain"])
def test_buckets_hold_every_segment_once(campaign, by):
    found = assay.compare(campaign, "chrf", by=by, **TWO).table("buckets")
    buckets = _labels_by(campaign, by)
    assert sum(row["segments"] for row in found) == len(campaign)
    for row in found:
        documents = len({campaign.documents[at] for at in range(len(campaign)) if buckets[at] == row["bucket"]})
        if documents < 5:
            assert (row["low"], row["high"]) == (None, None)
        else:
            assert row["low"] <= row["delta"] <= row["high"]
        assert row["delta"] == row["score_a"] - row["score_b"]


def test_length_buckets_come_in_their_order(campaign):
    names = [row["bucket"] for row in assay.compare(campaign, "chrf", by="length", **TWO).table("buckets")]
    assert names == ["0–9 words", "10–19 words", "20–29 words", "30–39 words", "40–49 words"]


def test_an_unknown_column_is_told(campaign):
    with pytest.raises(InputError, match="It can be cut by length"):
        assay.compare(campaign, "chrf", by="colour", **TWO)


def gated(campaign, **options):
    return assay.compare(campaign, "chrf", fail_if_worse=True, **TWO, **options)


def test_the_gate_fails_what_is_worse(campaign):
    found = gated(campaign, baseline="rosetta")
    assert found.failed
    assert found.setup["failed"] is True
    (row,) = found.table("verdicts")
    assert (row["metric"], row["system"], row["case"], row["failed"]) == ("chrf", "gravel", "gravel vs rosetta", True)
    assert "significantly worse" in row["reason"]
    suite = ElementTree.fromstring(found.render("junit"))
    assert suite.get("failures") == "1"
    assert [(case.get("classname"), case.get("name")) for case in suite] == [("assay.chrf", "gravel vs rosetta")]


def test_the_gate_passes_what_is_better_or_close(campaign):
    assert not gated(campaign, baseline="gravel").failed
    assert not gated(campaign, baseline="rosetta", min_delta=90.0).failed


def test_the_gate_needs_a_baseline(campaign):
    with pytest.raises(ParameterError, match="--baseline"):
        gated(campaign)


def test_without_a_gate_there_is_no_verdict(changed):
    assert "verdicts" not in changed.tables
    assert not changed.failed
    with pytest.raises(ParameterError, match="--fail-if-worse"):
        changed.render("junit")


def test_calibration_measures_every_promise(campaign):
    found = assay.compare(campaign, "chrf", calibrate=True, simulations=50, **TWO).table("calibration")
    tests = [(what, test) for what in ("false positives", "power") for test in TESTS]
    covered = [(what, kind) for what in ("coverage", "coverage of Δ") for kind in ("percentile", "bca")]
    assert [(row["what"], row["method"]) for row in found] == [*tests, *covered]
    false_alarms = [row["measured"] for row in found if row["what"] == "false positives"]
    assert max(false_alarms) <= 0.2
    # The two systems are far apart: the tests see it every time.
    assert all(row["measured"] == 1.0 for row in found if row["what"] == "power")
