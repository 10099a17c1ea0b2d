"""A metric tuned on one campaign and tested on another: scipy's values there, and nothing of it is chosen on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kendalltau, norm, pearsonr, t

import assay
from assay.errors import AssayWarning, InputError
from learned.tuning.test_tune import judged_by
from oracles import draws as oracle
from studies.campaign_folder import written
from studies.judged_campaign import campaign
from studies.test_case_and_stem import corpus_scores, human_means

SMALL = {"samples": 30, "folds": 3, "curves": False}


@pytest.fixture
def trained():
    """What follows fmean with another weight of recall, so that there is something to tune."""
    return judged_by(campaign(segments=24, seed=3), "fmean(alpha=0.2)", noise=1.0)


@pytest.fixture
def other(tmp_path):
    return written(
        judged_by(campaign(segments=14, seed=8, references=2), "fmean(alpha=0.3)", noise=3.0), tmp_path / "B"
    )


@pytest.mark.parametrize(("statistic", "theirs"), [("pearson", pearsonr), ("kendall", kendalltau)])
def test_values_at_segment_level_are_scipys_on_the_other_campaign(trained, other, statistic, theirs):
    found = assay.tune(trained, "fmean", test_on=other, statistic=statistic, **SMALL)
    assert found.made.alpha < 0.9
    elsewhere = assay.read(other)
    people = np.concatenate(list(human_means(elsewhere).values()))
    values = {}
    for which, metric in (("default", "fmean"), ("tuned", str(found.made))):
        scores = [assay.metric(metric).evaluate(elsewhere.corpus(name)).segment_scores() for name in elsewhere.systems]
        values[which] = theirs(np.concatenate(scores), people).statistic
        row = found.of(which=which)
        assert row["value"] == pytest.approx(values[which], abs=1e-9)
        assert (row["metric"], row["test"], row["kind"]) == (metric, "B", "da")
    assert found.of(which="difference")["value"] == pytest.approx(values["tuned"] - values["default"], abs=1e-9)
    # Where it was fitted is the campaign that is asked.
    alone = assay.tune(trained, "fmean", statistic=statistic, **SMALL)
    assert found.table("held_out") == alone.table("results")
    assert [row["where_fitted"] for row in found.table()] == [row["where_fitted"] for row in alone.table()]
    assert found.made == alone.made


def test_values_at_system_level_are_scipys_on_the_other_campaign(trained, other):
    found = assay.tune(trained, "fmean", test_on=other, level="system", **SMALL)
    elsewhere = assay.read(other)
    human = [np.mean(scores) for scores in human_means(elsewhere).values()]
    for which, metric in (("default", "fmean"), ("tuned", str(found.made))):
        expected = pearsonr(corpus_scores(elsewhere, metric, range(14)), human).statistic
        assert found.of(which=which)["value"] == pytest.approx(expected, abs=1e-9)


def test_intervals_are_those_of_paired_draws_of_the_other_campaigns_documents(trained, other):
    found = assay.tune(trained, "fmean", test_on=other, samples=200, folds=3, curves=False)
    elsewhere = assay.read(other)
    people = np.stack(list(human_means(elsewhere).values()))
    drawn = {"default": [], "tuned": []}
    for which, metric in (("default", "fmean"), ("tuned", str(found.made))):
        scored = assay.metric(metric)
        scores = np.stack([scored.evaluate(elsewhere.corpus(name)).segment_scores() for name in elsewhere.systems])
        for draw in range(200):
            counts = [oracle.count(1, "units", oracle.text_key(f"d{number}"), draw) for number in range(7)]
            times = np.repeat(np.arange(14), [counts[segment // 2] for segment in range(14)])
            drawn[which].append(pearsonr(scores[:, times].ravel(), people[:, times].ravel()).statistic)
    difference = np.subtract(drawn["tuned"], drawn["default"])
    row = found.of(which="difference")
    # Seven documents: Student's t with 6 degrees of freedom in place of the normal, wider by the root of 7/6; the k-th
    # of n draws stands at k/(n+1).
    tail = norm.cdf(t.ppf(0.025, 6) * np.sqrt(7 / 6))
    low, high = np.quantile(difference, [tail, 1 - tail], method="weibull")
    assert (row["low"], row["high"]) == pytest.approx((low, high), abs=1e-9)


def test_the_verdict_and_the_record_name_both_campaigns(trained, other):
    found = assay.tune(trained, "fmean", test_on=other, **SMALL)
    assert "on B, of which it has seen nothing" in found.findings[0]
    assert found.findings[-1].startswith("Tested on B, da: 70 points, none of them chosen on. 70 of 70 judgements")
    assert set(found.signatures) == {"fmean", str(found.made), "fmean, B", f"{found.made}, B"}
    assert {"ref.r0", "B/ref.r0", "B/sys.s0", "B/judgements"} <= set(found.digests)
    assert found.setup["test_on"] == "B"
    assert found.options["test_on"] == other


def test_references_and_segments_are_chosen_there_too_where_the_names_are_known(trained, other):
    one = replace(trained, references={"r0": trained.references["r0"]})
    found = assay.tune(one, "fmean", test_on=other, references="r0", where="document!=d0", **SMALL)
    assert found.signatures["fmean, B"].count("reference:") == 1
    assert "refs:1" in found.signatures["fmean, B"] or "references:1" in found.signatures["fmean, B"]
    assert found.setup["test_points"] == 60
    # What the other does not have chooses nothing there, and that is said.
    named = replace(trained, columns={"topic": ("sports",) * 24})
    with pytest.warns(AssayWarning, match="B has no topic=sports: there this chooses nothing"):
        found = assay.tune(named, "fmean", test_on=other, where="topic=sports", **SMALL)
    assert found.setup["test_points"] == 70


def test_what_cannot_be_tested_is_refused(trained, other, tmp_path):
    with pytest.raises(InputError, match=r"--test-on B: There is no kind of judgement 'mqm'.*--test-kind"):
        assay.tune(trained, "fmean", test_on=other, test_kind="mqm", **SMALL)
    with pytest.raises(assay.ParameterError, match="test_kind"):
        assay.tune(trained, "fmean", test_kind="da", **SMALL)
    with pytest.raises(InputError, match="has the very translations to choose on"):
        assay.tune(assay.read(other), "fmean", test_on=other, **SMALL)
    bare = written(campaign(seed=9), tmp_path / "bare")
    (tmp_path / "bare" / "human.tsv").unlink()
    with pytest.raises(InputError, match="bare has no judgements"):
        assay.tune(trained, "fmean", test_on=bare, **SMALL)
