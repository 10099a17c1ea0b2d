"""Precision, recall, F1 and Fmean by hand."""

from __future__ import annotations

import pytest

import assay
from metrics.scored import evaluate, parts, row, score

# Common words: the, cat, sat. P = 3/4, R = 3/6.
PAIR = "the cat sat now", "the cat sat on the mat"


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("precision", 3 / 4),
        ("recall", 3 / 6),
        # 2PR / (P + R), which is 2 * 3 / (4 + 6).
        ("f1", 6 / 10),
        # 10PR / (9P + R), which is 3 / (0.9 * 6 + 0.1 * 4).
        ("fmean", 3 / 5.8),
        ("fmean(alpha=0.5)", 6 / 10),
        ("fmean(alpha=0)", 3 / 4),
        ("fmean(alpha=1)", 3 / 6),
    ],
)
def test_worked_example(spelling, expected):
    assert score(spelling, *PAIR) == pytest.approx(100 * expected)


def test_row_and_parts_of_the_worked_example():
    assert row("f1", *PAIR) == {"matches": 3, "translation_length": 4, "reference_length": 6}
    found = parts("fmean", *PAIR)
    assert (found["precision"], found["recall"]) == pytest.approx((75, 50))


def test_the_lecture_example_of_fmean():
    # P = 5/8, R = 5/14: Fmean .3731 (Lavie 2007).
    translation = "a b c d e x x x"
    reference = "a b c d e y y y y y y y y y"
    assert score("fmean", translation, reference) == pytest.approx(37.31, abs=0.005)


def test_repeated_words_are_clipped():
    assert row("precision", "the the the", "the cat")["matches"] == 1


@pytest.mark.parametrize("name", ["precision", "recall", "f1", "fmean"])
def test_empty_sides(name):
    assert score(name, "", "a b") == 0
    assert score(name, "a b", "") == 0
    assert score(name, "", "") == 100
    assert score(name, "a", "a") == 100
    assert score(name, "a", "b") == 0


def test_each_metric_chooses_its_own_best_reference():
    # "a b" is all in the long reference (P = 1, R = 2/6) and half in the short one (P = 1/2, R = 1/1).
    references = "a b c d e f", "a"
    assert row("precision", "a b", *references)["reference_length"] == 6
    assert row("recall", "a b", *references)["reference_length"] == 1


def test_of_equally_good_references_the_first_counts():
    assert row("precision", "a b", "a c", "b c d")["reference_length"] == 2
    assert row("precision", "a b", "b c d", "a c")["reference_length"] == 3
    # F1 is 2 * 1 / (3 + 1) and 2 * 2 / (3 + 5).
    assert row("f1", "a b x", "a", "a b c d e")["reference_length"] == 1
    assert row("f1", "a b x", "a b c d e", "a")["reference_length"] == 5


def test_rounding_does_not_part_references_that_tie():
    # F1 is 2 * 1 / (2 + 4) and 2 * 2 / (2 + 10).
    short, long = "a x x x", "a b y y y y y y y y"
    assert row("f1", "a b", short, long)["reference_length"] == 4
    assert row("f1", "a b", long, short)["reference_length"] == 10


def test_absent_references_never_win():
    corpus = assay.Corpus(translations=["", "a"], references_by_segment=[["x y"], ["b", "a"]])
    assert assay.F1().evaluate(corpus).segment_scores().tolist() == [0, 100]


def test_the_corpus_score_adds_counts():
    # 1 of 1 and 1 of 3 words: precision 2/4.
    assert evaluate("precision", ["a", "b x y"], ["a", "b c"]).corpus_score() == pytest.approx(50)


@pytest.mark.parametrize("alpha", ["-0.1", "1.1", "nan", "inf", "high"])
def test_impossible_weights_are_refused(alpha):
    with pytest.raises(assay.ParameterError, match="fmean: alpha is"):
        assay.metric(f"fmean(alpha={alpha})")
