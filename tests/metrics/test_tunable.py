"""What metrics say of their numbers: any value within the bounds makes a metric, and rows need no new count."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.metrics.registry import BUILT_IN
from assay.scoring.candidates import chosen_rows, chosen_scores, evaluate_candidates
from studies.judged_campaign import campaign

TUNABLE = ("bleu", "bleu(smoothing=add-k)", "chrf", "meteor", "meteor(variant=meteor07)", "fmean", "gtm", "blanc")
#: Values far from the defaults, so that other references win.
ELSEWHERE = {
    "bleu": {"weights[2]": 0.0, "weights[4]": 3.5},
    "bleu(smoothing=add-k)": {"smoothing_value": 0.05},
    "chrf": {"beta": 0.2},
    "meteor": {"alpha": 0.1, "beta": 2.0, "gamma": 0.9, "delta": 0.3},
    "meteor(variant=meteor07)": {"alpha": 0.0, "gamma": 1.0},
    "fmean": {"alpha": 0.1},
    "blanc": {"decay": 2.0, "weights[2]": 3.0, "alpha": 1.0},
}


def test_these_metrics_have_parameters_and_the_others_none():
    needy = ("predictor", "combination", "scores")
    able = {name for name in BUILT_IN if name not in needy and assay.metric(name).tunables}
    assert able == {"bleu", "blanc", "chrf", "fmean", "gtm", "meteor"}


@pytest.mark.parametrize("name", TUNABLE)
def test_every_value_within_the_bounds_makes_a_metric_that_can_be_typed(name):
    metric = assay.metric(name)
    for tunable in metric.tunables:
        assert tunable.low <= tunable.start <= tunable.high
        for value in tunable.values or (tunable.low, tunable.high):
            made = metric.tuned({tunable.name: value})
            assert assay.metric(str(made)) == made
            found = {one.name: one.start for one in made.tunables}
            assert found.get(tunable.name, value) == pytest.approx(value)


@pytest.mark.parametrize("name", TUNABLE)
def test_the_present_values_change_no_score(name):
    metric = assay.metric(name)
    same = metric.tuned({one.name: one.start for one in metric.tunables if one.changes != "rows"})
    corpus = campaign().corpus("s2")
    assert np.array_equal(same.evaluate(corpus).segment_scores(), metric.evaluate(corpus).segment_scores())


@pytest.mark.parametrize("name", ELSEWHERE)
def test_rows_that_are_scored_anew_are_rows_that_are_counted_anew(name):
    whole = campaign(references=3)
    whole = replace(whole, present={"r1": np.arange(12) % 2 == 0})
    metric, candidates = evaluate_candidates(assay.metric(name), whole.corpora())
    other = metric.tuned(ELSEWHERE[name])
    for system in whole.systems:
        for one in (metric, other):
            counted = one.evaluate(whole.corpus(system))
            assert np.array_equal(chosen_rows(one, candidates[system]), counted.rows)
            assert np.array_equal(chosen_scores(one, candidates[system]), counted.segment_scores())
    if name not in ("bleu", "bleu(smoothing=add-k)"):
        # Which reference counts depends on the formula, so it was worth keeping them all.
        assert any(
            not np.array_equal(chosen_rows(metric, found), chosen_rows(other, found)) for found in candidates.values()
        )


def test_weights_of_bleu_are_against_the_first():
    metric = assay.metric("bleu(weights=[2,1,1,4])")
    assert [one.start for one in metric.tunables] == [0.5, 0.5, 2.0]
    assert metric.tuned({"weights[2]": 1.5}).weights == (1.0, 1.5, 0.5, 2.0)
    # With weights for four orders there cannot be another number of orders.
    assert "order" not in {one.name for one in metric.tunables}
