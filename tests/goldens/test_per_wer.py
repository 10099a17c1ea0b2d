"""PER.pl and WER.pl (Universitat d'Alacant): every line, and the whole files."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from goldens.folder import corpus, files, language, lines, needs_large, translation

#: PER.pl charges words too many once for the whole file.
METRICS = {"PER": "per(surplus=corpus)", "WER": "wer"}


def golden(name: str) -> tuple[list[float], list[float]]:
    """Scores of the lines, and the score of the file: none where the script died."""
    per_line = [line.split() for line in lines(name) if line.startswith("LINE")]
    assert [int(number) for _, number, _ in per_line] == list(range(1, len(per_line) + 1))
    return [float(value) for _, _, value in per_line], [float(line) for line in lines(name) if line[0].isdigit()]


def evaluate(name: str, spelling: str) -> assay.Statistics:
    folder, system, *_ = name.removeprefix("per_wer/").split(".")
    names = translation(folder, system), f"ref.A.{language(folder)}"
    return assay.metric(spelling).evaluate(corpus(folder, *names))


def spelling_of(name: str) -> str:
    return METRICS[name.split(".")[-2]]


WHOLE = [name for name in files("per_wer/*.txt") if "/edge." not in name]


def test_their_runs_over_the_corner_cases_ship():
    assert len([name for name in files("per_wer/*.txt") if "/edge." in name]) == 2


@needs_large
def test_all_of_their_runs_are_here():
    assert len(WHOLE) == 12
    assert len(files("per_wer/*.txt")) == 14


@pytest.mark.parametrize("name", files("per_wer/*.txt"))
def test_every_line_has_their_rate(name):
    expected, _ = golden(name)
    scores = evaluate(name, spelling_of(name)).segment_scores() / 100
    # On the file of corner cases both scripts die at its third line, an empty reference.
    np.testing.assert_allclose(scores[: len(expected)], expected, rtol=0, atol=1e-12)


@needs_large
@pytest.mark.parametrize("name", WHOLE)
def test_whole_files_have_their_rate(name):
    expected, [whole] = golden(name)
    statistics = evaluate(name, spelling_of(name))
    assert len(statistics) == len(expected)
    assert statistics.corpus_score() / 100 == pytest.approx(whole, rel=0, abs=1e-12)


@needs_large
def test_charging_a_surplus_per_segment_gives_another_corpus_rate():
    # Another sum over the same segments than PER.pl's .403747.
    statistics = evaluate("de-en.Online-A.refA.PER.txt", "per")
    assert statistics.corpus_score() / 100 == pytest.approx(0.440666, rel=0, abs=5e-7)
