"""Gradient boosting by scikit-learn's histograms; how many trees there are is chosen on an inner fold."""

from __future__ import annotations

from itertools import islice
from typing import Any, ClassVar

import numpy as np

from assay.learned.models.trees import LEAF, BoostedGrader, BoostedRegressor, Boosting, Tree
from assay.learned.training.lesson import Array, Learner, Learnt, Lesson
from assay.learned.training.scikit import load_sklearn

RATE = 0.1
MOST_ROUNDS = 60
LEAVES = 8
LEAST_IN_LEAF = 20
L2 = 1.0


class BoostingLearner(Learner):
    """Small trees, each correcting the sum of those before it.

    Rounds are counted on one inner fold by the likelihood of the classes (or the squared error), not by right answers,
    which jump. Then all of the training part is learnt from, for so many rounds.
    """

    name: ClassVar[str] = "boosting"
    tasks: ClassVar[tuple[str, ...]] = ("classes", "scores")

    def learn(self, lesson: Lesson) -> Learnt:
        training, held = next(iter(lesson.inner()))
        tried = _fit(training, MOST_ROUNDS)
        rounds = int(np.argmin(_losses(tried, held))) + 1
        return Learnt(_converted(_fit(lesson, rounds), lesson), {"rounds": rounds}, _inside(tried, held, rounds))


def _fit(lesson: Lesson, rounds: int) -> Any:
    ensemble = load_sklearn().ensemble
    graded = lesson.classes is not None
    kind = ensemble.HistGradientBoostingClassifier if graded else ensemble.HistGradientBoostingRegressor
    boosting = kind(
        learning_rate=RATE,
        max_iter=rounds,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=LEAST_IN_LEAF,
        l2_regularization=L2,
        early_stopping=False,
        random_state=lesson.seed,
    )
    return boosting.fit(lesson.values, lesson.grades if graded else lesson.target)


def _losses(fitted: Any, held: Lesson) -> Array:
    """What each number of rounds costs on the held-out lesson."""
    if held.classes is None:
        return np.array([((one - held.target) ** 2).mean() for one in fitted.staged_predict(held.values)])
    place = np.searchsorted(fitted.classes_, held.grades)
    known = np.isin(held.grades, fitted.classes_)
    rows = np.flatnonzero(known)
    return np.array(
        [-np.log(np.maximum(one[rows, place[rows]], 1e-12)).mean() for one in fitted.staged_predict_proba(held.values)]
    )


def _inside(fitted: Any, held: Lesson, rounds: int) -> float:
    """How good so many rounds are on the held-out lesson."""
    predicted = next(islice(fitted.staged_predict(held.values), rounds - 1, None))
    if held.classes is None:
        return -float(((predicted - held.target) ** 2).mean())
    return float((predicted == held.grades).mean())


def _converted(fitted: Any, lesson: Lesson) -> BoostedGrader | BoostedRegressor:
    """The fitted trees as plain data."""
    start = np.asarray(fitted._baseline_prediction, dtype=np.float64).reshape(-1)
    rounds = tuple(tuple(_tree(predictor) for predictor in several) for several in fitted._predictors)
    # The rate is already in the leaves.
    boosting, inputs = Boosting(start, rounds, 1.0), lesson.values.shape[1]
    if lesson.classes is None:
        return BoostedRegressor(boosting, inputs=inputs)
    return BoostedGrader(boosting, lesson.classes, inputs=inputs)


def _tree(predictor: Any) -> Tree:
    nodes = predictor.nodes
    leaf = nodes["is_leaf"].astype(bool)
    return Tree(
        feature=np.where(leaf, LEAF, nodes["feature_idx"].astype(np.int64)),
        threshold=np.where(leaf, 0.0, nodes["num_threshold"]),
        left=np.where(leaf, LEAF, nodes["left"].astype(np.int64)),
        right=np.where(leaf, LEAF, nodes["right"].astype(np.int64)),
        values=nodes["value"].astype(np.float64)[:, None],
        single=False,
    )
