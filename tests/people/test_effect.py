"""What normalisation does to systems and metrics."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import assay
from assay.errors import AssayWarning
from assay.people.agreement.effect import effect_rows, every_normalisation, system_rows
from people.judged import judged

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

FEW = {"samples": 200, "seed": 1}


def systems(*rows):
    """What becomes of the systems under every normalisation."""
    return system_rows(every_normalisation(judged(*rows)), **FEW)


def ranks(found, method):
    return [row["system"] for row in found if row["method"] == method]


def test_the_mixed_model_puts_systems_of_severe_raters_back_in_place():
    # y is better than x by 1 on every segment, but was judged mostly by a rater who gives 3 points less. Both raters
    # judged both systems on four segments, which is how the model knows.
    rows = []
    for segment in range(40):
        for system, quality in (("x", 5.0), ("y", 6.0)):
            raters = {"x": ["mild"], "y": ["severe"]}[system] if segment >= 4 else ["mild", "severe"]
            noise = 0.1 * ((segment * 7) % 5 - 2)
            rows += [(system, segment, rater, quality + noise - 3.0 * (rater == "severe")) for rater in raters]
    found = systems(*rows)
    assert ranks(found, "none") == ["x", "y"]
    assert ranks(found, "mixed") == ["y", "x"]
    row = next(row for row in effect_rows(found) if row["method"] == "mixed")
    assert (row["tau"], row["moved"], row["largest_move"]) == (-1.0, 2, 1)


def test_systems_that_differ_are_clusters_and_those_that_do_not_are_one():
    generator = np.random.default_rng(3)
    rows = [
        (system, segment, rater, quality + generator.normal())
        for system, quality in (("best", 9.0), ("same", 5.0), ("equal", 5.0))
        for segment in range(50)
        for rater in ("a", "b")
    ]
    cluster = {row["system"]: row["cluster"] for row in systems(*rows) if row["method"] == "none"}
    assert cluster == {"best": 1, "same": 2, "equal": 2}


def test_few_segments_decide_nothing_and_some_decide_by_students_t():
    found = systems(*((name, segment, "a", 9.0 - (name == "y")) for name in "xy" for segment in range(4)))
    assert {row["cluster"] for row in found} == {None}
    assert {row["clusters"] for row in effect_rows(found)} == {0}
    assert found[0]["low"] is None
    # Six differences of mean 1 and sd 1, whose error is 1 / sqrt(6): t = 2.449. By the normal distribution p = 0.014,
    # by Student's t with five degrees of freedom 0.058.
    apart = np.array([-1.0, 0.0, 1.0, 1.0, 2.0, 2.0])
    apart = 1.0 + (apart - apart.mean()) / apart.std(ddof=1)
    assert stats.ttest_1samp(apart, 0.0).pvalue == pytest.approx(0.058, abs=0.001)
    rows = [
        (name, segment, "a", 5.0 + gain * (name == "x")) for segment, gain in enumerate(apart.tolist()) for name in "xy"
    ]
    assert {row["cluster"] for row in systems(*rows)} == {1}
    # Twice as far apart t is 4.9, and p is 0.004.
    rows = [(name, segment, rater, score + (name == "x")) for name, segment, rater, score in rows]
    assert {row["cluster"] for row in systems(*rows) if row["method"] == "none"} == {1, 2}


def small_campaign():
    references = ["the cat sat on the mat", "it rains again today", "a small red house", "we go home now"]
    translations = {
        "good": references,
        "fair": ["the cat sat on a mat", "it rains today", "a small house", "we go home"],
        "poor": ["cat mat", "rain", "house", "home go"],
    }
    rows = [
        (system, segment, rater, score + (rater == "a") - segment % 2)
        for system, score in (("good", 5.0), ("fair", 4.0), ("poor", 1.0), ("human", 5.0))
        for segment in range(4)
        for rater in ("a", "b")
    ]
    campaign = assay.Campaign("small", systems=translations, references={"A": references})
    return campaign.with_judgements(judged(*rows)), rows


def test_metrics_are_correlated_with_means_over_raters():
    campaign, rows = small_campaign()
    with pytest.warns(AssayWarning, match="4 judged items of human cannot be held against metrics"):
        found = assay.agreement(campaign, metrics="chrf,ter", samples=50, splits=5)
    for name, sign in (("chrf", 1.0), ("ter", -1.0)):
        metric = assay.metric(name)
        statistics = {system: metric.evaluate(campaign.corpus(system)) for system in ("good", "fair", "poor")}
        human = {system: np.mean([row[3] for row in rows if row[0] == system]) for system in statistics}
        scores = [sign * one.corpus_score() for one in statistics.values()]
        values = {
            (row["level"], row["statistic"]): row["value"]
            for row in found.table("metrics")
            if row["method"] == "none" and row["metric"] == name
        }
        assert values["system", "pearson"] == pytest.approx(stats.pearsonr(list(human.values()), scores).statistic)
        assert values["system", "kendall"] == pytest.approx(1.0)
        segments = np.concatenate([sign * one.segment_scores() for one in statistics.values()])
        means = [
            np.mean([row[3] for row in rows if row[:2] == (system, segment)])
            for system in statistics
            for segment in range(4)
        ]
        assert values["segment", "pearson"] == pytest.approx(stats.pearsonr(means, segments).statistic)
        assert values["segment", "kendall"] == pytest.approx(stats.kendalltau(means, segments).statistic)
