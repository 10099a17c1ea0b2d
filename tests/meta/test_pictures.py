"""Pictures of judges: what is in them, and what is said where there is nothing to draw."""

from __future__ import annotations

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.figures import figure_bytes
from assay.meta.agreement.result import PICTURES
from meta.judged import grid, judged

pytest.importorskip("altair", reason="figures need the extra plots")
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")


@pytest.fixture(scope="module")
def demo():
    return assay.agreement(CAMPAIGN, kind="adequacy", samples=20, splits=5)


@pytest.mark.parametrize("picture", PICTURES)
def test_every_picture_is_an_svg_with_a_title(demo, picture):
    chart = demo.chart(picture)
    assert chart.title["text"]
    assert b"<svg" in figure_bytes(chart, "svg")


def test_two_judges_are_counted_score_by_score(demo):
    chart = demo.chart("judges", raters="anna,carmen")
    # Both are in the title, and the discs hold all 300 items.
    assert chart.title["text"].startswith("anna and carmen give")
    discs = chart.to_dict()["vconcat"][1]["hconcat"][0]["layer"][1]["data"]["values"]
    assert sum(row["items"] for row in discs) == 300


def test_continuous_scores_are_a_cloud():
    generator = __import__("numpy").random.default_rng(1)
    found = assay.agreement(grid(generator.normal(size=(30, 2)).tolist()), samples=20, splits=5)
    assert b"<svg" in figure_bytes(found.chart("judges"), "svg")


def test_the_most_severe_rater_is_named(demo):
    assert demo.chart("severity").title["text"].startswith("bilal is the most severe rater, anna the mildest")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"picture": "juges"}, assay.UnknownName, "Did you mean 'judges'"),
        ({"raters": "anna"}, assay.ParameterError, "two different raters"),
        ({"raters": "anna,bob"}, assay.UnknownName, "no rater 'bob'"),
        ({"picture": "severity", "raters": "anna,bilal"}, assay.ParameterError, "goes with the picture judges"),
    ],
)
def test_what_cannot_be_drawn_is_said(demo, options, error, message):
    with pytest.raises(error, match=message):
        demo.chart(**options)


def test_nothing_to_draw_is_said():
    alone = assay.agreement(judged(("s", 0, "a", 1.0), ("s", 1, "a", 2.0)), samples=20, splits=5)
    for picture, message in {
        "judges": "no two raters",
        "severity": "at least two raters",
        "normalisation": "at least two systems",
    }.items():
        with pytest.raises(assay.InputError, match=message):
            alone.chart(picture)
