"""RIBES: sums by hand, and its slow twin."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from metrics.scored import evaluate, parts, row, score
from oracles import ribes as oracle

words = st.lists(st.sampled_from(["a", "b", "c", "the", "0"]), max_size=12).map(" ".join)
texts = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=4)


def test_the_papers_second_example_by_hand():
    # Ranks 2 1 0 3: of six pairs the three with the last word rise, so the order is one half; all words have a place.
    assert score("ribes", "Bob hit John yesterday", "John hit Bob yesterday") == pytest.approx(50.0)


def test_precision_and_brevity_have_their_powers():
    # Two of three words, in order: 1 * (2/3)^0.5; four words in the reference: exp(1 - 4/3)^2.
    expected = 100 * (2 / 3) ** 0.5 * math.exp(1 - 4 / 3) ** 2
    assert score("ribes(alpha=0.5,beta=2)", "x cat sat", "a cat sat down") == pytest.approx(expected)
    found = parts("ribes", "x cat sat", "a cat sat down")
    assert found == pytest.approx({"order": 100.0, "precision": 200 / 3, "brevity_penalty": math.exp(-1 / 3)})


def test_a_long_translation_has_no_brevity_penalty():
    assert row("ribes", "a b c d", "a b")["brevity_penalty"] == 1.0


def test_a_single_word_makes_no_pair_and_scores_nothing():
    assert score("ribes", "one", "one") == 0.0


def test_the_best_reference_counts():
    assert score("ribes", "b a", "a b", "b a") == 100.0


def test_the_corpus_score_is_the_mean():
    # 100, and 0 for an empty translation.
    assert evaluate("ribes", ["a b", ""], ["a b", "a b"]).corpus_score() == pytest.approx(50.0)


@settings(max_examples=300)
@given(texts=texts, alpha=st.sampled_from([0.0, 0.25, 1.0]), beta=st.sampled_from([0.0, 0.1, 3.0]))
def test_scores_are_those_of_the_slow_twin(texts, alpha, beta):
    translations, references = zip(*texts, strict=True)
    corpus = assay.Corpus(translations=translations, references_by_segment=references)
    found = assay.Ribes(alpha=alpha, beta=beta).evaluate(corpus).segment_scores()
    expected = [
        max(100 * oracle.ribes(translation.split(), one.split(), alpha, beta) for one in several)
        for translation, several in texts
    ]
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("spelling", ["ribes(alpha=-0.1)", "ribes(beta=-1)", "ribes(alpha=x)", "ribes(gamma=1)"])
def test_options_that_make_no_sense_are_refused(spelling):
    with pytest.raises((assay.ParameterError, assay.UnknownName)):
        assay.metric(spelling)


def test_a_file_without_line_ends_is_refused():
    with pytest.raises(assay.InputError, match="ribes: a segment has 40,000 words in the translation"):
        score("ribes", "a " * 40_000, "b " * 40_000)
