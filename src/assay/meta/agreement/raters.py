"""Each rater alone: how severe, how steady over time, how near to the others, what looks odd; and quality control."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.data.judgements import Judgements
from assay.errors import InputError
from assay.meta.agreement.draws import NOTHING, Estimate
from assay.meta.agreement.pairs import Groups
from assay.meta.agreement.ratings import Ratings
from assay.meta.agreement.weighted import Floats
from assay.meta.normalise import design_of
from assay.meta.severity import fit_severities
from assay.results.result import Table
from assay.significance.tests import is_significant

#: Fewer ratings say little of a rater.
FEW_RATINGS = 10
#: One score in so large a share of the ratings is odd, where it is that of the usual rater less half of what is left.
ODD_SHARE = 0.9
#: Items shared with others, below which nothing is said of agreement with them.
ENOUGH_ITEMS = 20
#: Standard errors from which on a drift is called one: raters are many, and each is looked at.
DRIFT_ERRORS = 3.3
#: Up to this p-value a rater tells control items from the originals.
ALPHA = 0.05


def rater_rows(ratings: Ratings, others: Groups | None) -> tuple[Table, Mapping[str, float]]:
    """All raters, the most severe first, and the variances of the model behind their severities.

    Severity is in points below the average rater on the same work, drift in points from the first rating to the last.
    """
    model = fit_severities(design_of(ratings.judgements), len(ratings.raters))
    beside = {row["a"]: row for row in others.rows if row["statistic"] == "pearson"} if others else {}
    own = [np.flatnonzero(ratings.rater == code) for code in range(len(ratings.raters))]
    usual = float(np.median([_favourite(ratings.score[rows]) for rows in own])) if own else 0.0
    ends = model.interval()
    found = []
    for code, (name, rows) in enumerate(zip(ratings.raters, own, strict=True)):
        severity = Estimate(float(model.severity[code]), *(float(end[code]) for end in ends))
        near = beside.get(name, {"items": 0, **vars(NOTHING)})
        row = {"rater": name, "ratings": len(rows), **_scores(ratings.score[rows], ratings.score)}
        row |= _interval("severity", severity if model.variances else NOTHING, "severity")
        row |= _interval("drift", drift(model.residual[rows]), "drift")
        row |= _interval("others_pearson", Estimate(near["value"], near["low"], near["high"]), "others")
        row["shared_items"] = near["items"]
        row["flags"] = ", ".join(_flags(row, usual))
        found.append(row)
    return sorted(found, key=lambda row: (-(row["severity"] or 0.0), row["rater"])), model.variances


def _scores(scores: Floats, everybody: Floats) -> dict[str, float | None]:
    """What a rater gives; shares are of the lowest and the highest score that anybody gave, and of the favourite."""
    return {
        "mean": float(scores.mean()),
        "sd": float(scores.std(ddof=1)) if len(scores) > 1 else None,
        "median": float(np.median(scores)),
        "share_lowest": float((scores == everybody.min()).mean()),
        "share_highest": float((scores == everybody.max()).mean()),
        "share_favourite": _favourite(scores),
    }


def _interval(name: str, estimate: Estimate, stem: str) -> dict[str, float | None]:
    return {name: estimate.value, f"{stem}_low": estimate.low, f"{stem}_high": estimate.high}


def _flags(row: Mapping[str, Any], usual_favourite: float) -> list[str]:
    """What looks odd in a rater."""
    found = []
    if row["ratings"] < FEW_RATINGS:
        found.append("few ratings")
    if row["ratings"] > 1 and row["share_favourite"] == 1.0:
        found.append("constant")
    elif row["ratings"] >= FEW_RATINGS and row["share_favourite"] >= max(ODD_SHARE, (1.0 + usual_favourite) / 2.0):
        found.append("nearly constant")
    if row["shared_items"] >= ENOUGH_ITEMS and row["others_low"] is not None and row["others_low"] <= 0.0:
        found.append("unlike the others")
    if row["drift"] is not None and abs(row["drift"]) > DRIFT_ERRORS * ((row["drift_high"] - row["drift"]) / 1.96):
        found.append("drifts")
    return found


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


def control_rows(originals: Judgements, controls: Judgements) -> Table:
    """Does a rater tell control items, such as degraded translations, from the same rater's ratings of the originals?

    The difference is the control's mean less the original's, tested by Wilcoxon's signed ranks, two-sided; there is no
    p-value where all differences are 0.
    """
    found: Table = []
    for kind in controls.kinds:
        if kind in originals.kinds:
            raise InputError(f"{originals.origin}: {kind} is chosen as --kind and as --control. Choose it for one.")
        found += _told_apart(originals, controls.only(controls.kind.codes == controls.kind.number(kind)), kind)
    return found


def _told_apart(originals: Judgements, controls: Judgements, kind: str) -> Table:
    from scipy.stats import wilcoxon

    original = _means(Ratings.of(originals))
    differences: dict[str, list[float]] = {}
    for (rater, system, unit), score in _means(Ratings.of(controls)).items():
        if (rater, system, unit) in original:
            differences.setdefault(rater, []).append(score - original[rater, system, unit])
    found: Table = []
    for rater in sorted(differences):
        values = np.array(differences[rater])
        p = float(wilcoxon(values).pvalue) if np.any(values != 0.0) else None
        row = {"rater": rater, "control": kind, "items": len(values), "difference": float(values.mean()), "p": p}
        found.append(row | {"told_apart": p is not None and is_significant(p, ALPHA)})
    return found


def _means(ratings: Ratings) -> dict[tuple[str, str, int], float]:
    """The mean score by rater, system and segment."""
    sums: dict[tuple[str, str, int], list[float]] = {}
    names = ratings.judgements.system.names
    for score, rater, system, unit in zip(
        ratings.score.tolist(), ratings.rater.tolist(), ratings.system.tolist(), ratings.unit.tolist(), strict=True
    ):
        sums.setdefault((ratings.raters[rater], names[system], unit), []).append(score)
    return {key: sum(scores) / len(scores) for key, scores in sums.items()}
