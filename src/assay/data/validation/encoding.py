"""What is wrong with the bytes of a text file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.data.formats.lines import FOREIGN_MARKS, MARK
from assay.data.validation.finding import Finding, warning

#: How many findings of one sort are listed for a file.
LIMIT = 100


def encoding_findings(content: bytes, file: str) -> list[Finding]:
    """Marks, line ends, NUL and bytes that are not UTF-8, each with line and column."""
    for mark, encoding in FOREIGN_MARKS.items():
        if content.startswith(mark):
            return [Finding(file, f"the file is {encoding}, but text is UTF-8.", "error", 1, 1)]
    found = []
    if content.startswith(MARK):
        found.append(warning(file, "a byte order mark, which is not counted as text.", 1))
        content = content[len(MARK) :]
    return [*found, *_line_ends(content, file), *_bad_bytes(content, file)]


def _line_ends(content: bytes, file: str) -> list[Finding]:
    windows = content.count(b"\r\n")
    if not windows:
        return []
    line = content.count(b"\n", 0, content.index(b"\r\n")) + 1
    others = content.count(b"\n") - windows
    beside = f", and {others} in a line feed alone" if others else ""
    return [warning(file, f"{windows} lines end as on Windows (CR LF){beside}; both are read as line ends.", line)]


def _bad_bytes(content: bytes, file: str) -> Iterator[Finding]:
    for count, (position, byte) in enumerate(_flaws(content)):
        if count == LIMIT:
            yield Finding(file, f"more than {LIMIT} bytes are wrong; the others are not listed.")
            return
        start = content.rfind(b"\n", 0, position) + 1
        line = content.count(b"\n", 0, position) + 1
        column = len(content[start:position].decode(errors="replace")) + 1
        what = "a NUL byte" if byte == 0 else f"the byte 0x{byte:02x} is not valid UTF-8"
        yield Finding(file, f"{what}.", "error", line, column)


def _flaws(content: bytes) -> Iterator[tuple[int, int]]:
    """Where bytes are wrong, in order."""
    bad = [(found.start(), 0) for found in re.finditer(b"\0", content)][: LIMIT + 1]
    position = 0
    while position < len(content) and len(bad) <= 2 * LIMIT + 2:
        try:
            content[position:].decode()
            break
        except UnicodeDecodeError as error:
            bad.append((position + error.start, content[position + error.start]))
            position += error.end
    return iter(sorted(bad))
