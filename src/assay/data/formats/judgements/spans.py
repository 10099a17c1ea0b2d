"""Marked errors as formats spell them: objects of JSON, and marks in the text itself."""

from __future__ import annotations

import re
from typing import Any

from assay.data.json_lines import is_position, json_number, json_text
from assay.data.judgements import ErrorSpan
from assay.errors import InputError, Place

_OPEN, _CLOSE = "<v>", "</v>"
_MARK = re.compile(r"</?v>")


def unmarked(text: str) -> tuple[str, int | None, int | None]:
    """The text of an MQM table without its marks, and from where to where it was marked, in characters.

    An error in several parts reaches from the first mark to the last. A mark that nothing closes reaches to the end.

    >>> unmarked("This is <v>a error</v>.")
    ('This is a error.', 8, 15)
    """
    if "v>" not in text:
        return text, None, None
    pieces = _MARK.split(text)
    marks = _MARK.findall(text)
    clean = "".join(pieces)
    if not marks:
        return clean, None, None
    places = [sum(map(len, pieces[: index + 1])) for index in range(len(marks))]
    starts = [place for mark, place in zip(marks, places, strict=True) if mark == _OPEN]
    ends = [place for mark, place in zip(marks, places, strict=True) if mark == _CLOSE]
    return clean, min(starts, default=0), max(ends, default=len(clean))


def marked(text: str, start: int, end: int) -> str:
    """The text with marks around a part of it."""
    return f"{text[:start]}{_OPEN}{text[start:end]}{_CLOSE}{text[end:]}"


def marked_span(source: str, target: str, severity: str, category: str) -> ErrorSpan:
    """The error that a row of a table tells of; a mark in the target counts before one in the source."""
    for in_source, text in ((False, target), (True, source)):
        _, start, end = unmarked(text)
        if start is not None:
            return ErrorSpan(severity, category, start, end, in_source)
    return ErrorSpan(severity, category)


def error_objects(value: Any, place: Place, what: str) -> list[dict[str, Any]]:
    """The objects of a list of errors; nothing where it is null."""
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise InputError(f"{what} is {str(value)[:60]!r}, but a list of errors is needed: [{{...}}, ...].", place=place)
    return value


def span_of(
    error: dict[str, Any], place: Place, *, start: str = "start", end: str = "end", inclusive: bool = False
) -> ErrorSpan:
    """One error. What has no number as its place (``missing``) belongs to the whole segment."""
    severity = json_text(error.get("severity"), place, "severity") or "undecided"
    first, last = error.get(start), error.get(end)
    if isinstance(first, str) or isinstance(last, str) or first is None or last is None:
        first = last = None
    elif not is_position(first) or not is_position(last):
        raise InputError(f"an error from {first!r} to {last!r}, but numbers of characters are needed.", place=place)
    else:
        # Who marks from right to left may leave the ends swapped.
        first, last = min(first, last), max(first, last) + inclusive
    weight = error.get("score")
    return ErrorSpan(
        severity,
        _category(error.get("category", error.get("error_type")), place),
        first,
        last,
        bool(error.get("is_source_error", False)),
        None if weight is None else json_number(weight, place, "the score of an error"),
    )


def appraise_spans(value: Any, place: Place, what: str) -> tuple[ErrorSpan, ...]:
    """Errors as Appraise and Pearmut write them: the last character is part of an error."""
    errors = error_objects(value, place, what)
    return tuple(span_of(error, place, start="start_i", end="end_i", inclusive=True) for error in errors)


def _category(value: Any, place: Place) -> str:
    """A category, or the levels of one: ``["Accuracy", "Omission"]`` is ``Accuracy/Omission``."""
    if isinstance(value, list):
        return "/".join(json_text(part, place, "category") or "" for part in value)
    return json_text(value, place, "category") or ""


def appraise_error(span: ErrorSpan) -> dict[str, Any]:
    """As Appraise and Pearmut write an error: the last character is part of it, and places are in the target alone."""
    missing = span.start is None or span.end is None or span.in_source
    return {
        "start_i": "missing" if missing else span.start,
        "end_i": "missing" if missing or span.end is None else max(span.end - 1, span.start or 0),
        "severity": span.severity,
    }
