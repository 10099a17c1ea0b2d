"""Boosted trees: a start, and many small trees that each add a little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from assay.errors import InputError
from assay.learned.models.base import Array, Classes, Grader, Model, logistic
from assay.learned.models.tree import Tree, compared
from assay.learned.saved.fields import Fields, as_list

#: Steps through all trees for one translation. Sixty rounds of trees with eight leaves take at most 480 per grade.
MOST_STEPS = 100_000


@dataclass(frozen=True, eq=False)
class Boosting:
    """Rounds of trees, one per output and round; ``rate`` is what of each tree counts."""

    start: Array
    rounds: Sequence[Sequence[Tree]] = field(repr=False)
    rate: float
    inputs: int

    def outputs(self, values: Array) -> Array:
        """The sums: rows by outputs."""
        total = np.tile(self.start, (len(values), 1))
        seen = {single: compared(values, single) for single in {tree.single for trees in self.rounds for tree in trees}}
        for trees in self.rounds:
            for output, tree in enumerate(trees):
                total[:, output] += self.rate * tree.outputs_of(seen[tree.single])[:, 0]
        return total

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "start": self.start.tolist(),
            "rate": self.rate,
            "rounds": [[tree.to_data() for tree in trees] for trees in self.rounds],
        }

    @classmethod
    def from_data(cls, fields: Fields, inputs: int, outputs: int) -> Boosting:
        """Out of plain data."""

        def one(data: Any, where: str) -> Tree:
            return Tree.from_data(Fields(data, where), inputs, 1)

        def several(data: Any, where: str) -> tuple[Tree, ...]:
            listed = as_list(data, where, outputs)
            return tuple(one(item, f"{where}[{index}]") for index, item in enumerate(listed))

        found = cls(
            fields.numbers("start", length=outputs), fields.each("rounds", several), fields.number("rate"), inputs
        )
        fields.finish()
        steps = sum(tree.depth + 1 for trees in found.rounds for tree in trees)
        if steps > MOST_STEPS:
            raise InputError(
                f"{fields.where}.rounds: {steps:,} steps through all trees for one translation, but {MOST_STEPS:,} are "
                "the most."
            )
        return found


@dataclass(frozen=True, eq=False)
class BoostedGrader(Grader):
    """Boosted trees for classes: one output and a logistic curve for two, an output per class and softmax for more."""

    kind: ClassVar[str] = "boosted-trees"

    boosting: Boosting
    classes: Classes

    @property
    def inputs(self) -> int:
        return self.boosting.inputs

    def probabilities(self, values: Array) -> Array:
        raw = self.boosting.outputs(self.checked(values))
        if raw.shape[1] == 1:
            upper = logistic(raw[:, 0])
            return np.column_stack([1.0 - upper, upper])
        powers = np.exp(raw - raw.max(axis=1, keepdims=True))
        total = np.zeros(len(powers))
        for column in powers.T:
            total += column
        return np.asarray(powers / total[:, None])

    def to_data(self) -> dict[str, Any]:
        return {"classes": self.classes.to_data(), "boosting": self.boosting.to_data()}

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:
        classes = Classes.from_data(fields.inside("classes"))
        if len(classes) < 2:
            raise InputError(f"{fields.where}.classes: boosted trees tell at least two grades apart.")
        outputs = 1 if len(classes) == 2 else len(classes)
        boosting = Boosting.from_data(fields.inside("boosting"), inputs, outputs)
        fields.finish()
        return cls(boosting, classes)


@dataclass(frozen=True, eq=False)
class BoostedRegressor(Model):
    """Boosted trees for a score."""

    kind: ClassVar[str] = "boosted-regression"

    boosting: Boosting

    @property
    def inputs(self) -> int:
        return self.boosting.inputs

    def score(self, values: Array) -> Array:
        return self.boosting.outputs(self.checked(values))[:, 0]

    def to_data(self) -> dict[str, Any]:
        return {"boosting": self.boosting.to_data()}

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:
        boosting = Boosting.from_data(fields.inside("boosting"), inputs, 1)
        fields.finish()
        return cls(boosting)
