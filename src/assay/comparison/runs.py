"""Several runs of one system: ``sys.<name>@<run>.txt``. Training is a source of chance, like the choice of segments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.significance.intervals import Interval
from assay.significance.tests import PValue

Array = NDArray[np.float64]


def runs_of(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The runs of each system, by the part of the name before the last ``@``.

    >>> runs_of(["base@1", "base@2", "big"])
    {'base': ('base@1', 'base@2'), 'big': ('big',)}
    """
    found: dict[str, list[str]] = {}
    for name in names:
        system, at, run = name.rpartition("@")
        found.setdefault(system if at and system and run else name, []).append(name)
    return {system: tuple(runs) for system, runs in found.items()}


@dataclass(frozen=True)
class Spread:
    """Two sources of chance in one system's score: which segments were tested, and how training went."""

    #: Standard deviation over bootstrap samples of the segments, the mean over runs.
    selection: float
    #: Standard deviation over runs; None with a single run.
    training: float | None
    runs: int


def spread_of(scores: Sequence[float], resampled: Sequence[Array]) -> Spread:
    """From each run's score and its scores under the bootstrap."""
    selection = float(np.mean([run.std(ddof=1) if len(run) > 1 else 0.0 for run in resampled]))
    training = float(np.std(scores, ddof=1)) if len(scores) > 1 else None
    return Spread(selection, training, len(scores))


@dataclass(frozen=True)
class TwoLevels:
    """The error of a score or of a difference, from the choice of segments and from training."""

    error: float
    #: Satterthwaite's degrees of freedom.
    freedom: float

    @classmethod
    def of(cls, selection_error: float, units: int, spreads: Iterable[Spread]) -> TwoLevels:
        """Variances add up: of the segments, which all runs share, and between each system's runs, over their number.

        A system of one run adds nothing: how its training varies is not known.
        """
        shares = [(selection_error**2, max(units - 1, 1))]
        shares += [
            (spread.training**2 / spread.runs, spread.runs - 1) for spread in spreads if spread.training is not None
        ]
        variance = sum(share for share, _ in shares)
        if variance == 0.0:
            return cls(0.0, float(shares[0][1]))
        return cls(math.sqrt(variance), variance**2 / sum(share**2 / degrees for share, degrees in shares))

    def p_value(self, delta: float) -> PValue:
        """Welch's t."""
        from scipy.special import stdtr

        if self.error == 0.0:
            return PValue(1.0 if delta == 0.0 else 0.0)
        return PValue(2.0 * float(stdtr(self.freedom, -abs(delta) / self.error)))

    def interval(self, observed: float, confidence: float = 0.95) -> Interval:
        """As many errors to each side as Student's t asks for."""
        from scipy.special import stdtrit

        reach = -float(stdtrit(self.freedom, (1.0 - confidence) / 2.0)) * self.error
        return Interval(observed - reach, observed + reach, confidence)
