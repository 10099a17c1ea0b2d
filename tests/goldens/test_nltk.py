"""NLTK 3.10.4: NIST of whole files with one reference, which is mteval's but for the word ``0``."""

from __future__ import annotations

import pytest

import assay
from goldens.folder import corpus, entries, language, needs_large

#: Runs with one reference. With more, NLTK takes one for each order, which is another metric.
ENTRIES = [entry for entry in entries("nltk") if entry["nrefs"] == 1]


def test_nltks_runs_over_the_small_texts_ship():
    assert [entry["set"] for entry in ENTRIES[:5]] == ["edge", "el-de", "el-de", "el-de", "own-zh-tok"]


@needs_large
def test_all_of_nltks_runs_are_here():
    assert len(ENTRIES) == 5 + 4


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry['set']}-{entry['hyp']}")
def test_the_corpus_score_without_the_quirk_is_nltks(entry):
    metric = assay.metric("nist(zero_quirk=false)")
    statistics = metric.evaluate(corpus(entry["set"], entry["hyp"], f"ref.A.{language(entry['set'])}"))
    assert statistics.corpus_score() == pytest.approx(entry["corpus_nist5"], rel=0, abs=1e-9)
