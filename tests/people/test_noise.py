"""The ceiling: what a metric that knows the true quality would reach against noisy judgements."""

from __future__ import annotations

import numpy as np
import pytest

from assay.data.judgements import Judgement, Judgements
from assay.people.levels import Resampling, SystemLevel, level_of
from assay.people.noise import _judgements_per_point, _over_splits, ceilings
from assay.people.ratings import Ratings
from assay.people.scores import MeanScores
from assay.people.statistics.registry import STATISTICS, statistic
from assay.significance.draws import Units

SYSTEM = [("pearson", None), ("spearman", None), ("kendall", None), ("accuracy", None)]
SEGMENT = [("pearson", "none"), ("spearman", "none"), ("kendall", "none"), ("kendall", "item")]


def judged(scores):
    """Scores (systems by segments by raters; NaN: not judged) as people."""
    rows = [
        Judgement(f"s{system}", segment, float(score), "da", f"r{rater}")
        for (system, segment, rater), score in np.ndenumerate(scores)
        if np.isfinite(score)
    ]
    return Ratings.of(Judgements.of(rows, "inline"), tuple(f"s{n}" for n in range(len(scores))), scores.shape[1])


def errors_of_the_ceiling(level, cells, *, times, raters, gaps=0.0):
    """By how much the ceiling is off what the truth itself reaches, in the mean over campaigns."""
    generator, errors = np.random.default_rng(7), []
    for _ in range(times):
        truth = (
            generator.normal(0, 0.3, (10, 1)) + generator.normal(0, 0.5, (1, 40)) + generator.normal(0, 0.6, (10, 40))
        )
        scores = truth[..., None] + generator.normal(0, 1.0, (10, 40, raters))
        scores[:, generator.random(40) < gaps, 1:] = np.nan
        people = judged(scores)
        here = level_of(level, people, None, Resampling(units=Units.segments(40), samples=0))
        perfect = MeanScores("truth", people.systems, people.mask, truth)
        reached, found = here.measure(cells, perfect), ceilings(people, here, cells, seed=1)
        errors.append([found[cell].value - reached[cell].value for cell in cells])
    return np.mean(errors, axis=0)


def test_the_ceiling_of_systems_is_what_the_truth_reaches():
    # Halves of the judgements stay 0.2 and more below it.
    assert np.abs(errors_of_the_ceiling("system", SYSTEM, times=25, raters=2)).max() < 0.03


def test_the_ceiling_of_segments_is_what_the_truth_reaches():
    assert np.abs(errors_of_the_ceiling("segment", SEGMENT, times=8, raters=3)).max() < 0.02


def test_items_that_were_judged_once_lower_the_ceiling_of_all():
    # Three of four segments have one judgement; those with eight alone would reach 0.93 where the truth reaches 0.69.
    assert np.abs(errors_of_the_ceiling("segment", SEGMENT[:3], times=8, raters=8, gaps=0.75)).max() < 0.03


def test_the_noise_of_a_mean_falls_with_its_items_and_their_judgements():
    # Three items of one system with 1, 2 and 1 judgements: 1 / ((1 + 1/2 + 1) / 9) = 3.6. With 1 each: 3.
    scores = np.full((1, 3, 2), np.nan)
    scores[0, :, 0], scores[0, 1, 1] = (1.0, 2.0, 3.0), 4.0
    people = judged(np.concatenate([scores, np.where([[[True, False]]], np.nan_to_num(scores), np.nan)]))
    level = SystemLevel(people, Resampling(units=Units.segments(3), samples=0).draws(people, "system", None), seed=1)
    # Over both systems in the mean: 2 / (1/3.6 + 1/3).
    assert _judgements_per_point(people, level) == pytest.approx(2 / (1 / 3.6 + 1 / 3))


def test_draws_of_a_split_are_moved_by_what_the_split_is_off():
    # Half of the splits say 0.2 and the others 0.6, in all of their draws: 0.4 in the mean, and no doubt of it.
    splits = [np.full(3, (0.2, 0.6)[number % 2]) for number in range(20)]
    assert _over_splits(statistic("pearson"), 12, splits) == pytest.approx(np.full(41, 0.4))
    assert _over_splits(statistic("pearson"), 12, [np.full(3, np.nan)]) is None


def test_two_raters_by_hand():
    # Halves are one rater each, so that all splits agree: r between the raters, 2r / (1 + r), and its root.
    scores = np.random.default_rng(2).normal(size=(3, 20, 1)) + np.random.default_rng(3).normal(0, 0.5, (3, 20, 2))
    people = judged(scores)
    level = level_of("segment", people, None, Resampling(units=Units.segments(20), samples=100))
    found = ceilings(people, level, [("pearson", "none"), ("kendall", "none")], seed=1)
    # Which of the two is in the first half changes from item to item, and r with it a little.
    r = np.corrcoef(scores[..., 0].ravel(), scores[..., 1].ravel())[0, 1]
    assert found["pearson", "none"].value == pytest.approx(np.sqrt(2 * r / (1 + r)), abs=0.005)
    assert found["pearson", "none"].low < found["pearson", "none"].value < found["pearson", "none"].high < 1.0


def test_judges_who_say_the_same_leave_no_noise():
    scores = np.repeat(np.random.default_rng(1).normal(size=(4, 12, 1)), 2, axis=2)
    people = judged(scores)
    for name, cells in (("system", SYSTEM), ("segment", SEGMENT)):
        level = level_of(name, people, None, Resampling(units=Units.segments(12), samples=0))
        for cell, found in ceilings(people, level, cells, seed=1).items():
            assert found.value == pytest.approx(1.0, abs=1e-6), cell


def test_correlations_of_normal_scores_come_back():
    correlations = np.array([-0.9, 0.0, 0.3, 0.8])
    known = [statistic(name) for name in STATISTICS if statistic(name).as_pearson(correlations, 12) is not None]
    assert [each.name for each in known] == ["pearson", "spearman", "kendall", "kendall-c", "accuracy"]
    for each in known:
        assert each.as_pearson(each.from_pearson(correlations, 12), 12) == pytest.approx(correlations, abs=1e-6)
    # Greiner: 2/pi asin(0.5) = 1/3, of which accuracy is (1/3 + 1)/2.
    # Moran over 12 points: 6/(13 pi) (pi/6 + 10 asin(1/4)).
    half = np.array([0.5])
    assert statistic("kendall").from_pearson(half, 12) == pytest.approx([1 / 3])
    assert statistic("accuracy").from_pearson(half, 12) == pytest.approx([2 / 3])
    assert statistic("spearman").from_pearson(half, 12) == pytest.approx([0.448141], abs=1e-6)
