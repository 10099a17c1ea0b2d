"""Synonyms: the look-up against plain dictionaries, WordNet's facts, and dictionaries of one's own."""

from __future__ import annotations

import gzip
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.kernels import Synonyms
from assay.text.synonyms import Entries, load_synonyms
from oracles.synonyms import Dictionary

STEMS = ["hop", "hope", "glas", "box", "man", "fl", "fly", "ax", "church", "é", "😀", "d"]
ENDINGS = ["", "s", "es", "ses", "xes", "zes", "ches", "shes", "men", "man", "ies", "y", "ed", "ing", "er", "est", "ss"]
forms = st.builds(lambda stem, ending: stem + ending, st.sampled_from(STEMS), st.sampled_from(ENDINGS))
dictionaries = st.builds(
    Dictionary,
    st.dictionaries(forms, st.lists(st.integers(0, 9), min_size=1, max_size=3), max_size=20),
    st.dictionaries(forms, st.lists(forms, min_size=1, max_size=3), max_size=4),
)


class TestLookUp:
    @settings(max_examples=300)
    @given(dictionaries, st.lists(forms, max_size=10))
    def test_it_is_that_of_plain_dictionaries(self, dictionary, words):
        compiled = Entries(dict(dictionary.words), dict(dictionary.exceptions), english_suffixes=True).compiled()
        for word in [*words, *dictionary.words, *dictionary.exceptions]:
            assert compiled.senses(word) == dictionary.senses(word)
            assert compiled.base(word) == dictionary.base(word)
            assert compiled.lemma(word) == dictionary.lemma(word)

    @settings(max_examples=50)
    @given(dictionaries)
    def test_a_table_holds_all_of_it(self, dictionary):
        compiled = Entries(dict(dictionary.words), dict(dictionary.exceptions), english_suffixes=True).compiled()
        again = Synonyms.from_table(compiled.table())
        assert (again.table(), again.digest) == (compiled.table(), compiled.digest)
        assert all(again.lemma(word) == dictionary.lemma(word) for word in dictionary.exceptions)

    def test_a_broken_table_is_refused(self):
        with pytest.raises(ValueError, match="cut short"):
            Synonyms.from_table(load_synonyms().table()[:-1])


class TestWordNet:
    def test_it_is_all_there(self):
        wordnet = load_synonyms()
        assert (wordnet.words, wordnet.forms, wordnet.bases) == (147_306, 5_940, 4_270)
        assert load_synonyms() is wordnet

    @pytest.mark.parametrize(
        ("one", "other"),
        [("sofa", "couch"), ("houses", "house"), ("went", "go"), ("cars", "automobile"), ("mice", "mouse")],
    )
    def test_synonyms_share_a_set(self, one, other):
        wordnet = load_synonyms()
        assert set(wordnet.senses(one)) & set(wordnet.senses(other))

    @pytest.mark.parametrize(("one", "other"), [("sofa", "went"), ("house", "glass"), ("", "go")])
    def test_other_words_do_not(self, one, other):
        wordnet = load_synonyms()
        assert not set(wordnet.senses(one)) & set(wordnet.senses(other))

    def test_a_form_has_its_own_sets_as_well(self):
        # "left" is a word of its own, and the past of "leave".
        wordnet = load_synonyms()
        assert set(wordnet.senses("left")) > set(wordnet.senses("leave"))

    @pytest.mark.parametrize(
        ("form", "lemma"),
        [
            ("houses", "house"),
            ("went", "go"),
            ("is", "be"),
            ("better", "good"),
            # Of several bases the one that occurs most in WordNet's tagged texts: not "off", "instal", "comic_strip".
            ("offer", "offer"),
            ("installed", "install"),
            ("comics", "comic"),
            # A word of its own stays, though it looks like a plural.
            ("news", "news"),
            ("ing", "e"),
            ("xyzzys", "xyzzys"),
        ],
    )
    def test_lemmas(self, form, lemma):
        assert load_synonyms().lemma(form) == lemma

    def test_bases_know_no_irregular_forms(self):
        assert [load_synonyms().base(word) for word in ("houses", "went", "glass", "as")] == [
            "house",
            "went",
            "glass",
            "as",
        ]


SENSES = "couch%1:06:00:: 77 1 5\nsofa%1:06:00:: 77 1 2\ngo%2:38:00:: 12 1 900\ndo%2:36:01:: 12 1 9\n"
INDEX = "  1 This is the licence.\nsofa n 1 2 @ ~ 1 1 00000077\ncouch n 2 1 @ 2 1 00000077 00000078\n"


class TestOwnDictionaries:
    def test_a_wordnet_folder(self, tmp_path):
        (tmp_path / "index.sense").write_text(SENSES)
        (tmp_path / "verb.exc").write_text("went do go\n\n")
        synonyms = load_synonyms(tmp_path)
        assert synonyms.senses("sofas") == synonyms.senses("couch") == [77]
        # "go" occurs more often than "do".
        assert (synonyms.lemma("went"), synonyms.words, synonyms.bases) == ("go", 4, 2)
        assert load_synonyms(tmp_path / "index.sense").digest == synonyms.digest

    def test_a_folder_with_an_index_per_part_of_speech(self, tmp_path):
        (tmp_path / "index.noun").write_text(INDEX)
        (tmp_path / "index.verb").write_text("couch v 1 1 @ 1 0 00000099\n")
        assert load_synonyms(tmp_path).senses("couches") == [77, 78, 99]

    def test_meteors_format(self, tmp_path):
        (tmp_path / "my.synsets").write_text("sofa\n7\ncouch\n7 8\ngo\n1\n")
        (tmp_path / "my.exceptions").write_text("go\ngone went\n")
        synonyms = load_synonyms(tmp_path / "my.synsets")
        assert synonyms.senses("couch") == [7, 8]
        assert synonyms.senses("went") == [1]
        assert synonyms.senses("sofas") == [7]

    def test_a_plain_table(self, tmp_path):
        path = tmp_path / "de.tsv"
        path.write_text("# Möbel\nSofa\tCouch\n\nCouch\tLiege\nrotes Sofa\tLiebesbank\n", encoding="utf-8")
        synonyms = load_synonyms(str(path))
        assert synonyms.senses("Couch") == [2, 4]
        # No English suffix is taken off, and a phrase is no word.
        assert synonyms.senses("Sofas") == synonyms.senses("rotes") == []
        assert synonyms.senses("rotes_Sofa") == [5]

    def test_a_gzipped_table(self, tmp_path):
        path = tmp_path / "de.tsv.gz"
        path.write_bytes(gzip.compress(b"a\tb\n"))
        assert load_synonyms(path).senses("a") == [1]

    def test_a_file_that_changed_is_read_again(self, tmp_path):
        path = tmp_path / "own.tsv"
        path.write_text("a\tb\n")
        first = load_synonyms(path)
        assert load_synonyms(path) is first
        path.write_text("a\tc\n")
        os.utime(path, ns=(1, 1))
        assert load_synonyms(path).senses("c") == [1]
        assert load_synonyms(path).digest != first.digest


class TestBrokenDictionaries:
    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("own.tsv", b"a\tb\nc\n", r"own.tsv, line 2: only one word\. Put a tab between"),
            ("own.tsv", b"a\tb\n\na\t\tb\n", "line 3: an empty word"),
            ("own.tsv", b"# nothing\n", "no set of synonyms in it"),
            ("own.tsv", b"a\tb\nc\t\xff\n", "line 2"),
            ("own.tsv.gz", b"a\tb\n", "not a sound gzip file"),
            (
                "my.synsets",
                b"go\n1\nwent\n",
                "line 4: the numbers of its sets are expected here, for a word on the line before",
            ),
            ("my.synsets", b"go\none\n", "line 2: something is not the number of a set"),
            ("my.synsets", b"go\n4294967296\n", "line 2: something is not"),
            ("my.synsets", b"1 2\ngo\n", "line 1: a word is expected here, alone"),
            ("index.sense", b"go%2:38:00:: 12 1 900\ngo 12 1 900\n", "line 2: not a line of WordNet's index.sense"),
            ("index.sense", "go%2:38:00:: 12 1 ²\n".encode(), "line 1: not a line of WordNet's index.sense"),
            ("index.sense", b"\n", "line 1: not a line of WordNet's index.sense"),
            ("index.sense", b"", "no words in it"),
            ("index.noun", b"sofa n 3 2 @ ~ 1 1 00000077\n", "line 1: not a line of a WordNet index"),
        ],
    )
    def test_file_and_line_are_named(self, tmp_path, name, content, message):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(InputError, match=message) as caught:
            load_synonyms(path)
        assert str(path) in str(caught.value)

    def test_an_exception_without_a_base(self, tmp_path):
        (tmp_path / "index.sense").write_text(SENSES)
        (tmp_path / "verb.exc").write_text("went go\ngone\n")
        with pytest.raises(InputError, match=r"verb.exc, line 2: an irregular form without its base"):
            load_synonyms(tmp_path)

    def test_a_folder_of_something_else(self, tmp_path):
        with pytest.raises(InputError, match=r"neither index.sense nor"):
            load_synonyms(tmp_path)

    def test_nothing_there(self, tmp_path):
        with pytest.raises(InputError, match="No such file or directory"):
            load_synonyms(tmp_path / "missing.tsv")
