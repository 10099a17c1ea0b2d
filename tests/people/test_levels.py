"""Levels: what is held against people is computed once for each that gives scores."""

from __future__ import annotations

import numpy as np
import pytest

from assay.people.levels import GridLevel, SystemLevel
from assay.people.scores import MeanScores
from assay.significance.draws import Draws

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
