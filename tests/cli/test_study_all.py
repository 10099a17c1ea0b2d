"""``assay study all`` and ``assay convert --merge``: one page, and what was merged."""

import base64
import json
import re

import pytest


def test_all_studies_on_one_page(command, campaign, tmp_path):
    pytest.importorskip("altair")
    page = tmp_path / "page.html"
    result = command("study", "all", campaign, "-m", "bleu,f1", "-o", page)
    assert (result.code, result.out) == (0, "")
    text = page.read_text()
    assert text.startswith("<!doctype html>")
    for name in ("references", "greedy-matching", "foreign-texts"):
        assert f'<section id="{name}">' in text
    # What it cannot answer says why, on the page and on standard error.
    assert "No answer: foreign-texts needs other texts to compare with" in text
    assert "no answer to foreign-texts" in result.err
    figures = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', text)
    assert figures
    assert all(base64.b64decode(figure).startswith(b"<svg") for figure in figures)
    # Nothing is loaded from elsewhere.
    assert "http://" not in text and "https://" not in text  # noqa: PT018
    again = tmp_path / "again.html"
    assert command("study", "all", campaign, "-m", "bleu,f1", "--threads", "1", "-o", again).code == 0
    assert again.read_bytes() == page.read_bytes()


def test_the_page_as_json(command, campaign):
    found = json.loads(command("study", "all", campaign, "-m", "f1", "--format", "json", "-q").out)
    by_name = {one["study"]: one for one in found["studies"]}
    assert by_name["references"]["table"]
    assert "needs other texts" in by_name["foreign-texts"]["reason"]


def test_judgements_from_elsewhere_serve_all_studies(command, campaign, tmp_path):
    rows = [f"{system}\t{segment}\t{len(system) + segment}\tda" for system in ("good", "poor") for segment in range(2)]
    (tmp_path / "others.tsv").write_text("\n".join(["system\tsegment\tscore\tkind", *rows]) + "\n")
    arguments = ("study", "all", campaign, "-m", "f1", "--format", "json", "-q")
    without, given = (
        {one["study"]: one for one in json.loads(command(*arguments, *more).out)["studies"]}
        for more in ((), ("--judgements", tmp_path / "others.tsv"))
    )
    assert "no judgements" in without["correlations"]["reason"]
    assert "at least 3 that were judged" in given["correlations"]["reason"]


def test_a_wrong_option_is_no_matter_of_the_campaign(command, campaign):
    result = command("study", "all", campaign, "-m", "blue")
    assert (result.code, result.out) == (2, "")
    assert "no metric 'blue'" in result.err


def test_options_of_a_study_are_typed(command, campaign):
    arguments = ("--k", "1", "-m", "f1", "-m", "wer", "--format", "json")
    found = json.loads(command("study", "references", campaign, *arguments).out)
    assert {one["metric"] for one in found["table"]} == {"f1", "wer"}
    assert {one["k"] for one in found["table"]} == {1}
    result = command("study", "references", campaign, "--k", "7")
    assert result.code == 2
    assert "k is 7" in result.err


def test_convert_reports_what_it_merged(command, tmp_path):
    folder = tmp_path / "gaps"
    folder.mkdir()
    (folder / "ref.A.txt").write_text("a\nb\nc\n")
    (folder / "ref.B.txt").write_text("a\nb c\n\n")
    result = command("convert", "--merge", folder, tmp_path / "merged")
    assert result.code == 0
    assert "Merged 1-2 (for ref.B)" in result.out
    assert (tmp_path / "merged" / "ref.A.txt").read_text() == "a\nb c\n"
    assert "Nothing had to be merged" in command("convert", "--merge", tmp_path / "merged", tmp_path / "again").out
    refused = command("convert", "--by", "document", folder, tmp_path / "other")
    assert refused.code == 2
    assert "goes with --merge" in refused.err
