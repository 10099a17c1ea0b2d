"""NLTK 3.10.4: NIST of whole files with one reference, which is mteval's but for the word ``0``."""

from __future__ import annotations

import json

import pytest

import assay
from goldens.folder import GOLDEN, corpus, language, needs_golden

pytestmark = needs_golden


def entries() -> list[dict]:
    """Runs with one reference. With more, NLTK takes one for each order, which is another metric."""
    path = GOLDEN / "nltk" / "corpus.json"
    return [entry for entry in json.loads(path.read_text()) if entry["nrefs"] == 1] if path.exists() else []


def test_all_of_nltks_runs_are_here():
    assert len(entries()) == 5


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: f"{entry['set']}-{entry['hyp']}")
def test_the_corpus_score_without_the_quirk_is_nltks(entry):
    metric = assay.metric("nist(zero_quirk=false)")
    statistics = metric.evaluate(corpus(entry["set"], entry["hyp"], f"ref.A.{language(entry['set'])}"))
    assert statistics.corpus_score() == pytest.approx(entry["corpus_nist5"], rel=0, abs=1e-9)
