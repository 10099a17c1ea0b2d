"""METEOR's page on NLTK's meteor_score, held to NLTK itself; its synonyms need data that is not installed."""

from __future__ import annotations

from random import Random

import pytest

import assay
from assay.demo import CAMPAIGN

meteor_score = pytest.importorskip("nltk.translate.meteor_score", reason="NLTK is the peer (extra: peers)")
porter = pytest.importorskip("nltk.stem.porter")

BANERJEE = "meteor(variant=banerjee2005,modules=exact+stem,tokenize=none)"


class NoWords:
    """A WordNet in which no word has a synonym."""

    def synsets(self, word):
        return []


def theirs(translation, *references):
    split = [reference.split() for reference in references]
    stemmer = porter.PorterStemmer()
    return 100 * meteor_score.meteor_score(split, translation.split(), stemmer=stemmer, wordnet=NoWords())


def ours(translation, *references, spelling=BANERJEE):
    corpus = assay.Corpus(translations=[translation], references_by_segment=[references])
    return assay.metric(spelling).evaluate(corpus).corpus_score()


def test_where_no_word_comes_twice_the_two_agree():
    random, words = Random(1), ["cat", "dog", "tree", "house", "running", "sees", "walked", "green", "far", "near"]
    for _ in range(200):
        translation, reference = (" ".join(random.sample(words, k=random.randint(1, 9))) for _ in range(2))
        assert ours(translation, reference) == pytest.approx(theirs(translation, reference), rel=0, abs=1e-9)


def test_of_a_word_that_comes_twice_nltk_links_the_last():
    # NLTK links "the" to the second one, and "the cat" falls apart.
    assert theirs("the cat", "the cat saw the dog") == pytest.approx(21.28, abs=0.005)
    assert ours("the cat", "the cat saw the dog") == pytest.approx(39.89, abs=0.005)


def test_a_perfect_translation_has_less_than_100_under_the_penalty_of_2005():
    assert theirs("a b c d e f", "a b c d e f") == pytest.approx(100 * (1 - 0.5 / 6**3))
    assert ours("a b c d e f", "a b c d e f") == pytest.approx(100 * (1 - 0.5 / 6**3))


def test_the_differences_on_the_demonstration_campaign_are_those_of_the_page():
    campaign, apart = assay.read(CAMPAIGN), []
    for name in campaign.systems:
        corpus = campaign.corpus(name)
        found = assay.metric(BANERJEE).evaluate(corpus).segment_scores()
        for segment, score in enumerate(found):
            texts = [column[segment] for column in corpus.references]
            apart.append(score - theirs(corpus.translations[segment], *texts))
    assert (len(apart), sum(abs(one) < 1e-9 for one in apart)) == (300, 237)
    assert (min(apart), max(apart), sum(apart) / 300) == pytest.approx((-3.60, 13.34, 0.95), abs=0.005)
