"""The study of the number of references: correlations set by set, means and gains over sets, and real campaigns."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import assay
from assay.data.campaign import Campaign
from assay.data.judgements import Judgement, Judgements
from people.truth import DATA, needs_data, ort_rows

WORDS = ["a", "b", "c", "d", "e", "f", "g", "h"]
SYSTEMS = ("one", "two", "three", "four")


@pytest.fixture
def campaign() -> Campaign:
    generator = np.random.default_rng(3)

    def text() -> list[str]:
        return [" ".join(generator.choice(WORDS, generator.integers(3, 9))) for _ in range(12)]

    judgements = [
        Judgement(system, segment, float(generator.normal(number)), "da")
        for number, system in enumerate(SYSTEMS)
        for segment in range(12)
    ]
    return Campaign(
        name="small",
        systems={name: text() for name in SYSTEMS},
        references={name: text() for name in "ABC"},
        human=Judgements.of(judgements, "human.tsv"),
    )


def human(campaign: Campaign) -> np.ndarray:
    scores = {(one.system, one.segment): one.score for one in campaign.judgements}
    return np.array([[scores[system, segment] for segment in range(12)] for system in SYSTEMS])


@pytest.mark.parametrize("metric", ["f1", "wer"])
def test_every_set_is_correlated_on_its_own(campaign, metric):
    result = assay.study("reference-count", campaign, metrics=metric, samples=0)
    people, sign = human(campaign), 1 if metric == "f1" else -1
    functions = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    found = {(one["level"], one["statistic"], one["references"]): one["value"] for one in result.table("sets")}
    means = {}
    for size in (1, 2, 3):
        for subset in combinations("ABC", size):
            corpora = campaign.choose(references=subset).corpora()
            counted = [assay.metric(metric).evaluate(corpora[name]) for name in SYSTEMS]
            systems = sign * np.array([one.corpus_score() for one in counted])
            segments = sign * np.stack([one.segment_scores() for one in counted])
            for name, function in functions.items():
                expected = function(systems, people.mean(axis=1))[0]
                assert found["system", name, "+".join(subset)] == pytest.approx(expected, abs=1e-9)
                cells = function(segments.round(9).ravel(), people.ravel())[0]
                assert found["segment", name, "+".join(subset)] == pytest.approx(cells, abs=1e-9)
                means.setdefault((name, size), []).append(expected)
    for row in result.table():
        if row["level"] == "system":
            values = means[row["statistic"], row["k"]]
            assert row["mean"] == pytest.approx(np.mean(values), abs=1e-9)
            assert (row["low"], row["high"]) == (pytest.approx(min(values)), pytest.approx(max(values)))
            assert row["sd"] == (pytest.approx(np.std(values, ddof=1)) if len(values) > 1 else None)
            if row["k"] > 1:
                before = np.mean(means[row["statistic"], row["k"] - 1])
                assert row["gain"] == pytest.approx(np.mean(values) - before, abs=1e-9)


def test_gains_have_intervals_that_hold_them(campaign):
    rows = assay.study("reference-count", campaign, metrics="f1", statistic="pearson").table()
    assert rows[0]["gain"] is None
    assert all(row["gain_low"] <= row["gain_high"] for row in rows if row["k"] > 1)


def test_bad_input_says_what_the_study_needs(campaign):
    study = "reference-count"
    with pytest.raises(assay.InputError, match=r"small has 1 in use. It needs at least two"):
        assay.study(study, campaign, references="A")
    with pytest.raises(assay.InputError, match="k is 4, but small has 3 references in use"):
        assay.study(study, campaign, k=4)
    with pytest.raises(assay.InputError, match="small has no judgements"):
        assay.study(study, replace(campaign, human=None))
    with pytest.raises(assay.InputError, match="at least 3 that were judged, and small has 2: one, two"):
        assay.study(study, campaign, systems="one,two")
    with pytest.raises(assay.ParameterError, match="statistic is"):
        assay.study(study, campaign, statistic="tau")


def test_same_table_and_same_figure_byte_for_byte(campaign):
    pytest.importorskip("vl_convert")
    one, other = (
        assay.study("reference-count", campaign, metrics="bleu,f1", samples=50, threads=threads) for threads in (1, 2)
    )
    assert one.to_json() == other.to_json()
    drawn = one.chart().to_bytes("svg")
    assert drawn == other.chart().to_bytes("svg")
    assert all(name in drawn.decode() for name in ("bleu", "f1", "system level", "segment level"))


@needs_data
@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
def test_every_combination_of_ort_is_that_of_the_page():
    # The page has plain means of what was judged for each system: here as judgements of whole systems.
    campaign = assay.read(DATA / "ort20-en-cs")
    by_system: dict[str, list[float]] = {}
    for one in campaign.judgements:
        if one.score != 0.0:
            by_system.setdefault(one.system, []).append(one.score)
    rows = [assay.Judgement(name, None, float(np.mean(scores)), "da") for name, scores in by_system.items()]
    campaign = campaign.with_judgements(assay.Judgements.of(rows, "inline"))
    result = assay.study("reference-count", campaign, metrics="bleu", scope="all", samples=0)
    found = {
        (one["references"], one["statistic"]): one["value"] for one in result.table("sets") if one["level"] == "system"
    }
    rows = ort_rows()
    assert len(rows) == 15
    for references, _, *expected in rows:
        for statistic, value in zip(("pearson", "spearman", "kendall"), expected, strict=True):
            assert found[references, statistic] == pytest.approx(value, abs=5.0e-5 + 1e-9)


@needs_data
@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
def test_mean_scores_of_ort_are_those_of_the_page():
    result = assay.study("references", DATA / "ort20-en-cs", metrics="bleu")
    systems = [one for one in result.table("scores") if one["kind"] == "system"]
    for references, bleu, *_ in ort_rows():
        scores = [one["score"] for one in systems if one["references"] == references]
        assert np.mean(scores) == pytest.approx(bleu, abs=0.005 + 1e-9)
