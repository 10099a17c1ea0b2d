"""Decision trees, as the paper has them: grown by scikit-learn, pruned as far as the inner folds advise.

Cost-complexity pruning (Breiman et al., 1984) collapses again and again the branch that costs least per leaf it saves.
A node's *price* is the cost per leaf from which on it is a leaf, so one number per node says what the tree looks like
at any price. scikit-learn prunes a tree at one price, and grows it anew for each; there are hundreds to choose from.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.learned.folds import Codes
from assay.learned.models.trees import LEAF, Tree, TreeGrader, TreeRegressor
from assay.learned.training.learner import Array, Learner, Trained, TrainingSet
from assay.learned.training.scikit import load_sklearn

#: The tree is grown this far before it is pruned: leaves with so few examples, and so many leaves.
LEAST_IN_LEAF = 5
MOST_LEAVES = 256
#: Prices that differ by less are one: what is left of a difference when sums are added in another order.
SAME = 1e-12


@dataclass(frozen=True, eq=False)
class Grown:
    """A tree as large as it gets. At a price a node is a leaf if its ``own`` is reached and its ``parent``'s is not."""

    left: Codes
    right: Codes
    feature: Codes
    threshold: Array
    #: Shares of classes, or the score: nodes by outputs.
    values: Array
    own: Array
    parent: Array
    fitted: Any

    @classmethod
    def of(cls, data: TrainingSet) -> Grown:
        """Grow a tree on all of a training set."""
        trees = load_sklearn().tree
        kind = trees.DecisionTreeRegressor if data.classes is None else trees.DecisionTreeClassifier
        growing = kind(min_samples_leaf=LEAST_IN_LEAF, max_leaf_nodes=MOST_LEAVES, random_state=data.targets.seed)
        fitted = growing.fit(
            single(data.values), data.target if data.classes is None else data.grades, check_input=False
        )
        nodes = fitted.tree_
        left, right = nodes.children_left.astype(np.int64), nodes.children_right.astype(np.int64)
        values = nodes.value[:, 0, :].astype(np.float64)
        if data.classes is not None:
            # A column for every class, also for one that the training part does not have.
            shares = np.zeros((len(values), len(data.classes)))
            shares[:, fitted.classes_] = values / values.sum(axis=1, keepdims=True)
            values = shares
        feature = np.where(left >= 0, nodes.feature, LEAF).astype(np.int64)
        prices = prices_of(left, right, nodes.impurity * nodes.weighted_n_node_samples / len(data))
        return cls(left, right, feature, nodes.threshold.copy(), values, *prices, fitted)

    def prices(self) -> Array:
        """Prices at which the tree changes, from 0 (the tree as it was grown) up to the root alone."""
        return np.unique(np.concatenate([[0.0], self.own[np.isfinite(self.own)]]))

    def goodness(self, data: TrainingSet, prices: Array) -> Array:
        """Right answers, or minus squared errors, of the tree at each price."""
        begin = np.searchsorted(prices, self.own, side="left")
        end = np.searchsorted(prices, self.parent, side="left")
        change = np.zeros(len(prices) + 1)
        per_node = self._per_node(data)
        np.add.at(change, begin, per_node)
        np.add.at(change, np.maximum(end, begin), -per_node)
        return np.cumsum(change)[:-1]

    def _per_node(self, data: TrainingSet) -> Array:
        """What the examples that reach a node say of it as a leaf."""
        count = len(self.left)
        leaf = self.fitted.apply(single(data.values), check_input=False)
        if data.classes is not None:
            per_leaf = np.zeros((count, len(data.classes)))
            np.add.at(per_leaf, (leaf, data.grades), 1.0)
            reached = _sums_upwards(self.left, self.right, per_leaf)
            return np.asarray(reached[np.arange(count), self.values.argmax(axis=1)])
        y = data.target
        sums = [np.bincount(leaf, weights=one, minlength=count) for one in (np.ones(len(y)), y, y * y)]
        n, first, second = _sums_upwards(self.left, self.right, np.stack(sums, axis=1)).T
        guess = self.values[:, 0]
        return np.asarray(2.0 * guess * first - second - n * guess * guess)

    def pruned(self, price: float) -> Tree:
        """The tree at a price per leaf, its nodes numbered anew."""
        kept = np.flatnonzero(self.parent > price)
        leaf = (self.own <= price)[kept]
        number = np.full(len(self.left), LEAF)
        number[kept] = np.arange(len(kept))
        return Tree(
            feature=np.where(leaf, LEAF, self.feature[kept]),
            threshold=np.where(leaf, 0.0, self.threshold[kept]),
            left=np.where(leaf, LEAF, number[self.left[kept]]),
            right=np.where(leaf, LEAF, number[self.right[kept]]),
            values=self.values[kept],
        )


def single(values: Array) -> NDArray[np.float32]:
    """In single precision, in which scikit-learn sees features; it need not look at them again."""
    return np.ascontiguousarray(values, dtype=np.float32)


def prices_of(left: Codes, right: Codes, risk: Array) -> tuple[Array, Array]:
    """The price of each node, and of its parent; children stand behind their parents, and leaves have none.

    ``risk`` is what a node costs as a leaf, in the unit of the price.
    """
    count = len(left)
    parent = np.full(count, -1)
    inner = np.flatnonzero(left >= 0)
    parent[left[inner]] = inner
    parent[right[inner]] = inner
    leaves, below = [1] * count, risk.tolist()
    for node in inner[::-1].tolist():
        one, other = int(left[node]), int(right[node])
        leaves[node] = leaves[one] + leaves[other]
        below[node] = below[one] + below[other]
    own = _collapse(left.tolist(), right.tolist(), parent.tolist(), risk=risk.tolist(), leaves=leaves, below=below)
    return own, np.where(parent >= 0, own[parent], np.inf)


def _collapse(
    left: list[int], right: list[int], parent: list[int], *, risk: list[float], leaves: list[int], below: list[float]
) -> Array:
    """Take the weakest link again and again; a price never falls from one step to the next."""
    own = np.zeros(len(left))
    gone = [False] * len(left)

    def price(node: int) -> float:
        return (risk[node] - below[node]) / (leaves[node] - 1)

    links = [(price(node), node) for node in range(len(left)) if left[node] >= 0]
    heapq.heapify(links)
    reached = 0.0
    while links:
        value, node = links[0]
        if gone[node]:
            heapq.heappop(links)
            continue
        if value != price(node):
            # Branches of it have gone since; that makes it dearer, never cheaper.
            heapq.heapreplace(links, (price(node), node))
            continue
        reached = value if value > reached + SAME else reached
        branch = [node]
        while branch:
            one = branch.pop()
            if left[one] >= 0 and not gone[one]:
                gone[one] = True
                own[one] = reached
                branch += (left[one], right[one])
        saved, cost = leaves[node] - 1, risk[node] - below[node]
        above = parent[node]
        while above >= 0:
            leaves[above] -= saved
            below[above] += cost
            above = parent[above]
    return own


def _sums_upwards(left: Codes, right: Codes, per_leaf: Array) -> Array:
    """What each node holds, where ``per_leaf`` says it of leaves: nodes by columns."""
    totals = per_leaf.copy()
    for node in np.flatnonzero(left >= 0)[::-1].tolist():
        totals[node] += totals[left[node]] + totals[right[node]]
    return totals


class TreeLearner(Learner):
    """CART with cost-complexity pruning: of the prices of the whole tree, the one that does best on the inner folds.

    A price stands for all up to the next, so what is tried is their geometric middle; of equally good ones the highest,
    which makes the smallest tree.
    """

    name: ClassVar[str] = "tree"
    tasks: ClassVar[tuple[str, ...]] = ("classes", "scores")

    def fit(self, data: TrainingSet) -> Trained:
        grown = Grown.of(data)
        steps = grown.prices()
        tried = np.concatenate([np.sqrt(steps[:-1] * steps[1:]), steps[-1:] * 2.0 + 1e-12])
        good = np.stack([Grown.of(training).goodness(held, tried) for training, held in data.inner()])
        best = _highest_best(good.sum(axis=0))
        # Of each inner fold at the price that the others choose: at its own best one it would look too good.
        others = [_highest_best(good.sum(axis=0) - own) for own in good]
        inside = float(good[np.arange(len(good)), others].sum()) / len(data)
        tree = grown.pruned(float(tried[best]))
        chosen = {"price": float(tried[best]), "leaves": int((tree.feature == LEAF).sum())}
        if data.classes is None:
            return Trained(TreeRegressor(tree, inputs=data.inputs), chosen, inside)
        return Trained(TreeGrader(tree, data.classes, inputs=data.inputs), chosen, inside)


def _highest_best(good: Array) -> int:
    """The place of the best price; of equally good ones the highest."""
    return len(good) - 1 - int(np.argmax(good[::-1]))
