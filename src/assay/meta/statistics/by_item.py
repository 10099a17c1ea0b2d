"""Statistics within each segment, over its systems: one number per draw of systems and segment.

A segment has few systems, so everything is a product of the draws with a table over systems, or over pairs of them.
Copies of a system that was drawn twice are no pair.
"""

from __future__ import annotations

import numpy as np

from assay.meta.statistics.draws import Array
from assay.significance.association import from_moments, tau_b, tau_c


class ItemPairs:
    """All pairs of systems in all segments: signs of their differences, pairs by segments; 0 where one is missing."""

    def __init__(self, metric: Array, human: Array) -> None:
        self.first, self.second = np.triu_indices(len(metric), k=1)
        self.metric_difference = metric[self.first] - metric[self.second]
        self.human_difference = human[self.first] - human[self.second]
        self.present = ~np.isnan(self.human_difference)
        self.metric_sign = np.nan_to_num(np.sign(self.metric_difference))
        self.human_sign = np.nan_to_num(np.sign(self.human_difference))

    def weights(self, systems: Array) -> Array:
        """Draws by pairs."""
        return np.asarray(systems[:, self.first] * systems[:, self.second])

    def agree(self) -> Array:
        """1 where both sides order a pair alike, or tie."""
        return np.asarray(self.present & (self.metric_sign == self.human_sign), dtype=np.float64)


def pearson_by_item(metric: Array, human: Array, systems: Array) -> Array:
    """Pearson's correlation in each segment: draws by segments."""
    present = ~np.isnan(metric)
    x, y = _standardised(metric, present), _standardised(human, present)
    moments = np.stack([present.astype(np.float64), x, y, x * x, y * y, x * y])
    return from_moments(systems @ moments)


def spearman_by_item(metric: Array, human: Array, systems: Array) -> Array:
    """Spearman's correlation in each segment: draws by segments."""
    shape = (len(systems), metric.shape[1])
    covariance, variance_x, variance_y = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for system in range(len(metric)):
        # Half of what lies below less half of what lies above: a mid-rank less the mean rank.
        rank_x, rank_y = (
            systems @ np.nan_to_num(np.sign(scores[system] - scores)) * (0.5 * ~np.isnan(scores[system]))
            for scores in (metric, human)
        )
        weight = systems[:, system, None]
        covariance += weight * rank_x * rank_y
        variance_x += weight * rank_x * rank_x
        variance_y += weight * rank_y * rank_y
    with np.errstate(invalid="ignore", divide="ignore"):
        value = covariance / (np.sqrt(variance_x) * np.sqrt(variance_y))
    defined = (variance_x > 0) & (variance_y > 0)
    return np.asarray(np.where(defined, np.clip(value, -1.0, 1.0), np.nan))


def kendall_b_by_item(pairs: ItemPairs, systems: Array) -> Array:
    """Kendall's tau-b in each segment: draws by segments."""
    weights = pairs.weights(systems)
    return tau_b(
        weights @ (pairs.metric_sign * pairs.human_sign), weights @ pairs.metric_sign**2, weights @ pairs.human_sign**2
    )


def kendall_c_by_item(pairs: ItemPairs, metric: Array, human: Array, systems: Array) -> Array:
    """Kendall's tau-c in each segment: draws by segments."""
    difference = pairs.weights(systems) @ (pairs.metric_sign * pairs.human_sign)
    total = systems @ (~np.isnan(metric)).astype(np.float64)
    classes = np.minimum(_classes(metric, systems), _classes(human, systems))
    return tau_c(2.0 * difference, total, classes)


def agreement_by_item(pairs: ItemPairs, systems: Array) -> Array:
    """The share of pairs in each segment that both sides order alike, or tie: draws by segments."""
    weights = pairs.weights(systems)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((weights @ pairs.agree()) / (weights @ pairs.present.astype(np.float64)))


def kendall_like_counts(pairs: ItemPairs, systems: Array, threshold: float) -> tuple[Array, Array]:
    """Concordant pairs and all pairs that people set apart by ``threshold``, draws by segments.

    A pair that the metric ties is not concordant.
    """
    with np.errstate(invalid="ignore"):
        apart = np.abs(pairs.human_difference) >= threshold
    concordant = apart & (pairs.metric_sign * pairs.human_sign > 0)
    weights = pairs.weights(systems)
    return weights @ concordant.astype(np.float64), weights @ apart.astype(np.float64)


def _standardised(scores: Array, present: Array) -> Array:
    """Each segment's scores centred and scaled, so that sums of squares cancel little; a constant becomes exactly 0."""
    filled = np.where(present, scores, 0.0)
    centred = np.where(present, scores - filled.sum(axis=0) / np.maximum(present.sum(axis=0), 1), 0.0)
    low = np.where(present, scores, np.inf).min(axis=0)
    high = np.where(present, scores, -np.inf).max(axis=0)
    largest = np.abs(centred).max(axis=0)
    return np.asarray(np.where((high > low) & (largest > 0), centred / np.where(largest > 0, largest, 1.0), 0.0))


def _classes(scores: Array, systems: Array) -> Array:
    """How many distinct scores each segment has among the systems drawn: draws by segments."""
    drawn = (systems > 0).astype(np.float64)
    present = ~np.isnan(scores)
    found = drawn @ present.astype(np.float64)
    for system in range(1, len(scores)):
        equal = scores[:system] == scores[system]
        if equal.any():
            # It adds nothing where an earlier system that was drawn has the same score.
            seen = drawn[:, :system] @ equal.astype(np.float64) > 0
            found -= drawn[:, system, None] * seen
    return np.asarray(found)
