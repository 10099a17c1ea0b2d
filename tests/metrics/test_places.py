"""What a metric may say beside its rows and its formula, each in one place; a law tells who says it wrongly."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import assay
from assay import kernels
from assay.metrics import registry
from assay.scoring import evaluate as evaluating
from assay.testing import check_metric
from assay.text.batch import batch_of

CORPUS = assay.Corpus(
    translations=["a b", "a", "a b c d"], references=[["a c", "a", "x y z q"]], source=["A B", "A", "A B C"]
)


@pytest.fixture
def known(monkeypatch):
    """Makes a metric known for one test."""

    def make_known(metric):
        monkeypatch.setitem(registry.METRICS.added, metric.name, type(metric))
        return metric

    return make_known


@dataclass(frozen=True, kw_only=True)
class Strict(assay.Recall):
    """Recall, of which single segments keep what is above one half."""

    name: ClassVar[str] = "strict"

    single: bool = False

    def for_segments(self):
        return replace(self, single=True)

    def score(self, rows):
        scores = super().score(rows)
        return np.maximum(scores - 50.0, 0.0) if self.single else scores


def test_segments_may_have_a_score_of_their_own(known):
    statistics = known(Strict()).evaluate(CORPUS)
    # 1 of 2, 1 of 1 and 0 of 4 words: 2 of 7 in all, and above one half there is 0, 50 and 0.
    assert statistics.corpus_score() == pytest.approx(100 * 2 / 7)
    assert statistics.segment_scores().tolist() == [0.0, 50.0, 0.0]
    check_metric(Strict())


def test_most_metrics_score_segments_as_they_score_a_corpus():
    for name in ("chrf", "ter", "meteor", "bleu(effective_order=false)", "bleu(convention=mteval)"):
        assert assay.metric(name).for_segments() == assay.metric(name)
        assert assay.metric(name).segment_scoring() is None


def test_segments_are_explained_by_the_score_that_they_have(known):
    known(Strict())
    assert assay.explain("strict", translation="a b", references=["a b"]).of("strict").score == 50.0


def test_a_metric_for_segments_with_other_rows_breaks_a_law(known):
    class Other(assay.Bleu):
        name = "other"

        def for_segments(self):
            return assay.Bleu(order=2)

    with pytest.raises(AssertionError, match="segments_are_scored_from_the_same_rows"):
        check_metric(known(Other()))


class MeanRecall(assay.Recall):
    """The mean of recalls, weighted by nothing."""

    name: ClassVar[str] = "mean-recall"
    is_average: ClassVar[bool] = True

    @property
    def columns(self):
        return ("recall", "segments")

    def count_each(self, batch):
        each = [assay.Recall.score(self, rows) for rows in super().count_each(batch)]
        return [np.column_stack([recalls, np.ones(len(recalls))]) for recalls in each]

    def score(self, rows):
        return rows[..., 0] / np.maximum(rows[..., 1], 1.0)

    def parts(self, rows):
        return {}


def test_an_average_is_the_mean_of_its_segments(known):
    statistics = known(MeanRecall()).evaluate(CORPUS)
    # 1 of 2, 1 of 1, 0 of 4.
    assert statistics.corpus_score() == statistics.segment_scores().mean() == 50.0
    check_metric(MeanRecall())


def test_recall_is_no_average_and_may_not_say_that_it_is(known):
    assert not assay.metric("recall").is_average

    class Boasting(assay.Recall):
        name = "boasting"
        is_average = True

    with pytest.raises(AssertionError, match="an_average_is_the_mean_of_its_segments"):
        check_metric(known(Boasting()))


def test_rows_have_a_version_that_is_a_number(known):
    assert assay.metric("bleu").rows_version == 1

    class Undated(assay.Recall):
        name = "undated"
        rows_version = "new"

    with pytest.raises(AssertionError, match="rows_have_a_version"):
        check_metric(known(Undated()))


REFERENCES = [["a b a", "b c", "a a d"]]


def surveys(metric):
    return [metric.survey(batch_of([""], [[line]], metric.recipe)) for line in REFERENCES[0]]


def test_a_refit_under_weights_knows_what_repeated_texts_teach():
    nist = assay.metric("nist(order=1,tokenize=none)")
    # Twice the first, never the second, once the third line: 9 words, of which a is 6, b 2 and d 1.
    refitted = nist.refit(surveys(nist), [2, 0, 1], ("here",))
    rows = refitted.count(batch_of(["a b d c"], [["a b d"]], nist.recipe))
    assert rows[0, 2] == pytest.approx(np.log2(9 / 6) + np.log2(9 / 2) + np.log2(9 / 1))
    assert refitted.fitted_on == ("here",)


def test_weights_of_one_are_the_fit_of_the_whole():
    nist = assay.metric("nist")
    batch = batch_of([""] * 3, REFERENCES, nist.recipe)
    whole, refitted = nist.fit(nist.survey(batch), ("x",)), nist.refit(surveys(nist), [1, 1, 1], ("x",))
    assert np.array_equal(refitted.count(batch), whole.count(batch))


def test_a_refit_needs_a_weight():
    nist = assay.metric("nist")
    with pytest.raises(assay.ParameterError, match="no part of the texts has a weight"):
        nist.refit(surveys(nist), [0, 0, 0], ("x",))
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        nist.refit(surveys(nist), [1, 1], ("x",))


def test_a_survey_that_does_not_repeat_breaks_a_law(known):
    class Once(assay.Nist):
        name = "once"

        def refit(self, surveys, weights, fitted_on):
            return super().refit(surveys, np.minimum(weights, 1), fitted_on)

    with pytest.raises(AssertionError, match="a_refit_under_weights_is_a_fit_of_repeated_texts"):
        check_metric(known(Once()))


class Copied(assay.Recall):
    """How many words of the source a translation has, in whatever case."""

    name: ClassVar[str] = "copied"
    sees_source: ClassVar[bool] = True

    @property
    def columns(self):
        return ("matches", "translation_length", "source_length")

    def count(self, batch):
        alone = np.ones((1, len(batch)), dtype=np.bool_)
        matches = kernels.clipped_matches(batch.translations, [batch.source], alone, 1, batch.threads)
        return np.column_stack([matches, batch.translations.lengths(), batch.source.lengths()])


def test_a_metric_that_says_so_sees_the_source_in_every_shard(monkeypatch):
    # 2 of 2, 1 of 1 and 3 of 3 words of the source.
    assert Copied(lowercase=True).evaluate(CORPUS).rows[:, 0].tolist() == [2, 1, 3]
    monkeypatch.setattr(evaluating, "SHARD_SEGMENTS", 2)
    assert Copied(lowercase=True).evaluate(CORPUS).rows[:, 0].tolist() == [2, 1, 3]


def test_signatures_name_the_source_where_it_was_seen():
    assert f"|source:{CORPUS.source.digest[:12]}" in Copied().evaluate(CORPUS).signature()
    assert "source:" not in assay.Recall().evaluate(CORPUS).signature()


def test_where_there_is_no_source_there_is_none():
    batch = batch_of(["a"], [["a"]], Copied().recipe)
    assert batch.source_texts is None
    assert batch.source is None


def test_sets_of_references_keep_the_source():
    batch = batch_of(["a"], [["a"], ["b"]], Copied().recipe, source=["A"])
    assert list(batch.against([1]).source_texts) == ["A"]


def test_a_metric_that_looks_at_the_source_without_saying_so_breaks_a_law(known):
    class Peeping(assay.Recall):
        name = "peeping"

        def count(self, batch):
            rows = super().count(batch)
            return rows if batch.source is None else rows + batch.source.lengths()[:, None]

    with pytest.raises(AssertionError, match="breaks the law"):
        check_metric(known(Peeping()))
