"""The tf-idf cosine by hand, and against scikit-learn."""

from __future__ import annotations

import math
import pickle
from random import Random

import numpy as np
import pytest

import assay
from metrics.scored import evaluate, score
from oracles.ngrams import ngrams


def test_worked_example():
    # Two references: "a" and "b" stand in one of them, "the" in both. Rarity is ln(3/2) + 1 and ln(3/3) + 1 = 1. The
    # translation "the a" against "the b" shares "the": 1 by (1 + rare^2). Its own words are "the b" and "the a".
    rare = math.log(3 / 2) + 1
    found = evaluate("cosine", ["the a", "the a"], ["the b", "the a"])
    assert found.segment_scores() == pytest.approx([100 / (1 + rare**2), 100])
    assert found.corpus_score() == pytest.approx((100 / (1 + rare**2) + 100) / 2)


def test_words_that_no_reference_has_count_against_the_translation():
    # One reference: "a" has ln(2/2) + 1 = 1, the unknown word ln(2/1) + 1. The cosine is 1 / sqrt(1 + unknown^2).
    unknown = math.log(2) + 1
    assert score("cosine", "a x", "a") == pytest.approx(100 / math.sqrt(1 + unknown**2))


def test_how_often_a_word_stands_matters_and_its_place_does_not():
    # (2, 1) and (1, 1): 3 by the root of 5 * 2; all words stand in the one reference, so that none is rare.
    assert score("cosine", "a b a", "b a") == pytest.approx(100 * 3 / math.sqrt(10))


def test_the_most_similar_reference_counts():
    found = evaluate("cosine", ["a b"], ["c d"], ["a b"])
    assert found.corpus_score() == pytest.approx(100)


def test_empty_texts():
    assert (score("cosine", "", "a"), score("cosine", "a", ""), score("cosine", "", "")) == (0, 0, 100)


def test_absent_references_say_nothing_of_rarity():
    ragged = assay.Corpus(translations=["a b", "b c"], references_by_segment=[["a c"], ["b", "c b"]])
    # Three references; "a" stands in one, "b" in two, "c" in two.
    rarity = {"a": math.log(4 / 2) + 1, "b": math.log(4 / 3) + 1, "c": math.log(4 / 3) + 1}
    a, b, c = rarity.values()
    expected = 100 * a * a / math.sqrt((a * a + b * b) * (a * a + c * c))
    assert assay.metric("cosine").evaluate(ragged).segment_scores() == pytest.approx([expected, 100])


@pytest.mark.parametrize("seed", range(5))
def test_scores_are_those_of_scikit_learn(seed):
    text = pytest.importorskip("sklearn.feature_extraction.text")
    pairwise = pytest.importorskip("sklearn.metrics.pairwise")
    random = Random(f"cosine {seed}")
    words = [f"w{number}" for number in range(12)]
    texts = [[" ".join(random.choices(words, k=random.randint(1, 9))) for _ in range(30)] for _ in range(3)]
    translations, *references = texts
    # Words that only a translation has are in the vocabulary, though no reference was seen with them.
    translations = [f"{one} new{number % 4}" for number, one in enumerate(translations)]
    vocabulary = sorted({word for column in (translations, *references) for one in column for word in one.split()})
    vectorizer = text.TfidfVectorizer(tokenizer=str.split, token_pattern=None, lowercase=False, vocabulary=vocabulary)
    vectorizer.fit([one for column in references for one in column])
    each = [
        np.diag(pairwise.cosine_similarity(vectorizer.transform(translations), vectorizer.transform(column)))
        for column in references
    ]
    found = evaluate("cosine(tokenize=none,lowercase=false)", translations, *references)
    assert found.segment_scores() == pytest.approx(100 * np.max(each, axis=0), abs=1e-9)
    assert found.corpus_score() == pytest.approx(100 * np.max(each, axis=0).mean(), abs=1e-9)


def test_a_survey_survives_pickling_and_says_in_how_many_texts_words_stand():
    from assay.text.batch import batch_of

    metric = assay.metric("cosine(tokenize=none)")
    lines = ["a b a", "b c", ""]
    survey = pickle.loads(pickle.dumps(metric.survey(batch_of([""] * 3, [lines], metric.recipe))))
    assert survey.documents == 3
    expected = sorted(sum(word in ngrams(line.split(), 1) for line in lines) for word in [("a",), ("b",), ("c",)])
    assert sorted(survey.counts.tolist()) == expected
    assert (survey * 0).documents == 0


def test_counting_before_a_survey_is_an_error():
    from assay.text.batch import batch_of

    metric = assay.metric("cosine")
    with pytest.raises(assay.ParameterError, match="after a survey"):
        metric.count(batch_of(["a"], [["a"]], metric.recipe))
