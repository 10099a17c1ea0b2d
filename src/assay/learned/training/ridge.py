"""Ridge regression: a weighted sum of the features that keeps its weights small."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from assay.learned.models.base import Scaling
from assay.learned.models.linear import Linear
from assay.learned.training.graded import graded
from assay.learned.training.lesson import Array, Learner, Learnt, Lesson, held_out

#: Penalties that are tried, per example, on standardised features.
PENALTIES = (10.0, 1.0, 0.1, 0.01, 0.001, 0.0001)


class RidgeLearner(Learner):
    """Least squares with a penalty that the inner folds choose by the squared error.

    For classes the number of the class is predicted, and the prediction cut into classes (see ``graded``).
    """

    name: ClassVar[str] = "ridge"
    tasks: ClassVar[tuple[str, ...]] = ("classes", "scores")

    def learn(self, lesson: Lesson) -> Learnt:
        squares = np.zeros(len(PENALTIES))
        for training, held in lesson.inner():
            for place, one in enumerate(_lines(training, PENALTIES)):
                squares[place] += ((one.score(held.values) - held.target) ** 2).sum()
        best = int(squares.argmin())
        (line,) = _lines(lesson, PENALTIES[best : best + 1])
        chosen = {"l2": PENALTIES[best]}
        if lesson.classes is None:
            return Learnt(line, chosen, -float(squares[best]) / len(lesson.target))
        if lesson.values.shape[1] > 1:
            return Learnt(graded(line, lesson), chosen)
        penalty = PENALTIES[best : best + 1]
        return Learnt(
            graded(line, lesson), chosen, held_out(lesson, lambda part: graded(_lines(part, penalty)[0], part))
        )


def _lines(lesson: Lesson, penalties: tuple[float, ...]) -> list[Linear]:
    """The best weighted sum under each penalty, from one decomposition."""
    scaling = Scaling.of(lesson.values)
    z = scaling(lesson.values)
    mean = float(lesson.target.mean())
    values, vectors = np.linalg.eigh(z.T @ z / len(z))
    turned = vectors.T @ (z.T @ (lesson.target - mean) / len(z))

    def weights(penalty: float) -> Array:
        return np.asarray(vectors @ (turned / (np.maximum(values, 0.0) + penalty)))

    return [Linear(scaling, weights(penalty), mean, inputs=z.shape[1]) for penalty in penalties]
