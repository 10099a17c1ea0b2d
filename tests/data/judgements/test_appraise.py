"""Appraise's CSV: what counts, and which segment an item is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.data.campaign import Campaign
from assay.data.judgements import ErrorSpan
from assay.errors import AssayWarning, InputError
from data.judgements.campaigns import CAMPAIGN, read_text


def line(
    item: int,
    document: str,
    *,
    system: str = "wmt.A",
    kind: str = "TGT",
    score: int = 80,
    spans: str = "[]",
    end: int = 9,
) -> str:
    quoted = spans.replace('"', '""')
    return f'u1,{system},{item},{kind},eng,deu,{score},{document},False,"{quoted}",1.5,{end}\n'


MINOR = (
    '[{"start_i":3,"end_i":5,"severity":"minor","error_type":null},'
    '{"start_i":"missing","end_i":"missing","severity":"major"}]'
)


def test_tutorials_checks_and_earlier_submissions_do_not_count(tmp_path: Path) -> None:
    text = (
        line(1, "ende-tutorial1", system="ende-tutorial1")
        + line(12, "d1#A", score=40, end=20)
        + line(12, "d1#A", score=55, end=30)
        + line(11, "d1#A", spans=MINOR)
        + line(13, "d2#A#bad1", kind="BAD")
    )
    said = "1 items of the tutorial, 1 items of type BAD, 1 submissions that the same user replaced"
    with pytest.warns(AssayWarning, match=said):
        found = list(read_text(tmp_path, "scores.csv", text))
    # Items 11 and 12 are the two segments of d1; the last character of a span is part of it.
    assert [(one.system, one.segment, one.document, one.score, one.kind) for one in found] == [
        ("A", 1, "d1", 55.0, "esa"),
        ("A", 0, "d1", 80.0, "esa"),
    ]
    assert found[1].spans == (ErrorSpan("minor", "", 3, 6), ErrorSpan("major"))
    assert found[1].further["start_time"] == "1.5"


def test_a_document_that_was_judged_in_part_is_left_out_without_the_batches(tmp_path: Path) -> None:
    text = line(5, "d1#A") + line(6, "d1#A") + line(7, "d2#A", score=33)
    with pytest.warns(AssayWarning, match="1 judgements of documents that were judged in part"):
        assert read_text(tmp_path, "scores.csv", text).segment.tolist() == [0, 1]
    items = [("d1#A", 5, "A house."), ("d1#A", 6, "Two houses."), ("d2#A", 7, "Four.")]
    batch = [{"documentID": name, "itemID": number, "sourceText": source} for name, number, source in items]
    other = [{"documentID": "d2#A", "itemID": 7, "sourceText": "Three."}]
    (tmp_path / "batches.json").write_text(json.dumps([{"items": other}, {"items": batch}]))
    assert read_text(tmp_path, "scores.csv", text).segment.tolist() == [0, 1, 3]
    with pytest.raises(InputError, match=r"line 4: item 8 of document 'd2#A' is not in the batches file"):
        read_text(tmp_path, "scores.csv", text + line(8, "d2#A"))


def test_scores_of_documents_have_no_segment(tmp_path: Path) -> None:
    lines = ("7,TGT,eng,deu,60,d1#A,True", "0,TGT,eng,deu,70,d1#A,False", "1,TGT,eng,deu,75,d1#A,False")
    text = "".join(f"u1,A,{line},1,2\n" for line in lines)
    found = list(read_text(tmp_path, "scores.csv", text))
    assert [(one.segment, one.document, one.score, one.kind) for one in found] == [
        (None, "d1", 60.0, "da"), (0, "d1", 70.0, "da"), (1, "d1", 75.0, "da"),
    ]  # fmt: skip


def test_plain_direct_assessment_counts_segments_of_the_test_set_and_keeps_repeats(tmp_path: Path) -> None:
    text = (
        "u1,newstest2019.B.6785.en-de,2,TGT,eng,deu,60\nu1,newstest2019.B.6785.en-de,2,CHK,eng,deu,66\n"
        "u1,newstest2019.B.6785.en-de,3,REF,eng,deu,99\n"
    )
    with pytest.warns(AssayWarning, match="left out were 1 items of type REF"):
        found = list(read_text(tmp_path, "scores.csv", text))
    assert [(one.system, one.segment, one.score, one.kind) for one in found] == [
        ("B", 2, 60.0, "da"),
        ("B", 2, 66.0, "da"),
    ]


def test_a_campaign_of_mqm_is_scored_by_its_errors(tmp_path: Path) -> None:
    # All scores are 0: 1 for the minor and 5 for the major error.
    text = line(1, "d1#A", score=0, spans=MINOR) + line(2, "d1#A", score=0)
    found = list(read_text(tmp_path, "scores.csv", text))
    assert [(one.score, one.kind) for one in found] == [(-6.0, "mqm"), (0.0, "mqm")]


def test_items_cannot_be_placed_without_documents(tmp_path: Path) -> None:
    nameless = Campaign("x", CAMPAIGN.systems, CAMPAIGN.references)
    for campaign in (None, nameless):
        with pytest.raises(InputError, match="a campaign that names its documents is needed"):
            read_text(tmp_path, "scores.csv", line(5, "d1#A"), campaign=campaign)
    with pytest.raises(InputError, match=r"line 1, field 8: the campaign has no document 'd9'"):
        read_text(tmp_path, "scores.csv", line(5, "d9#A"))
