"""Errors marked in the text itself, as MQM tables have them: ``This is <v>a error</v>.``"""

from __future__ import annotations

import re

from assay.data.judgements import ErrorSpan

OPEN, CLOSE = "<v>", "</v>"
MARK = re.compile(r"</?v>")


def unmarked(text: str) -> tuple[str, int | None, int | None]:
    """The text without its marks, and from where to where it was marked, in characters.

    An error in several parts reaches from the first mark to the last. A mark that nothing closes reaches to the end.

    >>> unmarked("This is <v>a error</v>.")
    ('This is a error.', 8, 15)
    """
    if "v>" not in text:
        return text, None, None
    pieces = MARK.split(text)
    marks = MARK.findall(text)
    clean = "".join(pieces)
    if not marks:
        return clean, None, None
    places = [sum(map(len, pieces[: index + 1])) for index in range(len(marks))]
    starts = [place for mark, place in zip(marks, places, strict=True) if mark == OPEN]
    ends = [place for mark, place in zip(marks, places, strict=True) if mark == CLOSE]
    return clean, min(starts, default=0), max(ends, default=len(clean))


def marked(text: str, start: int, end: int) -> str:
    """The text with marks around a part of it."""
    return f"{text[:start]}{OPEN}{text[start:end]}{CLOSE}{text[end:]}"


def span_of(source: str, target: str, severity: str, category: str) -> ErrorSpan:
    """The error that a row of a table tells of; a mark in the target counts before one in the source."""
    for in_source, text in ((False, target), (True, source)):
        _, start, end = unmarked(text)
        if start is not None:
            return ErrorSpan(severity, category, start, end, in_source)
    return ErrorSpan(severity, category)
