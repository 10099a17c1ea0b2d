"""One result in every format: cells, escapes, broken pages."""

import csv
import io
import json
import pickle
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.results.figure import Figure, Figures
from assay.results.rendering import RAISED, STYLES, Cell, grids
from assay.results.result import SCHEMA, Column, Remark, Result, View
from assay.results.text import broken

ROWS = [
    {"name": "a|b_c", "score": 1.0, "low": 0.5, "high": 1.25, "beats": "b", "share": 0.123, "p": 0.00001, "ok": True},
    {"name": "d", "score": 20.5, "low": None, "high": None, "beats": "", "share": None, "p": 0.5, "ok": False},
]
KEYS = (Column("name"),)


def one(*columns, rows=ROWS, **options):
    """A result with one view."""
    return Result("score", {"scores": list(rows)}, (View("Title", "scores", columns, **({"keys": KEYS} | options)),))


PLAIN = replace(one(Column("score", format=".2f", better="higher")), findings=("a note",))


def cells(result):
    return [list(row) for row in grids(result)[0].rows]


def test_text_lines_up_numbers_on_the_right():
    lines = PLAIN.render("text").splitlines()
    assert lines[0] == "Title"
    assert lines[2] == "name    score ↑"
    assert lines[4] == "a|b_c      1.00"
    assert lines[5] == "d         20.50"
    assert lines[-1] == "a note"


def test_markdown_escapes_what_it_would_read():
    assert "| name | score ↑ |\n| --- | ---: |\n| a\\|b\\_c | 1.00 |\n" in PLAIN.render("markdown")
    assert PLAIN.render("markdown").startswith("**Title**\n\n| name")
    named = one(rows=[{"name": "[x](javascript:alert(1)) <b> `y`"}])
    assert r"[x]\(javascript:alert(1)) \<b\> \`y\`" in named.render("markdown")


def test_latex_escapes_what_latex_reads():
    latex = PLAIN.render("latex")
    assert "a\\textbar{}b\\_c & 1.00 \\\\" in latex
    assert latex.startswith("% Title\n% a note\n\\begin{tabular}{lr}\n\\toprule\nname & score $\\uparrow$ \\\\")


def test_an_unknown_format_is_named():
    with pytest.raises(assay.UnknownName, match=r"There is no format 'htlm'. Did you mean 'html'"):
        PLAIN.render("htlm")


def test_a_value_and_its_interval_are_one_column_of_people():
    assert cells(one(Column("score", "s", ".1f", low="low", high="high"))) == [
        ["a|b_c", "1.0 (0.5 – 1.2)"],
        ["d", "20.5"],
    ]
    assert cells(one(Column("low", "95 % interval", ".2f", high="high"))) == [["a|b_c", "0.50 – 1.25"], ["d", "–"]]


def test_ranks_that_are_equal_stand_once():
    rows = [{"name": "a", "best": 1, "worst": 1}, {"name": "b", "best": 2, "worst": 4}]
    assert cells(one(Column("best", "rank", "d", high="worst"), rows=rows)) == [["a", "1"], ["b", "2 – 4"]]


def test_shares_p_values_and_truths_have_their_own_formats():
    shown = cells(one(Column("share", "%", ".1f", unit="%"), Column("p", "p", "p"), Column("ok", "", "*|")))
    # 100 times 0.123; a p below four digits says so; a star for true, nothing for false.
    assert shown == [["a|b_c", "12.3", "< 0.0001", "*"], ["d", "–", "0.5000", ""]]


def test_a_mark_is_raised_in_every_format():
    marked = one(Column("score", "s", ".1f", mark="beats"))
    assert "1.0ᵇ" in marked.render("text")
    assert "1.0 & \\textsuperscript{b} \\\\" in marked.render("latex")
    assert "1.0</td><td><sup>b</sup></td>" in marked.render("html")


def test_marks_do_not_push_numbers_out_of_line():
    rows = [
        {"name": name, "score": score, "beats": beats, "n": 7}
        for name, score, beats in (("a", 69.17, "bcde"), ("b", 158.2, "d1e"), ("c", 5.9, ""), ("d", None, ""))
    ]
    marked = one(Column("score", "s", ".2f", better="higher", mark="beats"), Column("n", format="d"), rows=rows)
    assert marked.render("text").splitlines()[2:] == [
        "name      s ↑       n",
        "─────────────────────",
        "a       69.17ᵇᶜᵈᵉ   7",
        "b      158.20ᵈ¹ᵉ    7",
        "c        5.90       7",
        "d           –       7",
    ]
    # In LaTeX and on pages they have a column of their own, without space before it.
    latex = marked.render("latex")
    assert "{lr@{}lr}" in latex
    assert "name & s $\\uparrow$ &  & n \\\\" in latex
    assert "c & 5.90 &  & 7 \\\\" in latex
    page = ElementTree.fromstring(marked.render("html", page=False).partition("</style>")[2])
    assert {len(line) for line in page.iter("tr")} == {4}
    assert ".marked { padding-right: 0 }" in marked.render("html")


def test_raised_letters_are_those_that_fonts_have():
    assert "q" not in RAISED
    assert len(set(RAISED)) == 25
    # Modifier letters and superscripts of the first plane; those beyond it are in hardly any font.
    raised = Cell("", RAISED + "0123456789")
    assert all(letter not in RAISED and ord(letter) < 0x10000 for letter in raised)


def long_table():
    rows = [{"system": system, "metric": metric, "score": value} for system, metric, value in (
        ("x", "bleu", 1.0), ("x", "ter", 2.0), ("y", "bleu", 3.0), ("z", "ter", 4.0))]  # fmt: skip
    view = View("", "scores", (Column("score", "{}", ".0f"),), keys=(Column("system"),), over="metric",
                labels={"ter": "TER ↓", "bleu": "BLEU ↑"}, order=("z", "y", "x"))  # fmt: skip
    return Result("score", {"scores": rows}, (view,))


def test_a_column_is_spread_over_the_page_in_the_order_of_its_labels():
    (grid,) = grids(long_table())
    assert grid.headings == ("system", "TER ↓", "BLEU ↑")
    assert [list(row) for row in grid.rows] == [["z", "4", "–"], ["y", "–", "3"], ["x", "2", "1"]]


def test_a_view_shows_the_rows_that_it_is_of_and_those_below():
    view = View("", "t", (Column("v", "v", "d"),), keys=(Column("n"),), where={"level": "a"}, below="people")
    rows = [{"n": "x", "v": 1, "level": "a"}, {"n": "y", "v": 2, "level": "b"}]
    result = Result("q", {"t": rows, "people": [{"n": "people", "v": 9, "level": "a"}]}, (view,))
    assert cells(result) == [["x", "1"], ["people", "9"]]


def test_a_view_may_take_several_values_of_a_column():
    view = View("", "t", (Column("n"),), where={"n": ["z", "x"], "level": "a"})
    rows = [{"n": name, "level": level} for name, level in ("xa", "ya", "za", "zb")]
    result = Result("q", {"t": rows}, (view,))
    assert cells(result) == [["x"], ["z"]]
    assert cells(Result.from_json(result.to_json())) == [["x"], ["z"]]


def test_rows_stand_under_lines_that_name_their_group():
    rows = [{"n": "x", "part": "One"}, {"n": "y", "part": "One"}, {"n": "z", "part": "Two"}]
    shown = Result("q", {"t": rows}, (View("", "t", (Column("n", "agreement"),), under="part"),))
    assert shown.render("text").splitlines()[2:] == ["One", "  x", "  y", "Two", "  z"]
    assert 'class="head" colspan="1">One</td>' in shown.render("html")


def test_tsv_keeps_quotes_and_loses_tabs():
    rows = [{"a": 'say "hi"', "b": "x\ty\nz", "c": None, "d": 0.1, "e": True}]
    assert Result("q", {"t": rows}).render("tsv") == 'a\tb\tc\td\te\nsay "hi"\tx y z\t\t0.1\tTrue\n'


def test_csv_is_as_rfc_4180_has_it():
    rows = [{"a": 'say "hi"', "b": "x,y", "c": "two\nlines"}]
    text = Result("q", {"t": rows}).render("csv")
    assert text == 'a,b,c\r\n"say ""hi""","x,y","two\nlines"\r\n'
    assert list(csv.DictReader(io.StringIO(text, newline=""))) == rows
    assert Result("q", {"t": []}).render("csv") == ""


def test_formulas_are_guarded_when_asked():
    result = Result("q", {"t": [{"a": "=1+1", "b": -1.5, "c": "@x"}]})
    assert result.render("csv") == "a,b,c\r\n=1+1,-1.5,@x\r\n"
    assert result.render("csv", guard_formulas=True) == "a,b,c\r\n'=1+1,-1.5,'@x\r\n"


def test_one_table_is_the_main_one_or_that_which_is_named():
    result = Result("q", {"t": [{"a": 1}], "u": [{"b": 2}]}, signatures={"bleu": "bleu|x"}, options={"seed": 1})
    assert result.render("tsv") == "a\n1\n"
    assert replace(result, main="u").render("tsv") == "b\n2\n"
    assert result.render("tsv", table="u") == "b\n2\n"
    assert result.render("tsv", table="signatures") == "name\tvalue\nbleu\tbleu|x\n"
    assert result.render("tsv", table="options") == "name\tvalue\nseed\t1\n"
    with pytest.raises(assay.UnknownName, match="There is no table 'v'"):
        result.render("tsv", table="v")


def wide(count):
    rows = [{"name": "x", **{f"c{index}": 1.0 for index in range(count)}}]
    return one(*(Column(f"c{index}", format=".2f") for index in range(count)), rows=rows)


def test_a_narrow_terminal_gets_several_tables_each_with_the_keys():
    (grid,) = grids(wide(8))
    assert len(broken(grid, None)) == 1
    # "name" and a gap take 7 columns, each further column 7: four of them fit into 35.
    assert [len(part.headings) for part in broken(grid, 35)] == [5, 5]
    assert max(len(line) for line in wide(8).render("text", width=35).splitlines()) <= 35


def test_a_broken_table_repeats_every_column_that_names_a_row():
    rows = [
        {"system": system, "metric": metric, "k": k, "mean": 1.0, "sd": 0.5, "n": 3}
        for system in ("rosetta", "human") for metric in ("bleu", "chrf") for k in (1, 2)
    ]  # fmt: skip
    columns = [Column("system"), Column("metric"), Column("k", format="d"), Column("mean", format=".2f")]
    columns += [Column("sd", format=".2f"), Column("n", format="d")]
    (grid,) = grids(Result("q", {"t": rows}, (View("", "t", tuple(columns)),)))
    # 7, 6 and 1, then 4 for the mean: 27 with gaps of three. Instead of it sd and n: 31.
    heads = [part.headings for part in broken(grid, 31)]
    assert heads == [("system", "metric", "k", "mean"), ("system", "metric", "k", "sd", "n")]
    # Of one row the first column will do.
    (grid,) = grids(Result("q", {"t": rows[:1]}, (View("", "t", tuple(columns)),)))
    assert [part.headings[0] for part in broken(grid, 20)] == ["system"] * 3


@pytest.mark.filterwarnings("ignore:Word metrics see different tokens")
def test_scores_and_their_intervals_stay_together():
    result = assay.score(CAMPAIGN, "bleu,chrf,wer,per", samples=10)
    (grid,) = grids(result)
    assert [len(part.headings) for part in broken(grid, 60)] == [5, 5]


def test_long_texts_are_folded_where_the_page_is_narrow():
    rows = [{"name": "a", "text": "one two three four five six seven"}]
    lines = one(Column("text"), rows=rows).render("text", width=24).splitlines()
    assert lines[4:] == ["a      one two three", "       four five six", "       seven"]


def test_a_table_whose_sentences_can_go_on_below_stays_whole():
    def table(*texts):
        keys = tuple(Column(name) for name in "ab"[: len(texts)])
        rows = [dict(zip("ab", texts, strict=True)) | {"n": 1.0}]
        return Result("q", {"t": rows}, (View("", "t", (*keys, Column("n", format=".1f"))),))

    def parts(result, width):
        return result.render("text", width=width).count("───\n")

    seven, ten = "one two three four five six seven", "one two three four five six seven eight nine ten"
    # 20 columns for each text, 3 for the number and two gaps: 49.
    assert parts(table(seven, ten), 49) == 1
    assert parts(table(seven, ten), 48) > 1
    # The widest gives way first: of the 54 columns that gaps and number leave, both get 27.
    lines = table(seven, ten).render("text", width=63).splitlines()
    assert lines[2:] == [
        "one two three four five six   one two three four five six   1.0",
        f"{'seven':27}   seven eight nine ten",
    ]
    # No word is cut, and no text gets more than eight lines, as long as the table can be broken instead.
    assert parts(table(seven, "x" * 30), 58) > 1
    assert parts(table(seven, "x" * 30), 59) == 1
    assert parts(table(seven, "one " * 50 + "two"), 51) > 1
    assert parts(table(seven, "one " * 50 + "two"), 54) == 1


def test_wide_characters_count_twice():
    rows = [{"系统名字很长": "一", "a": 1.0, "b": 2.0}]
    keys = (Column("系统名字很长"),)
    (grid,) = grids(one(Column("a", format=".2f"), Column("b", format=".2f"), rows=rows, keys=keys))
    assert len(broken(grid, 25)) == 2
    assert len(broken(grid, 26)) == 1


def test_files_look_as_a_wide_terminal_does():
    for result in (PLAIN, one(Column("score", format=".1f"))):
        assert result.render("text") == result.render("text", width=10_000)
    assert "\x1b[1mTitle\x1b[0m" in PLAIN.render("text", color=True)


#: Formats of what assay score answers, and of nothing else.
OF_SCORES = ("mtme-score", "every-eval-ever")


@pytest.mark.parametrize("style", [name for name in STYLES if name not in ("junit", "svg", "every-eval-ever")])
def test_every_format_renders(style):
    result = assay.score(CAMPAIGN, "bleu", samples=10, domains=True)
    assert ("@software{assay" if style == "bibtex" else "rosetta") in result.render(style)


@pytest.mark.parametrize("style", [name for name in STYLES if name not in ("junit", "svg", *OF_SCORES)])
def test_a_result_is_read_back_and_renders_the_same(style):
    result = replace(long_table(), findings=("said",), notes=(Remark("left out", "warning"),), campaign="c")
    again = Result.from_json(result.to_json())
    assert again.render(style) == result.render(style)
    assert again.notes[0].level == "warning"


NASTY = "</script><img src=x onerror=alert(1)>\x1b[31m\x9b\u0085\u2028\n'\"&%$#_{}~^\\|"


@pytest.mark.parametrize("style", [name for name in STYLES if name not in ("junit", "json", "svg", *OF_SCORES)])
def test_no_control_character_reaches_a_reader(style):
    result = Result("q", {"t": [{"name": NASTY, "v": 1.0}]}, (View(NASTY, "t", (Column("v", NASTY, ".1f"),), KEYS),),
                    findings=(NASTY,), notes=(Remark(NASTY),), campaign=NASTY, signatures={"x": NASTY})  # fmt: skip
    text = result.render(style)
    assert not set(text) & set("\x1b\x9b\u0085\u2028")
    if style == "html":
        assert "<img src=x" not in text
        assert text.count("</script>") == 0
    if style in ("text", "tsv"):
        # A newline in a name breaks no row.
        assert sum("onerror" in line for line in text.splitlines()) == {"text": 5, "tsv": 1}[style]


def test_json_shows_no_raw_control_character_either():
    text = Result("q", {"t": [{"name": NASTY}]}).to_json()
    assert not set(text) & set("\x1b\x9b\u0085\u2028")
    assert json.loads(text)["t"] == [{"name": NASTY}]


def test_junit_is_well_formed_whatever_names_hold():
    rows = [{"metric": NASTY, "case": NASTY, "failed": True, "reason": NASTY},
            {"metric": "b", "case": "x", "failed": False, "reason": "fine"}]  # fmt: skip
    suite = ElementTree.fromstring(Result("compare", {"pairs": [], "verdicts": rows}).render("junit"))
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert suite.find("testcase/failure") is not None
    with pytest.raises(assay.ParameterError, match="junit is for gates"):
        PLAIN.render("junit")


def test_a_file_that_is_no_result_says_so():
    good = PLAIN.to_json()
    for text, message in (
        (good[:-20], "no whole result"),
        ("[1, 2]", "is no result of Assay"),
        ('{"a": 1}', "is no result of Assay"),
        (good.replace(f'"schema": {SCHEMA}', '"schema": 99'), "newer Assay .*schema 99; this one reads up to"),
        (good.replace('"name": "score"', '"nome": "score"'), "is damaged"),
    ):
        with pytest.raises(assay.InputError, match=message):
            Result.from_json(text, "kept.json")


def test_no_table_takes_a_name_of_the_envelope():
    with pytest.raises(ValueError, match="No table may be called 'findings'"):
        Result("q", {"findings": []})


def test_numbers_are_plain_and_never_nan():
    numpy = pytest.importorskip("numpy")
    result = Result("q", {"t": [{"a": numpy.float64(1.5), "b": float("nan"), "c": numpy.int64(3), "d": (1, 2)}]})
    assert result.table() == [{"a": 1.5, "b": None, "c": 3, "d": [1, 2]}]
    assert type(result.table()[0]["a"]) is float
    other = replace(result, tables={"t": [{"a": numpy.float64(2.5)}]})
    assert type(other.table()[0]["a"]) is float


def test_a_table_is_a_frame_of_pandas_or_polars_and_an_arrow_table():
    result = Result("q", {"t": [{"a": 1, "b": None}, {"a": 2, "b": 0.5}]})
    pandas = pytest.importorskip("pandas")
    assert result.frame().equals(pandas.DataFrame({"a": [1, 2], "b": [None, 0.5]}))
    pytest.importorskip("pyarrow")
    assert result.arrow("t").to_pydict() == {"a": [1, 2], "b": [None, 0.5]}
    assert hasattr(result.arrow(), "__arrow_c_stream__")
    polars = pytest.importorskip("polars")
    assert result.frame(library="polars").equals(polars.DataFrame({"a": [1, 2], "b": [None, 0.5]}))
    with pytest.raises(assay.UnknownName, match="library of data frames 'pandos'"):
        result.frame(library="pandos")


def test_a_page_sets_parts_apart_with_their_figures_and_leads_to_them():
    figures = [Figure(name, svg=f"<svg>{name}</svg>") for name in ("whole", "part.figure")]
    views = (View("List", "list", (Column("name"),)), View("Part", "part.rows", (Column("name"),), section="part"))
    rows = [{"name": "part"}, {"name": "other"}]
    page = Result("q", {"list": rows, "part.rows": rows}, views, figures=tuple(figures)).render("html")
    before, _, inside = page.partition('<section class="answer" id="part">')
    assert before.count("<figure>") == inside.count("<figure>") == 1
    # The list leads to the part; inside of it the same word is only a word.
    assert before.count('<a href="#part">part</a>') == 1
    assert "<h2>Part</h2>" in inside
    assert "<a " not in inside


def lazily_drawn():
    """A result, and the names of the figures that were made of it."""
    made = []

    def draw():
        for name in ("first", "second"):
            made.append(name)
            yield Figure(name, svg=f"<svg>{name}</svg>")

    return replace(PLAIN, figures=Figures(draw)), made


@pytest.mark.parametrize("style", ["text", "tsv", "csv", "markdown", "latex"])
def test_printing_a_table_draws_nothing(style):
    result, made = lazily_drawn()
    assert replace(result, campaign="c").render(style) == replace(PLAIN, campaign="c").render(style)
    assert made == []


def test_figures_are_made_once_for_whoever_wants_them():
    result, made = lazily_drawn()
    assert result.render("html").count("<figure>") == 2
    assert [figure["name"] for figure in json.loads(result.to_json())["figures"]] == ["first", "second"]
    assert result.chart("second").to_svg() == "<svg>second</svg>"
    assert made == ["first", "second"]
    with pytest.raises(assay.UnknownName, match=r"figure 'third'.*Known: first, second"):
        result.chart("third")


def test_figures_that_are_made_late_are_figures_like_others():
    result, _ = lazily_drawn()
    plain = tuple(Figure(name, svg=f"<svg>{name}</svg>") for name in ("first", "second"))
    assert result.figures == plain
    assert result.figures != plain[:1]
    assert result.figures[-1] == plain[1]
    assert Result.from_json(result.to_json()).figures == plain
    # A function is not sent to another process, what it makes is.
    assert pickle.loads(pickle.dumps(result)).figures == plain


def test_sentences_and_titles_are_wrapped_between_words():
    signature = "bleu(order=4,smoothing=exp,lowercase=false,tokenize=13a)"
    result = Result(
        "q",
        {"t": [{"name": "a", "v": 1.0}]},
        (View("A title that is longer than this page", "t", (Column("v", format=".1f"),), KEYS),),
        findings=("One sentence that is longer than the page is wide.", f"See {signature} there."),
    )
    text = result.render("text", width=24)
    assert "A title that is longer\nthan this page\n" in text
    assert "One sentence that is\nlonger than the page is\nwide.\n" in text
    # What is longer than a line and has no blanks can still be copied.
    assert f"See\n{signature}\nthere.\n" in text
    assert "One sentence that is longer than the page is wide.\n" in result.render("text")
