"""Modified BLEU by hand."""

from __future__ import annotations

import math

import pytest

import assay
from metrics.scored import evaluate, parts, score

MAT = "the cat sat on the mat"


def test_worked_example():
    # Precisions 5/6, 3/5, 2/4, 1/3: their mean is 17/30.
    assert score("modbleu", "the cat sat on a mat", MAT) == pytest.approx(100 * 17 / 30)


def test_an_order_that_is_not_there_counts_as_zero():
    # One word, right: (1 + 0 + 0 + 0) / 4.
    assert score("modbleu", "word", "word") == pytest.approx(25)
    assert score("modbleu(order=1)", "word", "word") == pytest.approx(100)


def test_an_order_without_matches_does_not_drag_the_others_to_zero():
    # 3/4, 1/3, 0, 0.
    assert score("modbleu", "a b c d", "a b x d") == pytest.approx(100 * (3 / 4 + 1 / 3) / 4)


def test_the_brevity_penalty_may_be_left_out():
    assert score("modbleu", "the cat sat on", MAT) == pytest.approx(100 * math.exp(-0.5))
    assert score("modbleu(brevity=false)", "the cat sat on", MAT) == pytest.approx(100)


def test_empty_sides_score_0():
    assert score("modbleu", "", "a b") == 0
    assert score("modbleu(brevity=false)", "", "a b") == 0
    assert score("modbleu", "a b", "") == 0
    assert score("modbleu", "", "") == 0


def test_several_references_clip_together_and_the_closest_length_counts():
    statistics = evaluate("modbleu(order=1)", ["a b c d"], ["a b"], ["c d e f g"])
    # All four words are there; 4 words against 5.
    assert statistics.corpus_score() == pytest.approx(100 * math.exp(1 - 5 / 4))


def test_parts():
    found = parts("modbleu", "the cat sat on", MAT)
    assert [found[f"precision_{n}"] for n in (1, 2, 3, 4)] == [100, 100, 100, 100]
    assert found["brevity_penalty"] == pytest.approx(math.exp(-0.5))


def test_impossible_options_are_refused():
    with pytest.raises(assay.ParameterError, match="order is 0"):
        assay.metric("modbleu(order=0)")
    with pytest.raises(assay.ParameterError, match="brevity is 'maybe', but it takes true or false"):
        assay.metric("modbleu(brevity=maybe)")
    with pytest.raises(assay.UnknownName, match="no option of modbleu 'smoothing'"):
        assay.metric("modbleu(smoothing=exp)")
