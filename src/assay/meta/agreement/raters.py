"""Each rater alone: how severe, how steady over time, how near to the others, and what looks odd."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.meta.agreement.draws import NOTHING, Estimate
from assay.meta.agreement.groups import GroupedResult
from assay.meta.agreement.ratings import Ratings
from assay.meta.normalise import design_of
from assay.meta.severity import Severities, fit_severities

Floats = NDArray[np.float64]

#: Fewer ratings say little of a rater.
FEW_RATINGS = 10
#: One score in so large a share of the ratings is odd, where it is that of the usual rater less half of what is left.
ODD_SHARE = 0.9
#: Items shared with others, below which nothing is said of agreement with them.
ENOUGH_ITEMS = 20
#: Standard errors from which on a drift is called one: raters are many, and each is looked at.
DRIFT_ERRORS = 3.3


@dataclass(frozen=True)
class Rater:
    """One rater. Severity is in points below the average rater on the same work, drift in points from first to last."""

    name: str
    ratings: int
    mean: float
    deviation: float | None
    median: float
    #: Shares of ratings at the lowest and the highest score that anybody gave, and at the rater's own favourite.
    lowest: float
    highest: float
    favourite: float
    severity: Estimate
    drift: Estimate
    #: Pearson's correlation with the mean of the others.
    others: Estimate
    shared_items: int
    flags: tuple[str, ...]

    def row(self) -> dict[str, Any]:
        """As JSON and tables hold it."""
        return {
            "rater": self.name,
            "ratings": self.ratings,
            "mean": self.mean,
            "sd": self.deviation,
            "median": self.median,
            "share_lowest": self.lowest,
            "share_highest": self.highest,
            "share_favourite": self.favourite,
            "severity": self.severity.value,
            "severity_low": self.severity.low,
            "severity_high": self.severity.high,
            "drift": self.drift.value,
            "drift_low": self.drift.low,
            "drift_high": self.drift.high,
            "others_pearson": self.others.value,
            "others_low": self.others.low,
            "others_high": self.others.high,
            "shared_items": self.shared_items,
            "flags": list(self.flags),
        }


def describe(ratings: Ratings, others: GroupedResult | None) -> tuple[tuple[Rater, ...], Mapping[str, float]]:
    """All raters, the most severe first, and the variances of the model behind their severities."""
    model = fit_severities(design_of(ratings.judgements), len(ratings.raters))
    beside = {group.names[0]: group for group in others.groups} if others is not None else {}
    shares = [_favourite(ratings.score[ratings.rater == code]) for code in range(len(ratings.raters))]
    usual = float(np.median(shares)) if shares else 0.0
    found = []
    for code, name in enumerate(ratings.raters):
        group = beside.get(name)
        near = group.statistics["pearson"] if group is not None else NOTHING
        items = group.items if group is not None else 0
        found.append(_rater(ratings, code, model, (near, items), usual))
    order = sorted(found, key=lambda rater: (-(rater.severity.value or 0.0), rater.name))
    return tuple(order), model.variances


def _rater(
    ratings: Ratings, code: int, model: Severities, others: tuple[Estimate, int], usual_favourite: float
) -> Rater:
    rows = np.flatnonzero(ratings.rater == code)
    scores = ratings.score[rows]
    low, high = (float(ends[code]) for ends in model.interval())
    severity = Estimate(float(model.severity[code]), low, high) if model.variances else NOTHING
    moved = drift(model.residual[rows])
    favourite = _favourite(scores)
    near, items = others
    flags = []
    if len(scores) < FEW_RATINGS:
        flags.append("few ratings")
    if len(scores) > 1 and np.ptp(scores) == 0.0:
        flags.append("constant")
    elif len(scores) >= FEW_RATINGS and favourite >= max(ODD_SHARE, (1.0 + usual_favourite) / 2.0):
        flags.append("nearly constant")
    if items >= ENOUGH_ITEMS and near.low is not None and near.low <= 0.0:
        flags.append("unlike the others")
    if moved.value is not None and moved.high is not None:
        error = (moved.high - moved.value) / 1.96
        if abs(moved.value) > DRIFT_ERRORS * error:
            flags.append("drifts")
    return Rater(
        name=ratings.raters[code],
        ratings=len(scores),
        mean=float(scores.mean()),
        deviation=float(scores.std(ddof=1)) if len(scores) > 1 else None,
        median=float(np.median(scores)),
        lowest=float((scores == ratings.score.min()).mean()),
        highest=float((scores == ratings.score.max()).mean()),
        favourite=favourite,
        severity=severity,
        drift=moved,
        others=near,
        shared_items=items,
        flags=tuple(flags),
    )


def _favourite(scores: Floats) -> float:
    """The share of the score that comes most often."""
    return float(np.unique(scores, return_counts=True)[1].max() / len(scores)) if len(scores) else 0.0


def drift(residuals: Floats) -> Estimate:
    """How far a straight line through the residuals, in the order of the file, goes from the first to the last one."""
    count = len(residuals)
    if count < FEW_RATINGS or np.ptp(residuals) < 1e-12:
        return NOTHING
    time = np.linspace(-0.5, 0.5, count)
    slope = float(time @ residuals / (time @ time))
    left = residuals - residuals.mean() - slope * time
    error = float(np.sqrt((left @ left) / (count - 2) / (time @ time)))
    return Estimate(slope, slope - 1.96 * error, slope + 1.96 * error)
