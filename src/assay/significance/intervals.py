"""Intervals out of resampled scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError


@dataclass(frozen=True)
class Interval:
    """A range for a score, and how sure it is."""

    low: float
    high: float
    confidence: float = 0.95

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter((self.low, self.high))


def percentile_interval(resampled: NDArray[np.float64], confidence: float = 0.95) -> Interval:
    """The middle ``confidence`` of the resampled scores (Efron's percentile interval)."""
    if not 0.0 < confidence < 1.0:
        raise ParameterError(f"The confidence is {confidence}, but it takes a number between 0 and 1.")
    if len(resampled) == 0:
        raise ParameterError("An interval needs at least one sample.")
    tail = (1.0 - confidence) / 2.0
    low, high = quantiles(resampled, [tail, 1.0 - tail])
    return Interval(low, high, confidence)


def quantiles(values: NDArray[np.float64], levels: Sequence[float]) -> list[float]:
    """Values at these shares of the sorted ones, with straight lines between them.

    As ``numpy.quantile``, which loads masked arrays to do it, and that takes longer than all the rest.
    """
    ordered = np.sort(values)
    places = np.asarray(levels) * (len(ordered) - 1)
    found: list[float] = np.interp(places, np.arange(len(ordered)), ordered).tolist()
    return found
