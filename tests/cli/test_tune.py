"""``assay tune`` as people type it."""

from __future__ import annotations

import json

import pytest

from assay.demo import CAMPAIGN

QUICK = ("--samples", "20", "--folds", "3", "--kind", "adequacy")


def test_the_demo_campaign(command):
    result = command("tune", "fmean", CAMPAIGN, *QUICK)
    assert result.code == 0
    assert "fmean tuned to adequacy by pearson at the segment level" in result.out
    assert "where fitted (flatters)" in result.out
    assert "Tuning" in result.out
    assert "Fitted on everything: -m 'fmean" in result.out
    assert (
        "720 of 1,800 judgements were used. Not used: 900 of another kind; 180 of people who stand as systems (human)."
        in result.out
    )


@pytest.mark.parametrize("style", ["json", "tsv", "csv", "markdown", "latex"])
def test_every_format(command, style):
    result = command("tune", "chrf", CAMPAIGN, "--format", style, *QUICK)
    assert result.code == 0
    assert "chrf" in result.out
    if style in ("tsv", "csv"):
        assert result.out.count("\n") == 4
        assert "720 of 1,800 judgements were used" in result.err


def test_json_is_what_is_kept_and_the_metric_can_be_typed(command, tmp_path):
    file = tmp_path / "tuned.json"
    result = command("tune", "fmean", CAMPAIGN, "--format", "json", *QUICK)
    found = json.loads(result.out)
    assert command("tune", "fmean", CAMPAIGN, "-o", file, *QUICK).code == 0
    assert json.loads(file.read_text()) == found
    assert [row["which"] for row in found["results"]] == ["default", "tuned", "difference"]
    assert {"value", "low", "high", "where_fitted"} <= found["results"][0].keys()
    assert {"parameter", "default", "tuned", "mean", "sd"} <= found["parameters"][0].keys()
    assert [row["fold"] for row in found["chosen"]] == [0, 1, 2]
    assert len(found["folds"]) == 3
    tuned = found["setup"]["metric"]
    assert found["signatures"][tuned].startswith("fmean(")
    assert found["curves"]
    scored = command("score", CAMPAIGN, "-m", tuned, "--format", "json")
    assert scored.code == 0


@pytest.mark.parametrize("ending", ["svg", "png", "html"])
def test_pictures(command, tmp_path, ending):
    figure = tmp_path / f"figure.{ending}"
    result = command("tune", "gtm", CAMPAIGN, "--figure", figure, *QUICK)
    assert result.code == 0, result.err
    assert figure.read_bytes().startswith({"svg": b"<svg", "png": b"\x89PNG", "html": b"<!doctype html>"}[ending])


def test_the_same_picture_byte_for_byte(command, tmp_path):
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for file in files:
        command("tune", "bleu", CAMPAIGN, "--level", "system", "--figure", file, *QUICK)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_files_instead_of_a_campaign(command, tmp_path):
    texts = {"ref": "a b c\nd e f g\nh i j\nk l m\n", "one": "a b c\nd e f\nh i\nk m l\n", "two": "a\nd f\nj\nk\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    systems = enumerate(("two", "one"))
    lines = [f"{name}\t{segment}\t{segment + place}" for place, name in systems for segment in range(4)]
    (tmp_path / "human.tsv").write_text("system\tsegment\tscore\n" + "\n".join(lines) + "\n")
    result = command(
        "tune", "fmean", "-r", tmp_path / "ref", tmp_path / "one", tmp_path / "two",
        "--judgements", tmp_path / "human.tsv", "--folds", "3", "--samples", "0",
    )  # fmt: skip
    assert result.code == 0, result.err
    assert "8 of 8 judgements were used" in result.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fmean",), ("Nothing to tune",)),
        ((CAMPAIGN,), ("is no metric", "The metric comes first: assay tune METRIC")),
        (("f1", CAMPAIGN), ("f1 has no parameters to tune", "meteor")),
        (("fmean", CAMPAIGN), ("several kinds of judgement", "--kind")),
        (("fmean", CAMPAIGN, "--kind", "adequacy", "--parameters", "beta"), ("no parameter of fmean 'beta'",)),
        (("fmean", CAMPAIGN, "--kind", "adequacy", "--folds", "2"), ("folds is 2", "it takes 3 to 25")),
        (("fmean", CAMPAIGN, "--kind", "adequacy", "--statistic", "spa"), ("--statistic",)),
        (("fmean", CAMPAIGN, "--kind", "adequacy", "--where", "segment=0,1"), ("2 judged segments", "--folds")),
        (("fmean", CAMPAIGN, "--kind", "adequacy", "-o", "/nowhere/x.json"), ("no folder /nowhere",)),
        (("fmean", CAMPAIGN, "--save", "x.json"), ("There is no --save here any more", "-o FILE.json")),
        (("fmean", CAMPAIGN, "--kind", "adequacy", "--figure", "x.gif"), (".svg",)),
    ],
)
def test_bad_input_is_refused_with_one_message(command, arguments, words):
    result = command("tune", *arguments)
    assert result.code == 2
    assert result.out == ""
    for word in words:
        assert word in result.err


def test_no_judgements(command, campaign):
    result = command("tune", "fmean", campaign)
    assert result.code == 2
    assert "has no judgements" in result.err


def test_curves_can_be_left_out(command):
    found = json.loads(command("tune", "fmean", CAMPAIGN, "--format", "json", "--no-curves", *QUICK).out)
    assert (found["curves"], found["figures"]) == ([], [])


def test_segments_that_are_left_out_are_counted(command):
    result = command("tune", "fmean", CAMPAIGN, "--where", "domain!=nowhere", *QUICK)
    assert result.code == 0
    everything = command("tune", "fmean", CAMPAIGN, *QUICK)
    assert result.out == everything.out
