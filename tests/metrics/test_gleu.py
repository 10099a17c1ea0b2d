"""GLEU: sums by hand, and its slow twin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from metrics.scored import evaluate, parts, row, score
from oracles import gleu as oracle

words = st.lists(st.sampled_from(["a", "b", "c", "the", "0"]), max_size=9).map(" ".join)
texts = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=4)


def test_the_the_the_by_hand():
    # Seven words have 7 + 6 + 5 + 4 = 22 n-grams, six have 6 + 5 + 4 + 3 = 18. Two words match: 2 / 22.
    assert score("gleu", "the the the the the the the", "the cat is on the mat") == pytest.approx(100 * 2 / 22)
    assert parts("gleu", "the the the the the the the", "the cat is on the mat") == pytest.approx(
        {
            "precision": 100 * 2 / 22,
            "recall": 100 * 2 / 18,
            "matches": 2,
            "translation_total": 22,
            "reference_total": 18,
        }
    )


def test_lengths_choose_the_ngrams():
    # Of pairs alone, "b c" of two and three.
    assert score("gleu(min_len=2,max_len=2)", "b c d", "a b c x") == pytest.approx(100 / 3)


def test_counts_are_added_before_dividing():
    # 1 of 1, and 0 of 6 (three words): one of seven n-grams, where the mean of segments would be 50.
    assert evaluate("gleu", ["a", "x y z"], ["a", "b c d"]).corpus_score() == pytest.approx(100 / 7)


def test_the_reference_with_the_best_segment_counts():
    assert row("gleu", "a b", "a c d e", "a b c") == {
        "matches": 3,
        "larger_total": 6,
        "translation_total": 3,
        "reference_total": 6,
    }


def test_an_empty_reference_does_not_take_the_place_of_another():
    # Against "a b" an empty translation lacks three n-grams; NLTK does not look at the reference without any.
    assert row("gleu", "", "", "a b")["larger_total"] == 3.0


@settings(max_examples=200)
@given(texts=texts, lengths=st.sampled_from([(1, 4), (1, 1), (2, 3), (4, 6)]))
def test_scores_are_those_of_the_slow_twin(texts, lengths):
    translations, references = zip(*texts, strict=True)
    corpus = assay.Corpus(translations=translations, references_by_segment=references)
    statistics = assay.Gleu(min_len=lengths[0], max_len=lengths[1]).evaluate(corpus)
    expected = [oracle.best(ours.split(), [one.split() for one in several], *lengths) for ours, several in texts]
    assert statistics.rows[:, :2].tolist() == [list(pair) for pair in expected]
    matches, whole = (sum(column) for column in zip(*expected, strict=True))
    assert statistics.corpus_score() == pytest.approx(100 * matches / whole if whole else 0.0)


@pytest.mark.parametrize("spelling", ["gleu(min_len=0)", "gleu(min_len=5)", "gleu(max_len=65)", "gleu(max_len=0)"])
def test_options_that_make_no_sense_are_refused(spelling):
    with pytest.raises(assay.ParameterError):
        assay.metric(spelling)


@pytest.mark.parametrize("typed", ["GLEU", "google_bleu", "Google-BLEU"])
def test_other_names(typed):
    assert assay.metric(typed) == assay.Gleu()
