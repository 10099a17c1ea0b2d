"""The study of segments: scipy's values for every module, quality and normalisation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import pearsonr

import assay
from assay.data.judgements import Factor
from assay.errors import AssayWarning, InputError
from studies.judged_campaign import campaign, without
from studies.test_case_and_stem import human_means

SMALL = {"metrics": ("bleu",), "samples": 30}
BOTH = ("adequacy", "fluency")


def cell(result, metric, quality, normalise="none"):
    return next(
        row for row in result.table() if (row["metric"], row["kind"], row["normalise"]) == (metric, quality, normalise)
    )


def pooled(whole, metric, people):
    scores = [metric.evaluate(whole.corpus(name)).segment_scores() for name in whole.systems]
    return pearsonr(np.concatenate(scores), np.concatenate([people[name] for name in whole.systems])).statistic


def grids(whole):
    return {kind: human_means(without(whole, lambda one, kind=kind: one.kind == kind)) for kind in BOTH}


def test_qualities_and_their_sum_are_scipys():
    whole = campaign(kinds=BOTH)
    result = assay.study("sentence-level", whole, kind=BOTH, **SMALL)
    people = grids(whole)
    total = {name: np.add(people["adequacy"][name], people["fluency"][name]) for name in whole.systems}
    for metric, modules in (("METEOR exact", "exact"), ("METEOR exact+stem+synonym", "exact+stem+synonym")):
        meteor = assay.metric("meteor", modules=modules)
        for quality, scores in (*people.items(), ("adequacy+fluency", total)):
            expected = pooled(whole, meteor, scores)
            assert cell(result, metric, quality)["correlation"] == pytest.approx(expected, abs=1e-9)


def test_within_systems_is_the_mean_of_their_correlations():
    whole = campaign()
    result = assay.study("sentence-level", whole, **SMALL)
    people = human_means(whole)
    own = [
        pearsonr(assay.metric("bleu").evaluate(whole.corpus(name)).segment_scores(), people[name]).statistic
        # s0 is a copy of the reference: BLEU is 100 throughout, so there is no correlation, and it has no say.
        for name in list(whole.systems)[1:]
    ]
    assert cell(result, "bleu", "adequacy")["by_system"] == pytest.approx(np.mean(own), abs=1e-9)


def test_normalised_judges_are_z_scores_by_hand():
    whole = campaign(raters="abc")
    result = assay.study("sentence-level", whole, **SMALL)
    scores: dict[str, list[float]] = {}
    for one in whole.judgements:
        scores.setdefault(one.rater, []).append(one.score)
    people = {name: np.zeros(12) for name in whole.systems}
    for one in whole.judgements:
        own = scores[one.rater]
        people[one.system][one.segment] += (one.score - np.mean(own)) / np.std(own, ddof=1) / 3
    row = cell(result, "bleu", "adequacy", "z")
    assert row["correlation"] == pytest.approx(pooled(whole, assay.metric("bleu"), people), abs=1e-9)
    raw = cell(result, "bleu", "adequacy")
    assert row["judge_gain"] == pytest.approx(row["correlation"] - raw["correlation"], abs=1e-12)
    assert raw["judge_gain"] is None


def test_modules_are_set_against_the_first():
    result = assay.study("sentence-level", campaign(), **SMALL)
    exact, stem = (cell(result, f"METEOR {modules}", "adequacy") for modules in ("exact", "exact+stem"))
    assert exact["module_gain"] is None
    assert stem["module_gain"] == pytest.approx(stem["correlation"] - exact["correlation"], abs=1e-12)
    assert cell(result, "bleu", "adequacy")["module_gain"] is None


def test_stems_from_wordnet_are_a_row_where_the_lecture_has_it():
    whole = campaign()
    result = assay.study("sentence-level", whole, **SMALL)
    rows = [row["metric"] for row in result.table() if row["normalise"] == "none"]
    assert rows == ["bleu", "METEOR exact", "METEOR exact+stem", "METEOR exact+wnstem", "METEOR exact+stem+synonym"]
    row = cell(result, "METEOR exact+wnstem", "adequacy")
    # Dogs, cats and walked have base forms in WordNet; quickly has none, though a stemmer takes it for quick.
    wordnet, porter = (assay.metric("meteor", modules="exact+stem", stem=stem) for stem in ("wordnet", "porter"))
    people = human_means(whole)
    assert row["correlation"] == pytest.approx(pooled(whole, wordnet, people), abs=1e-9)
    assert row["correlation"] != pytest.approx(pooled(whole, porter, people), abs=1e-9)
    assert row["spelling"] == "meteor(modules=exact+stem,lowercase=false,tokenize=13a,stem=wordnet)"
    with pytest.raises(assay.ParameterError, match="without wnstem for language=de: WordNet's base forms are English"):
        assay.study("sentence-level", whole, meteor="meteor(language=de)", modules="exact,exact+wnstem")


def test_one_system_is_enough_for_segments():
    result = assay.study("sentence-level", campaign(systems=2), systems="s1", **SMALL)
    assert cell(result, "bleu", "adequacy")["translations"] == 12


def test_kinds_of_other_segments_and_systems_are_no_trouble():
    # Fluency was judged of other systems and segments: the mean is of what has both.
    whole = without(
        campaign(kinds=BOTH),
        lambda one: one.system != "s1" if one.kind == "fluency" else one.system != "s2" and one.segment > 3,
    )
    with pytest.warns(AssayWarning, match="Nobody judged"):
        result = assay.study("sentence-level", whole, kind=BOTH, **SMALL)
    # 5 systems less 2, and 12 segments less 4.
    assert cell(result, "bleu", "adequacy+fluency")["translations"] == 3 * 8
    assert cell(result, "bleu", "fluency")["translations"] == 4 * 12


def test_what_is_closest_to_people_is_said_with_what_modules_and_judges_bring():
    result = assay.study("sentence-level", campaign(), modules="exact,exact+stem", normalise=("none", "z"), **SMALL)
    raw = {row["metric"]: row for row in result.table() if row["normalise"] == "none"}
    best = max(raw.values(), key=lambda row: row["correlation"])
    (said,) = [line for line in result.findings if line.startswith("adequacy: ") and "closest" in line]
    assert said.startswith(f"adequacy: {best['metric']} is closest to people ({best['correlation']:.3f})")
    assert f"exact+stem instead of exact brings {raw['METEOR exact+stem']['module_gain']:+.3f} (" in said
    gain = cell(result, "METEOR exact+stem", "adequacy", "z")["judge_gain"]
    assert f"judges normalised by z bring {gain:+.3f} (" in said
    # Each of them beside its own value with raw judges.
    for row in result.table():
        if row["normalise"] == "z":
            assert row["judge_gain"] == pytest.approx(row["correlation"] - raw[row["metric"]]["correlation"])


def test_usage_is_told_for_each_kind():
    result = assay.study("sentence-level", campaign(kinds=BOTH), kind="fluency", **SMALL)
    assert result.findings[-1] == "fluency: 120 of 240 judgements were used. Not used: 120 of another kind."


def test_judges_without_names_are_not_changed_by_z():
    whole = campaign(raters="a")
    nameless = replace(whole.judgements, rater=Factor.of([None] * 60))
    with pytest.warns(AssayWarning, match="without a rater"):
        result = assay.study("sentence-level", whole.with_judgements(nameless), **SMALL)
    assert any("normalising by z changes nothing" in finding for finding in result.findings)


def test_a_mean_that_nobody_can_take_is_left_out():
    whole = campaign(kinds=BOTH)
    # No segment has both qualities.
    parted = without(whole, lambda one: (one.segment < 6) == (one.kind == BOTH[0]))
    with pytest.warns(AssayWarning, match="No mean of the qualities: .*no rater judged an item under every kind"):
        result = assay.study("sentence-level", parted, kind=BOTH, **SMALL)
    assert {row["kind"] for row in result.table()} == set(BOTH)
    with pytest.raises(InputError, match="no rater judged an item under every kind"):
        assay.study("sentence-level", parted, kind="+".join(BOTH), **SMALL)


def test_what_is_wrong_is_said():
    with pytest.raises(InputError, match="has no judgements"):
        assay.study("sentence-level", campaign(judged=False))
    with pytest.raises(InputError, match="several kinds of judgement"):
        assay.study("sentence-level", campaign(kinds=BOTH))
    with pytest.raises(assay.UnknownName, match="normalisation 'zz'"):
        assay.study("sentence-level", campaign(), normalise=("zz",))
    with pytest.raises(assay.UnknownName, match="module of meteor 'stems'"):
        assay.study("sentence-level", campaign(), modules=("exact", "exact+stems"))
    for options in ({"meteor": "bleu"}, {"meteor": "meteor(modules=exact)"}, {"modules": ()}, {"samples": 0}):
        with pytest.raises(assay.ParameterError, match="sentence-level"):
            assay.study("sentence-level", campaign(), **options)


def test_same_seed_same_table_and_figure_on_any_threads():
    pytest.importorskip("vl_convert")
    made = [assay.study("sentence-level", campaign(), threads=threads, **SMALL) for threads in (1, 3)]
    assert made[0].to_json() == made[1].to_json()
    one, two = (result.chart().to_bytes("svg") for result in made)
    assert one == two
    for text in ("METEOR exact+stem", "raw judges", "quantile", "adequacy"):
        assert text in one.decode()
