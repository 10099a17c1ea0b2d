"""METEOR's Snowball stemmers: 325,078 English and 13,631 German word forms, and the thousands among them that ship."""

from __future__ import annotations

import gzip

import pytest

import assay
from goldens.folder import needs_large, path

#: Lists of words and their sizes: of our own and of Luke's, and of WMT's, which do not ship.
ENGLISH = [
    pytest.param("own-english.tsv", 8_618, id="ours"),
    pytest.param("meteor-snowball-english.tsv.gz", 325_078, id="large", marks=needs_large),
]
GERMAN = [
    pytest.param("el-de-german.tsv", id="luke"),
    pytest.param("meteor-snowball-german.tsv", id="large", marks=needs_large),
]
#: Their sizes, and how many words Snowball stems otherwise since its version 2.0.
GERMAN_COUNTS = {"el-de-german.tsv": (671, 17), "meteor-snowball-german.tsv": (13_631, 25)}


def pairs(name: str) -> dict[str, str]:
    """Word forms and their stems."""
    place = path(f"stemmer/{name}")
    data = gzip.decompress(place.read_bytes()) if place.suffix == ".gz" else place.read_bytes()
    return dict(line.split("\t") for line in data.decode().removesuffix("\n").split("\n"))


def stems(language: str, words: list[str]) -> dict[str, str]:
    """Our stems; no form has white space, so all go through as one text."""
    tokens = assay.Recipe(stem=language, tokenize="none:ascii").tokens(" ".join(words))
    return dict(zip(words, tokens, strict=True))


@pytest.mark.parametrize(("name", "size"), ENGLISH)
def test_every_english_stem_is_meteors(name, size):
    golden = pairs(name)
    assert len(golden) == size
    ours = stems("english", list(golden))
    assert {word: stem for word, stem in ours.items() if stem != golden[word]} == {}


@pytest.mark.parametrize("name", GERMAN)
def test_german_differs_in_words_with_niss_alone(name):
    # METEOR has the rules before Snowball 2.0, which took -niss- for part of the stem.
    golden, (size, others) = pairs(name), GERMAN_COUNTS[name]
    assert len(golden) == size
    ours = stems("german", list(golden))
    different = {word: stem for word, stem in ours.items() if stem != golden[word]}
    assert len(different) == others
    for word, stem in different.items():
        assert "niss" in word
        assert golden[word] == stem + "s"


@pytest.mark.parametrize("name", GERMAN)
def test_meteors_own_german_is_the_older_one(name):
    golden = pairs(name)
    assert stems("german-meteor", list(golden)) == golden


@pytest.mark.parametrize("name", GERMAN)
def test_a_german_result_is_one_of_them(name):
    assert pairs(name)["ergebnisse"] == "ergebniss"
    assert stems("german", ["ergebnisse"]) == {"ergebnisse": "ergebnis"}


@pytest.mark.parametrize(("word", "stem"), [("added", "ad"), ("generously", "generous"), ("skies", "sky")])
def test_english_is_porters_second_stemmer(word, stem):
    assert pairs("own-english.tsv")[word] == stem
    assert stems("english", [word]) == {word: stem}
