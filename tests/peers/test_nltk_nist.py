"""NIST against NLTK, live. With one reference and without mteval's quirk the two are the same formula."""

from __future__ import annotations

from random import Random

import pytest

import assay
from peers.texts import CHARACTERS, spaced_corpus

nist_score = pytest.importorskip("nltk.translate.nist_score", reason="NLTK is the peer (extra: peers)")


def corpus_nist(translations, references, order):
    return nist_score.corpus_nist(
        [[reference.split()] for reference in references], [translation.split() for translation in translations], order
    )


def evaluate(translations, references, order):
    metric = assay.Nist(order=order, zero_quirk=False, tokenize="none")
    return metric.evaluate(assay.Corpus(translations=translations, references=[references])).corpus_score()


@pytest.mark.parametrize("order", range(1, 7))
@pytest.mark.parametrize("seed", range(5))
def test_corpora_in_many_scripts(seed, order):
    translations, references = spaced_corpus(("nist", seed, order), 200)
    expected = corpus_nist(translations, references, order)
    assert evaluate(translations, references, order) == pytest.approx(expected, rel=0, abs=1e-9)


@pytest.mark.parametrize("seed", range(200))
def test_single_segments_of_few_words(seed):
    # NLTK divides by zero where a translation is shorter than the order.
    random = Random(f"nist {seed}")
    words = random.choices([character for character in CHARACTERS if character.strip()] + ["0"], k=5)
    translation, reference = (" ".join(random.choices(words, k=random.randint(5, 12))) for _ in range(2))
    expected = corpus_nist([translation], [reference], 5)
    assert evaluate([translation], [reference], 5) == pytest.approx(expected, rel=0, abs=1e-9)
