"""Rankings as tables, as WMT's CSV with one line per ranking, and as pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.judgements import Judgement, Judgements
from assay.errors import AssayWarning, InputError
from data.judgements.campaigns import read_text

WIDE = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,"
    "system3Number,system3Id,system1rank,system2rank,system3rank\n"
)


def test_ranks_become_scores_and_what_was_not_ranked_is_counted(tmp_path: Path) -> None:
    text = (
        "ranking\tsegment\tdocument\trater\tsystem\trank\n"
        "7\t0\td1\tj1\tA\t2\n7\t0\td1\tj1\tB\t1\n7\t0\td1\tj1\tC\t-1\n8\t1\td1\tj1\tA\t1\n"
    )
    with pytest.warns(AssayWarning) as caught:
        found = list(read_text(tmp_path, "rankings.tsv", text))
    assert [(one.system, one.score, one.ranking) for one in found] == [
        ("A", -2.0, "7"),
        ("B", -1.0, "7"),
        ("A", -1.0, "8"),
    ]
    assert "left out were 1 translations that were not ranked" in str(caught[0].message)
    assert "1 ranking has one translation only, which compares nothing" in str(caught[1].message)


def test_rankings_without_ids_are_told_apart(tmp_path: Path) -> None:
    text = "segment\trater\tsystem\trank\n0\tj1\tA\t2\n0\tj1\tB\t1\n0\tj2\tA\t1\n0\tj2\tB\t1\n"
    assert list(read_text(tmp_path, "rankings.tsv", text).ranking) == ["1", "1", "2", "2"]


def test_wmts_lines_count_segments_from_1(tmp_path: Path) -> None:
    text = WIDE + (
        "Czech,English,1,-1,-1,j1,4,A,5,B,6,C,2,1,-1\n"
        "Czech,English,4,-1,-1,j2,4,A,5,newstest2012.B.cs-en,6,C,1,1,5\n"
    )  # fmt: skip
    with pytest.warns(AssayWarning, match="1 translations that were not ranked"):
        found = list(read_text(tmp_path, "wmt12.RNK_results.csv", text))
    assert [(one.system, one.segment, one.score, one.ranking) for one in found] == [
        ("A", 0, -2.0, "1"), ("B", 0, -1.0, "1"), ("A", 3, -1.0, "2"), ("B", 3, -1.0, "2"), ("C", 3, -5.0, "2"),
    ]  # fmt: skip
    assert {one.kind for one in found} == {"rr-rank"}


def test_each_pair_of_languages_is_a_kind_of_its_own(tmp_path: Path) -> None:
    text = WIDE + "Czech,English,1,-1,-1,j1,4,A,5,B,6,C,2,1,3\nEnglish,Czech,1,-1,-1,j1,4,A,5,B,6,C,2,1,3\n"
    found = read_text(tmp_path, "rankings.csv", text)
    assert found.kinds == ("rr-rank.Czech-English", "rr-rank.English-Czech")
    assert len(found.of_kinds("*.Czech-English")) == 3


PAIRS = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"


def test_pairs_of_one_ranking_are_put_together(tmp_path: Path) -> None:
    text = PAIRS + "cze,eng,2,2,j1,A,5,B,3,1\ncze,eng,2,2,j1,A,5,C,4,1\ncze,eng,2,2,j1,B,3,C,4,1\n"
    found = list(read_text(tmp_path, "pairs.csv", text))
    assert [(one.system, one.segment, one.score) for one in found] == [("A", 1, -5.0), ("B", 1, -3.0), ("C", 1, -4.0)]
    with pytest.raises(InputError, match=r"line 3, field 7: the rank of 'A' is 4, but it was 5 in the same ranking"):
        read_text(tmp_path, "pairs.csv", PAIRS + "cze,eng,2,2,j1,A,5,B,3,1\ncze,eng,2,2,j1,A,4,C,4,1\n")


def test_a_system_twice_in_one_ranking_is_refused(tmp_path: Path) -> None:
    text = "ranking\tsegment\tsystem\trank\n1\t0\tA\t2\n1\t0\tA\t1\n"
    with pytest.raises(InputError, match=r"line 3: ranking '1' has system 'A' twice"):
        read_text(tmp_path, "rankings.tsv", text)


def test_only_ranks_are_written_as_rankings() -> None:
    scores = Judgements.of([Judgement("A", 0, 80.0, "da")], "human.tsv")
    with pytest.raises(InputError, match=r"the score 80 \(da\) is not minus a rank, and ranking holds nothing else"):
        JUDGEMENT_FORMATS["ranking"].write(scores, None)
