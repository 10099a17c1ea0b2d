"""Levels: what is held against people is computed once for each that gives scores, and drawn as asked for."""

from __future__ import annotations

import numpy as np
import pytest

from assay.data.judgements import Factor, Judgement, Judgements
from assay.people.levels import GridLevel, Resampling, SystemLevel, level_of
from assay.people.noise import ceilings
from assay.people.ratings import Ratings
from assay.people.scores import MeanScores
from assay.significance.draws import Draws, Units

HUMAN = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])


def source(grid: np.ndarray) -> MeanScores:
    return MeanScores("scores", ("a", "b", "c"), np.ones(grid.shape, dtype=np.bool_), grid)


@pytest.mark.parametrize("kind", ["system", "segment"])
def test_scores_that_nobody_holds_any_more_are_not_taken_for_others(kind):
    # A new object may get the place in memory of one that is gone: a hundred of them share a few places.
    draws = Draws.observed(*HUMAN.shape)
    level = SystemLevel(source(HUMAN), draws, seed=1) if kind == "system" else GridLevel(HUMAN, draws, seed=1)
    for number in range(100):
        scores = level.scores(source(HUMAN + number))
        assert scores.ravel()[-1] == (6.0 if kind == "system" else 7.0) + number


@pytest.mark.parametrize(
    ("level", "resample", "drawn"),
    [
        ("system", "points", (True, True)),
        ("system", "segments", (True, False)),
        ("system", "systems", (False, True)),
        ("system", "both", (True, True)),
        ("segment", "points", (True, False)),
        ("segment", "segments", (True, False)),
        ("segment", "systems", (False, True)),
        ("segment", "both", (True, True)),
    ],
)
def test_segments_and_systems_are_drawn_where_they_are_asked_for(level, resample, drawn):
    draws = Resampling(resample=resample, units=Units.segments(2), samples=20).draws(source(HUMAN), level, None)
    assert ((draws.weights != 1.0).any(), (draws.systems != 1.0).any()) == drawn


def test_segments_that_were_judged_once_have_no_ceiling_beside_documents_that_were_judged_twice():
    labels = Factor.of([f"d{segment // 2}" for segment in range(20)])
    rows = [Judgement(name, segment, 1.0 * row, "da", "r1") for row, name in enumerate("abc") for segment in range(20)]
    # Both raters say the same of all ten documents, so that halves agree.
    rows += [
        Judgement(name, None, 1.0 * row, "da", rater, document=document)
        for row, name in enumerate("abc")
        for document in labels.names
        for rater in ("r1", "r2")
    ]
    people, cell = Ratings.of(Judgements.of(rows, "inline"), ("a", "b", "c"), 20, labels), ("kendall", "item")
    found = {}
    for name in ("segment", "document"):
        level = level_of(name, people, labels, Resampling(units=Units.segments(20), samples=0))
        found[name] = ceilings(people, level, [cell], seed=1)[cell].value
    assert found == {"segment": None, "document": pytest.approx(1.0)}
