"""Where something is wrong is data, and who wants to know hears of everything that is wrong."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.problems import STRICT, Problems
from assay.data.tables import cells_of, read_table, spell_table
from assay.data.validation import check_path
from assay.errors import AssayWarning, InputError, Place
from data.judgements.campaigns import CAMPAIGN
from data.judgements.test_bad_input import FLAWS

GRADES = "system\tsegment\trater\tadequacy\n"


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def places(path: Path, **options: object) -> list[tuple[int | None, int | None, str]]:
    return [(one.place.line, one.place.column, one.severity) for one in check_path(path, **options)[1]]


def test_the_text_of_an_error_is_made_of_its_place_and_not_the_other_way_round() -> None:
    error = InputError("no number.", "Give one.", Place("a.tsv", 3, 5))
    assert str(error) == "a.tsv, line 3, column 5: no number. Give one."
    assert (error.what, error.remedy, error.place) == ("no number.", "Give one.", ("a.tsv", 3, 5, ""))
    assert str(InputError("plain text")) == "plain text"
    assert InputError("plain text").place is None
    assert str(AssayWarning("left out were 2.", place=Place("a.tsv"))) == "a.tsv: left out were 2."


def test_an_error_that_comes_from_another_process_still_knows_its_place() -> None:
    error = pickle.loads(pickle.dumps(InputError("no number.", "Give one.", Place("a.tsv", 3))))
    assert str(error) == "a.tsv, line 3: no number. Give one."
    assert error.place == Place("a.tsv", 3)


@pytest.mark.parametrize(("format_name", "name", "text", "message"), [flaw[:4] for flaw in FLAWS])
def test_every_reader_of_judgements_says_as_data_where_it_stumbled(
    tmp_path: Path, format_name: str, name: str, text: str, message: str
) -> None:
    path = file(tmp_path, name, text)
    with pytest.raises(InputError) as caught:
        JUDGEMENT_FORMATS[format_name].read(str(path), CAMPAIGN, STRICT)
    place = caught.value.place
    assert place is not None
    assert place.file == str(path)
    told = re.match(r"line (\d+)(?:, column (\d+))?(?:, (field \d+))?:", message)
    if told is not None:
        assert (str(place.line), place.column, place.part) == (told[1], told[2] and int(told[2]), told[3] or "")


def test_one_pass_finds_every_bad_row_and_keeps_the_others(tmp_path: Path) -> None:
    path = file(tmp_path, "x.tsv", GRADES + "A\t0\tr\t4\nA\tx\tr\t4\nA\t1\tr\nB\t1\tr\tgood\nB\t0\tr\t3\n")
    problems = Problems(lenient=True)
    found = JUDGEMENT_FORMATS["adequacy-fluency"].read(str(path), CAMPAIGN, problems)
    assert found.line.tolist() == [2, 6]
    assert [one.where.removeprefix(f"{path}:") for one in problems.findings] == ["3:3", "4", "5:7"]


def test_a_hundred_bad_lines_are_listed_and_no_more(tmp_path: Path) -> None:
    hundred = file(tmp_path, "x.tsv", GRADES + "A\t0\tr\t4\n" + "A\tx\tr\t4\n" * 100)
    assert len(places(hundred)) == 100
    more = file(tmp_path, "y.tsv", GRADES + "A\t0\tr\t4\n" + "A\tx\tr\t4\n" * 101)
    # One for the file as a whole, which stands before those that name a line.
    assert places(more)[0] == (None, None, "error")
    assert len(places(more)) == 101
    assert check_path(more)[1][0].message == "more than 100 lines are wrong; the others are not listed."


def test_what_is_said_in_passing_names_the_file_and_no_copy_of_it(tmp_path: Path) -> None:
    path = file(tmp_path, "x.csv", "u,A,x,TGT,a,b,5\nu,A,2,BAD,a,b,5\nu,A,1,TGT,a,b,5\nu,A,1,TGT,a,b,6\n")
    assert [(one.where.removeprefix(str(path)), one.message) for one in check_path(path)[1]] == [
        ("", "left out were 1 items of type BAD, 1 submissions that the same user replaced by a later one."),
        (":1", "field 3: the item is 'x', but a whole number from 0 on is needed."),
    ]


def test_errors_beside_human_tsv_are_looked_at_beside_it_though_some_rows_are_bad(tmp_path: Path) -> None:
    file(tmp_path, "human.tsv", "system\tsegment\trater\tscore\tkind\nA\t0\tr\t-5\tmqm\nA\t1\tr\t0\tmqm\n")
    header = "system\tsegment\trater\tstart\tend\tcategory\tseverity\n"
    path = file(tmp_path, "errors.tsv", header + "A\t0\tr\t0\tx\to\tmajor\nA\t0\tr\t0\t2\to\tmajor\n")
    # The cell is the fifth: four cells of one character and a tab stand before it.
    assert places(path) == [(2, 9, "error")]


def test_where_lines_count_all_bad_ones_are_listed_and_none_is_left_out(tmp_path: Path) -> None:
    path = file(tmp_path, "x.da.seg.score", "A\t1\nA\tx\nB\nB\t2\n")
    assert places(path) == [(2, 3, "error"), (3, None, "error")]


def test_a_campaign_that_was_not_the_one_is_told_once(tmp_path: Path) -> None:
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    rows = "".join(f"A\tother\t{n}\t{n}\tr\tA text.\tb\tOther\tMajor\n" for n in (1, 2, 3))
    (found,) = check_path(file(tmp_path, "x.tsv", header + rows), campaign=CAMPAIGN)[1]
    assert found.place.line == 2
    assert "3 of 3 items do not fit" in found.message


def test_a_row_over_several_lines_is_named_by_its_first(tmp_path: Path) -> None:
    path = file(tmp_path, "x.csv", 'a,"b\nc\nd"\ne,f\n')
    assert list(cells_of(str(path), ",", quoted=True)) == [(1, ["a", "b\nc\nd"]), (4, ["e", "f"])]


def test_a_lone_carriage_return_ends_no_line_of_a_quoted_table(tmp_path: Path) -> None:
    path = file(tmp_path, "x.csv", "a,b\rc\r\nd,e\r\n")
    assert list(cells_of(str(path), ",", quoted=True)) == [(1, ["a", "b\rc"]), (2, ["d", "e"])]


@pytest.mark.parametrize("separator", [",", "\t"])
def test_what_is_written_with_quotes_is_read_back(tmp_path: Path, separator: str) -> None:
    rows = [["a", "b"], ["", 'say "x"'], [" y ", "1,2\t3"], ["line\nend", "\r"]]
    path = file(tmp_path, "x", b"".join(spell_table(rows, separator, quoted=True)).decode())
    assert [cells for _, cells in cells_of(str(path), separator, quoted=True)] == rows


def test_what_cannot_stand_in_a_cell_is_a_blank_where_nothing_is_quoted() -> None:
    assert b"".join(spell_table([["a\tb", "c\nd\re"]])) == b"a b\tc d e\n"


def test_comments_and_empty_lines_are_no_rows_unless_a_table_is_bare(tmp_path: Path) -> None:
    path = file(tmp_path, "x.tsv", "# a comment\nsystem\tscore\n\nA\t1\n")
    table = read_table(str(path), needed=("system", "score"), what="")
    assert [(row.line, row.raw("score")) for row in table] == [(4, "1")]
    with pytest.raises(InputError, match="line 1: no column 'system'"):
        read_table(str(path), needed=("system", "score"), what="", bare=True)
