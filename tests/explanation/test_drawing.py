"""Pictures of every metric: sound XML, readable without colour, in any script."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest

import assay
from assay.metrics.pictures import Alignment, BitextGrid, Edit, EditScript, Link, Run, Shift
from assay.metrics.registry import metric_names
from assay.questions.explain import explain, explained
from assay.results.text import width_of

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
    "of 464 words": (
        " ".join(["alpha beta gamma of delta", "epsilon , zeta and"][number % 2] for number in range(103)),
        [" ".join(["zeta beta gamma to the delta", "alpha epsilon and"][number % 3 == 1] for number in range(95))],
    ),
}
SVG = "{http://www.w3.org/2000/svg}"


#: These have parts and no picture, and ROUGE has one where a single reference counts.
UNDRAWN = ("predictor", "ribes", "character-ter", "eed", "rouge", "lm", "combination", "scores")
DRAWN = [*(name for name in metric_names() if name not in UNDRAWN), "rouge(references=best,tokenize=none)"]


@cache
def result_of(name, text):
    """An explanation, made once for all tests of it: those of long segments take seconds."""
    translation, references = TEXTS[text]
    if name == "hter":
        return explain(name, translation=translation, references=[], targeted=references)
    return explain(name, translation=translation, references=references)


def drawing(result):
    """The elements of the picture."""
    return ElementTree.fromstring(result.render("svg").split("?>", 1)[1])


def boxes(drawn):
    """The corner and the size of each box."""
    numbers = ("x", "y", "width", "height")
    return [
        tuple(float(box.get(name)) for name in numbers)
        for box in drawn.iter(f"{SVG}rect")
        if "box" in box.get("class").split()
    ]


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
    assert result.to_json() == result_of.__wrapped__(name, text).to_json()
    assert assay.Result.from_json(result.to_json()).render("text") == result.render("text")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "name", ["ribes", "character-ter", "eed", "rouge(tokenize=none)", "rouge(variant=l,tokenize=none)"]
)
def test_what_is_not_drawn_shows_its_parts(name, text):
    result = result_of(name, text)
    (explanation,) = result.made
    shown = result.render("text", width=80)
    assert explanation.title in shown
    if explanation.picture is None:
        assert all(part.replace("_", " ") in shown for part in explanation.parts)
    assert "<script" not in result.render("html")
    assert assay.Result.from_json(result.to_json()).render("text") == result.render("text")


@pytest.mark.parametrize("text", ["plain", "of 464 words"])
@pytest.mark.parametrize("name", DRAWN)
def test_lines_keep_to_the_width(name, text):
    for line in result_of(name, text).render("text", width=72).split("\n"):
        assert width_of(line) <= 72


@pytest.mark.parametrize("name", DRAWN)
def test_the_words_of_a_long_segment_stand_in_lines_of_a_page(name):
    drawn = drawing(result_of(name, "of 464 words"))
    # A page of words with labels beside it and margins around it; downwards about three lines in a hundred pixels.
    assert float(drawn.get("width")) < 1100
    # All words are there, or characters: "alpha" begins every other of 103 groups.
    words = [element.text for element in drawn.iter(f"{SVG}text") if "middle" in element.get("class")]
    assert words.count("alpha") + words.count("a") >= 52


@pytest.mark.parametrize("name", ["meteor", "gtm"])
def test_links_run_between_the_lines_of_a_long_segment(name):
    drawn = drawing(result_of(name, "of 464 words"))
    places = boxes(drawn)
    links = [element for element in drawn.iter(f"{SVG}path") if "C" in element.get("d")]
    assert links
    for link in links:
        numbers = list(map(float, re.findall(r"[\d.]+", link.get("d"))))
        start, end = numbers[:2], numbers[-2:]
        for x, y in (start, end):
            # Several words have their link between them.
            assert any(left - 6 <= x <= left + across and y in (top, top + down) for left, top, across, down in places)


def test_both_sides_of_a_long_segment_have_equally_many_lines():
    drawn = drawing(result_of("meteor", "of 464 words"))
    labels = [element.text for element in drawn.iter(f"{SVG}text") if element.get("class") == "small"]
    assert labels.count("translation") == labels.count("reference 1") > 5


def test_a_word_that_is_longer_than_a_line_is_cut_and_whole_when_pointed_at():
    result = explain("ter", translation="x" * 500, references=["y"])
    drawn = drawing(result)
    assert float(drawn.get("width")) < 1100
    assert "x" * 39 + "…" in [element.text for element in drawn.iter(f"{SVG}text")]
    assert f"substitution: {'x' * 500}" in [element.text for element in drawn.iter(f"{SVG}title")]


@pytest.mark.parametrize("name", ["meteor(language=other,tokenize=none)", "ter", "bleu(tokenize=none)"])
def test_sentences_that_are_read_to_the_left_begin_at_the_right(name):
    drawn = drawing(explain(name, translation="אחת 12 (שלוש) .", references=["אחת 12 (ארבע) ."]))
    words = {element.text: element for element in drawn.iter(f"{SVG}text") if "middle" in element.get("class").split()}
    places = [float(words[word].get("x")) for word in ("אחת", "12", "(שלוש)", ".")]
    assert places == sorted(places, reverse=True)
    # The direction is the sentence's, for digits and brackets have none of their own.
    for word in ("אחת", "12", "(שלוש)", "."):
        assert words[word].get("direction") == "rtl"


def test_labels_of_a_grid_end_where_it_begins_whatever_their_direction():
    pairs = (("one two three", "one two four"), ("אחת שתיים שלוש", "אחת שתיים ארבע"))
    drawings = [drawing(explain("gtm", translation=ours, references=[theirs])) for ours, theirs in pairs]
    (there, above), (turned, above_turned) = (
        [
            {element.text: element for element in drawn.iter(f"{SVG}text") if bool(element.get("transform")) == upright}
            for upright in (False, True)
        ]
        for drawn in drawings
    )
    # Text that runs to the right ends at its right end, text that runs to the left starts there.
    assert (there["three"].get("class"), there["three"].get("direction")) == ("end", "ltr")
    assert (turned["שלוש"].get("class"), turned["שלוש"].get("direction")) == ("", "rtl")
    assert there["three"].get("x") != "0"
    # Columns go from right to left as well; turned upright a heading has its left end at the grid.
    assert float(above["one"].get("x")) < float(above["four"].get("x"))
    assert float(above_turned["ארבע"].get("x")) < float(above_turned["אחת"].get("x"))
    assert (above["four"].get("class"), above_turned["ארבע"].get("class")) == ("", "end")


def test_digits_that_run_to_the_left_do_not_turn_their_neighbours():
    shown = explain("wer", translation="من ١٢ إلى ٢٠٢٤", references=["من ١٢ إلى ٢٠٢٥"]).render("text")
    assert "\u2068١٢\u2069" in shown
    assert "\u2068٢٠٢٤\u2069" in shown


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
        (Run(0, 0, 2, 2.0), Run(2, 3, 1, 1.0)),
    )
    explanation = replace(sample, picture=grid, references=("a b", "a"), reference_names=("A", "B"))
    lines = explanation.to_text().split("\n")
    at = next(index for index, line in enumerate(lines) if line.startswith("a "))
    assert lines[at : at + 3] == ["a ▓●▓▓ │ •", "b ▓▓▓● │", "a  •   │░○"]
    assert "run 1: 2 words of reference A, of which 1.5 count: a b" in lines
    assert "Before the length cap 3 words in 2 runs, after it 1.5 in 1." in lines
    # As many digits as a picture of a third of a word needs.
    third = replace(explanation, picture=replace(grid, runs=(Run(0, 0, 2, 4 / 3),))).to_text()
    assert "after it 1.333 in 1." in third
    drawn = ElementTree.fromstring(explained([explanation]).render("svg").split("?>", 1)[1])
    kinds = [element.get("class") for element in drawn.iter() if element.get("class")]
    assert kinds.count("barrier") == 1
    # Two light blocks, one of them below the dark one, and one of each in the legend.
    assert (kinds.count("level1"), kinds.count("level3"), kinds.count("open")) == (3, 2, 2)


def shaded(result, kind):
    """The blocks of a grid that have this shade, in cells: row, column and size; the last one is the legend's."""
    drawn = drawing(result)
    rectangles = [box for box in drawn.iter(f"{SVG}rect") if box.get("class") in ("frame", kind)]
    frame = next(box for box in rectangles if box.get("class") == "frame")
    left, top = float(frame.get("x")), float(frame.get("y"))
    blocks = [box for box in rectangles if box is not frame][:-1]
    return [
        ((float(box.get("y")) - top) / 20, (float(box.get("x")) - left) / 20, float(box.get("width")) / 20)
        for box in blocks
    ]


def test_the_matching_before_the_cap_is_light_and_what_is_left_of_it_dark():
    # Figure 2: references of four words each, so four of the six hits stay: "a b c", and of "d e" and "f" the "d".
    result = explain("gtm(exponent=2)", translation="a b c x d e y f", references=["a b c q", "z d e f"])
    assert shaded(result, "level1") == [(0, 0, 3), (4, 6, 2), (7, 8, 1)]
    assert shaded(result, "level3") == [(0, 0, 3), (4, 6, 1)]
    text = result.render("text")
    assert "d          │  ▓●░░" in text
    assert "e          │  ░░░○" in text


def test_a_run_that_is_cut_within_a_word_is_dark_as_far_as_it_counts():
    result = explain("gtm(exponent=2)", translation="a b c d", references=["a b c", "d x"])
    assert shaded(result, "level1") == [(0, 0, 3), (3, 4, 1)]
    assert shaded(result, "level3") == [(0, 0, 2.5)]


def test_a_matching_below_the_cap_is_drawn_in_one_shade():
    result = explain("gtm(exponent=2)", translation="a b c", references=["a b c d", "x y z w"])
    kinds = {box.get("class") for box in drawing(result).iter(f"{SVG}rect")}
    assert "run" in kinds
    assert not kinds & {"level1", "level3"}
    assert "initial_runs" not in result.tables


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
    with pytest.raises(assay.ParameterError, match="references is 'a', but it takes a list"):
        explain("bleu", translation="a", references="a")
    with pytest.raises(assay.ParameterError, match=r"translation is \['a'\], but it takes a word"):
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


def test_cells_of_a_wide_grid_are_smaller_so_that_a_page_holds_them():
    # 15 words by four references of 15, and three barriers between them: 63 columns of 13.65 pixels are 860.
    words = " ".join(f"w{number}" for number in range(15))
    result = explain("gtm", translation=words, references=[words] * 4)
    [frame] = [box for box in drawing(result).iter(f"{SVG}rect") if box.get("class") == "frame"]
    assert float(frame.get("width")) == pytest.approx(860.0, abs=0.1)
    assert float(frame.get("height")) == pytest.approx(15 * 860 / 63, abs=0.1)
    # Two letters side by side are wider than such a cell, and turned above it: w0 as w14.
    turned = [text.text for text in drawing(result).iter(f"{SVG}text") if "rotate" in text.get("transform", "")]
    assert turned.count("w0") == turned.count("w14") == 4
    # With 18 words a reference there are 75 columns, and 12 pixels for each are too many.
    wide = explain("gtm", translation=words, references=[f"{words} x y z"] * 4)
    assert "too large" in wide.figures[0].to_svg()
