"""WER by hand."""

from __future__ import annotations

import pytest

import assay
from assay.text.batch import batch_of
from metrics.scored import evaluate, parts, row, score

MAT = "the cat sat on the mat"


def test_worked_example():
    # "the" is replaced by "a", "on" is missing, "today" and "now" are too many: 4 errors for 6 words.
    assert score("wer", "a cat sat the mat today now", MAT) == pytest.approx(400 / 6)


def test_row_of_the_worked_example():
    found = row("wer", "a cat sat the mat today now", MAT)
    assert found == {"hits": 4, "substitutions": 1, "deletions": 1, "insertions": 2}


def test_parts_of_the_worked_example():
    found = parts("wer", "a cat sat the mat today now", MAT)
    # MER = 4 errors of 8 steps; WIP = 4/6 * 4/7.
    assert found["match_error_rate"] == pytest.approx(50)
    assert found["information_preserved"] == pytest.approx(1600 / 42)
    assert found["information_lost"] == pytest.approx(100 - 1600 / 42)
    assert found["reference_length"] == 6


def test_a_perfect_translation_has_no_errors():
    assert score("wer", "a b c", "a b c") == 0


def test_there_may_be_more_errors_than_words():
    assert score("wer", "x y z", "a") == pytest.approx(300)


def test_the_order_of_words_matters():
    assert score("wer", "b a", "a b") == pytest.approx(100)


def test_case_and_punctuation_matter_unless_the_recipe_says_otherwise():
    assert score("wer", "The cat.", "the cat") == pytest.approx(100)
    assert score("wer(lowercase=true,remove_punctuation=true)", "The cat.", "the cat") == 0


def test_only_ascii_white_space_cuts_words():
    assert score("wer", "a\u00a0b", "a b") == pytest.approx(100)
    assert score("wer(tokenize=none)", "a\u00a0b", "a b") == 0


def test_an_empty_translation_misses_every_word():
    assert score("wer", "", "a b") == pytest.approx(100)


def test_against_an_empty_reference_every_word_is_an_error():
    # As jiwer: the rate is the number of words, here 3.
    assert score("wer", "a b c", "") == pytest.approx(300)
    assert parts("wer", "a b c", "")["match_error_rate"] == pytest.approx(100)


def test_two_empty_texts_agree():
    assert score("wer", "", "") == 0
    assert parts("wer", "", "")["information_preserved"] == pytest.approx(100)


def test_the_reference_with_the_lowest_rate_counts():
    # One error in 2 words against one in 4: the rate decides, not the number.
    assert row("wer", "a x", "a b", "a x c d") == {"hits": 1, "substitutions": 1, "deletions": 0, "insertions": 0}
    assert score("wer", "a b c x", "a y", "a b c d") == pytest.approx(25)


def test_of_equally_good_references_the_first_counts():
    # 1 of 2 and 2 of 4.
    assert row("wer", "a x", "a b", "a x c d")["hits"] == 1
    assert row("wer", "a x", "a x c d", "a b")["hits"] == 2


def test_absent_references_never_win():
    corpus = assay.Corpus(translations=["", "a"], references_by_segment=[["x y"], ["b", "a"]])
    assert assay.Wer().evaluate(corpus).rows.tolist() == [[0, 0, 2, 0], [1, 0, 0, 0]]


def test_the_corpus_rate_adds_errors_and_words():
    # 1 of 1 and 0 of 3.
    statistics = evaluate("wer", ["x", "a b c"], ["y", "a b c"])
    assert statistics.segment_scores().tolist() == [100, 0]
    assert statistics.corpus_score() == pytest.approx(25)


def test_lower_is_better():
    assert not assay.Wer.higher_is_better


def test_a_file_without_line_ends_is_refused():
    long = "a " * 400_000
    with pytest.raises(assay.InputError, match="missing its line ends"):
        evaluate("wer", [long], [long + "b"])


def test_unknown_options_are_refused():
    with pytest.raises(assay.UnknownName, match=r"no option of wer 'lowercased'\. Did you mean 'lowercase'"):
        assay.metric("wer(lowercased=true)")


def test_pictures_have_the_counts_of_the_row():
    metric = assay.Wer()
    texts = ["a cat sat the mat today now", "x y z", "the cat sat on the mat"]
    batch = batch_of(texts[:1], [[one] for one in texts[1:]], metric.recipe)
    picture, [counts] = metric.picture(batch), metric.count(batch)
    # The second reference is closer.
    assert picture.reference_index == 1
    assert picture.shifts == ()
    operations = ["match", "substitution", "deletion", "insertion"]
    assert [sum(edit.operation == one for edit in picture.edits) for one in operations] == counts.tolist()
    assert picture.translation == tuple(texts[0].split())
    for edit in picture.edits:
        if edit.operation == "match":
            assert picture.translation[edit.translation] == picture.reference[edit.reference]
