"""Pictures of every metric: sound XML, readable without colour, in any script."""

from __future__ import annotations

import random
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import assay
from assay.metrics.pictures import Alignment, BitextGrid, Edit, EditScript, Link, Run, Shift
from assay.metrics.registry import metric_names
from assay.questions.explain import explain, explained

TEXTS = {
    "plain": ("the cat sat on the mat", ["a cat sat on a mat", "on the mat sat a cat"]),
    "arabic": ("القط جلس على السجادة", ["جلس القط على السجادة الحمراء"]),
    "chinese": ("猫 坐 在 垫子 上 。", ["这 只 猫 坐 在 垫子 上 。"]),
    "markup": ('<b>&amp; "it\'s" </svg><script>', ['<b>& "its" ]]> <script>']),
    "odd characters": ("a\u0001b\u001b \u2028c \ufffe d\u0301", ["a\u0001b \u2028c d\u0301 \u200f"]),
    "empty translation": ("", ["the cat"]),
    "empty reference": ("the cat", [""]),
    "both empty": ("", [""]),
    "long": ("word " * 60 + "end", ["word " * 55 + "other end"]),
}


#: A predictor has parts and no picture.
DRAWN = [name for name in metric_names() if name != "predictor"]


def result_of(name, text):
    translation, references = TEXTS[text]
    if name == "hter":
        return explain(name, translation=translation, references=[], targeted=references)
    return explain(name, translation=translation, references=references)


@pytest.mark.filterwarnings("ignore:meteor. language=en, but 0 % of the references' letters")
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", DRAWN)
def test_every_metric_is_drawn_in_every_way(name, text):
    result = result_of(name, text)
    (explanation,) = result.made
    assert explanation.picture is not None
    assert explanation.title in result.render("text", width=80)
    assert "\x1b" not in result.render("text")
    ElementTree.fromstring(result.render("svg").split("?>", 1)[1])
    page = result.render("html")
    assert page.count("<img") == 1
    assert "<script" not in page
    assert result.to_json() == result_of(name, text).to_json()
    assert assay.Result.from_json(result.to_json()).render("text") == result.render("text")


def test_lines_keep_to_the_width():
    for name in DRAWN:
        for line in result_of(name, "plain").render("text", width=72).split("\n")[2:]:
            # Legends and lists of runs are sentences, which the terminal folds.
            if "·" not in line and ":" not in line:
                assert len(line) <= 72


@pytest.mark.parametrize(("width", "words"), [(40, 4), (60, 7)])
def test_a_long_translation_is_folded_where_the_page_ends(width, words):
    # Names take 13 columns and each word 6 with the space behind it: 13 + 4 * 6 = 37, 13 + 7 * 6 = 55.
    lines = result_of("ter", "long").render("text", width=width).split("\n")
    assert lines[3].split() == ["translation", *["word"] * words]


@pytest.fixture
def sample():
    (explanation,) = explain("f1", translation="x", references=["y"]).made
    return explanation


def test_edits_have_letters_and_shifts_have_numbers(sample):
    script = EditScript(
        ("on", "monday", "he", "came"),
        ("he", "left", "early", "on", "monday"),
        0,
        (
            Edit("match", 2, 0),
            Edit("substitution", 3, 1),
            Edit("deletion", None, 2),
            Edit("match", 0, 3),
            Edit("match", 1, 4),
        ),
        (Shift((0, 1), 0, 2),),
    )
    lines = replace(sample, picture=script).to_text().split("\n")
    assert "shift 1: “on monday” from position 0 to 2" in lines
    at = next(index for index, line in enumerate(lines) if line.startswith("translation"))
    assert lines[at - 1].split() == ["shift", "1", "1"]
    assert lines[at].split() == ["translation", "he", "came", "·", "on", "monday"]
    assert lines[at + 1].split() == ["reference", "1", "he", "left", "early", "on", "monday"]
    assert lines[at + 2].split() == ["edit", "S", "D"]


def test_alignments_have_chunk_numbers_and_signs(sample):
    links = (Link((0, 1), (1, 2), "exact", 0), Link((1, 2), (0, 1), "synonym", 1))
    alignment = Alignment(("a", "sofa", "x"), ("couch", "a"), 0, links, frozenset({0}), frozenset({1}))
    shown = replace(sample, picture=alignment).to_text()
    assert "1=  2≈    ·" in shown
    assert "2≈     1=" in shown
    assert "synonym: sofa ≈ couch" in shown


def test_the_grid_shows_hits_runs_caps_and_barriers(sample):
    grid = BitextGrid(
        ("a", "b", "a"),
        (("a", "b"), ("a",)),
        (2, 4),
        ((0, 0), (1, 1), (0, 3), (2, 0), (2, 3)),
        (Run(0, 0, 2, 1.5),),
        ((2, 3),),
    )
    explanation = replace(sample, picture=grid, references=("a b", "a"), reference_names=("A", "B"))
    lines = explanation.to_text().split("\n")
    at = next(index for index, line in enumerate(lines) if line.startswith("a "))
    assert lines[at : at + 3] == ["a ▓●   │ •", "b   ▓● │", "a  •   │░○"]
    assert "run 1: 2 words of reference A, of which 1.5 count: a b" in lines
    drawn = ElementTree.fromstring(explained([explanation]).render("svg").split("?>", 1)[1])
    kinds = [element.get("class") for element in drawn.iter() if element.get("class")]
    assert kinds.count("barrier") == 1
    assert "cut" in kinds
    assert "open" in kinds


def test_colour_only_where_asked_for(sample):
    assert "\x1b[" in sample.to_text(color=True)


class OfAPlugIn(EditScript):
    """A picture of somebody else's, made of one of ours."""


def test_a_picture_that_is_made_of_another_is_drawn_as_that_one(sample):
    script = OfAPlugIn(("a", "b"), ("a",), 0, (Edit("match", 0, 0), Edit("insertion", 1, None)))
    result = explained([replace(sample, picture=script)])
    assert [row["operation"] for row in result.table("edits")] == ["match", "insertion"]


@pytest.mark.parametrize("picture", [None, object()], ids=["none", "unknown"])
def test_without_a_known_picture_the_parts_are_shown(sample, picture):
    shown = replace(sample, picture=picture)
    assert "precision 0" in shown.to_text()
    result = explained([shown])
    assert "<table" in result.render("html")
    assert list(result.tables) == ["explanations", "parts", "references"]


def test_a_single_string_of_references_is_told():
    with pytest.raises(assay.InputError, match="references=\\[text\\]"):
        explain("bleu", translation="a", references="a")
    with pytest.raises(assay.InputError, match="one segment is explained at a time"):
        explain("bleu", translation=["a"], references=["a"])


def test_what_turns_a_line_round_is_shown():
    shown = explain("ter", translation="a \u202e \u200b c", references=["a c"])
    for text in (shown.render("text"), shown.render("svg")):
        assert "\\u202e" in text
        assert "\\u200b" in text
        assert "\u202e" not in text.replace("\\u202e", "")


def test_a_search_that_was_cut_short_is_told_in_every_way():
    generator = random.Random(1)
    translation, reference = (" ".join(generator.choices("abcdefghij", k=300)) for _ in range(2))
    explanation = explain("meteor(aligner=optimal)", translation=translation, references=[reference])
    assert explanation.of("meteor(aligner=optimal)").remarks
    for style in ("text", "svg", "html", "json"):
        text = explanation.render(style)
        assert "stopped at its limit" in text


def test_an_empty_reference_leaves_the_words_to_be_read():
    assert "translation: a b" in explain("gtm", translation="a b", references=[""]).render("text")


def test_a_picture_of_bleu_shows_brevity_and_smoothing():
    # Two of four words: a penalty of exp(1 - 4/2) = 0.368.
    found = assay.explain("bleu", translation="a b", references=["a b c d"])
    for drawn in (found.render("svg"), str(found)):
        assert "brevity penalty 0.368" in drawn
        assert "translation length 2" in drawn
        assert "smoothing exp." in drawn
