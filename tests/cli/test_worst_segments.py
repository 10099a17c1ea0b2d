"""``assay score --worst N`` and ``--best N``: segments to look at, with what stands there."""

import csv
import io
import json

import pytest

import assay
from assay.metrics.base import Metric

#: One word of four, none, two of four, none of four right; and one more that is as good as the third.
TRANSLATIONS = {
    "a": ["one x x x", "one two three four", "one two x x", "x x x x", "x x three four"],
    "b": ["one two three four"] * 5,
}


@pytest.fixture
def campaign(tmp_path):
    folder = tmp_path / "words"
    folder.mkdir()
    for name, lines in TRANSLATIONS.items():
        (folder / f"sys.{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    (folder / "ref.A.txt").write_text("one two three four\n" * 5)
    (folder / "ref.pe.txt").write_text("after edits\n" * 5)
    (folder / "src.txt").write_text("".join(f"source {number}\n" for number in range(5)))
    return folder


def listed(rows, **cells):
    """Segments and scores in the order of their ranks."""
    kept = [row for row in rows if row["who"] == "translation" and cells.items() <= row.items()]
    assert [row["rank"] for row in kept] == list(range(1, len(kept) + 1))
    return [(row["segment"], row["score"]) for row in kept]


def test_the_worst_have_the_most_errors_or_the_fewest_matches_and_equal_ones_keep_their_order(campaign):
    # WER: 3, 0, 2, 4, 2 of 4 words are wrong. Recall: 1, 4, 2, 0, 2 of 4 are found.
    with pytest.warns(assay.AssayWarning):
        result = assay.score(campaign, "wer,recall", systems="a", worst=4, best=3, samples=0)
    rows = result.table("texts")
    assert listed(rows, metric="wer", shown="worst") == [(3, 100.0), (0, 75.0), (2, 50.0), (4, 50.0)]
    assert listed(rows, metric="wer", shown="best") == [(1, 0.0), (2, 50.0), (4, 50.0)]
    assert listed(rows, metric="recall", shown="worst") == [(3, 0.0), (0, 25.0), (2, 50.0), (4, 50.0)]
    assert listed(rows, metric="recall", shown="best") == [(1, 100.0), (2, 50.0), (4, 50.0)]


def test_every_system_has_its_own_and_no_more_than_there_are(campaign):
    with pytest.warns(assay.AssayWarning):
        rows = assay.score(campaign, "wer", worst=100, samples=0).table("texts")
    assert [segment for segment, _ in listed(rows, system="a")] == [3, 0, 2, 4, 1]
    assert listed(rows, system="b") == [(segment, 0.0) for segment in range(5)]


def test_the_texts_that_the_metric_saw_and_the_source_stand_below_the_score(command, campaign):
    lines = command("score", campaign, "-m", "wer", "--systems", "a", "--segments", "--worst", 1).out.splitlines()
    start = lines.index("Worst segments of a: WER ↓")
    assert [line.split(maxsplit=2) for line in lines[start + 4 : start + 7]] == [
        ["3", "100.00", "translation   x x x x"],
        ["3", "–", "reference A   one two three four"],
        ["3", "–", "source        source 3"],
    ]
    # The list of all segments would bury them.
    assert not any(line.startswith("Segments:") for line in lines)
    edits = command("score", campaign, "-m", "hter", "--systems", "a", "--worst", 1).out
    assert "reference pe   after edits" in edits


def test_bleu_says_how_it_scores_one_segment(command, campaign):
    result = json.loads(command("score", campaign, "-m", "bleu", "--best", 1, "--format", "json").out)
    best = result["texts"][0]
    # With the effective order: a segment of four words has an order of four.
    assert (best["segment"], best["score"]) == (1, pytest.approx(100.0))
    shown = command("score", campaign, "-m", "bleu", "--best", 1).out
    assert "Single segments under bleu are scored with effective_order=true" in shown


def test_programs_get_a_table_with_the_same_columns_for_every_campaign(command, campaign):
    columns = ["system", "metric", "shown", "rank", "segment", "score", "who", "text"]
    for options in (["--worst", 2], ["--best", 2, "--refs", "A"], ["--segments", "--worst", 1, "--best", 1]):
        printed = command("score", campaign, "-m", "wer", "--format", "tsv", *options).out
        assert next(csv.reader(io.StringIO(printed), delimiter="\t")) == columns
    whole = json.loads(command("score", campaign, "-m", "wer", "--format", "json", *options).out)
    assert list(whole["texts"][0]) == columns
    # All segments are there as well, where they were asked for.
    assert len(whole["segments"]) == 2 * 5


def test_segments_without_a_score_are_neither_worst_nor_best(campaign, monkeypatch):
    half = assay.metric("wer")
    count = type(half).count

    def counted(self: Metric, batch):
        rows = count(self, batch)
        rows[3] = float("nan")
        return rows

    monkeypatch.setattr(type(half), "count", counted)
    with pytest.warns(assay.AssayWarning, match="single segments have none: wer of a"):
        rows = assay.score(campaign, [half], systems="a", references="A", worst=5, samples=0).table("texts")
    assert [segment for segment, _ in listed(rows)] == [0, 2, 4, 1]


def test_a_number_below_one_is_refused(command, campaign):
    result = command("score", campaign, "--worst", 0)
    assert result.code == 2
    assert "worst" in result.err
