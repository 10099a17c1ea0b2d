"""What mteval 11b, 13a and 14 print: scores of orders 1 to 9 to four decimals, and lengths."""

from __future__ import annotations

import re

import numpy as np
import pytest

from goldens.folder import lines, needs_large
from goldens.mteval_runs import evaluate, metrics_of, runs, scale

PRINTED = [(run, name) for run in runs() for name in metrics_of(run)]
#: Half of the last digit printed, and what a float may be off.
LAST_DIGIT = 0.5e-4 + 1e-12


def tables(run: str, name: str) -> dict[str, dict[str, list[float]]]:
    """Nine scores per system, in the two tables at the end: of each order alone, and up to each order."""
    found: dict[str, dict[str, list[float]]] = {}
    heading = ""
    for line in lines(f"mteval/{run}/out.txt"):
        if line.endswith("N-gram scoring"):
            heading = line.split()[0]
        if row := re.fullmatch(rf' {name}:((?: +[\d.]+){{9}}) +"(.+)"', line):
            found.setdefault(heading, {})[row[2]] = [float(score) for score in row[1].split()]
    assert list(found) == ["Individual", "Cumulative"]
    return found


@pytest.mark.parametrize(("run", "name"), PRINTED)
def test_scores_up_to_each_order_are_those_printed(run, name):
    for system, printed in tables(run, name)["Cumulative"].items():
        ours = [evaluate(run, name, system, order).corpus_score() / scale(name) for order in range(1, 10)]
        np.testing.assert_allclose(ours, printed, rtol=0, atol=LAST_DIGIT, err_msg=system)


@pytest.mark.parametrize(("run", "name"), PRINTED)
def test_scores_of_each_order_alone_are_those_printed(run, name):
    for system, printed in tables(run, name)["Individual"].items():
        parts = evaluate(run, name, system, 9).parts()
        if name == "BLEU":
            ours = [parts[f"precision_{n}"] / 100 for n in range(1, 10)]
        else:
            ours = [parts[f"information_{n}"] * parts["length_penalty"] for n in range(1, 10)]
        np.testing.assert_allclose(ours, printed, rtol=0, atol=LAST_DIGIT, err_msg=system)


@pytest.mark.parametrize("run", [run for run in runs() if ".v11b." in run])
def test_every_segment_of_version_11b_has_the_score_and_the_length_printed(run):
    [name] = metrics_of(run)
    score = rf"  {name} score using \d-grams = ([\d.]+)"
    pattern = score + r' for system "(.+)" on segment (\d+) of document "doc1" \((\d+) words\)'
    printed: dict[str, list[tuple[float, int]]] = {}
    for line in lines(f"mteval/{run}/out.txt"):
        if row := re.fullmatch(pattern, line):
            score, system, segment, words = row.groups()
            printed.setdefault(system, []).append((float(score), int(words)))
            assert len(printed[system]) == int(segment)
    assert printed
    for system, rows in printed.items():
        statistics = evaluate(run, name, system)
        scores, words = zip(*rows, strict=True)
        np.testing.assert_allclose(statistics.segment_scores() / scale(name), scores, rtol=0, atol=LAST_DIGIT)
        assert statistics.rows[:, 0].tolist() == list(words)


@pytest.mark.parametrize("run", [run for run in runs() if ".v13a." in run and "nosmooth" not in run])
def test_lengths_and_brevity_penalties_are_those_printed(run):
    pattern = r"length ratio: ([\d.]+) \((\d+)/(\d+)\), penalty \(log\): (-?[\d.e-]+)"
    printed = [row.groups() for line in lines(f"mteval/{run}/out.txt") if (row := re.fullmatch(pattern, line))]
    systems = list(tables(run, "BLEU")["Cumulative"])
    for system, (ratio, length, reference_length, penalty) in zip(systems, printed, strict=True):
        parts = evaluate(run, "BLEU", system).parts()
        assert parts["translation_length"] == int(length)
        assert parts["reference_length"] == int(reference_length)
        assert parts["length_ratio"] == pytest.approx(float(ratio), rel=0, abs=1e-12)
        assert np.log(parts["brevity_penalty"]) == pytest.approx(float(penalty), rel=0, abs=1e-12)


def test_every_line_of_scores_over_the_corner_cases_was_read():
    assert len([run for run, _ in PRINTED if run.startswith("edge-nr.")]) == 2 * 8 + 1


@needs_large
def test_every_line_of_scores_was_read():
    assert len(PRINTED) == 2 * 19 + 3
