"""WER and CER against jiwer, live: rates and operations of segments and of whole corpora.

jiwer cuts words at the plain space alone, and Assay at all ASCII white space. The texts for WER therefore have single
plain spaces between words; other white space stands inside them, as a no-break space that cuts for neither.
"""

from __future__ import annotations

from random import Random

import pytest

import assay
from peers.texts import corpus, spaced_corpus

jiwer = pytest.importorskip("jiwer", reason="jiwer is the peer (extra: peers)")

OPERATIONS = ("hits", "substitutions", "deletions", "insertions")


def check_words(parts, score, expected):
    assert tuple(parts[name] for name in OPERATIONS) == tuple(getattr(expected, name) for name in OPERATIONS)
    assert score / 100 == pytest.approx(expected.wer, rel=0, abs=1e-12)
    assert parts["match_error_rate"] / 100 == pytest.approx(expected.mer, rel=0, abs=1e-12)
    assert parts["information_preserved"] / 100 == pytest.approx(expected.wip, rel=0, abs=1e-12)
    assert parts["information_lost"] / 100 == pytest.approx(expected.wil, rel=0, abs=1e-12)


def check_characters(parts, score, expected):
    assert tuple(parts[name] for name in OPERATIONS) == tuple(getattr(expected, name) for name in OPERATIONS)
    assert score / 100 == pytest.approx(expected.cer, rel=0, abs=1e-12)


def compare(metric, process, check, translations, references):
    """Each segment, then all together."""
    statistics = metric.evaluate(assay.Corpus(translations=translations, references=[references]))
    scores = statistics.segment_scores()
    for index, row in enumerate(statistics.rows):
        check(metric.parts(row), scores[index], process(references[index], translations[index]))
    check(statistics.parts(), statistics.corpus_score(), process(references, translations))


@pytest.mark.parametrize("seed", range(6))
def test_words_in_many_scripts(seed):
    compare(assay.Wer(), jiwer.process_words, check_words, *spaced_corpus(("wer", seed), 200))


@pytest.mark.parametrize("vocabulary", ["ab", "abc", "abcdefgh"])
def test_few_words_that_leave_many_shortest_ways(vocabulary):
    random = Random(vocabulary)
    texts = [" ".join(random.choices(vocabulary, k=random.randint(0, 12))) for _ in range(1000)]
    compare(assay.Wer(), jiwer.process_words, check_words, texts[:500], texts[500:])


@pytest.mark.parametrize("length", [63, 64, 65, 128, 129, 700])
def test_segments_longer_than_a_machine_word(length):
    random = Random(length)
    references = [" ".join(random.choices("abcde", k=length)) for _ in range(10)]
    translations = [" ".join(random.choices("abcde", k=random.randint(length // 2, length + 9))) for _ in range(10)]
    compare(assay.Wer(), jiwer.process_words, check_words, translations, references)


@pytest.mark.parametrize("length", [2_500, 9_000, 17_000])
def test_very_long_segments_have_jiwers_rate(length):
    # Beyond some 2,000 units RapidFuzz may take another of the shortest ways: only the rate is sure to be the same.
    random = Random(length)
    reference = "".join(random.choices("abcd", k=length))
    translation = "".join(random.choices("abcd", k=length + 50))
    statistics = assay.Cer().evaluate(assay.Corpus(translations=[translation], references=[[reference]]))
    expected = jiwer.process_characters(reference, translation).cer
    assert statistics.corpus_score() / 100 == pytest.approx(expected, rel=0, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_characters_in_many_scripts(seed):
    translations, [references] = corpus(("cer", seed), 200, 1)
    compare(assay.Cer(), jiwer.process_characters, check_characters, translations, references)


def test_empty_sides():
    translations, references = ["", "a b", "", "a"], ["a", "", "", "a"]
    compare(assay.Wer(), jiwer.process_words, check_words, translations, references)
    compare(assay.Cer(), jiwer.process_characters, check_characters, translations, references)


@pytest.mark.parametrize("seed", range(4))
def test_characters_with_white_space_collapsed(seed):
    collapsed = jiwer.Compose(
        [jiwer.SubstituteRegexes({r"\s+": " "}), jiwer.Strip(), jiwer.ReduceToListOfListOfChars()]
    )

    def process(reference, translation):
        return jiwer.process_characters(
            reference, translation, reference_transform=collapsed, hypothesis_transform=collapsed
        )

    translations, (references,) = corpus(("collapsed", seed), 150, 1)
    # jiwer takes no empty reference; white space alone is one.
    pairs = [pair for pair in zip(translations, references, strict=True) if pair[1].strip()]
    assert any("  " in text or "\t" in text for pair in pairs for text in pair)
    compare(assay.Cer(collapse_whitespace=True), process, check_characters, *map(list, zip(*pairs, strict=True)))
