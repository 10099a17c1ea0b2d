"""What ``score`` and ``meta`` say where word metrics of one table see different tokens."""

from __future__ import annotations

import warnings

import pytest

import assay
from assay.errors import AssayWarning
from studies.judged_campaign import campaign

SAID = (
    "Word metrics see different tokens here ({}). To hold them against each other, give all of them one recipe, such "
    "as {}."
)
USUAL = "tokenize=13a,lowercase=false"
QUICK = {"levels": "system", "statistics": "pearson", "test": "none", "samples": 0}


def notes(ask, *given, **options):
    """What is noted, once each; nobody is warned of anything else."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = ask(campaign(kinds=("adequacy", "fluency")), *given, **options)
    assert [str(remark) for remark in result.notes] == [str(warning.message) for warning in caught]
    assert {remark.level for remark in result.notes} <= {"note"}
    assert all(warning.category is AssayWarning for warning in caught)
    return [str(remark) for remark in result.notes]


@pytest.mark.parametrize(
    ("metrics", "listed", "recipe"),
    [
        ("bleu,chrf,ter", "bleu: 13a, case kept; ter: white space, lowercased", USUAL),
        # Only what differs: case is kept in all of them.
        ("bleu,nist,f1,wer,cer", "bleu, nist: 13a; f1, wer: white space", USUAL),
        # Who cuts alike keeps the tokens, whatever they are.
        ("bleu,ter(tokenize=13a)", "bleu: case kept; ter(tokenize=13a): lowercased", "lowercase=false"),
        ("ter,meteor", "ter: white space; meteor: meteor:en", USUAL),
    ],
)
def test_one_note_says_which_metrics_see_which_tokens(metrics, listed, recipe):
    said = [SAID.format(listed, recipe)]
    assert notes(assay.score, metrics, samples=0) == said
    # Asked of two kinds of judgement, it is said once.
    assert notes(assay.meta_evaluate, metrics, kind="adequacy,fluency", **QUICK) == said


@pytest.mark.parametrize(
    "metrics",
    [
        "bleu",
        "bleu,chrf,cer",
        "chrf,ter,cer",
        "gtm,wer,precision",
        "bleu,ter(tokenize=13a,lowercase=false)",
        # Who types it knows it.
        "bleu,bleu(lowercase=true)",
        "fmean,fmean(stem=porter),fmean(tokenize=char)",
    ],
)
def test_where_tokens_are_the_same_or_asked_for_nothing_is_said(metrics):
    assert notes(assay.score, metrics, samples=0) == []
    assert notes(assay.meta_evaluate, metrics, kind="adequacy", **QUICK) == []


def test_compare_has_a_table_for_each_metric_and_says_nothing():
    assert notes(assay.compare, "bleu,ter", samples=10, permutations=10) == []
