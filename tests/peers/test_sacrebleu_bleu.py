"""BLEU against sacreBLEU, live: corpus scores, sentence scores and counts on random texts in many scripts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import assay
from peers.texts import corpus

sacrebleu = pytest.importorskip("sacrebleu", reason="sacreBLEU is the peer (extra: peers)")

TOKENIZERS = {"none": "none", "13a": "13a", "intl": "intl-sacrebleu", "zh": "zh", "char": "char"}
SMOOTHINGS = ("none", "floor", "add-k", "exp")
SEGMENTS = 100


def peer_bleu(**options):
    # ``force`` silences the advice about texts that look tokenized.
    return sacrebleu.metrics.BLEU(force=True, **options)


def compare(ours, theirs, seed, references, **sentence):
    translations, columns = corpus(seed, SEGMENTS, references)
    statistics = ours.evaluate(assay.Corpus(translations=translations, references=columns))
    expected = theirs.corpus_score(translations, columns)
    assert statistics.corpus_score() == pytest.approx(expected.score, rel=0, abs=1e-9)
    assert statistics.parts()["translation_length"] == expected.sys_len
    assert statistics.parts()["reference_length"] == expected.ref_len
    assert statistics.parts()["brevity_penalty"] == pytest.approx(expected.bp, rel=0, abs=1e-12)
    # Of single sentences sacreBLEU's ``sentence_bleu`` has effective order, as ours unless it is refused.
    single = theirs if ours.effective_order is not None else peer_bleu(**sentence, effective_order=True)
    sentences = [
        single.sentence_score(translation, list(others)).score
        for translation, *others in zip(translations, *columns, strict=True)
    ]
    np.testing.assert_allclose(statistics.segment_scores(), sentences, rtol=0, atol=1e-9)


@pytest.mark.parametrize("references", [1, 2, 3])
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_tokenizers_case_and_several_references(tokenizer, lowercase, references):
    ours = assay.Bleu(tokenize=TOKENIZERS[tokenizer], lowercase=lowercase)
    options = {"tokenize": tokenizer, "lowercase": lowercase}
    compare(ours, peer_bleu(**options), (tokenizer, lowercase, references), references, **options)


@pytest.mark.parametrize("order", range(1, 7))
@pytest.mark.parametrize(("smoothing", "effective_order"), list(itertools.product(SMOOTHINGS, [False, True])))
def test_smoothings_and_orders(smoothing, effective_order, order):
    ours = assay.Bleu(smoothing=smoothing, effective_order=effective_order, order=order)
    theirs = peer_bleu(smooth_method=smoothing, effective_order=effective_order, max_ngram_order=order)
    compare(ours, theirs, (smoothing, effective_order, order), 1 + order % 3)


@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize("value", [0.0, 0.01, 0.5, 2.0])
@pytest.mark.parametrize("smoothing", ["floor", "add-k"])
def test_values_of_smoothing(smoothing, value, effective_order):
    ours = assay.Bleu(smoothing=smoothing, smoothing_value=value, effective_order=effective_order)
    theirs = peer_bleu(smooth_method=smoothing, smooth_value=value, effective_order=effective_order)
    compare(ours, theirs, (smoothing, value, effective_order), 2)


def test_segments_may_have_different_numbers_of_references():
    translations, columns = corpus("ragged", SEGMENTS, 3)
    ragged = [list(others[: 1 + index % 3]) for index, others in enumerate(zip(*columns, strict=True))]
    # Where a reference is missing sacreBLEU wants None.
    padded = [[others[n] if n < len(others) else None for others in ragged] for n in range(3)]
    expected = peer_bleu().corpus_score(translations, padded)
    statistics = assay.Bleu().evaluate(assay.Corpus(translations=translations, references_by_segment=ragged))
    assert statistics.corpus_score() == pytest.approx(expected.score, rel=0, abs=1e-9)
    assert statistics.parts()["reference_length"] == expected.ref_len


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_signatures_say_the_same(tokenizer, lowercase):
    theirs = peer_bleu(tokenize=tokenizer, lowercase=lowercase)
    name = theirs.corpus_score(["a b"], [["a c"], ["b"]]).name
    ours = assay.Bleu(tokenize=TOKENIZERS[tokenizer], lowercase=lowercase)
    assert ours.sacrebleu_signature(2) == f"{name}|{theirs.get_signature().format()}"


@pytest.mark.parametrize("references", [1, 2, 4])
def test_the_best_single_reference_is_the_one_that_sentence_bleu_likes_best(references):
    translations, columns = corpus(("best", references), SEGMENTS, references)
    single = peer_bleu(effective_order=True)
    each = [[single.sentence_score(*pair).score for pair in zip(translations, ([one] for one in column), strict=True)]
            for column in columns]  # fmt: skip
    # Scores that differ by rounding are equal, and the first of them wins.
    best = (np.array(each) >= np.max(each, axis=0) * (1 - 1e-12)).argmax(axis=0)
    chosen = [columns[number][segment] for segment, number in enumerate(best)]
    statistics = assay.metric("bleu(references=best)").evaluate(
        assay.Corpus(translations=translations, references=columns)
    )
    assert statistics.corpus_score() == pytest.approx(peer_bleu().corpus_score(translations, [chosen]).score, abs=1e-9)
    np.testing.assert_allclose(statistics.segment_scores(), np.max(each, axis=0), rtol=0, atol=1e-9)
