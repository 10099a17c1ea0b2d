"""Split halves: every split by hand with scipy, and what is too small to split."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr

import assay
from assay.errors import InputError
from oracles import draws
from results.drawn import layers
from studies.judged_campaign import campaign
from studies.test_case_and_stem import corpus_scores

SMALL = {"metrics": ("bleu", "ter"), "splits": 5, "own_recipes": True}


def halves(split, documents=6):
    """The segments of both halves of a split, of two segments per document."""
    order = sorted(
        range(documents), key=lambda number: draws.order(1, "halves of a test set", draws.text_key(f"d{number}"), split)
    )
    first = order[: documents // 2]
    return [[segment for segment in range(2 * documents) if (segment // 2 in first) == side] for side in (True, False)]


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_every_split_is_scipys_on_corpus_scores_of_halves_of_documents(metric):
    whole = campaign(judged=False)
    result = assay.study("consistency", whole, **SMALL)
    everything = corpus_scores(whole, metric, range(12))
    apart = []
    for row in (row for row in result.table("splits") if row["metric"] == metric):
        first, second = (corpus_scores(whole, metric, half) for half in halves(row["split"] - 1))
        r = pearsonr(first, second).statistic
        assert row["pearson"] == pytest.approx(r, abs=1e-9)
        # Spearman and Brown: 2r / (1 + r).
        assert row["stepped_up"] == pytest.approx(2 * r / (1 + r), abs=1e-9)
        assert row["kendall"] == pytest.approx(kendalltau(first, second).statistic, abs=1e-9)
        apart.append(np.abs(np.subtract(first, second)).mean())
        assert row["difference"] == pytest.approx(apart[-1], abs=1e-9)
        assert row["relative"] == pytest.approx(apart[-1] / np.std(everything, ddof=1), abs=1e-9)
    row = result.of(metric=metric)
    assert len(apart) == 5
    assert row["difference"] == pytest.approx(np.mean(apart), abs=1e-9)
    assert row["spread"] == pytest.approx(np.std(everything, ddof=1), abs=1e-9)
    ends = np.quantile(apart, [0.025, 0.975], method="weibull")
    assert (row["difference_low"], row["difference_high"]) == pytest.approx(tuple(ends), abs=1e-9)


def test_ranges_hold_95_percent_of_many_splits():
    # Of six documents there are 20 splits alone; of twelve segments 924.
    result = assay.study("consistency", campaign(judged=False), unit="segment", **SMALL | {"splits": 120})
    for metric in SMALL["metrics"]:
        splits = [row for row in result.table("splits") if row["metric"] == metric]
        row = result.of(metric=metric)
        for name in ("pearson", "stepped_up", "kendall", "difference", "relative"):
            values = [split[name] for split in splits]
            assert row[name] == pytest.approx(np.mean(values))
            # The k-th of n stands at k / (n + 1).
            ends = np.quantile(values, [0.025, 0.975], method="weibull")
            assert (row[f"{name}_low"], row[f"{name}_high"]) == pytest.approx(tuple(ends))


def test_gains_are_paired_over_the_same_splits():
    result = assay.study("consistency", campaign(judged=False), **SMALL)
    by = {
        metric: np.array([row["stepped_up"] for row in result.table("splits") if row["metric"] == metric])
        for metric in SMALL["metrics"]
    }
    assert result.of(metric="bleu")["gain"] is None
    assert result.of(metric="ter")["gain"] == pytest.approx((by["ter"] - by["bleu"]).mean(), abs=1e-12)
    best = max(by, key=lambda metric: by[metric].mean())
    assert f"Most consistent in the mean: {best}." in result.findings


def test_a_system_has_its_differences_and_both_halves_of_the_split_in_the_middle():
    whole = campaign(judged=False)
    result = assay.study("consistency", whole, **SMALL)
    place = list(whole.systems).index("s3")
    both = [[corpus_scores(whole, "bleu", half)[place] for half in halves(split)] for split in range(5)]
    row = result.of(metric="bleu", system="s3", table="systems")
    assert row["score"] == pytest.approx(corpus_scores(whole, "bleu", range(12))[place])
    assert row["difference"] == pytest.approx(np.mean([abs(one - other) for one, other in both]), abs=1e-9)
    pearson = [one["pearson"] for one in result.table("splits") if one["metric"] == "bleu"]
    assert pearson[row["split"] - 1] == np.median(pearson)
    assert (row["first"], row["second"]) == pytest.approx(tuple(both[row["split"] - 1]), abs=1e-9)


def test_segments_are_dealt_out_where_asked_and_no_judgement_is_needed():
    result = assay.study("consistency", campaign(judged=False), unit="segment", **SMALL)
    assert result.findings[-1] == "12 segments; the first half has 6 of 12 segments."
    assert result.of(metric="bleu")["units"] == 12


def test_two_systems_have_differences_and_no_correlation():
    result = assay.study("consistency", campaign(systems=2, judged=False), **SMALL)
    row = result.of(metric="ter")
    assert (row["pearson"], row["relative"]) == (None, None)
    assert row["difference"] > 0
    assert any("take 3 systems" in said for said in result.findings)
    assert not result.figures


def test_what_cannot_be_split_is_refused():
    whole = campaign(judged=False)
    three = replace(whole, documents=("a",) * 4 + ("b",) * 4 + ("c",) * 4)
    with pytest.raises(InputError, match=r"at least two documents, and small has 3. Take --unit segment"):
        assay.study("consistency", three, **SMALL)
    with pytest.raises(InputError, match="at least two segments, and small has 3"):
        assay.study("consistency", campaign(segments=3, judged=False), unit="segment", **SMALL)
    with pytest.raises(InputError, match="has no system"):
        assay.study("consistency", replace(whole, systems={}), **SMALL)


def test_both_axes_of_halves_are_alike_so_that_the_line_goes_from_corner_to_corner():
    spec = assay.study("consistency", campaign(judged=False), **SMALL).chart().data
    panels = spec["vconcat"][-1]["hconcat"]
    assert panels
    for panel in panels:
        [points] = layers(panel, "point")
        assert points["encoding"]["x"]["scale"]["domain"] == points["encoding"]["y"]["scale"]["domain"]
