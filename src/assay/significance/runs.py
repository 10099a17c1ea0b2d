"""Several runs of one system: ``sys.<name>@<run>.txt``. Training is a source of chance, like the choice of segments."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from assay.significance.intervals import Interval
from assay.significance.tests import PValue


def runs_of(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The runs of each system, by the part of the name before the last ``@``.

    >>> runs_of(["base@1", "base@2", "big"])
    {'base': ('base@1', 'base@2'), 'big': ('big',)}
    """
    by_system: dict[str, list[str]] = {}
    for name in names:
        system, at, run = name.rpartition("@")
        by_system.setdefault(system if at and system and run else name, []).append(name)
    return {system: tuple(runs) for system, runs in by_system.items()}


@dataclass(frozen=True)
class TwoLevels:
    """The error of a score or of a difference, from the choice of segments and from training."""

    error: float
    #: Satterthwaite's degrees of freedom.
    freedom: float

    @classmethod
    def of(cls, selection_error: float, units: int, training: Iterable[tuple[float, int]]) -> TwoLevels:
        """Variances add up: of the segments, which all runs share, and between each system's runs, over their number.

        ``training`` holds the standard deviation over runs, and how many there are, of each system with several. A
        system of one run adds nothing: how its training varies is not known.
        """
        shares = [(selection_error**2, max(units - 1, 1))]
        shares += [(deviation**2 / runs, runs - 1) for deviation, runs in training]
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
