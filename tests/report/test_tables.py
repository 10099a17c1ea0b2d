"""Tables in every format."""

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.metrics.base import Metric
from assay.report.scores import level_tables, render_scores, scores_tables
from assay.report.tables import Look, Table, separated
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
    assert TABLE.render("markdown").startswith("| name | score ↑ |\n| --- | ---: |\n| a\\|b_c | 1.00 |\n")


def test_latex_escapes_what_latex_reads():
    latex = TABLE.render("latex")
    assert "a|b\\_c & 1.00 \\\\" in latex
    assert latex.startswith("% a note\n\\begin{tabular}{lr}")


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
    assert len(scores_tables(result)) == 1
    narrow = scores_tables(result, Look(width=60))
    assert len(narrow) == 2
    assert max(len(line) for table in narrow for line in table.without_notes().render("text").splitlines()[2:]) <= 60


def test_two_metrics_of_one_label_are_told_apart():
    result = assay.score(CAMPAIGN, "bleu,bleu(order=2)", samples=0)
    assert scores_tables(result)[0].headings == ["system", "bleu ↑", "bleu(order=2) ↑"]


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


def test_every_format_renders():
    result = assay.score(CAMPAIGN, "bleu", samples=10)
    for style in ("text", "json", "tsv", "csv", "markdown", "latex"):
        assert "rosetta" in render_scores(result, style, levels=("domains",) if style != "csv" else ())
