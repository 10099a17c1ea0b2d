"""Scores of programs as judgements: who is the rater, what is missing, which way is better, and marked errors."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.data.campaign import Campaign
from assay.data.external import ExternalScores, as_judgements
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.errors import InputError, UnknownName

MARKED = (ErrorSpan("major", start=0, end=4),)


def given(name, *, higher_is_better=True, spans=None, **systems):
    return ExternalScores(
        name, {key: np.array(values) for key, values in systems.items()}, higher_is_better=higher_is_better, spans=spans
    )


def test_each_score_is_a_judgement_of_every_kind():
    judge = given("judge", a=[1.0, np.nan, 3.0], b=[4.0, 5.0, 6.0])
    errors = given("errors", higher_is_better=False, a=[2.0, 0.0, 1.0])
    rows = [
        (one.rater, one.kind, one.system, one.segment, one.score) for one in as_judgements([judge, errors], "ab", "xy")
    ]
    of_x = [
        ("judge", "x", "a", 0, 1.0), ("judge", "x", "a", 2, 3.0),
        ("judge", "x", "b", 0, 4.0), ("judge", "x", "b", 1, 5.0), ("judge", "x", "b", 2, 6.0),
        ("errors", "x", "a", 0, -2.0), ("errors", "x", "a", 1, 0.0), ("errors", "x", "a", 2, -1.0),
    ]  # fmt: skip
    assert rows == [*of_x, *((rater, "y", *rest) for rater, _, *rest in of_x)]


def test_runs_are_the_same_rater_again():
    runs = [given(f"judge@{run}", a=[1.0, 2.0]) for run in (1, 2)]
    assert [(one.rater, one.segment) for one in as_judgements(runs, ["a"], ["x"])] == [("judge", 0), ("judge", 1)] * 2


def test_errors_that_a_program_marked_are_those_of_a_judgement():
    judge = given("judge", a=[1.0, 2.0], b=[3.0, 4.0], spans={"a": (MARKED, ())})
    assert as_judgements([judge], "ab", "xy").spans == (MARKED, (), None, None) * 2
    assert as_judgements([given("judge", a=[1.0])], "a", "x").spans == ()


def test_a_judge_stands_among_the_raters():
    people = [
        Judgement(system, segment, score, "grade", rater)
        for rater, scores in {"ana": [1.0, 2, 3, 4, 5, 6], "bo": [2.0, 1, 3, 5, 4, 6]}.items()
        for system, half in {"a": scores[:3], "b": scores[3:]}.items()
        for segment, score in enumerate(half)
    ]
    scores = {"judge": given("judge", a=[10.0, 20, 30], b=[40.0, 50, 60])}
    campaign = Campaign("c", {"a": [""] * 3, "b": [""] * 3}, {}, human=Judgements.of(people, "people"), scores=scores)
    found = assay.agreement(campaign, judge="judge", samples=20)
    # ana and the judge order all six alike; bo changes two pairs of neighbours: Spearman 1 - 6 * 4 / (6 * 35) = 0.8857.
    value = {
        frozenset((row["a"], row["b"])): row["value"] for row in found.table("pairs") if row["statistic"] == "spearman"
    }
    assert value[frozenset(("ana", "judge"))] == pytest.approx(1.0)
    assert value[frozenset(("bo", "judge"))] == pytest.approx(1 - 24 / 210)
    assert any(text.startswith("judge gives 10 to 60, people 1 to 6") for text in found.findings)
    assert not any(
        " people 1 to 6" in text for text in assay.agreement(campaign, judge="judge", normalise="z").findings
    )
    with pytest.raises(UnknownName, match="Did you mean 'judge'"):
        assay.agreement(campaign, judge="juge")
    # Without people, programs are the raters.
    alone = Campaign("c", {"a": [""] * 3, "b": [""] * 3}, {}, scores=scores | {"other": given("other", a=[1.0, 2, 3])})
    assert {row["rater"] for row in assay.agreement(alone, samples=20).table("raters")} == {"judge", "other"}


def test_scores_of_systems_alone_are_no_raters():
    with pytest.raises(InputError, match="judge: there are no scores of single segments"):
        as_judgements([ExternalScores("judge", systems={"a": 1.0})], ["a"], ["x"])
