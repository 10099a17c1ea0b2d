"""CharacTER against the package ``cer``, live: its shifts, its costs and its rates."""

from __future__ import annotations

from random import Random

import pytest

import assay
from peers.texts import plain, spaced_corpus

cer = pytest.importorskip("cer", reason="cer is the peer (extra: peers)")


def rates(translations, references):
    """Theirs, which divides by the reference's length; empty ones are left to us."""
    return [
        100 * cer.calculate_cer(translation.split(" "), reference.split(" "))
        for translation, reference in zip(translations, references, strict=True)
    ]


def evaluate(translations, references):
    return assay.CharacterTer(tokenize="none:ascii").evaluate(
        assay.Corpus(translations=translations, references=[references])
    )


@pytest.mark.parametrize("seed", range(6))
def test_texts_in_many_scripts(seed):
    pairs = [pair for pair in zip(*spaced_corpus(("cer", seed), 150), strict=True) if all(pair)]
    translations, references = zip(*pairs, strict=True)
    statistics = evaluate(translations, references)
    assert statistics.segment_scores() == pytest.approx(rates(translations, references), rel=0, abs=1e-9)
    whole = cer.calculate_cer_corpus(*([line.split(" ") for line in side] for side in (translations, references)))
    assert statistics.corpus_score() == pytest.approx(100 * whole["mean"], rel=0, abs=1e-9)


@pytest.mark.parametrize("seed", range(300))
def test_words_that_change_places(seed):
    # Few words that stand elsewhere: many shifts are as good as each other.
    random = Random(f"cer {seed}")
    words = ["a", "bb", "ccc", "the", "The", "é", "😀", "zzzz"][: random.randint(2, 8)]
    translation = random.choices(words, k=random.randint(1, 14))
    reference = random.sample(translation, k=len(translation)) + random.choices(words, k=random.randint(0, 3))
    ours, theirs = plain(" ".join(translation)), plain(" ".join(reference))
    assert evaluate([ours], [theirs]).corpus_score() == pytest.approx(rates([ours], [theirs])[0], rel=0, abs=1e-9)


def test_an_empty_translation():
    assert evaluate([""], ["a b"]).corpus_score() == 100 * cer.calculate_cer([], ["a", "b"])
