"""Which texts have no spaces between words, and which recipes cut them all the same."""

from __future__ import annotations

import pytest

import assay
from assay.data.texts import Texts
from assay.text.languages import Sample
from assay.text.recipe import Recipe
from text.scripts import SPACED, UNSPACED

BY_SPACES = ("none", "none:ascii", "13a", "tercom")


@pytest.mark.parametrize("code", UNSPACED)
def test_a_language_without_spaces_is_known_by_its_script(code):
    sample = Sample.of([Texts.of(UNSPACED[code])])
    assert sample.writing is not None
    assert sample.writing.code == code
    assert not any(sample.is_cut(Recipe(tokenize=name)) for name in BY_SPACES)
    assert sample.is_cut(Recipe(tokenize="char"))
    assert sample.is_cut(Recipe(unit="character"))


@pytest.mark.parametrize("name", SPACED)
def test_texts_with_spaces_raise_no_alarm(name):
    sample = Sample.of([Texts.of(SPACED[name])])
    assert all(sample.is_cut(Recipe(tokenize=tokenizer)) for tokenizer in BY_SPACES)


@pytest.mark.parametrize(
    ("code", "tokenizer", "cut"),
    [
        ("zh", "zh", True),
        # Punctuation alone is cut off: clauses stay.
        ("zh", "intl", False),
        ("ja", "intl", False),
        ("ja", "tercom:normalize+asian", True),
        ("th", "zh", False),
        # A mark between syllables is punctuation to Unicode.
        ("bo", "intl", True),
        # Nothing is left of the text.
        ("ja", "ascii-words", False),
    ],
)
def test_a_tokenizer_suits_a_script_or_not(code, tokenizer, cut):
    assert Sample(UNSPACED[code]).is_cut(Recipe(tokenize=tokenizer)) is cut


def test_letters_per_token_are_counted_in_tokens_that_have_one():
    # 4 + 2 Chinese characters in two tokens; "2023" and "GDP" have none.
    assert Sample(("发生地震 2023 GDP 危险",)).letters_per_token(Recipe()) == 3.0


def test_a_sample_is_bounded_and_from_all_over_the_texts():
    english = Texts.of(["a plain line"] * 5000)
    halves = Texts.of(["a plain line"] * 5000 + [UNSPACED["zh"][0]] * 5000)
    assert len(Sample.of([english]).texts) == 200
    assert len(Sample.of([english, english, halves]).texts) == 200
    assert Sample.of([halves]).writing is not None
    assert Sample.of([]).texts == ()
    assert len(Sample.of([Texts.of(["x" * 10_000])]).texts[0]) == 400


def test_what_is_chosen_is_told_from_what_is_usual():
    from dataclasses import replace

    assert assay.metric("bleu").chosen == frozenset()
    assert assay.metric("bleu(tokenize=13a)").chosen == {"tokenize"}
    assert assay.Bleu(tokenize="13a", order=2).chosen == {"tokenize", "order"}
    # All fields are given here, so those count that differ.
    assert replace(assay.Bleu(order=2), lowercase=True).chosen == {"order", "lowercase"}


@pytest.mark.parametrize(
    ("typed", "code", "expected"),
    [
        ("bleu", "ja", "bleu(tokenize=ja-mecab)"),
        ("bleu(order=2)", "zh", "bleu(order=2,tokenize=zh)"),
        ("bleu(tokenize=13a)", "ja", "bleu"),
        ("bleu(tokenize=char)", "ja", "bleu(tokenize=char)"),
        ("nist", "zh", "nist(tokenize=zh)"),
        ("ter", "th", "ter(tokenize=char)"),
        ("hter", "ko", "hter(tokenize=ko-mecab)"),
        ("wer", "km", "wer(tokenize=char)"),
        ("per", "lo", "per(tokenize=char)"),
        ("f1", "my", "f1(tokenize=char)"),
        ("gtm", "bo", "gtm(tokenize=char)"),
        ("blanc", "zh", "blanc(tokenize=zh)"),
        ("chrf", "ja", "chrf"),
        ("chrf(word_order=2)", "ja", "chrf(word_order=2)"),
        ("cer", "ja", "cer"),
        ("bleu", "de", "bleu"),
        ("meteor", "en", "meteor"),
        ("meteor", "de", "meteor(language=de)"),
        ("meteor(language=en)", "de", "meteor"),
        ("meteor", "ja", "meteor(language=other,tokenize=ja-mecab)"),
        ("meteor(tokenize=char)", "ja", "meteor(language=other,tokenize=char)"),
        # METEOR has a stemmer for Danish, and no normaliser.
        ("meteor", "da", "meteor(language=da,tokenize=intl)"),
        ("meteor(variant=lavie2004)", "da", "meteor(variant=lavie2004,language=da)"),
    ],
)
def test_word_metrics_cut_a_language_as_the_field_does(typed, code, expected):
    assert str(assay.metric(typed).in_language(code)) == expected
