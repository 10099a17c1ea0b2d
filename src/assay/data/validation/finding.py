"""What somebody found wrong, and where."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]

_PLACE = re.compile(r"(?:, line (\d+))?(?:, column (\d+)|, (field \d+))?: (.*)", re.DOTALL)


@dataclass(frozen=True)
class Finding:
    """An error makes a file unusable, or its numbers wrong; a warning is something that somebody should look at.

    Lines and columns count from 1.
    """

    file: str
    message: str
    severity: Severity = "error"
    line: int | None = None
    column: int | None = None

    @classmethod
    def of_error(cls, error: Exception, file: str) -> Finding:
        """What a reader refuses: its message begins with the file and the place.

        >>> Finding.of_error(ValueError("a.tsv, line 3, column 5: no number."), "a.tsv")
        Finding(file='a.tsv', message='no number.', severity='error', line=3, column=5)
        """
        text = str(error)
        # A folder's reader names the file in it.
        known = re.match(rf"{re.escape(file)}(?:/[^:,]+)?(?=,|:)", text)
        rest = _PLACE.fullmatch(text[known.end() :]) if known else None
        if known is None:
            return cls(file, text)
        if rest is None:
            return cls(known[0], text[known.end() :].lstrip(",: "))
        line, column, field, message = rest.groups()
        message = f"{field}: {message}" if field else message
        return cls(known[0], message, "error", int(line) if line else None, int(column) if column else None)

    @property
    def place(self) -> str:
        """``file:line:column``, as editors know it."""
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)


def warning(file: str, message: str, line: int | None = None) -> Finding:
    """Something to look at."""
    return Finding(file, message, "warning", line)
