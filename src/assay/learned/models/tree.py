"""Decision trees as arrays: one entry per node, children behind their parents."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from assay.errors import InputError
from assay.learned.models.base import Array, Classes, Grader, Indices, Model
from assay.learned.saved.fields import Fields

#: What stands for "no feature" and "no child" in a leaf.
LEAF = -1
#: Nodes of one tree and steps from its root to a leaf. Assay learns trees of at most 256 leaves.
LARGEST_TREE = 10_000
DEEPEST_TREE = 256


@dataclass(frozen=True, eq=False)
class Tree:
    """Where ``feature <= threshold`` it goes left, else right, until a leaf, whose ``values`` count.

    With ``single`` features are rounded to single precision before they are compared, as the trees of scikit-learn
    do it; thresholds are not.
    """

    feature: Indices = field(repr=False)
    threshold: Array = field(repr=False)
    left: Indices = field(repr=False)
    right: Indices = field(repr=False)
    #: Nodes by outputs.
    values: Array = field(repr=False)
    inputs: int
    single: bool = True

    def __len__(self) -> int:
        return len(self.feature)

    @cached_property
    def _steps(self) -> tuple[Indices, Array, Indices, int]:
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

    def leaves(self, seen: Array) -> Indices:
        """The leaf in which each row ends; rows are as ``compared`` gives them."""
        feature, threshold, children, depth = self._steps
        cells, first = seen.ravel(), np.arange(len(seen)) * seen.shape[1]
        node = np.zeros(len(seen), dtype=np.int64)
        for _ in range(depth):
            goes_right = cells.take(first + feature.take(node)) > threshold.take(node)
            node = children.take(2 * node + goes_right)
        return node

    def outputs(self, values: Array) -> Array:
        """What the leaves say: rows by outputs."""
        return self.outputs_of(compared(values, self.single))

    def outputs_of(self, seen: Array) -> Array:
        """The same of rows as ``compared`` gives them, for who asks many trees."""
        found: Array = self.values[self.leaves(seen)]
        return found

    def to_data(self) -> dict[str, Any]:
        """As plain data: thresholds of leaves are 0."""
        inner = self.feature != LEAF
        return {
            "feature": self.feature.tolist(),
            "threshold": np.where(inner, self.threshold, 0.0).tolist(),
            "left": np.where(inner, self.left, LEAF).tolist(),
            "right": np.where(inner, self.right, LEAF).tolist(),
            "values": self.values.tolist(),
            "single": self.single,
        }

    @classmethod
    def from_data(cls, fields: Fields, inputs: int, outputs: int) -> Tree:
        """Out of plain data; every child stands behind its parent, so that every walk ends."""
        feature = fields.integers("feature", least=LEAF, most=inputs - 1)
        count = len(feature)
        if not 1 <= count <= LARGEST_TREE:
            raise InputError(f"{fields.where}.feature: a tree has at least one node, and at most {LARGEST_TREE:,}.")
        tree = cls(
            feature,
            fields.numbers("threshold", length=count),
            fields.integers("left", length=count, least=LEAF, most=count - 1),
            fields.integers("right", length=count, least=LEAF, most=count - 1),
            fields.matrix("values", rows=count, columns=outputs),
            inputs,
            fields.flag("single"),
        )
        fields.finish()
        numbers = np.arange(count)
        for name, children in (("left", tree.left), ("right", tree.right)):
            wrong = (feature != LEAF) & (children <= numbers)
            if wrong.any():
                first = int(wrong.argmax())
                raise InputError(
                    f"{fields.where}.{name}[{first}]: child {int(children[first])} does not stand behind its parent, "
                    f"node {first}. The tree would have no end."
                )
        parents = np.bincount(np.concatenate([tree.left, tree.right])[np.tile(feature != LEAF, 2)], minlength=count)
        if (parents[1:] != 1).any():
            wrong_node = int((parents[1:] != 1).argmax()) + 1
            raise InputError(f"{fields.where}: node {wrong_node} has {parents[wrong_node]} parents. It takes one.")
        if tree.depth > DEEPEST_TREE:
            raise InputError(f"{fields.where}: a tree of depth {tree.depth:,}, but {DEEPEST_TREE} is the most.")
        return tree


def compared(values: Array, single: bool) -> Array:
    """Features as trees compare them with thresholds: rounded to single precision, or as they are."""
    return np.ascontiguousarray(values.astype(np.float32).astype(np.float64) if single else values)


@dataclass(frozen=True, eq=False)
class TreeGrader(Grader):
    """A decision tree whose leaves hold the share of each class."""

    kind: ClassVar[str] = "decision-tree"

    tree: Tree
    classes: Classes

    @property
    def inputs(self) -> int:
        return self.tree.inputs

    def probabilities(self, values: Array) -> Array:
        return self.tree.outputs(self.checked(values))

    def to_data(self) -> dict[str, Any]:
        return {"classes": self.classes.to_data(), "tree": self.tree.to_data()}

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:
        classes = Classes.from_data(fields.inside("classes"))
        tree = Tree.from_data(fields.inside("tree"), inputs, len(classes))
        fields.finish()
        off = (tree.values < 0.0).any(axis=1) | (np.abs(tree.values.sum(axis=1) - 1.0) > 1e-9)
        if off.any():
            raise InputError(f"{fields.where}.tree.values[{int(off.argmax())}]: shares of classes sum to 1.")
        return cls(tree, classes)


@dataclass(frozen=True, eq=False)
class TreeRegressor(Model):
    """A decision tree whose leaves hold a score."""

    kind: ClassVar[str] = "regression-tree"

    tree: Tree

    @property
    def inputs(self) -> int:
        return self.tree.inputs

    def score(self, values: Array) -> Array:
        return self.tree.outputs(self.checked(values))[:, 0]

    def to_data(self) -> dict[str, Any]:
        return {"tree": self.tree.to_data()}

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:
        tree = Tree.from_data(fields.inside("tree"), inputs, 1)
        fields.finish()
        return cls(tree)
