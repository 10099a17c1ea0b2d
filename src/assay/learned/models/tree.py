"""Decision trees as arrays: one entry per node, children behind their parents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.learned.fields import Fields
from assay.learned.models.base import Array, Classes, Grader, Indices, Model

#: What stands for "no feature" and "no child" in a leaf.
LEAF = -1
#: Nodes of one tree; more would not have been learned from judgements that people made.
LARGEST_TREE = 10_000_000


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

    def leaves(self, values: Array) -> Indices:
        """The leaf in which each row ends."""
        seen: NDArray[Any] = values.astype(np.float32).astype(np.float64) if self.single else values
        node = np.zeros(len(seen), dtype=np.int64)
        going = np.flatnonzero(self.feature[node] != LEAF)
        while len(going):
            here = node[going]
            goes_left = seen[going, self.feature[here]] <= self.threshold[here]
            node[going] = np.where(goes_left, self.left[here], self.right[here])
            going = going[self.feature[node[going]] != LEAF]
        return node

    def outputs(self, values: Array) -> Array:
        """What the leaves say: rows by outputs."""
        found: Array = self.values[self.leaves(values)]
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
        return tree


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
