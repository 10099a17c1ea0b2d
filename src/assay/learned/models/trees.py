"""Decision trees as arrays, one entry per node, children behind their parents; alone, and boosted."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from assay.arrays import Array, Codes
from assay.errors import InputError
from assay.learned.models.base import Classes, Grader, Model, Number, Numbers, at, logistic, refuse, require_length

#: What stands for "no feature" and "no child" in a leaf.
LEAF = -1
#: Nodes of one tree and steps from its root to a leaf. Assay learns trees of at most 256 leaves.
_LARGEST_TREE = 10_000
_DEEPEST_TREE = 256
#: Steps through all trees for one translation. Sixty rounds of trees with eight leaves take at most 480 per grade.
MOST_STEPS = 100_000


class Tree(Numbers, frozen=True):
    """Where ``feature <= threshold`` it goes left, else right, until a leaf, whose ``values`` count.

    With ``single`` features are rounded to single precision before they are compared, as the trees of scikit-learn
    do it; thresholds are not. Leaves have ``LEAF`` as feature and children, and 0 as threshold.
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
        leaf = self.feature == LEAF
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
            refuse(name, found, (found < LEAF) | (found > most), f"{{value}} is outside of {LEAF} to {most}.")
        if self.values.shape != (count, outputs):
            width = self.values.shape[1] if self.values.ndim > 1 else 0
            raise InputError(f".values: {len(self.values)} lists of {width}, but {count} of {outputs} are needed.")
        self._require_order()
        if self.depth > _DEEPEST_TREE:
            raise InputError(f": a tree of depth {self.depth:,}, but {_DEEPEST_TREE} is the most.")

    def _require_order(self) -> None:
        """Every child stands behind its parent and has no other one, so that every walk ends."""
        inner, numbers = self.feature != LEAF, np.arange(len(self))
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
