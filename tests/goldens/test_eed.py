"""torchmetrics 1.9.0: the extended edit distance of every segment and of whole files, in 32 bits."""

from __future__ import annotations

import re

import pytest

import assay
from goldens.folder import corpus, files, language, table

COSTS = {"usual": {}, "others": {"alpha": 0.5, "rho": 0.1, "deletion": 0.7, "insertion": 1.5}}
FILES = files("eed/*.tsv")


def test_three_sets_with_one_and_two_references():
    assert len(FILES) == 3 * 2


@pytest.mark.parametrize("name", FILES, ids=lambda name: name.removeprefix("eed/").removesuffix(".tsv"))
def test_every_segment_and_the_whole(name):
    texts, translation, references = re.fullmatch(r"eed/([^.]+)\.(hyp\..+)\.refs(\d)\.tsv", name).groups()
    code = language(texts)
    segments = corpus(texts, translation, *(f"ref.{letter}.{code}" for letter in "AB"[: int(references)]))
    heading, *rows, whole = table(name)
    for column, costs in enumerate(heading[1:], start=1):
        # The Chinese texts were prepared as Japanese ones.
        statistics = assay.Eed(language="ja" if code == "zh" else "en", **COSTS[costs]).evaluate(segments)
        expected = [100 * float(row[column]) for row in rows]
        assert statistics.segment_scores() == pytest.approx(expected, rel=1e-6, abs=1e-6)
        assert statistics.corpus_score() == pytest.approx(100 * float(whole[column]), rel=1e-6)
