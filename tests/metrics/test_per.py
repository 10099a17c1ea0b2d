"""PER by hand."""

from __future__ import annotations

import pytest

import assay
from metrics.scored import evaluate, parts, row, score


def test_worked_example():
    # Common words: the, cat, mat. The longer side has 5: two are left over. Two errors for 4 words.
    assert score("per", "mat the cat now here", "the cat sat mat") == pytest.approx(50)


def test_row_and_parts_of_the_worked_example():
    expected = {"matches": 3, "translation_length": 5, "reference_length": 4, "errors": 2}
    assert row("per", "mat the cat now here", "the cat sat mat") == expected
    assert parts("per", "mat the cat now here", "the cat sat mat") == expected


def test_the_order_of_words_does_not_matter():
    assert score("per", "c b a", "a b c") == 0


def test_repeated_words_count_as_often_as_they_stand_on_both_sides():
    # One "a" of three matches.
    assert score("per", "a a a", "a b c") == pytest.approx(200 / 3)


def test_a_surplus_is_charged_where_it_stands_or_once_for_all():
    # 3 words for 1 and 1 for 3, one match each: 2 + 2 errors for 4 words, or 4 words against 4 with 2 in common.
    translations, references = ["a b c", "a"], ["a", "a b c"]
    assert evaluate("per", translations, references).corpus_score() == pytest.approx(100)
    assert evaluate("per(surplus=corpus)", translations, references).corpus_score() == pytest.approx(50)


def test_single_segments_do_not_know_the_difference():
    for pair in [("a b c", "a"), ("a", "a b c"), ("", "a"), ("a", ""), ("", "")]:
        assert score("per", *pair) == score("per(surplus=corpus)", *pair)


def test_empty_sides():
    assert score("per", "", "a b") == pytest.approx(100)
    assert score("per", "a b", "") == pytest.approx(200)
    assert score("per", "", "") == 0


def test_the_reference_with_the_lowest_rate_counts_and_the_first_on_ties():
    assert row("per", "a b", "x y", "b a")["errors"] == 0
    # 1 of 2 and 2 of 4.
    assert row("per", "a x", "a b", "a x c d")["reference_length"] == 2
    assert row("per", "a x", "a x c d", "a b")["reference_length"] == 4


def test_absent_references_never_win():
    corpus = assay.Corpus(translations=["", "a"], references_by_segment=[["x y"], ["b", "a"]])
    assert assay.Per().evaluate(corpus).segment_scores().tolist() == [100, 0]


def test_lower_is_better():
    assert not assay.Per.higher_is_better


def test_impossible_options_are_refused():
    with pytest.raises(assay.ParameterError, match="surplus is 'corpse', but it takes segment, corpus"):
        assay.metric("per(surplus=corpse)")
