"""METEOR's Snowball stemmers: 325,078 English and 13,631 German word forms."""

from __future__ import annotations

import gzip

import pytest

import assay
from goldens.folder import GOLDEN, needs_golden

pytestmark = needs_golden


def pairs(name: str) -> dict[str, str]:
    """Word forms and their stems."""
    path = GOLDEN / "stemmer" / name
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return dict(line.split("\t") for line in data.decode().removesuffix("\n").split("\n"))


def stems(language: str, words: list[str]) -> dict[str, str]:
    """Our stems; no form has white space, so all go through as one text."""
    tokens = assay.Recipe(stem=language, tokenize="none:ascii").tokens(" ".join(words))
    return dict(zip(words, tokens, strict=True))


def test_every_english_stem_is_meteors():
    golden = pairs("meteor-snowball-english.tsv.gz")
    assert len(golden) == 325_078
    ours = stems("english", list(golden))
    assert {word: stem for word, stem in ours.items() if stem != golden[word]} == {}


def test_german_differs_in_words_with_niss_alone():
    # METEOR has the rules before Snowball 2.0, which took -niss- for part of the stem.
    golden = pairs("meteor-snowball-german.tsv")
    assert len(golden) == 13_631
    ours = stems("german", list(golden))
    different = {word: stem for word, stem in ours.items() if stem != golden[word]}
    assert len(different) == 25
    for word, stem in different.items():
        assert "niss" in word
        assert golden[word] == stem + "s"


def test_meteors_own_german_is_the_older_one():
    golden = pairs("meteor-snowball-german.tsv")
    assert stems("german-meteor", list(golden)) == golden


def test_a_german_result_is_one_of_them():
    assert pairs("meteor-snowball-german.tsv")["ergebnisse"] == "ergebniss"
    assert stems("german", ["ergebnisse"]) == {"ergebnisse": "ergebnis"}


@pytest.mark.parametrize(("word", "stem"), [("added", "ad"), ("generously", "generous"), ("skies", "sky")])
def test_english_is_porters_second_stemmer(word, stem):
    assert pairs("meteor-snowball-english.tsv.gz").get(word, stem) == stem
    assert stems("english", [word]) == {word: stem}
