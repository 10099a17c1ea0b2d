"""Combination without training: the mean of all features on one scale, or of their ranks.

No judgement decides about a weight. Only where grades are wanted, the cut points come from the training part.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from assay.errors import ParameterError
from assay.learned.fields import Fields
from assay.learned.models.base import Array, Indices, Model
from assay.learned.models.combination import RankMean, UniformMean
from assay.learned.training.graded import graded
from assay.learned.training.lesson import Learner, Learnt, Lesson


@dataclass(frozen=True, eq=False)
class SomeColumns(Model):
    """A model of some of the features. It lives while something is measured and is not saved."""

    kind: ClassVar[str] = "some-columns"

    model: Model
    columns: Indices
    count: int

    @property
    def inputs(self) -> int:
        return self.count

    def score(self, values: Array) -> Array:
        return self.model.score(values[:, self.columns])

    def to_data(self) -> dict[str, Any]:
        raise ParameterError("A model of some of the features is measured, not saved.")

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:  # noqa: ARG003 - there is no such file
        raise ParameterError("A model of some of the features is not read from files.")


class CombinationLearner(Learner):
    """Equal weights for every feature of which it is known whether more is better; the others have none."""

    tasks: ClassVar[tuple[str, ...]] = ("classes", "scores", "pairs")

    def learn(self, lesson: Lesson) -> Learnt:
        columns = np.array([place for place, better in enumerate(lesson.better) if better is not None], dtype=np.int64)
        signs = np.array([1 if better else -1 for better in lesson.better if better is not None], dtype=np.int64)
        model = SomeColumns(self.combine(lesson.values[:, columns], signs), columns, lesson.values.shape[1])
        return Learnt(model) if lesson.classes is None else graded(model, lesson)

    @abstractmethod
    def combine(self, values: Array, signs: Indices) -> Model:
        """The combination of these features."""


class UniformLearner(CombinationLearner):
    """The mean of standardised features."""

    name: ClassVar[str] = "uniform"

    def combine(self, values: Array, signs: Indices) -> Model:
        return UniformMean.of(values, signs)


class RankLearner(CombinationLearner):
    """The mean of ranks among the training part."""

    name: ClassVar[str] = "rank-average"

    def combine(self, values: Array, signs: Indices) -> Model:
        return RankMean.of(values, signs)
