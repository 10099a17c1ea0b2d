"""EED: sums by hand, its slow twin, and how texts are prepared."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.text.eed import set_apart, unified
from metrics.scored import evaluate, parts, row, score
from oracles import eed as oracle

words = st.text(alphabet="ab é😀.", max_size=12)
texts = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=2)), min_size=1, max_size=3)
cost = st.sampled_from([0.0, 0.2, 0.3, 1.0, 2.0])


def test_a_perfect_translation_by_hand():
    # " ab " against itself costs nothing; of its five places only the first is never the cheapest: 0.3 / (4 + 0.3).
    assert score("eed", "ab", "ab") == pytest.approx(100 * 0.3 / 4.3)
    assert score("eed(rho=0)", "ab", "ab") == 0.0


def test_one_other_letter_by_hand():
    # One substitution of 1 in " ax ", four characters.
    assert score("eed(rho=0)", "ax", "ab") == pytest.approx(25.0)
    assert parts("eed(rho=0)", "ax", "ab")["edit_cost"] == 1.0


def test_what_is_too_much_costs_a_fifth():
    # "abc" for "ab": the c is passed over, at 0.2 of four characters.
    assert score("eed(rho=0)", "abc", "ab") == pytest.approx(100 * 0.2 / 4)


def test_the_worst_is_100():
    # A hundred letters too many, at 0.2 each, are more than the reference has characters.
    assert score("eed", "x" * 100, "a") == 100.0


def test_an_empty_japanese_reference():
    # Nothing is divided by: anything is too much, and nothing is right.
    assert score("eed(language=ja,rho=0)", "ab", "") == 100.0
    assert score("eed(language=ja,rho=0)", "", "") == 0.0


def test_the_best_reference_counts_and_the_corpus_score_is_the_mean():
    one, other = score("eed", "a cat", "a cat"), score("eed", "a cat", "the dogs")
    assert one < other
    assert score("eed", "a cat", "the dogs", "a cat") == one
    assert evaluate("eed", ["a cat", "a cat"], ["a cat", "the dogs"]).corpus_score() == pytest.approx((one + other) / 2)


@settings(max_examples=200)
@given(texts=texts, alpha=cost, rho=cost, deletion=cost, insertion=cost, language=st.sampled_from(["en", "ja"]))
def test_scores_are_those_of_the_slow_twin(*, texts, alpha, rho, deletion, insertion, language):
    options = {"alpha": alpha, "rho": rho, "deletion": deletion, "insertion": insertion}
    translations, references = zip(*texts, strict=True)
    corpus = assay.Corpus(translations=translations, references_by_segment=references)
    found = assay.Eed(language=language, **options).evaluate(corpus).segment_scores()

    def prepared(text):
        return unified(text) if language == "ja" else f" {set_apart(text)} "

    expected = [
        min(100 * oracle.eed(prepared(ours), prepared(one), **options) for one in several) for ours, several in texts
    ]
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_marks_stand_apart():
    # Tokenized decimals are put together; so is a title with whatever stands behind it, as the authors' program does.
    assert set_apart("Hi,  you! 3 . 5 Mr. Fox") == "Hi , you ! 3.5 Mr. Fox"
    assert set_apart("3.5 Mr Fox") == "3 .5 Mr.ox"
    assert set_apart("e . g . U . S . i . e . \u00a0") == "e.g. U.S. i.e."
    assert set_apart("e.g. U.S.") == "e .g . U .S ."


def test_japanese_takes_its_own_preparation():
    assert assay.metric("eed").in_language("ja") == assay.Eed(language="ja")
    assert assay.metric("eed").in_language("de") == assay.Eed()
    assert score("eed(language=ja,rho=0)", "ＮＨＫ", "NHK") == 0.0
    # No space is put around it.
    assert row("eed(language=ja)", "ab", "ab")["reference_characters"] == 2.0


def test_a_tokenizer_of_ones_own_takes_the_place_of_the_preparation():
    assert row("eed(tokenize=13a)", "a", "(b)")["reference_characters"] == len(" ( b ) ")


@pytest.mark.parametrize("spelling", ["eed(alpha=-1)", "eed(rho=-0.1)", "eed(language=zh)", "eed(deletion=none)"])
def test_options_that_make_no_sense_are_refused(spelling):
    with pytest.raises(assay.ParameterError):
        assay.metric(spelling)
