"""The study of score distributions: people against people, and systems that judges find equal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.data.campaign import Campaign
from assay.data.judgements import Judgement, Judgements
from assay.questions.studies.score_distribution import bin_edges, equal_groups


@pytest.fixture
def campaign() -> Campaign:
    # Judges see no difference between x and y, and a large one between both and z.
    given = {"x": (5, 4, 5, 4, 5, 4, 5, 4), "y": (4, 5, 4, 5, 4, 5, 4, 5), "z": (1, 1, 1, 1, 1, 1, 1, 1)}
    judgements = [
        Judgement(system, segment, float(score), "da")
        for system, scores in given.items()
        for segment, score in enumerate(scores)
    ]
    texts = ["a b", "c d", "e f", "g h", "a c", "b d", "e g", "f h"]
    return Campaign(
        name="small",
        systems={"x": texts, "y": ["a b"] * 8, "z": ["q"] * 8},
        references={"A": texts, "B": ["a b"] * 8, "C": ["a c"] * 8},
        human=Judgements.of(judgements, "human.tsv"),
    )


def row(result: assay.Result, group: str, system: str) -> dict:
    [found] = [one for one in result.table() if (one["group"], one["system"]) == (group, system)]
    return found


def test_people_against_people(campaign):
    result = assay.study("score-distribution", campaign, metrics="recall")
    everyone = []
    for name in "ABC":
        others = [other for other in "ABC" if other != name]
        corpus = assay.Corpus(
            translations=list(campaign.references[name]), references=[list(campaign.references[o]) for o in others]
        )
        scores = assay.metric("recall").evaluate(corpus).segment_scores()
        found = row(result, "human", name)
        assert (found["segments"], found["references"]) == (8, 2)
        assert (found["mean"], found["sd"]) == (pytest.approx(scores.mean()), pytest.approx(scores.std(ddof=1)))
        everyone.extend(scores)
    whole = row(result, "human", "all")
    assert (whole["segments"], whole["mean"]) == (24, pytest.approx(np.mean(everyone)))
    assert whole["zero"] == pytest.approx(100 * everyone.count(0) / 24)


def test_systems_that_judges_find_equal_stand_together(campaign):
    result = assay.study("score-distribution", campaign, metrics="recall")
    assert {one["system"] for one in result.table() if one["group"] == "equal 1"} == {"all", "x", "y"}
    assert row(result, "equal 1", "x")["judged"] == pytest.approx(4.5)
    assert not any(one["system"] == "z" for one in result.table())
    assert "Judges do not tell x, y apart" in " ".join(result.findings)


def test_systems_are_scored_on_as_many_references_as_people_have(campaign):
    result = assay.study("score-distribution", campaign, metrics="recall")
    scores = {}
    for system in "xy":
        scores[system] = [
            assay.metric("recall").evaluate(
                assay.Corpus(
                    translations=list(campaign.systems[system]),
                    references=[list(campaign.references[name]) for name in "ABC" if name != left],
                )
            )
            for left in "ABC"
        ]
        found = row(result, "equal 1", system)
        # Three references, and without each of them in turn two, as a reference has beside itself.
        assert (found["references"], found["equal_references"]) == (3, 2)
        segments = [one.segment_scores() for one in scores[system]]
        assert found["equal_mean"] == pytest.approx(np.mean([one.mean() for one in segments]))
        assert found["equal_sd"] == pytest.approx(np.mean([one.std(ddof=1) for one in segments]))
        assert found["equal_corpus"] == pytest.approx(np.mean([one.corpus_score() for one in scores[system]]))
    together = [np.concatenate([one.segment_scores() for one in pair]) for pair in zip(*scores.values(), strict=True)]
    whole = row(result, "equal 1", "all")
    assert whole["equal_mean"] == pytest.approx(np.mean([one.mean() for one in together]))
    assert whole["equal_sd"] == pytest.approx(np.mean([one.std(ddof=1) for one in together]))
    assert whole["equal_corpus"] is None
    # People have these anyway.
    person = row(result, "human", "A")
    assert [person[f"equal_{name}"] for name in ("references", "mean", "sd", "corpus")] == [
        person[name] for name in ("references", "mean", "sd", "corpus")
    ]
    assert "With 2 references, as human translations have, x, y: recall mean" in " ".join(result.findings)
    one = row(assay.study("score-distribution", campaign, metrics="recall", references="A"), "equal 1", "y")
    assert (one["references"], one["equal_references"], one["equal_mean"]) == (1, 1, one["mean"])


def test_medians_corpus_scores_and_sentences_by_numpy(campaign):
    result = assay.study("score-distribution", campaign, metrics="recall")
    counted = {}
    for name in "ABC":
        others = [list(campaign.references[other]) for other in "ABC" if other != name]
        corpus = assay.Corpus(translations=list(campaign.references[name]), references=others)
        counted[name] = assay.metric("recall").evaluate(corpus)
    for system in "xy":
        counted[system] = assay.metric("recall").evaluate(campaign.corpus(system))
    for name, statistics in counted.items():
        found = row(result, "human" if name in "ABC" else "equal 1", name)
        assert found["median"] == pytest.approx(np.median(statistics.segment_scores()))
        assert found["corpus"] == pytest.approx(statistics.corpus_score())
    means = [counted[name].segment_scores().mean() for name in "ABC"]
    assert result.findings[0].endswith(f"; single translators from {min(means):.2f} to {max(means):.2f}.")
    equal = [counted[name].corpus_score() for name in "xy"]
    assert result.findings[1].endswith(f"; corpus scores from {min(equal):.2f} to {max(equal):.2f}.")


def test_systems_are_equal_by_both_tails_of_the_test(campaign):
    people = np.array([[one.score for one in campaign.judgements if one.system == name] for name in "xz"])
    # z is 3 or 4 worse than x in all of eight segments: of 2 ** 8 ways to swap, one leaves it so, and one turns it.
    # What is as it is counts half on each side, so that both tails together have 1 of 2 ** 8.
    assert (people[0] - people[1] >= 3).all()
    both = replace(campaign, systems={name: campaign.systems[name] for name in "xz"})
    options = {"metrics": "recall", "systems": "x,z", "permutations": 50_000}
    between, above = (
        {found["group"] for found in assay.study("score-distribution", both, alpha=alpha, **options).table()}
        for alpha in (0.75 / 2**8, 1.5 / 2**8)
    )
    assert (between, above) == ({"human", "equal 1"}, {"human"})


def test_shares_of_a_histogram_add_up(campaign):
    result = assay.study("score-distribution", campaign, metrics="recall,nist", bins=7)
    for group in ("human", "equal 1"):
        for metric in ("recall", "nist"):
            bars = [one for one in result.table("histograms") if (one["group"], one["metric"]) == (group, metric)]
            assert len(bars) == 7
            assert sum(one["share"] for one in bars) == pytest.approx(100)


def test_bins_are_those_of_the_scale():
    assert bin_edges([np.array([0.0, 100.00000000001])], 4).tolist() == [0, 25, 50, 75, 100]
    assert bin_edges([np.array([0.0, 8.0])], 4).tolist() == [0, 2, 4, 6, 8]
    assert bin_edges([np.array([0.0, 160.0])], 4)[-1] == 160


def test_without_a_common_segment_nobody_is_equal():
    unknown = np.array([[1.0, np.nan], [np.nan, 1.0]])
    assert equal_groups(np.array([1.0, 1.0]), unknown, 0.05) == []


def test_one_half_of_the_question_is_enough(campaign):
    alone = assay.study("score-distribution", replace(campaign, human=None), metrics="f1")
    assert {one["group"] for one in alone.table()} == {"human"}
    assert "No equal systems: nobody judged them." in alone.findings
    one = assay.study("score-distribution", campaign, metrics="f1", references="A", systems="y,z,x")
    assert {row["group"] for row in one.table()} == {"equal 1"}
    kinds = Judgements.of([Judgement("x", 0, 1.0, "da"), Judgement("x", 0, 1.0, "mqm")], "human.tsv")
    several = assay.study("score-distribution", replace(campaign, human=kinds), metrics="f1")
    assert any("several kinds of judgement" in finding for finding in several.findings)


def test_neither_is_refused(campaign):
    with pytest.raises(assay.InputError, match="needs two references, or systems with judgements"):
        assay.study("score-distribution", replace(campaign, human=None), references="A", systems="y")
    with pytest.raises(assay.ParameterError, match="bins is 1"):
        assay.study("score-distribution", campaign, bins=1)


def test_same_table_and_same_figure_byte_for_byte(campaign):
    pytest.importorskip("vl_convert")
    one, other = (assay.study("score-distribution", campaign, metrics="bleu,f1", threads=n) for n in (1, 2))
    assert one.to_json() == other.to_json()
    drawn = one.chart().to_bytes("svg")
    assert drawn == other.chart().to_bytes("svg")
    assert "human translations" in drawn.decode()
