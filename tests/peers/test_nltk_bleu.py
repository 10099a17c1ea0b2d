"""BLEU's numbered smoothings against NLTK's SmoothingFunction, live."""

from __future__ import annotations

from random import Random

import pytest

import assay

bleu_score = pytest.importorskip("nltk.translate.bleu_score", reason="NLTK is the peer (extra: peers)")

METHODS = (4, 5, 6, 7)


def segments(seed, count=60, shortest=1):
    """Translations of few words, so that orders are missed, each with one to three references."""
    random = Random(f"bleu {seed}")
    for _ in range(count):
        words = random.choices("abcdefgh", k=random.randint(2, 8))
        texts = [random.choices(words, k=random.randint(shortest, 14)) for _ in range(random.randint(2, 4))]
        yield texts[0], texts[1:]


def peer(method, translation, references, **options):
    """NLTK's score of a segment; None where it stops, of method 6 on translations without a triple that matches."""
    smoothing = getattr(bleu_score.SmoothingFunction(**options), f"method{method}")
    try:
        return 100 * bleu_score.sentence_bleu(references, translation, smoothing_function=smoothing)
    except AssertionError:
        return None


def ours(spelling, translation, references):
    corpus = assay.Corpus(
        translations=[" ".join(translation)], references_by_segment=[[" ".join(words) for words in references]]
    )
    return assay.metric(spelling).evaluate(corpus).segment_scores()[0]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(5))
def test_segments_have_nltks_scores(method, seed):
    compared = 0
    for translation, references in segments(seed):
        expected = peer(method, translation, references)
        if expected is not None:
            compared += 1
            found = ours(f"bleu(smoothing=method{method},tokenize=none)", translation, references)
            assert found == pytest.approx(expected, rel=0, abs=1e-9), (translation, references)
    assert compared > 10


@pytest.mark.parametrize(("method", "option"), [(4, "k"), (7, "k"), (6, "alpha")])
def test_the_number_in_the_formula_can_be_chosen(method, option):
    for translation, references in segments(option, shortest=6):
        expected = peer(method, translation, references, **{option: 2})
        if expected is not None:
            spelling = f"bleu(smoothing=method{method},smoothing_value=2,tokenize=none)"
            assert ours(spelling, translation, references) == pytest.approx(expected, rel=0, abs=1e-9)


def test_method_4_of_a_corpus_is_nltks_where_no_segment_is_too_short():
    # NLTK takes one n-gram at least from every segment, however short.
    texts = [pair for pair in segments("corpus", shortest=4) if len(pair[0]) > 3][:4]
    found = assay.metric("bleu(smoothing=method4,tokenize=none)").evaluate(
        assay.Corpus(
            translations=[" ".join(words) for words, _ in texts],
            references_by_segment=[[" ".join(words) for words in references] for _, references in texts],
        )
    )
    smoothing = bleu_score.SmoothingFunction().method4
    expected = bleu_score.corpus_bleu(
        [pair[1] for pair in texts], [pair[0] for pair in texts], smoothing_function=smoothing
    )
    assert found.corpus_score() == pytest.approx(100 * expected, rel=0, abs=1e-9)
