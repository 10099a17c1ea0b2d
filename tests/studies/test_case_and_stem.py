"""The study of recipes: every cell against text that was changed by hand, and gains against resampled text."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr

import assay
from assay.data.judgements import Judgement, Judgements
from assay.errors import AssayWarning, InputError
from assay.questions.studies.recipes import bare, under
from assay.significance.draws import bootstrap_counts, interval, numbered
from studies.judged_campaign import campaign, without

SMALL = {"metrics": ("bleu", "recall", "ter"), "samples": 30}


def cell(result, level, metric, recipe):
    return next(
        row for row in result.table() if (row["level"], row["metric"], row["recipe"]) == (level, metric, recipe)
    )


def human_means(whole):
    found = {}
    for name in whole.systems:
        scores = {}
        for one in whole.judgements:
            if one.system == name:
                scores.setdefault(one.segment, []).append(one.score)
        found[name] = [float(np.mean(scores[segment])) for segment in range(len(whole))]
    return found


def corpus_scores(whole, metric, chosen=None):
    found = []
    for texts in whole.systems.values():
        places = range(len(whole)) if chosen is None else chosen
        corpus = assay.Corpus(
            translations=[list(texts)[one] for one in places],
            references=[[list(column)[one] for one in places] for column in whole.references.values()],
        )
        found.append(assay.metric(metric).evaluate(corpus).corpus_score())
    return found


def test_cells_are_scipys_pearson_of_scores_under_the_recipe():
    whole = campaign()
    result = assay.study("case-and-stem", whole, **SMALL)
    people = {name: np.mean(scores) for name, scores in human_means(whole).items()}
    for recipe, options in (
        ("raw", ""),
        ("lowercase", "lowercase=true"),
        ("lowercase+stem+no-punctuation", "lowercase=true,stem=porter,remove_punctuation=true"),
    ):
        row = cell(result, "system", "recall", recipe)
        found = corpus_scores(whole, f"recall({options})")
        assert row["correlation"] == pytest.approx(pearsonr(found, list(people.values())).statistic, abs=1e-9)
    # TER lowercases by default: raw is raw all the same, and lower is better.
    found = corpus_scores(whole, "ter(lowercase=false)")
    row = cell(result, "system", "ter", "raw")
    assert row["correlation"] == pytest.approx(-pearsonr(found, list(people.values())).statistic, abs=1e-9)


def test_segments_are_pooled():
    whole = campaign()
    result = assay.study("case-and-stem", whole, **SMALL)
    people = human_means(whole)
    metric = assay.metric("recall", stem="porter")
    scores = [metric.evaluate(whole.corpus(name)).segment_scores() for name in whole.systems]
    expected = pearsonr(np.concatenate(scores), np.concatenate(list(people.values()))).statistic
    row = cell(result, "segment", "recall", "stem")
    assert row["correlation"] == pytest.approx(expected, abs=1e-9)
    assert row["points"] == 60


def test_the_interval_of_a_gain_is_that_of_resampled_text():
    whole = campaign(segments=6)
    result = assay.study(
        "case-and-stem", whole, metrics="recall", recipes=("raw", "lowercase"), samples=30, unit="segment"
    )
    people = human_means(whole)
    gains = []
    for counts in np.concatenate(list(bootstrap_counts(numbered(6), 30, 1))):
        chosen = np.repeat(np.arange(6), counts.astype(int)).tolist()
        human = [np.mean([scores[one] for one in chosen]) for scores in people.values()]
        one, two = (
            pearsonr(corpus_scores(whole, f"recall({options})", chosen), human).statistic
            for options in ("", "lowercase=true")
        )
        gains.append(two - one)
    row = cell(result, "system", "recall", "lowercase")
    expected = interval(np.array(gains), 6)
    assert (row["gain_low"], row["gain_high"]) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_gains_are_over_the_first_recipe():
    result = assay.study("case-and-stem", campaign(), recipes=("stem", "raw"), **SMALL)
    base, other = (cell(result, "system", "bleu", recipe) for recipe in ("stem", "raw"))
    assert base["gain"] is None
    assert other["gain"] == pytest.approx(other["correlation"] - base["correlation"], abs=1e-12)
    assert other["gain_low"] <= other["gain"] <= other["gain_high"]


def test_meteor_stems_in_its_module():
    meteor = assay.metric("meteor")
    assert str(under(meteor, "raw", "porter")) == "meteor(modules=exact+synonym,lowercase=false)"
    assert under(meteor, "lowercase+stem", "porter").settings.modules == ("exact", "stem", "synonym")
    assert bare(assay.metric("ter", stem="porter", lowercase=False)) == "ter"


def test_ranks_will_do_for_systems_but_not_for_segments():
    rows = [
        Judgement(name, segment, float(-place), "rank", ranking=f"r{segment}")
        for segment in range(12)
        for place, name in enumerate(campaign().systems)
    ]
    ranked = campaign().with_judgements(Judgements.of(rows, "inline"))
    assert assay.study("case-and-stem", ranked, level=("system",), **SMALL).table()[0]["correlation"] is not None
    # Where segments are not all that was asked for, systems are better than nothing.
    both = assay.study("case-and-stem", ranked, **SMALL)
    assert {row["level"] for row in both.table()} == {"system"}
    assert any(finding.startswith("No segment level: ") and "are ranks" in finding for finding in both.findings)
    with pytest.raises(InputError, match="these judgements are ranks"):
        assay.study("case-and-stem", ranked, level=("segment",), **SMALL)


def test_segments_of_one_system_will_do_for_the_segment_level():
    alone = without(campaign(), lambda one: one.system == "s3")
    with pytest.warns(AssayWarning, match="Nobody judged"):
        rows = assay.study("case-and-stem", alone, level=("segment",), **SMALL).table()
    assert all(row["correlation"] is not None for row in rows)


def test_few_judged_segments_have_no_intervals():
    few = without(campaign(), lambda one: one.segment < 4)
    with pytest.warns(AssayWarning, match="4 judged segments: too few to draw from"):
        result = assay.study("case-and-stem", few, **SMALL)
    assert all(row["low"] is None and row["gain_low"] is None for row in result.table())
    assert not any("sure by chance" in finding for finding in result.findings)


def test_a_score_that_stands_for_no_judgement_is_left_out():
    zeros = campaign().with_judgements(
        campaign().judgements.joined(Judgements.of([Judgement("s0", 0, -99.0, "adequacy", "late")], "inline"))
    )
    whole = assay.study("case-and-stem", campaign(), **SMALL)
    assert assay.study("case-and-stem", zeros, missing=-99.0, **SMALL).table() == whole.table()
    assert assay.study("case-and-stem", zeros, **SMALL).table() != whole.table()


def test_findings_tell_what_helps_and_what_was_used():
    whole = without(campaign(), lambda one: one.system != "s4")
    with pytest.warns(AssayWarning, match="Nobody judged s4: left out"):
        result = assay.study("case-and-stem", whole, **SMALL)
    assert result.findings[0].startswith("Pearson with people, 4 systems")
    assert sum("level, lowercase+stem:" in finding for finding in result.findings) == 2
    assert result.findings[-1] == "96 of 96 judgements were used."


def test_what_is_wrong_is_said():
    with pytest.raises(InputError, match="has no judgements"):
        assay.study("case-and-stem", campaign(judged=False))
    with pytest.raises(InputError, match="It needs at least 3 that were judged"):
        assay.study("case-and-stem", campaign(systems=2))
    with pytest.raises(assay.UnknownName, match=r"step of a recipe 'lowercse'. Did you mean 'lowercase'"):
        assay.study("case-and-stem", campaign(), recipes=("raw", "lowercse"))
    with pytest.raises(assay.UnknownName, match="stemmer 'portr'"):
        assay.study("case-and-stem", campaign(), stemmer="portr")
    for options in ({"metrics": ("bleu", "bleu(stem=porter)")}, {"recipes": ()}, {"level": ("document",)}):
        with pytest.raises(assay.ParameterError, match="case-and-stem"):
            assay.study("case-and-stem", campaign(), **options)


def test_same_seed_same_table_and_figure_on_any_threads():
    pytest.importorskip("vl_convert")
    made = [assay.study("case-and-stem", campaign(), threads=threads, **SMALL) for threads in (1, 3)]
    assert made[0].to_json() == made[1].to_json()
    one, two = (result.chart().to_bytes("svg") for result in made)
    assert one == two
    for text in ("system level", "segment level", "no-punctuation", "recall"):
        assert text in one.decode()
