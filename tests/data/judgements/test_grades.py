"""Tables of grades: adequacy and fluency, or one column per rater."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import InputError
from data.judgements.campaigns import read_text


def test_each_column_is_a_kind(tmp_path: Path) -> None:
    text = "sysid\tdocid\tsegid\tjudge\tAdequacy\tFluency\nA\td1\t1\tj1\t4\t5\nA\td1\t2\tj1\t1\tNA\nA\td2\t2\tj1\t\t3\n"
    found = list(read_text(tmp_path, "ldc.tsv", text))
    # The campaign tells that segments are counted within their documents, from 1.
    assert [(one.segment, one.document, one.kind, one.score, one.rater) for one in found] == [
        (0, "d1", "adequacy", 4.0, "j1"), (0, "d1", "fluency", 5.0, "j1"),
        (1, "d1", "adequacy", 1.0, "j1"), (3, "d2", "fluency", 3.0, "j1"),
    ]  # fmt: skip


def test_numbers_that_begin_anew_with_each_document_need_the_campaign(tmp_path: Path) -> None:
    text = "system,document,segment,judge,adequacy\nA,d1,1,j1,4\nA,d2,1,j1,3\n"
    assert read_text(tmp_path, "ldc.csv", text).segment.tolist() == [0, 2]
    with pytest.raises(InputError, match="segments are numbered within documents, so the campaign is needed"):
        read_text(tmp_path, "ldc.csv", text, campaign=None)


@pytest.mark.parametrize(("column", "segments"), [("segment", [1, 2]), ("seg_id", [0, 1])])
def test_without_a_campaign_the_name_of_the_column_tells_where_counting_begins(
    tmp_path: Path, column: str, segments: list[int]
) -> None:
    text = f"system\t{column}\tacceptability\nA\t1\t4\nA\t2\t3\n"
    assert read_text(tmp_path, "grades.tsv", text, campaign=None).segment.tolist() == segments


def test_columns_called_after_raters_are_one_kind(tmp_path: Path) -> None:
    text = "system\tsegment\tannotator1\tannotator2\nA\t0\t4\t5\nA\t1\t-\t2\n"
    found = list(read_text(tmp_path, "grades.tsv", text))
    assert [(one.segment, one.rater, one.score, one.kind) for one in found] == [
        (0, "annotator1", 4.0, "score"), (0, "annotator2", 5.0, "score"), (1, "annotator2", 2.0, "score"),
    ]  # fmt: skip
