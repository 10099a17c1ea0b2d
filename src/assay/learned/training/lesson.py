"""What a learner is given, and what it gives back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.learned.models import AnyModel
from assay.learned.models.base import Classes, Grader, Model
from assay.learned.trials.folds import make_folds

Array = NDArray[np.float64]
Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]

#: Folds inside the training part, in which pruning, penalties and numbers of trees are chosen.
INNER_FOLDS = 3


@dataclass(frozen=True, eq=False)
class Lesson:
    """The training part of a fold: all that a learner ever sees.

    ``target`` holds numbers of classes where there are ``classes``, else scores. ``groups`` must not be torn apart
    when something is chosen inside.
    """

    values: Array
    target: Array
    classes: Classes | None
    groups: Codes
    seed: int
    #: Which translations are of one segment: what preferences compare.
    segments: Codes
    #: Of each feature, whether more is better; None where nobody can say.
    better: tuple[bool | None, ...]

    @property
    def grades(self) -> Codes:
        """The target as numbers of classes."""
        return self.target.astype(np.int64)

    @property
    def graded(self) -> Classes:
        """The classes, where there are some."""
        if self.classes is None:
            raise ParameterError("This lesson is about scores and has no classes.")
        return self.classes

    def only(self, rows: Flags) -> Lesson:
        """Some of the examples."""
        return replace(
            self,
            values=self.values[rows],
            target=self.target[rows],
            groups=self.groups[rows],
            segments=self.segments[rows],
        )

    def inner(self) -> Iterator[tuple[Lesson, Lesson]]:
        """Learn from the first, judge by the second: folds inside the training part, by the same groups.

        Where fewer groups are left than folds, as with two systems, the rows themselves are dealt out.
        """
        groups = self.groups if len(np.unique(self.groups)) >= INNER_FOLDS else np.arange(len(self.groups))
        folds = make_folds(groups, INNER_FOLDS, seed=self.seed)
        for number in range(INNER_FOLDS):
            tested = folds.tested(number)
            yield self.only(~tested), self.only(tested)


@dataclass(frozen=True, eq=False)
class Learnt:
    """A model, what was chosen inside the training part to get it, and how good it was there."""

    model: AnyModel
    chosen: Mapping[str, float] = field(default_factory=dict)
    #: The share of right answers (or minus the mean squared error) on the inner folds; NaN where nothing was chosen.
    inside: float = float("nan")


class Learner(ABC):
    """Makes a model out of a lesson."""

    name: ClassVar[str]
    #: Which tasks it can do: ``classes``, ``scores``, ``pairs``.
    tasks: ClassVar[tuple[str, ...]]

    @abstractmethod
    def learn(self, lesson: Lesson) -> Learnt:
        """Fit the model, with everything that has to be chosen chosen inside the lesson."""


def held_out(lesson: Lesson, fit: Callable[[Lesson], Model]) -> float:
    """How good what ``fit`` makes is on inner folds that it has not seen: what learners of one feature compete by."""
    total = sum(goodness(fit(training), held) * len(held.target) for training, held in lesson.inner())
    return total / len(lesson.target)


def goodness(model: Model, lesson: Lesson) -> float:
    """How good a model is on a lesson: the share of right answers, or minus the mean squared error."""
    if isinstance(model, Grader):
        return float((model.grades(lesson.values) == lesson.grades).mean())
    return -float(((model.score(lesson.values) - lesson.target) ** 2).mean())
