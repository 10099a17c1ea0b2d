"""``--language`` against sacreBLEU with the tokenizer that it takes for that language."""

from __future__ import annotations

import pytest

import assay
from text.scripts import SPACED, UNSPACED

sacrebleu = pytest.importorskip("sacrebleu", reason="sacreBLEU is the peer (extra: peers)")


TEXTS = {**UNSPACED, "ko": SPACED["Korean"]}


@pytest.mark.parametrize(
    ("code", "tokenizer"),
    [("zh", "zh"), ("ja", "ja-mecab"), ("ko", "ko-mecab"), ("th", "char"), ("my", "char")],
)
@pytest.mark.filterwarnings("ignore:--language")
def test_bleu_of_a_language_is_sacrebleus(code, tokenizer):
    if tokenizer == "ja-mecab":
        pytest.importorskip("MeCab", reason="MeCab cuts Japanese words (extra: ja)")
    if tokenizer == "ko-mecab":
        pytest.importorskip("mecab_ko", reason="MeCab-ko cuts Korean morphemes (extra: ko)")
    references = list(TEXTS[code])
    translations = [line[: len(line) * 2 // 3] + line[-5:] for line in references]
    campaign = assay.Campaign("small", {"s": translations}, {"A": references})
    result = assay.score(campaign, "bleu", language=code, samples=0)
    expected = sacrebleu.metrics.BLEU(tokenize=tokenizer, force=True).corpus_score(translations, [references])
    (row,) = result.table("scores")
    assert row["score"] == pytest.approx(expected.score, abs=1e-9)
    assert 20 < row["score"] < 95
    assert f"tokenize={tokenizer}" in row["signature"]
    assert result.options["language"] == code
