"""Raters made comparable: the same judgements with other scores, per kind and rater."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Codes
from assay.data.judgements import Judgements
from assay.errors import AssayWarning, ParameterError, UnknownName, counted
from assay.people.severity import Design, fit_severities

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
            scores[rows] = _of_kind(judgements.only(rows), method)
    unknown = int((there & (judgements.rater.codes < 0)).sum())
    if unknown:
        how = "left as they are" if method == "mixed" else "normalised together, as those of one rater"
        _note(f"{method}: {counted(unknown, 'judgement')} without a rater {how}.")
    return replace(judgements, score=scores)


def _of_kind(judgements: Judgements, method: str) -> Array:
    if method == "mixed":
        return _mixed(judgements)
    pooled = np.sort(judgements.score)
    transform = {"z": _z_scores, "robust-z": _robust_z_scores}.get(method)
    scores, codes = np.empty(len(judgements)), judgements.rater.codes
    constant, peaked = np.zeros((2, len(judgements)), dtype=np.bool_)
    for code in np.unique(codes):
        rows = codes == code
        given = judgements.score[rows]
        scores[rows] = transform(given) if transform else quantile_map(given, pooled)
        constant[rows] = np.ptp(given) == 0.0
        peaked[rows] = np.median(np.abs(given - np.median(given))) == 0.0
    became = "0" if transform else "the pooled median"
    _warn(judgements, constant, method, "with one rating or always the same score", f"all their scores became {became}")
    if method == "robust-z":
        instead = "their median absolute deviation is 0, so 1.2533 times the mean one was taken"
        _warn(judgements, peaked & ~constant, method, "who gave one score more than half of the time", instead)
    return scores


def _z_scores(scores: Array) -> Array:
    """Less their mean, by their sample standard deviation (n-1); zeros where that is none.

    >>> _z_scores(np.array([1.0, 2.0, 3.0])).tolist()
    [-1.0, 0.0, 1.0]
    """
    if np.ptp(scores) == 0.0:
        return np.zeros(len(scores))
    return np.asarray((scores - scores.mean()) / scores.std(ddof=1))


def _robust_z_scores(scores: Array) -> Array:
    """Less their median, by 1.4826 times the median absolute deviation from it.

    Where more than half of the scores are the same that is 0, and 1.2533 times the mean absolute deviation is taken.

    >>> _robust_z_scores(np.array([1.0, 2.0, 3.0, 4.0, 100.0])).round(3).tolist()
    [-1.349, -0.674, 0.0, 0.674, 65.426]
    """
    if np.ptp(scores) == 0.0:
        return np.zeros(len(scores))
    away = np.abs(scores - np.median(scores))
    spread = _MEDIAN_FACTOR * float(np.median(away)) or _MEAN_FACTOR * float(away.mean())
    return np.asarray((scores - np.median(scores)) / spread)


def quantile_map(scores: Array, pooled: Array) -> Array:
    """Each score's mid-rank, read off the sorted ``pooled`` scores; the k-th of n stands at (k-1/2)/n in both.

    >>> quantile_map(np.array([10.0, 20.0, 20.0]), np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])).tolist()
    [1.5, 4.5, 4.5]
    """
    values, where, counts = np.unique(scores, return_inverse=True, return_counts=True)
    middle = (np.cumsum(counts) - counts / 2.0) / len(scores)
    places = (np.arange(len(pooled)) + 0.5) / len(pooled)
    # Scores that all have at the pooled end stay there: interp holds the ends.
    mapped: Array = np.interp(middle, places, pooled)[where].reshape(len(scores))
    return mapped if len(values) else scores


def _mixed(judgements: Judgements) -> Array:
    codes = judgements.rater.codes
    if len(np.unique(codes[codes >= 0])) < 2:
        _note(f"mixed: {judgements.kinds[0]} has a single rater, so nobody is more severe than anybody.")
        return judgements.score
    model = fit_severities(design_of(judgements), len(judgements.rater.names))
    return np.asarray(judgements.score + np.where(codes >= 0, model.severity[np.maximum(codes, 0)], 0.0))


def design_of(judgements: Judgements) -> Design:
    """Judgements as the mixed model takes them; those of a document or system count as one more segment."""
    return Design(judgements.score, judgements.system.codes, units_of(judgements), judgements.rater.codes)


def units_of(judgements: Judgements) -> Codes:
    """A number per judgement for what was judged, systems aside: its segment, or the document, or the whole."""
    last = int(judgements.segment.max(initial=-1))
    return np.where(judgements.segment >= 0, judgements.segment, last + 2 + judgements.document.codes)


def _warn(judgements: Judgements, rows: NDArray[np.bool_], method: str, who: str, what: str) -> None:
    """Say what became of the ratings of some raters."""
    if rows.any():
        names = sorted({name or "-" for name in judgements.rater.only(np.flatnonzero(rows))})
        listed = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        _note(
            f"{method}: {counted(len(names), 'rater')} {who} ({judgements.kinds[0]}: {listed}): {what} "
            f"({counted(int(rows.sum()), 'judgement')})."
        )


def _note(message: str) -> None:
    warnings.warn(message, AssayWarning, stacklevel=2)
