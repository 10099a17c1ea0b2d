"""Means of what few people and a judge of everything say: prediction-powered inference (Angelopoulos, Duchi and Zrnic,
2023, PPI++), tuned to how far the judge can be followed.

The corrected mean is that of people over the judged items, plus λ times how much higher the judge's mean is over all
items than over the judged ones. λ is the slope of people's scores on the judge's over the judged items: 0 for a judge
that knows nothing, and then people's mean is left as it is; whatever the judge's scale, and whatever it adds to every
score, the mean is people's. It takes the judged items as a random sample of all.

It estimates the mean of items like these, as all intervals here do, not of these very items: so the choice of all items
is part of its error. (About these items alone the same mean would have a smaller error, and the same λ.)

Errors come from leaving out each unit (a segment, or a document with its segments) with all that was said of it, λ
fitted anew each time. So they allow for λ, for items of a document that are alike, and for systems that are scored on
the same items. Intervals and p-values go by Student's t.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from assay.arrays import Array, Flags
from assay.errors import ParameterError
from assay.properties import cached_property
from assay.significance.association import ROUNDING
from assay.significance.draws import (
    FEWEST_UNITS,
    NOTHING,
    Estimate,
    Units,
    bootstrap_counts,
    degrees_of_freedom,
    interval,
    satterthwaite,
    weighted_sums,
)
from assay.significance.pairs import TwoLevels


class Tested(NamedTuple):
    """A difference with its interval, and how likely so much is by chance; None where that cannot be said."""

    estimate: Estimate
    p: float | None = None


class _Means(NamedTuple):
    """Of each system, and of each system without each unit."""

    people: Array
    corrected: Array
    slope: Array
    #: The judge's mean over judged items less that over the others.
    selection: Array
    #: What a system weighs where several are taken together: judged items times others, by both.
    weight: Array


@dataclass(frozen=True, eq=False)
class PredictionPowered:
    """People's scores and a judge's, systems by segments; NaN is a missing score.

    All items of a system are those with a score of the judge's, the judged ones those with both.
    """

    people: Array = field(repr=False)
    judge: Array = field(repr=False)
    #: What is left out and drawn as a whole.
    units: Units

    def __post_init__(self) -> None:
        if self.people.ndim != 2 or self.people.shape != self.judge.shape:
            raise ParameterError(
                "People's scores and the judge's are two tables of systems by segments; these have shapes "
                f"{self.people.shape} and {self.judge.shape}."
            )
        if len(self.units.codes) != self.people.shape[1]:
            raise ParameterError(f"Units of {len(self.units.codes)} segments are not of {self.people.shape[1]}.")

    @cached_property
    def _there(self) -> tuple[Flags, Flags]:
        """Which cells are items, and which of them were judged."""
        items = np.isfinite(self.judge)
        return items, items & np.isfinite(self.people)

    @property
    def items(self) -> Array:
        """How many items each system has."""
        return np.asarray(self._there[0].sum(axis=1))

    @property
    def judged(self) -> Array:
        """How many of them people judged."""
        return np.asarray(self._there[1].sum(axis=1))

    @cached_property
    def judge_means(self) -> Array:
        """The judge's means over all items."""
        return _share(np.where(self._there[0], self.judge, 0.0).sum(axis=1), self.items)

    @property
    def people_means(self) -> Array:
        """People's means over the judged items."""
        return self._whole.people

    @property
    def corrected_means(self) -> Array:
        """Both together; NaN where nothing was judged."""
        return self._whole.corrected

    @property
    def slopes(self) -> Array:
        """λ: how many points of people's a point of the judge's stands for."""
        return self._whole.slope

    @cached_property
    def _rows(self) -> Array:
        """Of each system and unit, what is added up: units by systems by columns.

        Scores stand around their means, for the sums of squares.
        """
        items, judged = self._there
        y, f = (
            np.where(there, values - _share(np.where(there, values, 0.0).sum(axis=1), there.sum(axis=1))[:, None], 0.0)
            for values, there in ((self.people, judged), (self.judge, items))
        )
        columns = np.stack([judged, judged * y, judged * f, judged * f * f, judged * f * y, items, f], axis=-1)
        return self.units.sums(np.moveaxis(columns, 1, 0).astype(np.float64))

    @cached_property
    def _whole(self) -> _Means:
        return self._means(self._rows.sum(axis=0))

    @cached_property
    def _without(self) -> _Means:
        """The same without each unit: units by systems."""
        return self._means(self._rows.sum(axis=0) - self._rows)

    def _means(self, sums: Array) -> _Means:
        count, y, f, ff, fy, items, all_f = np.moveaxis(sums, -1, 0)
        judged = np.where(self._there[1], self.people, 0.0).sum(axis=1)
        centre = _share(judged, self.judged)
        spread = ff - _share(f * f, count)
        varies = spread > ROUNDING * np.maximum(ff, 1e-300)
        slope = np.where(varies, (fy - _share(f * y, count)) / np.where(varies, spread, 1.0), 0.0)
        people, of_judged, others = centre + _share(y, count), _share(f, count), np.round(items - count)
        return _Means(
            people,
            people + slope * (_share(all_f, items) - of_judged),
            np.where(count > 0, slope, np.nan),
            of_judged - _share(all_f - f, others),
            np.nan_to_num(_share(count * others, items)),
        )

    def _judged_units(self, *systems: int) -> Flags:
        """The units in which something of any of these systems was judged."""
        return np.asarray((self._rows[:, list(systems), 0] > 0).any(axis=1))

    def _tested(self, value: float, without: Array, judged: Flags) -> Tested:
        """By Student's t, from the value without each unit.

        What judged units bring and what the others bring are two variances, each with degrees of freedom of its own:
        there are as many of the one as were judged, however many others there are. Of people alone, by segments, it is
        the interval of a textbook.
        """
        if not math.isfinite(value):
            return Tested(NOTHING)
        count = int(judged.sum())
        if count < FEWEST_UNITS or not np.isfinite(without).all():
            return Tested(Estimate(value))
        apart, shrink = value - without, (count - 1) / count
        parts = [part for part in (apart[judged], apart[~judged]) if len(part)]
        variances = [(shrink * float((part**2).sum()), degrees_of_freedom(len(part), part)) for part in parts]
        variance, freedom = satterthwaite(variances)
        error = TwoLevels(math.sqrt(variance), freedom)
        return Tested(Estimate(value, *error.interval(value)), error.p_value(value).value)

    def people_mean(self, system: int) -> Estimate:
        """What people say alone."""
        without = self._without.people[:, system]
        return self._tested(float(self.people_means[system]), without, self._judged_units(system)).estimate

    def corrected_mean(self, system: int) -> Estimate:
        """What people and judge say together."""
        without = self._without.corrected[:, system]
        return self._tested(float(self.corrected_means[system]), without, self._judged_units(system)).estimate

    def difference(self, first: int, second: int) -> Tested:
        """How much higher the corrected mean of the first system is than that of the second."""
        value = float(self.corrected_means[first] - self.corrected_means[second])
        without = self._without.corrected[:, first] - self._without.corrected[:, second]
        return self._tested(value, without, self._judged_units(first, second))

    def selection(self, *systems: int) -> Tested:
        """How much higher the judge scores what people judged than what they did not, in its standard deviations.

        Judged items that are a random sample differ by chance alone. Of several systems it is the mean over them, each
        by its number of items; without any of all.
        """
        chosen = list(systems or range(len(self.judge)))
        judged = self._judged_units(*chosen)

        def mean(means: _Means) -> Array:
            weight, apart = means.weight[..., chosen], np.nan_to_num(means.selection[..., chosen])
            return _share((weight * apart).sum(axis=-1), weight.sum(axis=-1))

        items = self._there[0][chosen]
        centred = np.where(items, self.judge[chosen] - self.judge_means[chosen][:, None], 0.0)
        deviation = math.sqrt(float((centred**2).sum()) / max(int(items.sum()), 1))
        if not deviation > 0.0:
            return Tested(NOTHING)
        return self._tested(float(mean(self._whole)) / deviation, mean(self._without) / deviation, judged)

    def worth(self, *systems: int, samples: int = 1000, seed: int = 1) -> Estimate:
        """How many judged items would tell as much by people alone as these and the judge do together.

        That is the number of judged items times the variance of people's mean by that of the corrected mean: at most as
        many as there are items, and for a judge that knows nothing a little fewer than were judged, for λ has to be
        estimated. Of several systems, or without any of all, their variances are added up, and it is for one of them.
        """
        chosen = [system for system in (systems or range(len(self.judge))) if self.judged[system] > 0]
        judged = self._judged_units(*chosen) if chosen else np.zeros(len(self.units), dtype=np.bool_)
        if int(judged.sum()) < FEWEST_UNITS:
            return NOTHING
        apart = (self._without.people - self.people_means, self._without.corrected - self.corrected_means)
        squares = np.stack([(each[:, chosen] ** 2).sum(axis=1) for each in apart], axis=1)
        number, most = float(self.judged[chosen].mean()), float(self.items[chosen].mean())
        (drawn,) = weighted_sums([squares], bootstrap_counts(self.units.keys, samples, seed), samples)
        total = squares.sum(axis=0)

        def worth(sums: Array) -> Array:
            with np.errstate(invalid="ignore", divide="ignore"):
                return np.asarray(np.minimum(number * sums[:, 0] / sums[:, 1], most))

        value = float(worth(total[None])[0])
        if not math.isfinite(value):
            return NOTHING
        ends = interval(worth(drawn), int(judged.sum()), jackknife=worth(total - squares[judged]))
        return Estimate(value, *ends)


def _share(part: Array, whole: Array) -> Array:
    """A quotient; NaN where there is nothing to divide by."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan))
