"""Recipes: the order of steps, case, normal forms, units, and ids against tokens."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import assay
from assay import kernels
from oracles.tokenizers import PUNCTUATION, thirteen_a
from text.adversarial import OLD_CHARACTERS, texts

BUILT_IN = (
    "none",
    "none:ascii",
    "13a",
    "intl",
    "intl:split-non-ascii",
    "intl-sacrebleu",
    "zh",
    "char",
    "tercom",
    "tercom-sacrebleu:normalize+asian",
    "meteor",
)
thorough = settings(max_examples=200)


def ids(recipe: assay.Recipe, *some: str) -> list[list[int]]:
    """The ids of each text."""
    cooked = recipe.cook([assay.Texts.of(list(some))])[0]
    return [cooked.ids[start:stop].tolist() for start, stop in zip(cooked.offsets, cooked.offsets[1:], strict=False)]


def code_points(text: str) -> list[int]:
    return [ord(character) for character in text]


class TestOrderOfSteps:
    def test_the_normal_form_comes_before_case(self):
        # A full-width D has a lower case of its own, which is not "d".
        assert assay.Recipe(normalize="nfkc", lowercase="ascii").tokens("Ｄog") == ["dog"]

    def test_the_normal_form_comes_before_the_tokenizer(self):
        assert assay.Recipe(normalize="nfkc", tokenize="13a").tokens("no！") == ["no", "!"]

    def test_case_comes_before_the_tokenizer(self):
        # sacreBLEU lower-cases first, and then sees the entity.
        assert assay.Recipe(lowercase=True, tokenize="13a").tokens("A &AMP; B") == ["a", "&", "b"]

    @pytest.mark.parametrize(("tokenize", "lowercase"), [("13a", "ascii"), ("intl", True), ("intl", "ascii")])
    def test_mteval_lower_cases_behind_entities(self, tokenize, lowercase):
        # &AMP; is no entity to mteval.
        recipe = assay.Recipe(tokenize=tokenize, lowercase=lowercase)
        assert recipe.tokens("A &AMP; B") == ["a", "&", "amp", ";", "b"]

    def test_case_comes_behind_meteors_normaliser(self):
        # The capital of "Smith" is why the dot comes off: "smith" would keep it.
        assert assay.Recipe(lowercase=True, tokenize="meteor:en").tokens("Done. Smith") == ["done", ".", "smith"]
        assert assay.Recipe(tokenize="meteor:en").tokens("done. smith") == ["done.", "smith"]

    def test_punctuation_goes_behind_the_tokenizer(self):
        assert assay.Recipe(tokenize="13a", remove_punctuation=True).tokens("It's $4.50, no?") == [
            "Its",
            "$",
            "450",
            "no",
        ]

    def test_stems_come_last(self):
        recipe = assay.Recipe(lowercase=True, remove_punctuation=True, stem="english")
        assert recipe.tokens("Running! DOGS, (ponies)") == ["run", "dog", "poni"]

    def test_stems_of_capitals_need_lower_case(self):
        assert assay.Recipe(stem="english").tokens("RUNNING") == ["RUNNING"]


class TestCase:
    def test_every_character_has_pythons_lower_case(self):
        recipe = assay.Recipe(lowercase=True, unit="raw")
        lowered = ids(recipe, *OLD_CHARACTERS)
        wrong = [one for one, found in zip(OLD_CHARACTERS, lowered, strict=True) if found != code_points(one.lower())]
        assert wrong == []

    @thorough
    @given(st.text("ΣσςΑαΙ'.:·’\u00ad\u0301\u0345 -1İI", max_size=12))
    def test_final_sigma_depends_on_its_neighbours_as_in_python(self, text):
        assert ids(assay.Recipe(lowercase=True, unit="raw"), text) == [code_points(text.lower())]

    def test_ascii_leaves_other_letters_alone(self):
        assert assay.Recipe(lowercase="ascii").tokens("ÄPFEL İZMİR ΑΒ Z") == ["Äpfel", "İzmİr", "ΑΒ", "z"]

    def test_nothing_else_is_taken_for_a_case(self):
        with pytest.raises(assay.ParameterError, match="lowercase is 'upper'"):
            assay.Recipe(lowercase="upper")


class TestNormalForms:
    @pytest.mark.parametrize("form", ["nfc", "nfkc"])
    @thorough
    @given(text=st.text("eé\u0301\u0323\u0327가\u1100\u1161\u11a8ﬁ①½Ａ\u212b\u00c5ΐ\u03b9\u0308 \u2000", max_size=10))
    def test_they_are_pythons(self, form, text):
        recipe = assay.Recipe(normalize=form, unit="raw")
        assert ids(recipe, text) == [code_points(unicodedata.normalize(form.upper(), text))]

    @pytest.mark.parametrize("form", ["nfc", "nfkc"])
    def test_every_character_has_pythons_normal_form(self, form):
        found = ids(assay.Recipe(normalize=form, unit="raw"), *OLD_CHARACTERS)
        expected = [code_points(unicodedata.normalize(form.upper(), character)) for character in OLD_CHARACTERS]
        assert [one for one, left, right in zip(OLD_CHARACTERS, found, expected, strict=True) if left != right] == []


class TestPunctuation:
    @thorough
    @given(texts)
    def test_characters_are_deleted_and_empty_tokens_dropped(self, text):
        without = [re.sub(f"[{PUNCTUATION}]", "", token) for token in thirteen_a(text)]
        recipe = assay.Recipe(tokenize="13a", remove_punctuation=True)
        assert recipe.tokens(text) == [token for token in without if token]

    def test_symbols_are_not_punctuation(self):
        assert assay.Recipe(remove_punctuation=True).tokens("a+b =$ 5€ «x»") == ["a+b", "=$", "5€", "x"]


class TestUnits:
    def test_white_space_by_unit(self):
        text = " a\u00a0 b\t"
        assert ids(assay.Recipe(unit="character"), text) == [code_points("ab")]
        assert ids(assay.Recipe(unit="text"), text) == [code_points("a\u00a0 b")]
        assert ids(assay.Recipe(unit="spaced"), text) == [code_points("a b")]
        assert ids(assay.Recipe(unit="raw"), text) == [code_points(text)]

    @pytest.mark.parametrize("unit", ["text", "raw"])
    def test_behind_a_tokenizer_one_space_stands_between_tokens(self, unit):
        assert ids(assay.Recipe(tokenize="13a", unit=unit), " a,  b ") == [code_points("a , b")]

    @pytest.mark.parametrize("unit", ["text", "raw"])
    def test_behind_a_stemmer_one_space_stands_between_stems(self, unit):
        assert ids(assay.Recipe(stem="english", unit=unit), "  running   dogs ") == [code_points("run dog")]

    def test_characters_of_stems(self):
        assert ids(assay.Recipe(stem="english", unit="character"), "running dogs") == [code_points("rundog")]

    @thorough
    @given(texts)
    def test_characters_are_pythons(self, text):
        assert ids(assay.Recipe(unit="character"), text) == [code_points("".join(text.split()))]
        assert ids(assay.Recipe(unit="text"), text) == [code_points(text.strip())]
        assert ids(assay.Recipe(unit="spaced"), text) == [code_points(" ".join(text.split()))]
        assert ids(assay.Recipe(unit="raw"), text) == [code_points(text)]


class TestIds:
    @pytest.mark.parametrize("tokenize", BUILT_IN)
    @settings(max_examples=60)
    @given(some=st.lists(texts, max_size=5), lowercase=st.sampled_from([False, True, "ascii"]))
    def test_equal_tokens_have_equal_ids_and_others_do_not(self, tokenize, some, lowercase):
        recipe = assay.Recipe(tokenize=tokenize, lowercase=lowercase, stem="english")
        pairs = []
        for text, found in zip(some, ids(recipe, *some), strict=True):
            pairs += zip(recipe.tokens(text), found, strict=True)
        assert len({token for token, _ in pairs}) == len({number for _, number in pairs}) == len(set(pairs))

    @pytest.mark.parametrize("tokenize", BUILT_IN)
    def test_characters_are_those_of_the_tokens(self, tokenize):
        text = "It's «déjà vu», 3.5 €... 我在 &amp; U.S."
        recipe = assay.Recipe(tokenize=tokenize, unit="character")
        assert ids(recipe, text) == [code_points("".join(recipe.tokens(text)))]

    def test_threads_do_not_matter(self):
        column = assay.Texts.of([f"line {number} of {number % 7} words" for number in range(5000)] + [""] * 3)
        recipe = assay.Recipe(tokenize="13a", stem="english")
        (one,), (many,) = recipe.cook([column], threads=1), recipe.cook([column], threads=4)
        assert np.array_equal(one.ids, many.ids)
        assert np.array_equal(one.offsets, many.offsets)

    def test_lengths_and_offsets_close(self):
        cooked = assay.Recipe().cook([assay.Texts.of(["a b", "", "c"])])[0]
        assert cooked.offsets.tolist() == [0, 2, 2, 3]
        assert cooked.lengths().tolist() == [2, 0, 1]
        assert len(cooked.lengths()) == 3


class TestStems:
    @pytest.mark.parametrize("language", kernels.stemmers())
    def test_every_stemmer_is_deterministic_on_odd_words(self, language):
        odd = "a ab 9 x9 ' '' é ß я ω ا अ 我 😀 -"
        recipe = assay.Recipe(stem=language)
        assert len(recipe.tokens(odd)) == len(odd.split()) == len(ids(recipe, odd)[0])

    def test_an_unknown_language_is_refused_with_the_nearest(self):
        with pytest.raises(assay.UnknownName, match="Did you mean 'german'"):
            assay.Recipe(stem="germann")


def test_meteor_knows_no_czech_abbreviations():
    assert assay.Recipe(tokenize="meteor:cs").tokens("Např. Xx") == ["Např", ".", "Xx"]


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "ru"])
def test_meteors_tables_are_in_the_package(language):
    table = Path(assay.__file__).parent / "text" / "tables" / f"nonbreaking.{language}.txt"
    prefixes = [line for line in table.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
    plain = next(prefix for prefix in prefixes if "NUMERIC" not in prefix)
    assert assay.Recipe(tokenize=f"meteor:{language}").tokens(f"{plain.strip()}. Xx")[0] == f"{plain.strip()}."


@example("a\u2028b")
@given(texts)
def test_a_text_cooks_alike_alone_and_among_others(text):
    recipe = assay.Recipe(tokenize="intl")
    assert ids(recipe, "before", text, "behind")[1] == ids(recipe, text)[0]
