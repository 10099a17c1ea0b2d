"""Whole papers on one's own data: printed numbers, the campaign's beside them, and whether findings hold."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.cli.main import run
from assay.data.judgements import Judgements
from assay.demo import CAMPAIGN
from assay.questions.papers import culy2003, lavie2004, lavie2007, paul2007, turian2003
from assay.questions.papers.base import HERE, published, typed
from assay.questions.papers.registry import PAPERS, exhibits_of, paper_class
from studies.judged_campaign import campaign as small_campaign

pytestmark = pytest.mark.filterwarnings("ignore::assay.AssayWarning")

EXHIBITS = [exhibit for name in PAPERS for exhibit in exhibits_of(name)]


def ask(name, campaign=CAMPAIGN, **options):
    return assay.paper(name, campaign, **{"samples": 20, **options})


@pytest.fixture(scope="module")
def lavie():
    return ask("lavie2004")


def test_every_printed_number_belongs_to_an_exhibit_and_names_its_page():
    pages = {(exhibit.paper, exhibit.name): exhibit.page for exhibit in EXHIBITS}
    for one in published():
        assert set(re.findall(r"\d+", one.page)) <= set(re.findall(r"\d+", pages[one.paper, one.exhibit])), one


def test_the_keys_and_columns_of_printed_numbers_are_those_of_their_exhibit():
    by_name = {(exhibit.paper, exhibit.name): exhibit for exhibit in EXHIBITS}
    for one in published():
        exhibit = by_name[one.paper, one.exhibit]
        assert one.row.keys() >= {column.name for column in exhibit.keys} or one.paper == "paul2007", one
        assert one.column in {column.name for column in exhibit.numbers}, one


@pytest.mark.parametrize(
    ("paper", "exhibit", "data", "cells", "value"),
    [
        # As they stand in the papers; scores between 0 and 1 are on 0 to 100 here.
        ("lavie2004", "Tables 1, 2", "Chinese 2002", {"metric": "recall", "text": "stems"}, 0.757),
        ("lavie2004", "Tables 3, 4", "Chinese 2003", {"metric": "f1", "text": "stems"}, 0.950),
        ("lavie2007", "Slide 28", "their average", {"metric": "meteor"}, 0.934),
        ("lavie2007", "Slide 34", "TIDES 2003", {"metric": "bleu"}, 37.27),
        ("culy2003", "Tables 2, 3", "Tom Sawyer", {"system": "Torberg", "k": 2}, 5.8),
        ("turian2003", "Figure 3", "Chinese 2002", {"what": "translations that both judged"}, 227),
        ("paul2007", "Table 6", "fluency", {"grade": "0"}, 73.7),
        ("paul2007", "Table 8", "adequacy", {"feature": "4-gram"}, 51.7),
    ],
)
def test_printed_numbers_are_those_of_the_papers(paper, exhibit, data, cells, value):
    found = [
        one.value
        for one in published()
        if (one.paper, one.exhibit, one.data) == (paper, exhibit, data) and cells.items() <= one.row.items()
    ]
    assert found[0] == pytest.approx(value)


def test_the_campaigns_numbers_are_those_of_the_study(lavie):
    alone = assay.study("correlations", CAMPAIGN, kind="adequacy+fluency", samples=20)
    for row in alone.table():
        shown = lavie.of(source=HERE, metric=row["metric"], text=row["text"], table="Tables 1, 2")
        assert shown["pearson"] == row["pearson"]
        assert shown["pearson_low"] == row["pearson_low"]


def test_printed_intervals_stand_around_their_numbers(lavie):
    # 0.603 +/- 0.049
    row = lavie.of(source="Chinese 2002", metric="nist", text="words", table="Tables 1, 2")
    assert (row["pearson_low"], row["pearson_high"]) == (pytest.approx(0.554), pytest.approx(0.652))


def test_a_paper_reads_back_and_renders_in_every_format(lavie):
    again = assay.Result.from_json(lavie.to_json())
    for style in ("text", "markdown", "latex", "html"):
        assert again.render(style) == lavie.render(style)
    assert (again.command, again.question) == ("paper", "lavie2004")


def test_published_numbers_are_a_table_of_their_own(lavie):
    rows = lavie.table("published")
    assert {row["exhibit"] for row in rows} == {"Section 2.2", "Tables 1, 2", "Tables 3, 4"}
    assert len(rows) == 1 + 4 * 12


def test_one_exhibit_per_row_says_whether_it_holds(lavie):
    rows = lavie.table("exhibits")
    assert [row["exhibit"] for row in rows] == [exhibit.name for exhibit in lavie2004.EXHIBITS]
    assert all(row["here"] for row in rows)


def test_pictures_have_printed_numbers_beside_ones_own(lavie):
    figure = next(figure for figure in lavie.figures if figure.name == "Tables 1, 2.beside-pearson")
    text = str(figure.data)
    assert "Chinese 2002" in text
    assert "0.603" in text


@pytest.mark.parametrize("name", ["turian2003", "lavie2007"])
def test_every_picture_of_a_paper_can_be_made(name):
    result = ask(name, small_campaign(references=2, segments=30), kind="adequacy")
    assert [figure for figure in result.figures if ".beside-" in figure.name]


def test_several_campaigns_stand_side_by_side():
    two = [replace(small_campaign(seed=seed), name=f"set{seed}") for seed in (3, 4)]
    result = ask("lavie2004", two)
    sources = {row["source"] for row in result.table("Tables 1, 2")}
    assert sources == {"set3", "set4", "average", "Chinese 2002", "Chinese 2003"}
    assert {row["campaign"] for row in result.table("exhibits") if row["exhibit"] == "Tables 1, 2"} == {"set3", "set4"}


# --- whether findings hold -------------------------------------------------------------------------------------------


def words(**values):
    return [{"metric": name, "text": "words", "pearson": value} for name, value in values.items()]


@pytest.mark.parametrize(
    ("values", "holds"),
    [
        ({"recall": 0.9, "fmean": 0.8, "bleu": 0.7, "nist": 0.6, "precision": 0.5}, True),
        ({"recall": 0.9, "fmean": 0.6, "bleu": 0.7, "nist": 0.6, "precision": 0.5}, False),
        ({"recall": 0.9, "fmean": 0.8, "bleu": 0.7, "nist": 0.6, "precision": 0.65}, False),
        ({"recall": None, "fmean": 0.8, "bleu": 0.7, "nist": 0.6, "precision": 0.5}, None),
    ],
)
def test_recall_comes_first_if_both_metrics_of_recall_do(values, holds):
    assert lavie2004._recall_first("pearson")(words(**values))[0] is holds


def test_the_best_weight_is_the_best_of_both_halves():
    # At 0.5 the mean of the halves is 0.75, at 0.9 it is 0.8.
    table = [{"alpha": alpha, "training": value} for alpha, value in ((0.5, 0.9), (0.5, 0.6), (0.9, 0.8), (0.9, 0.8))]
    assert lavie2004._best_weight({"table": table})[0]["value"] == 0.9


def test_the_description_of_the_data_is_that_of_all_references():
    campaign = assay.Campaign("c", {"s": ["a b", "c"]}, {"A": ["a b c", "d"], "B": ["a", "b c d e f"]})
    result = assay.describe(campaign)
    rows = {row["what"]: row["value"] for row in turian2003._data(result.tables)}
    lengths = np.array([3, 1, 1, 5])
    assert rows["shortest reference"] == 1
    assert rows["longest reference"] == 5
    assert rows["mean length"] == pytest.approx(lengths.mean())
    # Each reference's own deviation is of its sample, so that of both differs by what that allows for.
    variances = [np.var([3, 1], ddof=1), np.var([1, 5], ddof=1)]
    square = np.mean([variance + mean**2 for variance, mean in zip(variances, (2, 3), strict=True)])
    assert rows["SD of lengths"] == pytest.approx(np.sqrt(square - 2.5**2))


def test_all_differences_above_the_last_doubtful_one_are_significant():
    rows = [{"behind": behind, "p": p} for behind, p in ((0.01, 0.2), (0.02, 0.0001), (0.03, 0.01), (0.05, 0.0005))]
    assert turian2003._smallest({"table": rows})[0]["value"] == 0.05


def test_f_is_first_if_it_is_at_most_lengths():
    def curves(first, second):
        return [
            {"curve": name, "length": length, "correlation": value}
            for name, values in (("gtm", first), ("bleu", second), ("judge against judge", (0.9, 0.9, 0.9)))
            for length, value in zip((1, 10, 100), values, strict=True)
        ]

    assert turian2003._f_first(curves((0.3, 0.5, 0.6), (0.2, 0.4, 0.7)))[0]
    assert not turian2003._f_first(curves((0.1, 0.5, 0.6), (0.2, 0.4, 0.7)))[0]


def test_the_exponent_is_judged_by_the_better_systems():
    rows = [
        {"group": group, "exponent": exponent, "correlation": value}
        for group, values in (("all systems", (0.5, 0.6)), ("better half", (0.4, 0.3)), ("worse half", (0.1, 0.9)))
        for exponent, value in zip((1.0, 2.0), values, strict=True)
    ]
    assert turian2003._exponent(rows) == (False, "Of the better half, e = 1 has 0.400 and e = 2 has 0.300.")
    assert turian2003._exponent(rows[:2])[0] is None


def test_a_system_outscores_a_person_if_its_best_is_above_the_worst_of_people():
    scores = [
        {"metric": "bleu", "compared": "segments", "k": k, "kind": kind, "system": name, "score": score}
        for k, kind, name, score in (
            (4, "human", "A", 18.35), (4, "human", "B", 40.0), (4, "system", "x", 19.71), (2, "system", "x", 99.0),
        )
    ]  # fmt: skip
    rows = culy2003._kinds("bleu", "segments", most=True)({"scores": scores})
    assert {row["what"]: row["value"] for row in rows} == {"lowest of people": 18.35, "highest of systems": 19.71}
    assert culy2003._outscored(rows)[0]


def test_the_widest_translation_gives_both_extremes():
    scores = [
        {"metric": "bleu", "compared": "segments", "k": 2, "kind": "human", "system": name, "score": score}
        for name, score in (("A", 10.0), ("A", 30.0), ("B", 50.0), ("B", 55.0))
    ]
    assert [row["value"] for row in culy2003._extremes({"scores": scores})] == [30.0, 10.0]


def test_grades_of_the_paper_stand_beside_those_of_a_campaign_with_as_many():
    tables = {"grades": [{"grade": name, "share": 0.2} for name in "54321"]}
    assert [row["grade"] for row in paul2007._shares(tables)] == ["4", "3", "2", "1", "0"]
    assert paul2007._names(tables)[1]["grade>=4"] == "43_210"
    three = {"grades": [{"grade": name, "share": 0.2} for name in "321"]}
    assert [row["grade"] for row in paul2007._shares(three)] == ["3", "2", "1"]


def test_meteor_is_best_of_the_sentences_if_it_has_the_most():
    rows = [{"metric": "meteor", "correlation": 0.3}, {"metric": "bleu", "correlation": 0.2}]
    assert lavie2007._best("correlation", "meteor")(rows)[0]
    assert not lavie2007._best("correlation", "bleu")(rows)[0]


@pytest.mark.parametrize("name", ["Slide 9", "Slide 10", "Slide 22"])
def test_worked_examples_of_the_lecture_come_out_as_printed(name):
    (exhibit,) = [one for one in lavie2007.EXHIBITS if one.name == name]
    result = exhibit.ask(None, None).answer(None)
    assert exhibit.holds(exhibit.rows(result.tables))[0]


def test_the_example_of_the_grid_comes_out_as_printed():
    exhibit = turian2003.EXHIBITS[0]
    result = exhibit.ask(None, None).answer(None)
    # 7 hits; runs of 4, 2 and 1: the root of 21.
    assert [row["value"] for row in exhibit.rows(result.tables)] == [7.0, pytest.approx(np.sqrt(21))]


def test_a_number_that_differs_in_the_last_printed_digit_does_not_hold():
    exhibit = turian2003.EXHIBITS[0]
    rows = [{"what": "maximum match size", "value": 7.0}, {"what": "size with exponent 2", "value": 4.7}]
    assert exhibit.holds(rows) == (False, "size with exponent 2 come out differently.")


def test_the_line_below_an_exhibit_can_be_typed(tmp_path, monkeypatch, capfd):
    import shlex

    monkeypatch.chdir(tmp_path)
    words = shlex.split(typed(lavie2004.EXHIBITS[1].ask(paper_class("lavie2004")(samples=20), _here())))
    assert run([*words[1:], str(CAMPAIGN)]) == 0
    assert "fmean" in capfd.readouterr().out


def _here():
    from assay.questions.papers.base import Here

    return Here(("adequacy", "fluency"), ("adequacy+fluency",), 3)


# --- what a campaign cannot answer -----------------------------------------------------------------------------------


def reasons(result):
    return {row["exhibit"]: row["here"] for row in result.table("exhibits") if row["holds"] is None}


def test_without_judges_the_reason_stands_where_the_answer_would():
    result = ask("lavie2004", small_campaign(judged=False, references=2))
    assert all("no judgements" in reason for reason in reasons(result).values())
    assert len(reasons(result)) == len(lavie2004.EXHIBITS)


def test_with_one_reference_papers_about_several_say_so():
    result = ask("culy2003", small_campaign())
    assert "It needs at least two" in reasons(result)["Figures 1, 4"]


def test_with_one_system_correlations_say_so():
    result = ask("lavie2004", small_campaign(systems=1))
    assert "needs at least 3" in reasons(result)["Tables 1, 2"]


def test_one_kind_stands_for_all_of_the_papers():
    result = ask("lavie2004", small_campaign())
    assert result.of(source=HERE, metric="nist", text="words", table="Tables 1, 2")["pearson"] is not None


def test_several_kinds_that_are_not_the_papers_are_named():
    campaign = small_campaign(kinds=("mqm", "esa"))
    result = ask("lavie2004", campaign)
    assert any("several kinds of judgement" in text for text in result.findings)
    assert isinstance(campaign.judgements, Judgements)
    chosen = ask("lavie2004", campaign, kind="mqm")
    assert "Tables 1, 2" in chosen.tables


def test_a_paper_that_is_not_known_is_named(capfd):
    assert run(["paper", "turian2004", str(CAMPAIGN)]) == 2
    assert "turian2003" in capfd.readouterr().err
    with pytest.raises(assay.UnknownName, match="turian2003"):
        assay.paper("turian2004", CAMPAIGN)


def test_without_a_name_the_papers_are_listed(capfd):
    assert run(["paper"]) == 0
    out = capfd.readouterr().out
    assert all(name in out for name in PAPERS)


def test_a_page_has_each_picture_in_the_section_of_its_exhibit(lavie):
    page = lavie.render("html")
    for exhibit in lavie2004.EXHIBITS[:3]:
        start = page.index(f'<section class="answer" id="{exhibit.name}">')
        assert page[start:].index("<figure>") < page[start:].index("</section>"), exhibit.name
    assert "<figure>" not in page[: page.index("<section")]
