"""Scores cut into grades, for statistics that count agreement grade by grade."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.errors import ParameterError
from assay.meta.agreement.weighted import Codes, Floats

#: So many different scores are grades as they are.
FEW_VALUES = 10
#: Grades of equal size, where nobody asked and there are more.
DEFAULT_GRADES = 5


@dataclass(frozen=True)
class Grades:
    """Cut points between grades; a score on a cut belongs to the grade above it."""

    cuts: tuple[float, ...]
    #: How they came about, for people.
    summary: str

    def __len__(self) -> int:
        return len(self.cuts) + 1

    def of(self, scores: Floats) -> Codes:
        """The grade of each score, from 0."""
        return np.searchsorted(np.array(self.cuts), scores, side="right").astype(np.int64)


def grades_of(scores: Floats, wanted: int | Sequence[float] | None) -> Grades:
    """``wanted`` is a number of grades with about as many scores each, or cut points; None decides by the scores.

    >>> len(grades_of(np.array([1.0, 2.0, 3.0, 4.0]), 2)), grades_of(np.array([1.0, 2.0, 5.0]), None).cuts
    (2, (1.5, 3.5))
    """
    values = np.unique(scores)
    if wanted is None and len(values) <= FEW_VALUES:
        cuts = (values[1:] + values[:-1]) / 2.0
        return Grades(tuple(cuts.tolist()), f"the {len(values)} different scores are the grades")
    wanted = DEFAULT_GRADES if wanted is None else wanted
    if not isinstance(wanted, int):
        return Grades(tuple(wanted), f"cut at {', '.join(f'{cut:g}' for cut in wanted)}")
    levels = np.quantile(scores, np.arange(1, wanted) / wanted, method="hazen")
    # Where many scores are the same, several levels lie between the same two scores, or below all of them.
    places = np.unique(np.searchsorted(values, levels))
    cuts = values[places[places > 0]]
    merged = "" if len(cuts) == wanted - 1 else f", of which many scores that are the same leave {len(cuts) + 1}"
    return Grades(tuple(cuts.tolist()), f"{wanted} grades with as many scores each{merged}")


def read_grades(given: int | str | Iterable[float] | None) -> int | tuple[float, ...] | None:
    """A number of grades, or several cut points with commas between; a single cut point has a comma behind it.

    >>> read_grades("5"), read_grades("30,50"), read_grades("50,")
    (5, (30.0, 50.0), (50.0,))
    """
    if given is None:
        return None
    wanted = _spelled(given) if isinstance(given, str) else given
    if isinstance(wanted, int):
        if not 2 <= wanted <= 100:
            raise ParameterError(f"grades is {wanted}, but it takes 2 to 100 grades, or cut points such as 30,50,70.")
        return wanted
    cuts = tuple(float(cut) for cut in wanted)
    if not cuts or not np.isfinite(cuts).all() or (np.diff(cuts) <= 0.0).any():
        raise ParameterError("Cut points between grades are different numbers in rising order, such as 30,50,70.")
    return cuts


def _spelled(text: str) -> int | list[float]:
    parts = [part.strip() for part in text.split(",")]
    try:
        return int(parts[0]) if len(parts) == 1 else [float(part) for part in parts if part]
    except ValueError:
        raise ParameterError(
            f"grades is {text!r}, but it takes a number of grades (5) or cut points (30,50,70)."
        ) from None


def turned(wanted: int | Sequence[float] | None) -> int | Sequence[float] | None:
    """Cut points for scores that are turned round.

    A score on a cut stays above it, so the cut moves by the smallest step there is.
    """
    if wanted is None or isinstance(wanted, int):
        return wanted
    return [float(np.nextafter(-cut, np.inf)) for cut in reversed(wanted)]
