"""Combination without training: the mean of all features on one scale, or of their ranks.

No judgement decides about a weight. Only where grades are wanted, the cut points come from the training part.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from assay.learned.models.combination import Plain, RankMean, SomeColumns, UniformMean
from assay.learned.models.data import Array, Indices
from assay.learned.training.graded import graded
from assay.learned.training.lesson import Learner, Learnt, Lesson


class CombinationLearner(Learner):
    """Equal weights for every feature of which it is known whether more is better; the others have none."""

    tasks: ClassVar[tuple[str, ...]] = ("classes", "scores", "pairs")

    def learn(self, lesson: Lesson) -> Learnt:
        columns = np.array([place for place, better in enumerate(lesson.better) if better is not None], dtype=np.int64)
        signs = np.array([1 if better else -1 for better in lesson.better if better is not None], dtype=np.int64)
        model = SomeColumns(self.combine(lesson.values[:, columns], signs), columns, inputs=lesson.values.shape[1])
        return Learnt(model if lesson.classes is None else graded(model, lesson))

    @abstractmethod
    def combine(self, values: Array, signs: Indices) -> Plain:
        """The combination of these features."""


class UniformLearner(CombinationLearner):
    """The mean of standardised features."""

    name: ClassVar[str] = "uniform"

    def combine(self, values: Array, signs: Indices) -> Plain:
        return UniformMean.of(values, signs)


class RankLearner(CombinationLearner):
    """The mean of ranks among the training part."""

    name: ClassVar[str] = "rank-average"

    def combine(self, values: Array, signs: Indices) -> Plain:
        return RankMean.of(values, signs)
