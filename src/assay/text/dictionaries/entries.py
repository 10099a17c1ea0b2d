"""What every format of dictionary comes down to, and how its files are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assay import kernels
from assay.data.files import read_bytes
from assay.data.lines import texts_of
from assay.errors import InputError

#: Sets of synonyms have 32-bit numbers.
LARGEST = 2**32 - 1


@dataclass(frozen=True)
class Entries:
    """The sets that each word is in, and the bases of irregular forms, the most likely first."""

    words: dict[str, list[int]]
    exceptions: dict[str, list[str]] = field(default_factory=dict)
    english_suffixes: bool = False

    def compiled(self) -> kernels.Synonyms:
        """The same, ready to be looked up by token id."""
        return kernels.Synonyms.from_entries(
            list(self.words.items()), list(self.exceptions.items()), self.english_suffixes
        )


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file, counted from 1, plain or gzipped."""
    for index, line in enumerate(texts_of(read_bytes(path), str(path))):
        yield index + 1, line


def fault(path: Path, line: int, what: str) -> InputError:
    """The error for one line of a dictionary."""
    return InputError(f"{path}, line {line}: {what}")


def set_number(text: str, path: Path, line: int) -> int:
    """The number of a set of synonyms."""
    if not (text.isascii() and text.isdigit()) or int(text) > LARGEST:
        raise fault(path, line, f"{text!r} is not the number of a set of synonyms, a whole number below 2^32.")
    return int(text)
