"""Decision trees, as the paper has them: grown and pruned by scikit-learn, as far as the inner folds advise.

Cost-complexity pruning (Breiman et al., 1984) takes the subtree that costs least: its errors, and a price per leaf.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array
from assay.learned.models.trees import LEAF, TreeGrader, TreeRegressor
from assay.learned.training.learner import Learner, Trained, TrainingSet
from assay.learned.training.scikit import load_sklearn, plain_tree, single

#: The tree is grown this far before it is pruned: leaves with so few examples, and so many leaves.
LEAST_IN_LEAF = 5
MOST_LEAVES = 128
#: Prices that are tried, as shares of what the root costs alone: from none that matters to the root alone.
PRICES = np.geomspace(1e-6, 1.0, 61)


class TreeLearner(Learner):
    """CART with cost-complexity pruning: of many prices per leaf, the one that does best on the inner folds.

    Of equally good ones it is the highest, which makes the smallest tree.
    """

    name: ClassVar[str] = "tree"
    tasks: ClassVar[tuple[str, ...]] = ("classes", "scores")

    def fit(self, data: TrainingSet) -> Trained:
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
        return TreeRegressor(plain_tree(fitted, fitted.tree_.value[:, 0, :]), inputs=data.inputs)
    # A column for every class, also for one that the training part does not have.
    shares = np.zeros((fitted.tree_.node_count, len(data.classes)))
    shares[:, fitted.classes_] = fitted.tree_.value[:, 0, :]
    return TreeGrader(plain_tree(fitted, shares / shares.sum(axis=1, keepdims=True)), data.classes, inputs=data.inputs)


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
    reached = fitted.decision_path(single(held.values), check_input=False).T
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
    return tree.fit(single(data.values), data.target if data.classes is None else data.grades, check_input=False)


def _impurity(data: TrainingSet) -> float:
    """What the root costs as a leaf: the variance, or Gini's index."""
    if data.classes is None:
        return float(data.target.var())
    shares = np.bincount(data.grades) / len(data)
    return float(1.0 - (shares * shares).sum())


def _highest_best(good: Array) -> int:
    """The place of the best price; of equally good ones the highest."""
    return len(good) - 1 - int(np.argmax(good[::-1]))
