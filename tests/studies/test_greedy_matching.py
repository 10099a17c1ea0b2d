"""The study of greedy matching: counts, shares, the worst segment, and the figure."""

from __future__ import annotations

import json
import sys
from math import sqrt

import numpy as np
import pytest

import assay
from assay.data.campaign import Campaign
from assay.errors import AssayWarning

#: Greedy takes "b c d e f" first: 25 + 4 + 1 of 32.
TRAP, TRAP_REFERENCE = "a b c d e f g h", "a b c d x e f g h y b c d e f"
RATIO = 100 * sqrt(30 / 32)


@pytest.fixture
def campaign() -> Campaign:
    return Campaign(
        name="small",
        systems={"good": ["a b", "c d", "e f"], "trapped": ["a b", TRAP, "e f"]},
        references={"A": ["a b", TRAP_REFERENCE, "f e"]},
        segments=("one", "two", "three"),
    )


def row(result: assay.Result, system: str, exponent: float) -> dict:
    [found] = [one for one in result.table() if (one["system"], one["exponent"]) == (system, exponent)]
    return found


def test_how_often_and_how_far(campaign):
    result = assay.study("greedy-matching", campaign)
    trapped = row(result, "trapped", 2)
    assert {name: trapped[name] for name in ("segments", "proved", "unproved", "maximum", "below", "unknown")} == {
        "segments": 3,
        "proved": 3,
        "unproved": 0,
        "maximum": 2,
        "below": 1,
        "unknown": 0,
    }
    assert trapped["share"] == pytest.approx(200 / 3)
    assert trapped["worst"] == trapped["worst_possible"] == pytest.approx(RATIO)
    assert trapped["worst_segment"] == "two"
    assert trapped["exact_score"] > trapped["greedy_score"]
    good = row(result, "good", 2)
    assert (good["share"], good["worst"], good["worst_segment"]) == (100, 100, None)
    # Cubes forgive it: 125 + 8 + 1 is more than 64 + 64.
    assert row(result, "trapped", 3)["share"] == 100


def test_all_systems_together(campaign):
    result = assay.study("greedy-matching", campaign, exponents=2)
    everyone = row(result, "all systems", 2)
    assert (everyone["maximum"], everyone["below"], everyone["segments"]) == (5, 1, 6)
    assert everyone["share"] == pytest.approx(500 / 6)
    # Wilson: 5 of 6.
    assert (everyone["low"], everyone["high"]) == pytest.approx((43.65, 96.99), abs=0.01)
    assert (everyone["worst_segment"], everyone["worst_system"]) == ("two", "trapped")
    assert len(result.findings) == 1
    assert "83.33 % of 6 segments" in result.findings[0]
    assert "segment two of trapped" in result.findings[0]


def test_one_system_has_no_sum(campaign):
    result = assay.study("greedy-matching", campaign, systems="good", exponents=(2,))
    assert [one["system"] for one in result.table()] == ["good"]


def test_references_alone_are_candidates_for_each_other():
    alone = Campaign(name="alone", systems={}, references={"A": [TRAP], "B": [TRAP_REFERENCE], "C": ["z"]})
    result = assay.study("greedy-matching", alone, exponents=(2,), references="A,B")
    assert [one["system"] for one in result.table()] == ["A", "B", "all systems"]
    assert row(result, "A", 2)["worst"] == pytest.approx(RATIO)
    assert [one["system"] for one in assay.study("greedy-matching", alone, systems="C").table()] == ["C", "C"]
    with pytest.raises(assay.InputError, match="at least two are needed"):
        assay.study("greedy-matching", alone, references="A")


def test_a_reference_with_gaps_is_no_candidate():
    flags = {"A": np.array([True, False])}
    gaps = Campaign(name="gaps", systems={}, references={"A": ["a", ""], "B": ["a", "b"]}, present=flags)
    with pytest.raises(assay.InputError, match="reference 'A' has no segment 1"):
        assay.study("greedy-matching", gaps)
    with pytest.raises(assay.InputError, match="segment 1 has none of the references A"):
        assay.study("greedy-matching", gaps, systems="B")


def test_what_cannot_be_proved_is_told(campaign):
    with pytest.warns(AssayWarning, match="1 maxima could not be proved"):
        result = assay.study("greedy-matching", campaign, exponents=(2,), metric="gtm(effort=10)")
    trapped = row(result, "trapped", 2)
    assert (trapped["maximum"], trapped["below"], trapped["unknown"], trapped["unproved"]) == (2, 0, 1, 1)
    assert trapped["share"] == 100
    assert trapped["worst_possible"] < RATIO
    assert "the search ended without a proof" in result.findings[0]


def test_nothing_decided_is_no_share():
    one = Campaign(name="one", systems={"trapped": [TRAP]}, references={"A": [TRAP_REFERENCE]})
    with pytest.warns(AssayWarning, match="could not be proved"):
        result = assay.study("greedy-matching", one, exponents=(2,), metric="gtm(effort=0)")
    assert result.table()[0]["share"] is None
    assert "no segment could be decided" in result.findings[0]


def test_progress_reaches_the_end(campaign):
    told: list[float] = []
    assay.study("greedy-matching", campaign, progress=told.append)
    assert told == [0.5, 1.0]


def test_threads_do_not_matter(campaign):
    one, several = (assay.study("greedy-matching", campaign, threads=threads).to_json() for threads in (1, 3))
    assert one == several


def test_json_and_html(campaign):
    result = assay.study("greedy-matching", campaign)
    found = json.loads(result.to_json())
    assert (found["command"], found["study"], found["campaign"]) == ("study", "greedy-matching", "small")
    assert found["table"] == result.table()
    assert ">worst segment</th>" in result._repr_html_()
    assert ">trapped</td>" in result._repr_html_()


def test_wrong_options_are_refused(campaign):
    for exponents in ((), (0.5,), (2, 2), ("a",)):
        with pytest.raises(assay.ParameterError, match="exponents"):
            assay.study("greedy-matching", campaign, exponents=exponents)
    with pytest.raises(assay.ParameterError, match="metric is bleu, but it takes gtm"):
        assay.study("greedy-matching", campaign, metric="bleu")
    with pytest.raises(assay.UnknownName, match=r"option of greedy-matching 'exponent'. Did you mean 'exponents'"):
        assay.study("greedy-matching", campaign, exponent=2)
    with pytest.raises(assay.UnknownName, match="Did you mean 'greedy-matching'"):
        assay.study("greedy", campaign)
    with pytest.raises(assay.InputError, match="there is none in the list"):
        assay.study("greedy-matching", [])


def test_the_figure_is_drawn_in_every_format(campaign):
    pytest.importorskip("vl_convert")
    chart = assay.study("greedy-matching", campaign).chart()
    assert chart.to_bytes("png").startswith(b"\x89PNG")
    svg = chart.to_bytes("svg").decode()
    assert svg.startswith("<svg")
    for text in ("trapped", "paper: 99 %", "paper: 80 %", "small: 3 segments"):
        assert text in svg
    page = chart.to_bytes("html").decode()
    assert "<html" in page
    assert "src=" not in page.replace("<script>", "")[:2000], "nothing is loaded from elsewhere"


def test_without_the_converter_the_extra_is_named(campaign, monkeypatch):
    chart = assay.study("greedy-matching", campaign).chart()
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(assay.MissingExtra, match=r"-m pip install vl-convert-python"):
        chart.to_bytes("svg")


def test_post_edits_are_no_candidates():
    references = {"A": ["a b c d"], "B": ["a c b d"], "pe": ["a b d c"]}
    result = assay.study("greedy-matching", assay.Campaign("edited", {}, references))
    assert {row["system"] for row in result.table()} == {"A", "B", "all systems"}


def test_the_study_has_its_own_exponents(campaign):
    with pytest.raises(assay.ParameterError, match="--exponents"):
        assay.study("greedy-matching", campaign, metric="gtm(exponent=3)")
