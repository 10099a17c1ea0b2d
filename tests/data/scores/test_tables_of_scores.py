"""Tables of scores, with a campaign and without one."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.data.campaign import Campaign, only, segments_where
from assay.data.external import Lazily
from assay.data.formats import CAMPAIGN_FORMATS
from assay.data.formats.scores import SCORE_FORMATS
from assay.data.segmentation import merge
from assay.data.validation import check_path
from assay.errors import AssayWarning, InputError, UnknownName

TEXTS = Campaign(
    "test",
    systems={"A": ["a", "b", "c"], "B": ["a", "b", "c"]},
    references={"ref": ["a", "b", "c"]},
    documents=("d2", "d1", "d2"),
)
#: System A lacks item q2, and B's score of q1 is empty: of 2 x 3 scores two are missing.
LONG = "system\titem\tscore\nA\tq1\t0.5\nA\tq3\t-1e-3\nB\tq1\t\nB\tq2\t2\nB\tq3\t3\n"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def read(folder: Path, text: str, name: str = "judge.tsv") -> Campaign:
    return assay.read(write(folder, name, text))


def listed(campaign: Campaign, metric: str) -> dict[str, list[float | None]]:
    """Scores of segments by system, with None where one is missing."""
    segments = campaign.scores[metric].segments
    assert segments is not None
    return {
        name: [None if np.isnan(score) else score for score in scores.tolist()] for name, scores in segments.items()
    }


def test_a_long_table_is_a_campaign_without_texts(tmp_path: Path) -> None:
    with pytest.warns(AssayWarning, match=r"judge.tsv: 2 scores of 'judge' are missing \(A 1, B 1\)"):
        campaign = read(tmp_path, LONG)
    assert (campaign.name, campaign.has_texts, len(campaign)) == ("judge.tsv", False, 3)
    # Names that are no numbers stay in the order in which they come: q1, q3 of A, then q2.
    assert campaign.segments == ("q1", "q3", "q2")
    assert (tuple(campaign.systems), campaign.documents) == (("A", "B"), None)
    assert listed(campaign, "judge") == {"A": [0.5, -0.001, None], "B": [None, 3.0, 2.0]}
    assert campaign.scores["judge"].higher_is_better
    assert not campaign.scores["judge"].direction_known


def test_items_with_numbers_are_in_their_order(tmp_path: Path) -> None:
    campaign = read(tmp_path, "system,segment,score\nA,10,1\nA,2,2\nA,0,3\n", "m.csv")
    assert campaign.segments == ("0", "2", "10")
    assert listed(campaign, "m") == {"A": [3.0, 2.0, 1.0]}


def test_numbers_that_begin_anew_count_within_documents(tmp_path: Path) -> None:
    rows = "A\td2\t1\t.1\nA\td2\t0\t.2\nA\td1\t0\t.3\nB\td1\t0\t.4\nB\td2\t0\t.5\nB\td2\t1\t.6\n"
    text = f"system\tdocument\tsegment\tscore\n{rows}"
    campaign = read(tmp_path, text, "m.tsv")
    assert campaign.segments == ("d2:0", "d2:1", "d1:0")
    assert campaign.documents == ("d2", "d2", "d1")
    assert listed(campaign, "m") == {"A": [0.2, 0.1, 0.3], "B": [0.5, 0.6, 0.4]}
    # In a campaign the segments of d2 are 0 and 2, the one of d1 is 1.
    (found,) = assay.read_scores(write(tmp_path, "m.tsv", text), TEXTS)
    assert found.segments is not None
    assert {name: scores.tolist() for name, scores in found.segments.items()} == {
        "A": [0.2, 0.3, 0.1],
        "B": [0.5, 0.4, 0.6],
    }


def test_numbers_over_the_whole_test_set_may_stand_beside_documents(tmp_path: Path) -> None:
    text = "system\tdocument\tsegment\tscore\nA\td2\t0\t1\nA\td1\t1\t2\nA\td2\t2\t3\n"
    with pytest.warns(AssayWarning, match="no scores of m for segments: B"):
        (found,) = assay.read_scores(write(tmp_path, "m.tsv", text), TEXTS)
    assert found.segments is not None
    assert found.segments["A"].tolist() == [1.0, 2.0, 3.0]
    assert assay.read(tmp_path / "m.tsv").segments == ("0", "1", "2")


def test_one_document_that_contradicts_the_numbers_counts_by_itself(tmp_path: Path) -> None:
    # Segment 0 of the campaign is of d2, so that 0 of d1 can only be its first: segment 1.
    text = "system\tdocument\tsegment\tscore\nA\td1\t0\t7\nB\td1\t0\t8\n"
    with pytest.warns(AssayWarning, match=r"4 scores of 'm' are missing \(A 2, B 2\)"):
        (found,) = assay.read_scores(write(tmp_path, "m.tsv", text), TEXTS)
    assert found.segments is not None
    assert (found.segments["A"][1], found.segments["B"][1]) == (7.0, 8.0)
    beyond = write(tmp_path, "m.tsv", text.replace("B\td1\t0", "B\td1\t2"))
    with pytest.raises(InputError, match=r"line 3: the segment is '2' of document 'd1', which has 1, numbered from 0"):
        assay.read_scores(beyond, TEXTS)


def test_labels_of_items_are_those_of_the_campaign(tmp_path: Path) -> None:
    text = (
        "system\titem\tdomain\tcluster\tscore\nA\tx\tnews\tc1\t1\nA\ty\tchat\tc2\t2\nB\tx\tnews\tc1\t3\nB\ty\t\tc2\t4\n"
    )
    campaign = read(tmp_path, text, "m.tsv")
    # Without documents, clusters are what is drawn as a whole.
    assert (campaign.documents, campaign.domains) == (("c1", "c2"), ("news", "chat"))
    both = read(tmp_path, text.replace("domain", "document").replace("B\ty\t\t", "B\ty\tchat\t"), "m.tsv")
    assert (both.documents, list(both.columns["cluster"])) == (("news", "chat"), ["c1", "c2"])
    with pytest.raises(
        InputError, match=r"line 4: the domain of segment 'x' of document 'c1' of 'B' is 'chat', and 'news'"
    ):
        read(tmp_path, text.replace("B\tx\tnews", "B\tx\tchat"))
    with pytest.raises(InputError, match=r"line 3: segment 'y' has no document, but others have one"):
        read(tmp_path, "system\titem\tdocument\tscore\nA\tx\td\t1\nA\ty\t\t2\n")


def test_wide_tables_have_a_column_per_metric_or_per_system(tmp_path: Path) -> None:
    with pytest.warns(AssayWarning, match=r"1 score of 'n' is missing \(A 1\)"):
        by_metric = read(tmp_path, "system\titem\tm\tn\nA\t0\t1\t2\nA\t1\t3\tNA\n", "x.tsv")
    assert [*by_metric.scores] == ["m", "n"]
    assert listed(by_metric, "n") == {"A": [2.0, None]}
    with pytest.warns(AssayWarning, match=r"COMET.csv: 1 score of 'COMET' is missing \(B 1\)"):
        by_system = read(tmp_path, "item,A,B\n0,1,2\n1,3,nan\n", "COMET.csv")
    assert [*by_system.scores] == ["COMET"]
    assert listed(by_system, "COMET") == {"A": [1.0, 3.0], "B": [2.0, None]}
    (found,) = assay.read_scores(write(tmp_path, "x.tsv", "segment\tA\tB\n2\t1\t2\n0\t3\t4\n1\t5\t6\n"), TEXTS)
    assert found.segments is not None
    assert found.segments["B"].tolist() == [4.0, 6.0, 2.0]


def test_runs_are_systems_of_their_own_or_runs_of_the_metric(tmp_path: Path) -> None:
    text = "system\titem\trun\tscore\nA\t0\t1\t.1\nA\t0\t2\t.2\nA\t1\t1\t.3\nA\t1\t2\t.4\nB\t0\t\t.5\nB\t1\t\t.6\n"
    campaign = read(tmp_path, text, "m.tsv")
    assert listed(campaign, "m") == {"A@1": [0.1, 0.3], "A@2": [0.2, 0.4], "B": [0.5, 0.6]}
    # The campaign has one text of A: then it was judged twice.
    two = Campaign("two", {"A": ["x", "y"]}, {"r": ["x", "y"]})
    judged = assay.read_scores(write(tmp_path, "m.tsv", text.replace("B\t0\t\t.5\nB\t1\t\t.6\n", "")), two)
    assert {one.name: one.segments and one.segments["A"].tolist() for one in judged} == {
        "m@1": [0.1, 0.3],
        "m@2": [0.2, 0.4],
    }
    runs = Campaign("runs", {"A@1": ["x", "y"], "A@2": ["x", "y"]}, {"r": ["x", "y"]})
    with pytest.warns(AssayWarning, match=r"2 scores are of systems that runs does not have.*'B' \(2\)"):
        (found,) = assay.read_scores(write(tmp_path, "m.tsv", text), runs)
    assert found.segments is not None
    assert found.segments["A@2"].tolist() == [0.2, 0.4]


def test_other_levels_need_no_segments(tmp_path: Path) -> None:
    campaign = read(tmp_path, "metric\tsystem\tdocument\tscore\nm\tA\td1\t1\nm\tA\td2\t2\nm\tA\t\t3\n", "x.tsv")
    scores = campaign.scores["m"]
    assert (len(campaign), scores.levels) == (0, ("documents", "systems"))
    assert (scores.documents, scores.systems) == ({"A": {"d1": 1.0, "d2": 2.0}}, {"A": 3.0})


def test_segments_and_systems_of_scores_can_be_chosen(tmp_path: Path) -> None:
    rows = "".join(f"{name}\td{item // 2}\t{item}\t{item}\n" for name in ("A-1", "A-2", "B") for item in range(4))
    campaign = read(tmp_path, f"system\tdocument\titem\tscore\n{rows}", "m.tsv")
    chosen = only(campaign, segments_where(campaign, "document=d1"))
    assert (len(chosen), chosen.segments, chosen.documents) == (2, ("2", "3"), ("d1", "d1"))
    assert listed(chosen, "m")["B"] == [2.0, 3.0]
    assert (chosen.whole, chosen.places is not None and chosen.places.tolist()) == (campaign, [2, 3])
    assert tuple(campaign.choose(systems="A-*").systems) == ("A-1", "A-2")
    assert tuple(campaign.choose().systems) == ("A-1", "A-2", "B")
    with pytest.raises(UnknownName, match="no system 'C'"):
        campaign.choose(systems="C")


BEYOND = "1" + "0" * 31


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "A\t0\t1\n",
            "line 1: the first line has numbers, so the header is missing. A table of scores has the columns",
        ),
        ("system\titem\tscore\nA\t0\t1_0\n", "line 2: the score is '1_0', but a number is needed, or None where there"),
        ("system\titem\tscore\nA\t0\t1_0\n", "Write its digits alone: 10"),
        ("system\titem\tscore\nA\t0\t1,5\n", "Write it with a decimal point: 1.5"),
        ("system\titem\tscore\nA\t0\tgood\n", "line 2: the score is 'good', but a number is needed"),
        ("system\titem\tscore\nA\t0\tNAN\n", "line 2: the score is 'NAN', but a number is needed"),
        ("system\titem\tscore\nA\t0\tinf\n", "line 2: the score is 'inf', but a number is needed"),
        (f"system\titem\tscore\nA\t0\t1\nA\t1\t{BEYOND}\n", "line 3: the score is 1e+31, but none may be larger than"),
        ("system\titem\tm\tn\nA\t0\t1\tx\n", "line 2: the score 'n' is 'x', but a number is needed"),
        ("system\titem\tscore\nA\t0\t1\nB\t0\t1\nA\t0\t1\n", "line 4: a second score of 'm' for segment 0 of 'A'; the"),
        ("system\titem\tscore\nA\t0\t1\nB\t0\t1\nA\t0\t1\n", "the first is in line 2. Keep one of them."),
        ("system\tscore\nA\t1\nA\t2\n", "line 3: a second score of 'm' for system 'A'; the first is in line 2"),
        ("system\titem\tscore\n\t0\t1\n", "line 2: no system is named"),
        ("system\titem\tsegment\tscore\nA\t0\t0\t1\n", "line 1: both a column 'segment' and a column 'item'"),
        ("system\titem\n", "neither a column 'score' nor one column per metric"),
        ("item\tscore\n0\t1\n", "line 1: no column 'system'"),
        ("system\titem\tscore\n", "there are no scores in it"),
    ],
)
def test_what_is_wrong_is_named_by_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        assay.read(write(tmp_path, "m.tsv", text), input_format="scores")
    assert message in str(caught.value)


def test_a_table_without_a_header_is_known_by_its_numbers(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the header is missing"):
        assay.read(write(tmp_path, "m.tsv", "A\t0\t0.5\nA\t1\t0.7\n"))


def test_tables_of_texts_and_of_judgements_are_none_of_scores(tmp_path: Path) -> None:
    texts = read(tmp_path, "segment\treference\tA\n0\ta\tb\n", "t.tsv")
    assert texts.has_texts
    with pytest.raises(InputError, match="no column called reference"):
        read(tmp_path, "system\tsegment\trater\tscore\nA\t0\tr1\t5\n", "t.tsv")


def test_a_table_is_one_of_scores_by_its_name(tmp_path: Path) -> None:
    # Any table of systems, segments and scores might as well have judgements.
    for name, kind, severities in (("scores.m.tsv", "scores", ["error"]), ("m.tsv", "assay", ["error", "error"])):
        path = write(tmp_path, name, "system\tsegment\tscore\nA\tq1\t1\nA\tq2\t1,5\n")
        found, findings = check_path(path)
        assert (found, [one.severity for one in findings]) == (kind, severities)


def test_a_half_empty_system_is_named(tmp_path: Path) -> None:
    rows = [f"{name}\t{item}\t1\n" for name in "AB" for item in range(10) if name == "A" or item < 5]
    with pytest.warns(AssayWarning, match=r"5 scores of 'm' are missing \(B 5\)"):
        read(tmp_path, "system\titem\tscore\n" + "".join(rows), "m.tsv")


def test_many_systems_that_lack_scores_are_not_all_listed(tmp_path: Path) -> None:
    rows = [f"s{number}\t{item}\t1\n" for number in range(7) for item in range(10 - number)]
    with pytest.warns(
        AssayWarning, match=r"21 scores of 'm' are missing \(s6 6, s5 5, s4 4, s3 3, s2 2 and 1 others\)"
    ):
        read(tmp_path, "system\titem\tscore\n" + "".join(rows), "m.tsv")


def folder(path: Path, **files: str) -> Path:
    for name in ("ref.r", "sys.A", "sys.B"):
        write(path, f"{name}.txt", "one\ntwo\nthree\n")
    for name, text in files.items():
        write(path, f"scores.{name}.tsv", text)
    return path


def test_scores_beside_texts_are_read_when_they_are_needed(tmp_path: Path) -> None:
    good = "system\tsegment\tscore\n" + "".join(f"{name}\t{item}\t{item}\n" for name in "AB" for item in range(3))
    campaign = assay.read(folder(tmp_path, judge=good, bad="system\tsegment\tscore\nA\t7\t1\n"))
    assert isinstance(campaign.scores, Lazily)
    assert ([*campaign.scores], campaign.has_texts, len(campaign)) == (["bad", "judge"], True, 3)
    assert campaign.scores["judge"] is campaign.scores["judge"]
    assert listed(campaign, "judge")["B"] == [0.0, 1.0, 2.0]
    chosen = only(campaign, np.array([2, 0])).choose(systems="B")
    assert listed(chosen, "judge") == {"B": [2.0, 0.0]}
    with pytest.raises(
        InputError, match=r"scores.bad.tsv, line 2: the segment is '7', but the campaign has 3 segments"
    ):
        _ = chosen.scores["bad"]


def test_a_folder_keeps_scores_and_other_formats_say_that_they_do_not(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    good = "system\tsegment\tscore\n" + "".join(f"{name}\t{item}\t{item}\n" for name in "AB" for item in range(3))
    campaign = assay.read(folder(tmp_path / "a", judge=good))
    written = assay.write(campaign, tmp_path / "b")
    assert tmp_path / "b" / "scores.judge.tsv" in written
    assert listed(assay.read(tmp_path / "b"), "judge") == listed(campaign, "judge")
    with pytest.warns(AssayWarning, match=r"c.jsonl has no place for the scores of judge; a folder keeps them"):
        assay.write(campaign, tmp_path / "c.jsonl")
    with pytest.warns(AssayWarning, match=r"d.tsv has scores alone, and no place for texts and judgements"):
        (table,) = assay.write(campaign, tmp_path / "d.tsv", output_format="scores")
    assert listed(assay.read(table), "judge") == listed(campaign, "judge")
    labelled = replace(campaign, columns={"part": ["x", "x", "y"]})
    with pytest.warns(AssayWarning, match="scores of judge are of unmerged segments and are left out"):
        merged, _ = merge(labelled, "part")
    assert (len(merged), dict(merged.scores)) == (2, {})


def test_a_file_of_a_folder_has_the_metric_that_it_is_named_after(tmp_path: Path) -> None:
    campaign = assay.read(folder(tmp_path, judge="metric\tsystem\tsegment\tscore\nother\tA\t0\t1\n"))
    with (
        pytest.warns(AssayWarning),
        pytest.raises(InputError, match="scores of other, but a file of that name has those of judge"),
    ):
        _ = campaign.scores["judge"]
    (tmp_path / "scores.judge.tsv.gz").write_bytes(gzip.compress(b"system\tsegment\tscore\n"))
    with pytest.raises(InputError, match=r"both scores.judge.tsv and scores.judge.tsv.gz are there"):
        assay.read(tmp_path)


def test_a_folder_of_scores_is_one_campaign_and_may_have_judgements(tmp_path: Path) -> None:
    write(tmp_path, "scores.m.tsv", "system\titem\tscore\nA\t0\t1\nA\t1\t2\n")
    write(tmp_path, "scores.n.tsv", "system\titem\tscore\nA\t1\t4\nA\t0\t3\n")
    write(tmp_path, "human.tsv", "system\tsegment\trater\tscore\tkind\nA\t1\tr1\t90\tda\n")
    write(tmp_path, "notes.txt", "nothing of use\n")
    with pytest.warns(AssayWarning, match=r"not read, for no format of scores is known by it: notes.txt"):
        campaign = assay.read(tmp_path)
    assert (listed(campaign, "m"), listed(campaign, "n")) == ({"A": [1.0, 2.0]}, {"A": [3.0, 4.0]})
    assert campaign.judgements is not None
    assert campaign.judgements.score.tolist() == [90.0]


def test_two_files_may_share_a_metric_but_no_item(tmp_path: Path) -> None:
    write(tmp_path, "a.tsv", "metric\tsystem\titem\tscore\nm\tA\t0\t1\n")
    write(tmp_path, "b.tsv", "metric\tsystem\titem\tscore\nm\tB\t0\t2\n")
    assert listed(assay.read(tmp_path), "m") == {"A": [1.0], "B": [2.0]}
    write(tmp_path, "b.tsv", "metric\tsystem\titem\tscore\nm\tA\t0\t2\n")
    with pytest.raises(InputError, match=r"b.tsv, line 2: a second score of 'm' for segment 0 of 'A'; .*a.tsv, line 2"):
        assay.read(tmp_path)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    rows = "m\tA\t0\td1\tnews\t0.1\nm\tA\t0\td2\tchat\t-\nm\tA\t-\td1\t-\t0.3\nm\tA\t-\t-\tchat\t2\nm\tA\t-\t-\t-\t4\n"
    text = f"metric\tsystem\tsegment\tdocument\tdomain\tscore\n{rows}"
    with pytest.warns(AssayWarning, match="1 score of 'm' is missing"):
        first = read(tmp_path, text, "x.tsv")
    (path,) = assay.write(first, tmp_path / "y.tsv", output_format="scores")
    with pytest.warns(AssayWarning, match="1 score of 'm' is missing"):
        second = assay.read(path)
    assert path.read_text() == text.replace("\t0\td1\t", "\td1:0\td1\t").replace("\t0\td2\t", "\td2:0\td2\t")
    assert (second.segments, second.documents, second.domains) == (first.segments, first.documents, first.domains)
    for level in ("documents", "domains", "systems"):
        assert getattr(second.scores["m"], level) == getattr(first.scores["m"], level)


def test_every_format_of_scores_can_be_named() -> None:
    named = {name for name, (where, _) in CAMPAIGN_FORMATS.items() if where == "scored:format_of"}
    assert named == {*SCORE_FORMATS}
