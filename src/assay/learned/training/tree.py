"""Decision trees, as the paper has them: grown by scikit-learn, pruned as far as the inner folds advise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.learned.models.trees import LEAF, Tree, TreeGrader, TreeRegressor
from assay.learned.training.lesson import Array, Codes, Learner, Learnt, Lesson
from assay.learned.training.pruning import Prices, prices_of, sums_upwards
from assay.learned.training.scikit import load_sklearn

#: The tree is grown this far before it is pruned: leaves with so few examples, and so many leaves.
LEAST_IN_LEAF = 5
MOST_LEAVES = 256


@dataclass(frozen=True, eq=False)
class Grown:
    """A tree as large as it gets, with the price of each of its branches."""

    left: Codes
    right: Codes
    feature: Codes
    threshold: Array
    #: Shares of classes, or the score: nodes by outputs.
    values: Array
    prices: Prices
    fitted: Any

    @classmethod
    def of(cls, lesson: Lesson) -> Grown:
        """Grow a tree on all of a lesson."""
        trees = load_sklearn().tree
        kind = trees.DecisionTreeRegressor if lesson.classes is None else trees.DecisionTreeClassifier
        growing = kind(min_samples_leaf=LEAST_IN_LEAF, max_leaf_nodes=MOST_LEAVES, random_state=lesson.seed)
        target = lesson.target if lesson.classes is None else lesson.grades
        fitted = growing.fit(lesson.values, target)
        nodes = fitted.tree_
        left, right = nodes.children_left.astype(np.int64), nodes.children_right.astype(np.int64)
        risk = nodes.impurity * nodes.weighted_n_node_samples / len(target)
        values = nodes.value[:, 0, :].astype(np.float64)
        if lesson.classes is not None:
            values = _all_classes(values / values.sum(axis=1, keepdims=True), fitted.classes_, len(lesson.classes))
        feature = np.where(left >= 0, nodes.feature, LEAF).astype(np.int64)
        return cls(left, right, feature, nodes.threshold.copy(), values, prices_of(left, right, risk), fitted)

    def goodness(self, lesson: Lesson) -> Array:
        """What a lesson says of each node as a leaf: right answers, or minus squared errors."""
        count = len(self.left)
        leaf = self.fitted.apply(lesson.values)
        if lesson.classes is not None:
            per_leaf = np.zeros((count, len(lesson.classes)))
            np.add.at(per_leaf, (leaf, lesson.grades), 1.0)
            reached = sums_upwards(self.left, self.right, per_leaf)
            return np.asarray(reached[np.arange(count), self.values.argmax(axis=1)])
        y = lesson.target
        sums = [np.bincount(leaf, weights=one, minlength=count) for one in (np.ones(len(y)), y, y * y)]
        n, first, second = sums_upwards(self.left, self.right, np.stack(sums, axis=1)).T
        guess = self.values[:, 0]
        return np.asarray(2.0 * guess * first - second - n * guess * guess)

    def pruned(self, price: float) -> Tree:
        """The tree at a price per leaf, its nodes numbered anew."""
        kept = np.flatnonzero(self.prices.parent > price)
        leaves = self.prices.leaves_at(price)[kept]
        number = np.full(len(self.left), LEAF)
        number[kept] = np.arange(len(kept))

        def inner(array: Any) -> Any:
            return np.where(leaves, LEAF, array)

        return Tree(
            feature=inner(self.feature[kept]),
            threshold=np.where(leaves, 0.0, self.threshold[kept]),
            left=inner(number[self.left[kept]]),
            right=inner(number[self.right[kept]]),
            values=self.values[kept],
        )


def _all_classes(shares: Array, known: Codes, count: int) -> Array:
    """A column for every class, also for one that the training part does not have."""
    full = np.zeros((len(shares), count))
    full[:, known] = shares
    return full


class TreeLearner(Learner):
    """CART with cost-complexity pruning: of the prices of the whole tree, the one that does best on the inner folds.

    A price stands for all up to the next, so what is tried is their geometric middle; of equally good ones the highest,
    which makes the smallest tree.
    """

    name: ClassVar[str] = "tree"
    tasks: ClassVar[tuple[str, ...]] = ("classes", "scores")

    def learn(self, lesson: Lesson) -> Learnt:
        grown = Grown.of(lesson)
        steps = grown.prices.steps()
        tried = np.concatenate([np.sqrt(steps[:-1] * steps[1:]), steps[-1:] * 2.0 + 1e-12])
        good = np.stack([_at_prices(training, held, tried) for training, held in lesson.inner()])
        best = _highest_best(good.sum(axis=0))
        # Of each inner fold at the price that the others choose: at its own best one it would look too good.
        others = [_highest_best(good.sum(axis=0) - own) for own in good]
        inside = float(good[np.arange(len(good)), others].sum()) / len(lesson.target)
        tree = grown.pruned(float(tried[best]))
        inputs = lesson.values.shape[1]
        model = (
            TreeRegressor(tree, inputs=inputs)
            if lesson.classes is None
            else TreeGrader(tree, lesson.classes, inputs=inputs)
        )
        leaves = int((tree.feature == LEAF).sum())
        return Learnt(model, {"price": float(tried[best]), "leaves": leaves}, inside)


def _at_prices(training: Lesson, held: Lesson, tried: Array) -> Array:
    """How good a tree that is grown on one lesson is on another, at each price."""
    inside = Grown.of(training)
    return inside.prices.sums_at(inside.goodness(held), tried)


def _highest_best(good: Array) -> int:
    """The place of the best price; of equally good ones the highest."""
    return len(good) - 1 - int(np.argmax(good[::-1]))
