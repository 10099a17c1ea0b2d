"""The page that lists all items of the five papers: each has a command, and every command does what it says."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import click
import pytest

from assay.cli.main import cli, run
from assay.demo import CAMPAIGN
from assay.people import pseudo_documents

PAGE = Path(__file__).parents[1] / "docs" / "papers.md"
ROWS = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \| (\w+) \| (.*?) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
COMMANDS = list(dict.fromkeys(command.strip("`").replace("\\|", "|") for _, _, command, _, _ in ROWS if command != "–"))
#: What makes a command quick: how surely something is known is not what is tried here.
QUICK = {"--samples": "10", "--permutations": "50", "--splits": "5", "--folds": "3", "--beam": "1"}
QUICK |= {"--lengths": "1,10", "--per-length": "5"}


def test_all_items_are_there_under_their_numbers():
    assert [int(number) for number, *_ in ROWS] == list(range(1, 175))


def test_nothing_is_missing_but_two_items_and_differences_say_why():
    states = {int(number): (state, remark) for number, _, _, state, remark in ROWS}
    assert {number for number, (state, _) in states.items() if state == "missing"} == {114, 154}
    assert {state for state, _ in states.values()} == {"exact", "difference", "missing"}
    assert all(remark for state, remark in states.values() if state != "exact")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the commands are typed, one after the other: what one of them writes is in nobody's way."""
    made = tmp_path_factory.mktemp("papers")
    for name in ("demo-campaign", "other-campaign"):
        shutil.copytree(CAMPAIGN, made / name)
    # Another campaign has other words.
    for other in (made / "other-campaign").glob("sys.*.txt"):
        other.write_text(other.read_text(encoding="utf-8").replace("the", "a"), encoding="utf-8")
    return made


@pytest.mark.parametrize("typed", COMMANDS)
def test_a_command_of_the_page_answers(typed, folder, monkeypatch, capfd):
    monkeypatch.chdir(folder)
    # Intervals for other segments and judges take most of the work of random documents; a few parts do here.
    for parts in ("_PARTS_OF_UNITS", "_PARTS_OF_JUDGES"):
        monkeypatch.setattr(pseudo_documents, parts, 4)
    for part in typed.split("; "):
        words = shlex.split(part)[1:]
        assert run([*words, *_quick(words)]) == 0, capfd.readouterr().err
        assert capfd.readouterr().out or any(word in ("-o", "convert") for word in words)


def _quick(words):
    """Options for little work, as far as a command has them and the page does not set them."""
    context = click.Context(cli, info_name="assay")
    command = cli.get_command(context, words[0])
    if isinstance(command, click.Group):
        command = command.get_command(click.Context(command, parent=context), words[1])
    known = {name for option in command.get_params(context) for name in option.opts}
    fitting = {option: value for option, value in QUICK.items() if option in known and option not in words}
    if "--group" in words and "none" not in words:
        # There are as many folds as there are groups.
        fitting.pop("--folds", None)
    return [word for option in fitting.items() for word in option]
