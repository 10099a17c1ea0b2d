"""Ordinal logistic regression: grades are stretches of one weighted sum of the features."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from assay.learned.models.base import Scaling
from assay.learned.models.linear import Ordinal
from assay.learned.training.lesson import Learner, Learnt, Lesson, held_out
from assay.learned.training.odds import EXACT, ROUGH, Odds, fit_odds

#: Penalties that are tried, beside the mean log-likelihood of standardised features.
PENALTIES = (1.0, 0.1, 0.01, 0.001, 0.0001)
#: So little that one feature's slope is what it would be without.
NEXT_TO_NOTHING = 1e-8


class OrdinalLearner(Learner):
    """Proportional odds with a penalty that the inner folds choose by the likelihood."""

    name: ClassVar[str] = "ordinal"
    tasks: ClassVar[tuple[str, ...]] = ("classes",)

    def learn(self, lesson: Lesson) -> Learnt:
        if lesson.values.shape[1] == 1:
            # One slope and some cut points need no penalty.
            model, _ = _fit(lesson, NEXT_TO_NOTHING)
            return Learnt(model, {}, held_out(lesson, lambda part: _fit(part, NEXT_TO_NOTHING, tolerance=ROUGH)[0]))
        likelihood = np.zeros(len(PENALTIES))
        for training, held in lesson.inner():
            start = None
            for place, penalty in enumerate(PENALTIES):
                inside, start = _fit(training, penalty, start, ROUGH)
                likelihood[place] += start.log_likelihood(inside.scaling(held.values), held.grades)
        best = PENALTIES[int(likelihood.argmax())]
        model, _ = _fit(lesson, best)
        return Learnt(model, {"l2": best})


def _fit(lesson: Lesson, penalty: float, start: Odds | None = None, tolerance: float = EXACT) -> tuple[Ordinal, Odds]:
    scaling = Scaling.of(lesson.values)
    odds = fit_odds(
        scaling(lesson.values), lesson.grades, len(lesson.graded), penalty, start=start, tolerance=tolerance
    )
    return Ordinal(scaling, odds.slopes, odds.cuts, lesson.graded, inputs=len(odds.slopes)), odds
