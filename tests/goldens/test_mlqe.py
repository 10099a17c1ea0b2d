"""HTER: of the corner cases as TERcom counts it, and of MLQE-PE, Estonian to English, as its authors published it."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import assay
from goldens.folder import LARGE, lines, table

CAMPAIGN = LARGE.parent / "data" / "mlqe-pe-et-en"


def test_every_corner_case_has_tercoms_rate():
    campaign = assay.Campaign(
        name="edge",
        systems={"mt": lines("inputs/edge/hyp.en")},
        references={"pe": lines("inputs/edge/ref.A.en")},
        targeted=frozenset({"pe"}),
    )
    with pytest.warns(assay.errors.AssayWarning, match="1 of 30 segments have an empty post-edit"):
        scored = assay.score(campaign, "hter", samples=0, segments=True)
    header, *rows = table("tercom/edge.refA/scores.tsv")
    expected = [float(row[header.index("ter")]) for row in rows]
    assert len(expected) == 30
    ours = np.array([row["score"] for row in scored.table("segments")])
    np.testing.assert_allclose(ours / 100, expected, rtol=0, atol=1e-9)


def published() -> list[float]:
    with (CAMPAIGN / "human.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        scores = {int(row["segment"]): -float(row["score"]) for row in rows if row["kind"] == "hter-neg"}
    return [scores[segment] for segment in range(len(scores))]


@pytest.mark.skipif(not CAMPAIGN.is_dir(), reason=f"the post-edits of MLQE-PE are not at {CAMPAIGN}")
def test_every_segment_has_the_published_rate():
    # Edits per word of the post-edit, capped at 1.
    # Both sides are tokenized already; the other references of the campaign are not.
    scored = assay.score(assay.read(CAMPAIGN), "hter", systems="mt-tok", references="pe", samples=0, segments=True)
    ours = np.minimum(np.array([row["score"] for row in scored.table("segments")]) / 100, 1.0)
    expected = published()
    assert len(expected) == 4000
    np.testing.assert_allclose(ours, expected, rtol=0, atol=5.1e-7)
