"""Where the golden values lie, and how they are read. Nothing of them is kept in this repository."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import assay

GOLDEN = Path(__file__).parents[2].parent / "shared" / "golden"

needs_golden = pytest.mark.skipif(
    not GOLDEN.is_dir(), reason=f"the golden values of the original programs are not at {GOLDEN}"
)


@cache
def lines(name: str) -> list[str]:
    """The lines of a file below the golden folder; only a line feed ends one."""
    text = (GOLDEN / name).read_bytes().decode()
    return text.removesuffix("\n").split("\n")


def table(name: str) -> list[list[str]]:
    """The cells of a file with tabs between them."""
    return [line.split("\t") for line in lines(name)]


def files(pattern: str) -> list[str]:
    """Golden files by their path below the folder: none if there is no folder."""
    return sorted(str(path.relative_to(GOLDEN)) for path in GOLDEN.glob(pattern))


@cache
def corpus(folder: str, translation: str, *references: str) -> assay.Corpus:
    """A translation of ``inputs/<folder>`` beside its references."""
    return assay.Corpus(
        translations=lines(f"inputs/{folder}/{translation}"),
        references=[lines(f"inputs/{folder}/{reference}") for reference in references],
    )


def language(folder: str) -> str:
    """How the names of a folder's files end: those of ``en-de`` are German."""
    return folder.split("-")[1] if folder.startswith(("de-", "en-")) else "en"


def references(folder: str, letters: str) -> list[str]:
    """The names of the reference files: ``AB`` is A and B."""
    return [f"ref.{letter}.{language(folder)}" for letter in letters]
