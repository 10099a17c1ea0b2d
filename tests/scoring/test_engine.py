"""One loop over shards: wherever they are worked on, rows and their order are the same."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import assay
from assay.scoring import evaluate as module
from assay.scoring.evaluate import Engine, Shard, evaluate_all, shards_of

WORDS = ["the", "cat", "sat", "on", "a", "mat", ",", "the", "dog", "ran", "and", "nobody", "saw", "it", "."]


def lines(seed):
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, size=random.integers(0, 9))) for _ in range(30)]


CORPORA = {
    "one": assay.Corpus(translations=lines(1), references=[lines(3), lines(4)]),
    "two": assay.Corpus(translations=lines(2), references=[lines(3), lines(4)]),
}


class Backwards(Engine):
    """An engine that works on the last shard first, and on several at once, as a cluster may."""

    def map(self, work, shards, progress=None):
        with ThreadPoolExecutor(3) as pool:
            found = dict(zip(reversed(shards), pool.map(work, reversed(shards)), strict=True))
        return (found[shard] for shard in shards)


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    monkeypatch.setattr(module, "SHARD_SEGMENTS", 7)


@pytest.mark.parametrize("name", ["bleu", "nist", "chrf", "ter"])
def test_numbers_are_the_same_on_every_engine(name):
    metrics = [assay.metric(name)]
    here = evaluate_all(metrics, CORPORA)
    there = evaluate_all(metrics, CORPORA, engine=Backwards())
    assert list(here) == list(there) == [("one", name), ("two", name)]
    for cell, statistics in here.items():
        assert np.array_equal(statistics.rows, there[cell].rows)
        assert statistics.corpus_score() == there[cell].corpus_score()


def test_results_come_in_the_order_of_the_shards():
    shards = shards_of(CORPORA, 1)
    assert [(shard.start, shard.stop) for shard in shards] == [(0, 7), (7, 14), (14, 21), (21, 28), (28, 30)]
    assert list(Engine().map(lambda shard: shard.start, shards)) == [0, 7, 14, 21, 28]


def test_a_shard_is_forgotten_before_the_next_is_read():
    sizes, shards = [], shards_of(CORPORA, 1)

    def work(shard):
        shard.batch(CORPORA["one"], assay.metric("bleu"))
        sizes.append(sum(len(one._slices) for one in shards))

    # Translations and two references of one shard at a time.
    list(Engine().map(work, shards))
    assert sizes == [3] * len(shards)


def test_a_single_shard_keeps_its_texts_for_whoever_comes_next():
    shard, bleu = Shard(0, 30, 1), assay.metric("bleu")
    [first] = Engine().map(lambda one: one.batch(CORPORA["one"], bleu).translations, [shard])
    [second] = Engine().map(lambda one: one.batch(CORPORA["one"], bleu).translations, [shard])
    assert first.ids is second.ids


def test_a_grid_is_indexed_by_system_and_metric():
    grid = evaluate_all([assay.metric("bleu(order=2)"), assay.metric("wer")], CORPORA)
    assert list(grid) == [("one", "bleu(order=2)"), ("one", "wer"), ("two", "bleu(order=2)"), ("two", "wer")]
    alone = assay.metric("wer").evaluate(CORPORA["two"])
    assert np.array_equal(grid["two", "wer"].rows, alone.rows)
