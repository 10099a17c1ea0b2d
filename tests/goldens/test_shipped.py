"""What ships: the programs' own bytes, all of the corner cases, and what the script writes again."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import sys
from pathlib import Path

import pytest

from goldens.folder import LARGE, SHIPPED, needs_large

SCRIPTS = Path(__file__).parents[2] / "scripts"
SUMMARIES = sorted(SHIPPED.glob("*/corpus.json"))


def below(folder: Path) -> list[Path]:
    return sorted(file.relative_to(folder) for file in folder.rglob("*") if file.is_file())


def of_the_corner_cases(name: Path) -> bool:
    """Whether a file's name, or that of a folder around it, begins with ``edge``."""
    return any(part.startswith("edge") or ".edge_" in part for part in name.parts)


@needs_large
def test_all_that_the_programs_made_of_the_corner_cases_ships_unchanged():
    names = [name for name in below(LARGE) if of_the_corner_cases(name)]
    assert len(names) == 120
    assert [name for name in names if (SHIPPED / name).read_bytes() != (LARGE / name).read_bytes()] == []


@needs_large
def test_summaries_are_the_programs_own_without_other_texts():
    for summary in SUMMARIES:
        ours, theirs = (json.loads((folder / summary.relative_to(SHIPPED)).read_text()) for folder in (SHIPPED, LARGE))
        if isinstance(theirs, dict):
            assert ours == {run: found for run, found in theirs.items() if run.startswith("edge")}
        else:
            assert ours == [entry for entry in theirs if entry["set"].startswith("edge")]


def test_seven_programs_have_a_summary():
    assert [one.parent.name for one in SUMMARIES] == ["gtm", "jiwer", "meteor", "mteval", "nltk", "sacrebleu", "tercom"]


def test_the_readme_tells_of_every_folder():
    text = (SHIPPED / "README.md").read_text(encoding="utf-8")
    folders = [path.name for parent in (SHIPPED, SHIPPED / "inputs") for path in parent.iterdir() if path.is_dir()]
    assert [name for name in folders if f"`{name}/`" not in text] == []


@pytest.fixture
def script(monkeypatch):
    """The script's names; the modules beside it are found while it is read."""
    for program in ("sacrebleu", "nltk", "jiwer"):
        pytest.importorskip(program, reason="sacreBLEU, NLTK and jiwer are the peers (extra: peers)")
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
    return runpy.run_path(str(SCRIPTS / "make_goldens.py"))


def cells(file: Path) -> list[object]:
    """What a file says, numbers as such; versions of programs are left out."""
    found: list[object] = []
    for line in file.read_text(encoding="utf-8").split("\n"):
        if not line.startswith('"program"'):
            for cell in re.split(r"[\t ,]", line):
                try:
                    found.append(float(cell))
                except ValueError:
                    found.append(cell)
    return found


def assert_as_shipped(folder: Path) -> None:
    """Every file is the one that ships, but for the last digits, in which mathematical libraries differ."""
    for name in below(folder):
        for one, other in zip(cells(folder / name), cells(SHIPPED / name), strict=True):
            same = one == pytest.approx(other, rel=1e-9, abs=1e-9) if isinstance(one, float) else one == other
            assert same, (name, one, other)


def test_the_script_writes_chinese_words_nltks_and_jiwers_files_again(script, tmp_path):
    for name in ("el-de", "own-zh"):
        shutil.copytree(SHIPPED / "inputs" / name, tmp_path / "inputs" / name)
    for function in ("write_chinese_words", "write_nltk", "write_jiwer"):
        script[function](tmp_path)
    assert len(below(tmp_path)) == 5 + 3 + 3 + 1 + 4 + 1
    assert_as_shipped(tmp_path)


@pytest.mark.slow
def test_the_script_writes_all_of_the_python_programs_files_again(script, tmp_path):
    for name in ("el-de", "own-zh"):
        shutil.copytree(SHIPPED / "inputs" / name, tmp_path / "inputs" / name)
    script["main"]([str(tmp_path)])
    assert len(below(tmp_path)) == 5 + 3 + 3 + 1 + 4 + 1 + 8 + 1 + 2
    assert_as_shipped(tmp_path)
