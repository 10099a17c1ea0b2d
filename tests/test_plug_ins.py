"""What a package of somebody else's brings: a question, an output format, a format of judgements, a line each."""

import json
import shutil
from pathlib import Path

import pytest

import assay
from assay.cli.main import run
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.demo import CAMPAIGN
from assay.questions.registry import QUESTIONS
from assay.registry import Registry
from assay.results.rendering import STYLES

ENTRY_POINTS = """
[assay.questions]
length = guest:Length
broken = guest:Nothing

[assay.formats]
org = guest:ORG

[assay.judgements]
thumbs = guest:THUMBS
"""


@pytest.fixture(autouse=True)
def _guest(tmp_path, monkeypatch):
    """The package, installed for this test."""
    folder = tmp_path / "site"
    (folder / "guest-1.0.dist-info").mkdir(parents=True)
    (folder / "guest-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.0\n")
    (folder / "guest-1.0.dist-info" / "entry_points.txt").write_text(ENTRY_POINTS)
    shutil.copy(Path(__file__).parent / "guest_package" / "guest.py", folder)
    monkeypatch.syspath_prepend(folder)
    registries: list[Registry] = [QUESTIONS, STYLES, JUDGEMENT_FORMATS]
    for registry in registries:
        registry.__dict__.pop("_announced", None)
    yield
    for registry in registries:
        registry.__dict__.pop("_announced", None)


def test_a_question_is_a_command_with_its_options(capfd):
    assert run(["length", str(CAMPAIGN), "--unit", "characters", "--systems", "rosetta", "--format", "json"]) == 0
    found = json.loads(capfd.readouterr().out)
    text = assay.read(CAMPAIGN).systems["rosetta"]
    assert found["lengths"] == [{"system": "rosetta", "length": sum(map(len, text))}]
    assert found["options"]["unit"] == "characters"
    assert found["digests"]["sys.rosetta"] == text.digest
    assert assay.Result.from_json(json.dumps(found)).of("rosetta").length == sum(map(len, text))
    assert run(["length", "--help"]) == 0
    assert "What to count: words or characters." in capfd.readouterr().out
    assert run(["--help"]) == 0
    assert "length     How long are the translations?" in capfd.readouterr().out


def test_a_format_is_printed_and_known_by_its_ending(capfd, tmp_path):
    assert run(["length", str(CAMPAIGN), "--systems", "rosetta", "--format", "org"]) == 0
    printed = capfd.readouterr().out
    assert printed.startswith("| system | words |\n| rosetta | ")
    assert run(["length", str(CAMPAIGN), "--systems", "rosetta", "-o", str(tmp_path / "x.org")]) == 0
    assert (tmp_path / "x.org").read_text() == printed


def test_a_format_of_judgements_is_read_wherever_judgements_are(capfd, tmp_path):
    systems = ("rosetta", "compass", "lantern", "gravel")
    file = tmp_path / "thumbs.txt"
    judged = [
        f"{name} {segment} {'up' if place < 2 else 'down'}" for place, name in enumerate(systems) for segment in (0, 1)
    ]
    file.write_text("thumbs\n" + "\n".join(judged) + "\n")
    arguments = ["--judgements", str(file), "--level", "system", "--samples", "0", "--test", "none", "--format", "json"]
    assert run(["meta", str(CAMPAIGN), "-m", "bleu", *arguments]) == 0
    (row, *_) = [row for row in json.loads(capfd.readouterr().out)["results"] if row["statistic"] == "pearson"]
    assert row["n"] == 4
    assert run(["validate", str(file)]) == 0


def test_what_cannot_be_loaded_is_named(capfd):
    assert run(["broken", str(CAMPAIGN)]) == 2
    assert "The question 'broken' of guest:Nothing cannot be loaded" in capfd.readouterr().err
