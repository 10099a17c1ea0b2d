"""NLTK 3.10.4: RIBES and GLEU of every segment of the corner cases, with one reference and with two."""

from __future__ import annotations

import pytest

import assay
from goldens.folder import corpus, table


@pytest.mark.parametrize("references", [1, 2])
@pytest.mark.parametrize("name", ["ribes", "gleu"])
def test_every_segment(name, references):
    heading, *rows = table(f"nltk/edge.hyp.en.refs{references}.seg.tsv")
    letters = "AB"[:references]
    segments = corpus("edge", "hyp.en", *(f"ref.{letter}.en" for letter in letters))
    expected = [100 * float(row[heading.index(name)]) for row in rows]
    # The golden words are those of 13a.
    found = assay.metric(f"{name}(tokenize=13a)").evaluate(segments).segment_scores()
    assert found == pytest.approx(expected, rel=0, abs=1e-9)
