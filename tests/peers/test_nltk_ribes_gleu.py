"""RIBES and GLEU against NLTK, live, with one reference and with several."""

from __future__ import annotations

from random import Random

import pytest

import assay
from peers.texts import plain, spaced_corpus, text, variation, vocabulary

ribes_score = pytest.importorskip("nltk.translate.ribes_score", reason="NLTK is the peer (extra: peers)")
gleu_score = pytest.importorskip("nltk.translate.gleu_score", reason="NLTK is the peer (extra: peers)")


def several(seed, segments=150):
    """Segments with one to three references each."""
    random = Random(str(seed))
    found = []
    for _ in range(segments):
        words = vocabulary(random)
        original = text(random, words)
        found.append(
            (
                plain(variation(random, original, words)),
                [plain(variation(random, original, words)) for _ in range(random.randint(1, 3))],
            )
        )
    return found


def evaluate(metric, found):
    translations, references = zip(*found, strict=True)
    return metric.evaluate(assay.Corpus(translations=translations, references_by_segment=references))


def tokens(found):
    """References and translations as NLTK takes them."""
    return [[one.split(" ") if one else [] for one in references] for _, references in found], [
        translation.split(" ") if translation else [] for translation, _ in found
    ]


@pytest.mark.parametrize(("alpha", "beta"), [(0.25, 0.10), (1.0, 0.0), (0.0, 2.0)])
@pytest.mark.parametrize("seed", range(6))
def test_ribes(seed, alpha, beta):
    found = several(("ribes", seed))
    references, translations = tokens(found)
    statistics = evaluate(assay.Ribes(alpha=alpha, beta=beta, tokenize="none:ascii"), found)
    each = [
        100 * ribes_score.sentence_ribes(*pair, alpha=alpha, beta=beta)
        for pair in zip(references, translations, strict=True)
    ]
    assert statistics.segment_scores() == pytest.approx(each, rel=0, abs=1e-9)
    whole = 100 * ribes_score.corpus_ribes(references, translations, alpha=alpha, beta=beta)
    assert statistics.corpus_score() == pytest.approx(whole, rel=0, abs=1e-9)


@pytest.mark.parametrize("seed", range(150))
def test_ribes_of_long_texts_with_few_words(seed):
    # Words that repeat are told apart by their neighbours, far into the text.
    random = Random(f"ribes {seed}")
    words = ["a", "b", "c", "d"][: random.randint(1, 4)]
    translation, reference = (random.choices(words, k=random.randint(1, 40)) for _ in range(2))
    found = [(" ".join(translation), [" ".join(reference)])]
    expected = 100 * ribes_score.sentence_ribes([reference], translation)
    assert evaluate(assay.Ribes(), found).corpus_score() == pytest.approx(expected, rel=0, abs=1e-9)


@pytest.mark.parametrize(("shortest", "longest"), [(1, 4), (1, 1), (2, 6), (3, 3)])
@pytest.mark.parametrize("seed", range(6))
def test_gleu(seed, shortest, longest):
    found = several(("gleu", seed))
    references, translations = tokens(found)
    statistics = evaluate(assay.Gleu(min_len=shortest, max_len=longest), found)
    lengths = {"min_len": shortest, "max_len": longest}
    each = [100 * gleu_score.sentence_gleu(*pair, **lengths) for pair in zip(references, translations, strict=True)]
    assert statistics.segment_scores() == pytest.approx(each, rel=0, abs=1e-9)
    whole = 100 * gleu_score.corpus_gleu(references, translations, **lengths)
    assert statistics.corpus_score() == pytest.approx(whole, rel=0, abs=1e-9)


def test_real_words_of_one_reference():
    translations, references = spaced_corpus("nltk", 300)
    found = [(translation, [reference]) for translation, reference in zip(translations, references, strict=True)]
    theirs, ours = tokens(found)
    assert evaluate(assay.Ribes(), found).corpus_score() == pytest.approx(100 * ribes_score.corpus_ribes(theirs, ours))
    assert evaluate(assay.Gleu(), found).corpus_score() == pytest.approx(100 * gleu_score.corpus_gleu(theirs, ours))
