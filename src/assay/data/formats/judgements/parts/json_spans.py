"""Marked errors as JSON objects, in the spelling of each tool."""

from __future__ import annotations

from typing import Any

from assay.data.formats.judgements.parts.cells import TOO_LARGE, json_number, json_text
from assay.data.judgements import ErrorSpan
from assay.errors import InputError


def spans_of(value: Any, place: str, what: str) -> list[dict[str, Any]]:
    """The objects of a list of errors; nothing where it is null."""
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise InputError(f"{place}: {what} is {str(value)[:60]!r}, but a list of errors is needed: [{{...}}, ...].")
    return value


def span_from(
    error: dict[str, Any], place: str, *, start: str = "start", end: str = "end", inclusive: bool = False
) -> ErrorSpan:
    """One error. What has no number as its place (``missing``) belongs to the whole segment."""
    severity = json_text(error.get("severity"), place, "severity") or "undecided"
    first, last = error.get(start), error.get(end)
    if isinstance(first, str) or isinstance(last, str) or first is None or last is None:
        first = last = None
    elif not is_place(first) or not is_place(last):
        raise InputError(f"{place}: an error from {first!r} to {last!r}, but numbers of characters are needed.")
    else:
        # Who marks from right to left may leave the ends swapped.
        first, last = min(first, last), max(first, last) + inclusive
    weight = error.get("score")
    return ErrorSpan(
        severity,
        category_of(error.get("category", error.get("error_type")), place),
        first,
        last,
        bool(error.get("is_source_error", False)),
        None if weight is None else json_number(weight, place, "the score of an error"),
    )


def is_place(value: Any) -> bool:
    """Whether this is a number from 0 on that a segment or a character can have."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < TOO_LARGE


def category_of(value: Any, place: str) -> str:
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


def mtme_error(span: ErrorSpan) -> dict[str, Any]:
    """As mt-metrics-eval writes an error, which always has a place there: from 0 to 0 stands for none."""
    return {
        "start": span.start or 0,
        "end": span.end or 0,
        "category": span.category or None,
        "severity": span.severity,
        "score": span.weight,
        "is_source_error": span.in_source,
    }
