"""Numbers of a metric that judgements can choose, and the rows among which its formula chooses.

A metric says in its own file what can be tuned: ``tunables`` lists it with its bounds, and ``assay tune`` works for it,
whoever wrote it. What changes the formula alone is tried on the same rows; what changes rows is counted anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

#: What another value changes: the formula alone, also which words are aligned, or the rows altogether.
Changes = Literal["formula", "alignment", "rows"]


@dataclass(frozen=True)
class Tunable:
    """One number of a metric: where it is now (``start``) and where it may lie.

    On a ``log`` scale steps are ratios. ``values`` lists what is tried of a number that changes rows. ``alignment`` is
    for a number of the formula that also steers, a little, what is counted: it is looked for on the same rows, and
    what it is worth is counted anew. Of an option with several numbers, ``among`` holds all and ``place`` says which.
    """

    option: str
    start: float
    low: float = 0.0
    high: float = 1.0
    log: bool = False
    changes: Changes = "formula"
    values: tuple[float, ...] = ()
    among: tuple[float, ...] = ()
    place: int | None = None

    @property
    def name(self) -> str:
        """The option, with the place from 1 on where it holds several: ``weights[2]``."""
        return self.option if self.place is None else f"{self.option}[{self.place + 1}]"


def several(option: str, among: Sequence[float], *, places: Sequence[int], **bounds: Any) -> tuple[Tunable, ...]:
    """The tunable places of an option that holds several numbers.

    >>> [(one.name, one.start) for one in several("weights", (1.0, 0.6, 0.8), places=(1, 2))]
    [('weights[2]', 0.6), ('weights[3]', 0.8)]
    """
    known = tuple(float(value) for value in among)
    return tuple(Tunable(option, known[place], among=known, place=place, **bounds) for place in places)


def options_of(tunables: Sequence[Tunable], values: Mapping[str, float]) -> dict[str, Any]:
    """Options of the metric that give its tunables these values, by name; the others stay as they are.

    >>> options_of(several("weights", (1.0, 0.6, 0.8), places=(1, 2)), {"weights[3]": 0.5})
    {'weights': (1.0, 0.6, 0.5)}
    """
    options: dict[str, Any] = {}
    for tunable in tunables:
        if tunable.name not in values:
            continue
        if tunable.place is None:
            options[tunable.option] = values[tunable.name]
        else:
            before = options.get(tunable.option, tunable.among)
            options[tunable.option] = (*before[: tunable.place], values[tunable.name], *before[tunable.place + 1 :])
    return options


@dataclass(frozen=True, eq=False)
class Candidates:
    """Rows among which the formula chooses, segment by segment: candidates by segments by columns.

    There is one per reference where the best reference counts, and a single one where all count together. ``present``
    says which there are: candidates by segments.
    """

    rows: NDArray[np.float64] = field(repr=False)
    present: NDArray[np.bool_] = field(repr=False)
