"""The language model by hand, against a slow and obvious twin, and against NLTK's."""

from __future__ import annotations

import math
import pickle
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.text.batch import batch_of
from metrics.scored import evaluate
from oracles.lm import WittenBell, events

words = st.lists(st.sampled_from(["a", "b", "c", "the"]), max_size=6).map(" ".join)
segment = st.tuples(words, st.lists(words, min_size=1, max_size=3))


@pytest.fixture
def text(tmp_path):
    def write(*lines):
        path = tmp_path / "text.txt"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return str(path)

    return write


def model(path, **options):
    return assay.metric("lm", text=path, tokenize="none", **options)


def test_worked_example(text):
    # The text "a b" has the words a, b and its end, once each, so p(a) = (1 + 3/4) / (3 + 3) = 7/24. After the
    # beginning it always has a: (1 + 7/24) / 2 = 31/48. After a it never ends: (0 + 7/24) / 2 = 7/48.
    statistics = model(text("a b"), order=2).evaluate(assay.Corpus(translations=["a"], references=[["x"]]))
    bits = -math.log2(31 / 48) - math.log2(7 / 48)
    assert statistics.rows.tolist() == [[pytest.approx(bits), 2]]
    assert statistics.corpus_score() == pytest.approx(2 ** (bits / 2))
    assert statistics.parts() == {"bits_per_word": pytest.approx(bits / 2), "words": 2}


def test_the_bits_of_a_corpus_add_up(text):
    found = model(text("a b", "b")).evaluate(assay.Corpus(translations=["a b", "b b c"], references=[["x", "y"]]))
    assert found.corpus_score() == pytest.approx(2 ** (found.rows[:, 0].sum() / 7))


def test_unknown_words_have_their_share(text):
    # p(x) = (0 + 3/4) / 6 = 1/8, and all words known and one unknown make 1: 3 * 7/24 + 1/8.
    found = model(text("a b"), order=1).evaluate(assay.Corpus(translations=["x"], references=[["x"]]))
    assert found.rows[0, 0] == pytest.approx(-math.log2(1 / 8) - math.log2(7 / 24))


@given(segments=st.lists(segment, min_size=1, max_size=4), order=st.integers(1, 4))
@settings(max_examples=150)
def test_of_the_references_those_of_the_segment_are_left_out(segments, order):
    translations, references = zip(*segments, strict=True)
    statistics = assay.metric("lm", order=order, tokenize="none").evaluate(
        assay.Corpus(translations=translations, references_by_segment=references), threads=1
    )
    everything = [one.split() for texts in references for one in texts]
    known = WittenBell(everything, order).words
    for number, (translation, row) in enumerate(zip(translations, statistics.rows, strict=True)):
        others = [one.split() for place, texts in enumerate(references) if place != number for one in texts]
        expected = WittenBell(others, order, known).bits(translation.split())
        assert row.tolist() == pytest.approx([expected, len(translation.split()) + 1], abs=1e-9)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_probabilities_are_nltks_but_for_words_without_history(text, order):
    models = pytest.importorskip("nltk.lm.models", reason="NLTK is the peer (extra: peers)")
    random = Random(f"lm {order}")
    lines = [random.choices("abcde", k=random.randint(1, 8)) for _ in range(40)]
    theirs = models.WittenBellInterpolated(order)
    histories = [
        [(*history[start:], word) for start in range(order)] for line in lines for history, word in events(line, order)
    ]
    vocabulary = [word for line in lines for _, word in events(line, 1)]
    theirs.fit(histories, vocabulary_text=[*vocabulary, "<s>"])
    twin = WittenBell(lines, order)
    # NLTK's model has nothing for unknown words: they would be impossible. Ours leaves them a share.
    theirs.estimator.unigram_score = lambda word: twin.probability((), word)
    metric = model(text(*(" ".join(line) for line in lines)), order=order)
    for _ in range(30):
        translation = random.choices("abcde", k=random.randint(0, 7))
        found = metric.evaluate(assay.Corpus(translations=[" ".join(translation)], references=[["x"]])).rows[0, 0]
        expected = -sum(theirs.logscore(word, history) for history, word in events(translation, order))
        assert found == pytest.approx(expected)


def test_references_do_not_matter_beside_a_text(text):
    metric = model(text("a b c", "b c"))
    assert not metric.needs_survey
    scores = [metric.evaluate(assay.Corpus(translations=["a c"], references=[[one]])).corpus_score() for one in "ab"]
    assert scores[0] == scores[1]


def test_the_text_is_part_of_the_signature_and_is_read_again_when_it_changes(text):
    corpus = assay.Corpus(translations=["a"], references=[["a"]])
    found = []
    for lines in (["a b"], ["a b", "c d e"]):
        statistics = model(text(*lines)).evaluate(corpus)
        assert "|text:" in statistics.signature()
        found.append((statistics.signature(), statistics.corpus_score()))
    assert found[0][0] != found[1][0]
    assert found[0][1] != found[1][1]


def test_a_file_that_is_not_there_or_empty_is_refused(text, tmp_path):
    corpus = assay.Corpus(translations=["a"], references=[["a"]])
    with pytest.raises(assay.InputError, match=r"missing\.txt: No such file.*a text per line"):
        assay.metric("lm", text=str(tmp_path / "missing.txt")).evaluate(corpus)
    with pytest.raises(assay.InputError, match="no text in it"):
        model(text()).evaluate(corpus)


def test_lower_is_better_and_one_reference_alone_knows_nothing():
    found = evaluate("lm", ["a b"], ["a b"])
    assert not found.metric.higher_is_better
    # Its own reference is left out, so each of three words has 1 in 4: two known, the end, and one unknown.
    assert found.corpus_score() == pytest.approx(4)


def test_counting_before_a_survey_is_an_error_and_a_survey_survives_pickling():
    metric = assay.metric("lm(tokenize=none)")
    batch = batch_of(["a b"], [["a b a"]], metric.recipe)
    with pytest.raises(assay.ParameterError, match="after a survey"):
        metric.count(batch)
    survey = metric.survey(batch)
    copy = pickle.loads(pickle.dumps(survey))
    for one, other in zip(survey.sizes, copy.sizes, strict=True):
        assert all(np.array_equal(*pair) for pair in zip(one, other, strict=True))
