"""Combination without training: the baseline that a learned model has to beat.

No judgement is looked at. Features are turned so that more is better, brought to one scale by the texts at hand, and
averaged with equal weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from assay.errors import InputError, ParameterError
from assay.learned.features.feature import Feature
from assay.learned.models.base import Array, Indices, Model, weighted_sum
from assay.learned.models.scaling import Scaling
from assay.learned.saved.fields import Fields

#: Points by which a distribution is kept; between them it is a straight line.
MOST_KNOTS = 1001


def signs(features: Sequence[Feature]) -> Indices:
    """1 for each feature of which more is better, -1 where less is; an error where nobody can say."""
    for feature in features:
        if feature.higher_is_better is None:
            raise ParameterError(
                f"The feature {feature.name!r} ({feature}) cannot be averaged: nobody can say whether more of it is "
                "better. Leave it out."
            )
    return np.array([1 if feature.higher_is_better else -1 for feature in features], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class UniformMean(Model):
    """The mean of standardised features: standard deviations above the mean of the texts that it was made from."""

    kind: ClassVar[str] = "uniform-mean"

    scaling: Scaling
    signs: Indices

    @classmethod
    def of(cls, values: Array, signs: Indices) -> UniformMean:
        """From the features of some translations."""
        return cls(Scaling.of(values), signs)

    @property
    def inputs(self) -> int:
        return len(self.signs)

    def score(self, values: Array) -> Array:
        return weighted_sum(self.scaling(self.checked(values)), self.signs / len(self.signs))

    def to_data(self) -> dict[str, Any]:
        return {"scaling": self.scaling.to_data(), "signs": self.signs.tolist()}

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:
        found = cls(Scaling.from_data(fields.inside("scaling"), inputs), _signs(fields, inputs))
        fields.finish()
        return found


@dataclass(frozen=True, eq=False)
class RankMean(Model):
    """The mean of ranks: which share of the texts that it was made from is worse, 0 to 100; half of equal ones counts.

    For each feature ``knots`` are values, rising, and ``shares`` the shares below them.
    """

    kind: ClassVar[str] = "rank-mean"

    knots: tuple[Array, ...] = field(repr=False)
    shares: tuple[Array, ...] = field(repr=False)
    signs: Indices

    @classmethod
    def of(cls, values: Array, signs: Indices) -> RankMean:
        """From the features of some translations."""
        pairs = [_distribution(column) for column in values.T]
        return cls(tuple(knots for knots, _ in pairs), tuple(shares for _, shares in pairs), signs)

    @property
    def inputs(self) -> int:
        return len(self.signs)

    def score(self, values: Array) -> Array:
        columns = self.checked(values).T
        total = np.zeros(columns.shape[1])
        for column, knots, shares, sign in zip(columns, self.knots, self.shares, self.signs.tolist(), strict=True):
            below = np.interp(column, knots, shares, left=0.0, right=1.0)
            total += below if sign > 0 else 1.0 - below
        return 100.0 * total / len(self.signs)

    def to_data(self) -> dict[str, Any]:
        return {
            "knots": [knots.tolist() for knots in self.knots],
            "shares": [shares.tolist() for shares in self.shares],
            "signs": self.signs.tolist(),
        }

    @classmethod
    def from_data(cls, fields: Fields, inputs: int) -> Self:
        def line(data: Any, where: str) -> Array:
            return Fields({"": data}, where).numbers("")

        knots, shares = fields.each("knots", line, length=inputs), fields.each("shares", line, length=inputs)
        for index, (some, below) in enumerate(zip(knots, shares, strict=True)):
            where = f"{fields.where}.knots[{index}]"
            if not 1 <= len(some) == len(below):
                raise InputError(
                    f"{where}: {len(some)} values with {len(below)} shares; there are as many, at least one."
                )
            if (np.diff(some) <= 0.0).any() or (np.diff(below) < 0.0).any() or below[0] < 0.0 or below[-1] > 1.0:
                raise InputError(f"{where}: values rise, and so do their shares, from 0 to 1.")
        found = cls(knots, shares, _signs(fields, inputs))
        fields.finish()
        return found


def _signs(fields: Fields, inputs: int) -> Indices:
    found = fields.integers("signs", length=inputs, least=-1, most=1)
    if (found == 0).any():
        raise InputError(f"{fields.where}.signs[{int((found == 0).argmax())}]: 1 or -1 is needed.")
    return found


def _distribution(column: Array) -> tuple[Array, Array]:
    """Values and the share of all values below each, half of the equal ones included."""
    values, counts = np.unique(column, return_counts=True)
    shares = (np.cumsum(counts) - counts / 2.0) / len(column)
    if len(values) > MOST_KNOTS:
        kept = np.unique(np.round(np.linspace(0, len(values) - 1, MOST_KNOTS)).astype(np.int64))
        values, shares = values[kept], shares[kept]
    return values, shares
