"""Results that go to several files go to several files."""

import pytest

import assay
from assay.cli.output import check_outputs
from assay.demo import CAMPAIGN
from assay.errors import ParameterError

SAVING = [("learn",)]
DRAWING = [*SAVING, ("tune", "fmean"), ("meta", "-m", "bleu"), ("study", "correlations"), ("agreement",)]


def refused(result, *words):
    assert result.code == 2
    assert result.out == ""
    for word in words:
        assert word in result.err


@pytest.mark.parametrize("words", SAVING)
def test_what_is_saved_is_not_what_is_printed(command, tmp_path, words):
    other = tmp_path / ".." / tmp_path.name / "same.json"
    result = command(*words, CAMPAIGN, "--kind", "adequacy", "--save", tmp_path / "same.json", "-o", other)
    refused(result, "--output and --save are the same file", "Name two files")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", DRAWING)
def test_a_picture_is_not_what_is_printed(command, tmp_path, words):
    picture = tmp_path / "same.html"
    result = command(*words, CAMPAIGN, "--kind", "adequacy", "--figure", picture, "-o", picture)
    refused(result, "--output and --figure are the same file")
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_the_file_it_leads_to(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with pytest.raises(ParameterError, match="--save and --figure are the same file"):
        check_outputs(output="-", save=str(tmp_path / "file"), figure=str(tmp_path / "link"))


@pytest.mark.parametrize("option", ["-o", "--figure", "--save"])
def test_links_that_lead_to_each_other_are_refused_before_the_work(command, tmp_path, option):
    (tmp_path / "one.svg").symlink_to(tmp_path / "two.svg")
    (tmp_path / "two.svg").symlink_to(tmp_path / "one.svg")
    result = command("learn", CAMPAIGN, option, tmp_path / "one.svg")
    refused(result, "one.svg: cannot be written (its links lead to each other). Choose another file.")


def test_different_files_devices_and_nothing_are_fine(tmp_path):
    check_outputs(output=str(tmp_path / "a"), save=str(tmp_path / "b"), figure=None)
    check_outputs(output="/dev/null", save="/dev/null")
    check_outputs(output="-", save=None, figure="-")


def test_a_folder_takes_every_table_and_the_whole(command, tmp_path):
    result = command("score", CAMPAIGN, "-m", "bleu", "--samples", 0, "--domains", "-o", f"{tmp_path}/tables/")
    assert (result.code, result.out) == (0, "")
    names = ["domains.tsv", "parts.tsv", "result.json", "scores.tsv"]
    assert sorted(file.name for file in (tmp_path / "tables").iterdir()) == names
    assert (tmp_path / "tables" / "domains.tsv").read_text().startswith("system\tmetric\tdomain\tscore\t")
    whole = assay.Result.from_json((tmp_path / "tables" / "result.json").read_text())
    assert whole.of("rosetta").score == assay.score(CAMPAIGN, "bleu", samples=0).of("rosetta").score


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        (".json", "{\n"), (".csv", "system,metric"), (".tsv", "system\tmetric"), (".md", "**"), (".tex", "% campaign"),
        (".html", "<!doctype html>"), (".txt", "campaign: 60"), ("", "campaign: 60"),
    ],
)  # fmt: skip
def test_a_file_is_written_by_its_ending(command, tmp_path, ending, start):
    file = tmp_path / f"scores{ending}"
    assert command("score", CAMPAIGN, "-m", "f1", "--samples", 0, "-o", file).code == 0
    assert file.read_text().startswith(start)


def test_an_ending_that_nobody_knows_or_that_contradicts_is_refused(command, tmp_path):
    refused(command("score", CAMPAIGN, "-o", tmp_path / "x.xslx"), "ends in .xslx has no known format", ".csv", ".tex")
    contradicts = command("score", CAMPAIGN, "-o", tmp_path / "x.csv", "--format", "json")
    refused(contradicts, "x.csv ends in .csv, which is csv, but --format says json")
    assert list(tmp_path.iterdir()) == []


def test_options_that_make_no_sense_together_are_refused_before_the_work(command):
    refused(command("score", CAMPAIGN, "--table", "parts"), "--table is for TSV and CSV")
    refused(command("score", CAMPAIGN, "--guard-formulas"), "--guard-formulas is for TSV and CSV")
    refused(command("score", CAMPAIGN, "--picture", "scores"), "--picture goes with --figure")
    refused(
        command("score", CAMPAIGN, "--format", "tsv", "--table", "part", "--samples", 0), "There is no table 'part'"
    )


def test_the_command_prints_it_instead_of_tables_or_beside_a_file(command, tmp_path):
    printed = command("score", CAMPAIGN, "-m", "bleu", "--cite")
    assert printed.code == 0
    assert "rosetta" not in printed.out
    assert "@software{assay," in printed.out
    beside = command("score", CAMPAIGN, "-m", "bleu", "--cite", "-o", tmp_path / "scores.tsv")
    assert beside.out == printed.out
    assert "rosetta" in (tmp_path / "scores.tsv").read_text()
    command("score", CAMPAIGN, "-m", "bleu", "-o", tmp_path / "paper.bib")
    assert (tmp_path / "paper.bib").read_text() == printed.out
