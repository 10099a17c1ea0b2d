"""Curves over the length of documents: their means, what single documents have, and how they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from assay.meta.sources import Source
from assay.meta.statistics.draws import Array
from assay.significance.intervals import quantiles
from assay.significance.tests import is_significant, wilcoxon_p

#: The level of significance of Turian, Shen & Melamed (2003).
LEVEL = 0.001
#: Two-sided 95 % of the normal distribution.
NORMAL = 1.959963984540054
#: Deviations below this are rounding.
NOTHING = 1e-12
#: What the rows of curves have beside their values, where there is nothing to say.
NOBODY: dict[str, Any] = {"curve": None, "metric": None, "references": None, "behind": None, "p": None}


@dataclass(frozen=True, eq=False)
class Curve:
    """A metric under a number of references."""

    label: str
    metric: str
    references: int
    source: Source

    def named(self) -> dict[str, Any]:
        """The cells of a table that say which curve it is."""
        return {"curve": self.label, "metric": self.metric, "references": self.references}


def summary(values: Array, length: int) -> dict[str, Any]:
    """The mean over documents with its interval, and what the middle 90 % of single documents have."""
    defined = values[np.isfinite(values)]
    found: dict[str, Any] = {"length": length, "documents": len(defined)}
    if len(defined) < 2:
        return found | dict.fromkeys(("correlation", "low", "high", "spread_low", "spread_high"))
    mean, deviation = float(defined.mean()), float(defined.std(ddof=1))
    if deviation < NOTHING:
        # The same document again and again.
        return found | {"correlation": mean} | dict.fromkeys(("low", "high", "spread_low", "spread_high"))
    margin = NORMAL * deviation / len(defined) ** 0.5
    low, high = quantiles(defined, [0.05, 0.95])
    return found | {
        "correlation": mean, "low": mean - margin, "high": mean + margin, "spread_low": low, "spread_high": high,
    }  # fmt: skip


def rows_of(drawn: Mapping[str, Array], length: int, curves: Sequence[Curve], *, whole: bool) -> list[dict[str, Any]]:
    """All curves at one length, each beside the highest; documents of the ``whole`` text are one, and test nothing."""
    rows = [NOBODY | curve.named() | summary(drawn[curve.label], length) for curve in curves]
    able = [row for row in rows if row["correlation"] is not None]
    best = max(able, key=lambda row: row["correlation"], default=None)
    for row in rows:
        if best is not None and row is not best and row["correlation"] is not None:
            difference, p = compared(drawn[best["curve"]], drawn[row["curve"]])
            row |= {"behind": difference, "p": None if whole else p}
    return rows


def compared(first: Array, second: Array) -> tuple[float | None, float | None]:
    """The mean difference of two curves in the same documents, and Wilcoxon's p."""
    both = np.isfinite(first) & np.isfinite(second)
    if not both.any():
        return None, None
    return float((first[both] - second[both]).mean()), wilcoxon_p(first[both], second[both]).value


def significant_from(values: Sequence[Mapping[str, Array]]) -> float | None:
    """The difference from which on all differences between curves are significant; None if the largest is not."""
    found = sorted(
        (abs(difference), p)
        for drawn in values
        for one, other in combinations(drawn, 2)
        for difference, p in [compared(drawn[one], drawn[other])]
        if difference is not None and p is not None
    )
    doubtful = [index for index, (_, p) in enumerate(found) if not is_significant(p, LEVEL)]
    first = doubtful[-1] + 1 if doubtful else 0
    return found[first][0] if first < len(found) else None
