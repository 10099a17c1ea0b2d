"""``assay explain`` as people type it."""

from __future__ import annotations

import json

import pytest

import assay


def test_a_segment_of_a_campaign(command, campaign):
    result = command("explain", str(campaign), "--system", "good", "--segment", "1", "-m", "bleu,wer")
    assert result.code == 0
    assert "BLEU" in result.out
    assert "segment 1" in result.out


@pytest.mark.parametrize(("ending", "start"), [("svg", "<?xml"), ("html", "<!doctype"), ("json", "{"), ("txt", "BLEU")])
def test_the_ending_of_the_file_tells_the_format(command, campaign, tmp_path, ending, start):
    file = tmp_path / f"picture.{ending}"
    assert command("explain", str(campaign), "--system", "good", "--segment", "0", "-o", str(file)).code == 0
    assert file.read_text(encoding="utf-8").startswith(start)


def test_json_holds_the_picture(command):
    result = command("explain", "--translation", "a b", "--against", "a c", "-m", "bleu", "--format", "json")
    found = json.loads(result.out)
    assert [row["ngram"] for row in found["ngrams"]] == ["a"]
    assert found["references"] == [{"metric": "bleu", "reference": "1", "text": "a c"}]
    assert found["figures"][0]["svg"].startswith("<?xml")
    assert assay.Result.from_json(result.out).render("text").startswith("BLEU")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["CAMPAIGN", "--system", "good"], "Which segment?"),
        (["CAMPAIGN", "--system", "nobody", "--segment", "0"], "nobody"),
        (["CAMPAIGN", "--system", "good", "--segment", "99"], "Segment 99 is not there"),
        (["CAMPAIGN", "--system", "good", "--segment", "-1"], "-1"),
        (["CAMPAIGN", "--segment", "0"], "Say which with --system"),
        (["--translation", "a"], "go together"),
        (["CAMPAIGN", "--translation", "a", "--against", "b"], "the one or the other"),
        (["--segment", "0"], "Nothing to explain"),
    ],
)
def test_bad_input_is_told(command, campaign, arguments, message):
    result = command("explain", *(str(campaign) if word == "CAMPAIGN" else word for word in arguments))
    assert result.code == 2
    assert message in result.err
    assert "Traceback" not in result.err


def test_a_picture_that_cannot_be_written_is_told(command, campaign, tmp_path):
    result = command("explain", campaign, "--system", "good", "--segment", "0", "-o", tmp_path / "picture.png")
    assert result.code == 2
    assert "has no known format" in result.err
    assert ".svg" in result.err
    assert not (tmp_path / "picture.png").exists()


def test_a_superscript_is_no_number(command, campaign):
    assert "Segment ² is not there" in command("explain", campaign, "--system", "good", "--segment", "²").err


def test_a_name_that_two_segments_have_is_told(command, campaign):
    (campaign / "segments.txt").write_text("p\np\nq\n")
    result = command("explain", campaign, "--system", "good", "--segment", "p")
    assert result.code == 2
    assert "2 segments named p" in result.err


def test_a_name_that_no_segment_has_is_told_with_the_nearest(command, campaign):
    (campaign / "segments.txt").write_text("first\nsecond\nthird\n")
    result = command("explain", campaign, "--system", "good", "--segment", "secnod")
    assert result.code == 2
    assert "There is no segment 'secnod'. Did you mean 'second'? Known: first, second, third." in result.err


def test_a_post_edit_that_one_segment_lacks_is_told(command, tmp_path):
    file = tmp_path / "pe.jsonl"
    lines = [
        {"segment": "s1", "reference.A": "a", "reference.pe": "a", "x": "a"},
        {"segment": "s2", "reference.A": "b", "x": "b"},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = command("explain", file, "-m", "hter", "--segment", "s2")
    assert result.code == 2
    assert "has no text for segment s2" in result.err


def test_the_page_shows_the_references_of_all_metrics(command, campaign, tmp_path):
    (campaign / "ref.pe.txt").write_text("edited one\nedited two\nedited three\n")
    page = tmp_path / "page.html"
    arguments = ["--system", "good", "--segment", "0", "-m", "ter,hter", "-o", page]
    assert command("explain", campaign, *arguments).code == 0
    assert ">edited one</td>" in page.read_text()


def test_an_explanation_cites_its_metrics(command, campaign):
    shown = command("explain", campaign, "--system", "good", "--segment", "0", "-m", "bleu,chrf++", "--cite")
    assert shown.out.startswith("BLEU (Papineni et al., 2002; Post, 2018) and chrF++ (Popović, 2017) were computed")
