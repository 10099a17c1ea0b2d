"""What can be read from a metric's rows beside its score: parts, columns, and n-gram recall."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assay.metrics.base import Metric, Rows, Scores, ratio
from assay.metrics.bleu import NgramPrecision


def part_names(metric: Metric) -> list[str]:
    """All that can stand behind the colon."""
    return list(_parts(metric, np.zeros((1, len(metric.columns)))))


def part_values(metric: Metric, rows: Rows, part: str | None) -> Scores:
    """The score of each row, or a part of it; ``a/b`` is 0 where b is 0."""
    if part is None:
        return np.asarray(metric.score(rows), dtype=np.float64)
    found = _parts(metric, rows)
    above, slash, below = part.partition("/")
    values = np.asarray(found[above], dtype=np.float64)
    return ratio(values, np.asarray(found[below], dtype=np.float64)) if slash else values


def _parts(metric: Metric, rows: Rows) -> Mapping[str, Scores]:
    """Parts go before columns of the same name."""
    columns = {name: rows[..., index] for index, name in enumerate(metric.columns)}
    return columns | _recalls(metric, rows) | dict(metric.parts(rows))


def _recalls(metric: Metric, rows: Rows) -> dict[str, Scores]:
    """The share of the reference's n-grams that the translation has, for each order that BLEU counts.

    With several references a match may come from any, and the reference is as long as the one whose length BLEU takes.
    Then more could match than the reference has, which counts as all.
    """
    if not isinstance(metric, NgramPrecision):
        return {}
    matches, _ = metric.matches_and_totals(rows)
    found = {}
    for order in range(1, metric.order + 1):
        there = np.maximum(rows[..., 1] - order + 1, 0.0)
        found[f"recall_{order}"] = 100.0 * np.minimum(ratio(matches[..., order - 1], there), 1.0)
    return found
