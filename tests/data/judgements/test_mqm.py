"""MQM tables as Google, Marot and Unbabel write them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from assay.data.campaign import Campaign
from assay.data.formats.judgements import read_judgements
from assay.data.formats.judgements.mqm import _unmarked
from assay.data.judgements import ErrorSpan
from assay.errors import AssayWarning, InputError
from data.judgements.campaigns import CAMPAIGN, read_text

GOOGLE = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
MAROT = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\n"


def test_errors_of_one_rater_and_segment_are_one_judgement(tmp_path: Path) -> None:
    # 5 for the major error, 0.1 for the minor one of punctuation; quotation marks are text.
    text = (
        GOOGLE
        + 'A\td1\t2\t2\tr1\tTwo houses.\t<v>Zwei</v> "Häuser.\tAccuracy/Mistranslation\tMajor\n'
        + 'A\td1\t2\t2\tr1\tTwo houses.\tZwei "Häuser<v>.</v>\tFluency/Punctuation\tMinor\n'
        + "A\td1\t2\t2\tr2\tTwo houses.\tZwei Häuser.\tNo-error\tNo-error\n"
        + "A\td1\t2\t2\tr3\tTwo <v>houses</v>.\tZwei.\tAccuracy/Omission\tMajor\n"
    )
    found = list(read_text(tmp_path, "mqm.tsv", text, campaign=None))
    assert [(one.rater, one.segment, one.score) for one in found] == [("r1", 1, -5.1), ("r2", 1, 0.0), ("r3", 1, -5.0)]
    assert found[0].spans == (
        ErrorSpan("Major", "Accuracy/Mistranslation", 0, 4),
        ErrorSpan("Minor", "Fluency/Punctuation", 12, 13),
    )
    assert found[1].spans == ()
    assert found[2].spans == (ErrorSpan("Major", "Accuracy/Omission", 4, 10, in_source=True),)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no marks", ("no marks", None, None)),
        ("<v></v>empty", ("empty", 0, 0)),
        ("a <v>b</v> c <v>d</v>", ("a b c d", 2, 7)),
        ("never <v>closed", ("never closed", 6, 12)),
    ],
)
def test_marks_are_counted_in_characters_of_the_plain_text(
    text: str, found: tuple[str, int | None, int | None]
) -> None:
    assert _unmarked(text) == found


def rows(*numbers: tuple[int, int], header: str = GOOGLE) -> str:
    """Rows without errors of segments 1 and 3 under some numbering: within the document, overall."""
    (within, overall), (other_within, other_overall) = numbers
    end = "\t{}" if header == MAROT else ""
    return (
        header
        + f"A\td1\t{within}\t{overall}\tr1\tTwo houses.\tZwei.\tNo-error\tNo-error{end}\n"
        + f"A\td2\t{other_within}\t{other_overall}\tr1\tFour.\tVier.\tno-error\tno-error{end}\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        rows((2, 2), (2, 4)),
        rows((1, 1), (1, 3)),
        rows((2, 0), (2, 0), header=MAROT),
        rows((1, 0), (1, 0), header=MAROT),
        rows((2, 17), (2, 42)),
    ],
)
def test_the_campaign_tells_how_segments_are_counted(tmp_path: Path, text: str) -> None:
    # From 1 or from 0, over the test set or within documents, or, where no way fits, by the text of the source.
    assert read_text(tmp_path, "mqm.tsv", text).segment.tolist() == [1, 3]


def test_without_a_campaign_numbers_count_from_1_unless_one_is_0(tmp_path: Path) -> None:
    assert read_text(tmp_path, "a.tsv", rows((1, 2), (1, 4)), campaign=None).segment.tolist() == [1, 3]
    assert read_text(tmp_path, "b.tsv", rows((1, 0), (1, 4)), campaign=None).segment.tolist() == [0, 4]
    with pytest.raises(InputError, match="every line has the same number of segment, 0, so the campaign is needed"):
        read_text(tmp_path, "c.tsv", rows((1, 0), (2, 0), header=MAROT), campaign=None)


def test_a_text_that_differs_here_and_there_is_a_note(tmp_path: Path) -> None:
    many = Campaign("many", {"A": ["x"] * 20}, {"r": ["x"] * 20}, source=[f"text {number}" for number in range(20)])
    lines = [f"A\td\t{n + 1}\t{n + 1}\tr1\ttext {n}\tx\tNo-error\tNo-error\n" for n in range(20)]
    lines[3] = lines[3].replace("text 3", "another text")
    with pytest.warns(
        AssayWarning, match=r"1 of 20 texts .* not those of the campaign; .* counting the whole test set from 1"
    ):
        assert read_text(tmp_path, "mqm.tsv", GOOGLE + "".join(lines), campaign=many).segment.tolist() == list(
            range(20)
        )
    lines[4] = lines[4].replace("text 4", "another text")
    with pytest.raises(InputError, match=r"line 5: its source .* 2 of 20 items do not fit"):
        read_text(tmp_path, "mqm.tsv", GOOGLE + "".join(lines), campaign=many)


def test_another_campaign_is_noticed(tmp_path: Path) -> None:
    other = Campaign("other", {"A": ["x"] * 4}, {"r": ["x"] * 4}, source=["x"] * 4, documents=("d1", "d1", "d2", "d2"))
    with pytest.raises(
        InputError, match=r"line 2: its source or document is not that of segment 1 .*Is this the campaign"
    ):
        read_text(tmp_path, "mqm.tsv", rows((2, 2), (2, 4)), campaign=other)
    text = rows((97, 98), (98, 99)).replace("Two houses.", "?").replace("Four.", "?")
    with pytest.raises(InputError, match=r"line 2: segment 98 of document 'd1' is none of the campaign's 4 segments"):
        read_text(tmp_path, "mqm.tsv", text, campaign=CAMPAIGN)


def test_marot_rows_that_are_no_judgements_are_counted_and_said(tmp_path: Path) -> None:
    canary = "This is a canary line that asks not to train on this file.\n"
    text = canary + MAROT + (
        "A\td1\t1\t1\t\tA house.\tEin Haus.\t\t\t{}\n"
        "A\td1\t1\t1\tr1\tA house.\tEin <v>Haus</v>.\tOther\tHOTW-test\t{}\n"
        'A\td1\t1\t1\tr1\tA house.\tEin <v>Haus</v>.\tSource issue\tMajor\t{"note": "odd"}\n'
        "A\td1\t2\t2\tr1\tTwo houses.\tZwei.\tOther\tUnrateable\t{}\n"
    )  # fmt: skip
    with pytest.warns(
        AssayWarning, match=r"left out were 1 rows without a rater.*, 1 rows that test the rater's attention"
    ):
        found = list(read_text(tmp_path, "mqm.tsv", text))
    # An issue of the source costs nothing since 2023, and what could not be rated has no score.
    assert found[0].score == 0.0
    assert found[0].further == {"metadata": '{"note": "odd"}'}
    assert found[1].score != found[1].score
    assert found[1].spans is None


def test_programs_that_mark_errors_are_a_kind_of_their_own(tmp_path: Path) -> None:
    text = MAROT + "".join(
        f"A\td1\t1\t1\t{rater}\tA house.\tEin <v>Haus</v>.\tOther\tMajor\t{{}}\n" for rater in ("r1", "AutoMQM-x")
    )
    assert [(one.kind, one.rater) for one in read_text(tmp_path, "mqm.tsv", text)] == [
        ("mqm", "r1"),
        ("automqm", "AutoMQM-x"),
    ]


def test_compressed_files_are_known_by_their_inner_names(tmp_path: Path) -> None:
    (tmp_path / "en-de.da.seg.score.gz").write_bytes(gzip.compress(b"A\t1\nA\t2\nA\t3\nA\t4\n"))
    (tmp_path / "mqm.tsv.gz").write_bytes(gzip.compress(rows((2, 2), (2, 4)).encode()))
    assert read_judgements(tmp_path / "en-de.da.seg.score.gz", campaign=CAMPAIGN).kinds == ("da",)
    assert read_judgements(tmp_path / "mqm.tsv.gz", campaign=CAMPAIGN).segment.tolist() == [1, 3]


def test_unbabels_table_gives_its_own_score(tmp_path: Path) -> None:
    text = (
        "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tmisc\n"
        'A\td1\t1\t1\tr1\tA house.\t"Ein ""<v>Haus</v>""."\tstyle\tcritical\t"{""mqm"": 62.5}"\n'
        'A\td1\t1\t1\tr1\tA house.\t"Ein ""Haus""<v>.</v>"\tstyle\tminor\t"{""mqm"": 62.5}"\n'
    )
    (found,) = read_text(tmp_path, "mqm.tsv", text)
    assert found.score == 62.5
    assert [(span.start, span.end) for span in found.spans or ()] == [(5, 9), (10, 11)]


def test_averages_mix_tabs_and_blanks(tmp_path: Path) -> None:
    text = "system mqm_avg_score seg_id\nA\t-5.000000 1\nA -0.000000 2\nB\tNone 1\n"
    with pytest.warns(AssayWarning, match="left out were 1 lines with None, where nobody judged"):
        found = list(read_text(tmp_path, "avg.tsv", text))
    assert [(one.system, one.segment, str(one.score), one.kind) for one in found] == [
        ("A", 0, "-5.0", "mqm-avg"), ("A", 1, "0.0", "mqm-avg"),
    ]  # fmt: skip


def test_a_comment_behind_the_names_of_columns_has_no_fields(tmp_path: Path) -> None:
    text = MAROT.replace("\n", "\t# Documentation: https://example.org\n")
    text += "A\td1\t1\t1\tr1\tA house.\tEin <v>Haus</v>.\tOther\tMajor\t{}\n"
    (found,) = read_text(tmp_path, "mqm.tsv", text)
    assert found.score == -5.0


def test_the_name_mqm_reads_tables_of_every_shape(tmp_path: Path) -> None:
    averages = "system mqm_avg_score seg_id\nA -1 1\n"
    assert read_text(tmp_path, "a.tsv", averages, "mqm").kinds == ("mqm-avg",)
    assert len(read_text(tmp_path, "b.tsv", rows((2, 2), (2, 4), header=MAROT), "mqm")) == 2


ERRORS = "system\tsegment\trater\tstart\tend\tcategory\tseverity\tweight\tis_source_error\n"
HUMAN = "system\tsegment\tdocument\trater\tscore\tkind\n"


def test_errors_are_put_to_the_judgements_beside_them(tmp_path: Path) -> None:
    (tmp_path / "human.tsv").write_text(
        HUMAN + "A\t0\t-\tr1\t-5\tmqm\nA\t1\t-\tr1\t0\tmqm\nB\t0\t-\tr1\t-1\tmqm\nB\t1\t-\tr1\t70\tda\n"
        "A\t3\t-\tr1\t-1\tmqm\nA\t3\t-\tr1\t-1\tmqm\n"
    )
    errors = (
        ERRORS + "A\t0\tr1\t3\t9\tother\tmajor\t5\t0\nA\t3\tr1\tmissing\tmissing\t['Style', 'Odd']\tminor\t1.0\t0\n"
    )
    said = (
        r"1 lists of errors of judgements that cost something.*, 2 lists of errors of items that one rater judged twice"
    )
    with pytest.warns(AssayWarning, match=said):
        found = list(read_text(tmp_path, "errors.tsv", errors))
    assert [one.spans for one in found] == [(ErrorSpan("major", "other", 3, 9, weight=5.0),), (), None, None, None]


def test_errors_of_items_that_nobody_judged_are_refused(tmp_path: Path) -> None:
    (tmp_path / "human.tsv").write_text(HUMAN + "A\t0\t-\tr1\t-5\tmqm\n")
    with pytest.raises(
        InputError, match=r"line 2: system 'A', segment 1 was not judged by 'r1' \(mqm\) according to .*human"
    ):
        read_text(tmp_path, "errors.tsv", ERRORS + "A\t1\tr1\t3\t9\tother\tmajor\t5\t0\n")


def test_standalone_ratings_that_count_otherwise_are_placed_by_their_texts(tmp_path: Path) -> None:
    line = '{{"source": "{}", "hypothesis": "x", "errors": [], "segment_id": {}, "system_id": "A"}}\n'
    # Of four segments the last two were rated, and counted from 0.
    text = line.format("Three.", 0) + line.format("Four.", 1)
    assert read_text(tmp_path, "x.jsonl", text).segment.tolist() == [2, 3]
    assert read_text(tmp_path, "x.jsonl", text, campaign=None).segment.tolist() == [0, 1]
