"""The guides show a figure of every study, and the command that draws it."""

import re
import runpy
from pathlib import Path

import pytest

from assay.questions.studies.registry import STUDIES

ROOT = Path(__file__).parents[2]
GUIDES = ROOT / "docs" / "guides"
COMMANDS = runpy.run_path(str(ROOT / "scripts" / "draw_studies.py"))["COMMANDS"]
TEXT = "\n".join(path.read_text() for path in sorted(GUIDES.glob("studies*.md")))


def test_every_study_has_a_figure():
    assert {command.split()[0] for command in COMMANDS} == set(STUDIES)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.split()[0])
def test_the_guide_has_the_figure_and_its_command(command):
    name = command.split()[0]
    assert re.search(rf"!\[[^\]]+\]\(figures/{name}\.svg\)", TEXT)
    assert f"assay study {command} --figure {name}.svg\n" in TEXT
    assert (GUIDES / "figures" / f"{name}.svg").read_text().startswith("<svg")
