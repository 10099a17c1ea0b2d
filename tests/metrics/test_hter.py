"""HTER by hand."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.text.batch import batch_of

TRANSLATION = "the cat sat mat on"
POST_EDIT = "the cat sat on the mat"


def hter(translation, post_edits, *references, spelling="hter"):
    corpus = assay.Corpus(
        translations=[translation],
        references=[[one] for one in references] or None,
        targeted=[[one] for one in post_edits],
    )
    return assay.metric(spelling).evaluate(corpus)


def test_worked_example():
    # "on" moves before "mat", and "the" is missing: 2 edits for 6 words.
    assert hter(TRANSLATION, [POST_EDIT]).corpus_score() == pytest.approx(200 / 6)


def test_lengths_are_those_of_the_untargeted_references():
    # The same 2 edits, for (3 + 7) / 2 words.
    statistics = hter(TRANSLATION, [POST_EDIT], "a cat sat", "there was a cat on the mat")
    assert statistics.corpus_score() == pytest.approx(40)
    assert statistics.parts()["reference_length"] == 5
    assert statistics.parts()["chosen_length"] == 6


def test_untargeted_references_are_never_edited_to():
    # The translation is one of them, word by word, and still has its 2 edits.
    assert hter(TRANSLATION, [POST_EDIT], TRANSLATION).parts()["edits"] == 2


def test_the_post_edit_with_the_fewest_edits_counts():
    # 2 edits to the first, 1 to the second; lengths 6 and 5.
    statistics = hter(TRANSLATION, [POST_EDIT, "the cat sat on mat"])
    assert statistics.corpus_score() == pytest.approx(100 / 5.5)


def test_an_empty_untargeted_reference_is_as_none():
    # The mean is that of the references with words: 4; without any, that of the post-edit: 6.
    assert hter(TRANSLATION, [POST_EDIT], "", "a b c d").corpus_score() == pytest.approx(50)
    assert hter(TRANSLATION, [POST_EDIT], "", " ").corpus_score() == pytest.approx(200 / 6)


def test_an_absent_untargeted_reference_is_as_none():
    corpus = assay.Corpus(
        translations=[TRANSLATION, TRANSLATION],
        references_by_segment=[["a b c d"], ["a b c d", "a b"]],
        targeted=[[POST_EDIT, POST_EDIT]],
    )
    assert assay.Hter().evaluate(corpus).segment_scores() == pytest.approx([50, 200 / 3])


def test_an_empty_post_edit_makes_every_word_an_error_and_is_mentioned():
    with pytest.warns(UserWarning, match="1 of 1 segments have an empty post-edit, the first is segment 0"):
        assert hter("a b c", [""]).corpus_score() == pytest.approx(100)
    with pytest.warns(UserWarning, match="empty post-edit"):
        assert hter("a b c", [""], "a b").corpus_score() == pytest.approx(150)


def test_nothing_that_stayed_nothing_is_perfect():
    assert hter("", [""]).corpus_score() == 0
    assert hter("", ["a b"]).corpus_score() == pytest.approx(100)


def test_without_post_edit_there_is_an_error_with_the_remedy():
    corpus = assay.Corpus(translations=["a"], references=[["a"]])
    with pytest.raises(
        assay.InputError, match=r"hter: no reference is targeted.*ref\.pe\.txt.*--targeted.*Corpus\(targeted"
    ):
        assay.Hter().evaluate(corpus)
    metric = assay.Hter()
    with pytest.raises(assay.InputError, match="hter: no reference is targeted"):
        metric.count(batch_of(["a"], [["a"]], metric.recipe))


def test_a_missing_post_edit_is_named_by_its_segment():
    texts = assay.Texts.of(["a", "b", "c"])
    present = np.array([[True, False, True]])
    corpus = assay.Corpus.of_columns(texts, {"pe": texts}, present=present, targeted=frozenset({"pe"}))
    with pytest.raises(assay.InputError, match=r"the targeted reference 'pe' has no text for segment 1 \(line 2\)"):
        assay.Hter().evaluate(corpus)
    # Others do without it, if they can.
    both = assay.Corpus.of_columns(
        texts, {"A": texts, "pe": texts}, present=np.array([[True] * 3, [True, False, True]]), targeted={"pe"}
    )
    with pytest.warns(UserWarning, match="left aside"):
        assert assay.Wer().evaluate(both).corpus_score() == 0


@pytest.mark.parametrize("option", ["beam=0", "shift_size=-1"])
def test_impossible_options(option):
    with pytest.raises(assay.ParameterError, match=f"hter: {option.split('=')[0]} is"):
        assay.metric(f"hter({option})")


def test_the_picture_is_that_of_the_post_edit():
    metric = assay.Hter()
    batch = batch_of([TRANSLATION], [["mat on the cat"]], metric.recipe, targeted=[["x"], [POST_EDIT]])
    picture = metric.picture(batch)
    assert picture.reference_index == 2
    assert picture.reference == tuple(POST_EDIT.split())
    assert len(picture.shifts) == 1
    assert [edit.operation for edit in picture.edits if edit.operation != "match"] == ["deletion"]


def test_against_post_edits_alone_it_is_ter():
    corpus = assay.Corpus(translations=[TRANSLATION, "a"], targeted=[[POST_EDIT, "b a"]])
    assert assay.Hter().evaluate(corpus).rows.tolist() == assay.Ter().evaluate(corpus).rows.tolist()
