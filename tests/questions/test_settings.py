"""``assay.toml`` beside a campaign, or ``--config FILE``: defaults of one's own."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress

import pytest

import assay
from assay.cli.main import run
from assay.demo import CAMPAIGN
from assay.errors import AssayError, AssayWarning

TOML = """
metrics = ["chrf", "bleu(lowercase=true)"]
refs = "A"
samples = 10
baseline = "gravel"

[compare]
permutations = 99

[study.references]
metrics = "bleu"
"""


@pytest.fixture
def campaign(tmp_path):
    folder = tmp_path / "campaign"
    shutil.copytree(CAMPAIGN, folder)
    (folder / "assay.toml").write_text(TOML)
    return folder


@pytest.fixture
def answer(capfd):
    """The result of a command line as JSON, and what it said beside."""

    def ask(*words):
        code = run([*map(str, words), "--format", "json"])
        out, err = capfd.readouterr()
        return (json.loads(out) if code == 0 else None), err

    return ask


def test_defaults_are_those_of_the_folder(campaign, answer):
    told, err = answer("score", campaign)
    assert [row["metric"] for row in told["scores"][:2]] == ["chrf", "bleu(lowercase=true)"]
    assert told["options"]["references"] == ["A"]
    assert told["options"]["samples"] == 10
    assert f"come from {campaign / 'assay.toml'}" in err
    # The same as if they had been typed, to the last digit.
    typed, _ = answer("score", CAMPAIGN, "-m", "chrf,bleu(lowercase=true)", "--refs", "A", "--samples", "10")
    assert told["scores"] == typed["scores"]
    assert told["options"] == typed["options"]


def test_what_is_typed_wins(campaign, answer):
    told, _ = answer("score", campaign, "-m", "wer", "--refs", "B")
    assert told["options"]["metrics"] == ["wer"]
    assert told["options"]["references"] == ["B"]
    assert told["options"]["samples"] == 10


def test_sections_are_for_one_command(campaign, answer):
    told, _ = answer("compare", campaign)
    assert (told["options"]["permutations"], told["options"]["baseline"]) == (99, "gravel")
    assert answer("study", "references", campaign, "--refs", "A,B")[0]["options"]["metrics"] == ["bleu"]


def test_python_reads_the_same_file(campaign, answer):
    with pytest.warns(assay.AssayWarning, match="come from"):
        result = assay.score(campaign)
    told, _ = answer("score", campaign)
    assert json.loads(result.to_json())["scores"] == told["scores"]
    # A campaign that was read already is no folder any more.
    assert assay.score(assay.read(campaign)).options["samples"] == 1000


def test_it_is_part_of_the_record(campaign, answer):
    first, _ = answer("score", campaign)
    (campaign / "assay.toml").write_text(TOML + "\n# changed\n")
    second, _ = answer("score", campaign)
    assert first["digests"]["config"] != second["digests"]["config"]
    assert any("assay.toml" in note["text"] for note in first["notes"])
    assert "config" not in answer("score", CAMPAIGN)[0]["digests"]


def test_another_file_may_be_named_and_nothing_else_is_read(campaign, answer, tmp_path, monkeypatch):
    (tmp_path / "mine.toml").write_text('metrics = "per"\nformat = "json"\n')
    told, _ = answer("score", campaign, "--config", tmp_path / "mine.toml")
    assert told["options"]["metrics"] == ["per"]
    assert told["options"]["samples"] == 1000
    # Not from the folder above, nor from the one where the command is typed.
    (tmp_path / "assay.toml").write_text('metrics = "per"\n')
    monkeypatch.chdir(tmp_path)
    (campaign / "assay.toml").unlink()
    assert answer("score", "campaign")[0]["options"]["metrics"] == ["bleu", "chrf"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("metrics = [}", ["assay.toml is no TOML", "line 1"]),
        ('metrik = "bleu"', ["metrik", "Did you mean 'metric'"]),
        ('[comparison]\nbaseline = "x"', ["comparison", "Did you mean 'compare'"]),
        ("[score]\npermutations = 9", ["permutations"]),
        ('samples = "many"', ["samples", "many", "assay.toml"]),
        ('metrics = "blue"', ["Did you mean 'bleu'"]),
        ("width = true", ["width", "assay.toml"]),
        ('format = "word"', ["word"]),
        ('[study]\nkind = "a"', ["kind"]),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_file(campaign, text, words, capfd):
    (campaign / "assay.toml").write_text(text)
    if text.startswith("[study]"):
        assert run(["study", "references", str(campaign)]) == 2
    else:
        assert run(["score", str(campaign)]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    for word in words:
        assert word in err
    if "format" not in text and "width" not in text and not text.startswith("[study]"):
        # Whether a metric is known is found out once the file was used, which a note says.
        with suppress(AssayWarning), pytest.raises(AssayError):
            assay.score(campaign)


def test_a_file_that_is_not_there(campaign, capfd):
    assert run(["score", str(campaign), "--config", "nowhere.toml"]) == 2
    assert "nowhere.toml" in capfd.readouterr().err


def test_defaults_that_cannot_be_read_are_not_passed_over(campaign, answer):
    # A gate that takes its baseline from there must not pass on others.
    (campaign / "assay.toml").unlink()
    (campaign / "assay.toml").symlink_to(campaign / "not-fetched")
    told, err = answer("score", campaign, "-q")
    assert told is None
    assert "assay.toml: a link to " in err
    assert "which is not there" in err


def test_what_is_no_option_cannot_be_set(campaign, answer):
    (campaign / "assay.toml").write_text("is_folder = true\n")
    told, err = answer("score", campaign)
    assert told is None
    assert "'is_folder'" in err
    assert "is_folder," not in err.partition("Known: ")[2]


def test_a_wrong_value_is_blamed_once(campaign, answer):
    (campaign / "assay.toml").write_text('unit = "word"\n')
    _, err = answer("score", campaign)
    assert err.startswith("assay: unit is 'word', but it takes segment, document or none. (Options")
