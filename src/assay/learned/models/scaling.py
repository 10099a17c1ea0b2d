"""Features brought to one scale: each less its centre, divided by its spread."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.learned.models.base import Array
from assay.learned.saved.fields import Fields


@dataclass(frozen=True, eq=False)
class Scaling:
    """``(x - centre) / spread``, feature by feature; no spread is 0."""

    centre: Array = field(repr=False)
    spread: Array = field(repr=False)

    @classmethod
    def of(cls, values: Array) -> Scaling:
        """Mean and standard deviation of each column, over all rows; 1 for one that is constant."""
        spread = values.std(axis=0)
        # Rounding leaves a little where there is nothing.
        constant = spread <= 1e-12 * np.maximum(np.abs(values).max(axis=0), 1.0)
        return cls(values.mean(axis=0), np.where(constant, 1.0, spread))

    @classmethod
    def none(cls, inputs: int) -> Scaling:
        """Features as they are."""
        return cls(np.zeros(inputs), np.ones(inputs))

    def __len__(self) -> int:
        return len(self.centre)

    def __call__(self, values: Array) -> Array:
        return np.asarray((values - self.centre) / self.spread)

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return {"centre": self.centre.tolist(), "spread": self.spread.tolist()}

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Scaling:
        """Out of plain data."""
        centre, spread = fields.numbers("centre", length=inputs), fields.numbers("spread", length=inputs)
        fields.finish()
        if (spread <= 0.0).any():
            raise InputError(f"{fields.where}.spread[{int((spread <= 0.0).argmax())}]: a number above 0 is needed.")
        return cls(centre, spread)
