"""The sentences of the first screen: none says more than the answers behind it."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.demo import CAMPAIGN
from assay.explorer.findings import _agreed, _beaten

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")


def found(campaign, metrics="chrf", **options):
    given = {} if metrics is None else {"metrics": metrics}
    return assay.report(campaign, **given, samples=20, **options).findings[:-1]


def about(said, word):
    return [text for text in said if word in text]


def judged(means, *, lines=8, texts=None):
    """Systems that two people judged on every line, with these means."""
    reference = [f"line {number} is one of many lines" for number in range(lines)]
    systems = texts or {name: [f"{text} {name}" for text in reference] for name in means}
    given = [
        assay.Judgement(system, segment, mean + side, "q", rater)
        for system, mean in means.items()
        for segment in range(lines)
        for rater, side in (("ann", -1.0), ("bob", 1.0))
    ]
    return assay.Campaign("small", systems, {"R": reference}, human=assay.Judgements.of(given, "small"))


@pytest.mark.parametrize(
    ("by_metric", "people", "said"),
    [
        ({"M": (["a", "b"], {"b"})}, ["a"], ["Metrics and people put the same system first: a."]),
        # b is before a, and not significantly; or significantly.
        ({"M": (["b", "a"], {})}, ["a"], ["By M another system stands before a, but not significantly."]),
        (
            {"M": (["b", "a"], {"a"})},
            ["a"],
            ["By M another system is significantly better than a, which people put first."],
        ),
        # One metric of three agrees, one leaves it open, one contradicts.
        (
            {"K": (["a", "b"], {}), "L": (["b", "a"], {}), "M": (["b", "a"], {"a"})},
            ["a"],
            [
                "K puts the same system first as people: a.",
                "By L another system stands before a, but not significantly.",
                "By M another system is significantly better than a, which people put first.",
            ],
        ),
        # People put two first alike: it is enough that a metric puts one of them first.
        ({"M": (["b", "a"], {"a"})}, ["a", "b"], ["Metrics and people put the same system first: a and b."]),
    ],
)
def test_whether_metrics_and_people_agree_is_said_metric_by_metric(by_metric, people, said):
    assert [*_agreed(by_metric, people)] == said


def test_kinds_of_judgement_that_put_others_first_are_each_held_against_metrics():
    bare = judged({"a": 3.0, "b": 2.0, "c": 1.0})
    other = [
        assay.Judgement(system, segment, score, "other", "ann")
        for system, score in (("a", 1.0), ("b", 2.0), ("c", 0.0))
        for segment in range(8)
    ]
    texts = {"a": [*bare.references["R"]], "b": bare.systems["b"], "c": bare.systems["c"]}
    campaign = judged({"a": 3.0, "b": 2.0, "c": 1.0}, texts=texts)
    said = found(campaign.with_judgements(campaign.judgements.joined(assay.Judgements.of(other, "other"))))
    at = said.index("People put a first (q).")
    assert said[at + 1] == "Metrics and people put the same system first: a."
    assert said[at + 2 : at + 4] == (
        "People put b first (other).",
        "By chrF another system is significantly better than b, which people put first.",
    )


def test_scores_alone_are_no_raters(tmp_path):
    file = tmp_path / "scores.tsv"
    lines = [
        f"{system}\t{segment}\t{(segment * 7 + len(system)) % 5}\n" for system in ("x", "yy") for segment in range(9)
    ]
    file.write_text("system\tsegment\tjudge\n" + "".join(lines))
    assert not about(found(str(file), None), "raters agree")


def test_a_single_system_is_not_first_of_anything():
    said = found(judged({"only": 3.0}))
    assert not about(said, "first")
    assert about(said, "chrF of only: ")


def test_systems_that_people_find_equal_are_first_alike():
    said = found(judged({"a": 2.0, "b": 3.0, "c": 3.0}))
    assert about(said, "People") == ["People put b and c first alike (q)."]


def test_a_system_that_nobody_judged_is_not_held_against_people():
    # By the metric the best system is the one that people never saw.
    bare = judged({"a": 3.0, "b": 2.0, "c": 1.0})
    worse = {
        name: [" ".join(text.split()[:kept]) for text in bare.systems[name]] for name, kept in (("b", 4), ("c", 2))
    }
    texts = {"unseen": [*bare.references["R"]], "a": [*bare.systems["a"]], **worse}
    said = found(judged({"a": 3.0, "b": 2.0, "c": 1.0}, texts=texts))
    assert about(said, "By chrF")[0].startswith("By chrF unseen")
    assert about(said, "people put") == ["Metrics and people put the same system first: a."]


def test_what_is_asked_besides_does_not_take_the_place_of_the_usual_answers():
    usual = found(CAMPAIGN, "bleu,chrf")
    more = found(CAMPAIGN, "bleu,chrf", also=["compare -m ter --baseline compass", "meta --kind fluency"])
    assert [*more] == [*usual]


@pytest.mark.parametrize(("kind", "ranking"), [("better", "r"), ("rr-rank", None)])
def test_rankings_are_what_people_said(kind, ranking):
    # Ranks name their ranking, or their kind begins with rr.
    ranks = [
        assay.Judgement(system, segment, -float(rank), kind, "ann", ranking=ranking and f"{ranking}{segment}")
        for segment in range(8)
        for rank, system in enumerate(("a", "b"), start=1)
    ]
    campaign = judged({"a": 1.0, "b": 1.0}).with_judgements(assay.Judgements.of(ranks, "ranks"))
    assert found(campaign)[0] == f"small: 8 segments, 2 systems, 1 reference, people's rankings ({kind})."


def test_every_number_of_the_first_screen_is_one_of_the_answers():
    said = " ".join(found(CAMPAIGN, "bleu,ter"))
    for metric in ("bleu", "ter"):
        rows = assay.compare(CAMPAIGN, metric, samples=20).table("scores")
        best = rows[int(np.argmax([row["best_rank"] == 1 for row in rows]))]
        assert f"{best['score']:.2f} ({best['low']:.2f} – {best['high']:.2f})" in said
    meta = assay.meta_evaluate(CAMPAIGN, "bleu,ter", kind="adequacy", samples=20)
    for metric in ("bleu", "ter"):
        row = meta.of(metric=metric, level="system", statistic="pearson")
        # Four systems are too few for an interval.
        assert f"{metric.upper()} {row['value']:.2f}" in said


def test_what_warns_of_the_scores_is_said_beside_them():
    campaign = judged({"a": 1.0, "b": 2.0})
    empty = assay.Campaign("small", dict(campaign.systems), {"R": ["", *list(campaign.references["R"])[1:]]})
    (said,) = about(found(empty), "Warning")
    assert said.startswith("Warning: In 1 of 8 segments all references are empty.")


def test_so_few_segments_are_too_little_for_a_test():
    said = found(judged({"a": 1.0, "b": 2.0}, lines=3))
    assert about(said, "By chrF")[0].endswith("; there is too little text for a test.")


@pytest.mark.parametrize(("metric", "delta"), [(assay.Chrf(), 2.0), (assay.Ter(), -2.0)])
def test_who_is_beaten_goes_by_the_direction_of_the_metric(metric, delta):
    row = {"metric": str(metric), "a": "x", "b": "y", "delta": delta, "significant": True}
    compare = assay.Result("compare", {"pairs": [row, row | {"a": "y", "b": "z", "significant": False}]})
    assert _beaten(metric, ["x", "y", "z"], compare) == {"y"}
    assert _beaten(metric, ["y", "z"], compare) == set()


def test_of_several_campaigns_each_sentence_says_once_whose_it_is():
    second = assay.Campaign("second", {"a": ["x y"] * 6, "b": ["x z"] * 6}, {"R": ["x y"] * 6})
    said = found([assay.Campaign("first", second.systems, second.references), second])
    assert about(said, "6 segments")[1].startswith("second: 6 segments")
    assert about(said, "By chrF")[1].startswith("second: By chrF")
