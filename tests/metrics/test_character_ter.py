"""CharacTER: sums by hand, and its slow twin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from metrics.scored import evaluate, parts, row, score
from oracles import character_ter as oracle

words = st.lists(st.sampled_from(["a", "bb", "the", "cat", "😀é"]), max_size=7).map(" ".join)
texts = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=2)), min_size=1, max_size=3)


def test_edits_by_hand():
    # "cat" to "cut" is one character of eleven ("the cat sat").
    assert score("character-ter", "the cat sat", "the cut sat") == pytest.approx(100 / 11)


def test_a_shift_costs_the_mean_length_of_its_words():
    # "home now" goes to the end: its words have (4 + 3) / 2 = 3.5 letters; the text has 14 characters.
    found = row("character-ter", "home now you go", "you go home now")
    assert found == {"rate": 3.5 / 15, "edits": 0.0, "shift_cost": 3.5, "translation_characters": 15.0, "segments": 1.0}
    assert parts("character-ter", "home now you go", "you go home now")["shift_cost"] == 3.5


def test_the_rate_is_per_character_of_the_translation_and_at_most_100():
    # Ten characters are missing, and the translation has one.
    assert score("character-ter", "a", "a very long one") == 100.0


def test_empty_texts():
    assert score("character-ter", "", "a b") == 100.0
    assert score("character-ter", "a b", "") == 100.0
    assert score("character-ter", "", "") == 0.0


def test_white_space_does_not_count():
    assert score("character-ter", "  the   cat ", "the cat") == 0.0


def test_the_best_reference_counts_and_the_corpus_score_is_the_mean():
    assert score("character-ter", "a b", "x y", "a b") == 0.0
    # 0 and 100 (one character, which is another).
    assert evaluate("character-ter", ["a b", "x"], ["a b", "y"]).corpus_score() == 50.0


@settings(max_examples=300)
@given(texts=texts)
def test_scores_are_those_of_the_slow_twin(texts):
    translations, references = zip(*texts, strict=True)
    corpus = assay.Corpus(translations=translations, references_by_segment=references)
    found = assay.CharacterTer().evaluate(corpus).segment_scores()
    expected = [min(100 * oracle.character_ter(ours, one) for one in several) for ours, several in texts]
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_lower_is_better_and_the_name_is_not_that_of_the_tokenizer():
    assert not assay.CharacterTer().higher_is_better
    assert str(assay.metric("Character_TER")) == "character-ter"
    with pytest.raises(assay.UnknownName):
        assay.metric("char")


def test_a_file_without_line_ends_is_refused():
    with pytest.raises(assay.InputError, match="character-ter: a segment has 3,000 words"):
        score("character-ter", "a " * 3000, "b " * 3000)
