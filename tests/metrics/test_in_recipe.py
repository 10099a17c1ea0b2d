"""One recipe for several metrics: what each makes of it, and how it is named beside the others."""

from __future__ import annotations

import pytest

import assay
from assay.metrics.options import spell
from assay.metrics.registry import BUILT_IN
from assay.text.recipe import Recipe

SHARED = Recipe(tokenize="13a")
TEXT = "The U.S. &quot;house&quot;, it's 4.50!"
TOKENS = ["The", "U", ".", "S", ".", '"', "house", '"', ",", "it's", "4.50", "!"]
CHARACTERS = ("chrf", "cer", "eed")
WORDS = [name for name in BUILT_IN if name not in (*CHARACTERS, "predictor", "combination", "scores")]


@pytest.mark.parametrize("name", [*WORDS, "ter(convention=sacrebleu)", "meteor(variant=meteor07)", "bleu(order=2)"])
def test_word_metrics_see_the_same_tokens(name):
    metric = assay.metric(name)
    shared = metric.in_recipe(SHARED)
    assert shared.cuts_words
    assert shared.recipe == SHARED
    assert shared.recipe.tokens(TEXT) == TOKENS
    assert "lowercase=false,tokenize=13a," in spell(shared.resolved, all_fields=True)
    # Beside others with the recipe it is called as it was typed.
    assert shared.named_beside(SHARED) == str(metric)
    assert shared.in_recipe(SHARED) == shared


@pytest.mark.parametrize("name", [*CHARACTERS, "chrf(word_order=2)", "chrf(lowercase=true)"])
def test_metrics_of_characters_stay(name):
    metric = assay.metric(name)
    assert metric.in_recipe(SHARED) is metric
    assert not metric.cuts_words
    assert metric.named_beside(SHARED) == str(metric)


@pytest.mark.parametrize(
    ("typed", "expected", "named"),
    [
        ("gtm(lowercase=true)", "gtm(lowercase=true,tokenize=13a)", "gtm(lowercase=true)"),
        ("gtm(tokenize=none:ascii)", "gtm", "gtm(tokenize=none:ascii)"),
        ("ter(lowercase=true)", "ter(tokenize=13a)", "ter(lowercase=true)"),
        ("bleu(tokenize=char)", "bleu(tokenize=char)", "bleu(tokenize=char)"),
        ("fmean(stem=porter)", "fmean(tokenize=13a,stem=porter)", "fmean(stem=porter)"),
        ("wer(normalize=nfkc,remove_punctuation=true)", "wer(normalize=nfkc,tokenize=13a,remove_punctuation=true)",
         "wer(normalize=nfkc,remove_punctuation=true)"),
        ("meteor(stem=english,lowercase=true)", "meteor(tokenize=13a,stem=english)",
         "meteor(lowercase=true,stem=english)"),
    ],
)  # fmt: skip
def test_what_was_chosen_stays_and_is_named(typed, expected, named):
    shared = assay.metric(typed).in_recipe(SHARED)
    assert str(shared) == expected
    assert shared.named_beside(SHARED) == named
    # However often it is put on the recipe, and in whatever language, what was chosen is known.
    assert str(shared.in_recipe(SHARED)) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("bleu(tokenize=13a)", "bleu"),
        ("bleu", "bleu(tokenize=zh)"),
        ("ter", "ter(lowercase=false,tokenize=zh)"),
        ("ter(lowercase=true)", "ter(tokenize=zh)"),
    ],
)
def test_a_language_behind_the_recipe_changes_nothing_that_was_chosen(typed, expected):
    shared = assay.metric(typed).in_recipe(Recipe(tokenize="zh"))
    assert str(shared.in_language("zh")) == expected


def test_meteor_matches_stems_and_synonyms_of_the_same_tokens():
    # 13a makes "ran", "over", "houses" and "." of the one and "runs", "over", "Houses" and "." of the other.
    translation, reference = "ran over houses.", "runs over Houses."
    corpus = assay.Corpus(translations=[translation], references=[[reference]])

    def matches(**options):
        own = assay.metric("meteor", **options)
        return [metric.evaluate(corpus).parts()["translation_matched_words"] for metric in (own, own.in_recipe(SHARED))]

    # By form "over" and the stop match, and in its own recipe "houses", which is lowercased there.
    assert matches(modules="exact") == [3.0, 2.0]
    # By stem or meaning "ran" matches "runs" (both are forms of "run"); a word with a capital is another one.
    assert matches(modules="exact+stem+synonym") == [4.0, 3.0]


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        (Recipe(), "white space, case kept"),
        (Recipe(tokenize="none:ascii", lowercase=True), "white space, lowercased"),
        (Recipe(tokenize="meteor:en", lowercase="ascii"), "meteor:en, A to Z lowercased"),
        (Recipe(normalize="nfkc", tokenize="13a", remove_punctuation=True, stem="porter"),
         "nfkc, 13a, case kept, no punctuation, porter stems"),
    ],
)  # fmt: skip
def test_a_recipe_in_words(recipe, said):
    assert ", ".join(recipe.steps().values()) == said
