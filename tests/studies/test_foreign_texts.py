"""The study of foreign texts: other texts in the place of translations."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.data.campaign import Campaign
from assay.errors import AssayWarning
from people.truth import DATA, needs_data
from results.drawn import layers


@pytest.fixture
def campaign() -> Campaign:
    return Campaign(
        name="true",
        systems={"machine": ["a b c x", "e f y z"]},
        references={"A": ["a b c d", "e f g h"], "B": ["a b c k", "e f g l"], "C": ["a b m n", "e f o p"]},
    )


@pytest.fixture
def other(tmp_path):
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "ref.A.txt").write_text("a q r s\nt u v w\na b c d\n")
    (folder / "ref.Z.txt").write_text("a b r s\nt u v w\nx y\n")
    return folder


def row(result: assay.Result, text: str, system: str, compared: str) -> dict:
    own = [one for one in result.table() if (one["text"], one["system"]) == (text, system)]
    [found] = [one for one in own if one["compared"] == compared]
    return found


def test_an_other_text_stands_where_a_translation_would(campaign, other):
    result = assay.study("foreign-texts", campaign, others=[str(other)], metrics="precision", k=1)
    # Eight words are nearest to the first two segments. Z shares a and b with A, B and C.
    assert row(result, "other", "Z", "whole")["mean"] == pytest.approx(100 * 2 / 8)
    # A's other text is not compared with A's true one: a against B and C.
    foreign = row(result, "other", "A", "whole")
    assert (foreign["n"], foreign["mean"], foreign["kind"]) == (2, pytest.approx(100 / 8), "foreign")
    assert row(result, "true", "machine", "whole")["kind"] == "system"
    [apart] = result.table("separability")
    assert (apart["auc"], apart["separated"], apart["n"]) == (100, 100, 3)
    assert apart["mean"] == pytest.approx(np.mean([25, 12.5]))
    assert "cut behind the segment nearest to 8 words" in " ".join(result.findings)


def test_segment_by_segment_all_are_cut_to_the_shortest(campaign, other):
    result = assay.study("foreign-texts", campaign, others=[str(other)], metrics="precision", k=1, text="segments")
    assert row(result, "other", "Z", "segments")["mean"] == pytest.approx(100 * 2 / 8)
    (other / "ref.A.txt").write_text("a q r s\n")
    (other / "ref.Z.txt").write_text("a b r s\n")
    with pytest.warns(AssayWarning, match="the shortest other text has 1 segments".capitalize()):
        result = assay.study("foreign-texts", campaign, others=[str(other)], metrics="precision", k=1, text="segments")
    assert row(result, "other", "Z", "segments")["mean"] == pytest.approx(50)
    # The true ones are cut, too: against A, the machine has a, b and c of four; against C a and b.
    assert row(result, "true", "machine", "segments")["high"] == pytest.approx(75)


def test_a_file_of_lines_is_a_text(campaign, tmp_path):
    file = tmp_path / "letters.txt"
    file.write_text("a b c d\ne f g h\n")
    with pytest.warns(AssayWarning, match="letters/text has most lines of A in it"):
        result = assay.study("foreign-texts", campaign, others=[str(file)], metrics="f1", k=2, text="both")
    assert row(result, "letters", "text", "segments")["high"] == 100
    assert row(result, "letters", "text", "whole")["n"] == 3


def test_bad_input_says_what_the_study_needs(campaign, other, tmp_path):
    with pytest.raises(assay.InputError, match="needs other texts to compare with: --others"):
        assay.study("foreign-texts", campaign)
    with pytest.raises(assay.InputError, match="k is 5"):
        assay.study("foreign-texts", campaign, others=[str(other)], k=5)
    with pytest.raises(assay.InputError, match="nowhere"):
        assay.study("foreign-texts", campaign, others=[str(tmp_path / "nowhere")])


def test_same_table_and_same_figure_byte_for_byte(campaign, other):
    pytest.importorskip("vl_convert")
    one, again = (
        assay.study(
            "foreign-texts", campaign, others=[str(other)], metrics="bleu,wer", k=2, text="both", threads=threads
        )
        for threads in (1, 2)
    )
    assert one.to_json() == again.to_json()
    drawn = one.chart().to_bytes("svg")
    assert drawn == again.chart().to_bytes("svg")
    assert all(name in drawn.decode() for name in ("true", "other", "bleu, unsegmented"))


@needs_data
def test_mark_is_nearest_to_luke_and_john_farthest():
    texts = [str(DATA / "bible-de" / name) for name in ("matthew", "mark", "john")]
    result = assay.study("foreign-texts", DATA / "bible-de" / "luke1-4", others=texts, metrics="bleu", k=4)
    means = {one["text"]: one["mean"] for one in result.table("separability")}
    assert means["mark"] > means["matthew"] > means["john"]


def test_every_set_of_references_has_its_score(tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("a q\n")
    campaign = Campaign(name="here", systems={}, references={"A": ["a b"], "B": ["a c"], "C": ["c b"]})
    result = assay.study("foreign-texts", campaign, others=str(other), metrics="recall", k=1, text="segments")
    found = {(row["text"], row["kind"], row["references"]): row["score"] for row in result.table("scores")
             if row["kind"] == "foreign"}  # fmt: skip
    # The other text has "a", which is half of A and of B, and nothing of C.
    assert found == {("other", "foreign", "A"): 50, ("other", "foreign", "B"): 50, ("other", "foreign", "C"): 0}
    assert len(result.table("scores")) == 9


def test_the_nearest_of_either_kind_are_named_where_nothing_else_is_drawn(campaign, other):
    spec = assay.study("foreign-texts", campaign, others=[str(other)], metrics="bleu", k=2).chart().data
    sides = {
        row["kind"]: layer["mark"]["align"]
        for layer in layers(spec, "text")
        for row in layer["data"]["values"]
        if row["text"]
    }
    # The lowest true one has all others on its right, the highest other text all others on its left.
    assert sides["foreign"] == "left"
    assert {align for kind, align in sides.items() if kind != "foreign"} == {"right"}
