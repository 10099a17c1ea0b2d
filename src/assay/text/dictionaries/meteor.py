"""METEOR's files: ``NAME.synsets``, and ``NAME.exceptions`` beside it; two lines per entry."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assay.text.dictionaries.entries import Entries, fault, numbered_lines, set_number

SYNSETS = ".synsets"


def read_meteor(path: Path) -> Entries:
    """Words with their sets, and bases with their irregular forms."""
    words: dict[str, list[int]] = {}
    for number, word, sets in _entries(path, "a word", "the numbers of its sets"):
        words.setdefault(word, []).extend(set_number(text, path, number + 1) for text in sets)
    exceptions: dict[str, list[str]] = {}
    beside = path.with_name(path.name.replace(SYNSETS, ".exceptions"))
    if beside.is_file():
        for _, base, forms in _entries(beside, "a base", "its irregular forms"):
            for form in forms:
                exceptions.setdefault(form, []).append(base)
    return Entries(words, exceptions, english_suffixes=True)


def _entries(path: Path, first: str, second: str) -> Iterator[tuple[int, str, list[str]]]:
    """The number of each entry's first line, what stands there, and what stands in the second."""
    lines = numbered_lines(path)
    for number, line in lines:
        head = line.strip()
        if not head or " " in head:
            raise fault(path, number, f"{first} is expected here, alone; {second} follow on the next line.")
        _, rest = next(lines, (0, ""))
        values = rest.split()
        if not values:
            raise fault(path, number + 1, f"{second} are expected here, for {head!r} on the line before.")
        yield number, head, values
