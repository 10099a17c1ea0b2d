"""Judgements: read from Assay's own table, chosen, written, and refused with file, line and column."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import assay
from assay.data.campaign import only, segments_where
from assay.data.formats.judgements import JUDGEMENT_FORMATS, guess_judgement_format, read_judgements
from assay.data.judgements import Judgement, Judgements
from assay.data.problems import STRICT
from assay.errors import InputError, ParameterError, UnknownName

ASSAY = JUDGEMENT_FORMATS["assay"]
TABLE = (
    "system\tsegment\tdocument\trater\tscore\tkind\thit\n"
    "A\t0\td1\tr1\t80\tda\t1\nA\t1\t-\t-\t-\tda\t1\nB\t0\td1\tr1\t-2.5\tmqm\t2\n"
)


def table(folder: Path, text: str = TABLE) -> Path:
    path = folder / "human.tsv"
    path.write_text(text)
    return path


def test_a_table_is_read_with_what_is_not_known(tmp_path: Path) -> None:
    judgements = list(ASSAY.read(str(table(tmp_path)), None, STRICT))
    assert judgements[0] == Judgement("A", 0, 80.0, "da", "r1", "d1", further={"hit": "1"}, line=2)
    assert judgements[1].rater is None
    assert judgements[1].document is None
    assert np.isnan(judgements[1].score)
    assert judgements[2].score == -2.5


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = table(tmp_path)
    assert ASSAY.write(ASSAY.read(str(path), None, STRICT), None)[""].decode() == TABLE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system\tsegment\tscores\nA\t0\t1\n", "line 1: no column 'score'. Did you mean it by 'scores'?"),
        ("system\tsegment\tscore\n", "a header but no judgements"),
        ("system\tsegment\tscore\nA\t0\n", "line 2: 2 fields, but the header has 3"),
        ("system\tsegment\tscore\nA\t-1\t5\n", "line 2, column 3: the segment is '-1'"),
        ("system\tsegment\tscore\nA\t0\tgood\n", "line 2, column 5: the score is 'good'"),
        ("system\tsegment\tscore\nA\t0\tinf\n", "line 2, column 5: the score is 'inf'"),
        ("system\tsegment\tscore\n-\t0\t1\n", "line 2, column 1: no system is named"),
        ("system\tsegment\tscore\tscore\nA\t0\t1\t1\n", "two columns are called 'score'"),
    ],
)
def test_a_broken_table_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        ASSAY.read(str(table(tmp_path, text)), None, STRICT)
    assert message in str(caught.value)


def test_a_file_of_no_known_format_is_refused(tmp_path: Path) -> None:
    assert guess_judgement_format(table(tmp_path)) == "assay"
    with pytest.raises(InputError, match="no known format of judgements"):
        read_judgements(table(tmp_path, "what is this\n"))


def test_kinds_are_chosen_by_name_and_pattern(tmp_path: Path) -> None:
    judgements = ASSAY.read(str(table(tmp_path)), None, STRICT)
    assert judgements.of_kinds("mq*").system.names == ("B",)
    assert len(judgements.of_kinds(["da", "mqm"])) == 3
    with pytest.raises(UnknownName, match="Did you mean 'da'"):
        judgements.of_kinds("daa")


def campaign_folder(folder: Path) -> Path:
    (folder / "ref.A.txt").write_text("one\n\nthree\n")
    (folder / "sys.A.txt").write_text("one\ntwo\nthree\n")
    (folder / "split.txt").write_text("test\ndev\ntest\n")
    table(folder, "system\tsegment\tscore\tkind\nA\t0\t1\tda\nA\t2\t3\tda\nA\t1\t2\tda\nA\t-\t7\tda\n")
    return folder


def test_a_folder_has_its_judgements(tmp_path: Path) -> None:
    judgements = assay.read(campaign_folder(tmp_path)).judgements
    assert judgements is not None
    assert judgements.segment.tolist() == [0, 2, 1, -1]


def test_a_segment_that_the_campaign_lacks_is_refused(tmp_path: Path) -> None:
    campaign = assay.read(campaign_folder(tmp_path))
    judgements = Judgements.of([Judgement("A", 3, 1.0, "da", line=9)], "mine.tsv")
    with pytest.raises(InputError, match=r"mine\.tsv, line 9: segment 3, but the campaign has 3 segments"):
        campaign.with_judgements(judgements)


def test_segments_are_chosen_with_their_judgements(tmp_path: Path) -> None:
    whole = assay.read(campaign_folder(tmp_path))
    campaign = only(whole, segments_where(whole, "split=test"))
    assert list(campaign.systems["A"]) == ["one", "three"]
    assert campaign.segment_names() == ("0", "2")
    assert campaign.judgements is not None
    assert [(one.segment, one.score) for one in campaign.judgements] == [(0, 1.0), (1, 3.0), (None, 7.0)]
    assert len(segments_where(whole, "ref.A!=")) == 2


@pytest.mark.parametrize(
    ("condition", "error", "message"),
    [
        ("split", ParameterError, "NAME=VALUE"),
        ("splits=test", UnknownName, "Did you mean 'split'"),
        ("split=none", UnknownName, "There is no segment whose split is 'none'. Known: "),
    ],
)
def test_conditions_that_choose_nothing_are_refused(
    tmp_path: Path, condition: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        segments_where(assay.read(campaign_folder(tmp_path)), condition)


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        # The nearest first; of many, twenty.
        ("document=d7x", r"document is 'd7x'. Did you mean 'd7'\? Known: d7, (\w+, ){18}\w+ and 10 more\."),
        ("segment=30", r"There is no segment '30'. Did you mean '3'\? Known: 3, "),
        # One value of several, too: it is a slip, as in --systems.
        ("kind=poem, prosa", r"kind is 'prosa'. Did you mean 'prose'\? Known: prose, poem\."),
        # Texts are not listed.
        ("source=nothing", r"^c: no segment is left where source=nothing\.$"),
        ("sys.a=nothing", r"^c: no segment is left where sys\.a=nothing\.$"),
    ],
)
def test_a_value_that_no_segment_has_names_those_that_there_are(condition: str, message: str) -> None:
    texts = [f"text {number}" for number in range(30)]
    campaign = assay.Campaign(
        "c", {"a": texts}, {"r": texts}, source=texts, documents=tuple(f"d{number}" for number in range(30)),
        columns={"kind": ["prose", "poem"] * 15},
    )  # fmt: skip
    with pytest.raises((UnknownName, InputError), match=message):
        segments_where(campaign, condition)
    # What is to be left out need not be there.
    assert len(segments_where(campaign, condition.replace("=", "!="))) == (15 if "poem" in condition else 30)
