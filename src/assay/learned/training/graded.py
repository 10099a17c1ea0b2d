"""Grades out of a model that knows scores only: its score becomes the one feature of an ordinal regression."""

from __future__ import annotations

import numpy as np

from assay.learned.models.base import Grader, Model
from assay.learned.models.linear import Linear, Ordinal, Weights
from assay.learned.models.scaling import Scaling
from assay.learned.models.wrapped import Graded
from assay.learned.training.lesson import Lesson
from assay.learned.training.odds import fit_odds


def graded(model: Model, lesson: Lesson) -> Grader:
    """The model with cut points that the lesson makes most likely; of a weighted sum an ordinal regression again."""
    scores = model.score(lesson.values)[:, None]
    scaling = Scaling.of(scores)
    odds = fit_odds(scaling(scores), lesson.grades, len(lesson.graded), 1e-8)
    if isinstance(model, Linear):
        slope = odds.slopes[0] / scaling.spread[0]
        cuts = odds.cuts + slope * (scaling.centre[0] - model.intercept)
        weights = Weights(model.weights.scaling, np.asarray(model.weights.weights * slope))
        found: Grader = Ordinal(weights, cuts, lesson.graded)
    else:
        found = Graded(model, Ordinal(Weights(scaling, odds.slopes), odds.cuts, lesson.graded), lesson.graded)
    return found
