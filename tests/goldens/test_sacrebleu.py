"""sacreBLEU 2.6.0: every corpus and segment score of BLEU and chrF, and the signatures."""

from __future__ import annotations

import re

import numpy as np
import pytest

import assay
from goldens.folder import SHIPPED, corpus, entries, files, lines, needs_large, path, table

#: chrF by its column in the golden files.
CHRF = {
    "chrf2": "chrf",
    "chrf2pp": "chrf(word_order=2)",
    "chrf3.lc": "chrf(beta=3,lowercase=true)",
    "chrf2.ws": "chrf(whitespace=true)",
    "chrf2.eps": "chrf(smoothing=true)",
}


def spelled(column: str) -> assay.Metric:
    """The metric of a column: ``bleu.<tokenizer>.<smoothing>[.lc][.eff]``, or one of chrF's."""
    if column in CHRF:
        return assay.metric(CHRF[column])
    _, tokenizer, smoothing, *flags = column.split(".")
    return assay.metric(
        "bleu",
        tokenize="intl-sacrebleu" if tokenizer == "intl" else tokenizer,
        smoothing=smoothing,
        lowercase="lc" in flags,
        effective_order="eff" in flags,
    )


def scored(column: str) -> bool:
    return column.startswith(("bleu.", "chrf"))


CORPUS_ENTRIES = [entry for entry in entries("sacrebleu") if scored(entry["metric"])]
SEGMENT_COLUMNS = [
    (name, column) for name in files("sacrebleu/*.seg.tsv") for column in table(name)[0] if scored(column)
]


def corpus_of(name: str) -> assay.Corpus:
    """The corpus of a file called ``<folder>.<translation>.refs<N>.seg.tsv``."""
    folder, translation, count = re.fullmatch(r"sacrebleu/([^.]+)\.(.+)\.refs(\d)\.seg\.tsv", name).groups()
    return corpus(folder, translation, *reference_names(folder, int(count)))


def reference_names(folder: str, count: int) -> list[str]:
    return sorted(file.name for file in path(f"inputs/{folder}").glob("ref.*"))[:count]


def identify(entry: dict) -> str:
    return "-".join([entry["set"], entry["hyp"], str(len(entry["refs"])), entry["metric"]])


def test_sacrebleus_runs_over_the_small_texts_ship():
    assert len(list(SHIPPED.glob("sacrebleu/*.seg.tsv"))) == 2 + 8
    assert len([entry for entry in CORPUS_ENTRIES if entry["set"] in ("edge", "el-de", "own-zh")]) == 24 + 94


@needs_large
def test_all_of_sacrebleus_runs_are_here():
    assert len(files("sacrebleu/*.seg.tsv")) == 12 + 8
    assert len(SEGMENT_COLUMNS) == 174 + 148
    assert len(CORPUS_ENTRIES) == 102 + 94


@pytest.mark.parametrize(("name", "column"), SEGMENT_COLUMNS)
def test_every_segment_score_is_sacrebleus(name, column):
    header, *rows = table(name)
    expected = [float(row[header.index(column)]) for row in rows]
    scores = spelled(column).evaluate(corpus_of(name)).segment_scores()
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("entry", CORPUS_ENTRIES, ids=identify)
def test_every_corpus_score_is_sacrebleus(entry):
    statistics = spelled(entry["metric"]).evaluate(corpus(entry["set"], entry["hyp"], *entry["refs"]))
    assert statistics.corpus_score() == pytest.approx(entry["score"], rel=0, abs=1e-9)


@pytest.mark.parametrize("entry", [entry for entry in CORPUS_ENTRIES if "bp" in entry], ids=identify)
def test_every_part_of_a_corpus_score_is_sacrebleus(entry):
    metric = spelled(entry["metric"])
    statistics = metric.evaluate(corpus(entry["set"], entry["hyp"], *entry["refs"]))
    parts = statistics.parts()
    matches, totals = metric.matches_and_totals(statistics.total())
    # sacreBLEU prints add-k's counts with k added to orders above 1.
    added = np.array([0, 1, 1, 1]) if ".add-k" in entry["metric"] else 0
    assert (matches + added).tolist() == entry["counts"]
    assert (totals + added).tolist() == entry["totals"]
    assert parts["translation_length"] == entry["sys_len"]
    assert parts["reference_length"] == entry["ref_len"]
    assert parts["brevity_penalty"] == pytest.approx(entry["bp"], rel=0, abs=1e-12)
    precisions = [parts[f"precision_{n}"] for n in (1, 2, 3, 4)]
    np.testing.assert_allclose(precisions, entry["precisions"], rtol=0, atol=1e-9)


@pytest.mark.parametrize("entry", CORPUS_ENTRIES, ids=identify)
def test_every_signature_is_sacrebleus(entry):
    name, _, signature = spelled(entry["metric"]).sacrebleu_signature(len(entry["refs"])).partition("|")
    assert name in ("BLEU", "chrF2", "chrF2++", "chrF3")
    assert signature == entry["signature_args"]


@pytest.mark.parametrize(
    ("folder", "translations"),
    [
        pytest.param("own-zh", ("hyp.zh",), id="own-zh"),
        pytest.param("en-zh", ("hyp.Facebook-AI.zh", "hyp.Online-A.zh", "hyp.UF.zh"), id="en-zh", marks=needs_large),
    ],
)
def test_sacrebleu_cut_the_chinese_texts_as_we_do(folder, translations):
    recipe = assay.Recipe(tokenize="zh")
    for name in (*translations, "ref.A.zh", "ref.B.zh"):
        cut = [" ".join(recipe.tokens(line)) for line in lines(f"inputs/{folder}/{name}")]
        assert cut == lines(f"inputs/{folder}-tok/{name}")
