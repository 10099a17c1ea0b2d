"""Metrics that count the best reference: the base class does all but the counting and the formula."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import assay
from assay.metrics import registry
from assay.metrics.base import BestReference
from assay.testing import check_metric
from assay.text.batch import batch_of


@dataclass(frozen=True, kw_only=True)
class Lengths(BestReference):
    """How many words a translation has too many or too few, per word of the reference."""

    name: ClassVar[str] = "lengths"
    higher_is_better: ClassVar[bool] = False

    @property
    def columns(self):
        return ("difference", "reference_length")

    def count_each(self, batch):
        ours = batch.translations.lengths()
        each = [reference.lengths() for reference in batch.references]
        return [np.column_stack([np.abs(ours - theirs), theirs]) for theirs in each]

    def score(self, rows):
        return 100.0 * rows[..., 0] / np.maximum(rows[..., 1], 1.0)


TRANSLATIONS = ["a b c", "a b", "a b c d"]
REFERENCES = [["a b c d e f", "a b", "a b"], ["a b c d", "a", "a b c d e f"], ["a b c d", "a b c", "a"]]


def batch(metric):
    return batch_of(TRANSLATIONS, REFERENCES, metric.recipe)


def test_the_reference_with_the_best_score_counts():
    # 3 words against 6, 4 and 4: 3/6, 1/4, 1/4. 2 against 2, 1, 3: 0, 1/1, 1/3. 4 against 2, 6, 1: 2/2, 2/6, 3/1.
    rows = Lengths().count(batch(Lengths()))
    assert rows.tolist() == [[1, 4], [0, 2], [2, 6]]


def test_of_equally_good_references_the_first_counts():
    assert Lengths().best(batch(Lengths())).tolist() == [1, 0, 1]


def test_any_set_of_references_is_counted_from_one_look_at_the_text():
    looked = []

    class Looking(Lengths):
        def count_each(self, batch):
            looked.append(batch)
            return super().count_each(batch)

    count = Looking().counter(batch(Looking()))
    # Against the first and the third alone: 1/4, 0 and 2/2.
    assert count([0, 2]).tolist() == [[1, 4], [0, 2], [2, 2]]
    assert count([2]).tolist() == [[1, 4], [1, 3], [3, 1]]
    assert len(looked) == 1


def test_an_absent_reference_never_counts():
    corpus = assay.Corpus(translations=["a b", "a"], references_by_segment=[["a b c"], ["a b", "a"]])
    # 2 words against 3; the second reference, which would be an empty one, is not there.
    assert Lengths().evaluate(corpus).rows.tolist() == [[1, 3], [0, 1]]


def test_rows_against_every_reference_are_the_candidates():
    found = Lengths().candidates(batch(Lengths()))
    assert found.rows.shape == (3, 3, 2)
    assert found.rows[:, 0].tolist() == [[3, 6], [1, 4], [1, 4]]
    assert found.present.all()


def test_what_references_are_compared_by_may_differ_from_the_score():
    class Longest(Lengths):
        def compared_by(self, each):
            return -each[..., 1]

    assert Longest().count(batch(Longest()))[:, 1].tolist() == [6, 3, 6]


def test_only_eligible_references_count():
    class Last(Lengths):
        def eligible(self, batch):
            return batch.present & (np.arange(len(batch.present)) == 2)[:, None]

    assert Last().count(batch(Last())).tolist() == [[1, 4], [1, 3], [3, 1]]


def test_rows_can_take_something_from_all_references():
    class Mean(Lengths):
        def complete(self, rows, each, batch, references):
            rows[:, 1] = each[..., 1].mean(axis=0)
            return rows

    count = Mean().counter(batch(Mean()))
    # Mean lengths of all three, then of the first two.
    assert count([0, 1, 2])[:, 1].tolist() == pytest.approx([14 / 3, 2, 3])
    assert count([0, 1])[:, 1].tolist() == [5, 1.5, 4]
    # Nothing of one set stays for the next.
    assert count([0, 1, 2])[:, 1].tolist() == pytest.approx([14 / 3, 2, 3])


def test_the_base_class_keeps_the_laws(monkeypatch):
    monkeypatch.setitem(registry.METRICS.added, "lengths", Lengths)
    check_metric(Lengths())
