"""The kinds of model that a file may hold. There are no others: a name in a file never leads to code of its choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.learned.models.base import Model
from assay.learned.models.boosted import BoostedGrader, BoostedRegressor
from assay.learned.models.combination import RankMean, UniformMean
from assay.learned.models.linear import Linear, Logistic, Ordinal, Preference
from assay.learned.models.tree import TreeGrader, TreeRegressor
from assay.learned.models.wrapped import Graded, SomeColumns
from assay.learned.saved.fields import Fields

MODELS: dict[str, type[Model]] = {
    model.kind: model
    for model in (
        TreeGrader,
        TreeRegressor,
        BoostedGrader,
        BoostedRegressor,
        Linear,
        Logistic,
        Ordinal,
        Preference,
        UniformMean,
        RankMean,
        SomeColumns,
        Graded,
    )
}


def model_to_data(model: Model) -> dict[str, Any]:
    """A model with the name of its kind, as plain data."""
    return {"kind": model.kind, "inputs": model.inputs, **model.to_data()}


def model_from_data(fields: Fields, allowed: Sequence[str] = tuple(MODELS)) -> Model:
    """A model out of plain data; of one of the ``allowed`` kinds."""
    kind = fields.choice("kind", allowed)
    return MODELS[kind].from_data(fields, fields.integer("inputs", least=1, most=100_000))
