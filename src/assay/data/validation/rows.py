"""All lines of a table that its reader refuses, not only the first.

A reader stops at the first bad line. It is asked again for what comes behind that line, and so on: every line is read
about once, whatever the format is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.data.formats.compression import plain_name
from assay.data.formats.lines import read_bytes
from assay.data.validation.encoding import LIMIT
from assay.data.validation.finding import Finding
from assay.errors import InputError

T = TypeVar("T")


def read_rows(
    path: str, read: Callable[[str], T], *, header: int
) -> tuple[T | None, NDArray[np.int64] | None, list[Finding]]:
    """What can be read, the numbers of its lines where some were left out, and what was found.

    ``header`` is how many lines stand before the rows.
    """
    try:
        return read(path), None, []
    except InputError as error:
        first = Finding.of_error(error, path)
    if not 0 < header < (first.line or 0) and not (header == 0 and first.line):
        return None, None, [first]
    lines = re.split(b"(?<=\n)", read_bytes(path))
    found = [first]
    with TemporaryDirectory() as folder:
        copy = str(Path(folder) / Path(plain_name(path)).name)
        while (last := found[-1].line) is not None and any(lines[last:]) and len(found) < LIMIT:
            further = _attempt(copy, read, [*lines[:header], *lines[last:]])
            if not isinstance(further, InputError):
                break
            flaw = Finding.of_error(further, copy)
            if flaw.line is None or flaw.line <= header:
                break
            found.append(Finding(path, flaw.message, flaw.severity, flaw.line + last - header, flaw.column))
        bad = {finding.line for finding in found}
        kept = [number for number in range(1, len(lines) + 1) if number not in bad]
        rest = _attempt(copy, read, [lines[number - 1] for number in kept])
    if len(found) >= LIMIT:
        found.append(Finding(path, f"more than {LIMIT} lines are wrong; the others are not listed."))
    return (None if isinstance(rest, InputError) else rest), np.array([0, *kept], dtype=np.int64), found


def _attempt(copy: str, read: Callable[[str], T], lines: list[bytes]) -> T | InputError:
    Path(copy).write_bytes(b"".join(lines))
    try:
        return read(copy)
    except InputError as error:
        return error
