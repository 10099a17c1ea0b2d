"""Every Eval Ever's files on the command line: out of ``assay score``, and into every command that takes scores."""

import json

import pytest

from assay.demo import CAMPAIGN


@pytest.fixture
def written(command, tmp_path):
    result = command(
        "score", CAMPAIGN, "-m", "bleu,ter", "--segments", "-o", f"{tmp_path}/out/", "--format", "every-eval-ever", "-q"
    )  # fmt: skip
    assert (result.code, result.out, result.err) == (0, "", "")
    return tmp_path / "out"


def test_a_folder_has_files_below_folders_of_models(written):
    found = sorted(str(file.relative_to(written).parent) for file in written.rglob("*.json*"))
    systems = ("compass", "gravel", "human", "lantern", "rosetta")
    assert found == sorted([".", *(f"data/campaign/unknown/{system}" for system in systems for _ in range(2))])


def test_a_second_run_replaces_the_same_files(command, written):
    before = {file: file.read_bytes() for file in written.rglob("*") if file.is_file()}
    command("score", CAMPAIGN, "-m", "bleu,ter", "--segments", "-o", written, "--format", "every-eval-ever", "-q")
    assert {file: file.read_bytes() for file in written.rglob("*") if file.is_file()} == before


def test_nothing_is_left_where_a_folder_cannot_be_written(command, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "data").write_text("")
    result = command("score", CAMPAIGN, "-m", "bleu", "-o", tmp_path / "out", "--format", "every-eval-ever", "-q")
    assert result.code == 2
    assert "cannot be written" in result.err
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["data"]


def test_one_file_ends_as_json_does(command, tmp_path):
    path = tmp_path / "x.json"
    one = ("score", CAMPAIGN, "-m", "bleu", "--systems", "rosetta", "-o", path, "-q")
    assert command(*one, "--format", "every-eval-ever").code == 0
    assert json.loads(path.read_text())["model_info"]["id"] == "rosetta"
    # Without a name the ending means what it did, and other formats have other endings.
    assert command(*one).code == 0
    assert json.loads(path.read_text())["command"] == "score"
    assert "x.json ends in .json, which is json, but --format says csv" in command(*one, "--format", "csv").err


def test_scores_of_systems_are_shown(command, tmp_path):
    path = tmp_path / "x.json"
    command(
        "score", CAMPAIGN, "-m", "bleu,ter", "--systems", "rosetta", "-o", path, "--format", "every-eval-ever", "-q"
    )
    answer = json.loads(
        command("score", CAMPAIGN, "-m", "bleu,ter", "--systems", "rosetta", "--format", "json", "-q").out
    )
    expected = {row["metric"]: row["score"] for row in answer["scores"]}
    shown = json.loads(command("score", path, "--format", "json", "-q").out)
    assert {row["metric"]: row["score"] for row in shown["scores"]} == expected
    assert shown["setup"]["better"] == {"bleu": "higher", "ter": "lower"}
    gate = command("score", path, "--fail-under", f"ter={expected['ter'] - 1}", "-q")
    assert gate.code == 1
    assert "FAILED: ter: rosetta" in gate.out
    assert "has no segments, so there is nothing to score" in command("score", path, "--segments", "-q").err


def test_means_of_segments_are_told_from_scores_of_systems(command, written):
    said = "bleu, ter: means of segments; for whole systems files have other scores, which meta takes."
    for words in (("score", written), ("compare", written), ("score", CAMPAIGN, "-m", "chrf", "--scores", written)):
        assert said in command(*words).err
    assert "means of segments" not in command("meta", CAMPAIGN, "--kind", "adequacy", "--scores", written).err


def test_meta_finds_the_same_from_files_as_from_texts(command, written):
    words = ("meta", CAMPAIGN, "--kind", "adequacy", "--level", "system,segment", "--statistic", "pearson")
    words = (*words, "--samples", 0, "--format", "json", "-q")
    direct = json.loads(command(*words, "-m", "bleu,ter").out)["results"]
    files = json.loads(command(*words, "--scores", written).out)["results"]
    keys = ("metric", "level", "grouping")
    values = {tuple(row[key] for key in keys): row["value"] for row in files}
    assert len(values) == len(direct) == 6
    for row in direct:
        assert values[tuple(row[key] for key in keys)] == pytest.approx(row["value"], abs=1e-12)


def test_files_are_converted(command, written, tmp_path):
    result = command("convert", written, tmp_path / "table.tsv", "--to", "scores")
    assert (result.code, result.out) == (0, f"{tmp_path}/table.tsv: 5 systems, 0 references, 60 segments (scores)\n")
    back = command(
        "convert", tmp_path / "table.tsv", f"{tmp_path}/again/", "--from", "scores", "--to", "every-eval-ever"
    )
    assert back.code == 0
    again = command("convert", tmp_path / "again", tmp_path / "again.tsv", "--to", "scores")
    assert (again.code, again.err) == (0, "")
    lines = [(tmp_path / name).read_text().splitlines() for name in ("table.tsv", "again.tsv")]
    assert sorted(lines[1]) == sorted(lines[0])


def test_a_damaged_file_is_one_message(command, tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"schema_version": "9.0.0", "evaluation_id": "e", "model_info": {"id": "a"}}')
    for words in (("score", path), ("convert", path, tmp_path / "y.tsv"), ("score", CAMPAIGN, "--scores", path)):
        result = command(*words)
        assert (result.code, result.out) == (2, "")
        assert "x.json: its schema_version is '9.0.0', and Assay knows those up to 0.3.0." in result.err
