"""Counting in shards, on threads, for many systems at once."""

import numpy as np
import pytest

import assay
from assay.scoring import evaluate as module
from assay.scoring.evaluate import evaluate_all, shards_of, thread_count

RANDOM = np.random.default_rng(1)
WORDS = np.array(["the", "cat", "sat", "on", "a", "mat", "0", "1990's", "naïve", "."])


def lines(count):
    return [" ".join(RANDOM.choice(WORDS, size=RANDOM.integers(0, 9))) for _ in range(count)]


TRANSLATIONS, FIRST, SECOND = lines(50), lines(50), lines(50)


@pytest.mark.parametrize("spelling", ["bleu", "nist", "chrf(word_order=2)", "wer", "per", "recall"])
def test_shards_give_the_rows_of_one_piece(monkeypatch, spelling):
    corpus = assay.Corpus(translations=TRANSLATIONS, references=[FIRST, SECOND])
    whole = assay.metric(spelling).evaluate(corpus)
    monkeypatch.setattr(module, "SHARD_SEGMENTS", 7)
    pieces = assay.metric(spelling).evaluate(corpus)
    assert np.allclose(pieces.rows, whole.rows, rtol=1e-15)
    assert pieces.corpus_score() == pytest.approx(whole.corpus_score(), rel=1e-14)


def test_shards_end_at_segments_or_bytes(monkeypatch):
    monkeypatch.setattr(module, "SHARD_SEGMENTS", 3)
    monkeypatch.setattr(module, "SHARD_BYTES", 10)
    texts = ["12345", "12345", "1", "2", "3", "4", "a very long text indeed", "5"]
    shards = shards_of({"": assay.Corpus(translations=texts, references=[texts])}, 1)
    assert [(shard.start, shard.stop) for shard in shards] == [(0, 2), (2, 5), (5, 6), (6, 7), (7, 8)]


def test_many_systems_count_as_each_alone():
    shared = assay.Corpus(translations=TRANSLATIONS, references=[FIRST])
    other = assay.Corpus(translations=SECOND, references=[FIRST])
    metrics = [assay.metric("bleu"), assay.metric("nist")]
    together = evaluate_all(metrics, {"one": shared, "two": other})
    alone = [metric.evaluate(corpus) for corpus in (shared, other) for metric in metrics]
    for left, right in zip(together.values(), alone, strict=True):
        assert np.array_equal(left.rows, right.rows)


def test_a_fitted_metric_keeps_its_fit():
    corpus = assay.Corpus(translations=TRANSLATIONS, references=[FIRST])
    fitted = assay.metric("nist").evaluate(corpus).metric
    assert not fitted.needs_survey
    part = assay.Corpus(translations=TRANSLATIONS[:5], references=[FIRST[:5]])
    refitted = assay.metric("nist").evaluate(part).rows
    assert not np.array_equal(fitted.evaluate(part).rows, refitted)
    assert np.array_equal(fitted.evaluate(part).rows, assay.metric("nist").evaluate(corpus).rows[:5])


def test_progress_is_told_of_every_shard(monkeypatch):
    monkeypatch.setattr(module, "SHARD_SEGMENTS", 20)
    told = []
    corpus = assay.Corpus(translations=TRANSLATIONS, references=[FIRST])
    evaluate_all([assay.metric("f1")], {"a": corpus}, progress=told.append)
    assert told == [1 / 3, 2 / 3, 1.0]


def test_progress_is_told_of_every_metric_of_every_system():
    told = []
    corpora = {name: assay.Corpus(translations=TRANSLATIONS, references=[FIRST]) for name in "ab"}
    corpora["b"] = assay.Corpus(translations=FIRST, references=[FIRST])
    evaluate_all([assay.metric("f1"), assay.metric("wer")], corpora, progress=told.append)
    # All of them are in one shard.
    assert told == [0.25, 0.5, 0.75, 1.0]


def test_threads():
    assert thread_count(3) == 3
    assert thread_count(None) >= 1
    with pytest.raises(assay.ParameterError, match="from 1 to 1024"):
        thread_count(0)
    with pytest.raises(assay.ParameterError, match="from 1 to 1024"):
        assay.metric("f1").evaluate(assay.Corpus(translations=["a"], references=[["a"]]), threads=0)


def test_nothing_to_score():
    with pytest.raises(assay.InputError, match="no system"):
        evaluate_all([assay.metric("f1")], {})
