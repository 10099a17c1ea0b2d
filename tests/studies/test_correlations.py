"""The study of correlations: scipy's values over systems and over pairs, with and without stems."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import pearsonr

import assay
from assay.data.judgements import Judgement, Judgements
from assay.errors import AssayWarning, InputError
from assay.questions.studies.judged import is_sure, surely
from studies.judged_campaign import campaign, without
from studies.test_case_and_stem import corpus_scores, human_means

SMALL = {"metrics": ("bleu", "recall"), "samples": 30}


def row_of(result, metric, text):
    return next(row for row in result.table() if (row["metric"], row["text"]) == (metric, text))


def test_both_correlations_are_scipys():
    whole = campaign()
    result = assay.study("correlations", whole, **SMALL)
    people = [float(np.mean(scores)) for scores in human_means(whole).values()]
    for text, spelling in (("words", "recall(tokenize=13a)"), ("stems", "recall(tokenize=13a,stem=porter)")):
        scores = corpus_scores(whole, spelling)
        row = row_of(result, "recall", text)
        assert row["pearson"] == pytest.approx(pearsonr(scores, people).statistic, abs=1e-9)
        # Better less worse in the eyes of people.
        pairs = [
            (people[one] - people[other], scores[one] - scores[other])
            if people[one] > people[other]
            else (people[other] - people[one], scores[other] - scores[one])
            for one, other in combinations(range(5), 2)
        ]
        assert row["differences"] == pytest.approx(pearsonr(*zip(*pairs, strict=True)).statistic, abs=1e-9)
        assert row["pearson_low"] <= row["pearson"] <= row["pearson_high"]
        assert row["spelling"] == spelling
    stems, words = row_of(result, "recall", "stems"), row_of(result, "recall", "words")
    assert stems["pearson_gain"] == pytest.approx(stems["pearson"] - words["pearson"], abs=1e-12)
    assert words["pearson_gain"] is None


@pytest.mark.parametrize(
    ("low", "high", "sure"),
    [(0.1, 0.3, True), (-0.3, -0.1, True), (-0.1, 0.3, False), (0.0, 0.3, False), (-0.3, 0.0, False)],
)
def test_a_gain_is_sure_where_its_interval_leaves_zero_out(low, high, sure):
    row = {"metric": "bleu", "gain": (low + high) / 2, "gain_low": low, "gain_high": high}
    assert is_sure(row) is sure
    up, down = surely([row])
    assert (up, down) == ((["bleu"], []) if sure and low > 0 else ([], ["bleu"]) if sure else ([], []))


def test_intervals_that_allow_for_other_systems_are_wider():
    few, many = (
        row_of(assay.study("correlations", campaign(), metrics="bleu", resample=resample, samples=200), "bleu", "words")
        for resample in ("segments", "both")
    )
    assert few["pearson"] == many["pearson"]
    assert many["pearson_high"] - many["pearson_low"] > few["pearson_high"] - few["pearson_low"]


def test_outliers_are_named_and_left_out_in_a_column():
    whole = campaign(systems=6)
    judgements = whole.judgements
    sunk = [one == "s5" for one in judgements.system]
    low = whole.with_judgements(replace(judgements, score=judgements.score - np.where(sunk, 100.0, 0.0)))
    result = assay.study("correlations", low, **SMALL)
    people = [float(np.mean(scores)) for scores in human_means(whole).values()][:5]
    expected = pearsonr(corpus_scores(whole, "recall")[:5], people).statistic
    assert row_of(result, "recall", "words")["without_outliers"] == pytest.approx(expected, abs=1e-9)
    assert any(finding.startswith("s5: far from the others") for finding in result.findings)


def test_points_are_the_dots_of_the_scatter_plots():
    whole = campaign()
    result = assay.study("correlations", whole, **SMALL)
    own = [one for one in result.table("points") if (one["metric"], one["text"]) == ("recall", "words")]
    assert [one["system"] for one in own] == list(whole.systems)
    assert [one["score"] for one in own] == pytest.approx(corpus_scores(whole, "recall"))
    assert len(result.to_dict()["points"]) == 2 * 2 * 5


def test_without_a_stemmer_there_are_words_alone():
    result = assay.study("correlations", campaign(), stemmer="none", **SMALL)
    assert {row["text"] for row in result.table()} == {"words"}
    assert not any("stemming" in finding for finding in result.findings)


def test_what_is_wrong_is_said():
    with pytest.raises(InputError, match="has no judgements"):
        assay.study("correlations", campaign(judged=False))
    two = without(campaign(), lambda one: one.system in ("s0", "s1"))
    with pytest.warns(AssayWarning, match="Nobody judged"), pytest.raises(InputError, match="at least 3"):
        assay.study("correlations", two)
    for options in ({"samples": 1}, {"resample": "systems"}, {"metrics": ("bleu", "bleu(stem=porter)")}):
        with pytest.raises(assay.ParameterError, match="correlations"):
            assay.study("correlations", campaign(), **options)
    with pytest.raises(assay.UnknownName, match="kind of judgement 'mqm'"):
        assay.study("correlations", campaign(), kind="mqm")


def test_same_seed_same_table_and_figure_on_any_threads():
    pytest.importorskip("vl_convert")
    made = [assay.study("correlations", campaign(), threads=threads, **SMALL) for threads in (1, 3)]
    assert made[0].to_json() == made[1].to_json()
    one, two = (result.chart().to_bytes("svg") for result in made)
    assert one == two
    for text in ("Pearson over systems", "Pearson over differences between systems", "differences of pairs"):
        assert text in one.decode()


def test_judgements_of_whole_systems_will_do_and_those_of_documents_are_not_used():
    whole = campaign()
    rows = [Judgement(name, None, 5.0 - place, "sys") for place, name in enumerate(whole.systems)]
    rows += [Judgement(name, None, 1.0, "sys", document="d0") for name in whole.systems]
    result = assay.study("correlations", whole.with_judgements(Judgements.of(rows, "inline")), **SMALL)
    # Metrics score all segments then.
    expected = pearsonr(corpus_scores(whole, "recall"), [5.0, 4.0, 3.0, 2.0, 1.0]).statistic
    assert row_of(result, "recall", "words")["pearson"] == pytest.approx(expected, abs=1e-9)
    assert result.findings[-1] == "5 of 10 judgements were used. Not used: 5 of whole documents."


def test_ranks_will_do():
    whole = campaign()
    rows = [
        Judgement(name, segment, float(-place), "rank", ranking=f"r{segment}")
        for segment in range(12)
        for place, name in enumerate(whole.systems)
    ]
    result = assay.study("correlations", whole.with_judgements(Judgements.of(rows, "inline")), **SMALL)
    assert row_of(result, "recall", "words")["pearson"] > 0.5
