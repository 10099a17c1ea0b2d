"""Combination without training, the baseline that a learned model has to beat; and models around another model.

No judgement is looked at. Features are turned so that more is better, brought to one scale by the texts at hand, and
averaged with equal weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from assay.arrays import Array, Codes
from assay.errors import InputError
from assay.learned.linear import Cut, Linear, Preference, fit_cut
from assay.learned.model import Classes, Grader, Model, Scaling, at, refuse, require_length, weighted_sum
from assay.learned.training import Trained, TrainingSet
from assay.learned.trees import BoostedRegressor, TreeRegressor

#: Points by which a distribution is kept; between them it is a straight line.
MOST_KNOTS = 1001


def _require_signs(found: Codes, inputs: int) -> None:
    require_length("signs", found, inputs)
    refuse("signs", found, np.abs(found) != 1, "1 or -1 is needed.")


class UniformMean(Model, frozen=True, tag="uniform-mean"):
    """The mean of standardised features: standard deviations above the mean of the texts that it was made from."""

    unit: ClassVar[str] = "standard deviations above the mean of {campaign}"
    scaling: Scaling
    signs: Codes

    @classmethod
    def of(cls, values: Array, signs: Codes) -> UniformMean:
        """From the features of some translations."""
        return cls(Scaling.of(values), signs, inputs=len(signs))

    def score(self, values: Array) -> Array:
        return weighted_sum(self.scaling(self.checked(values)), self.signs / len(self.signs))

    def check(self) -> None:
        self.scaling.require(self.inputs)
        _require_signs(self.signs, self.inputs)


class RankMean(Model, frozen=True, tag="rank-mean"):
    """The mean of ranks: which share of the texts that it was made from is worse, 0 to 100; half of equal ones counts.

    For each feature ``knots`` are values, rising, and ``shares`` the shares below them.
    """

    unit: ClassVar[str] = "mean rank among the translations of {campaign}, 0 to 100"
    knots: tuple[Array, ...]
    shares: tuple[Array, ...]
    signs: Codes

    @classmethod
    def of(cls, values: Array, signs: Codes) -> RankMean:
        """From the features of some translations."""
        pairs = [_distribution(column) for column in values.T]
        knots, shares = tuple(knots for knots, _ in pairs), tuple(shares for _, shares in pairs)
        return cls(knots, shares, signs, inputs=len(signs))

    def score(self, values: Array) -> Array:
        columns = self.checked(values).T
        total = np.zeros(columns.shape[1])
        for column, knots, shares, sign in zip(columns, self.knots, self.shares, self.signs.tolist(), strict=True):
            below = np.interp(column, knots, shares, left=0.0, right=1.0)
            total += below if sign > 0 else 1.0 - below
        # Of no feature at all, the same of every text.
        return 100.0 * total / max(len(self.signs), 1)

    def check(self) -> None:
        _require_signs(self.signs, self.inputs)
        require_length("knots", self.knots, self.inputs)
        require_length("shares", self.shares, self.inputs)
        for index, (knots, below) in enumerate(zip(self.knots, self.shares, strict=True)):
            if not 1 <= len(knots) == len(below) or knots.ndim > 1 or below.ndim > 1:
                raise InputError(
                    f".knots[{index}]: {len(knots)} values with {len(below)} shares; there are as many, at least one."
                )
            if (np.diff(knots) <= 0.0).any() or (np.diff(below) < 0.0).any() or below[0] < 0.0 or below[-1] > 1.0:
                raise InputError(f".knots[{index}]: values rise, and so do their shares, from 0 to 1.")


def _distribution(column: Array) -> tuple[Array, Array]:
    """Values and the share of all values below each, half of the equal ones included."""
    values, counts = np.unique(column, return_counts=True)
    shares = (np.cumsum(counts) - counts / 2.0) / len(column)
    if len(values) > MOST_KNOTS:
        kept = np.unique(np.round(np.linspace(0, len(values) - 1, MOST_KNOTS)).astype(np.int64))
        values, shares = values[kept], shares[kept]
    return values, shares


#: The means by the names that people choose them by.
MEANS: Mapping[str, type[UniformMean] | type[RankMean]] = {"uniform": UniformMean, "rank-average": RankMean}
#: Models that give scores and look at all their features.
Plain = Linear | Preference | TreeRegressor | BoostedRegressor | UniformMean | RankMean


def _check_inside(model: Model, inputs: int) -> None:
    with at(".model"):
        if model.inputs != inputs:
            raise InputError(f": the model within takes {model.inputs} features, but {inputs} are there.")
        model.check()


class SomeColumns(Model, frozen=True, tag="some-columns"):
    """A model that looks at some of the features."""

    model: Plain
    columns: Codes

    def score(self, values: Array) -> Array:
        return self.model.score(self.checked(values)[:, self.columns])

    def check(self) -> None:
        columns = self.columns.ravel().tolist()
        if not columns or len(set(columns)) < len(columns) or not 0 <= min(columns) <= max(columns) < self.inputs:
            raise InputError(f".columns: at least one is needed, and none twice, all from 0 to {self.inputs - 1}.")
        _check_inside(self.model, len(columns))


class Graded(Grader, Model, frozen=True, tag="graded"):
    """A model that knows scores only; an ordinal regression on its score gives the grades."""

    model: Plain | SomeColumns
    cut: Cut

    @property
    def classes(self) -> Classes:  # type: ignore[override]
        return self.cut.classes

    def probabilities(self, values: Array) -> Array:
        return self.cut.ordinal.probabilities(self.model.score(self.checked(values))[:, None])

    def check(self) -> None:
        with at(".cut"):
            self.cut.ordinal.check()
        _check_inside(self.model, self.inputs)


def fit_mean(mean: type[UniformMean] | type[RankMean], data: TrainingSet) -> Trained:
    """The mean of all features of which it is known whether more is better, each of equal weight.

    No judgement decides about a weight. Only where grades are wanted, the cut points come from the training part.
    """
    columns = np.array([place for place, better in enumerate(data.better) if better is not None], dtype=np.int64)
    signs = np.array([1 if better else -1 for better in data.better if better is not None], dtype=np.int64)
    model = SomeColumns(mean.of(data.values[:, columns], signs), columns, inputs=data.inputs)
    if data.classes is None:
        return Trained(model)
    return Trained(Graded(model, fit_cut(model.score(data.values), data), inputs=data.inputs))
