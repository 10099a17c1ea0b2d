"""Stems by dictionary, METEOR's own stems and lengths, and its function words."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay import kernels
from assay.text.recipe import INTERNAL_STEMMERS, stemmers
from assay.text.tables import function_words


def ids(recipe: assay.Recipe, text: str) -> list[int]:
    return recipe.cook([assay.Texts.of([text])])[0].ids.tolist()


class TestWordNet:
    def test_lemmas_take_the_place_of_stems(self):
        recipe = assay.Recipe(lowercase=True, stem="wordnet")
        assert recipe.tokens("The Mice went, running") == ["the", "mouse", "went,", "run"]
        assert ids(recipe, "mice went") == ids(assay.Recipe(), "mouse go")

    def test_capitals_are_not_in_the_dictionary(self):
        assert assay.Recipe(stem="wordnet").tokens("Mice") == ["Mice"]

    def test_base_forms_leave_irregular_ones_alone(self):
        recipe = assay.Recipe(stem="wordnet-base")
        assert recipe.tokens("houses went xyz") == ["house", "went", "xyz"]
        assert ids(recipe, "houses went") == ids(assay.Recipe(), "house went")

    def test_characters_of_lemmas(self):
        assert ids(assay.Recipe(stem="wordnet", unit="character"), "mice") == [ord(letter) for letter in "mouse"]

    def test_every_metric_takes_it(self):
        corpus = assay.Corpus(translations=["the mice went"], references=[["the mouse goes"]])
        score = assay.metric("wer", stem="wordnet").evaluate(corpus).corpus_score()
        assert score == 0

    def test_a_dictionary_of_ones_own_is_in_the_signature(self, tmp_path):
        (tmp_path / "my.synsets").write_text("foo\n1\n")
        metric = assay.metric("wer", stem=f"wordnet:{tmp_path / 'my.synsets'}")
        assert metric.recipe.tokens("foos mice") == ["foo", "mice"]
        assert list(metric.resources()) == ["stem"]
        assert assay.metric("wer", stem="wordnet").resources() == {}

    @pytest.mark.parametrize("stem", ["english:dict", "wordnet:"])
    def test_only_wordnet_takes_a_path(self, stem):
        with pytest.raises(assay.ParameterError, match="stem=wordnet:PATH"):
            assay.Recipe(stem=stem)


class TestExternalTokenizers:
    def test_lemmas_come_behind_them(self):
        pytest.importorskip("MeCab")
        pytest.importorskip("ipadic")
        assert assay.Recipe(tokenize="ja-mecab", stem="wordnet").tokens("猫とmice")[-1] == "mouse"
        recipe = assay.Recipe(tokenize="ja-mecab", unit="length")
        assert ids(recipe, "猫とmice") == [len(token) for token in assay.Recipe(tokenize="ja-mecab").tokens("猫とmice")]


class TestMeteorsOwn:
    def test_internal_names_are_not_listed(self):
        assert not set(INTERNAL_STEMMERS) & set(stemmers())
        with pytest.raises(assay.UnknownName) as caught:
            assay.Recipe(stem="german-metero")
        assert "german-meteor" not in str(caught.value)

    @pytest.mark.parametrize(
        ("stem", "word", "expected"),
        [
            ("german-meteor", "ergebnisse", "ergebniss"),
            ("hungarian-meteor", "akármettől", "akármettől"),
            ("portuguese-meteor", "consecução", "consecuçã"),
        ],
    )
    def test_older_rules(self, stem, word, expected):
        assert assay.Recipe(stem=stem).tokens(word) == [expected]
        assert assay.Recipe(stem=stem.removesuffix("-meteor")).tokens(word) != [expected]

    def test_lengths_are_javas(self):
        assert ids(assay.Recipe(unit="length"), "a für 😀 naïve") == [1, 3, 2, 5]
        assert ids(assay.Recipe(unit="length", tokenize="13a", remove_punctuation=True), "don't!") == [4]


class TestFunctionWords:
    def test_counts_are_meteors(self):
        counts = {language: len(function_words(language)) for language in ("en", "de", "fr", "cs", "es", "ru")}
        assert counts == {"en": 93, "de": 92, "fr": 85, "cs": 68, "es": 66, "ru": 62}

    def test_they_are_ids_as_recipes_give_them(self):
        found = function_words("en")
        assert np.isin(ids(assay.Recipe(), "the house , of"), found).tolist() == [True, False, True, True]
        assert np.array_equal(np.sort(found), found)

    def test_meteors_code_for_czech_and_languages_without_a_list(self):
        assert np.array_equal(function_words("cz"), function_words("cs"))
        assert len(function_words("fi")) == len(function_words("../function.en")) == 0

    def test_ids_of_tokens(self):
        assert kernels.token_ids(["a", "b"]).tolist() == ids(assay.Recipe(), "a b")


def test_a_plain_table_of_synonyms_is_no_stemmer(tmp_path):
    table = tmp_path / "table.tsv"
    table.write_text("sofa\tcouch\n")
    with pytest.raises(assay.InputError, match="no base forms"):
        assay.metric("ter", stem=f"wordnet:{table}").evaluate(assay.Corpus(translations=["a"], references=[["a"]]))
