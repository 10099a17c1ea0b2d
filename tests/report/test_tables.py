"""Tables in every format."""

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.metrics.base import Metric
from assay.report.scores import level_tables, render_scores, scores_table
from assay.report.tables import PLAIN, Look, Table, separated
from assay.scoring.score import Score, ScoreTable

TABLE = Table("Title", ["name", "score ↑"], [["a|b_c", "1.00"], ["d", "20.50"]], [False, True], ("a note",))


def test_text_lines_up_numbers_on_the_right():
    lines = TABLE.render("text").splitlines()
    assert lines[0] == "Title"
    assert lines[2] == "name    score ↑"
    assert lines[4] == "a|b_c      1.00"
    assert lines[5] == "d         20.50"
    assert lines[-1] == "a note"


def test_markdown_escapes_its_own_bars():
    assert "| name | score ↑ |\n| --- | ---: |\n| a\\|b_c | 1.00 |\n" in TABLE.render("markdown")


def test_latex_escapes_what_latex_reads():
    latex = TABLE.render("latex")
    assert "a|b\\_c & 1.00 \\\\" in latex
    assert "% a note\n\\begin{tabular}{lr}" in latex


def test_an_unknown_format_is_named():
    with pytest.raises(assay.UnknownName, match="There is no format 'htlm'"):
        TABLE.render("htlm")


def test_tsv_keeps_quotes_and_loses_tabs():
    text = separated([{"a": 'say "hi"', "b": "x\ty\nz", "c": None, "d": 0.1}], "\t")
    assert text == 'a\tb\tc\td\nsay "hi"\tx y z\t\t0.1\n'


def test_csv_quotes_what_needs_it():
    assert separated([{"a": 'say "hi"', "b": "x,y"}], ",") == 'a,b\n"say ""hi""","x,y"\n'
    assert separated([], ",") == ""


def test_a_narrow_terminal_gets_several_tables():
    result = assay.score(CAMPAIGN, "bleu,chrf,wer,per", samples=10)
    table = scores_table(result).without_notes()
    assert len(table.split(None)) == 1
    assert [len(part.headings) for part in table.split(60)] == [5, 5]
    assert max(len(line) for line in table.render("text", Look(width=60)).splitlines()) <= 60


def test_a_narrow_terminal_loses_no_column_of_a_level():
    result = assay.score(CAMPAIGN, "bleu", samples=0)
    lines = level_tables(result, "domains")[0].render("text", Look(width=30)).splitlines()
    assert max(map(len, lines)) <= 30
    assert {word for line in lines for word in line.split()} >= {*result.systems, "news", "service", "everyday"}


def test_wide_characters_count_twice():
    table = Table("", ["系统名字很长", "a", "b"], [["一", "1.00", "2.00"]], [False, True, True])
    assert len(table.split(25)) == 2
    assert len(table.split(26)) == 1


def test_two_metrics_of_one_label_are_told_apart():
    result = assay.score(CAMPAIGN, "bleu,bleu(order=2)", samples=0)
    assert scores_table(result).headings == ["system", "bleu ↑", "bleu(order=2) ↑"]


class Partial(assay.Recall):
    """A metric that cannot score empty translations."""

    name = "partial"

    def count(self, batch):
        rows = super().count(batch)
        rows[rows[:, 1] == 0] = float("nan")
        return rows


def test_a_segment_without_a_score_is_a_dash_and_null():
    campaign = assay.Campaign(
        "c", systems={"s": assay.Texts.of(["a", ""])}, references={"r": assay.Texts.of(["a", "b"])}
    )
    statistics = Partial().evaluate(campaign.corpus("s"))
    result = ScoreTable(campaign, (Score("s", statistics, 0.0, None, ""),))
    assert [row["score"] for row in result.level("segments")] == [100.0, None]
    assert level_tables(result, "segments")[0].rows == [["0", "100.00"], ["1", "–"]]
    assert issubclass(Partial, Metric)


def test_titles_are_in_every_format():
    assert TABLE.render("markdown").startswith("**Title**\n\n| name")
    assert TABLE.render("latex").startswith("% Title\n")


def test_segments_of_one_name_are_all_there():
    campaign = assay.Campaign(
        "c", systems={"s": ["a", "b", "c"]}, references={"r": ["a", "b", "x"]}, segments=("1", "2", "1")
    )
    table = level_tables(assay.score(campaign, "f1", samples=0), "segments")[0]
    assert table.rows == [["1", "100.00"], ["2", "100.00"], ["1", "0.00"]]


def test_every_format_renders():
    result = assay.score(CAMPAIGN, "bleu", samples=10)
    for style in ("text", "json", "tsv", "csv", "markdown", "latex"):
        assert "rosetta" in render_scores(result, style, levels=("domains",) if style != "csv" else ())


def test_files_look_as_a_wide_terminal_does():
    table = Table(
        "Title",
        ["system", "score", "注"],
        [["a", "1.0", "你好"], ["longer name", "22.05", ""]],
        [False, True, False],
        notes=("one", "two"),
    )
    for one in (table, table.without_notes()):
        assert one.render("text", PLAIN) == one.render("text", Look(color=False, width=10_000))
