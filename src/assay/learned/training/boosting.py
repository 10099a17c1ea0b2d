"""Gradient boosting by scikit-learn's histograms; how many trees there are is chosen on an inner fold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from assay.errors import AssayError
from assay.learned.models.trees import LEAF, BoostedGrader, BoostedRegressor, Boosting, Tree
from assay.learned.training.learner import Learner, Trained, TrainingSet
from assay.learned.training.scikit import load_sklearn

RATE = 0.1
MOST_ROUNDS = 60
LEAVES = 8
LEAST_IN_LEAF = 20
L2 = 1.0
#: Rows on which the trees that were read from scikit-learn are tried, and how far they may be from what it says.
TRIED, TOLERANCE = 100, 1e-9


class BoostingLearner(Learner):
    """Small trees, each correcting the sum of those before it.

    Rounds are counted on one inner fold by the likelihood of the classes (or the squared error), not by right answers,
    which jump. Then all of the training part is learnt from, for so many rounds.
    """

    name: ClassVar[str] = "boosting"
    tasks: ClassVar[tuple[str, ...]] = ("classes", "scores")

    def fit(self, data: TrainingSet) -> Trained:
        training, held = next(data.inner())
        losses, good = zip(*_rounds(fit_boosting(training, MOST_ROUNDS), held), strict=True)
        best = int(np.argmin(losses))
        return Trained(converted(fit_boosting(data, best + 1), data), {"rounds": best + 1}, good[best])


def fit_boosting(data: TrainingSet, rounds: int) -> Any:
    """scikit-learn's model."""
    ensemble = load_sklearn().ensemble
    graded = data.classes is not None
    kind = ensemble.HistGradientBoostingClassifier if graded else ensemble.HistGradientBoostingRegressor
    boosting = kind(
        learning_rate=RATE,
        max_iter=rounds,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=LEAST_IN_LEAF,
        l2_regularization=L2,
        early_stopping=False,
        random_state=data.targets.seed,
    )
    return boosting.fit(data.values, data.grades if graded else data.target)


def _rounds(fitted: Any, held: TrainingSet) -> Iterator[tuple[float, float]]:
    """What each number of rounds costs on what was held out, and how good it is."""
    if held.classes is None:
        for predicted in fitted.staged_predict(held.values):
            error = float(((predicted - held.target) ** 2).mean())
            yield error, -error
        return
    place = np.searchsorted(fitted.classes_, held.grades)
    rows = np.flatnonzero(np.isin(held.grades, fitted.classes_))
    for chances in fitted.staged_predict_proba(held.values):
        loss = -float(np.log(np.maximum(chances[rows, place[rows]], 1e-12)).mean())
        yield loss, float((fitted.classes_[chances.argmax(axis=1)] == held.grades).mean())


def converted(fitted: Any, data: TrainingSet) -> BoostedGrader | BoostedRegressor:
    """The fitted trees as plain data.

    scikit-learn keeps them where it promises nothing: they are tried against what it predicts. Its boosting whose trees
    are public is thirty times slower.
    """
    start = np.asarray(fitted._baseline_prediction, dtype=np.float64).reshape(-1)
    rounds = tuple(tuple(_tree(predictor.nodes) for predictor in several) for several in fitted._predictors)
    # The rate is already in the leaves.
    boosting, some = Boosting(start, rounds, 1.0), data.values[:TRIED]
    graded = data.classes is not None
    outputs = boosting.outputs(some)
    said = fitted.decision_function(some) if graded else fitted.predict(some)
    if np.abs(outputs - np.reshape(said, outputs.shape)).max() > TOLERANCE * max(1.0, float(np.abs(outputs).max())):
        raise AssayError(
            "The trees of this version of scikit-learn cannot be read: they predict something else than it does. "
            "Leave boosting out (--model), or install scikit-learn 1.9."
        )
    if data.classes is None:
        return BoostedRegressor(boosting, inputs=data.inputs)
    return BoostedGrader(boosting, data.classes, inputs=data.inputs)


def _tree(nodes: Any) -> Tree:
    leaf = nodes["is_leaf"].astype(bool)
    return Tree(
        feature=np.where(leaf, LEAF, nodes["feature_idx"].astype(np.int64)),
        threshold=np.where(leaf, 0.0, nodes["num_threshold"]),
        left=np.where(leaf, LEAF, nodes["left"].astype(np.int64)),
        right=np.where(leaf, LEAF, nodes["right"].astype(np.int64)),
        values=nodes["value"].astype(np.float64)[:, None],
        single=False,
    )
