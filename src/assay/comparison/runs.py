"""Several runs of one system: ``sys.<name>@<run>.txt``. Training is a source of chance, like the choice of segments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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


def two_level_p(delta: float, selection_error: float, units: int, spreads: Mapping[str, Spread]) -> PValue:
    """Welch's t with both sources of chance.

    The variance of the difference is that of the segments (shared by all runs) plus, for each system, the variance
    between its runs over their number; degrees of freedom are Satterthwaite's.
    """
    from scipy.special import stdtr

    shares = [(selection_error**2, units - 1)]
    shares += [
        (spread.training**2 / spread.runs, spread.runs - 1)
        for spread in spreads.values()
        if spread.training is not None
    ]
    variance = sum(share for share, _ in shares)
    if variance == 0.0:
        return PValue(1.0 if delta == 0.0 else 0.0)
    freedom = variance**2 / sum(share**2 / degrees for share, degrees in shares if degrees > 0)
    return PValue(2.0 * float(stdtr(freedom, -abs(delta) / math.sqrt(variance))))
