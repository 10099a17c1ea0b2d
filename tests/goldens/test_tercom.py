"""TERcom (jhclark/tercom e413d07): every count, rate, alignment and shift of every segment, and of whole files."""

from __future__ import annotations

import gzip
import re

import numpy as np
import pytest

import assay
from assay import kernels
from goldens.folder import corpus, files, lines, needs_large, path, references, runs, table, translation

#: TERcom's flags and our options.
TOKENIZERS = {"N": "normalize", "P": "no-punctuation", "A": "asian"}
SYSTEMS = ("Facebook-AI", "Online-A", "UF")
SYMBOLS = {"match": " ", "substitution": "S", "insertion": "I", "deletion": "D"}


RUNS = runs("tercom")


def metric(run: str) -> assay.Metric:
    flags = run.split(".")
    tokenizers = [option for flag, option in TOKENIZERS.items() if flag in flags]
    options = {"tokenize": "tercom:" + "+".join(tokenizers)} if tokenizers else {}
    return assay.Ter(lowercase="s" not in flags, shift_distance=0 if "d0" in flags else 50, **options)


def names(run: str) -> tuple[str, ...]:
    """The folder, the translation and the references of a run."""
    folder, *flags = run.split(".")
    system = next((flag for flag in flags if flag in SYSTEMS), "")
    return folder, translation(folder, system), *references(folder, flags[-1].removeprefix("ref"))


def test_tercoms_runs_over_the_corner_cases_ship():
    assert len([run for run in RUNS if run.startswith("edge.")]) == 4


@needs_large
def test_all_of_tercoms_runs_are_here():
    assert len(RUNS) == len(files("tercom/*/scores.tsv")) == 38


@pytest.mark.parametrize("run", RUNS)
def test_every_number_of_every_segment_is_tercoms(run):
    statistics = metric(run).evaluate(corpus(*names(run)))
    header, *golden = table(f"tercom/{run}/scores.tsv")
    expected = dict(zip(header, np.array(golden, dtype=float).T, strict=True))
    ours = dict(zip(statistics.metric.columns, statistics.rows.T, strict=True))
    for theirs, column in {"ins": "insertions", "del": "deletions", "sub": "substitutions", "shifts": "shifts"}.items():
        assert ours[column].tolist() == expected[theirs].tolist(), column
    assert ours["words_shifted"].tolist() == expected["words_shifted"].tolist()
    assert not ours["bounded"].any()
    edits = statistics.metric.parts(statistics.rows)["edits"]
    np.testing.assert_allclose(edits, expected["edits"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(ours["reference_length"], expected["ref_words"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(statistics.segment_scores() / 100, expected["ter"], rtol=0, atol=1e-9)


@pytest.mark.parametrize("run", RUNS)
def test_whole_files_have_tercoms_rate(run):
    statistics = metric(run).evaluate(corpus(*names(run)))
    expected = RUNS[run]
    assert statistics.corpus_score() / 100 == pytest.approx(expected["ter"], rel=0, abs=1e-9)
    assert statistics.parts()["edits"] == expected["edits"]
    assert statistics.parts()["reference_length"] == pytest.approx(expected["ref_words"], rel=0, abs=1e-9)
    assert len(statistics) == expected["segments"]


def printed(run: str) -> list[dict]:
    """What TERcom printed of each segment: the steps, and shifts as start, end, and the word they go behind."""
    text = gzip.decompress(path(f"tercom/{run}/tercom.pra.gz").read_bytes()).decode()
    segments = []
    for part in text.split("Sentence ID: ")[1:]:
        steps = re.search(r"^Alignment: \((.*)\)$", part, re.MULTILINE)
        shifts = re.findall(r"^  \[(\d+), (\d+), -?\d+/(-?\d+)\] \(\[", part, re.MULTILINE)
        segments.append({"steps": steps[1] if steps else "", "shifts": [tuple(map(int, shift)) for shift in shifts]})
    return segments


def arrival(start: int, end: int, behind: int, words: int) -> int:
    """Where a block begins that went behind a word; behind one of its own it slides to the right."""
    length = end - start + 1
    if behind < start:
        return behind + 1
    return behind - length + 1 if behind > end else min(behind, words - length)


@pytest.mark.parametrize("run", [run for run in RUNS if run.endswith("refA")])
def test_every_alignment_and_every_shift_is_tercoms(run):
    ours = metric(run)
    folder, *texts = names(run)
    cooked = ours.recipe.cook([assay.Texts.of(lines(f"inputs/{folder}/{name}")) for name in texts])
    for segment, expected in enumerate(printed(run)):
        translation, reference = (one.ids[one.offsets[segment] : one.offsets[segment + 1]] for one in cooked)
        edits, shifts = kernels.translation_edit_script(
            translation, reference, (ours.beam, ours.shift_distance, ours.shift_size)
        )
        assert "".join(SYMBOLS[operation] for operation, _, _ in edits) == expected["steps"], segment
        moved = [
            (start, end, arrival(start, end, behind, len(translation))) for start, end, behind in expected["shifts"]
        ]
        assert [(source, source + len(words) - 1, target) for words, source, target in shifts] == moved, segment
