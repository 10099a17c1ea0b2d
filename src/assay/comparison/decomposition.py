"""Where a BLEU difference comes from: brevity, and the precision of each order."""

from __future__ import annotations

import math

from assay.metrics.base import Rows
from assay.metrics.bleu import Bleu


def decompose(metric: Bleu, first: Rows, second: Rows) -> dict[str, float] | None:
    """Contributions in BLEU points, which add up to the difference; None where one of the scores is 0.

    BLEU is a product, so its logarithm is a sum of a term for brevity and one per order. The logarithmic mean of the
    two scores turns each term's difference into points.
    """
    scores = [float(metric.score(rows)) for rows in (first, second)]
    parts = [metric.parts(rows) for rows in (first, second)]
    weights = metric.weights or (1.0,) * metric.order
    if min(scores) <= 0.0 or metric.effective_order or metric.convention != "sacrebleu":
        return None
    ratio = math.log(scores[0] / scores[1])
    scale = scores[0] if abs(ratio) < 1e-12 else (scores[0] - scores[1]) / ratio
    logs = {"brevity": _log_ratio(parts[0]["brevity_penalty"], parts[1]["brevity_penalty"])}
    for order, weight in enumerate(weights, start=1):
        name = f"precision_{order}"
        logs[name] = weight / sum(weights) * _log_ratio(parts[0][name], parts[1][name]) if weight else 0.0
    return {name: scale * value for name, value in logs.items()}


def _log_ratio(first: object, second: object) -> float:
    return math.log(float(first) / float(second))  # type: ignore[arg-type]
