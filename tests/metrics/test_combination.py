"""Means of metrics: scores, segments, rows side by side, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.demo import CAMPAIGN
from metrics.scored import evaluate

THREE = "combination(metrics=[bleu,chrf,ter])"
TRANSLATIONS = ["the cat sat on a mat", "a dog barked", "no word of it is right"]
REFERENCE = ["the cat sat on the mat", "the dog barked", "something else altogether"]


def parts_of(*spellings):
    return [evaluate(spelling, TRANSLATIONS, REFERENCE) for spelling in spellings]


def test_the_score_is_the_mean_with_error_rates_turned():
    bleu, chrf, ter = parts_of("bleu", "chrf", "ter")
    found = evaluate(THREE, TRANSLATIONS, REFERENCE)
    assert found.corpus_score() == pytest.approx(
        (bleu.corpus_score() + chrf.corpus_score() + 100 - ter.corpus_score()) / 3
    )
    assert found.segment_scores() == pytest.approx(
        (bleu.segment_scores() + chrf.segment_scores() + 100 - ter.segment_scores()) / 3
    )
    scores = {"bleu": bleu.corpus_score(), "chrf": chrf.corpus_score(), "ter": ter.corpus_score()}
    assert found.parts() == pytest.approx(scores)


def test_rows_stand_side_by_side():
    found = evaluate("combination(metrics=[wer,per])", TRANSLATIONS, REFERENCE)
    rows = [one.rows for one in parts_of("wer", "per")]
    assert np.array_equal(found.rows, np.hstack(rows))
    assert found.metric.columns[:2] == ("1.hits", "1.substitutions")
    assert found.metric.columns[-1] == "2.errors"


def test_metrics_that_are_fitted_take_part_each_with_its_recipe():
    cosine, words = parts_of("cosine", "f1(lowercase=true)")
    found = evaluate('combination(metrics=[cosine,"f1(lowercase=true)"])', TRANSLATIONS, REFERENCE)
    assert found.corpus_score() == pytest.approx((cosine.corpus_score() + words.corpus_score()) / 2)
    assert found.segment_scores() == pytest.approx((cosine.segment_scores() + words.segment_scores()) / 2)
    assert "|fitted:" in found.signature()


def test_a_difference_is_split_by_metric():
    first, second = (evaluate(THREE, texts, REFERENCE) for texts in (TRANSLATIONS, REFERENCE))
    split = first.metric.decompose(first.total(), second.total())
    assert list(split) == ["bleu", "chrf", "ter"]
    assert sum(split.values()) == pytest.approx(first.corpus_score() - second.corpus_score())


def test_it_prints_as_it_is_typed():
    spelling = 'combination(metrics=[bleu,"chrf(word_order=2)"])'
    metric = assay.metric(spelling)
    assert str(metric) == spelling
    assert assay.metric(str(metric)) == metric == assay.Combination(metrics=["bleu", assay.Chrf(word_order=2)])
    assert assay.metric("combination", metrics="bleu,chrf++") == metric
    found = evaluate("combination(metrics=[bleu,wer],average=segments)", TRANSLATIONS, REFERENCE)
    assert found.corpus_score() == pytest.approx(found.segment_scores().mean())


def test_language_and_recipe_are_those_of_its_metrics():
    metric = assay.metric('combination(metrics=[bleu,"f1(tokenize=none:ascii)",chrf])')
    assert str(metric.in_language("zh")) == 'combination(metrics=["bleu(tokenize=zh)","f1(tokenize=none:ascii)",chrf])'
    shared = assay.Recipe(tokenize="13a", lowercase=True)
    made = metric.in_recipe(shared)
    assert str(made) == ('combination(metrics=["bleu(lowercase=true)","f1(lowercase=true,tokenize=none:ascii)",chrf])')
    assert made.named_beside(shared) == 'combination(metrics=[bleu,"f1(tokenize=none:ascii)",chrf])'


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("combination", r"combination needs metrics: combination\(metrics=...\)"),
        ("combination(metrics=[bleu])", "two metrics or more"),
        ("combination(metrics=[bleu,nist])", "nist has a scale of its own"),
        ("combination(metrics=[bleu,lm])", "lm has a scale of its own"),
        ("combination(metrics=[bleu,hter])", "hter is about post-edits"),
        ("combination(metrics=[bleu,bleu])", "Asked for twice: bleu"),
        ("combination(metrics=[bleu,blue])", "no metric 'blue'"),
        ("combination(metrics=[bleu,chrf],tokenize=13a)", "each metric of a combination has its own recipe"),
    ],
)
def test_what_cannot_be_combined_is_refused(spelling, message):
    with pytest.raises(assay.AssayError, match=message):
        assay.metric(spelling)


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
def test_sets_of_references_are_tried_with_it():
    campaign = assay.read(CAMPAIGN)
    rows = assay.study("references", campaign, metrics="combination(metrics=[chrf,f1]),chrf,f1").table()
    means = {(row["system"], row["metric"], row["k"]): row["mean"] for row in rows}
    for (name, metric, k), mean in means.items():
        if metric.startswith("combination"):
            assert mean == pytest.approx((means[name, "chrf", k] + means[name, "f1", k]) / 2)
