"""Metrics that look at the source, at what stands before in the document, at no reference, or move with the batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import assay
from assay.data.campaign import Campaign, only
from assay.metrics.base import Metric
from assay.metrics.registry import METRICS
from assay.scoring.evaluate import Counted, evaluate_all
from assay.testing import check_metric


@dataclass(frozen=True, kw_only=True)
class Repeats(Metric):
    """Words of a translation that were there before in its document, of all its words."""

    name: ClassVar[str] = "repeats"
    sees_documents: ClassVar[bool] = True
    sees_references: ClassVar[bool] = False
    compares: ClassVar[bool] = False
    is_average: ClassVar[bool] = True

    reach: int | None = None

    @property
    def columns(self):
        return ("share", "segments")

    def count(self, batch):
        shares = []
        for segment in range(len(batch)):
            before = {word for one in batch.before(segment, self.reach) for word in one.translation.split()}
            words = batch.translation_texts[segment].split()
            shares.append(100.0 * sum(word in before for word in words) / max(len(words), 1))
        return np.column_stack([shares, np.ones(len(shares))])

    def score(self, rows):
        return rows[..., 0] / np.maximum(rows[..., 1], 1.0)


TEXTS = ["a b", "b c", "c a", "a x", "x a"]
DOCUMENTS = ("d", "d", "d", "e", "e")


def scores(reach=None, documents=DOCUMENTS):
    campaign = Campaign("c", {"s": TEXTS}, {"r": TEXTS}, documents=documents)
    return Repeats(reach=reach).evaluate(campaign.corpus("s")).segment_scores().tolist()


def test_a_metric_sees_what_stands_before_in_the_document():
    # "b" of "b c" was there; "c" and "a" of "c a" were; the next document begins anew: nothing of "a x", all of "x a".
    assert scores() == [0.0, 50.0, 100.0, 0.0, 100.0]
    # Of one segment before, "c a" has but the "c" of "b c".
    assert scores(reach=1) == [0.0, 50.0, 50.0, 0.0, 100.0]
    assert scores(reach=0) == [0.0] * 5
    # Where documents are not known nothing stands before.
    assert scores(documents=None) == [0.0] * 5


def test_where_the_shards_are_cut_does_not_matter(monkeypatch):
    whole = scores()
    monkeypatch.setattr("assay.scoring.evaluate.SHARD_SEGMENTS", 2)
    assert scores() == whole


def test_rows_under_other_documents_are_counted_anew():
    campaign = Campaign("c", {"s": TEXTS}, {"r": TEXTS}, documents=DOCUMENTS)
    known = Counted()
    first = evaluate_all([Repeats()], campaign, known=known)["s", "repeats"].segment_scores().tolist()
    other = Campaign("c", {"s": TEXTS}, {"r": TEXTS}, documents=("d",) * 5)
    second = evaluate_all([Repeats()], other, known=known)["s", "repeats"].segment_scores().tolist()
    assert (first[3], second[3]) == (0.0, 50.0)
    chosen = only(campaign, np.array([1, 2]))
    assert evaluate_all([Repeats()], chosen, known=known)["s", "repeats"].segment_scores().tolist() == [0.0, 50.0]


def test_a_metric_may_need_no_reference():
    campaign = Campaign("c", {"s": TEXTS, "t": TEXTS[::-1]}, {}, documents=DOCUMENTS)
    found = assay.score(campaign, Repeats(), samples=0)
    # The mean of 0, 50, 100, 0 and 100.
    assert found.table("scores")[0]["score"] == pytest.approx(50.0)
    assert "no reference" in found.render("text")


@dataclass(frozen=True, kw_only=True)
class Neural(Metric):
    """Scores that move in the eighth digit with what else is in the batch, as those of neural networks do."""

    name: ClassVar[str] = "neural"
    compares: ClassVar[bool] = False
    is_average: ClassVar[bool] = True

    @property
    def columns(self):
        return ("sum", "segments")

    def count(self, batch):
        lengths = batch.translation_texts.lengths() / (1.0 + batch.translation_texts.lengths())
        return np.column_stack([lengths * (1.0 + 1e-8 * len(batch)), np.ones(len(batch))])

    def score(self, rows):
        return rows[..., 0] / np.maximum(rows[..., 1], 1.0)


def test_laws_allow_for_what_a_metric_says_its_rows_move_by(monkeypatch):
    monkeypatch.setitem(METRICS.added, "neural", Neural)
    with pytest.raises(AssertionError, match="neighbours_do_not_matter"):
        check_metric(Neural())
    monkeypatch.setattr(Neural, "tolerance", 1e-5)
    check_metric(Neural())
