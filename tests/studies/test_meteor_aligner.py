"""The study of METEOR's aligner: counts, changes of scores, and the figure."""

from __future__ import annotations

import json

import pytest

import assay
from assay.data.campaign import Campaign

#: METEOR's beam has two reasons to link these, and so does not; the best alignment does.
MISSED = ("houses", "house")


@pytest.fixture
def campaign() -> Campaign:
    return Campaign(
        name="small",
        systems={"plain": ["the cat", "a dog"], "missed": ["the cat", MISSED[0]]},
        references={"A": ["the cat", MISSED[1]]},
        segments=("one", "two"),
    )


def row(result: assay.Result, system: str) -> dict:
    [found] = [one for one in result.table() if one["system"] == system]
    return found


def test_how_often_and_how_much(campaign):
    result = assay.study("meteor-aligner", campaign)
    missed = row(result, "missed")
    counts = ("segments", "different", "more_matches", "fewer_chunks", "higher", "lower", "unproved")
    assert [missed[name] for name in counts] == [2, 1, 1, 0, 1, 0, 0]
    assert (missed["share"], missed["largest_segment"]) == (50, "two")
    # A synonym is worth 0.8; the other segment stays.
    assert missed["largest_change"] == pytest.approx(80)
    assert missed["mean_change"] == pytest.approx(40)
    assert missed["difference"] == pytest.approx(missed["optimal_score"] - missed["meteor15_score"])
    plain = row(result, "plain")
    assert (plain["different"], plain["largest_segment"], plain["difference"]) == (0, None, 0)


def test_all_systems_together(campaign):
    result = assay.study("meteor-aligner", campaign)
    everyone = row(result, "all systems")
    assert (everyone["segments"], everyone["different"], everyone["share"]) == (4, 1, 25)
    assert (everyone["largest_segment"], everyone["largest_system"]) == ("two", "missed")
    assert everyone["mean_change"] == pytest.approx(20)
    assert "differ in 25.00 % of 4 segments" in result.findings[0]
    assert "+80.00 at most (segment two of missed)" in result.findings[1]
    assert result.findings[2] == "The order of the systems is the same."


def test_systems_may_swap_places():
    # Half of "house dog" is right, which is more than the beam sees in "houses", and less than there is.
    systems = {"one": ["house dog", "bird"], "two": ["houses", "bird"]}
    swapped = Campaign(name="swap", systems=systems, references={"A": ["house", "fish"]})
    result = assay.study("meteor-aligner", swapped, metric="meteor(alpha=0,gamma=0)")
    assert result.findings[2] == "The order of the systems changes: one and two swap places."


def test_one_system_has_no_sum(campaign):
    result = assay.study("meteor-aligner", campaign, systems="missed")
    assert [one["system"] for one in result.table()] == ["missed"]
    assert len(result.findings) == 2


def test_several_references():
    several = Campaign(name="several", systems={"s": ["a b"]}, references={"A": ["a"], "B": ["a b"]})
    assert assay.study("meteor-aligner", several).table()[0]["different"] == 0


def test_only_meteor_has_this_aligner(campaign):
    with pytest.raises(assay.ParameterError, match="metric is bleu, but it takes meteor"):
        assay.study("meteor-aligner", campaign, metric="bleu")


def test_threads_do_not_matter(campaign):
    one, several = (assay.study("meteor-aligner", campaign, threads=threads).to_json() for threads in (1, 3))
    assert one == several
    assert json.loads(one)["study"] == "meteor-aligner"


def test_the_figure_names_every_system(campaign):
    pytest.importorskip("vl_convert")
    drawn = assay.study("meteor-aligner", campaign).chart().to_bytes("svg").decode()
    assert all(name in drawn for name in ("plain", "missed", "all systems"))
