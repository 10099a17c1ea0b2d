"""Raters made comparable: the same judgements with other scores, per kind and rater."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np

from assay.arguments import checked
from assay.arrays import Array, Flags
from assay.data.judgements import Judgements
from assay.errors import AssayWarning, ParameterError, UnknownName, counted
from assay.people.severity import fit_severities

#: What makes the median absolute deviation of normal scores their standard deviation; and the mean one's factor.
_MEDIAN_FACTOR, _MEAN_FACTOR = 1.4826, 1.2533

#: Methods, each with what it does.
METHODS = {
    "none": "scores as they are",
    "z": "per rater: less the mean, by the sample standard deviation (Turian et al. 2003; WMT's direct assessment)",
    "robust-z": "per rater: less the median, by 1.4826 times the median absolute deviation",
    "quantile": "per rater: each score becomes the one at its rank in the pooled distribution",
    "mixed": "scores plus the rater's severity, from a mixed model of systems, segments, items and raters",
}


#: Methods that give every rater the same scores in the mean, whatever the rater saw.
_ALIKE = ("z", "robust-z", "quantile")


def what_raters_saw(judgements: Judgements, method: str) -> Array | None:
    """What is to be added to each judgement that was normalised, where systems are to be compared; None for nothing.

    Who had easy segments has the same mean as everybody after ``z``, and so is too low on each of them. What is left
    between raters on the same work, by the mixed model, is taken off again.
    """
    if method not in _ALIKE:
        return None
    codes, added = judgements.rater.codes, np.zeros(len(judgements))
    there = ~np.isnan(judgements.score) & (codes >= 0)
    for code in range(len(judgements.kinds)):
        rows = np.flatnonzero((judgements.kind.codes == code) & there)
        if len(np.unique(codes[rows])) > 1:
            added[rows] = fit_severities(judgements.only(rows)).severity[judgements.only(rows).rater.codes]
    return added


@checked
def normalise(judgements: Judgements, method: str, *, seed: int = 1) -> Judgements:  # noqa: ARG001 - nothing is drawn
    """The same judgements, with scores normalised per kind and rater; a missing score stays missing.

    Judgements without a rater are taken as those of one more rater; the mixed model leaves them as they are. Nothing
    is drawn at random, so the seed does not matter.
    """
    if method not in METHODS:
        raise UnknownName.of("normalisation", method, METHODS)
    if method == "none":
        return judgements
    if (judgements.ranking.codes >= 0).any():
        raise ParameterError(
            f"{judgements.origin}: these are rankings, which have no scale to normalise. Leave --normalise out."
        )
    scores = judgements.score.copy()
    there = ~np.isnan(scores)
    for code in range(len(judgements.kinds)):
        rows = np.flatnonzero((judgements.kind.codes == code) & there)
        if len(rows):
            of_kind = judgements.only(rows)
            scores[rows] = _mixed(of_kind) if method == "mixed" else _per_rater(of_kind, method)
    unknown = int((there & (judgements.rater.codes < 0)).sum())
    if unknown:
        how = "left as they are" if method == "mixed" else "normalised together, as those of one rater"
        _note(f"{method}: {counted(unknown, 'judgement')} without a rater {how}.")
    return replace(judgements, score=scores)


def _mixed(judgements: Judgements) -> Array:
    codes = judgements.rater.codes
    if len(judgements.rater.names) < 2:
        _note(f"mixed: {judgements.kinds[0]} has a single rater, so nobody is more severe than anybody.")
        return judgements.score
    severity = fit_severities(judgements).severity
    return np.asarray(judgements.score + np.where(codes >= 0, severity[np.maximum(codes, 0)], 0.0))


def _per_rater(judgements: Judgements, method: str) -> Array:
    pooled = np.sort(judgements.score)
    scores, codes = np.empty(len(judgements)), judgements.rater.codes
    constant, peaked = np.zeros((2, len(judgements)), dtype=np.bool_)
    for code in np.unique(codes):
        rows = codes == code
        given = judgements.score[rows]
        scores[rows] = quantile_map(given, pooled) if method == "quantile" else _standardised(given, method)
        constant[rows] = np.ptp(given) == 0.0
        peaked[rows] = np.median(np.abs(given - np.median(given))) == 0.0
    became = "the pooled median" if method == "quantile" else "0"
    _warn(judgements, constant, method, "with one rating or always the same score", f"all their scores became {became}")
    if method == "robust-z":
        instead = "their median absolute deviation is 0, so 1.2533 times the mean one was taken"
        _warn(judgements, peaked & ~constant, method, "who gave one score more than half of the time", instead)
    return scores


def _standardised(scores: Array, method: str) -> Array:
    """Less their centre, by their spread; zeros where that is none.

    For ``z`` these are the mean and the sample standard deviation (n-1). For ``robust-z`` they are the median and
    1.4826 times the median absolute deviation from it; where more than half of the scores are the same that is 0, and
    1.2533 times the mean absolute deviation is taken.

    >>> _standardised(np.array([1.0, 2.0, 3.0]), "z").tolist()
    [-1.0, 0.0, 1.0]
    >>> _standardised(np.array([1.0, 2.0, 3.0, 4.0, 100.0]), "robust-z").round(3).tolist()
    [-1.349, -0.674, 0.0, 0.674, 65.426]
    """
    if np.ptp(scores) == 0.0:
        return np.zeros(len(scores))
    if method == "z":
        return np.asarray((scores - scores.mean()) / scores.std(ddof=1))
    away = np.abs(scores - np.median(scores))
    spread = _MEDIAN_FACTOR * float(np.median(away)) or _MEAN_FACTOR * float(away.mean())
    return np.asarray((scores - np.median(scores)) / spread)


def quantile_map(scores: Array, pooled: Array) -> Array:
    """Each score's mid-rank, read off the sorted ``pooled`` scores; the k-th of n stands at (k-1/2)/n in both.

    >>> quantile_map(np.array([10.0, 20.0, 20.0]), np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])).tolist()
    [1.5, 4.5, 4.5]
    """
    _, where, counts = np.unique(scores, return_inverse=True, return_counts=True)
    middle = (np.cumsum(counts) - counts / 2.0) / len(scores)
    places = (np.arange(len(pooled)) + 0.5) / len(pooled)
    # Scores that all have at the pooled end stay there: interp holds the ends.
    return np.asarray(np.interp(middle, places, pooled)[where])


def _warn(judgements: Judgements, rows: Flags, method: str, who: str, what: str) -> None:
    """Say what became of the ratings of some raters."""
    if rows.any():
        names = sorted({name or "-" for name in judgements.rater.only(rows)})
        listed = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        _note(
            f"{method}: {counted(len(names), 'rater')} {who} ({judgements.kinds[0]}: {listed}): {what} "
            f"({counted(int(rows.sum()), 'judgement')})."
        )


def _note(message: str) -> None:
    warnings.warn(message, AssayWarning, stacklevel=2)
