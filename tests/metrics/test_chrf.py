"""chrF and chrF++ by hand."""

from __future__ import annotations

import pytest

import assay
from assay.text.batch import batch_of
from metrics.scored import evaluate, parts, row, score


def test_worked_example():
    # "abcd" against "abce": characters 3/4, bigrams 2/3, both ways alike; so P = R = F = (3/4 + 2/3) / 2.
    assert score("chrf(char_order=2)", "abcd", "abce") == pytest.approx(100 * 17 / 24)


def test_row_of_the_worked_example():
    assert list(row("chrf(char_order=2)", "abcd", "abce").values()) == [4, 4, 3, 3, 3, 2]


def test_beta_leans_on_recall():
    # "ab" in "abcd": P = 1, R = 1/2 over characters. F1 = 2/3, F2 = 5 * .5 / (4 + .5), F3 = 10 * .5 / (9 + .5).
    for beta, expected in [(1, 2 / 3), (2, 5 / 9), (3, 10 / 19)]:
        assert score(f"chrf(char_order=1,beta={beta})", "ab", "abcd") == pytest.approx(100 * expected)


def test_parts_are_mean_precision_and_recall():
    found = parts("chrf(char_order=2)", "ab", "abcd")
    # Characters 2/2 and 2/4, bigrams 1/1 and 1/3.
    assert (found["precision"], found["recall"]) == pytest.approx((100, 100 * (1 / 2 + 1 / 3) / 2))


def test_orders_that_one_side_lacks_are_left_out():
    # Only characters, bigrams: "ab" has no trigrams.
    assert score("chrf", "ab", "ab") == pytest.approx(100)
    assert list(row("chrf(char_order=3)", "abc", "ab").values()) == [3, 2, 2, 2, 1, 1, 0, 0, 0]


def test_smoothing_keeps_all_orders():
    # Of six orders "ab" has two; the others have a floor of nothing: 2/6.
    assert score("chrf(smoothing=true)", "ab", "ab") == pytest.approx(100 * 2 / 6)


def test_white_space_counts_only_if_asked():
    assert score("chrf", "a b c", "ab c") == pytest.approx(100)
    assert score("chrf(whitespace=true)", "a b c", "ab c") < 90
    assert row("chrf(char_order=1,whitespace=true)", " a b ", "a\u00a0b")["translation_characters_1"] == 5


def test_words_count_with_plus_plus():
    # Characters alike; words "ab", "cd" against "abcd": 0 matches of 2 and 1; no word bigrams in the reference.
    found = row("chrf(char_order=1,word_order=2)", "ab cd", "abcd")
    assert list(found.values()) == [4, 4, 4, 2, 1, 0, 0, 0, 0]
    # P = (1 + 0) / 2 = R.
    assert score("chrf(char_order=1,word_order=2)", "ab cd", "abcd") == pytest.approx(50)


def test_plus_plus_takes_one_mark_off_a_word():
    # "(hi" and ")" against "(hi", ")" and "!".
    found = row("chrf(char_order=1,word_order=1)", "(hi)", "(hi) !")
    assert (found["translation_words_1"], found["reference_words_1"], found["matches_words_1"]) == (2, 3, 2)


def test_a_tokenizer_changes_the_words_of_plus_plus():
    found = row("chrf(char_order=1,word_order=1,tokenize=13a)", "(hi)", "hi")
    assert (found["translation_words_1"], found["matches_words_1"]) == (3, 1)


def test_the_best_reference_counts():
    assert score("chrf", "the cat", "the cat", "a dog") == pytest.approx(100)
    assert score("chrf", "the cat", "a dog", "the cat") == pytest.approx(100)


def test_of_equally_good_references_the_first_counts():
    # Neither has anything of "x"; their lengths tell which was taken.
    assert row("chrf(char_order=1)", "x", "ab", "abc")["reference_characters_1"] == 2
    assert row("chrf(char_order=1)", "x", "abc", "ab")["reference_characters_1"] == 3


def test_with_smoothing_too_the_first_of_equally_good_references_counts():
    assert row("chrf(word_order=2,smoothing=true)", "ab", "b a", "ba")["reference_words_1"] == 2
    assert row("chrf(word_order=2,smoothing=true)", "ab", "ba", "b a")["reference_words_1"] == 1


def test_absent_references_never_win():
    # An empty reference would score better than a wrong one only by mistake.
    corpus = assay.Corpus(translations=["", "ab"], references_by_segment=[["xy"], ["cd", "ab"]])
    rows = assay.Chrf(char_order=1).evaluate(corpus).rows
    assert rows.tolist() == [[0, 2, 0], [2, 2, 2]]


def test_the_corpus_score_adds_counts():
    # Characters 1/1 and 1/3 of both sides: (1 + 1) / (1 + 3).
    statistics = evaluate("chrf(char_order=1)", ["a", "bcd"], ["a", "bef"])
    assert statistics.corpus_score() == pytest.approx(50)


def test_empty_sides_score_0():
    for options in ("", "(whitespace=true)", "(word_order=2)"):
        assert score(f"chrf{options}", "", "a b") == 0
        assert score(f"chrf{options}", "a b", "") == 0
        assert score(f"chrf{options}", "", "") == 0


def test_stems_are_compared_by_their_characters():
    # running and runs both become "run".
    assert score("chrf(stem=english)", "running", "runs") == pytest.approx(100)
    assert score("chrf", "running", "runs") < 60


def test_case():
    assert score("chrf(lowercase=true)", "ΟΔΟΣ İ", "οδος i̇") == pytest.approx(100)


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("chrf(char_order=0)", "char_order is 0, but it takes a whole number from 1 to 64"),
        ("chrf(word_order=-1)", "word_order is -1, but it takes a whole number from 0 to 64"),
        ("chrf(char_order=65)", "char_order is 65"),
        ("chrf(word_order=65)", "word_order is 65"),
        ("chrf(beta=0)", "beta is 0, but it takes a number above 0"),
        ("chrf(beta=nan)", "beta is nan, but it takes a finite number"),
        ("chrf(beta=inf)", "beta is inf, but it takes a finite number"),
        ("chrf(whitespace=none)", "whitespace"),
    ],
)
def test_impossible_options_are_refused(spelling, message):
    with pytest.raises(assay.ParameterError, match=message):
        assay.metric(spelling)


def test_sacrebleus_signature_is_given_only_where_sacrebleu_has_the_score():
    expected = "chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0"
    assert assay.metric("chrf(word_order=2)").sacrebleu_signature(1) == expected
    for spelling in ("chrf(stem=english)", "chrf(beta=2.5)", "chrf(lowercase=ascii)", "chrf(tokenize=13a)"):
        assert assay.metric(spelling).sacrebleu_signature(1) is None


@pytest.mark.parametrize("beta", ["0", "-1", "1e7", "1e155"])
def test_an_impossible_beta_is_refused(beta):
    with pytest.raises(assay.ParameterError, match="chrf: beta is"):
        assay.metric(f"chrf(beta={beta})")


def test_the_picture_shows_the_words_of_every_reference_and_which_counts():
    metric = assay.Chrf(word_order=1)
    picture = metric.picture(batch_of(["a cat!"], [["a dog."], ["the cat!"]], metric.recipe))
    assert picture.references == (("a", "dog", "."), ("the", "cat", "!"))
    assert (picture.reference_index, picture.translation) == (1, ("a", "cat", "!"))
