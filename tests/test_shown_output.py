"""What pages show of a terminal is what the terminal shows."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

import assay
from assay.cli.main import run
from assay.demo import CAMPAIGN

ROOT = Path(__file__).parents[1]
#: Tables of scores of the demo campaign, as text.
SHOWN = re.compile(r"demo-campaign: 60 segments, 5 systems, references A, B, C\n(?:\n|[^\n`]+\n)*?(?=\n?```)")
#: A command and what it prints, up to the end of the block; … stands for lines that are left out.
TYPED = re.compile(r"^```\w*\n\$ assay ([^\n]+)\n(.*?)\n```", re.DOTALL | re.MULTILINE)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = [
    pytest.param(*block, id=f"{page.name}: {block[0]}")
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


@pytest.mark.parametrize(("typed", "shown"), BLOCKS)
def test_a_command_prints_what_its_page_shows(typed, shown, tmp_path, monkeypatch, capfd):
    shutil.copytree(CAMPAIGN, tmp_path / "demo-campaign")
    monkeypatch.chdir(tmp_path)
    run([*shlex.split(typed), "--width", "80"])
    # A stretch between two … stands there as it is, one behind the other.
    printed = f"\n{capfd.readouterr().out}\n"
    for stretch in re.split(r"^…\n?", shown, flags=re.MULTILINE):
        lines = stretch.strip("\n")
        assert f"\n{lines}\n" in printed if lines else True, lines
        printed = printed[printed.find(lines) + len(lines) :]
