"""Pearmut's annotations: what counts, and which segment an item is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay.data.judgements import ErrorSpan
from assay.errors import AssayWarning, InputError
from data.judgements.campaigns import CAMPAIGN, read_text


def entry(user: str, item: int | str, names: list[str], annotation: Any, **more: Any) -> str:
    items = [{"item_id": name, "tgt": {"A": "Ein Haus."}, **more} for name in names]
    return json.dumps({"user_id": user, "item_i": item, "item": items, "annotation": annotation}) + "\n"


def said(score: float | None, *spans: dict[str, Any]) -> dict[str, Any]:
    return {"A": {"score": score, "error_spans": list(spans), "textfield": None}}


SPAN = {"start_i": 3, "end_i": 5, "severity": "minor", "category": None}


def test_the_last_entry_counts_and_a_reset_takes_back(tmp_path: Path) -> None:
    text = (
        entry("u", "welcome_0", ["tutorial"], [said(3)])
        + entry("u", 0, ["0", "1"], [said(50), said(60)])
        + entry("u", 0, ["0", "1"], [said(55, SPAN), None])
        + entry("v", 0, ["2"], [said(70)])
        + json.dumps({"user_id": "v", "item_i": 0, "annotation": "__RESET__"})
        + "\n"
        + entry("w", 1, ["3"], [said(9)], validation={"A": {"score": [1, 2]}})
    )
    expected = (
        "1 entries of tutorials and attention checks, 2 entries that the same user .*, 1 items that were skipped, 1 att"
    )
    with pytest.warns(AssayWarning, match=expected):
        (found,) = read_text(tmp_path, "log.jsonl", text)
    assert (found.system, found.segment, found.score, found.kind, found.rater) == ("A", 0, 55.0, "esa", "u")
    # The last character of a span is part of it.
    assert found.spans == (ErrorSpan("minor", "", 3, 6),)
    assert found.document == "d1"


def test_errors_behind_the_end_of_the_text_have_no_place(tmp_path: Path) -> None:
    # The text has 9 characters, and after them comes [missing].
    text = entry("u", 0, ["0"], [said(55, {**SPAN, "start_i": 10, "end_i": 18}, {**SPAN, "start_i": "missing"})])
    (found,) = read_text(tmp_path, "log.jsonl", text)
    assert found.spans == (ErrorSpan("minor"), ErrorSpan("minor"))


def test_items_are_placed_by_document_by_text_or_by_the_names_of_segments(tmp_path: Path) -> None:
    by_document = entry("u", 0, ["en-de_#_news_#_d2_#_1"], [said(1)])
    assert read_text(tmp_path, "a.jsonl", by_document).segment.tolist() == [3]
    by_text = entry("u", 0, ["anything"], [said(1)], src="Three.")
    assert read_text(tmp_path, "b.jsonl", by_text).segment.tolist() == [2]
    named = replace(CAMPAIGN, segments=("s1", "s2", "s3", "s4"))
    assert read_text(tmp_path, "c.jsonl", entry("u", 0, ["s2"], [said(1)]), campaign=named).segment.tolist() == [1]
    with pytest.raises(InputError, match="items have names such as 's2', so the campaign is needed"):
        read_text(tmp_path, "c.jsonl", entry("u", 0, ["s2"], [said(1)]), campaign=None)


def test_kinds_follow_from_what_was_asked(tmp_path: Path) -> None:
    assert read_text(tmp_path, "da.jsonl", entry("u", 0, ["0"], [said(1)])).kinds == ("da",)
    mqm = read_text(tmp_path, "mqm.jsonl", entry("u", 0, ["0"], [said(None, SPAN, {**SPAN, "severity": "major"})]))
    assert (mqm.kinds, mqm.score.tolist()) == (("mqm",), [-6.0])
    sliders = {"A": {"score": {"Fluency": 4, "Adequacy": 5}, "error_spans": []}}
    assert read_text(tmp_path, "sliders.jsonl", entry("u", 0, ["0"], [sliders])).kinds == ("fluency", "adequacy")


def test_the_older_shape_without_items_is_read(tmp_path: Path) -> None:
    text = json.dumps({"user_id": "eve", "item_i": 2, "annotation": {"A": {"score": 92, "error_spans": []}}}) + "\n"
    (found,) = read_text(tmp_path, "log.jsonl", text, campaign=None)
    assert (found.segment, found.rater, found.score) == (2, "eve", 92.0)
