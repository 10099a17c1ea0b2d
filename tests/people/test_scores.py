"""Whatever gives scores is one type: metrics, score files and people answer the same questions."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.data.external import ExternalScores
from assay.data.judgements import Factor
from assay.demo import CAMPAIGN
from assay.metrics.registry import metrics
from assay.people.levels import GridLevel, SystemLevel
from assay.people.scores import MeanScores, Scores, beside, external_scores, metric_scores
from assay.people.usage import people_of
from assay.scoring.evaluate import Counted
from assay.significance.draws import Draws

SYSTEMS = ("A", "B")
GRID = np.array([[1.0, 2.0, np.nan], [4.0, 6.0, 8.0]])
DOCUMENTS = Factor.of(["x", "x", "y"])


def means(**given) -> MeanScores:
    return MeanScores("m", SYSTEMS, np.ones((2, 3), dtype=np.bool_), GRID, **given)


def test_a_mean_is_over_the_segments_that_are_there_as_often_as_they_were_drawn():
    weights = np.array([[1.0, 1.0, 1.0], [2.0, 0.0, 1.0]])
    # A: (1 + 2) / 2, then 1 twice; B: (4 + 6 + 8) / 3, then (4 + 4 + 8) / 3.
    plain = means(adjusted=False)
    assert plain.system_scores(weights) == pytest.approx(np.array([[1.5, 6.0], [1.0, 16 / 3]]))
    # In the first two segments A is 3.5 below B, so 4.5 stands for A in the third; in the second draw 3 below.
    assert means().system_scores(weights) == pytest.approx(np.array([[2.5, 6.0], [7 / 3, 16 / 3]]))


def test_documents_are_means_of_their_segments():
    # A has no score in y; B: (4 + 6) / 2 and 8.
    assert means().document_scores(DOCUMENTS) == pytest.approx(np.array([[1.5, np.nan], [5.0, 8.0]]), nan_ok=True)


def test_what_is_given_stands_for_itself_even_if_it_is_no_score():
    given = means(given={"A": 9.0, "B": np.nan}, documents={"B": {"x": np.nan, "y": 1.0}})
    assert given.system_scores(np.ones((1, 3)))[0] == pytest.approx([9.0, np.nan], nan_ok=True)
    assert given.document_scores(DOCUMENTS)[1] == pytest.approx([np.nan, 1.0], nan_ok=True)
    assert given.given
    assert not means().given


def test_segments_that_take_no_part_are_in_no_mean():
    # The second segment takes no part for any system; the third does for B, so it does for all.
    mask = np.array([[True, False, False], [True, False, True]])
    masked = MeanScores("m", SYSTEMS, mask, GRID, adjusted=False)
    assert masked.system_scores(np.ones((1, 3)))[0] == pytest.approx([1.0, 6.0])
    assert np.isnan(masked.contributions()[:, 1]).all()
    # Segments keep the score that they have.
    assert masked.grid[0, 1] == 2.0


def test_scores_of_systems_in_a_file_that_are_means_follow_the_segments_that_are_drawn():
    rows = {"A": np.array([1.0, 2.0, 3.0]), "B": np.array([4.0, 6.0, 8.0])}
    people = means()
    mean = ExternalScores("file", rows, systems={"A": 2.0, "B": 6.0})
    other = ExternalScores("file", rows, systems={"A": 2.5, "B": 6.0}, higher_is_better=False)
    drawn = external_scores(mean, people, people.mask, None)
    assert not drawn.given
    assert drawn.system_scores(np.array([[5.0, 0.0, 0.0]]))[0] == pytest.approx([1.0, 4.0])
    turned = external_scores(other, people, people.mask, None)
    assert turned.given
    assert turned.system_scores(np.array([[5.0, 0.0, 0.0]]))[0] == pytest.approx([-2.5, -6.0])


def test_a_kind_beside_another_keeps_the_systems_of_the_other():
    other = MeanScores("esa", ("B", "C"), np.ones((2, 3), dtype=np.bool_), np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]))
    shown = beside("human:esa", other, means(), means().mask)
    assert shown.systems == SYSTEMS
    assert shown.system_scores(np.ones((1, 3)))[0] == pytest.approx([np.nan, 2.0], nan_ok=True)


def test_scores_are_shown_without_their_tables():
    assert repr(means(given={"A": 9.0})) == "MeanScores(name='m', systems=('A', 'B'), sign=1.0)"


def test_what_was_counted_before_is_not_counted_again():
    campaign = assay.read(CAMPAIGN)
    people, _ = people_of(campaign, kind="adequacy")
    known = Counted()
    first, second = (metric_scores(campaign, metrics("chrf"), people, known=known)[0] for _ in range(2))
    for one, other in zip(first.statistics, second.statistics, strict=True):
        assert one.rows is other.rows


@pytest.fixture(scope="module")
def sides() -> tuple[Scores, Scores]:
    campaign = assay.read(CAMPAIGN)
    people, _ = people_of(campaign, kind="adequacy")
    (metric,) = metric_scores(campaign, metrics("chrf"), people)
    return people, metric


def test_people_follow_a_metric_as_far_as_it_follows_them(sides):
    draws = Draws.of(sides[0].mask.shape[1], 50, seed=1, systems=len(sides[0].systems))
    (there,), (back,) = (
        SystemLevel(first, draws, seed=1).measure([("pearson", None)], second).values()
        for first, second in (sides, sides[::-1])
    )
    assert (there.value, there.low, there.high) == pytest.approx((back.value, back.low, back.high))
    (there,), (back,) = (
        GridLevel(first.grid, draws, seed=1).measure([("kendall", "item")], second).values()
        for first, second in (sides, sides[::-1])
    )
    assert (there.value, there.n) == pytest.approx((back.value, back.n))


def at_the_kink():
    """Ten segments: of one system half are a word too long, half a word too short, so that BLEU's length is right."""
    reference = ["a b c d e f g h"] * 10
    longer, shorter = "a b c d e f g h i", "a b c d e f g"
    return assay.Campaign("kink", {"even": [longer, shorter] * 5, "plain": [*reference[:9], shorter]}, {"A": reference})


@pytest.mark.parametrize("name", ["bleu", "ter", "chrf", "nist", "meteor"])
@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
def test_contributions_have_the_score_as_their_mean(name):
    whole = at_the_kink()
    people = MeanScores("people", ("even", "plain"), np.ones((2, 10), dtype=np.bool_), np.ones((2, 10)))
    (source,) = metric_scores(whole, (assay.metric(name),), people)
    scores = source.system_scores(np.ones((1, 10)))[0]
    assert source.contributions().mean(axis=1) == pytest.approx(scores, abs=1e-9)


def test_at_bleus_brevity_kink_plain_pseudo_values_are_off():
    # Without a segment that is too short the system is long enough, and its penalty stays 1. Without one that is too
    # long 71 words stand against 72: exp(1 - 72/71) = 0.986. So the score drops by more than n-1 times can give back.
    whole = at_the_kink()
    people = MeanScores("people", ("even", "plain"), np.ones((2, 10), dtype=np.bool_), np.ones((2, 10)))
    (source,) = metric_scores(whole, (assay.metric("bleu"),), people)
    score = source.system_scores(np.ones((1, 10)))[0, 0]
    rows = source.statistics[0].rows
    without = source.statistics[0].metric.score(rows.sum(axis=0) - rows)
    plain = 10 * score - 9 * without
    assert plain.mean() > score + 4.0
    # The spread is the same: they are moved, each by as much.
    assert source.contributions()[0] - score == pytest.approx(plain - plain.mean(), abs=1e-9)
