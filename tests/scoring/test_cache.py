"""What was counted before: under which key it is kept, how much of it, and that nothing is counted again."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.data.campaign import Campaign
from assay.scoring.evaluate import Counted, RowMemory, corpus_keys, evaluate_all
from assay.scoring.subsets import SubsetCounter

CAMPAIGN = Campaign(
    name="small",
    systems={"one": ["a b c", "d e"], "two": ["a b", "d e f"], "twin": ["a b c", "d e"]},
    references={"A": ["a b c d", "d e"], "B": ["a c", "d e f g"]},
)


def key(metric, **parts):
    texts = {"translations": ["a b", "c"], "references": [["a b", "c d"], ["a", "c"]]} | parts
    return corpus_keys(assay.metric(metric), assay.Corpus(**texts))[1]


def test_a_key_holds_all_that_rows_depend_on():
    keys = [
        key("bleu"),
        key("bleu(order=2)"),
        key("bleu(lowercase=true)"),
        key("chrf"),
        key("bleu", translations=["a", "b c"]),
        key("bleu", references=[["a", "c"], ["a b", "c d"]]),
        key("bleu", references=[["a b", "c d"]]),
        # The second segment lacks the second reference, or the first one does.
        key("bleu", references=None, references_by_segment=[["a b", "a"], ["c d"]]),
        key("bleu", references=None, references_by_segment=[["a b"], ["c d", "c"]]),
        key("hter", references=[["a b", "c d"]], targeted=[["a", "c"]]),
        key("hter", references=None, targeted=[["a b", "c d"], ["a", "c"]]),
    ]
    assert len(set(keys)) == len(keys)
    assert key("bleu") == key("bleu(smoothing=exp)")
    # Nobody looks at the source.
    assert key("bleu") == key("bleu", source=["A B", "C"])
    # Modules that METEOR has anyway.
    assert key("meteor") == key("meteor(modules=exact+stem+synonym)")


class Renewed(assay.Bleu):
    """BLEU that counts in another way than it used to."""

    rows_version = 2


class Looking(assay.Bleu):
    """BLEU that looks at the source."""

    sees_source = True


def test_a_key_changes_with_the_version_of_the_rows_and_with_a_source_that_is_seen():
    corpora = [assay.Corpus(translations=["a"], references=[["a"]], source=[source]) for source in ("A", "B")]
    assert corpus_keys(assay.Bleu(), corpora[0]) != corpus_keys(Renewed(), corpora[0])
    assert corpus_keys(assay.Bleu(), corpora[0]) == corpus_keys(assay.Bleu(), corpora[1])
    assert corpus_keys(Looking(), corpora[0]) != corpus_keys(Looking(), corpora[1])


class Watched(assay.Recall):
    """Recall that remembers how often it looked."""

    looked: list[str] = []  # noqa: RUF012

    def count(self, batch):
        Watched.looked.append(batch.translation_texts[0])
        return super().count(batch)


@pytest.fixture
def watched():
    Watched.looked.clear()
    return Watched()


def test_rows_are_counted_once_and_are_the_same(watched):
    known = Counted()
    first = evaluate_all([watched, assay.metric("nist")], CAMPAIGN.corpora(), known=known)
    # The twin has the very words of the first.
    assert Watched.looked == ["a b c", "a b"]
    again = evaluate_all([assay.metric("nist"), watched], CAMPAIGN.corpora(), known=known)
    assert Watched.looked == ["a b c", "a b"]
    plain = evaluate_all([watched, assay.metric("nist")], CAMPAIGN.corpora())
    assert Watched.looked == ["a b c", "a b"] * 2
    assert list(first) == list(plain) == [(system, name) for system in CAMPAIGN.systems for name in ("recall", "nist")]
    for cell, expected in plain.items():
        for found in (first[cell], again[cell]):
            assert np.array_equal(found.rows, expected.rows)
            assert found.signature() == expected.signature()


def test_kept_rows_cannot_be_changed(watched):
    known = Counted()
    [found] = evaluate_all([watched], {"one": CAMPAIGN.corpus("one")}, known=known).values()
    with pytest.raises(ValueError, match="read-only"):
        found.rows[0, 0] = 7.0


def test_a_memory_keeps_what_fits(watched):
    memory = RowMemory(limit=2 * 3 * 8)
    # Two segments of three columns: there is room for one system.
    evaluate_all([watched], CAMPAIGN.corpora(), known=Counted(memory))
    evaluate_all([watched], CAMPAIGN.corpora(), known=Counted(memory))
    assert Watched.looked == ["a b c", "a b", "a b"]


def test_a_store_of_another_kind_may_keep_rows(watched):
    class Store:
        def __init__(self):
            self.kept = {}

        def get(self, task):
            return self.kept.get(task.key)

        def put(self, task, rows):
            self.kept[task.key] = rows.copy()

    store = Store()
    first, again = (evaluate_all([watched], CAMPAIGN.corpora(), known=Counted(store)) for _ in range(2))
    # "twin" has the texts of "one", and the second question finds everything.
    assert Watched.looked == ["a b c", "a b"]
    assert len(store.kept) == 2
    assert all(np.array_equal(first[key].rows, again[key].rows) for key in first)


@pytest.mark.parametrize("name", ["nist", "gtm", "bleu"])
def test_sets_of_references_share_what_was_counted(name, monkeypatch):
    metric, known = assay.metric(name), Counted()
    evaluate_all([metric], CAMPAIGN.corpora(), known=known)
    counters = [SubsetCounter(metric, CAMPAIGN.systems, CAMPAIGN.references, known=known) for _ in range(2)]
    rows = [counters[0].rows(system, subset) for system in CAMPAIGN.systems for subset in ((0,), (0, 1))]

    def refuse(*_):
        raise AssertionError("counted again")

    monkeypatch.setattr(type(metric), "count", refuse)
    monkeypatch.setattr(type(metric), "counter", type(metric).counter if name == "gtm" else refuse)
    again = [counters[1].rows(system, subset) for system in CAMPAIGN.systems for subset in ((0,), (0, 1))]
    for one, other in zip(rows, again, strict=True):
        assert np.array_equal(one, other)
