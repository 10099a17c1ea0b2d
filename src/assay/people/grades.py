"""Scores as grades: where one grade ends and the next begins, and how people ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.arrays import Array, Codes
from assay.errors import ParameterError

#: So many different scores are grades as they are.
_FEW_VALUES = 10
#: Grades of equal size, where nobody asked and there are more.
_DEFAULT_GRADES = 5


@dataclass(frozen=True)
class Grades:
    """Cut points between grades; a score on a cut belongs to the grade above it."""

    cuts: tuple[float, ...]
    #: How they came about.
    method: str
    #: What the grades are called, from the lowest, where they have names.
    labels: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.cuts) + 1

    def of(self, scores: Array) -> Codes:
        """The grade of each score, from 0 for the lowest.

        >>> Grades((20.0, 40.0), "stated").of(np.array([5.0, 20.0, 60.0])).tolist()
        [0, 1, 2]
        """
        return np.searchsorted(np.array(self.cuts), scores, side="right").astype(np.int64)

    def counts(self, scores: Array) -> Codes:
        """How many of the scores have each grade."""
        return np.bincount(self.of(scores), minlength=len(self))

    def range_of(self, grade: int) -> str:
        """The scores that have this grade, as people write them."""
        if grade == 0:
            return f"below {self.cuts[0]:g}"
        low = f"{self.cuts[grade - 1]:g}"
        return f"{low} or more" if grade == len(self.cuts) else f"{low} to below {self.cuts[grade]:g}"


def read_grades(given: int | str | Iterable[float] | None) -> int | tuple[float, ...] | None:
    """What ``--grades`` says: a number of grades, or cut points; a single cut point has a comma behind it.

    >>> read_grades("5"), read_grades("30, 50"), read_grades("50,"), read_grades(None)
    (5, (30.0, 50.0), (50.0,), None)
    """
    if isinstance(given, str):
        parts = given.split(",")
        try:
            if not given.isascii() or "_" in given:
                raise ValueError
            given = int(parts[0]) if len(parts) == 1 else [float(part) for part in parts if part.strip()]
        except ValueError:
            raise ParameterError(
                f"--grades is {given!r}, but it takes a number of grades (5) or cut points (30,50,70)."
            ) from None
    if isinstance(given, int) and not 2 <= given <= 100:
        raise ParameterError(f"--grades is {given}, but it takes 2 to 100 grades, or cut points such as 30,50,70.")
    if given is None or isinstance(given, int):
        return given
    cuts = tuple(float(cut) for cut in given)
    if not cuts or not np.isfinite(cuts).all() or (np.diff(cuts) <= 0.0).any():
        listed = ", ".join(f"{cut:g}" for cut in cuts)
        raise ParameterError(
            f"--grades: the cut points are {listed or 'none'}, but they have to be different numbers in rising order, "
            "such as 30,50,70."
        )
    return cuts


def grades_of(scores: Array, wanted: int | Sequence[float] | None, *, turned: bool = False) -> Grades:
    """``wanted`` is a number of grades with about as many scores each, or cut points; None decides by the scores.

    With ``turned`` scores are, but cut points are not yet turned round.

    >>> len(grades_of(np.array([1.0, 2.0, 3.0, 4.0]), 2)), grades_of(np.array([1.0, 2.0, 5.0]), None).cuts
    (2, (1.5, 3.5))
    """
    values = np.unique(scores)
    if wanted is None and len(values) <= _FEW_VALUES:
        cuts = (values[1:] + values[:-1]) / 2.0
        return Grades(tuple(cuts.tolist()), f"the {len(values)} different scores are the grades")
    wanted = _DEFAULT_GRADES if wanted is None else wanted
    if not isinstance(wanted, int):
        if turned:
            # A score on a cut stays above it, so the cut moves by the smallest step there is.
            wanted = [float(np.nextafter(-cut, np.inf)) for cut in reversed(wanted)]
        return Grades(tuple(wanted), f"cut at {', '.join(f'{cut:g}' for cut in wanted)}")
    levels = np.quantile(scores, np.arange(1, wanted) / wanted, method="hazen")
    # Where many scores are the same, several levels lie between the same two scores, or below all of them.
    places = np.unique(np.searchsorted(values, levels))
    cuts = values[places[places > 0]]
    merged = "" if len(cuts) == wanted - 1 else f", of which many scores that are the same leave {len(cuts) + 1}"
    return Grades(tuple(cuts.tolist()), f"{wanted} grades with as many scores each{merged}")
