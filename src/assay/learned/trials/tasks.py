"""What is predicted: all grades at once, whether a grade is reached, the score itself, the better of two."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from assay.arrays import Array, Codes
from assay.errors import InputError, UnknownName
from assay.learned.models.base import Classes
from assay.learned.training.learner import Targets, all_pairs
from assay.learned.trials.examples import Examples
from assay.learned.trials.grades import Grades

#: What ``--task`` takes; ``splits`` are all questions whether a grade is reached.
TASKS = ("grades", "splits", "regression", "pairwise")
ALL = "all"
#: Preferences about fewer segments can neither be learnt nor tested.
_FEWEST_SEGMENTS = 10


@dataclass(frozen=True, eq=False)
class Preferences:
    """The decided pairs of a campaign, the better one first, and how many ties there were beside them."""

    pairs: Codes
    ties: int

    @classmethod
    def of(cls, segments: Codes, target: Array) -> Preferences:
        """All pairs of translations of one segment."""
        decided = Targets(target, None, segments, segments, 0).pairs
        return cls(decided, len(all_pairs(segments)) - len(decided))

    def right(self, scores: Array) -> Array:
        """For each pair 1 if the better one has the higher score, half if scores are equal."""
        ahead = scores[self.pairs[:, 0]] - scores[self.pairs[:, 1]]
        return np.where(ahead > 0, 1.0, np.where(ahead == 0, 0.5, 0.0))


@dataclass(frozen=True, eq=False)
class Task:
    """A question asked of every translation (or pair), with its true answers.

    ``kind`` is ``classes``, ``scores`` or ``pairs``; of pairs the target is the score by which they are decided.
    """

    name: str
    kind: str
    target: Array = field(repr=False)
    classes: Classes | None = None
    preferences: Preferences | None = field(default=None, repr=False)

    @property
    def truth(self) -> Codes:
        """Numbers of classes."""
        return self.target.astype(np.int64)


def read_tasks(names: Iterable[str]) -> tuple[str, ...]:
    """The tasks of these names, in the order in which they are reported.

    >>> read_tasks(["pairwise", "grades"]), len(read_tasks(["all"]))
    (('grades', 'pairwise'), 4)
    """
    for name in names:
        if name not in (*TASKS, ALL):
            raise UnknownName.of("task", name, (*TASKS, ALL))
    return TASKS if ALL in names else tuple(name for name in TASKS if name in names)


def tasks_of(
    names: Iterable[str], examples: Examples, grades: Grades, *, all_asked: bool
) -> tuple[list[Task], list[str]]:
    """The tasks, and why some of them cannot be had; where one was asked for by name, that is an error."""
    codes = grades.of(examples.target)
    found: list[Task] = []
    reasons: list[str] = []
    for name in names:
        if name == "grades":
            worth = tuple(float(label) for label in grades.labels)
            found.append(Task("grades", "classes", codes.astype(np.float64), Classes(grades.labels, worth)))
        elif name == "splits":
            # Two grades are split already.
            found += (
                [_split(grades, codes, grade) for grade in range(len(grades) - 1, 0, -1)] if len(grades) > 2 else []
            )
        elif name == "regression":
            found.append(Task("regression", "scores", examples.target))
        else:
            preferences = Preferences.of(examples.segments, examples.target)
            if _segments_of(preferences, examples) >= _FEWEST_SEGMENTS:
                found.append(Task("pairwise", "pairs", examples.target, preferences=preferences))
            else:
                reasons.append(_too_few(preferences, examples))
    if reasons and not all_asked:
        raise InputError(reasons[0])
    if not found:
        raise InputError("There are two grades only, which is one split: ask for --task grades.")
    return found, reasons


def _segments_of(preferences: Preferences, examples: Examples) -> int:
    """How many segments have a pair that people decided."""
    return len(np.unique(examples.segments[preferences.pairs[:, 0]]))


def _too_few(preferences: Preferences, examples: Examples) -> str:
    count = _segments_of(preferences, examples)
    there = "there are none" if count == 0 else f"there {'is' if count == 1 else 'are'} {count}"
    ties = f" ({preferences.ties:,} pairs were judged alike)" if preferences.ties else ""
    return (
        f"Pairwise preference needs at least {_FEWEST_SEGMENTS} segments of which two systems were judged, and judged "
        f"differently; {there}{ties}. Judge several systems on the same segments, or ask for other tasks (--task)."
    )


def _split(grades: Grades, codes: Codes, grade: int) -> Task:
    """Whether a translation has this grade or a better one: the paper's 4_3210 and so on."""
    label = grades.labels[grade]
    classes = Classes((f"<{label}", f">={label}"), (0.0, 1.0))
    return Task(f"grade>={label}", "classes", (codes >= grade).astype(np.float64), classes)
