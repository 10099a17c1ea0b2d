"""``assay meta --judge``: one of what is held against people, as a judge in their place."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.data.external import ExternalScores
from assay.demo import CAMPAIGN
from assay.errors import AssayWarning, InputError, ParameterError, UnknownName
from assay.significance.draws import Units
from assay.significance.prediction_powered import PredictionPowered

SYSTEMS = ("a", "b", "c", "d")


def campaign(kinds=("da",), judged=4, segments=48):
    """Four systems; people judged every so manieth segment, and a score file has them all."""
    generator = np.random.default_rng(1)
    quality = np.array([[0.5], [0.3], [0.1], [-0.4]]) + generator.normal(size=segments)
    quality = quality + 0.4 * generator.normal(size=(4, segments))
    rows = [
        assay.Judgement(name, segment, float(quality[row, segment] + 0.3 * generator.normal()), kind, rater)
        for kind in kinds
        for row, name in enumerate(SYSTEMS)
        for segment in range(0, segments, judged)
        for rater in ("r", "q")
    ]
    scores = quality + 0.3 * generator.normal(size=quality.shape)
    lines = ["word " * (1 + place % 7) for place in range(segments)]
    made = assay.Campaign("judged", dict.fromkeys(SYSTEMS, lines), {"A": lines})
    judge = ExternalScores("m", segments=dict(zip(SYSTEMS, scores, strict=True)), origin="m.tsv")
    return made.with_judgements(assay.Judgements.of(rows, "inline")), judge


def asked(given, scores, **options):
    options = {"samples": 40, "levels": "system", "statistics": "pearson", "test": "none", **options}
    return assay.meta_evaluate(given, (), scores=[scores], **options)


def test_tables_and_sentences_of_a_judge():
    given, judge = campaign()
    found = asked(given, judge, judge="m", families=("x=a,b",))
    assert {
        row["judge"] for name in ("judge", "bias", "corrected", "corrected_pairs") for row in found.table(name)
    } == {"m"}
    assert next((row["measure"], row["of"]) for row in found.table("judge")) == ("wrong calls", "all pairs of systems")
    assert [row["measure"] for row in found.table("judge")][-1] == "worth"
    assert [row["bias"] for row in found.table("bias")][-1] == "family x"
    assert len(found.table("corrected_pairs")) == 6
    text = found.render("text")
    for title in (
        "m: pairs of systems that it calls otherwise than people",
        "m: agreement with a rater, and of raters with each other",
        "m: biases beside people's scores",
        "Systems by people and m together",
        "Systems against each other, by people and m together",
    ):
        assert title in text
    assert any(text.startswith("m would have called ") for text in found.findings)


def test_corrected_means_are_of_all_that_the_judge_scored():
    given, judge = campaign()
    row = asked(given, judge, judge="m").of("b", table="corrected")
    people = np.full((1, 48), np.nan)
    rows = [one for one in given.judgements if one.system == "b"]
    for segment in range(0, 48, 4):
        people[0, segment] = np.mean([one.score for one in rows if one.segment == segment])
    powered = PredictionPowered(people, judge.segments["b"][None], Units.segments(48))
    assert (row["judged"], row["items"]) == (12, 48)
    assert row["corrected"] == pytest.approx(powered.corrected_means[0], rel=1e-9)
    estimate = powered.corrected_mean(0)
    assert (row["low"], row["high"]) == pytest.approx((estimate.low, estimate.high), rel=1e-9)
    # Who says that lower is better sees the judge's means as they are in the file, and the same corrected means.
    turned = ExternalScores(
        "m", segments={name: -scores for name, scores in judge.segments.items()}, higher_is_better=False
    )
    other = asked(given, turned, judge="m").of("b", table="corrected")
    assert other["corrected"] == pytest.approx(row["corrected"])
    assert other["judge_mean"] == pytest.approx(-row["judge_mean"])


def test_another_kind_of_judgement_is_a_judge_with_runs():
    given, judge = campaign(("da", "llm"), judged=1)
    found = asked(given, judge, kind="da", beside="llm", judge="llm")
    assert {row["judge"] for row in found.table("judge")} == {"human:llm"}
    consistency = [row for row in found.table("judge") if row["measure"] == "consistency"]
    assert [row["of"] for row in consistency] == ["alpha-interval", "icc-2-1"]
    assert {row["n"] for row in consistency} == {4 * 48}


def test_several_kinds_have_their_judge_each():
    given, judge = campaign(("da", "esa"))
    found = asked(given, judge, kind=("da", "esa"), judge="m")
    assert [row["kind"] for row in found.table("corrected")] == ["da"] * 4 + ["esa"] * 4


def test_without_a_judge_there_are_no_such_tables():
    given, judge = campaign()
    assert not {"judge", "bias", "corrected", "corrected_pairs"} & set(asked(given, judge).tables)


def test_rankings_have_no_means_to_correct():
    rows = [
        assay.Judgement(name, segment, float(-place), "rr", "r", ranking=f"{segment}")
        for segment in range(0, 48, 4)
        for place, name in enumerate(SYSTEMS)
    ]
    given, judge = campaign()
    found = asked(given.with_judgements(assay.Judgements.of(rows, "inline")), judge, judge="m")
    assert found.table("corrected") == found.table("bias") == []
    assert "m: no segment was judged by people and scored by it, too." in found.findings
    assert found.table("judge")[0]["measure"] == "wrong calls"


def test_what_is_no_judge_is_refused():
    given, judge = campaign()
    with pytest.raises(UnknownName, match=r"There is no judge 'n'.* Known: m\."):
        asked(given, judge, judge="n")
    of_systems = ExternalScores("s", systems=dict.fromkeys(SYSTEMS, 1.0) | {"a": 2.0})
    no_segments = pytest.raises(InputError, match="s has no scores of segments, so it is no judge of them")
    with pytest.warns(AssayWarning, match="scores of systems do not come from segments"), no_segments:
        asked(given, of_systems, judge="s")
    with pytest.raises(ParameterError, match="--family asks whether a judge prefers its own: name the judge"):
        asked(given, judge, families=("x=a",))
    with pytest.raises(ParameterError, match=r"takes NAME=SYSTEM,..., such as own=A,B-\*, not 'x'"):
        asked(given, judge, judge="m", families=("x",))
    with pytest.raises(UnknownName, match="There is no system 'e'"):
        asked(given, judge, judge="m", families=("x=e",))


def test_the_demonstration_has_a_judge():
    found = assay.meta_evaluate(
        CAMPAIGN, "chrf", kind="adequacy", judge="chrf", samples=20, levels="system", with_humans=True
    )
    assert any(text.startswith("chrf scores nothing that people did not judge") for text in found.findings)
    assert all(row["corrected"] == pytest.approx(row["people"]) for row in found.table("corrected"))
