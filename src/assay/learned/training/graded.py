"""Grades out of a model that knows scores only: its score becomes the one feature of an ordinal regression."""

from __future__ import annotations

import numpy as np

from assay.learned.models.base import Scaling
from assay.learned.models.combination import Graded, Plain, SomeColumns
from assay.learned.models.linear import Cut, Linear, Ordinal
from assay.learned.training.lesson import Lesson
from assay.learned.training.odds import fit_odds


def graded(model: Plain | SomeColumns, lesson: Lesson) -> Graded | Ordinal:
    """The model with cut points that the lesson makes most likely; of a weighted sum an ordinal regression again."""
    scores = model.score(lesson.values)[:, None]
    scaling = Scaling.of(scores)
    odds = fit_odds(scaling(scores), lesson.grades, len(lesson.graded), 1e-8)
    if isinstance(model, Linear):
        slope = odds.slopes[0] / scaling.spread[0]
        cuts = odds.cuts + slope * (scaling.centre[0] - model.intercept)
        return Ordinal(model.scaling, np.asarray(model.weights * slope), cuts, lesson.graded, inputs=model.inputs)
    return Graded(model, Cut(scaling, odds.slopes, odds.cuts, lesson.graded), inputs=model.inputs)
