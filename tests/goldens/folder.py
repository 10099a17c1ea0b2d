"""Where the golden values lie, and how they are read: those that ship, and the large ones beside the repository."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import assay

#: Outputs over small texts, in this repository; its README says how they were made.
SHIPPED = Path(__file__).parent / "data"
#: Outputs over texts of WMT, which are not ours to pass on.
LARGE = Path(__file__).parents[2].parent / "shared" / "golden"

needs_large = pytest.mark.skipif(
    not LARGE.is_dir(), reason=f"golden values over WMT's texts do not ship, and are not at {LARGE}"
)


def path(name: str) -> Path:
    """A golden file by its path below either folder."""
    return next((folder / name for folder in (SHIPPED, LARGE) if (folder / name).exists()), SHIPPED / name)


@cache
def lines(name: str) -> list[str]:
    """The lines of a golden file; only a line feed ends one."""
    return path(name).read_bytes().decode().removesuffix("\n").split("\n")


def table(name: str) -> list[list[str]]:
    """The cells of a file with tabs between them."""
    return [line.split("\t") for line in lines(name)]


def files(pattern: str) -> list[str]:
    """Golden files by their path below the folder, those of both folders once."""
    return sorted({str(found.relative_to(folder)) for folder in (SHIPPED, LARGE) for found in folder.glob(pattern)})


def _summaries(program: str) -> list[Path]:
    names = [f"{program}/corpus.json", f"{program}/made.json"]
    return [folder / name for folder in (SHIPPED, LARGE) for name in names if (folder / name).exists()]


def runs(program: str) -> dict[str, dict]:
    """What a program says of whole files, by the names of its runs."""
    found: dict[str, dict] = {}
    for summary in _summaries(program):
        found |= json.loads(summary.read_text(encoding="utf-8"))
    return found


def entries(program: str) -> list[dict]:
    """What a program says of whole files, where it stands in a list; what both folders have is there once."""
    found: list[dict] = []
    for summary in _summaries(program):
        found += [entry for entry in json.loads(summary.read_text(encoding="utf-8")) if entry not in found]
    return found


@cache
def corpus(folder: str, translation: str, *references: str) -> assay.Corpus:
    """A translation of ``inputs/<folder>`` beside its references."""
    return assay.Corpus(
        translations=lines(f"inputs/{folder}/{translation}"),
        references=[lines(f"inputs/{folder}/{reference}") for reference in references],
    )


def language(folder: str) -> str:
    """How the names of a folder's files end: those of ``en-de`` are German, the corner cases English."""
    return "en" if folder.startswith("edge") else folder.split("-")[1]


def translation(folder: str, system: str) -> str:
    """The file of a system; the sets that we wrote have one translation alone."""
    alone = folder.startswith(("edge", "own-"))
    return f"hyp.{language(folder)}" if alone else f"hyp.{system}.{language(folder)}"


def references(folder: str, letters: str) -> list[str]:
    """The names of the reference files: ``AB`` is A and B."""
    return [f"ref.{letter}.{language(folder)}" for letter in letters]
