"""``assay explain`` as people type it."""

from __future__ import annotations

import json

import pytest


def test_a_segment_of_a_campaign(command, campaign):
    result = command("explain", str(campaign), "--system", "good", "--segment", "1", "-m", "bleu,wer")
    assert result.code == 0
    assert "BLEU" in result.out
    assert "segment 1" in result.out


@pytest.mark.parametrize(("ending", "start"), [("svg", "<?xml"), ("html", "<!DOCTYPE"), ("json", "{"), ("txt", "BLEU")])
def test_the_ending_of_the_file_tells_the_format(command, campaign, tmp_path, ending, start):
    file = tmp_path / f"picture.{ending}"
    assert command("explain", str(campaign), "--system", "good", "--segment", "0", "-o", str(file)).code == 0
    assert file.read_text(encoding="utf-8").startswith(start)


def test_json_holds_the_picture(command):
    result = command("explain", "--translation", "a b", "--against", "a c", "-m", "bleu", "--format", "json")
    (explanation,) = json.loads(result.out)["explanations"]
    assert explanation["picture"]["kind"] == "ngrams"
    assert explanation["references"] == {"1": "a c"}


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
