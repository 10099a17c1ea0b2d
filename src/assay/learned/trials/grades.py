"""Grades out of scores: cut points that are stated, quantiles, or the judges' own few numbers."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from assay.arrays import Array, Codes
from assay.errors import AssayWarning, InputError, ParameterError

#: How many grades continuous scores are cut into, unless somebody says otherwise: as many as the paper has.
_USUAL_GRADES = 5
#: Judgements with no more different whole numbers than this are grades as they stand.
_MOST_OWN_GRADES = 10
_MOST_GRADES = 100


@dataclass(frozen=True)
class Grades:
    """Where one grade ends and the next begins: a score at a cut point belongs to the grade above.

    ``method`` says where the cut points come from: ``stated``, ``quantiles`` or ``judged`` (the judges' own grades; a
    mean of several judges goes to the nearest, a half to the higher).
    """

    cuts: tuple[float, ...]
    labels: tuple[str, ...]
    method: str

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.cuts) + 1:
            raise ParameterError(f"{len(self.cuts)} cut points make {len(self.cuts) + 1} grades.")

    def __len__(self) -> int:
        return len(self.labels)

    def of(self, scores: Array) -> Codes:
        """The grade of each score, from 0 for the lowest.

        >>> Grades((20.0, 40.0), ("1", "2", "3"), "stated").of(np.array([5.0, 20.0, 60.0])).tolist()
        [0, 1, 2]
        """
        return np.searchsorted(np.asarray(self.cuts), scores, side="right").astype(np.int64)

    def range_of(self, grade: int) -> str:
        """The scores that have this grade, as people write them."""
        low = f"{self.cuts[grade - 1]:g}" if grade > 0 else None
        high = f"{self.cuts[grade]:g}" if grade < len(self.cuts) else None
        if low is None:
            return f"below {high}"
        return f"{low} or more" if high is None else f"{low} to below {high}"


def read_grades(given: str | int | Sequence[float] | None) -> int | tuple[float, ...] | None:
    """What ``--grades`` says: a number of grades, cut points, or nothing; a comma makes a single number a cut point.

    >>> read_grades("5"), read_grades("20, 40"), read_grades("3,"), read_grades(None)
    (5, (20.0, 40.0), (3.0,), None)
    """
    if given is None:
        return None
    if isinstance(given, str):
        try:
            numbers = [float(part) for part in given.split(",") if part.strip()]
        except ValueError:
            raise ParameterError(
                f"--grades is {given!r}, but it takes a number of grades (5) or cut points (20,40,60,80)."
            ) from None
        counted = len(numbers) == 1 and numbers[0].is_integer() and "," not in given
        given = int(numbers[0]) if counted else numbers
    if isinstance(given, int):
        if not 2 <= given <= _MOST_GRADES:
            raise ParameterError(f"--grades is {given}, but it takes 2 to {_MOST_GRADES} grades, or cut points.")
        return given
    cuts = tuple(float(cut) for cut in given)
    if not cuts or not np.isfinite(cuts).all() or any(a >= b for a, b in pairwise(cuts)):
        listed = ", ".join(f"{cut:g}" for cut in cuts)
        raise ParameterError(f"The cut points are {listed or 'none'}, but they have to rise, each above the last.")
    return cuts


def grades_of(scores: Array, judged: Array, given: int | tuple[float, ...] | None) -> Grades:
    """Grades for ``scores``; ``judged`` are the single judgements, which may be grades themselves.

    Quantiles are those of all scores, before any fold is made. Cut points are the question that is asked of every
    predictor alike, not a part of any answer: no predictor sees a score that it is tested on because of them.
    """
    if given is None:
        own = np.unique(judged)
        if 2 <= len(own) <= _MOST_OWN_GRADES and (own == np.round(own)).all():
            return _require_all(_own_grades(own), scores)
        return _require_all(_usual_grades(scores), scores)
    if isinstance(given, int):
        return _require_all(_quantile_grades(scores, given), scores)
    return _require_all(Grades(given, _numbered(len(given) + 1), "stated"), scores)


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(str(number + 1) for number in range(count))


def _own_grades(values: Array) -> Grades:
    middles = (values[:-1] + values[1:]) / 2.0
    return Grades(tuple(middles.tolist()), tuple(f"{value:g}" for value in values), "judged")


def _usual_grades(scores: Array) -> Grades:
    """Five quantiles, or as many as equal scores allow."""
    for count in range(_USUAL_GRADES, 2, -1):
        try:
            grades = _quantile_grades(scores, count)
        except InputError:
            continue
        if count < _USUAL_GRADES:
            _tell_fewer(count)
        return grades
    grades = _quantile_grades(scores, 2)
    _tell_fewer(2)
    return grades


def _tell_fewer(count: int) -> None:
    warnings.warn(
        f"Too many scores are equal for {_USUAL_GRADES} grades of about the same size: there are {count}. State cut "
        "points for others: --grades A,B.",
        AssayWarning,
        stacklevel=4,
    )


def _quantile_grades(scores: Array, count: int) -> Grades:
    """Cut points between different scores, each where the share below it is nearest to its quantile."""
    values, counts = np.unique(scores, return_counts=True)
    if len(values) < 2:
        raise InputError(
            f"All {len(scores):,} scores are {scores[0]:g}: there is one grade only, and nothing to learn. "
            "Choose other judgements with --kind."
        )
    below = np.cumsum(counts)[:-1] / len(scores)
    wanted = np.arange(1, count) / count
    nearest = np.abs(below[None, :] - wanted[:, None]).argmin(axis=1)
    cuts = values[nearest + 1]
    if len(np.unique(cuts)) < len(cuts):
        most = int(counts.argmax())
        raise InputError(
            f"Quantiles cannot make {count} grades of these scores: too many are equal ({counts[most]:,} of "
            f"{len(scores):,} are {values[most]:g}), so that a grade would be empty. Ask for fewer grades (--grades 3) "
            "or state the cut points (--grades A,B,C)."
        )
    return Grades(tuple(cuts.tolist()), _numbered(count), "quantiles")


def _require_all(grades: Grades, scores: Array) -> Grades:
    """Refuse a single grade, and grades that no score has."""
    counts = np.bincount(grades.of(scores), minlength=len(grades))
    if np.count_nonzero(counts) < 2:
        only = grades.labels[int(counts.argmax())]
        raise InputError(
            f"All {len(scores):,} translations have grade {only} ({grades.range_of(int(counts.argmax()))}): there is "
            f"one class only, and nothing to learn. The scores go from {scores.min():g} to {scores.max():g}; choose "
            "other cut points or judgements."
        )
    empty = np.flatnonzero(counts == 0)
    if len(empty) and grades.method == "judged":
        return _without(grades, set(empty.tolist()))
    if len(empty):
        raise InputError(
            f"No translation has grade {grades.labels[empty[0]]} ({grades.range_of(int(empty[0]))}). The scores go "
            f"from {scores.min():g} to {scores.max():g}; choose other cut points, or a number of grades: --grades 5."
        )
    return grades


def _without(grades: Grades, empty: set[int]) -> Grades:
    """The judges' own grades without those that no mean of several judges comes near."""
    values = np.array([float(label) for index, label in enumerate(grades.labels) if index not in empty])
    return _own_grades(values)
