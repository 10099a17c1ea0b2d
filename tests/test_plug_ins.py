"""What a package of somebody else's brings, a line each: a question, formats of output and judgements, a statistic."""

import json
import shutil
from importlib.util import find_spec, module_from_spec
from pathlib import Path

import pytest

import assay
from assay.cli.main import run
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.demo import CAMPAIGN
from assay.metrics.registry import METRICS
from assay.people.statistics.registry import STATISTICS
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

[assay.statistics]
cosine = guest:Cosine
"""

#: Who gets thumbs up for both of the first segments, and who gets them down.
UP, DOWN = ("rosetta", "compass"), ("lantern", "gravel")


@pytest.fixture(autouse=True)
def _guest(tmp_path, monkeypatch):
    """The package, installed for this test."""
    folder = tmp_path / "site"
    (folder / "guest-1.0.dist-info").mkdir(parents=True)
    (folder / "guest-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.0\n")
    (folder / "guest-1.0.dist-info" / "entry_points.txt").write_text(ENTRY_POINTS)
    shutil.copy(Path(__file__).parent / "guest_package" / "guest.py", folder)
    monkeypatch.syspath_prepend(folder)
    registries: list[Registry] = [QUESTIONS, STYLES, JUDGEMENT_FORMATS, STATISTICS]
    monkeypatch.setattr(STATISTICS, "added", {})

    def forget():
        for registry in registries:
            registry.__dict__.pop("_announced", None)

    forget()
    yield
    forget()


@pytest.fixture
def thumbs(tmp_path):
    """Judgements in the guest's format."""
    file = tmp_path / "thumbs.txt"
    judged = [f"{name} {segment} {'up' if name in UP else 'down'}" for name in (*UP, *DOWN) for segment in (0, 1)]
    file.write_text("thumbs\n" + "\n".join(judged) + "\n")
    return str(file)


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
    assert "length      How long are the translations?" in capfd.readouterr().out


def test_a_question_is_known_by_its_name_in_a_new_process():
    found = find_spec("assay.questions.registry")
    registry = module_from_spec(found)
    found.loader.exec_module(registry)
    assert registry.QUESTIONS["length"].question == "How long are the translations?"


def test_a_format_is_printed_and_known_by_its_ending(capfd, tmp_path):
    assert run(["length", str(CAMPAIGN), "--systems", "rosetta", "--format", "org"]) == 0
    printed = capfd.readouterr().out
    assert printed.startswith("| system | words |\n| rosetta | ")
    assert run(["length", str(CAMPAIGN), "--systems", "rosetta", "-o", str(tmp_path / "x.org")]) == 0
    assert (tmp_path / "x.org").read_text() == printed


def test_a_format_of_judgements_is_read_wherever_judgements_are(capfd, thumbs):
    arguments = ["--judgements", thumbs, "--level", "system", "--samples", "0", "--test", "none", "--format", "json"]
    assert run(["meta", str(CAMPAIGN), "-m", "bleu", *arguments]) == 0
    (row, *_) = [row for row in json.loads(capfd.readouterr().out)["results"] if row["statistic"] == "pearson"]
    assert row["n"] == 4
    assert run(["validate", thumbs]) == 0
    capfd.readouterr()
    studied = ["--judgements", thumbs, "-m", "bleu", "--stemmer", "none", "--samples", "2", "--format", "json"]
    assert run(["study", "correlations", str(CAMPAIGN), *studied]) == 0
    (studied_row,) = json.loads(capfd.readouterr().out)["table"]
    assert (studied_row["kind"], studied_row["pearson"]) == ("thumb", pytest.approx(row["value"], abs=1e-12))


def test_a_statistic_is_measured_where_its_name_is_given(capfd, thumbs):
    arguments = ["--judgements", thumbs, "-m", "bleu", "--level", "system", "--samples", "0", "--test", "none"]
    assert run(["meta", str(CAMPAIGN), *arguments, "--statistic", "cosine", "--format", "json"]) == 0
    (row,) = json.loads(capfd.readouterr().out)["results"]
    # People give 1, 1, 0 and 0, so across both sides stand the scores of the first two alone.
    scores = {name: bleu_of_two_segments(name) for name in (*UP, *DOWN)}
    length = sum(score**2 for score in scores.values()) ** 0.5
    assert row["value"] == pytest.approx(sum(scores[name] for name in UP) / (2**0.5 * length), abs=1e-9)
    assert run(["meta", "--help"]) == 0
    assert "cosine" in capfd.readouterr().out
    with pytest.raises(LookupError, match="Did you mean 'cosine'"):
        assay.meta_evaluate(CAMPAIGN, "bleu", kind="adequacy", statistics="cosin")


def bleu_of_two_segments(system):
    whole = assay.read(CAMPAIGN)
    corpus = assay.Corpus(
        translations=list(whole.systems[system])[:2],
        references=[list(column)[:2] for column in whole.references.values()],
    )
    return assay.metric("bleu").evaluate(corpus).corpus_score()


def test_all_of_it_goes_together(capfd, tmp_path, thumbs):
    file = tmp_path / "followed.org"
    arguments = ["--judgements", thumbs, "-m", "bleu,chrf", "--level", "system", "--samples", "0", "--test", "none"]
    assert run(["meta", str(CAMPAIGN), *arguments, "--statistic", "cosine", "-o", str(file)]) == 0
    heading, *rows = [line.strip("| ").split(" | ") for line in file.read_text().splitlines()]
    assert "cosine" in " ".join(heading)
    assert {row[0] for row in rows} >= {"bleu", "chrf"}
    assert run(["score", str(CAMPAIGN), "-m", "bleu", "--format", "org"]) == 0
    assert capfd.readouterr().out.count("\n| ") >= 5


def test_what_cannot_be_loaded_is_named(capfd):
    assert run(["broken", str(CAMPAIGN)]) == 2
    assert "The question 'broken' of guest:Nothing cannot be loaded" in capfd.readouterr().err


HOSTILE = {
    "exits": "import sys\nsys.exit('gone')\n",
    "exits_silently": "raise SystemExit\n",
    "loops": "raise RecursionError('deep')\n",
    "breaks": "raise BaseException('broken')\n",
    "speaks": "print('42.00 is the score')\nimport sys\nsys.stdout.buffer.write(b'43.00')\nfrom guest import *\n",
    "closes": "import sys\nsys.stdout.close()\nfrom guest import *\n",
}
GROUPS = {
    "assay.metrics": ("Metric", lambda name: ["score", str(CAMPAIGN), "-m", name, "--samples", "0"]),
    "assay.questions": ("Length", lambda name: [name, str(CAMPAIGN)]),
    "assay.formats": ("ORG", lambda name: ["score", str(CAMPAIGN), "-m", "f1", "--samples", "0", "--format", name]),
    "assay.judgements": (
        "THUMBS",
        lambda name: ["agreement", "--judgements", str(CAMPAIGN / "human.tsv"), "--judgement-format", name],
    ),
    "assay.statistics": (
        "Cosine",
        lambda name: ["meta", str(CAMPAIGN), "-m", "f1", "--kind", "adequacy", "--statistic", name],
    ),
}


@pytest.fixture
def install(tmp_path):
    """Announces a plug-in of the guest: a group, a name, what its module is called, and what is in it."""

    def announce(group, name, module="guest", content=None, attribute=None):
        place = tmp_path / "site" / f"{module}-1.0.dist-info"
        place.mkdir(exist_ok=True)
        (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (place / "entry_points.txt").write_text(f"[{group}]\n{name} = {module}:{attribute or GROUPS[group][0]}\n")
        if content is not None:
            (tmp_path / "site" / f"{module}.py").write_text(content)
        for registry in (QUESTIONS, STYLES, JUDGEMENT_FORMATS, STATISTICS, METRICS):
            registry.__dict__.pop("_announced", None)

    yield announce
    METRICS.__dict__.pop("_announced", None)


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("trick", HOSTILE)
def test_a_plug_in_that_does_something_else_when_it_is_loaded_is_named(capfd, install, group, trick):
    module = f"{trick}_{group.partition('.')[2]}"
    install(group, "odd", module, HOSTILE[trick])
    code = run(GROUPS[group][1]("odd"))
    out, err = capfd.readouterr()
    assert module in err
    assert "42.00" not in out + err
    assert "43.00" not in out + err
    if trick not in ("speaks", "closes"):
        assert code == 2
        assert f"'odd' of {module}:{GROUPS[group][0]} cannot be loaded: " in err
        assert ("it calls sys.exit(gone)" in err) is (trick == "exits")


@pytest.mark.parametrize("trick", HOSTILE)
def test_other_commands_work_beside_such_a_plug_in(capfd, install, trick):
    for number, group in enumerate(GROUPS):
        install(group, f"odd-{number}", f"{trick}_beside_{number}", HOSTILE[trick])
    assert run(["--help"]) == 0
    assert "score" in capfd.readouterr().out
    assert run(["score", str(CAMPAIGN), "-m", "f1", "--samples", "0", "--format", "tsv"]) == 0
    assert capfd.readouterr().out.startswith("system\t")
    assert run(["metrics"]) == 0
    assert "bleu" in capfd.readouterr().out


def test_a_plug_in_with_the_name_of_a_built_in_is_left_out_and_named(capfd, install):
    install("assay.metrics", "bleu", "pretender", "print('never')\n")
    assert run(["score", str(CAMPAIGN), "-m", "bleu", "--samples", "0", "--format", "tsv"]) == 0
    assert "assay.metrics" not in capfd.readouterr().err
    assert run(["metrics"]) == 0
    err = capfd.readouterr().err
    assert "The metric 'bleu' of pretender:Metric is left out: assay.metrics.bleu:Bleu has that name." in err


def test_two_plug_ins_of_one_name_are_both_named(capfd, install):
    install("assay.metrics", "odd", "first", "")
    install("assay.metrics", "odd", "second", "")
    assert run(["metrics"]) == 0
    err = capfd.readouterr().err
    assert "The metric 'odd' of " in err
    assert "first:Metric" in err
    assert "second:Metric" in err


def test_a_plug_in_whose_name_nobody_can_type_is_left_out(capfd, install):
    install("assay.questions", "\x1b[31mred", "painter", "")
    assert run(["--help"]) == 0
    out, err = capfd.readouterr()
    assert "\x1b" not in out + err
    assert r"The question '\x1b[31mred' of painter:Length is left out" in err
