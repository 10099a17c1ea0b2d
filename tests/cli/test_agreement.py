"""``assay agreement`` as people type it."""

from __future__ import annotations

import io
import json
import shutil
from types import SimpleNamespace

import pytest

from assay.demo import CAMPAIGN

FEW = ("--samples", "20", "--splits", "5")


@pytest.fixture
def judgements(tmp_path):
    """A file of judgements by two raters."""
    path = tmp_path / "human.tsv"
    rows = [("good", 0, "a", 5), ("good", 1, "a", 4), ("poor", 0, "a", 2), ("poor", 1, "a", 1)]
    rows += [("good", 0, "b", 4), ("good", 1, "b", 4), ("poor", 0, "b", 1), ("poor", 1, "b", 2)]
    lines = ["\t".join(map(str, (*row, "da"))) for row in rows]
    path.write_text("\n".join(["system\tsegment\trater\tscore\tkind", *lines]) + "\n")
    return path


def test_a_campaign(command):
    result = command("agreement", CAMPAIGN, "--kind", "adequacy", "-m", "bleu", *FEW)
    assert result.code == 0
    for part in ("Two raters", "Pairs of raters", "Raters", "What normalisation does to the systems", "to the metrics"):
        assert part in result.out
    assert (
        "Of 900 judgements 900 are of items that two or more raters rated. 900 of other kinds were not chosen."
        in result.out
    )


def test_a_file_of_judgements(command, judgements):
    result = command("agreement", judgements, "--format", "json", *FEW)
    found = {row["statistic"]: row["value"] for row in json.loads(result.out)["results"]}
    # 5 4 2 1 against 4 4 1 2: one of four the same.
    assert found["exact-agreement"] == 0.25


def test_judgements_on_standard_input(command, judgements, monkeypatch):
    plain = command("agreement", judgements, *FEW)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(judgements.read_bytes()), closed=False))
    assert command("agreement", "-", *FEW).out == plain.out.replace(str(judgements), "-")


def test_files_of_judgements_by_option_and_no_campaign(command, judgements):
    once = ("agreement", "--judgements", judgements)
    assert command(*once, *FEW).out == command("agreement", judgements, *FEW).out
    result = command(*once, "--judgements", judgements, *FEW)
    assert "Of 16 judgements 8 are of items that two or more raters rated, 8 repeat" in result.out


def test_a_file_of_judgements_in_a_format_that_is_named(command, judgements):
    result = command("agreement", judgements, "--judgement-format", "assay", *FEW)
    assert result.out == command("agreement", judgements, *FEW).out
    assert command("agreement", judgements, "--judgement-format", "pearmut", *FEW).code == 2


def test_judgements_beside_a_campaign(command, campaign, judgements):
    result = command("agreement", campaign, "--judgements", judgements, "--where", "domain=news", "-m", "chrf", *FEW)
    assert result.code == 0
    assert "Of 4 judgements" in result.out


@pytest.mark.parametrize("style", ["json", "tsv", "csv", "markdown", "latex", "html"])
def test_every_format(command, judgements, style):
    result = command("agreement", judgements, "--format", style, *FEW)
    assert result.code == 0
    assert "earson" in result.out


@pytest.mark.parametrize("table", ["pairs", "raters", "normalisation", "effect"])
def test_one_table_as_tsv(command, judgements, table):
    result = command("agreement", judgements, "--format", "tsv", "--table", table, *FEW)
    lines = result.out.splitlines()
    assert len(lines) > 2 or table == "pairs"
    assert len({line.count("\t") for line in lines}) == 1


def test_a_picture(command, tmp_path):
    pytest.importorskip("vl_convert", reason="figures need the extra plots")
    path = tmp_path / "judges.svg"
    result = command("agreement", CAMPAIGN, "--kind", "fluency", "--figure", path, "--raters", "anna,carmen", *FEW)
    assert result.code == 0
    assert "anna and carmen" in path.read_text()


def test_notes_say_what_normalising_did(command, tmp_path):
    path = tmp_path / "human.tsv"
    rows = ["s\t0\ta\t3\tda", "s\t1\ta\t3\tda", "s\t0\tb\t1\tda", "s\t1\tb\t2\tda"]
    path.write_text("\n".join(["system\tsegment\trater\tscore\tkind", *rows]) + "\n")
    result = command("agreement", path, "--normalise", "z", *FEW)
    assert result.code == 0
    assert (
        "1 rater with one rating or always the same score (da: a): all their scores became 0 (2 judgements)"
        in result.err
    )
    assert command("agreement", path, "--normalise", "z", "-q", *FEW).err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([CAMPAIGN], "several kinds of judgement: adequacy (900), fluency (900). Choose with --kind: A,B"),
        ([CAMPAIGN, "--kind", "adequacies"], "Did you mean 'adequacy'"),
        (["nowhere.tsv"], "nowhere.tsv: no such file or folder."),
        ([CAMPAIGN, "--kind", "adequacy", "--grades", "many"], "a number of grades"),
        ([CAMPAIGN, "--kind", "adequacy", "--table", "pairs"], "--table is for TSV and CSV"),
        ([CAMPAIGN, "--kind", "adequacy", "--figure", "x.gif"], "ends in .svg, .png, .html"),
        ([CAMPAIGN, "--kind", "adequacy", "--where", "genre=news"], "column to choose segments by"),
        ([CAMPAIGN, "--kind", "adequacy", "--normalise", "zscore"], "zscore"),
        ([], "No judgements. Give a campaign folder that has them, or a file of them. See: assay agreement --help"),
        ([CAMPAIGN, "--kind", "adequacy", "--picture", "juges", "--figure", "x.svg"], "'juges' is not one of"),
        ([f"{CAMPAIGN}/human.tsv", "--where", "domain=news"], "Give the campaign, too"),
        ([f"{CAMPAIGN}/human.tsv", "--kind", "adequacy", "-m", "bleu"], "Metrics need the translations"),
    ],
)
def test_bad_input_is_a_message_and_exit_code_2(command, arguments, message):
    result = command("agreement", *arguments, *FEW)
    assert result.code == 2
    assert message in result.err
    assert result.out == ""


def test_a_campaign_without_judgements(command, campaign):
    result = command("agreement", campaign)
    assert result.code == 2
    assert "has no judgements. Put them into human.tsv" in result.err


def test_judgements_of_segments_that_are_not_there(command, campaign, tmp_path):
    path = tmp_path / "far.tsv"
    path.write_text("system\tsegment\trater\tscore\tkind\ngood\t99\ta\t1\tda\n")
    result = command("agreement", campaign, "--judgements", path)
    assert result.code == 2
    assert "far.tsv, line 2: segment 99, but the campaign has 3 segments" in result.err


@pytest.mark.parametrize("command_name", ["agreement", "meta", "learn"])
def test_the_largest_scores_that_are_read_can_be_reckoned_with(command, tmp_path, command_name):
    # Variances are squares of scores, and their intervals need fourth powers: 1e30 becomes 1e240.
    shutil.copytree(CAMPAIGN, tmp_path / "demo")
    lines = (CAMPAIGN / "human.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if line.endswith("\tadequacy")]
    for number, row in enumerate(rows):
        row[4] = {0: "1e30", 1: "-1e30"}.get(number % 5, row[4])
    text = "\n".join([lines[0], *("\t".join(row) for row in rows), ""])
    (tmp_path / "demo/human.tsv").write_text(text)
    result = command(
        command_name, tmp_path / "demo", "--format", "json", *(() if command_name == "learn" else ("--samples", "50"))
    )
    assert result.code == 0
    assert json.loads(result.out)["command"] == command_name
