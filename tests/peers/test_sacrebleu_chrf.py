"""chrF and chrF++ against sacreBLEU, live: corpus and sentence scores on random texts in many scripts."""

from __future__ import annotations

import itertools
from random import Random

import numpy as np
import pytest

import assay
from peers.texts import corpus

sacrebleu = pytest.importorskip("sacrebleu", reason="sacreBLEU is the peer (extra: peers)")

SEGMENTS = 100


def compare(seed, references, smoothing=False, **options):
    theirs = sacrebleu.metrics.CHRF(eps_smoothing=smoothing, **options)
    translations, columns = corpus(seed, SEGMENTS, references)
    statistics = assay.Chrf(smoothing=smoothing, **options).evaluate(
        assay.Corpus(translations=translations, references=columns)
    )
    assert statistics.corpus_score() == pytest.approx(theirs.corpus_score(translations, columns).score, rel=0, abs=1e-9)
    sentences = [
        theirs.sentence_score(translation, list(others)).score
        for translation, *others in zip(translations, *columns, strict=True)
    ]
    np.testing.assert_allclose(statistics.segment_scores(), sentences, rtol=0, atol=1e-9)


@pytest.mark.parametrize("references", [1, 2, 3])
@pytest.mark.parametrize("word_order", [0, 1, 2, 3])
@pytest.mark.parametrize(("lowercase", "whitespace", "smoothing"), list(itertools.product([False, True], repeat=3)))
def test_words_case_white_space_and_smoothing(lowercase, whitespace, smoothing, word_order, references):
    options = {"lowercase": lowercase, "whitespace": whitespace, "smoothing": smoothing, "word_order": word_order}
    compare((*options.values(), references), references, **options)


@pytest.mark.parametrize("char_order", range(1, 9))
@pytest.mark.parametrize("beta", [1, 2, 3])
def test_orders_and_beta(char_order, beta):
    compare((char_order, beta), 1 + char_order % 3, char_order=char_order, beta=beta, word_order=char_order % 2)


@pytest.mark.parametrize("options", [{}, {"word_order": 2}, {"lowercase": True, "whitespace": True}, {"beta": 3}])
def test_signatures_say_the_same(options):
    theirs = sacrebleu.metrics.CHRF(**options)
    name = theirs.corpus_score(["a b"], [["a c"], ["b"]]).name
    assert assay.Chrf(**options).sacrebleu_signature(2) == f"{name}|{theirs.get_signature().format()}"


def test_of_equally_good_references_the_first_counts():
    # "ab" shares its characters and none of its bigrams and words with both references. They score alike and differ in
    # the number of their words, which shows in the corpus score beside a second segment.
    translations, columns = ["ab", "one two three"], [["b a", "one two four"], ["ba", "one two four"]]
    ours = assay.Chrf(word_order=2, smoothing=True)
    statistics = ours.evaluate(assay.Corpus(translations=translations, references=columns))
    theirs = sacrebleu.metrics.CHRF(word_order=2, eps_smoothing=True)
    assert statistics.corpus_score() == pytest.approx(theirs.corpus_score(translations, columns).score, rel=0, abs=1e-9)


@pytest.mark.parametrize("smoothing", [False, True])
@pytest.mark.parametrize("word_order", [0, 2])
def test_short_texts_of_few_letters_that_often_tie(word_order, smoothing):
    random = Random(f"ties {word_order} {smoothing}")

    def text() -> str:
        return " ".join("".join(random.choices("ab", k=random.randint(1, 3))) for _ in range(random.randint(1, 4)))

    translations = [text() for _ in range(3000)]
    columns = [[text() for _ in translations] for _ in range(3)]
    statistics = assay.Chrf(word_order=word_order, smoothing=smoothing).evaluate(
        assay.Corpus(translations=translations, references=columns)
    )
    theirs = sacrebleu.metrics.CHRF(word_order=word_order, eps_smoothing=smoothing)
    assert statistics.corpus_score() == pytest.approx(theirs.corpus_score(translations, columns).score, rel=0, abs=1e-9)
