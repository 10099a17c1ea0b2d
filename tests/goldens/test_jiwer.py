"""jiwer 4.0.0: WER and its relatives, and CER, of every segment and of whole files."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from goldens.folder import corpus, entries, files, needs_large, table

#: Rates in jiwer's words and ours; ours are percentages.
RATES = {"mer": "match_error_rate", "wil": "information_lost", "wip": "information_preserved"}
#: Counts in jiwer's words and their columns in our rows.
COUNTS = {"hits": 0, "sub": 1, "del": 2, "ins": 3}


ENTRIES = entries("jiwer")


def identify(entry: dict) -> str:
    return f"{entry['set']}-{entry['hyp']}"


def evaluate(spelling: str, entry: dict) -> assay.Statistics:
    return assay.metric(spelling).evaluate(corpus(entry["set"], entry["hyp"], entry["ref"]))


def golden(entry: dict) -> dict[str, np.ndarray]:
    header, *rows = table(f"jiwer/{entry['set']}.{entry['hyp']}.{entry['ref']}.seg.tsv")
    return {name: np.array([float(row[index]) for row in rows]) for index, name in enumerate(header)}


def test_jiwers_runs_over_the_small_texts_ship():
    assert [entry["set"] for entry in ENTRIES[:5]] == ["edge", "el-de", "el-de", "el-de", "own-zh-tok"]


@needs_large
def test_all_of_jiwers_runs_are_here():
    assert len(ENTRIES) == len(files("jiwer/*.tsv")) == 6 + 4


@pytest.mark.parametrize("entry", ENTRIES, ids=identify)
def test_every_segments_word_rates_are_jiwers(entry):
    # jiwer splits at the plain space alone; no golden input has a tab between words.
    statistics = evaluate("wer", entry)
    expected = golden(entry)
    np.testing.assert_allclose(statistics.segment_scores() / 100, expected["wer"], rtol=0, atol=1e-12)
    parts = statistics.metric.parts(statistics.rows)
    for theirs, ours in RATES.items():
        np.testing.assert_allclose(parts[ours] / 100, expected[theirs], rtol=0, atol=1e-12, err_msg=ours)


@pytest.mark.parametrize("entry", ENTRIES, ids=identify)
def test_every_segments_edits_are_jiwers(entry):
    rows = evaluate("wer", entry).rows
    expected = golden(entry)
    for name, column in COUNTS.items():
        assert rows[:, column].tolist() == expected[name].tolist(), name


@pytest.mark.parametrize("entry", ENTRIES, ids=identify)
def test_every_segments_character_rate_is_jiwers(entry):
    np.testing.assert_allclose(evaluate("cer", entry).segment_scores() / 100, golden(entry)["cer"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("entry", ENTRIES, ids=identify)
def test_whole_files_have_jiwers_rates(entry):
    words = evaluate("wer", entry)
    parts = words.parts()
    assert words.corpus_score() / 100 == pytest.approx(entry["wer"], rel=0, abs=1e-12)
    assert evaluate("cer", entry).corpus_score() / 100 == pytest.approx(entry["cer"], rel=0, abs=1e-12)
    for theirs, ours in RATES.items():
        assert parts[ours] / 100 == pytest.approx(entry[theirs], rel=0, abs=1e-12)
    for name in ("hits", "substitutions", "deletions", "insertions"):
        assert parts[name] == entry[name]
