"""What pages show of a terminal is what the terminal shows."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import click
import pytest
from scripts.newcomer import commands

import assay
from assay.cli.main import COMMANDS, cli, run
from assay.demo import CAMPAIGN

ROOT = Path(__file__).parents[1]
#: Files that commands of pages name, such as tables of synonyms.
EXAMPLES = ROOT / "docs" / "guides" / "examples"
#: Tables of scores of the demo campaign, as text.
SHOWN = re.compile(r"demo-campaign: 60 segments, 5 systems, references A, B, C\n(?:\n|[^\n`]+\n)*?(?=\n?```)")
#: A command and what it prints, up to the end of the block; … stands for lines that are left out.
TYPED = re.compile(r"^```\w*\n\$ assay ([^\n]+)\n(.*?)\n```", re.DOTALL | re.MULTILINE)
#: Commands that make the store of a page.
MADE = re.compile(r"^```\n((?:assay [^\n]+\n)+)```", re.MULTILINE)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = [
    pytest.param((page, *block), id=f"{page.name}: {block[0]}")
    for page in PAGES
    for block in TYPED.findall(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("page", ["README.md", "docs/guides/getting-started.md"])
def test_the_first_table_that_people_see_is_the_one_they_get(page):
    (shown,) = SHOWN.findall((ROOT / page).read_text(encoding="utf-8"))
    lines = assay.score(CAMPAIGN).render("text").splitlines()
    for line in shown.splitlines()[1:]:
        # Pages fold long lines, or cut them with an ellipsis.
        assert any(line.rstrip("…").strip() in known for known in lines), line


@pytest.mark.parametrize("block", BLOCKS)
def test_a_command_prints_what_its_page_shows(block, tmp_path, monkeypatch, capfd):
    page, typed, shown = block
    shutil.copytree(CAMPAIGN, tmp_path / "demo-campaign")
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for line in made_before(page):
        run([*line.split()[1:], "-q"])
    capfd.readouterr()
    run([*shlex.split(typed), "--width", "80"])
    # A stretch between two … stands there as it is, one behind the other.
    printed = rounded(f"\n{capfd.readouterr().out}\n")
    for stretch in re.split(r"^…\n?", shown, flags=re.MULTILINE):
        lines = rounded(stretch.strip("\n"))
        assert f"\n{lines}\n" in printed if lines else True, lines
        printed = printed[printed.find(lines) + len(lines) :]


@pytest.mark.parametrize(("score", "name"), [("34.98", "explain-meteor"), ("59.04", "explain-matcher")])
def test_the_drawings_of_the_guide_to_explain_are_those_of_its_commands(score, name, tmp_path, monkeypatch):
    page = (ROOT / "docs" / "guides" / "explain.md").read_text(encoding="utf-8")
    assert f"](figures/{name}.svg)" in page
    (typed,) = (typed for typed, shown in TYPED.findall(page) if shown.startswith(f"METEOR {score}\n"))
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    run([*shlex.split(typed), "-o", "drawn.svg"])
    assert (tmp_path / "drawn.svg").read_text() == (ROOT / "docs/guides/figures" / f"{name}.svg").read_text()


def made_before(page):
    """The commands that make the store which a page asks, if it does."""
    blocks = MADE.findall(page.read_text(encoding="utf-8"))
    return [line for block in blocks if block.startswith("assay store create") for line in block.splitlines()]


def rounded(text):
    """With nine digits of long numbers: the last ones depend on the machine."""
    return re.sub(r"\d+\.\d{9,}", lambda number: f"{float(number[0]):.9g}", text)


def shown_commands():
    """Every command that a page shows in a terminal or within its text, the words behind ``assay``."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        spans = re.findall(r"`(assay [^`]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))
        for line in dict.fromkeys([*commands(text), *(" ".join(span.split()) for span in spans)]):
            for typed in re.findall(r"(?<!\S)assay ([^;|]+)", line):
                words = shlex.split(typed, comments=True)
                if words[0] in COMMANDS:
                    yield page.name, words


def test_options_that_pages_show_are_those_of_the_command():
    seen = 0
    for page, words in shown_commands():
        context = click.Context(cli, info_name="assay")
        command = cli.get_command(context, words[0])
        if isinstance(command, click.Group) and len(words) > 1:
            command = command.get_command(click.Context(command, parent=context), words[1])
        known = {name for option in command.get_params(context) for name in (*option.opts, *option.secondary_opts)}
        typed = {word.partition("=")[0] for word in words if re.match("--?[a-z]", word)}
        assert typed <= known, f"{page}: {' '.join(words)}"
        seen += 1
    assert seen > 150
