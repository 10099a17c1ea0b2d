"""Pictures of judges: what is in them, and what is left out where there is nothing to draw."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.demo import CAMPAIGN
from people.judged import grid, judged
from results.drawn import is_drawn, texts, values

pytest.importorskip("vl_convert", reason="figures need the extra plots")
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

FEW = {"samples": 20, "splits": 5}


def names(result):
    return [figure.name for figure in result.figures]


@pytest.fixture(scope="module")
def demo():
    return assay.agreement(CAMPAIGN, kind="adequacy", **FEW)


def test_there_are_four_pictures_and_two_judges_come_first(demo):
    assert names(demo) == ["judges", "severity", "distributions", "normalisation"]
    assert all(map(is_drawn, demo.figures))
    # The pair with most items in common, or the first one of those.
    assert demo.chart().title == "anna and bilal give 48% of items the same score; else anna is milder in 85%"


def test_two_judges_are_counted_score_by_score():
    chart = assay.agreement(CAMPAIGN, kind="adequacy", raters="anna,carmen", **FEW).chart("judges")
    # Both are in the title, and the discs hold all 300 items.
    assert chart.title.startswith("anna and carmen give")
    cloud = chart.data["vconcat"][1]["hconcat"][0]
    assert sum(int(text) for text in texts(cloud) if text) == 300


def test_judges_are_drawn_as_they_are_measured():
    found = assay.agreement(CAMPAIGN, kind="adequacy", raters="anna,carmen", normalise="z", **FEW)
    row = found.of("pearson", table="pairs", a="anna", b="carmen")
    subtitle = " ".join(found.chart("judges").data["title"]["subtitle"])
    assert subtitle.startswith("adequacy, normalised: z: 300 items")
    assert f" Pearson {row.value:.2f} ({row.low:.2f} – {row.high:.2f})" in subtitle


def test_what_the_normalisation_does_stands_below_the_distributions():
    found = assay.agreement(CAMPAIGN, kind="adequacy", normalise="robust-z", **FEW)
    subtitle = " ".join(found.chart("distributions").data["title"]["subtitle"])
    meaning = "Per rater: less the median, by 1.4826 times the median absolute deviation."
    assert subtitle.endswith(f"900 ratings by 3 raters. {meaning}")


def test_continuous_scores_are_a_cloud():
    generator = np.random.default_rng(1)
    found = assay.agreement(grid(generator.normal(size=(30, 2)).tolist()), **FEW)
    assert is_drawn(found.chart("judges"))
    assert len(values(found.chart("judges").data["vconcat"][1]["hconcat"][0], "point")) == 30


def test_the_most_severe_rater_is_named(demo):
    assert demo.chart("severity").title.startswith("bilal is the most severe rater, anna the mildest")


def test_distributions_show_raw_scores_beside_normalised_ones(demo):
    raw, after = ({row["name"]: row["value"] for row in values(panel, "point")} for panel in
                  demo.chart("distributions").data["hconcat"])  # fmt: skip
    assert raw == pytest.approx({row["rater"]: row["mean"] for row in demo.table("raters")})
    # Without a choice that is z, whose means are 0.
    assert after == pytest.approx(dict.fromkeys(raw, 0.0), abs=1e-9)
    quantile = assay.agreement(CAMPAIGN, kind="adequacy", normalise="quantile", **FEW)
    assert "After quantile" in str(quantile.chart("distributions").data)


@pytest.mark.parametrize(
    ("raters", "error", "message"),
    [
        ("anna", assay.ParameterError, "two different raters"),
        ("anna,anna", assay.ParameterError, "two different raters"),
        ("anna,bob", assay.UnknownName, "no rater 'bob'"),
    ],
)
def test_judges_who_cannot_be_drawn_are_refused(raters, error, message):
    with pytest.raises(error, match=message):
        assay.agreement(CAMPAIGN, kind="adequacy", raters=raters, **FEW)


def test_judges_without_three_common_items_are_refused():
    with pytest.raises(assay.InputError, match="a and b have fewer than three items in common"):
        assay.agreement(grid([[1, 2], [2, 1]]), raters="a,b", **FEW)


def test_an_unknown_picture_is_refused_with_what_was_meant(demo):
    with pytest.raises(assay.UnknownName, match="Did you mean 'judges'"):
        demo.chart("juges")


def test_what_cannot_be_drawn_is_left_out():
    # No pair, nobody more severe than anybody, no ranks of a single system: what scores the rater gives remains.
    alone = assay.agreement(judged(("s", 0, "a", 1.0), ("s", 1, "a", 2.0)), **FEW)
    assert names(alone) == ["distributions"]
    with pytest.raises(assay.UnknownName, match="no figure 'judges'"):
        alone.chart("judges")
