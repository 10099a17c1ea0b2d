"""CER by hand."""

from __future__ import annotations

import pytest

import assay
from assay.text.batch import batch_of
from metrics.scored import evaluate, parts, row, score


def test_worked_example():
    # kitten -> sitting: k to s, e to i, and g too many: 3 errors for 6 characters.
    assert score("cer", "sitting", "kitten") == pytest.approx(50)
    assert row("cer", "sitting", "kitten") == {"hits": 4, "substitutions": 2, "deletions": 0, "insertions": 1}


def test_spaces_between_words_count():
    # "ab" lacks the space of "a b".
    assert score("cer", "ab", "a b") == pytest.approx(100 / 3)
    assert parts("cer", "ab", "a b")["reference_length"] == 3


def test_spaces_at_the_ends_do_not_count():
    assert score("cer", "  a b\t", "a b\u3000") == 0


def test_spaces_are_counted_as_they_stand():
    assert score("cer", "a  b", "a b") == pytest.approx(100 / 3)
    assert score("cer", "a\u00a0b", "a b") == pytest.approx(100 / 3)


def test_characters_are_code_points():
    # e and a combining accent are two; NFC makes them one.
    assert score("cer", "e\u0301", "\u00e9") == pytest.approx(200)
    assert score("cer(normalize=nfc)", "e\u0301", "\u00e9") == 0


def test_a_tokenizer_puts_single_spaces_between_tokens():
    assert score("cer(tokenize=13a)", "Hi,you", "Hi , you") == 0


def test_stems_and_case_change_the_characters():
    assert score("cer(stem=english,lowercase=true)", "Running  DOGS", "runs dog") == 0


def test_empty_sides():
    assert score("cer", "", "ab") == pytest.approx(100)
    assert score("cer", "ab", "") == pytest.approx(200)
    assert score("cer", "", "") == 0
    assert score("cer", " ", "") == 0


def test_the_closest_of_several_references_counts():
    assert score("cer", "abcd", "xxxx", "abce") == pytest.approx(25)
    corpus = assay.Corpus(translations=["", "ab"], references_by_segment=[["xy"], ["cd", "ab"]])
    assert assay.Cer().evaluate(corpus).segment_scores().tolist() == [100, 0]


def test_the_corpus_rate_adds_errors_and_characters():
    assert evaluate("cer", ["x", "abc"], ["y", "abc"]).corpus_score() == pytest.approx(25)


def test_impossible_options_are_refused():
    with pytest.raises(assay.UnknownName, match=r"no normal form 'nfd'\. Did you mean 'nfc'"):
        assay.metric("cer(normalize=nfd)")


def test_pictures_have_the_counts_of_the_row():
    metric = assay.Cer()
    texts = [" a çat 猫 ", "xyz", "the cat 猫!"]
    batch = batch_of(texts[:1], [[one] for one in texts[1:]], metric.recipe)
    picture, [counts] = metric.picture(batch), metric.count(batch)
    # The second reference is closer.
    assert picture.reference_index == 1
    assert picture.shifts == ()
    operations = ["match", "substitution", "deletion", "insertion"]
    assert [sum(edit.operation == one for edit in picture.edits) for one in operations] == counts.tolist()
    assert picture.translation == tuple("a çat 猫")
    for edit in picture.edits:
        if edit.operation == "match":
            assert picture.translation[edit.translation] == picture.reference[edit.reference]


def test_runs_of_white_space_can_count_as_one_space():
    # "a  b" with two spaces, a tab or a no-break space is "a b" then; "ab" still lacks its space.
    for text in ("a  b", "a\tb", "a\u00a0b", " a \u3000 b "):
        assert score("cer(collapse_whitespace=true)", text, "a b") == 0
    assert score("cer(collapse_whitespace=true)", "ab", "a  b") == pytest.approx(100 / 3)
    assert assay.metric("cer(collapse_whitespace=true)").recipe.units("a \t b") == ("a", " ", "b")
    assert "collapse" not in evaluate("cer", ["a"], ["a"]).signature()
