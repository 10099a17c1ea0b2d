"""Trees: one alone, as the paper has it, and many that are boosted, all grown by scikit-learn.

The one is pruned as far as the inner folds advise: cost-complexity pruning (Breiman et al., 1984) takes the subtree
that costs least: its errors, and a price per leaf. How many rounds of boosted ones there are an inner fold chooses.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.learned.models.trees import (
    LEAF,
    BoostedGrader,
    BoostedRegressor,
    Boosting,
    Tree,
    TreeGrader,
    TreeRegressor,
    class_shares,
)
from assay.learned.training.learner import Trained, TrainingSet, load_sklearn
from assay.significance.draws import stream

#: The tree is grown this far before it is pruned: leaves with so few examples, and so many leaves.
LEAST_IN_LEAF = 5
MOST_LEAVES = 128
#: Prices that are tried, as shares of what the root costs alone: from none that matters to the root alone.
PRICES = np.geomspace(1e-6, 1.0, 61)
#: What of each boosted tree counts, how many rounds of them there may be, and how they are grown.
RATE = 0.15
_MOST_ROUNDS = 40
#: After so many rounds without a better one no more are tried.
_PATIENCE = 10
_LEAVES = 8
_LEAST_IN_LEAF = 20
_L2 = 1.0
#: A share below this counts as this much, so that its logarithm is a number.
_TINY = 1e-12


def fit_tree(data: TrainingSet) -> Trained:
    """CART with cost-complexity pruning: of many prices per leaf, the one that does best on the inner folds.

    Of equally good ones it is the highest, which makes the smallest tree.
    """
    prices = PRICES * _impurity(data)
    good = np.stack([goodness_at(prices, training, held) for training, held in data.inner()])
    price = float(prices[_highest_best(good.sum(axis=0))])
    # Of each inner fold at the price that the others choose: at its own best one it would look too good.
    others = [_highest_best(good.sum(axis=0) - of_fold) for of_fold in good]
    inside = float(good[np.arange(len(good)), others].sum()) / len(data)
    model = pruned(data, price)
    return Trained(model, {"price": price, "leaves": int((model.tree.feature == LEAF).sum())}, inside)


def pruned(data: TrainingSet, price: float) -> TreeGrader | TreeRegressor:
    """The tree at a price per leaf, by scikit-learn."""
    fitted = _fitted(data, price)
    if data.classes is None:
        return TreeRegressor(_plain_tree(fitted, fitted.tree_.value[:, 0, :]), inputs=data.inputs)
    # A column for every class, also for one that the training part does not have.
    shares = np.zeros((fitted.tree_.node_count, len(data.classes)))
    shares[:, fitted.classes_] = fitted.tree_.value[:, 0, :]
    return TreeGrader(_plain_tree(fitted, shares / shares.sum(axis=1, keepdims=True)), data.classes, inputs=data.inputs)


def goodness_at(prices: Array, training: TrainingSet, held: TrainingSet) -> Array:
    """Right answers, or minus squared errors, on ``held`` of what is learnt from ``training`` at each price.

    scikit-learn would grow the tree anew for each price. Here it is grown once, and from the leaves upwards each node
    becomes a leaf at the prices at which that costs no more than what is below it.
    """
    fitted = _fitted(training)
    nodes = fitted.tree_
    good = np.tile(_goodness_as_leaves(fitted, held)[:, None], len(prices))
    cost = (nodes.impurity * nodes.weighted_n_node_samples / len(training))[:, None] + prices
    for node in np.flatnonzero(nodes.children_left >= 0)[::-1].tolist():
        both = [nodes.children_left[node], nodes.children_right[node]]
        below = cost[both].sum(axis=0)
        kept = below < cost[node]
        cost[node] = np.where(kept, below, cost[node])
        good[node] = np.where(kept, good[both].sum(axis=0), good[node])
    return np.asarray(good[0])


def _goodness_as_leaves(fitted: Any, held: TrainingSet) -> Array:
    """How good each node would be as a leaf for the held-out examples that reach it."""
    reached = fitted.decision_path(_single(held.values), check_input=False).T
    values = fitted.tree_.value[:, 0, :]
    if held.classes is not None:
        counts = reached @ (held.grades[:, None] == fitted.classes_).astype(np.float64)
        return np.asarray(counts[np.arange(len(values)), values.argmax(axis=1)])
    y, guess = held.target, values[:, 0]
    n, first, second = (reached @ np.stack([np.ones(len(y)), y, y * y], axis=1)).T
    return np.asarray(2.0 * guess * first - second - n * guess * guess)


def _fitted(data: TrainingSet, price: float = 0.0) -> Any:
    """scikit-learn's tree."""
    trees = load_sklearn().tree
    kind = trees.DecisionTreeRegressor if data.classes is None else trees.DecisionTreeClassifier
    tree = kind(
        min_samples_leaf=LEAST_IN_LEAF, max_leaf_nodes=MOST_LEAVES, ccp_alpha=price, random_state=data.targets.seed
    )
    return tree.fit(_single(data.values), data.target if data.classes is None else data.grades, check_input=False)


def _impurity(data: TrainingSet) -> float:
    """What the root costs as a leaf: the variance, or Gini's index."""
    if data.classes is None:
        return float(data.target.var())
    shares = np.bincount(data.grades) / len(data)
    return float(1.0 - (shares * shares).sum())


def _highest_best(good: Array) -> int:
    """The place of the best price; of equally good ones the highest."""
    return len(good) - 1 - int(np.argmax(good[::-1]))


def fit_boosting(data: TrainingSet) -> Trained:
    """Small trees, each correcting the sum of those before it.

    Rounds are counted on one inner fold by the likelihood of the classes (or the squared error), not by right answers,
    which jump. Then all of the training part is learnt from, for so many rounds.
    """
    training, held = next(data.inner())
    measured: list[tuple[float, float]] = []
    best = 0
    for rounds, raw in enumerate(islice(staged_outputs(training, held), _MOST_ROUNDS)):
        measured.append(_loss_and_goodness(raw, held))
        best = rounds if measured[rounds][0] < measured[best][0] else best
        if rounds - best >= _PATIENCE:
            break
    return Trained(boosted(data, best + 1), {"rounds": best + 1}, measured[best][1])


def boosted(data: TrainingSet, rounds: int) -> BoostedGrader | BoostedRegressor:
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
    seen, truth = _single(data.values), _truth(data)
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
        yield tuple(_plain_tree(estimator, column[:, None]) for column in steps.T)


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


def _loss_and_goodness(raw: Array, held: TrainingSet) -> tuple[float, float]:
    """What an output costs, and how good it is."""
    if held.classes is None:
        error = float(((raw[:, 0] - held.target) ** 2).mean())
        return error, -error
    chances = class_shares(raw)
    likely = chances[np.arange(len(held)), held.grades]
    right = float((chances.argmax(axis=1) == held.grades).mean())
    return -float(np.log(np.maximum(likely, _TINY)).mean()), right


def _single(values: Array) -> NDArray[np.float32]:
    """In single precision, in which scikit-learn's trees see features; they need not look at them again."""
    return np.ascontiguousarray(values, dtype=np.float32)


def _plain_tree(fitted: Any, values: Array) -> Tree:
    """A tree of scikit-learn as plain data, with these values at its nodes."""
    nodes = fitted.tree_
    leaf = nodes.children_left < 0
    return Tree(
        feature=np.where(leaf, LEAF, nodes.feature).astype(np.int64),
        threshold=np.where(leaf, 0.0, nodes.threshold),
        left=nodes.children_left.astype(np.int64),
        right=nodes.children_right.astype(np.int64),
        values=values,
    )
