"""Means of the scores of segments and of documents, as metrics: rows by hand, draws and tests by brute force."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.demo import CAMPAIGN
from assay.questions.explain import explain
from assay.significance.draws import Units, bootstrap_counts
from metrics.scored import evaluate

TRANSLATIONS = ["a b c d e", "a b x", "c d", "a b c d", "e f g", "a b c d e f"]
REFERENCE = ["a b c d f", "a b c", "c d", "x b c d", "e f h", "a b c d e f"]
DOCUMENTS = ["one", "two", "one", "two", "three", "three"]
METRICS = ("bleu", "nist", "chrf", "ter", "wer", "cer", "meteor", "gtm")


def corpus(documents=DOCUMENTS, **columns):
    return assay.Corpus(translations=TRANSLATIONS, references=[REFERENCE], documents=documents, **columns)


def documents_of(metric, documents=DOCUMENTS):
    """The score of each document, counted on rows of the whole."""
    statistics = assay.metric(metric).evaluate(corpus())
    names = np.array(documents)
    return {
        name: float(statistics.metric.score(statistics.rows[names == name].sum(axis=0)))
        for name in dict.fromkeys(documents)
    }


def test_worked_example():
    # Error rates 1/5, 1/3, 0/2, 1/4, 1/3 and 0/6 of the segments: their mean is 0.186. Documents have 1/7 (one), 2/7
    # (two) and 1/9 (three). All together 4/23.
    each = [1 / 5, 1 / 3, 0, 1 / 4, 1 / 3, 0]
    assert assay.metric("wer").evaluate(corpus()).corpus_score() == pytest.approx(100 * 4 / 23)
    assert assay.metric("wer(average=segments)").evaluate(corpus()).corpus_score() == pytest.approx(100 * sum(each) / 6)
    found = assay.metric("wer(average=documents)").evaluate(corpus())
    assert found.corpus_score() == pytest.approx(100 * (1 / 7 + 2 / 7 + 1 / 9) / 3)
    assert found.segment_scores() == pytest.approx([100 * one for one in each])
    assert found.document_scores() == pytest.approx({"one": 100 / 7, "two": 200 / 7, "three": 100 / 9})


def test_rows_hold_shares_that_add_up_to_the_score_of_a_document():
    found = assay.metric("wer(average=documents)").evaluate(corpus())
    assert found.metric.columns[-4:] == ("segment_scores", "segments", "document_scores", "documents")
    # The first segment is half of document "one", whose rate is 1/7.
    assert found.rows[0, -4:].tolist() == pytest.approx([20, 1, 100 / 7 / 2, 1 / 2])
    assert found.parts() == {"documents": 3}


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_has_both_means(name):
    plain = assay.metric(name).evaluate(corpus())
    segments = assay.metric(f"{name}(average=segments)").evaluate(corpus())
    documents = assay.metric(f"{name}(average=documents)").evaluate(corpus())
    assert segments.corpus_score() == pytest.approx(plain.segment_scores().mean())
    assert documents.corpus_score() == pytest.approx(np.mean(list(documents_of(name).values())))
    for found in (segments, documents):
        assert found.segment_scores() == pytest.approx(plain.segment_scores())
        assert found.document_scores().keys() == plain.document_scores().keys()
    assert documents.document_scores() == pytest.approx(plain.document_scores())


def test_an_interval_of_a_mean_over_documents_draws_documents():
    # Seven documents: five of eight segments and two of one.
    names = [f"d{number // 8}" for number in range(40)] + ["d5", "d6"]
    whole = assay.Corpus(translations=TRANSLATIONS * 7, references=[REFERENCE * 7], documents=names)
    found = assay.metric("wer(average=documents)").evaluate(whole)
    units = Units.documents(names)
    counts = np.concatenate(list(bootstrap_counts(units.keys, 200, 1)))
    scores = np.array([*found.document_scores().values()])
    drawn = counts @ scores / counts.sum(axis=1)
    assert found.weighted_scores(units.spread(counts)) == pytest.approx(drawn)
    low, high = found.interval(samples=200)
    assert low < found.corpus_score() < high


def test_segments_cannot_be_drawn_from_a_mean_over_documents():
    found = assay.metric("bleu(average=documents)").evaluate(corpus())
    with pytest.raises(assay.InputError, match=r"only whole documents can be drawn.*--unit document"):
        found.interval(unit="segment")
    with pytest.raises(assay.InputError, match="only whole documents"):
        found.weighted_scores(np.array([[1.0, 1, 0, 1, 1, 1]]))


def test_without_documents_there_is_no_mean_over_them():
    metric = assay.metric("bleu(average=documents)")
    for documents in (None, [""] * 6):
        with pytest.raises(assay.InputError, match=r"bleu\(average=documents\) is a mean over documents.*docs\.txt"):
            metric.evaluate(corpus(documents))


def test_segments_that_name_no_document_are_no_part_of_the_mean_and_are_counted():
    with pytest.warns(assay.AssayWarning, match="2 of 6 segments name no document"):
        found = assay.metric("wer(average=documents)").evaluate(corpus(["one", "two", "one", "two", "-", ""]))
    assert found.corpus_score() == pytest.approx(100 * (1 / 7 + 2 / 7) / 2)


def test_some_segments_are_averaged_by_what_they_have_of_each_document():
    found = assay.metric("wer(average=documents)").evaluate(corpus())
    # Of "one" the first segment, 1/5; of "two" the second, 1/3.
    some = found.only(np.array([True, True, False, False, False, False]))
    assert some.corpus_score() == pytest.approx(100 * (1 / 5 + 1 / 3) / 2)
    rows = found.taking_part(np.array([True, True, False, False, False, False]))
    assert found.metric.score(rows.sum(axis=0)) == pytest.approx(100 * (1 / 5 + 1 / 3) / 2)


def test_an_average_is_the_metric_with_an_option_more():
    metric = assay.metric("bleu(order=2,average=segments,lowercase=true)")
    assert str(metric) == "bleu(order=2,average=segments,lowercase=true)"
    assert metric == assay.Bleu(order=2, lowercase=True, average="segments")
    assert isinstance(metric, assay.Bleu)
    assert metric != assay.Bleu(order=2, lowercase=True)
    assert str(metric.plain) == str(replace(metric, average="corpus")) == "bleu(order=2,lowercase=true)"
    assert str(replace(metric.plain, average="documents")) == "bleu(order=2,average=documents,lowercase=true)"
    assert str(metric.in_language("zh")) == "bleu(order=2,average=segments,lowercase=true,tokenize=zh)"
    assert "average" not in evaluate("bleu", ["a"], ["a"]).signature()
    assert "average=segments" in evaluate("bleu(average=segments)", ["a"], ["a"]).signature()
    assert metric.sacrebleu_signature(1) is None
    assert metric.tunables == ()


def test_an_average_can_be_copied_and_sent_elsewhere():
    metric = assay.metric("nist(average=segments)").evaluate(corpus()).metric
    for again in (pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric)):
        assert again == metric
        assert (again.fitted_on, again.chosen) == (metric.fitted_on, metric.chosen)


def test_an_unknown_average_is_refused():
    with pytest.raises(assay.ParameterError, match="average is 'words', but it takes corpus, segments"):
        assay.metric("ter(average=words)")
    assert assay.metric("ter(average=corpus)") == assay.metric("ter")


def test_one_segment_is_explained_without_its_average():
    found = explain("bleu(average=segments)", translation="a b", references=["a c"])
    assert [row["metric"] for row in found.table("explanations")] == ["bleu"]


@pytest.fixture(scope="module")
def demo():
    return assay.read(CAMPAIGN)


def test_systems_are_compared_by_documents(demo):
    found = assay.compare(demo, metrics="bleu(average=documents)", samples=50, permutations=100)
    assert found.setup["unit"] == "document"
    scores = {row["system"]: row["score"] for row in found.table("scores")}
    for system, statistics in ((name, assay.metric("bleu").evaluate(demo.corpus(name))) for name in scores):
        assert scores[system] == pytest.approx(np.mean([*statistics.document_scores().values()]))
    with pytest.raises(assay.InputError, match="only whole documents"):
        assay.compare(demo, metrics="bleu(average=documents)", unit="segment")


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
def test_correlations_of_an_average_are_those_of_its_scores(demo):
    options = {"kind": "adequacy", "levels": "system", "statistics": "pearson", "samples": 0}
    found = assay.meta_evaluate(demo, metrics="wer(average=documents)", **options)
    # Every segment of every system is judged, and people who stand as systems take no part.
    systems = [name for name in demo.systems if name != "human"]
    human = demo.judgements
    chosen = np.array(human.kind.names)[human.kind.codes] == "adequacy"
    names = np.array(human.system.names)[human.system.codes]
    means = [np.mean([human.score[chosen & (names == name) & (human.segment == segment)].mean()
                      for segment in range(len(demo))]) for name in systems]  # fmt: skip
    scores = [
        np.mean([*assay.metric("wer").evaluate(demo.corpus(name)).document_scores().values()]) for name in systems
    ]
    (row,) = found.table("results")
    assert row["value"] == pytest.approx(-np.corrcoef(scores, means)[0, 1])


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
def test_sets_of_references_know_no_documents(demo):
    with pytest.raises(assay.InputError, match="is a mean over documents"):
        assay.study("references", demo, metrics="bleu(average=documents)")
