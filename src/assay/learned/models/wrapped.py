"""Models around another model: of some of the features, and with grades cut out of its scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from assay.errors import InputError
from assay.learned.models.base import Array, Classes, Grader, Indices, Model
from assay.learned.models.linear import Ordinal
from assay.learned.saved.fields import Fields


@dataclass(frozen=True, eq=False)
class SomeColumns(Model):
    """A model that looks at some of ``count`` features."""

    kind: ClassVar[str] = "some-columns"

    model: Model
    columns: Indices
    count: int

    @property
    def inputs(self) -> int:
        return self.count

    def score(self, values: Array) -> Array:
        return self.model.score(self.checked(values)[:, self.columns])

    def to_data(self) -> dict[str, Any]:
        return {"columns": self.columns.tolist(), "model": _inside(self.model)}

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:
        columns = fields.integers("columns", most=inputs - 1)
        if len(columns) < 1 or len(set(columns.tolist())) < len(columns):
            raise InputError(f"{fields.where}.columns: at least one is needed, and none twice.")
        model = _read_inside(fields, len(columns), but=("some-columns", "graded"))
        fields.finish()
        return cls(model, columns, inputs)


@dataclass(frozen=True, eq=False)
class Graded(Grader):
    """A model that knows scores only; an ordinal regression on its score gives the grades."""

    kind: ClassVar[str] = "graded"

    model: Model
    #: Of one feature, the score.
    cut: Ordinal
    classes: Classes

    @property
    def inputs(self) -> int:
        return self.model.inputs

    def probabilities(self, values: Array) -> Array:
        return self.cut.probabilities(np.ascontiguousarray(self.model.score(self.checked(values))[:, None]))

    def to_data(self) -> dict[str, Any]:
        return {"cut": self.cut.to_data(), "model": _inside(self.model)}

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:
        cut = Ordinal.from_data(fields.inside("cut"), 1)
        model = _read_inside(fields, inputs, but=("graded",))
        fields.finish()
        return cls(model, cut, cut.classes)


def _inside(model: Model) -> dict[str, Any]:
    from assay.learned.models.registry import model_to_data

    return model_to_data(model)


def _read_inside(fields: Fields, inputs: int, but: tuple[str, ...]) -> Model:
    """The model within, which takes so many features; some kinds may not stand there, so that there is an end."""
    from assay.learned.models.registry import MODELS, model_from_data

    inside = fields.inside("model")
    allowed = tuple(kind for kind, model in MODELS.items() if kind not in but and not issubclass(model, Grader))
    found = model_from_data(inside, allowed)
    if found.inputs != inputs:
        raise InputError(f"{inside.where}: the model within takes {found.inputs} features, but {inputs} are there.")
    return found
