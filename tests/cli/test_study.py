"""``assay study``: the list, the table, the figure, and bad input."""

import json
import sys

import pytest

from assay.questions.studies.registry import STUDIES


def test_without_a_name_the_studies_are_listed(command):
    result = command("study")
    assert result.code == 0
    assert "greedy-matching" in result.out
    listed = json.loads(command("study", "--format", "json").out)["studies"]
    assert [one["study"] for one in listed] == list(STUDIES)
    assert command("study", "--format", "tsv").out.startswith("study\tquestion\tsource\n")


def test_a_study_prints_its_table_and_its_answer(command, campaign):
    result = command("study", "greedy-matching", campaign)
    assert result.code == 0
    assert "at maximum %" in result.out
    assert "e = 2: greedy matching is at the true maximum in 100.00 % of 6 segments" in result.out
    for style in ("markdown", "latex", "csv"):
        assert "good" in command("study", "greedy-matching", campaign, "--format", style).out


def test_json_has_the_table_of_the_library(command, campaign):
    arguments = ("--exponents", "2.5", "--systems", "good", "--refs", "A", "--format", "json")
    found = json.loads(command("study", "greedy-matching", campaign, *arguments).out)
    assert (found["command"], found["study"]) == ("study", "greedy-matching")
    assert found["options"]["exponents"] == [2.5]
    assert [(one["system"], one["exponent"], one["segments"]) for one in found["table"]] == [("good", 2.5, 3)]


def test_files_can_be_named_one_by_one(command, campaign):
    files = ("-r", campaign / "ref.A.txt", "-r", campaign / "ref.B.txt", campaign / "sys.poor.txt")
    found = json.loads(command("study", "greedy-matching", *files, "--format", "json").out)
    assert {one["system"] for one in found["table"]} == {"poor"}


def test_a_folder_with_references_alone(command, campaign):
    for system in campaign.glob("sys.*"):
        system.unlink()
    found = json.loads(command("study", "greedy-matching", campaign, "--format", "json").out)
    assert {one["system"] for one in found["table"]} == {"A", "B", "all systems"}


def test_the_figure_and_the_result_are_kept(command, campaign, tmp_path):
    pytest.importorskip("vl_convert")
    figure, saved, table = tmp_path / "figure.svg", tmp_path / "result.json", tmp_path / "table.txt"
    result = command("study", "greedy-matching", campaign, "--figure", figure, "-o", saved)
    assert (result.code, result.out) == (0, "")
    assert figure.read_text().startswith("<svg")
    assert json.loads(saved.read_text())["study"] == "greedy-matching"
    assert command("study", "greedy-matching", campaign, "-o", table).code == 0
    assert "worst segment" in table.read_text()
    refused(command("study", "greedy-matching", campaign, "--save", saved), "A result is kept by -o FILE.json")


def refused(result, *words):
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("assay: ")
    for word in words:
        assert word in result.err


def test_bad_input_is_refused(command, campaign, tmp_path):
    study = ("study", "greedy-matching")
    refused(command("study", "gredy-matching", campaign), "no study 'gredy-matching'. Did you mean 'greedy-matching'?")
    refused(command(*study), "Nothing to study", "assay study greedy-matching --help")
    refused(command(*study, campaign / "sys.good.txt"), "assay study greedy-matching -r REFERENCE")
    refused(command(*study, campaign, "--exponents", "0.5"), "exponents is 0.5", "at least 1")
    refused(command(*study, campaign, "--exponents", "two"), "exponents", "finite number")
    refused(command(*study, campaign, "--exponents", ""), "exponents")
    refused(command(*study, campaign, "--metric", "wer"), "metric is wer, but it takes gtm")
    refused(command(*study, campaign, "--metric", "gtm(exponent=-1)"), "exponent is -1")
    refused(command(*study, campaign, "--figure", tmp_path / "figure.gif"), "ends in .svg, .png, .html, .pdf")
    refused(command(*study, campaign, "--figure", tmp_path / "nowhere" / "figure.svg"), "no folder")
    refused(command(*study, campaign, "--systems", "best"), "no system 'best'")
    refused(command(*study, campaign, "--nonsense"), "--nonsense")
    refused(command("study", "--format", "json", "greedy-matching", campaign), "Options stand behind the name")


def test_a_missing_extra_is_told_before_the_work(command, campaign, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    figure = tmp_path / "figure.svg"
    refused(command("study", "greedy-matching", campaign, "--figure", figure), "-m pip install vl-convert-python")
    assert not figure.exists()
