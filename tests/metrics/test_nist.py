"""NIST by hand."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import assay
from metrics.scored import evaluate, parts, row, score


def test_worked_example():
    # The references "a b a c" have 4 words: info(a) = log2(4/2) = 1, info(b) = info(c) = 2; "a b" and "a c" follow an
    # "a" half of the time: 1 bit; "b a" always follows "b": 0 bits. Longer n-grams bring none.
    # The translation "a b" has (1 + 2) / 2 words' bits and 1 / 1 bigram's: 2.5. It is half as long as the reference:
    # exp(-ln2 (ln 2 / ln 1.5)^2).
    penalty = math.exp(-math.log(2) * (math.log(2) / math.log(1.5)) ** 2)
    assert score("nist", "a b", "a b a c") == pytest.approx(2.5 * penalty)


def test_row_and_parts_of_the_worked_example():
    found = row("nist(order=2)", "a b", "a b a c")
    assert list(found.values()) == pytest.approx([2, 4, 3, 1, 2, 1])
    found = parts("nist(order=2)", "a b", "a b a c")
    assert (found["information_1"], found["information_2"]) == pytest.approx((1.5, 1))
    assert (found["translation_length"], found["reference_length"]) == (2, 4)


def test_two_thirds_of_the_length_cost_one_half():
    assert parts("nist", "a b", "a b c")["length_penalty"] == pytest.approx(0.5)


def test_too_many_words_cost_nothing_but_precision():
    assert parts("nist", "a b c d", "a b c")["length_penalty"] == 1


def test_an_empty_reference_asks_for_no_length():
    assert assay.Nist().length_penalty(np.array([[3.0, 0.0], [0.0, 0.0], [0.0, 3.0]])).tolist() == [1, 1, 0]


def test_information_comes_from_the_whole_test_set():
    # Alone "a" is all there is to say: log2(1/1). Beside "b c d" it is one word of four.
    assert score("nist", "a", "a") == 0
    statistics = evaluate("nist", ["a", "b c d"], ["a", "b c d"])
    assert statistics.segment_scores()[0] == pytest.approx(2)


def test_matches_are_clipped_over_all_references_and_lengths_averaged():
    # The references have 6 words: a x3, b x2, c. "a a a" may have two: one reference has two.
    found = row("nist(order=1)", "a a a", "a a b", "a b c")
    assert found["information_1"] == pytest.approx(2 * math.log2(6 / 3))
    assert found["reference_length"] == 3


def test_absent_references_are_not_surveyed():
    corpus = assay.Corpus(translations=["a", "b"], references_by_segment=[["a"], ["b", "b c"]])
    rows = assay.Nist(order=1).evaluate(corpus).rows
    # Words: a, b, b, c. The mean length of the second segment's references is 3/2.
    assert rows[:, 2].tolist() == [2, 1]
    assert rows[:, 1].tolist() == [1, 1.5]


def test_the_word_0_as_a_history_counts_as_empty():
    # "0 x 0 y": info(0 x) is log2(2/1) by the book; mteval takes the 4 words in all for the history's count.
    book = row("nist(order=2,zero_quirk=false)", "0 x", "0 x 0 y")
    quirk = row("nist(order=2)", "0 x", "0 x 0 y")
    assert book["information_2"] == pytest.approx(1)
    assert quirk["information_2"] == pytest.approx(2)
    assert book["information_1"] == quirk["information_1"]


def test_only_the_single_word_0_is_quirky():
    for text in ("00 x 00 y", "0.0 x 0.0 y", "a 0 x a 0 y"):
        words = " ".join(text.split()[:-1])
        options = "order=3,tokenize=none"
        quirk, book = (row(f"nist({options},zero_quirk={on})", words, text) for on in ("true", "false"))
        assert quirk["information_3"] == book["information_3"]
        assert (quirk["information_2"] == book["information_2"]) == (" 0 " not in text)


def test_empty_sides_score_0():
    assert score("nist", "", "a b") == 0
    assert score("nist", "a b", "") == 0
    assert score("nist", "", "") == 0
    statistics = evaluate("nist", ["a b", "", "c"], ["", "", "c"])
    assert statistics.segment_scores()[:2].tolist() == [0, 0]
    assert math.isfinite(statistics.corpus_score())


def test_an_order_longer_than_the_segment_adds_nothing():
    assert score("nist(order=9)", "a b", "a b c d") == pytest.approx(score("nist(order=2)", "a b", "a b c d"))


def test_counting_before_a_survey_is_an_error():
    from assay.text.batch import batch_of

    metric = assay.Nist()
    with pytest.raises(assay.ParameterError, match="after a survey"):
        metric.count(batch_of(["a"], [["a"]], metric.recipe))


def test_a_fitted_metric_prints_as_what_one_types_and_says_what_it_was_fitted_on():
    fitted = evaluate("nist(order=3)", ["a"], ["a b"]).metric
    assert str(fitted) == "nist(order=3)"
    assert not fitted.needs_survey
    other = evaluate("nist(order=3)", ["a"], ["a c"]).metric
    assert fitted.fitted_on != other.fitted_on


def test_a_survey_survives_pickling_and_surveys_add_up():
    from assay.text.batch import batch_of

    metric = assay.Nist(tokenize="none")
    left, right, both = (
        metric.survey(batch_of([""] * len(lines), [lines], metric.recipe))
        for lines in (["a b a"], ["b a", "a b"], ["a b a", "b a", "a b"])
    )
    copy = pickle.loads(pickle.dumps(left + right))
    for found, expected in zip(copy.counts.arrays(), both.counts.arrays(), strict=True):
        assert (found == expected) if isinstance(found, int) else found.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("nist(order=0)", "order is 0, but it takes a whole number from 1 to 64"),
        ("nist(order=nan)", "order is nan, but it takes a whole number"),
        ("nist(zero_quirk=0)", "zero_quirk is 0, but it takes true or false"),
    ],
)
def test_impossible_options_are_refused(spelling, message):
    with pytest.raises(assay.ParameterError, match=message):
        assay.metric(spelling)


def test_what_a_survey_taught_is_not_an_option():
    with pytest.raises(assay.UnknownName, match="no option of nist 'fitted_on'"):
        assay.metric("nist(fitted_on=x)")


def test_unweighted_every_match_counts_1():
    # "a b d" against "a b a c": two of three words and one of two pairs match, of triples none: 2/3 + 1/2. Three words
    # where four are wanted: exp(-ln2 (ln 0.75 / ln 1.5)^2).
    penalty = math.exp(-math.log(2) * (math.log(0.75) / math.log(1.5)) ** 2)
    assert score("nist(weights=none)", "a b d", "a b a c") == pytest.approx((2 / 3 + 1 / 2) * penalty)
    found = parts("nist(weights=none)", "a b d", "a b a c")
    assert (found["precision_1"], found["precision_2"], found["precision_3"]) == pytest.approx((2 / 3, 1 / 2, 0))
    assert row("nist(weights=none,order=2)", "a b d", "a b a c") == {
        "translation_length": 3, "reference_length": 4, "matches_1": 2, "matches_2": 1, "totals_1": 3, "totals_2": 2
    }  # fmt: skip


def test_unweighted_it_needs_no_survey_and_no_other_text_matters():
    metric = assay.metric("nist(weights=none)")
    assert not metric.needs_survey
    # Five words have five orders: a perfect translation has them all, whatever stands beside it.
    scores = evaluate("nist(weights=none)", ["a b c d e", "a b c d e"], ["a b c d e", "x"]).segment_scores()
    assert scores.tolist() == [5, 0]
    assert "weights" not in evaluate("nist", ["a"], ["a"]).signature()
