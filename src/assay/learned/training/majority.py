"""The baseline of the paper: always the most frequent class, or the mean score."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from assay.learned.models.base import Model
from assay.learned.models.tree import LEAF, Tree, TreeGrader, TreeRegressor
from assay.learned.training.lesson import Learner, Learnt, Lesson


class MajorityLearner(Learner):
    """Looks at no feature: a tree that is one leaf."""

    name: ClassVar[str] = "majority"
    tasks: ClassVar[tuple[str, ...]] = ("classes", "scores")

    def learn(self, lesson: Lesson) -> Learnt:
        leaf = np.array([LEAF])
        if lesson.classes is None:
            values = np.array([[lesson.target.mean()]])
        else:
            counts = np.bincount(lesson.grades, minlength=len(lesson.classes))
            values = (counts / counts.sum())[None, :]
        tree = Tree(leaf, np.zeros(1), leaf, leaf, values, lesson.values.shape[1])
        model: Model = TreeRegressor(tree) if lesson.classes is None else TreeGrader(tree, lesson.classes)
        return Learnt(model)
