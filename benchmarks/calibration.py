"""Do tests and intervals keep their promise? Simulated from the rows of real systems, cell by cell.

Test sets are drawn from a real campaign, and the null hypothesis is made true by hand (see
``assay.significance.calibration``). ``python -m benchmarks calibration`` prints the tables of
docs/concepts/significance.md and writes them there; tests/significance/test_promises.py holds them to their bounds.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain, combinations, product
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import assay
from assay.demo import CAMPAIGN
from assay.significance.calibration import (
    COVERAGE,
    COVERAGE_OF_DELTA,
    FALSE_POSITIVES,
    FEW,
    POWER,
    Rates,
    calibrate,
)
from assay.significance.draws import FEWEST_UNITS, Units, binomial_interval
from assay.significance.pairs import PairedTest, Sampled, borrowing
from assay.significance.tests import TESTS, adjust, clusters, is_significant
from benchmarks.pages import CONCEPTS, written

#: Campaigns of WMT, beside the repository on the developers' machines.
SHARED = Path(__file__).parents[1].parent / "shared" / "data"
PAGE = CONCEPTS / "significance.md"
#: What stands below this line of the page is written here.
START = "<!-- written by python -m benchmarks calibration -->"
METRICS = ("bleu", "chrf", "ter", "meteor")
#: So many draws in a simulation: of intervals, and of tests, for which 499 make 5 % exactly 25 of 500.
SAMPLES, PERMUTATIONS = 1000, 499
#: Numbers of units from the fewest there are p-values of.
SIZES = (FEWEST_UNITS, 8, 10, 12, 20, 30, 50, 100, 300)
#: In segments, sizes of documents that are very unequal, again and again.
UNEQUAL = (1, 1, 1, 1, 2, 2, 3, 5, 10, 30)
#: The tests that are shown, and the intervals: of a score and of a difference.
COLUMNS = (
    *((FALSE_POSITIVES, name) for name in (*TESTS, FEW)),
    *((what, kind) for what in (COVERAGE, COVERAGE_OF_DELTA) for kind in ("percentile", "bca")),
)
HEADINGS = (*TESTS, FEW, "score", "score BCa", "Δ", "Δ BCa")


class Structure(NamedTuple):
    """How a test set comes about: what it is called, from which campaign, and between which systems."""

    name: str
    campaign: str
    systems: tuple[str, str]
    sizes: tuple[int, ...] = SIZES
    #: Whether segments come in documents, which are drawn as a whole.
    documents: bool = True


STRUCTURES = (
    Structure("independent segments", "wmt23-zh-en", ("ONLINE-A", "GPT4-5shot"), (*SIZES, 1000), documents=False),
    Structure("whole documents", "wmt21-ru-en-da", ("Manifold", "Online-B")),
    Structure("translators allotted by document", "wmt21-ru-en-da", ("Facebook-AI", "Online-Y")),
    Structure("a quarter of each sentence repeated", "wmt23-en-de", ("ONLINE-W", "ONLINE-W"), (*SIZES, 1000), False),
    Structure("documents of very unequal size", "wmt23-en-de", ("ONLINE-A", "ONLINE-Y")),
)
#: Where documents are drawn whole, and segments taken as independent nevertheless.
WRONG_UNITS = (STRUCTURES[1], STRUCTURES[2])
WRONG_SIZES = (10, 30, 100)


class Cell(NamedTuple):
    """A row of the table."""

    structure: Structure
    metric: str
    units: int
    unit: str

    @property
    def is_default(self) -> bool:
        """Whether ``unit`` is what is drawn unless somebody asks for something else."""
        return self.unit == ("document" if self.structure.documents else "segment")

    @property
    def simulations(self) -> int:
        """Fewer where each takes longer."""
        return 1000 if self.structure.documents or self.units >= 300 else 2000


def cells() -> list[Cell]:
    """All rows, in the order in which they are shown."""
    rows = []
    for structure in STRUCTURES:
        unit = "document" if structure.documents else "segment"
        rows += [Cell(structure, metric, units, unit) for metric in METRICS for units in structure.sizes]
        if structure in WRONG_UNITS:
            rows += [Cell(structure, metric, units, "segment") for metric in METRICS for units in WRONG_SIZES]
    return rows


@dataclass(frozen=True, eq=False)
class Population:
    """What test sets are drawn from: two systems' rows by segment, and which document each segment is of."""

    score: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    segment_score: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    rows: tuple[NDArray[np.float64], NDArray[np.float64]]
    documents: Units


@cache
def campaign_of(name: str) -> tuple[assay.Campaign, bool]:
    """A campaign of WMT or, where that is not at hand, the demonstration's; and whether it is the real one."""
    real = (SHARED / name).is_dir()
    return assay.read(SHARED / name if real else CAMPAIGN), real


@cache
def population(structure: Structure, metric_name: str) -> Population:
    """Rows that make a structure true."""
    campaign, real = campaign_of(structure.campaign)
    systems = structure.systems if real else ("rosetta", "compass")
    metric = assay.metric(metric_name)

    def counted(texts: Sequence[str]) -> NDArray[np.float64]:
        references = [list(column) for column in campaign.references.values()]
        with warnings.catch_warnings():
            # METEOR's matcher is of English, which is no matter for chance.
            warnings.simplefilter("ignore", assay.AssayWarning)
            return metric.evaluate(assay.Corpus(translations=texts, references=references)).rows

    first, second = (counted(list(campaign.systems[name])) for name in systems)
    labels = list(campaign.documents or map(str, range(len(first))))
    if structure.name == "a quarter of each sentence repeated":
        others = [counted(list(column)) for name, column in campaign.systems.items() if name not in campaign.references]
        texts = list(campaign.systems[systems[0]])
        first = counted([repeated(text) for text in texts])
        # Sentences backwards are worse than those of any system.
        second = equally_good(metric.score, first, [*others, counted([" ".join(text.split()[::-1]) for text in texts])])
    if structure.name == "documents of very unequal size":
        labels = [
            f"{turn}.{place}" for turn in range(len(first)) for place, size in enumerate(UNEQUAL) for _ in range(size)
        ]
    documents = Units.documents(labels[: len(first)])
    if structure.name == "translators allotted by document":
        other = np.random.default_rng(1).integers(2, size=len(documents)).astype(bool)[documents.members][:, None]
        first, second = np.where(other, second, first), np.where(other, first, second)
    return Population(metric.score, metric.for_segments().score, (first, second), documents)


def repeated(text: str) -> str:
    """A quarter of a sentence twice."""
    words = text.split()
    return " ".join([*words, *words[: len(words) // 4]])


def equally_good(
    score: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    long: NDArray[np.float64],
    others: Sequence[NDArray[np.float64]],
) -> NDArray[np.float64]:
    """A system with the score of ``long``: segments of the nearest of the others above it, and below it."""
    aim = score(long.sum(0))
    apart = np.array([float(score(rows.sum(0)) - aim) for rows in others])
    good, bad = (others[int(np.where(sign * apart > 0, np.abs(apart), np.inf).argmin())] for sign in (1, -1))
    order = np.random.default_rng(1).permutation(len(good))
    steps = good.sum(0) + np.cumsum((bad - good)[order], axis=0)
    replaced = np.zeros(len(good), dtype=bool)
    replaced[order[: int(np.abs(score(steps) - aim).argmin()) + 1]] = True
    mixed: NDArray[np.float64] = np.where(replaced[:, None], bad, good)
    # One segment more or less, whichever brings the two together.
    other = np.where(replaced[:, None], good, bad)
    last = int(np.abs(score(mixed.sum(0) + other - mixed) - aim).argmin())
    mixed[last] = other[last]
    return mixed


def measure(cell: Cell, simulations: int | None = None) -> Rates:
    """The rates of one row; each row has draws of its own."""
    simulations = cell.simulations if simulations is None else simulations
    seed = 1000 * cells().index(cell)
    drawn, by_document = population(cell.structure, cell.metric), cell.unit == "document"
    first, second = (drawn.documents.sums(table) if by_document else table for table in drawn.rows)
    blocks = None
    if cell.structure.documents and not by_document:
        blocks = [np.flatnonzero(drawn.documents.members == place) for place in range(len(drawn.documents))]
    tests: tuple[str, ...] = (*TESTS, FEW) if cell.units <= 20 else TESTS
    # Of systems that are equally good as they are nothing is swapped; and t and Wilcoxon ask about something else.
    equal = "repeated" in cell.structure.name
    what = POWER if equal else FALSE_POSITIVES
    tests = tuple(name for name in tests if not equal or name not in ("t", "wilcoxon"))
    rates = calibrate(
        (first, second),
        drawn.score,
        units=cell.units,
        blocks=blocks,
        unit_score=None if by_document else drawn.segment_score,
        tests={what: tests},
        simulations=simulations,
        samples=SAMPLES,
        permutations=PERMUTATIONS,
        seed=seed,
    )
    return {(FALSE_POSITIVES if key[0] == POWER else key[0], key[1]): rate for key, rate in rates.items()}


def bounds(counts: Iterable[int]) -> str:
    """How far chance alone moves a rate of 5 % in 99 of 100 measurements of so many simulations."""
    far = " and ".join(
        f"{257.6 * sqrt(0.05 * 0.95 / count):.1f} in {count:,} simulations" for count in sorted(set(counts))
    )
    return f"Chance alone moves a rate of 5 % by up to {far}, in 99 of 100 measurements."


def line(what: str, units: int, rates: Rates, columns: Sequence[tuple[str, str]] = COLUMNS) -> str:
    """A row as the page shows it."""
    shown = [f"{100 * rates[key].share:.1f}" if key in rates else "–" for key in columns]
    simulations = next(iter(rates.values())).of
    return f"| {what} | {units:,} | {' | '.join(shown)} | {simulations:,} |"


def header(structure: Structure, unit: str) -> str:
    """What stands above the rows of one structure and unit."""
    title = f"**{structure.name[0].upper()}{structure.name[1:]}**, tested by {unit} ({structure.campaign})"
    return headed(title, ("metric", "documents" if structure.documents else "segments", *HEADINGS, "simulations"))


def headed(title: str, headings: Sequence[str]) -> str:
    """The beginning of a table, of which all columns but the first are numbers."""
    return f"\n{title}\n\n| {' | '.join(headings)} |\n|---|{'---:|' * (len(headings) - 1)}"


def table() -> Iterator[str]:
    """The lines of the table, each as soon as it is known."""
    shown = None
    yield bounds(cell.simulations for cell in cells())
    with ProcessPoolExecutor() as pool:
        for cell, rates in zip(cells(), pool.map(measure, cells()), strict=True):
            if (cell.structure, cell.unit) != shown:
                shown = cell.structure, cell.unit
                yield header(*shown)
            yield line(cell.metric, cell.units, rates)


@dataclass(frozen=True)
class Promise:
    """Something that ``compare`` says, how it was tried, and how often it was so; in per cent unless ``unit`` says."""

    says: str
    case: str
    promised: tuple[float, float]
    measured: float
    simulations: int
    unit: str = "%"

    @property
    def is_kept(self) -> bool:
        """Whether the measure lies where it was promised, as far as so many simulations can tell."""
        low = high = self.measured
        if self.unit == "%":
            count = round(self.measured / 100 * self.simulations)
            low, high = (100 * end for end in binomial_interval(count, self.simulations, 0.99))
        return self.promised[0] <= high and low <= self.promised[1]

    def line(self) -> str:
        """A row as the page shows it."""
        low, high = (f"{end:g}" for end in self.promised)
        promised = low if low == high else f"{low} to {high}"
        measured = f"{self.measured:.1f}" if self.unit == "%" else f"{self.measured:.2f}"
        return f"| {self.says} | {self.case} | {promised} {self.unit} | {measured} | {self.simulations:,} |"


@cache
def many_systems(metric_name: str, systems: int) -> tuple[Callable[..., NDArray[np.float64]], NDArray[np.float64]]:
    """A score, and rows of systems by documents by columns, of WMT23 English to German or of the demonstration."""
    campaign, _ = campaign_of("wmt23-en-de")
    metric = assay.metric(metric_name)
    units = Units.documents(list(campaign.documents or map(str, range(len(campaign)))))
    names = [name for name in campaign.systems if name not in campaign.references][:systems]
    return metric.score, np.array([units.sums(metric.evaluate(campaign.corpus(name)).rows) for name in names])


def sampled_systems(
    test: PairedTest, score: Callable[..., NDArray[np.float64]], rows: NDArray[np.float64]
) -> dict[str, Sampled]:
    """Systems under bootstrap samples, by their number."""
    names = [str(place) for place in range(len(rows))]
    tables = {(name, ""): table for name, table in zip(names, rows, strict=True)}
    drawn = test.resample(tables, {"": score}, {name: (name,) for name in names}, test.units)
    return {name: drawn[name, ""] for name in names}


def paired(units: int, systems: int, **options: object) -> PairedTest:
    """The test that ``compare`` makes of so many systems, unless somebody asks for something else."""
    usual = {"test": "randomisation", "correction": "holm", "alpha": 0.05, "interval": "percentile", "seed": 1}
    usual |= {"samples": SAMPLES, "comparisons": systems * (systems - 1) // 2}
    return PairedTest(**(usual | {"units": Units.segments(units)} | options))  # type: ignore[arg-type]


def family_errors(systems: int, units: int = 100, simulations: int = 500) -> list[Promise]:
    """Of systems whose outputs were dealt out anew in each document none is better than another."""
    score, rows = many_systems("ter", systems)
    generator, errors, cuts = np.random.default_rng(systems), 0, 0
    count = len(rows)
    # So many draws that the level of the first comparison is that of one of them.
    draws = 20 * (count * (count - 1) // 2) - 1
    pairs = list(combinations(map(str, range(count)), 2))
    for number in range(simulations):
        places = generator.integers(rows.shape[1], size=units)
        dealt = generator.permuted(np.tile(np.arange(count), (units, 1)), axis=1).T
        drawn = rows[dealt, places]
        test = paired(units, count, permutations=draws, seed=number)
        sampled = {str(place): Sampled(score, (table,), (np.empty(0),)) for place, table in enumerate(drawn)}
        p_values = [p.value for p in test.p_values(sampled, pairs) if p is not None]
        adjusted = adjust(p_values, "holm")
        won = {
            pair if sampled[pair[0]].value < sampled[pair[1]].value else pair[::-1]
            for pair, p in zip(pairs, adjusted, strict=True)
            if is_significant(p, 0.05)
        }
        errors += bool(won)
        ranked = sorted(sampled, key=lambda name: sampled[name].value)
        cuts += len(clusters(ranked, partial(_is_among, won))) > 1
    case = f"{count} systems that are equally good, {units} documents, TER"
    return [
        Promise(
            "Holm: at most 5 % of tables have a false alarm",
            case,
            (0, 5),
            100 * errors / simulations,
            simulations,
        ),
        Promise("clusters are cut wrongly in at most 5 %", case, (0, 5), 100 * cuts / simulations, simulations),
    ]


def _is_among(won: set[tuple[str, str]], above: str, below: str) -> bool:
    return (above, below) in won


def power(systems: int, units: int = 100, simulations: int = 400) -> list[Promise]:
    """What is said of power, of N units that it would take, and of all pairs together, on systems that do differ."""
    score, rows = many_systems("bleu", systems)
    count, generator = len(rows), np.random.default_rng(systems)
    pairs = list(combinations(map(str, range(count)), 2))
    scores = score(rows.sum(1))
    truth = np.array([scores[int(a)] - scores[int(b)] for a, b in pairs])
    found, alone = np.zeros(len(pairs)), np.zeros(len(pairs))
    reach, reach_alone, seen = [], [], []
    ranges, single_found, together = [], [], 0
    for number in range(simulations):
        places = generator.integers(rows.shape[1], size=units)
        test = paired(units, count, permutations=60 * len(pairs) - 1, seed=number)
        single = replace(test, comparisons=1)
        sampled = sampled_systems(test, score, rows[:, places])
        p_values = [p.value for p in test.p_values(sampled, pairs) if p is not None]
        significant = np.array([is_significant(p, 0.05) for p in adjust(p_values, "holm")])
        found += significant
        single_found.append(np.array(p_values) <= 0.05)
        alone += single_found[-1]
        of_pairs = [(sampled[a], sampled[b]) for a, b in pairs]
        ends = [test.interval_of(*pair) for pair in of_pairs]
        errors = [test.error(*pair).error for pair in of_pairs]
        others = significant.sum() - significant
        reach.append([test.power(error, *rest)[0] for error, *rest in zip(errors, ends, others.tolist(), strict=True)])
        needed = [single.power(error, end) for error, end in zip(errors, ends, strict=True)]
        reach_alone.append([detectable for detectable, _, _ in needed])
        ranges.append([(fewest or 0, most or np.inf) for _, fewest, most in needed])
        seen.append([first.value - second.value for first, second in of_pairs])
        low, high = np.array(test.simultaneous(of_pairs), dtype=float).T
        together += bool(((low <= truth) & (truth <= high)).all())
    # As many as are needed in truth, by how differences really vary.
    errors_in_truth = np.std(seen, axis=0, ddof=1)
    true_reach = (ndtri(0.975) + ndtri(0.8)) * errors_in_truth
    true_needed = units * (true_reach / truth) ** 2
    low, high = np.moveaxis(np.array(ranges, dtype=float), -1, 0)
    # It is said of pairs that were not found, and asked of those that take up to a hundred times as many.
    asked = (true_needed > units) & (true_needed < 100 * units) & ~np.array(single_found)
    held = ((low <= true_needed) & (true_needed <= high))[asked].mean()
    case = f"{{}} systems, {units} documents, BLEU"
    found_in = "a true difference of X is found in 80 % of such test sets"
    at_alone, at = (
        100 * _share_at_one(np.abs(truth) / np.array(detectable, dtype=float).mean(axis=0), shares / simulations)
        for shares, detectable in ((alone, reach_alone), (found, reach))
    )
    needs, holds = (
        "it would take N to M units: that holds the true number",
        "--simultaneous: all intervals hold in 95 %",
    )
    return [
        Promise(found_in, case.format(2), (75, 85), at_alone, simulations),
        Promise(found_in, case.format(count), (75, 85), at, simulations),
        Promise(needs, case.format(2), (93, 100), 100 * held, simulations),
        Promise(holds, case.format(count), (93, 97), 100 * together / simulations, simulations),
    ]


def _share_at_one(ratios: NDArray[np.float64], shares: NDArray[np.float64]) -> float:
    """The share that belongs to a ratio of 1, by a line through the quantiles of those that are near."""
    near = (ratios > 0.7) & (ratios < 1.4) & (shares > 0.02) & (shares < 0.995)
    slope, constant = np.polyfit(ratios[near], ndtri(shares[near]), 1)
    return float(ndtr(slope + constant))


def runs(first: int, second: int, sigma: float, simulations: int = 400, units: int = 100) -> list[Promise]:
    """Systems of several runs that are equally good: each run takes from one of two systems more or less often."""
    campaign, real = campaign_of("wmt23-en-de")
    metric = assay.metric("bleu")
    names = ("ONLINE-W", "AIRC") if real else ("rosetta", "compass")
    rows = [metric.evaluate(campaign.corpus(name)).rows for name in names]
    documents = Units.documents(list(campaign.documents or map(str, range(len(campaign)))))
    members = [np.flatnonzero(documents.members == place) for place in range(len(documents))]
    score = metric.score
    high, low = (float(score(q * rows[0].sum(0) + (1 - q) * rows[1].sum(0))) for q in (0.55, 0.45))
    spread = sigma / (10 * (high - low))
    generator, rejected, found = np.random.default_rng(int(10 * sigma) + 100 * first + second), 0, []
    test = paired(units, 2, several_runs=True, samples=200)
    for number in range(simulations):
        drawn = generator.integers(len(documents), size=units)
        places = np.concatenate([members[place] for place in drawn])
        of = Units(
            "document",
            Units.segments(units).keys,
            np.repeat(np.arange(units), [len(members[place]) for place in drawn]),
        )
        tables = {}
        for system, count in (("x", first), ("y", second)):
            for run in range(count):
                share = np.clip(0.5 + spread * generator.normal(), 0, 1)
                better = (generator.random(len(places)) < share)[:, None]
                tables[f"{system}{run}", ""] = of.sums(np.where(better, rows[0][places], rows[1][places]))
        by_system = {system: [run for run, _ in tables if run[0] == system] for system in "xy"}
        test = replace(test, seed=number)
        systems = borrowing(test.resample(tables, {"": score}, by_system, test.units))
        (p,) = test.p_values({"x": systems["x", ""], "y": systems["y", ""]}, [("x", "y")])
        rejected += p is not None and is_significant(p.value, 0.05)
        found.append(systems["x", ""].training_variance or 0.0)
    case = f"{first} runs against {second}, σ of training {sigma:g} BLEU, {units} documents"
    chance = 3 * float(np.std(found) / np.sqrt(simulations))
    around = (round(sigma**2 - chance, 2), round(sigma**2 + chance, 2))
    alarms, mean = 100 * rejected / simulations, float(np.mean(found))
    return [
        Promise("equally good runs: at most 5 % are called different", case, (0, 5), alarms, simulations),
        Promise("σ² of training, before it is cut off at 0 (mean)", case, around, mean, simulations, "BLEU²"),
    ]


def doubted() -> list[Promise]:
    """Where one system writes much more randomisation rejects too often: p-values above a 20th of alpha are doubted.

    The worst of all metrics and of several numbers of segments counts.
    """
    simulations, found = 2000, dict[str, float]()
    for metric, units in product(METRICS, (10, 12, 50)):
        drawn = population(STRUCTURES[3], metric)
        rates = calibrate(
            drawn.rows, drawn.score, units=units, tests={POWER: ("randomisation",)}, intervals=(), alpha=0.0025,
            simulations=simulations, permutations=1999,
        )  # fmt: skip
        found[f"{units} segments, {metric}"] = 100 * rates[POWER, "randomisation"].share
    worst = max(found, key=lambda name: found[name])
    case = f"a quarter of each sentence repeated, the worst of {len(found)} cells: {worst}"
    says = "p-values that are not doubted aloud: at most 5 % false alarms"
    return [Promise(says, case, (0, 5), found[worst], simulations)]


PROMISES: tuple[tuple[Callable[..., list[Promise]], tuple[object, ...]], ...] = (
    (doubted, ()),
    *((family_errors, (systems,)) for systems in (11, 12)),
    *((power, (systems,)) for systems in (11, 12)),
    *((runs, (first, second, sigma)) for first, second in ((5, 1), (3, 3)) for sigma in (0.0, 0.5, 1.0, 2.0)),
)


def _kept(job: tuple[Callable[..., list[Promise]], tuple[object, ...]]) -> list[Promise]:
    return job[0](*job[1])


def promises() -> Iterator[Promise]:
    """All of ``compare``'s other promises, each as soon as it was tried."""
    with ProcessPoolExecutor() as pool:
        for found in pool.map(_kept, PROMISES):
            yield from found


PROMISED = "\n| what is said | tried on | promised | measured | simulations |\n|---|---|---:|---:|---:|"


def main() -> None:
    """Print all tables, and write them into the page."""
    written(PAGE, START, chain(table(), [PROMISED], (promise.line() for promise in promises())))


if __name__ == "__main__":
    main()
