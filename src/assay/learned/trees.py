"""Decision trees as arrays, one entry per node, children behind their parents: alone, and boosted.

scikit-learn grows them. One alone is pruned as far as the inner folds advise: cost-complexity pruning (Breiman et al.,
1984) takes the subtree that costs least: its errors, and a price per leaf. How many rounds of boosted ones there are an
inner fold chooses.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Codes
from assay.errors import InputError
from assay.learned.model import Classes, Grader, Model, Number, Numbers, at, logistic, refuse, require_length
from assay.learned.training import Trained, TrainingSet, load_sklearn
from assay.properties import cached_property
from assay.significance.draws import stream

#: What stands for "no feature" and "no child" in a leaf.
_LEAF = -1
#: Nodes of one tree and steps from its root to a leaf. Assay learns trees of at most 256 leaves.
_LARGEST_TREE = 10_000
_DEEPEST_TREE = 256
#: Steps through all trees for one translation. Sixty rounds of trees with eight leaves take at most 480 per grade.
MOST_STEPS = 100_000
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


class Tree(Numbers, frozen=True):
    """Where ``feature <= threshold`` it goes left, else right, until a leaf, whose ``values`` count.

    With ``single`` features are rounded to single precision before they are compared, as the trees of scikit-learn
    do it; thresholds are not. Leaves have ``_LEAF`` as feature and children, and 0 as threshold.
    """

    feature: Codes
    threshold: Array
    left: Codes
    right: Codes
    #: Nodes by outputs.
    values: Array
    single: bool = True

    def __len__(self) -> int:
        return len(self.feature)

    @cached_property
    def _steps(self) -> tuple[Codes, Array, Codes, int]:
        """For walking all rows at once: a leaf leads to itself, and so many steps end every walk."""
        numbers = np.arange(len(self))
        leaf = self.feature == _LEAF
        children = np.stack([np.where(leaf, numbers, self.left), np.where(leaf, numbers, self.right)], axis=1)
        depth = np.zeros(len(self), dtype=np.int64)
        for node in np.flatnonzero(~leaf).tolist():
            # Children stand behind their parents, so each depth is final when it is used.
            depth[children[node]] = depth[node] + 1
        return np.where(leaf, 0, self.feature), self.threshold, children.ravel(), int(depth.max())

    @property
    def depth(self) -> int:
        """The steps from the root to the lowest leaf."""
        return self._steps[3]

    def outputs(self, values: Array) -> Array:
        """What the leaves say: rows by outputs."""
        found: Array = self.values[self.leaves(compared(values, self.single))]
        return found

    def splits_like(self, other: Tree) -> bool:
        """Whether each row reaches the same node in both."""
        return self.single == other.single and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("feature", "threshold", "left", "right")
        )

    def leaves(self, seen: Array) -> Codes:
        """The leaf that each row reaches, features being as ``compared`` gives them."""
        feature, threshold, children, depth = self._steps
        cells, first = seen.ravel(), np.arange(len(seen)) * seen.shape[1]
        node = np.zeros(len(seen), dtype=np.int64)
        for _ in range(depth):
            goes_right = cells.take(first + feature.take(node)) > threshold.take(node)
            node = children.take(2 * node + goes_right)
        return node

    def require(self, inputs: int, outputs: int) -> None:
        """Refuse a tree whose walks might not end, or look at features that there are not."""
        count = len(self)
        if not 1 <= count <= _LARGEST_TREE:
            raise InputError(f".feature: a tree has at least one node, and at most {_LARGEST_TREE:,}.")
        require_length("threshold", self.threshold, count)
        for name, most in (("feature", inputs - 1), ("left", count - 1), ("right", count - 1)):
            found: Codes = getattr(self, name)
            require_length(name, found, count)
            refuse(name, found, (found < _LEAF) | (found > most), f"{{value}} is outside of {_LEAF} to {most}.")
        if self.values.shape != (count, outputs):
            width = self.values.shape[1] if self.values.ndim > 1 else 0
            raise InputError(f".values: {len(self.values)} lists of {width}, but {count} of {outputs} are needed.")
        self._require_order()
        if self.depth > _DEEPEST_TREE:
            raise InputError(f": a tree of depth {self.depth:,}, but {_DEEPEST_TREE} is the most.")

    def _require_order(self) -> None:
        """Every child stands behind its parent and has no other one, so that every walk ends."""
        inner, numbers = self.feature != _LEAF, np.arange(len(self))
        for name, children in (("left", self.left), ("right", self.right)):
            message = "child {value} does not stand behind its parent, node {place}. The tree would have no end."
            refuse(name, children, inner & (children <= numbers), message)
        children = np.concatenate([self.left, self.right])[np.tile(inner, 2)]
        parents = np.bincount(children, minlength=len(self))
        if (parents[1:] != 1).any():
            node = int((parents[1:] != 1).argmax()) + 1
            raise InputError(f": node {node} has {parents[node]} parents. It takes one.")


def compared(values: Array, single: bool) -> Array:
    """Features as trees compare them with thresholds: rounded to single precision, or as they are."""
    return np.ascontiguousarray(values.astype(np.float32).astype(np.float64) if single else values)


class TreeGrader(Grader, Model, frozen=True, tag="decision-tree"):
    """A decision tree whose leaves hold the share of each class."""

    tree: Tree
    classes: Classes

    def probabilities(self, values: Array) -> Array:
        return self.tree.outputs(self.checked(values))

    def check(self) -> None:
        with at(".tree"):
            self.tree.require(self.inputs, len(self.classes))
        shares = self.tree.values
        off = (shares < 0.0).any(axis=1) | (np.abs(shares.sum(axis=1) - 1.0) > 1e-9)
        refuse("tree.values", shares, off, "shares of classes sum to 1.")


class TreeRegressor(Model, frozen=True, tag="regression-tree"):
    """A decision tree whose leaves hold a score."""

    tree: Tree

    def score(self, values: Array) -> Array:
        return self.tree.outputs(self.checked(values))[:, 0]

    def check(self) -> None:
        with at(".tree"):
            self.tree.require(self.inputs, 1)


class Boosting(Numbers, frozen=True):
    """A start, and rounds of small trees that each add a little: a tree per output and round.

    ``rate`` is what of each tree counts.
    """

    start: Array
    rounds: tuple[tuple[Tree, ...], ...]
    rate: Number

    def outputs(self, values: Array) -> Array:
        """The sums: rows by outputs."""
        total = np.tile(self.start, (len(values), 1))
        seen = {single: compared(values, single) for single in {tree.single for trees in self.rounds for tree in trees}}
        for trees in self.rounds:
            for output, tree in enumerate(trees):
                if output == 0 or not tree.splits_like(trees[output - 1]):
                    leaves = tree.leaves(seen[tree.single])
                total[:, output] += self.rate * tree.values[leaves, 0]
        return total

    def require(self, inputs: int, outputs: int) -> None:
        """Refuse trees that are wrong, or would take very long together."""
        require_length("start", self.start, outputs)
        for place, trees in enumerate(self.rounds):
            require_length(f"rounds[{place}]", trees, outputs)
            for number, tree in enumerate(trees):
                with at(f".rounds[{place}][{number}]"):
                    tree.require(inputs, 1)
        steps = sum(tree.depth + 1 for trees in self.rounds for tree in trees)
        if steps > MOST_STEPS:
            raise InputError(
                f".rounds: {steps:,} steps through all trees for one translation, but {MOST_STEPS:,} are the most."
            )


def class_shares(raw: Array) -> Array:
    """Probabilities of classes: by a logistic curve where there is one output, else by softmax."""
    if raw.shape[1] == 1:
        upper = logistic(raw[:, 0])
        return np.column_stack([1.0 - upper, upper])
    powers = np.exp(raw - raw.max(axis=1, keepdims=True))
    total = np.zeros(len(powers))
    for column in powers.T:
        total += column
    return np.asarray(powers / total[:, None])


class BoostedGrader(Grader, Model, frozen=True, tag="boosted-trees"):
    """Boosted trees for classes: one output and a logistic curve for two, an output per class and softmax for more."""

    boosting: Boosting
    classes: Classes

    def probabilities(self, values: Array) -> Array:
        return class_shares(self.boosting.outputs(self.checked(values)))

    def check(self) -> None:
        if len(self.classes) < 2:
            raise InputError(".classes: boosted trees tell at least two grades apart.")
        with at(".boosting"):
            self.boosting.require(self.inputs, 1 if len(self.classes) == 2 else len(self.classes))


class BoostedRegressor(Model, frozen=True, tag="boosted-regression"):
    """Boosted trees for a score."""

    boosting: Boosting

    def score(self, values: Array) -> Array:
        return self.boosting.outputs(self.checked(values))[:, 0]

    def check(self) -> None:
        with at(".boosting"):
            self.boosting.require(self.inputs, 1)


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
    return Trained(model, {"price": price, "leaves": int((model.tree.feature == _LEAF).sum())}, inside)


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
        counts = reached @ (held.target[:, None] == fitted.classes_).astype(np.float64)
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
    return tree.fit(_single(data.values), data.target, check_input=False)


def _impurity(data: TrainingSet) -> float:
    """What the root costs as a leaf: the variance, or Gini's index."""
    if data.classes is None:
        return float(data.target.var())
    shares = np.bincount(data.target) / len(data)
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
    shares = np.bincount(data.target, minlength=len(data.classes)) / len(data)
    logs = np.log(np.maximum(shares, _TINY))
    return np.asarray(logs[1:] - logs[:1] if len(logs) == 2 else logs)


def grow(data: TrainingSet) -> Iterator[tuple[Tree, ...]]:
    """Rounds of trees, one per output, without end; those of a round split alike and differ in their leaves.

    Of each feature a split is drawn at random, and the best feature taken (Geurts et al., 2006): six times as fast as
    to look for the best split of each, and after many rounds as good. Leaves are Newton's steps (Friedman, 2001).
    """
    seen, classes = _single(data.values), data.classes
    # What outputs are to come near to: scores, whether it is the upper of two classes, or which class it is.
    truth = data.target[:, None]
    if classes is not None and len(classes) > 2:
        truth = np.asarray(data.target[:, None] == np.arange(len(classes)), dtype=np.float64)
    raw = np.tile(start_of(data), (len(data), 1))
    generator = stream(data.targets.seed, "splits of trees")
    estimator = load_sklearn().tree.DecisionTreeRegressor(
        splitter="random", max_leaf_nodes=_LEAVES, min_samples_leaf=_LEAST_IN_LEAF
    )
    while True:
        # Of the log-likelihood (or half of the squared error) by each output: the slope, and minus the curvature.
        chances = raw if classes is None else class_shares(raw)[:, -raw.shape[1] :]
        slope, curvature = truth - chances, np.ones_like(raw) if classes is None else chances * (1.0 - chances)
        estimator.set_params(random_state=int(generator.integers(2**31)))
        estimator.fit(seen, slope, check_input=False)
        leaf = estimator.apply(seen, check_input=False)
        steps = _sums(slope, leaf) / (_sums(curvature, leaf) + _L2)
        raw += RATE * steps[leaf]
        yield tuple(_plain_tree(estimator, column[:, None]) for column in steps.T)


def _sums(values: Array, leaf: Array) -> Array:
    """Sums over the examples of each node: nodes by columns."""
    return np.stack([np.bincount(leaf, column, minlength=int(leaf.max()) + 1) for column in values.T], axis=1)


def _loss_and_goodness(raw: Array, held: TrainingSet) -> tuple[float, float]:
    """What an output costs, and how good it is."""
    if held.classes is None:
        error = float(((raw[:, 0] - held.target) ** 2).mean())
        return error, -error
    chances = class_shares(raw)
    likely = chances[np.arange(len(held)), held.target]
    right = float((chances.argmax(axis=1) == held.target).mean())
    return -float(np.log(np.maximum(likely, _TINY)).mean()), right


def _single(values: Array) -> NDArray[np.float32]:
    """In single precision, in which scikit-learn's trees see features; they need not look at them again."""
    return np.ascontiguousarray(values, dtype=np.float32)


def _plain_tree(fitted: Any, values: Array) -> Tree:
    """A tree of scikit-learn as plain data, with these values at its nodes."""
    nodes = fitted.tree_
    leaf = nodes.children_left < 0
    return Tree(
        feature=np.where(leaf, _LEAF, nodes.feature).astype(np.int64),
        threshold=np.where(leaf, 0.0, nodes.threshold),
        left=nodes.children_left.astype(np.int64),
        right=nodes.children_right.astype(np.int64),
        values=values,
    )
