"""``--cite``: what a paper says and cites for a result."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.metrics.registry import BUILT_IN
from assay.questions.registry import QUESTIONS
from assay.questions.studies.registry import STUDIES
from assay.results import citing
from assay.significance.tests import TESTS
from assay.version import __version__

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def compared():
    return assay.compare(CAMPAIGN, "bleu,chrf,chrf++", systems="rosetta,compass", samples=20, unit="segment")


def test_every_metric_and_test_that_there_is_can_be_cited():
    assert set(BUILT_IN) <= set(citing._METRICS)
    assert {*TESTS, "williams", "perm-both", "holm", "benjamini-hochberg"} <= set(citing._METHODS)
    assert set(citing._QUESTIONS) <= {*QUESTIONS, *STUDIES}


def test_whatever_is_cited_has_an_entry_that_is_whole():
    keys = {key for _, keys in (*citing._METRICS.values(), *citing._METHODS.values()) for key in keys.split()}
    keys |= {key for keys in citing._QUESTIONS.values() for key in keys.split()}
    entries = citing._entries()
    # No key without an entry, and no entry that nothing leads to.
    assert keys == set(entries)
    for key, entry in entries.items():
        assert entry.count("{") == entry.count("}"), key
        assert re.search(r"author = \{.+\},\n  title = \{.+\},\n", entry), key
        assert re.search(r"year = \{\d{4}\}", entry), key


def test_the_sentence_names_metrics_test_correction_and_tool(compared):
    text = compared.render("bibtex")
    assert text.splitlines()[0] == (
        "BLEU (Papineni et al., 2002; Post, 2018), chrF (Popović, 2015), chrF++ (Popović, 2017), paired approximate "
        "randomisation (Riezler and Maxwell, 2005), Holm's correction (Holm, 1979) and bootstrap intervals "
        f"(Efron, 1979) were computed with Assay {__version__}, seed 1."
    )
    for line in compared.signatures.values():
        assert f"  {line}\n" in text
    cited = re.findall(r"^@\w+\{(\w+),", text, re.MULTILINE)
    assert cited == [
        "papineni2002bleu", "post2018call", "popovic2015chrf", "popovic2017chrf", "riezler2005pitfalls",
        "holm1979simple", "efron1979bootstrap", "assay",
    ]  # fmt: skip
    # A result that was read back cites the same.
    assert assay.Result.from_json(compared.to_json()).render("bibtex") == text


def test_what_was_not_used_is_not_cited():
    text = assay.score(CAMPAIGN, "wer", samples=0).render("bibtex")
    assert text.startswith("WER (Nießen et al., 2000) was computed with Assay")
    assert "efron" not in text
    assert "papineni" not in text
    study = assay.study("recall-weight", CAMPAIGN, kind="adequacy", with_humans=True)
    assert "the study recall-weight (Lavie et al., 2004)" in study.render("bibtex")


@pytest.mark.parametrize(
    ("statistic", "cited"),
    [("spa-segments", "thompson2024"), ("acc23-heldout", "deutsch2023"), ("tau23", "deutsch2023")],
)
def test_variants_of_a_statistic_are_cited_as_it_is(statistic, cited):
    found = assay.meta_evaluate(CAMPAIGN, "bleu", kind="adequacy", statistics=statistic, samples=0, with_humans=True)
    assert f"{{{cited}" in found.render("bibtex")


def test_the_citation_file_has_this_version():
    assert f"version: {__version__}\n" in (ROOT / "CITATION.cff").read_text()
