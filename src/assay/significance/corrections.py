"""Many comparisons at once: p-values that keep their promise for all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from assay.errors import UnknownName

Correction = Literal["holm", "benjamini-hochberg", "none"]
_CORRECTIONS: tuple[Correction, ...] = ("holm", "benjamini-hochberg", "none")


def adjust(p_values: Sequence[float], correction: str) -> list[float]:
    """Adjusted p-values in the given order, to be held against the same level as one alone.

    ``holm`` (1979) bounds the chance of a single false alarm, ``benjamini-hochberg`` (1995) the share of false alarms.

    >>> adjust([0.01, 0.04, 0.03], "holm")
    [0.03, 0.06, 0.06]
    >>> adjust([0.01, 0.04, 0.03], "benjamini-hochberg")
    [0.03, 0.04, 0.04]
    """
    if correction not in _CORRECTIONS:
        raise UnknownName.of("correction", correction, _CORRECTIONS)
    values = np.asarray(p_values, dtype=np.float64)
    count = len(values)
    if correction == "none" or count == 0:
        return [float(value) for value in values]
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    if correction == "holm":
        stepped = np.maximum.accumulate(ranked * np.arange(count, 0, -1))
    else:
        stepped = np.minimum.accumulate((ranked * count / np.arange(1, count + 1))[::-1])[::-1]
    adjusted = np.empty(count)
    adjusted[order] = np.minimum(stepped, 1.0)
    return [float(round(value, 15)) for value in adjusted]
