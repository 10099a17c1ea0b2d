"""Each tokenizer against its twin, a chain of substitutions."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import example, given, settings

import assay
from oracles import tokenizers as oracle
from text.adversarial import SAMPLE, texts

TWINS = {
    "none": str.split,
    "none:ascii": oracle.ascii_words,
    "13a": oracle.thirteen_a,
    "intl": oracle.mteval_international,
    "intl:split-non-ascii": partial(oracle.mteval_international, split_non_ascii=True),
    "intl-sacrebleu": oracle.sacrebleu_international,
    "zh": oracle.chinese,
    "char": oracle.characters,
    "chrf": oracle.chrf_words,
    "tercom": oracle.tercom,
    "tercom-sacrebleu": oracle.sacrebleu_tercom,
    "tercom-sacrebleu:normalize": partial(oracle.sacrebleu_tercom, normalize=True),
    "tercom-sacrebleu:no-punctuation+asian": partial(oracle.sacrebleu_tercom, punctuation=False, asian=True),
    "tercom-sacrebleu:normalize+asian": partial(oracle.sacrebleu_tercom, normalize=True, asian=True),
    "tercom-sacrebleu-twice:normalize": lambda text: oracle.sacrebleu_tercom(
        " ".join(oracle.sacrebleu_tercom(text, normalize=True)), normalize=True
    ),
}


def cut(spelling: str, text: str) -> list[str]:
    """The tokens, without the empty word that TERcom counts where it deleted the first one."""
    return [token for token in assay.Recipe(tokenize=spelling).tokens(text) if token or "tercom" not in spelling]


@pytest.mark.parametrize("spelling", TWINS)
@settings(max_examples=400)
@given(text=texts)
@example(text="9...5")
@example(text=" .5")
@example(text=" ..5")
@example(text=",,5,,")
@example(text="5. ")
@example(text="2019.")
@example(text="a.-9-.a")
@example(text="&amp;lt;skipped&gt;<skipped>")
@example(text="<skipped> &amp;9")
def test_a_text_is_cut_as_its_twin_cuts_it(spelling, text):
    assert cut(spelling, text) == TWINS[spelling](text)


@pytest.mark.parametrize("spelling", TWINS)
def test_every_character_is_cut_as_its_twin_cuts_it(spelling):
    twin = TWINS[spelling]
    around = ("a{0}b", "9{0}9", ".{0},", "{0}")
    wrong = [
        character for character in SAMPLE if cut(spelling, text := " ".join(around).format(character)) != twin(text)
    ]
    assert wrong == []


@pytest.mark.parametrize(("first", "last"), oracle.CHINESE)
def test_chinese_begins_and_ends_where_sacrebleu_says(first, last):
    near = [chr(ord(end[0]) + step) for end in (first, last) for step in (-1, 0, 1)]
    for character in near:
        assert cut("zh", f"a{character}b") == oracle.chinese(f"a{character}b"), hex(ord(character))


def test_tokens_of_real_looking_sentences():
    text = "\"Tom &amp; Jerry's\" cost $4.50 in 1990-95, don't they?"
    assert assay.Recipe(tokenize="13a").tokens(text) == (
        ['"', "Tom", "&", "Jerry's", '"', "cost", "$", "4.50", "in", "1990", "-", "95", ",", "don't", "they", "?"]
    )
    assert assay.Recipe(tokenize="intl").tokens("«Да», 3,5 €.") == ["«", "Да", "»", ",", "3,5", "€", "."]
    chinese = ["我", "在", "2021", "年", "买", "了", "iPhone", "。"]
    assert assay.Recipe(tokenize="zh").tokens("我在2021年买了iPhone。") == chinese


def test_sacrebleu_trims_the_end_before_it_looks_for_possessives():
    for text in ("it's\t", "it's\u00a0", "it's\u00a0there's.", "a\n-b\nc's\n"):
        spelling = "tercom-sacrebleu:normalize"
        assert cut(spelling, text) == TWINS[spelling](text)


def test_broken_lines_are_joined():
    for text in ("hyphen-\nated\nlines", "a -\n\n b", "-\n"):
        assert assay.Recipe(tokenize="13a").tokens(text) == oracle.thirteen_a(text)


def test_meteor_settles_dots_by_abbreviations_and_what_follows():
    english = assay.Recipe(tokenize="meteor:en")
    assert english.tokens("Mr. Smith's U.S.-based firm...") == ["Mr.", "Smith", "'s", "US", "based", "firm", "..."]
    assert english.tokens("The end.") == ["The", "end", "."]
    assert assay.Recipe(tokenize="meteor:fr").tokens("l'homme") == ["l'", "homme"]
    assert assay.Recipe(tokenize="meteor:de").tokens("geht's") == ["geht", "'", "s"]


def test_meteor_speaks_english_unless_told():
    assert assay.Recipe(tokenize="meteor").tokens("it's") == assay.Recipe(tokenize="meteor:en").tokens("it's")
    no_punctuation = assay.Recipe(tokenize="meteor:no-punctuation")
    assert no_punctuation.tokens("Yes, it's.") == ["Yes", "it", "s"]


@pytest.mark.parametrize(
    ("spelling", "error", "message"),
    [
        ("13b", assay.UnknownName, "Did you mean '13a'"),
        ("chrff", assay.UnknownName, "There is no tokenizer 'chrff'"),
        ("13a:fast", assay.UnknownName, "There is no option of tokenizer 13a 'fast'"),
        ("intl:split-nonascii", assay.UnknownName, "Did you mean 'split-non-ascii'"),
        ("meteor:en+de", assay.ParameterError, "takes one language, but got en, de"),
        ("spm", assay.ParameterError, "needs a model file"),
        ("spm:", assay.ParameterError, "needs a model file"),
    ],
)
def test_wrong_tokenizers_are_refused_where_they_are_written(spelling, error, message):
    with pytest.raises(error, match=message):
        assay.Recipe(tokenize=spelling)
