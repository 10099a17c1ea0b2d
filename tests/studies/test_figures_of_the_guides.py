"""The guides show a figure of every study, and the command that draws it."""

import re
import runpy
from pathlib import Path

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.questions.studies.registry import STUDIES

ROOT = Path(__file__).parents[2]
GUIDES = ROOT / "docs" / "guides"
DRAWN = runpy.run_path(str(ROOT / "scripts" / "draw_studies.py"))
COMMANDS = DRAWN["COMMANDS"]
TEXT = "\n".join(path.read_text() for path in sorted(GUIDES.glob("studies*.md")))


def test_every_study_has_a_figure():
    assert {command.split()[0] for command in COMMANDS} == set(STUDIES)


@pytest.mark.parametrize("command", COMMANDS, ids=DRAWN["figure_name"])
def test_the_guide_has_the_figure_and_its_command(command):
    name = DRAWN["figure_name"](command)
    assert re.search(rf"!\[[^\]]+\]\(figures/{name}\.svg\)", TEXT)
    assert f"assay study {command} --figure {name}.svg\n" in TEXT
    assert (GUIDES / "figures" / f"{name}.svg").read_text().startswith("<svg")


def test_the_readme_has_a_figure_and_it_shows_what_its_command_finds():
    readme = (ROOT / "README.md").read_text()
    assert "](docs/guides/figures/compare.svg)" in readme
    assert f"`assay {DRAWN['FIRST']} --figure compare.svg`" in readme
    # Every interval is told to those who cannot see it: low: 7.35; name: rosetta – human; high: 12.1; ...
    told = re.findall(r"low: ([^;]+); name: ([^;]+); high: ([^;]+);", (GUIDES / "figures" / "compare.svg").read_text())
    drawn = {name: (float(low.replace("−", "-")), float(high)) for low, name, high in told}
    pairs = assay.compare(CAMPAIGN, "chrf").table("pairs")
    assert len(pairs) == 10
    assert drawn == {f"{row['a']} – {row['b']}": pytest.approx((row["low"], row["high"])) for row in pairs}
