"""mteval 13a and 14: BLEU and NIST of systems, documents and every segment, in all their digits."""

from __future__ import annotations

import numpy as np
import pytest

from goldens import folder
from goldens.folder import files, needs_large, table
from goldens.mteval_runs import evaluate, runs, scale

#: 11b leaves no files of scores.
SCORED = [run for run in runs() if ".v11b." not in run]


def test_mtevals_runs_over_the_corner_cases_ship():
    assert len([run for run in SCORED if run.startswith("edge-nr.")]) == 8


@needs_large
def test_all_of_mtevals_runs_are_here():
    assert len(SCORED) == 19
    assert len(files("mteval/*/out.txt")) == 23


@pytest.mark.parametrize("name", ["BLEU", "NIST"])
@pytest.mark.parametrize("run", SCORED)
def test_every_segment_score_is_mtevals(run, name):
    expected: dict[str, list[float]] = {}
    for _, system, _, segment, score in table(f"mteval/{run}/{name}-seg.scr"):
        expected.setdefault(system, []).append(float(score))
        assert len(expected[system]) == int(segment)
    for system, scores in expected.items():
        ours = evaluate(run, name, system).segment_scores() / scale(name)
        np.testing.assert_allclose(ours, scores, rtol=0, atol=1e-9, err_msg=system)


@pytest.mark.parametrize("name", ["BLEU", "NIST"])
@pytest.mark.parametrize("run", SCORED)
def test_every_document_and_system_score_is_mtevals(run, name):
    # The one document holds all segments, so its score is the system's.
    summary = folder.runs("mteval")[run][name]
    rows = table(f"mteval/{run}/{name}-sys.scr") + table(f"mteval/{run}/{name}-doc.scr")
    assert len(rows) == 2 * len(summary)
    for _, system, *_, score in rows:
        ours = evaluate(run, name, system).corpus_score() / scale(name)
        assert ours == pytest.approx(float(score), rel=0, abs=1e-9)
        assert ours == pytest.approx(summary[system], rel=0, abs=1e-9)
