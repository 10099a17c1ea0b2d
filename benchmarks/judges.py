"""Do corrected means keep their promise? Simulated people and judges, cell by cell.

Every test set is made anew: people's scores with a known mean, a judge of all items that follows them well, poorly or
with a bias, and few items, or few documents, that people judged. ``python -m benchmarks judges`` prints the table of
docs/concepts/judges.md and writes it there; tests/significance/test_judged_means.py holds it to its bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from assay.significance.calibration import Rate
from assay.significance.draws import Estimate, Units
from assay.significance.prediction_powered import PredictionPowered
from assay.significance.tests import is_significant
from benchmarks.pages import CONCEPTS, written

PAGE = CONCEPTS / "judges.md"
#: What stands between these lines of the page is written here.
START = "<!-- written by python -m benchmarks judges -->"
#: Judged items, or documents.
SIZES = (20, 50, 200)
#: Pearson's r of the judge with people, before both are rounded to their scale.
JUDGES = {"good": 0.8, "poor": 0.1, "biased": 0.6}
#: On normal scores, what a biased judge adds to every score, and how far it shrinks them.
BIAS, SHRINKAGE = 0.5, 0.7
#: Where normal numbers are cut into scores of each scale.
SCALES: dict[str, tuple[float, ...]] = {"continuous": (), "1 to 5": (-1.5, -0.75, 0.0, 0.75), "0 or 1": (-0.3,)}
#: How test sets come about, and how many segments a document has; the share of variance that these have in common, and
#: that which two systems have in common on a segment.
SAMPLES = {"single items": 1, "items of documents": 4, "whole documents": 4}
ALIKE, SHARED = 0.3, 0.3
#: Of single items so many in all; of whole documents three times those that are judged.
ITEMS, TIMES = 600, 3
#: So many in a row, and every which of them says what the judge is worth, for that takes longer.
SIMULATIONS, WORTHS = 2000, 5
_Scores = NDArray[np.float64]
#: Random numbers of a shape.
Draw = Callable[[tuple[int, int]], _Scores]


class Cell(NamedTuple):
    """A row of the table."""

    sample: str
    scale: str
    judge: str
    judged: int

    @property
    def true_mean(self) -> float:
        """What people's scores are in the mean, over endlessly many items."""
        return mean_of(self.scale)


def cells() -> list[Cell]:
    """All rows, in the order in which they are shown."""
    return [Cell(*cell) for cell in product(SAMPLES, SCALES, JUDGES, SIZES)]


@dataclass
class Counts:
    """What so many simulations gave."""

    simulations: int = 0
    #: How often the interval held the truth: of the corrected mean, and of people's alone.
    held: int = 0
    held_alone: int = 0
    #: Of the difference of two systems that are equally good.
    held_difference: int = 0
    #: How often the judged items were taken for no random sample.
    doubted: int = 0
    #: Sums of the widths of both intervals, and of squared errors of both means.
    width: float = 0.0
    width_alone: float = 0.0
    square: float = 0.0
    square_alone: float = 0.0
    #: Of some simulations, how many judgements the judge was said to be worth.
    worth: list[Estimate] = field(default_factory=list)

    @property
    def coverage(self) -> Rate:
        """How often the interval of the corrected mean held the truth."""
        return Rate(self.held, self.simulations)

    def true_worth(self, judged: float) -> float:
        """How many judged items would have made people alone err as little, by the errors that were made."""
        return judged * self.square_alone / self.square

    @property
    def relative_width(self) -> float:
        """Of the interval, beside that of people's mean alone."""
        return self.width / self.width_alone

    @property
    def relative_error(self) -> float:
        """Root of the mean squared error, beside that of people's mean alone."""
        return sqrt(self.square / self.square_alone)


def alike(draw: Draw, rows: int, documents: Units | int) -> _Scores:
    """Random numbers of so many rows and items, by ``draw``; items of a document have a part in common."""
    shape = rows, documents if isinstance(documents, int) else len(documents.codes)
    values = draw(shape)
    if isinstance(documents, int):
        return values
    of_documents: _Scores = draw(shape)[:, documents.codes]
    return sqrt(ALIKE) * of_documents + sqrt(1.0 - ALIKE) * values


def equally_good(draw: Draw, systems: int, documents: Units | int) -> _Scores:
    """Random numbers of systems by items, of documents or so many, that systems have a part of in common."""
    common, own = (alike(draw, rows, documents) for rows in (1, systems))
    return sqrt(SHARED) * common + sqrt(1.0 - SHARED) * own


def on_scale(values: _Scores, scale: str) -> _Scores:
    """Normal numbers as scores."""
    if not SCALES[scale]:
        return values
    return (scale == "1 to 5") + np.searchsorted(SCALES[scale], values).astype(np.float64)


def mean_of(scale: str, shift: float = 0.0) -> float:
    """Of scores, over endlessly many items, where ``shift`` was added to normal numbers."""
    if not SCALES[scale]:
        return shift
    return float(sum(ndtr(shift - np.array(SCALES[scale])), start=float(scale == "1 to 5")))


def scores(cell: Cell, generator: np.random.Generator) -> tuple[_Scores, _Scores, Units]:
    """People's scores and the judge's of two systems that are equally good, all items of them judged."""
    size = SAMPLES[cell.sample]
    count = TIMES * size * cell.judged if cell.sample == "whole documents" else ITEMS
    units = Units.segments(count)
    if size > 1:
        units = Units.documents([str(place) for place in (np.arange(count) // size).tolist()])

    def both() -> _Scores:
        return equally_good(lambda shape: generator.normal(size=shape), 2, count if size == 1 else units)

    people, follows = both(), JUDGES[cell.judge]
    judge = follows * people + sqrt(1.0 - follows**2) * both()
    if cell.judge == "biased":
        judge = BIAS + SHRINKAGE * judge
    return on_scale(people, cell.scale), on_scale(judge, cell.scale), units


def simulated(cell: Cell, generator: np.random.Generator) -> PredictionPowered:
    """Two systems of which people judged few items, the same of both."""
    people, judge, units = scores(cell, generator)
    drawn = units.codes if cell.sample == "whole documents" else np.arange(people.shape[1])
    chosen = np.isin(drawn, generator.choice(drawn.max() + 1, cell.judged, replace=False))
    return PredictionPowered(np.where(chosen, people, np.nan), judge, units)


def measure(cell: Cell, simulations: int = SIMULATIONS) -> Counts:
    """The numbers of one row; each row has random numbers of its own."""
    generator, counts, truth = np.random.default_rng(cells().index(cell)), Counts(), cell.true_mean
    for number in range(simulations):
        found = simulated(cell, generator)
        corrected, alone = found.corrected_mean(0), found.people_mean(0)
        counts.simulations += 1
        counts.held += holds(corrected, truth)
        counts.held_alone += holds(alone, truth)
        counts.held_difference += holds(found.difference(0, 1).estimate, 0.0)
        doubt = found.selection(0).p
        counts.doubted += doubt is not None and is_significant(doubt, 0.05)
        counts.width += width(corrected)
        counts.width_alone += width(alone)
        counts.square += (float(found.corrected_means[0]) - truth) ** 2
        counts.square_alone += (float(found.people_means[0]) - truth) ** 2
        if number % WORTHS == 0:
            counts.worth.append(found.worth(0, samples=500, seed=number))
    return counts


def holds(estimate: Estimate, truth: float) -> bool:
    """Whether the truth lies in the interval."""
    return estimate.low is not None and estimate.high is not None and estimate.low <= truth <= estimate.high


def width(estimate: Estimate) -> float:
    """Of the interval; 0 where there is none."""
    return 0.0 if estimate.low is None or estimate.high is None else estimate.high - estimate.low


def line(cell: Cell, counts: Counts) -> str:
    """A row as the page shows it."""
    rates = (counts.held, counts.held_alone, counts.held_difference, counts.doubted)
    held, alone, apart, doubted = (f"{100 * count / counts.simulations:.1f}" for count in rates)
    judged = cell.judged * (SAMPLES[cell.sample] if cell.sample == "whole documents" else 1)
    truth = counts.true_worth(judged)
    known = sum(holds(each, truth) for each in counts.worth)
    shown = [held, apart, alone, f"{counts.relative_width:.2f}", f"{counts.relative_error:.2f}", f"{truth:.0f}"]
    shown += [f"{100 * known / len(counts.worth):.0f}", doubted]
    return f"| {cell.scale} | {cell.judge} | {cell.judged} | {' | '.join(shown)} |"


def header(sample: str) -> str:
    """What stands above the rows of one way to choose what is judged."""
    titles = (
        "scores",
        "judge",
        "judged",
        "coverage",
        "of Δ",
        "people alone",
        "width",
        "error",
        "worth",
        "held",
        "doubted",
    )
    return f"\n**{sample[0].upper()}{sample[1:]}**\n\n| {' | '.join(titles)} |\n|---|---|{'---:|' * 9}"


def table() -> Iterator[str]:
    """The lines of the table, each as soon as it is known."""
    sample = None
    with ProcessPoolExecutor() as pool:
        for cell, counts in zip(cells(), pool.map(partial(measure, simulations=SIMULATIONS), cells()), strict=True):
            if cell.sample != sample:
                sample = cell.sample
                yield header(sample)
            yield line(cell, counts)


def main() -> None:
    """Print the table, and write it into the page."""
    written(PAGE, START, table())
