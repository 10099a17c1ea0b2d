"""MLQE-PE, Estonian to English: the HTER that its authors published, edits per word of the post-edit, capped at 1."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import assay
from goldens.folder import GOLDEN

CAMPAIGN = GOLDEN.parent / "data" / "mlqe-pe-et-en"

pytestmark = pytest.mark.skipif(not CAMPAIGN.is_dir(), reason=f"the post-edits of MLQE-PE are not at {CAMPAIGN}")


def published() -> list[float]:
    with (CAMPAIGN / "human.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        scores = {int(row["segment"]): -float(row["score"]) for row in rows if row["kind"] == "hter-neg"}
    return [scores[segment] for segment in range(len(scores))]


def test_every_segment_has_the_published_rate():
    # Both sides are tokenized already; the other references of the campaign are not.
    table = assay.score(assay.read(CAMPAIGN), "hter", systems="mt-tok", references="pe", samples=0)
    ours = np.minimum(table.scores[0].statistics.segment_scores() / 100, 1.0)
    expected = published()
    assert len(expected) == 4000
    np.testing.assert_allclose(ours, expected, rtol=0, atol=5.1e-7)
