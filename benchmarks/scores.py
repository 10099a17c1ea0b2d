"""Do tests and intervals of scores in a file keep their promise? Simulated scores, cell by cell.

Every test set is made anew, of two systems that are equally good, or of which one is worse by a known amount: scores
without steps, right and wrong answers, grades, and heavy tails; single items and items of documents; all scores there,
or a fifth of them missing. ``python -m benchmarks scores`` prints the tables of docs/concepts/scores-of-files.md and
writes them there; tests/significance/test_promises_of_scores.py holds them to their bounds.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

import assay
from assay.data.external import ExternalScores
from assay.metrics.given import GivenScores
from assay.significance.calibration import (
    COVERAGE,
    COVERAGE_OF_DELTA,
    FALSE_POSITIVES,
    FEW,
    GROUP,
    WRONG_PASSES,
    Pair,
    Rates,
    measure,
)
from assay.significance.draws import FEWEST_UNITS, Units, numbered
from assay.significance.pairs import Sampled
from assay.significance.tests import TESTS, TestName, is_significant
from benchmarks.calibration import COLUMNS, HEADINGS, PROMISED, UNEQUAL, Promise, bounds, headed, line, paired
from benchmarks.judges import Draw, equally_good, mean_of, on_scale
from benchmarks.pages import CONCEPTS, written

PAGE = CONCEPTS / "scores-of-files.md"
#: What stands below this line of the page is written here.
START = "<!-- written by python -m benchmarks scores -->"
#: Numbers of items, or documents; the fewest there are p-values of only where no score is missing.
SIZES = (FEWEST_UNITS, 10, 20, 50, 200, 500)
#: The share of scores that are missing, at random and for each system by itself.
MISSING = (0.0, 0.2)
#: How much worse the first of two systems is that are not equally good, before scores are rounded to their scale.
WORSE = 0.2
#: So many draws of a test, if not all swaps are tried, as ``compare`` tries them up to 13 units.
PERMUTATIONS, ALL_SWAPS, UP_TO = 499, 10_000, 13
#: What is shown: tests, intervals, and gates that pass though the system is worse by just so much.
SHOWN = (*COLUMNS, (WRONG_PASSES, "percentile"))
METRIC = GivenScores(path="simulated")
_Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Scale:
    """How scores come about."""

    name: str
    #: How normal numbers become scores, see ``benchmarks.judges``; and what is added to them before.
    rounded: str = "continuous"
    level: float = 0.0
    #: Student's t instead of the normal, with so many degrees of freedom.
    freedom: int | None = None

    def draw(self, generator: np.random.Generator) -> Draw:
        """Random numbers; those of Student's t are divided by their deviation, where there is one."""
        freedom = self.freedom
        if freedom is None:
            return lambda shape: generator.normal(size=shape)
        deviation = np.sqrt(freedom / (freedom - 2)) if freedom > 2 else 1.0
        return lambda shape: generator.standard_t(freedom, size=shape) / deviation

    def mean(self, shift: float = 0.0) -> float:
        """The true mean of scores."""
        return mean_of(self.rounded, self.level + shift)


#: Of right and wrong answers 62 % are right, or 95 %.
SCALES = (
    Scale("continuous"),
    Scale("0 or 1", "0 or 1"),
    Scale("0 or 1, few 0", "0 or 1", 1.345),
    Scale("1 to 5", "1 to 5"),
    Scale("heavy tails, t of 3", freedom=3),
    Scale("heavy tails, t of 2", freedom=2),
)


class Cell(NamedTuple):
    """A row of the table."""

    in_documents: bool
    missing: float
    scale: Scale
    units: int

    @property
    def simulations(self) -> int:
        """Fewer where each takes longer."""
        return 1000 if self.units >= 500 else 2000

    @property
    def title(self) -> str:
        """What its table is called."""
        what = "Items in documents" if self.in_documents else "Single items"
        there = f"{100 * self.missing:g} % of scores missing" if self.missing else "all scores there"
        return f"**{what}, {there}**"


def cells() -> list[Cell]:
    """All rows, in the order in which they are shown."""
    rows = (Cell(*cell) for cell in product((False, True), MISSING, SCALES, SIZES))
    return [cell for cell in rows if not cell.missing or cell.units > FEWEST_UNITS]


def new_test_set(cell: Cell, generator: np.random.Generator, systems: int) -> tuple[_Scores, Units]:
    """Equally good systems by items, before scores are rounded, NaN where a score is missing; and what is drawn."""
    units = Units.segments(cell.units)
    if cell.in_documents:
        sizes = generator.choice(UNEQUAL, cell.units)
        units = Units("document", numbered(cell.units), np.repeat(np.arange(cell.units), sizes))
    values = equally_good(cell.scale.draw(generator), systems, units if cell.in_documents else cell.units)
    if cell.missing:
        values[generator.random(values.shape) < cell.missing] = np.nan
    return cell.scale.level + values, units


def rounded(values: _Scores, scale: Scale) -> _Scores:
    """Scores on their scale."""
    return np.where(np.isnan(values), np.nan, on_scale(values, scale.rounded))


def rows_of(scores: _Scores, units: Units, there: NDArray[np.bool_] | None = None) -> _Scores:
    """A row per unit, of all items or of some."""
    counted = np.column_stack([np.nan_to_num(scores), ~np.isnan(scores)])
    return units.sums(counted) if there is None else units.only(there).sums(counted[there])


class Simulated(NamedTuple):
    """A test set: rows of what both systems have scores of, equally good or not; and of all that a system has."""

    null: Pair
    apart: Pair
    alone: Pair


def simulated(cell: Cell, generator: np.random.Generator) -> Simulated:
    """One of at least five units that both systems have scores of, and not all the same.

    Of others there is no interval of Δ, or a warning that an interval says nothing.
    """
    while True:
        values, units = new_test_set(cell, generator, 2)
        first, second, worse = (rounded(each, cell.scale) for each in (*values, values[0] - WORSE))
        there = np.asarray(~np.isnan(values).any(axis=0))
        if units.count(there) >= FEWEST_UNITS and np.ptp(worse[there]) > 0:
            break
    common = None if there.all() else there
    rows = [rows_of(each, units, common) for each in (first, second, worse)]
    alone = rows_of(worse, units)
    return Simulated((rows[0], rows[1]), (rows[2], rows[1]), (alone, alone))


def measured(cell: Cell, simulations: int | None = None) -> Rates:
    """The rates of one row; each row has random numbers of its own."""
    simulations, number = simulations or cell.simulations, cells().index(cell)
    generator = np.random.default_rng(number)
    sets = [simulated(cell, generator) for _ in range(simulations)]
    groups = [sets[start : start + GROUP] for start in range(0, simulations, GROUP)]
    means = cell.scale.mean(-WORSE), cell.scale.mean()
    few = (FEW,) if cell.units <= 20 else ()
    rate = partial(
        measure, score=METRIC.score, size=METRIC.sizes, simulations=simulations, seed=1000 * number,
        unit_score=None if cell.in_documents else METRIC.score,
        permutations=ALL_SWAPS if cell.units <= UP_TO else PERMUTATIONS,
    )  # fmt: skip
    apart = means[0] - means[1]
    rates = rate(
        (([each.null for each in group], [each.apart for each in group]) for group in groups),
        truths={COVERAGE_OF_DELTA: apart, WRONG_PASSES: apart}, tests={FALSE_POSITIVES: (*TESTS, *few)},
    )  # fmt: skip
    return rates | rate(
        (([], [each.alone for each in group]) for group in groups), truths={COVERAGE: means[0]}, tests={}
    )


def table() -> Iterator[str]:
    """The lines of the table, each as soon as it is known."""
    shown = ""
    yield bounds(cell.simulations for cell in cells())
    with ProcessPoolExecutor() as pool:
        for cell, rates in zip(cells(), pool.map(measured, cells()), strict=True):
            if cell.title != shown:
                shown = cell.title
                units = "documents" if cell.in_documents else "items"
                yield headed(shown, ("scores", units, *HEADINGS, "wrong passes", "simulations"))
            yield line(cell.scale.name, cell.units, rates, SHOWN)


def family_errors(cell: Cell, test: TestName, simulations: int = 1000, systems: int = 5) -> list[Promise]:
    """How often ``compare`` calls any of systems different that are equally good."""
    generator, errors = np.random.default_rng(systems), 0
    for number in range(simulations):
        values, units = new_test_set(cell, generator, systems)
        given = {f"system {place}": rounded(each, cell.scale) for place, each in enumerate(values)}
        campaign = assay.Campaign(
            "simulated",
            {name: assay.Texts.of([""] * values.shape[1]) for name in given},
            {},
            documents=tuple(map(str, units.codes.tolist())) if cell.in_documents else None,
            scores={"judge": ExternalScores("judge", given)},
        )
        with warnings.catch_warnings():
            # That scores are missing.
            warnings.simplefilter("ignore", assay.AssayWarning)
            found = assay.compare(campaign, "judge", test=test, permutations=1999, samples=2, seed=number, threads=1)
        errors += any(pair["significant"] for pair in found.table("pairs"))
    took = found.setup["test"]
    what = f"{cell.units} {'documents' if cell.in_documents else 'items'}"
    gaps = f", {100 * cell.missing:g} % missing" if cell.missing else ""
    case = f"{took}: {systems} systems that are equally good, {what}{gaps}, {cell.scale.name}"
    says = "Holm: at most 5 % of tables have a false alarm"
    return [Promise(says, case, (0, 5), 100 * errors / simulations, simulations)]


def mcnemar(units: int, simulations: int = 2000) -> list[Promise]:
    """Right and wrong answers of a system that is worse than another: decisions beside those of SciPy's exact test."""
    cell, found, same = Cell(False, 0.0, SCALES[1], units), np.zeros(2, dtype=int), 0
    generator, test = np.random.default_rng(units), paired(units, 2, samples=2)
    for _ in range(simulations):
        worse, better = simulated(cell, generator).apart
        systems = {
            name: Sampled(METRIC.score, (rows,), (), size=METRIC.sizes)
            for name, rows in zip("ab", (worse, better), strict=True)
        }
        (p,) = test.p_values(systems, [("a", "b")])
        won, lost = (int((sign * (worse - better)[:, 0] > 0).sum()) for sign in (1, -1))
        exact = binomtest(won, won + lost).pvalue if won + lost else 1.0
        decided = np.array([p is not None and is_significant(p.value, 0.05), is_significant(exact, 0.05)])
        same += bool(decided[0] == decided[1])
        found += decided
    power = " and ".join(f"{100 * count / simulations:.1f} %" for count in found)
    case = f"{units} items, 62 % and 54 % right; {power} are found"
    says = "right and wrong answers: decided as by McNemar's exact test"
    return [Promise(says, case, (99, 100), 100 * same / simulations, simulations)]


#: Five systems make ten pairs, of which few documents are too few for swaps: compare then takes Student's t by itself.
PROMISES: tuple[tuple[Callable[..., list[Promise]], tuple[object, ...]], ...] = (
    *((family_errors, (Cell(False, 0.2, scale, 50), test)) for scale, test in product(SCALES, TESTS)),
    *((family_errors, (Cell(True, 0.0, scale, 50), "randomisation")) for scale in SCALES),
    *((family_errors, (Cell(True, missing, scale, 8), "randomisation")) for scale, missing in product(SCALES, MISSING)),
    *((mcnemar, (units,)) for units in (50, 200)),
)


def _kept(job: tuple[Callable[..., list[Promise]], tuple[object, ...]]) -> list[Promise]:
    return job[0](*job[1])


def promises() -> Iterator[Promise]:
    """What ``compare`` says of several systems, and of right and wrong answers; each as soon as it was tried."""
    with ProcessPoolExecutor() as pool:
        for found in pool.map(_kept, PROMISES):
            yield from found


def main() -> None:
    """Print all tables, and write them into the page."""
    written(PAGE, START, chain(table(), [PROMISED], (promise.line() for promise in promises())))
