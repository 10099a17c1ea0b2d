"""Gradient boosting of small trees by scikit-learn; how many rounds there are is chosen on an inner fold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import ClassVar

import numpy as np

from assay.arrays import Array
from assay.learned.models.trees import BoostedGrader, BoostedRegressor, Boosting, Tree, class_shares
from assay.learned.training.learner import Learner, Trained, TrainingSet
from assay.learned.training.scikit import load_sklearn, plain_tree, single
from assay.significance.draws import stream

RATE = 0.15
_MOST_ROUNDS = 40
#: After so many rounds without a better one no more are tried.
_PATIENCE = 10
_LEAVES = 8
_LEAST_IN_LEAF = 20
_L2 = 1.0
#: A share below this counts as this much, so that its logarithm is a number.
_TINY = 1e-12


class BoostingLearner(Learner):
    """Small trees, each correcting the sum of those before it.

    Rounds are counted on one inner fold by the likelihood of the classes (or the squared error), not by right answers,
    which jump. Then all of the training part is learnt from, for so many rounds.
    """

    name: ClassVar[str] = "boosting"
    tasks: ClassVar[tuple[str, ...]] = ("classes", "scores")

    def fit(self, data: TrainingSet) -> Trained:
        training, held = next(data.inner())
        losses: list[float] = []
        right: list[float] = []
        for raw in islice(staged_outputs(training, held), _MOST_ROUNDS):
            loss, good = _worth(raw, held)
            losses.append(loss)
            right.append(good)
            if len(losses) - int(np.argmin(losses)) > _PATIENCE:
                break
        best = int(np.argmin(losses))
        return Trained(fit_boosting(data, best + 1), {"rounds": best + 1}, right[best])


def fit_boosting(data: TrainingSet, rounds: int) -> BoostedGrader | BoostedRegressor:
    """So many rounds of trees."""
    boosting = Boosting(start_of(data), tuple(islice(grow(data), rounds)), RATE)
    if data.classes is None:
        return BoostedRegressor(boosting, inputs=data.inputs)
    return BoostedGrader(boosting, data.classes, inputs=data.inputs)


def staged_outputs(data: TrainingSet, held: TrainingSet) -> Iterator[Array]:
    """What is said of held-out examples after each round."""
    raw = np.tile(start_of(data), (len(held), 1))
    for trees in grow(data):
        raw = raw + Boosting(np.zeros(raw.shape[1]), (trees,), RATE).outputs(held.values)
        yield raw


def start_of(data: TrainingSet) -> Array:
    """What is said before the first round: the mean, or the logarithms of how frequent the classes are."""
    if data.classes is None:
        return np.array([data.target.mean()])
    shares = np.bincount(data.grades, minlength=len(data.classes)) / len(data)
    logs = np.log(np.maximum(shares, _TINY))
    return np.asarray(logs[1:] - logs[:1] if len(logs) == 2 else logs)


def grow(data: TrainingSet) -> Iterator[tuple[Tree, ...]]:
    """Rounds of trees, one per output, without end; those of a round split alike and differ in their leaves.

    Of each feature a split is drawn at random, and the best feature taken (Geurts et al., 2006): six times as fast as
    to look for the best split of each, and after many rounds as good. Leaves are Newton's steps (Friedman, 2001).
    """
    seen, truth = single(data.values), _truth(data)
    raw = np.tile(start_of(data), (len(data), 1))
    generator = stream(data.targets.seed, "splits of trees")
    estimator = load_sklearn().tree.DecisionTreeRegressor(
        splitter="random", max_leaf_nodes=_LEAVES, min_samples_leaf=_LEAST_IN_LEAF
    )
    while True:
        slope, curvature = _derivatives(raw, truth, data)
        estimator.set_params(random_state=int(generator.integers(2**31)))
        estimator.fit(seen, slope, check_input=False)
        leaf = estimator.apply(seen, check_input=False)
        steps = _sums(slope, leaf) / (_sums(curvature, leaf) + _L2)
        raw += RATE * steps[leaf]
        yield tuple(plain_tree(estimator, column[:, None]) for column in steps.T)


def _truth(data: TrainingSet) -> Array:
    """What outputs are to come near to: scores, whether it is the upper of two classes, or which class it is."""
    if data.classes is None or len(data.classes) == 2:
        return data.target[:, None]
    return np.asarray(data.grades[:, None] == np.arange(len(data.classes)), dtype=np.float64)


def _derivatives(raw: Array, truth: Array, data: TrainingSet) -> tuple[Array, Array]:
    """Of the log-likelihood (or half of the squared error) by each output: the slope, and minus the curvature."""
    if data.classes is None:
        return truth - raw, np.ones_like(raw)
    chances = class_shares(raw)[:, -raw.shape[1] :]
    return truth - chances, chances * (1.0 - chances)


def _sums(values: Array, leaf: Array) -> Array:
    """Sums over the examples of each node: nodes by columns."""
    return np.stack([np.bincount(leaf, column, minlength=int(leaf.max()) + 1) for column in values.T], axis=1)


def _worth(raw: Array, held: TrainingSet) -> tuple[float, float]:
    """What an output costs, and how good it is."""
    if held.classes is None:
        error = float(((raw[:, 0] - held.target) ** 2).mean())
        return error, -error
    chances = class_shares(raw)
    likely = chances[np.arange(len(held)), held.grades]
    right = float((chances.argmax(axis=1) == held.grades).mean())
    return -float(np.log(np.maximum(likely, _TINY)).mean()), right
