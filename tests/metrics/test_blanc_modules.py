"""BLANC with METEOR's matching: words with the same stem and synonyms as equal words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import assay
from assay.demo import CAMPAIGN
from assay.metrics.options import spell_value
from assay.metrics.pictures import NgramMatches
from assay.text.batch import batch_of
from assay.text.recipe import Recipe
from assay.text.synonyms import load_synonyms
from metrics.scored import evaluate, parts, score
from oracles.blanc import equal_names

ALL = "blanc(modules=exact+stem+synonym)"
#: Words that share sets in a chain: a-b, b-c, c-d, and e-f apart.
SETS = "a\tb\nb\tc\nc\td\ne\tf\n"

chained = st.lists(st.sampled_from("abcdefx"), max_size=6)


@pytest.fixture(scope="module")
def sets(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("synonyms") / "sets.tsv"
    path.write_text(SETS, encoding="utf-8")
    return path


def test_stems_and_synonyms_are_equal_words():
    # cats and cat have one stem, sofa and couch one set: all four words match, in order.
    assert score(ALL, "the cats on sofa", "the cat on couch") == 100
    assert parts("blanc", "the cats on sofa", "the cat on couch")["precision_1"] == 50
    assert parts("blanc(modules=exact+stem)", "the cats on sofa", "the cat on couch")["precision_1"] == 75
    assert parts("blanc(modules=exact+synonym)", "the cats on sofa", "the cat on couch")["precision_1"] == 100


def test_skip_ngrams_are_made_of_equal_words():
    # the-cat, the-couch, cat-couch of three pairs each; without modules none, as "the" alone is in common.
    assert (
        parts("blanc(order=2,decay=0,modules=exact+stem+synonym)", "the cats sofa", "the cat couch")["recall_2"] == 100
    )
    assert parts("blanc(order=2,decay=0)", "the cats sofa", "the cat couch")["recall_2"] == 0


def test_a_word_that_both_sides_have_is_itself_alone():
    # sofa is in both, so that couch finds nobody.
    assert parts(ALL, "sofa couch", "sofa table")["precision_1"] == 50


def test_the_default_changes_no_bit():
    for corpus in assay.read(CAMPAIGN).corpora().values():
        plain, named = (assay.metric(name).evaluate(corpus) for name in ("blanc", "blanc(modules=exact)"))
        assert np.array_equal(plain.rows, named.rows)
        assert plain.signature() == named.signature()
        assert "modules" not in plain.signature()


@pytest.mark.parametrize(("language", "stemmer"), [("en", "english"), ("fr", "french"), ("de", "german-meteor")])
def test_exact_and_stem_is_what_stemming_all_words_gives(language, stemmer):
    for corpus in assay.read(CAMPAIGN).corpora().values():
        module = assay.metric(f"blanc(lowercase=true,modules=exact+stem,language={language})").evaluate(corpus)
        recipe = assay.metric(f"blanc(lowercase=true,stem={stemmer})").evaluate(corpus)
        assert np.array_equal(module.rows, recipe.rows)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(translation=chained, reference=chained)
def test_chains_of_synonyms_beside_the_obvious_twin(translation, reference, sets):
    dictionary = load_synonyms(sets)
    spelling = f"blanc(order=3,modules=exact+synonym,synonyms={spell_value(str(sets))})"
    found = evaluate(spelling, [" ".join(translation)], [" ".join(reference)])
    ours, theirs = equal_names(translation, reference, str, dictionary.senses)
    expected = evaluate("blanc(order=3)", [" ".join(ours)], [" ".join(theirs)])
    assert found.rows.tolist() == expected.rows.tolist()


def test_wordnet_beside_the_obvious_twin():
    campaign = assay.read(CAMPAIGN)
    recipe, wordnet = Recipe(tokenize="none:ascii", lowercase=True), load_synonyms()
    stemmer = Recipe(tokenize="none:ascii", stem="english")
    corpus = campaign.choose(references=["A"]).corpus("gravel")
    rows = assay.metric("blanc(order=2,lowercase=true,modules=exact+stem+synonym)").evaluate(corpus).rows
    plain = assay.metric("blanc(order=2)")
    joined = 0
    for segment in range(20):
        words = [recipe.tokens(column[segment]) for column in (corpus.translations, corpus.references[0])]
        ours, theirs = equal_names(*words, lambda word: stemmer.tokens(word)[0], wordnet.senses)
        row = plain.evaluate(assay.Corpus(translations=[" ".join(ours)], references=[[" ".join(theirs)]])).rows[0]
        assert rows[segment].tolist() == row.tolist()
        joined += sum(
            name not in stemmer.tokens(" ".join(side))
            for side, names in zip(words, (ours, theirs), strict=True)
            for name in names
        )
    # So that the test is about something.
    assert joined > 0


def test_every_reference_has_names_of_its_own():
    # Against "couch" sofa is couch, against "sofa" it is itself; each reference is matched for itself.
    assert score(ALL, "sofa", "couch", "x") == 100
    assert score(ALL, "sofa", "x", "couch") == 100


def test_explanations_name_equal_words():
    metric = assay.metric("blanc(order=1,modules=exact+stem+synonym)")
    picture = metric.picture(batch_of(["the sofas"], [["a x"], ["the couch"]], metric.recipe))
    assert isinstance(picture, NgramMatches)
    assert picture.translation == ("the", "sofas=couch")
    assert picture.references[1] == ("the", "sofas=couch")
    assert [match.words for match in picture.orders[0].matches] == [("the",), ("sofas=couch",)]


def test_the_signature_names_modules_language_and_stemmer(sets):
    said = evaluate(ALL, ["a"], ["a"]).signature()
    assert "modules=exact+stem+synonym,language=en" in said
    assert "stem=english" in said
    own = evaluate(
        f"blanc(modules=exact+synonym,language=fi,synonyms={spell_value(str(sets))})", ["a"], ["b"]
    ).signature()
    assert "|synonyms:" in own


def test_a_language_brings_its_stemmer():
    german = assay.metric("blanc(modules=exact+stem)").in_language("de")
    assert (german.language, german.resolved.stem) == ("de", "german-meteor")
    assert assay.metric("blanc(modules=exact+stem,language=fr)").in_language("de").language == "fr"
    assert assay.metric("blanc").in_language("de") == assay.metric("blanc")


@pytest.mark.parametrize(
    ("spelling", "said"),
    [
        ("blanc(modules=stem)", "modules is stem, but it takes exact alone or followed by others"),
        ("blanc(modules=exact+synonym+stem)", "in the order exact\\+stem\\+synonym"),
        ("blanc(language=de)", "language is de, but it takes no value with modules=exact"),
        ("blanc(modules=exact+stem,language=cs)", "language=cs has no stemmer of its own"),
        ("blanc(modules=exact+synonym,language=de)", "no synonyms come with the package for language=de"),
        ("blanc(modules=exact+stem,synonyms=x)", "synonyms is x, but it takes no value"),
        ("blanc(modules=exact+synonym,stem=porter)", "synonyms are looked up by whole words"),
    ],
)
def test_options_that_make_no_sense_are_refused(spelling, said):
    with pytest.raises(assay.ParameterError, match=said):
        assay.metric(spelling)


def test_unknown_modules_and_languages_are_refused():
    with pytest.raises(assay.UnknownName, match="module of blanc 'paraphrase'"):
        assay.metric("blanc(modules=exact+paraphrase)")
    with pytest.raises(assay.UnknownName, match="language"):
        assay.metric("blanc(modules=exact+stem,language=xx)")
