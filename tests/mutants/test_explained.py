"""Mutants that are said to be none."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENTRIES = tomllib.loads((Path(__file__).parent / "explained.toml").read_text(encoding="utf-8"))["mutant"]


def text_of(path: str) -> str:
    return " ".join((ROOT / path).read_text(encoding="utf-8").split())


@pytest.mark.parametrize("entry", ENTRIES, ids=[f"{entry['path']}-{number}" for number, entry in enumerate(ENTRIES)])
def test_an_explained_line_still_stands_in_its_file(entry):
    assert entry["before"] in text_of(entry["path"])
    name = re.split(r"\.|::", entry["function"])[-1]
    assert f" {name}" in text_of(entry["path"])


@pytest.mark.parametrize("entry", ENTRIES, ids=[f"{entry['path']}-{number}" for number, entry in enumerate(ENTRIES)])
def test_an_explained_change_stands_nowhere(entry):
    assert entry["after"] != entry["before"]
    assert entry["reason"].endswith(".")


def test_no_mutant_is_explained_twice():
    named = [(entry["path"], entry["function"], entry["before"], entry["after"]) for entry in ENTRIES]
    assert len(named) == len(set(named))
