"""``assay metrics``, ``assay recipes``, ``assay demo`` and the help pages."""

import json
import os
import subprocess
import sys

import pytest
from wcwidth import wcswidth

import assay
from assay.cli.main import COMMANDS
from assay.demo import CAMPAIGN
from assay.errors import UnknownName
from assay.metrics.registry import BUILT_IN


def test_every_metric_is_listed(command):
    data = json.loads(command("metrics", "--format", "json").out)
    assert [row["metric"] for row in data["metrics"]][: len(BUILT_IN)] == list(BUILT_IN)


def test_one_metric_lists_its_options_with_defaults(command):
    data = json.loads(command("metrics", "bleu", "--format", "json").out)
    options = {row["option"]: row["default"] for row in data["parameters"]}
    assert options["order"] == "4"
    assert options["tokenize"] == "13a"
    assert list(options)[-1] == "stem"


@pytest.mark.parametrize("name", BUILT_IN)
def test_options_list_the_words_that_they_take(command, name):
    rows = json.loads(command("metrics", name, "--format", "json").out)["parameters"]
    assert [row["option"] for row in rows if "a word" in row["takes"]] == []


def test_words_that_are_listed_can_be_typed_and_others_cannot(command):
    rows = json.loads(command("metrics", "meteor", "--format", "json").out)["parameters"]
    listed = {row["option"]: row["takes"].removesuffix(" or none").split(", ") for row in rows}
    assert {"de", "fi", "other"} < set(listed["language"])
    assert {"rank", "hter", "universal"} < set(listed["task"])
    for language in listed["language"]:
        assay.metric("meteor", language=language, tokenize="none:ascii")
    for task in listed["task"]:
        assay.metric("meteor", task=task)
    for option, word in (("language", "klingon"), ("task", "sing")):
        with pytest.raises(UnknownName, match=f"Known: {', '.join(sorted(listed[option]))}."):
            assay.metric("meteor", **{option: word})


def test_options_stand_beside_what_they_take_on_a_narrow_terminal(command):
    lines = command("metrics", "meteor", "--width", "80").out.splitlines()
    assert max(map(len, lines[:20])) <= 80
    assert next(line for line in lines if line.startswith("language")).split()[:3] == ["language", "en", "en,"]


def test_an_unknown_metric_has_no_page(command):
    result = command("metrics", "belu")
    assert result.code == 2
    assert "Did you mean 'bleu'?" in result.err


def test_recipes_list_tokenizers_and_stemmers(command):
    out = command("recipes").out
    for word in ("13a", "intl-sacrebleu", "tercom", "meteor", "spm", "porter", "yiddish"):
        assert word in out


def test_recipes_show_what_becomes_of_a_text(command):
    data = json.loads(command("recipes", "--text", "It's 4.50 &amp; more.", "--format", "json").out)
    tokens = {row["tokenizer"]: row["tokens"] for row in data["tokens"]}
    assert tokens["13a"] == "It's 4.50 & more ."
    assert tokens["none"] == "It's 4.50 &amp; more."


def test_the_demo_scores_its_campaign_and_says_that_it_is_invented(command):
    result = command("demo")
    assert result.code == 0
    assert "invented" in result.out
    for system in ("rosetta", "human", "compass", "lantern", "gravel"):
        assert system in result.out


def test_the_demo_campaign_can_be_copied_and_scored(command, tmp_path):
    target = tmp_path / "mine"
    assert command("demo", "--copy", target).code == 0
    assert command("score", target).code == 0
    again = command("demo", "--copy", target)
    assert again.code == 2
    assert "already there" in again.err


def test_the_demo_campaign_is_complete():
    campaign = assay.read(CAMPAIGN)
    assert len(campaign) == 60
    assert len(campaign.references) == 3
    assert len(campaign.systems) == 5
    assert len(set(campaign.documents)) >= 5


@pytest.mark.parametrize("name", [[], *([name] for name in COMMANDS)])
def test_every_command_has_help(command, name):
    result = command(*name, "--help")
    assert result.code == 0
    assert "Usage: assay" in result.out


def test_help_and_import_load_nothing_heavy():
    program = (
        "import sys; import assay; from assay.cli.main import run; run(['--help']);"
        "heavy = {'numpy', 'rich', 'assay.kernels._compiled'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_the_version(command):
    assert command("--version").out == f"assay, version {assay.__version__}\n"


def test_the_demo_is_wrapped_at_the_width_of_the_terminal(command, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("os.get_terminal_size", lambda *_: os.terminal_size((80, 40)))
    lines = [line for line in command("demo", "--no-color").out.splitlines() if not line.startswith(("$", "  "))]
    assert len(lines) > 60
    assert max(map(wcswidth, lines)) <= 80
