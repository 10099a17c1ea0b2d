"""Metrics of users: the little that they need, and what is said of those that are wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import assay
from assay.metrics import registry
from assay.questions.asked import ask
from assay.questions.lookup import Metrics
from assay.testing import check_metric

CAMPAIGN = assay.Campaign("c", systems={"s": ["a b", ""]}, references={"r": ["a c", "b"]})


@pytest.fixture(autouse=True)
def _forget(monkeypatch):
    monkeypatch.setattr(registry.METRICS, "added", {})


@dataclass(frozen=True, kw_only=True)
class Length(assay.Metric):
    """How long translations are."""

    name: ClassVar[str] = "length"

    @property
    def columns(self):
        return ("words", "segments")

    def count(self, batch):
        return np.column_stack([batch.translations.lengths(), np.ones(len(batch))])

    def score(self, rows):
        return rows[..., 0] / np.maximum(rows[..., 1], 1.0)


def test_name_columns_count_and_score_are_enough():
    assay.register(Length)
    table = assay.score(CAMPAIGN, "length", samples=10)
    assert table.of("s", "length").score == 1.0
    assert Length.label == "length"
    assert Length.summary == "How long translations are."
    assert "length" in str(ask(Metrics(), CAMPAIGN))
    assert "length" in str(Length().evaluate(CAMPAIGN.corpus("s")))


def test_names_must_be_typable():
    class Spaced(Length):
        name = "my metric,x"

    with pytest.raises(assay.ParameterError, match="Spaced needs a name of letters"):
        assay.register(Spaced)
    with pytest.raises(assay.ParameterError, match="not a subclass"):
        assay.register("length")


def test_a_metric_that_fails_is_named():
    class Failing(Length):
        name = "failing"

        def count(self, batch):
            raise ZeroDivisionError("no")

    with pytest.raises(assay.AssayError, match="failing failed while counting: ZeroDivisionError: no"):
        assay.score(CAMPAIGN, Failing())
    with pytest.raises(AssertionError, match="breaks the law one_row_per_segment"):
        check_metric(Failing())


def test_a_metric_that_scores_in_the_wrong_shape_is_named():
    class Flat(Length):
        name = "flat"

        def score(self, rows):
            return 1.0

    with pytest.raises(assay.AssayError, match=r"flat gave scores of shape \(\) for rows of shape \(2, 2\)"):
        Flat().evaluate(CAMPAIGN.corpus("s")).segment_scores()


def test_a_segment_that_fails_leaves_the_others_their_scores():
    class Partial(Length):
        name = "partial"

        def count(self, batch):
            rows = super().count(batch)
            rows[rows[:, 0] == 0] = np.nan
            return rows

    with pytest.warns(
        UserWarning, match=r"There is no corpus score where single segments have none: partial of s \(1\)\."
    ):
        table = assay.score(CAMPAIGN, [Partial(), "f1"], samples=10, segments=True)
    assert table.of("s", "partial").score is None
    assert table.of("s", "f1").score == 40.0
    assert [row["score"] for row in table.table("segments")][:2] == [2.0, None]
    assert '"score": null' in table.to_json()


def test_an_option_without_a_default_is_asked_for():
    @dataclass(frozen=True, kw_only=True)
    class Scaled(Length):
        name: ClassVar[str] = "scaled"
        factor: float

    assay.register(Scaled)
    with pytest.raises(assay.ParameterError, match=r"scaled needs factor: scaled\(factor=...\)"):
        assay.metric("scaled")
    assert assay.metric("scaled(factor=2)").factor == 2.0
    assert "(needed)" in str(ask(Metrics(metric="scaled"), CAMPAIGN))


def test_a_broken_plugin_does_not_hide_the_others(monkeypatch):
    class Entry:
        name = "broken"
        value = "nowhere:Metric"

        @staticmethod
        def load():
            raise ImportError("no module")

    class Alias(Entry):
        name = "alias"

        @staticmethod
        def load():
            return Length

    monkeypatch.setattr(registry.METRICS, "_announced", {"broken": Entry, "alias": Alias})
    listing = str(ask(Metrics(), CAMPAIGN))
    assert "bleu" in listing
    assert "cannot be loaded: no module" in listing
    with pytest.raises(assay.ParameterError, match="entry point 'alias' leads to a metric called 'length'"):
        assay.metric("alias")


def test_mixed_up_calls_say_what_was_meant():
    with pytest.raises(assay.InputError, match=r"assay.score\(campaign, metrics\)"):
        assay.metric("f1").evaluate(CAMPAIGN)
    with pytest.raises(assay.InputError, match=r"evaluate\(corpus\)"):
        assay.score(CAMPAIGN.corpus("s"), "f1")
    with pytest.raises(assay.ParameterError, match="named by a string"):
        assay.metric(None)
    with pytest.raises(assay.ParameterError, match="samples is -1"):
        assay.score(CAMPAIGN, "f1", samples=-1)
    with pytest.raises(assay.UnknownName, match=r"There is no table 'segment'. Did you mean 'segments'"):
        assay.score(CAMPAIGN, "f1", samples=0, segments=True).table("segment")
    assert assay.Bleu(weights=np.array([0.25] * 4)) == assay.Bleu(weights=(0.25,) * 4)
