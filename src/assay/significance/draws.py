"""Random draws of units, and the estimates that are made under them: the only resampler, and the only interval rule.

A random weight is a pure function of the seed, the stream, the number of the draw and the key of the unit: its name,
as documents have one, else its place. So the same weights serve all metrics and systems, comparisons are paired for
free, threads and machines draw the same without telling each other, and a filter keeps the draws of what it keeps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Flags
from assay.errors import ParameterError
from assay.kernels import draw_counts, draw_order, draw_swaps, text_keys
from assay.properties import cached_property
from assay.significance.association import BLOCK_CELLS
from assay.threads import in_threads

_Progress = Callable[[float], None]
_Scorer = Callable[[Array], Array]
_Number = TypeVar("_Number", bound=np.generic)
#: What units are known by: the same key is drawn the same, whatever is drawn beside it.
Keys = NDArray[np.uint64]

#: Whatever is random in Assay, by what it is drawn for: no two purposes share a stream.
STREAMS = (
    "units",  # bootstrap samples of segments, documents or whatever is drawn as a whole
    "systems",  # bootstrap samples of systems
    "swaps",  # which units change places between two systems, or cells between two metrics
    "reference sets",  # with the size of a set beside it
    "simulated pairs",
    "halves of judgements",  # with the number of the split beside it
    "sides of segments",
    "true scores",
    "halves of ratings",
    "folds of acc23",
    "pairs of acc23",
    "pseudo-documents",
    "parts of units",  # random parts of a campaign that pseudo-documents are made of
    "parts of judges",
    "documents of parts",
    "one judge",
    "two judges",
    "halves of a campaign",
    "halves of a test set",  # with the number of the split beside it
    "folds of examples",
    "folds of judgements",
    "preferences",
    "places of dots",
    "translations shown",  # dots of a picture, and segments of a page, where there are too many for all
    "shuffled features",
    "splits of trees",
    "starting points",
)
#: Seeds are whole numbers of 32 bits.
_LARGEST_SEED = 2**32 - 1

#: Weights in memory at a time: 32 MB of them.
SAMPLE_CELLS = 4_000_000
#: Swaps in memory at a time: 64 MB of them.
SWAP_CELLS = 8_000_000
#: Tables with so many cells together are set side by side: one wide product is faster than many narrow ones.
_STACKED_CELLS = 40_000_000
#: Up to so many units each is left out once, so that intervals can be widened for their small number.
_FEW_UNITS = 250
#: Fewer units say nothing of how others would turn out: there is no interval.
FEWEST_UNITS = 5
#: Of fewer units than so many, 95 % intervals held the truth in at least so many of 100 simulated test sets: the worst
#: of the metrics and structures of docs/concepts/significance.md. From the last number on it was 93 to 97, as far as
#: simulations can tell.
_HELD = ((8, 81), (50, 88))
#: So many units at least are left out one by one.
FEWEST_LEFT_OUT = 3
#: Up to so many units a draw may come out empty, more than once in 10^17.
_NEVER_EMPTY = 40
#: What a 95 % interval leaves out at either end.
_TAIL = 0.025


def _of_stream(seed: int, name: str) -> tuple[int, int]:
    """The seed, and the number that stands for what is drawn for."""
    if not 0 <= seed <= _LARGEST_SEED:
        raise ParameterError(f"The seed is {seed}, but it takes a whole number from 0 to {_LARGEST_SEED:,}.")
    return seed, STREAM_NUMBERS[name]


#: The first half of the name's key.
STREAM_NUMBERS = {name: int(key) & 0xFFFFFFFF for name, key in zip(STREAMS, text_keys([*STREAMS]), strict=True)}


def stream(seed: int, name: str, *numbers: int) -> np.random.Generator:
    """Random numbers for what is not drawn unit by unit; ``numbers`` tell apart what is drawn several times."""
    return np.random.default_rng([*_of_stream(seed, name), *numbers])


def numbered(count: int) -> Keys:
    """Keys of units that are known by their place."""
    return np.arange(count, dtype=np.uint64)


def named(names: Sequence[str]) -> Keys:
    """Keys of units that have names."""
    return text_keys([*names])


def crossed(first: Keys, second: Keys) -> Keys:
    """Keys of all pairs, such as the cells of systems by segments, in rows.

    The halves of the first change places: else the cell of "a" and "b" would be drawn with that of "b" and "a".
    """
    turned = (first << np.uint64(32)) | (first >> np.uint64(32))
    return np.add.outer(turned, second).ravel()


def random_numbers(keys: Keys, seed: int, name: str, draw: int = 0) -> Keys:
    """A random number of each unit in a draw."""
    return draw_order(_of_stream(seed, name), keys, draw)


def shuffled(keys: Keys, seed: int, name: str, draw: int = 0) -> NDArray[np.intp]:
    """The places of units in a random order; that of two does not depend on which others there are."""
    return np.lexsort((keys, random_numbers(keys, seed, name, draw)))


@dataclass(frozen=True, eq=False)
class Units:
    """What is drawn as a whole: what one of them is called, their keys, and which one each segment belongs to."""

    name: str
    keys: Keys = field(repr=False)
    #: None where every segment is a unit of its own.
    members: NDArray[np.intp] | None = field(default=None, repr=False)
    #: The units of all segments that these were chosen from, these first: metrics are fitted to all of them.
    whole: Units | None = field(default=None, repr=False)

    @classmethod
    def segments(cls, positions: Keys | int) -> Units:
        """Segments, by their places in the campaign."""
        return cls("segment", numbered(positions) if isinstance(positions, int) else positions)

    @classmethod
    def documents(cls, labels: Sequence[str]) -> Units:
        """Documents, of which ``labels`` names that of each segment."""
        places = {name: place for place, name in enumerate(dict.fromkeys(labels))}
        return cls("document", named([*places]), np.array([places[label] for label in labels], dtype=np.intp))

    def __len__(self) -> int:
        return len(self.keys)

    def sums(self, rows: Array) -> Array:
        """A row for each unit: the sum of its segments' rows."""
        if self.members is None:
            return rows
        sums = np.zeros((len(self), *rows.shape[1:]))
        np.add.at(sums, self.members, rows)
        return sums

    def spread(self, weights: NDArray[_Number]) -> NDArray[_Number]:
        """Weights of units (the last axis) as weights of segments."""
        return weights if self.members is None else weights[..., self.members]

    def count(self, segments: Flags) -> int:
        """How many of them these segments are in."""
        return int((np.bincount(self.codes[segments]) > 0).sum())

    def only(self, segments: Flags) -> Units:
        """The units of these segments, with these segments alone, as a part of all."""
        whole = self.whole or self
        if self.members is None:
            return replace(self, keys=self.keys[segments]).within(whole)
        kept, members = np.unique(self.members[segments], return_inverse=True)
        return replace(self, keys=self.keys[kept], members=members).within(whole)

    def within(self, whole: Units) -> Units:
        """The same units as a part of others."""
        keys = np.concatenate([self.keys, whole.keys[~np.isin(whole.keys, self.keys)]])
        order = np.argsort(keys)
        places = order[np.searchsorted(keys, whole.keys, sorter=order)]
        return replace(self, whole=Units(self.name, keys, whole.spread(places)))

    @cached_property
    def codes(self) -> NDArray[np.intp]:
        """The number of the unit of each segment."""
        return np.arange(len(self)) if self.members is None else self.members


def design_effect(influence: Array, units: Units) -> float:
    """How much more a mean varies because segments come in units than if each segment had come by itself.

    ``influence`` is what each segment does to the score. 557 segments with an effect of 2 are worth 278 independent
    ones. It is 1 where segments are drawn by themselves.
    """
    apart = influence - influence.mean()
    by_unit, alone = units.sums(apart[:, None])[:, 0], float((apart**2).sum())
    if units.members is None or alone == 0.0:
        return 1.0
    segments, count = len(apart), len(units)
    return float((by_unit**2).sum()) * count / (count - 1) / (alone * segments / (segments - 1))


def bootstrap_counts(keys: Keys, samples: int, seed: int, name: str = "units") -> Iterator[Array]:
    """Blocks of rows that say how often each unit counts: whole numbers, Poisson(1), for each unit by itself.

    A row is a bootstrap sample whose size is random, too. What a unit counts depends on the seed, the row and its key
    alone: not on how rows are cut into blocks, nor on which other units there are.
    """
    purpose, start = _of_stream(seed, name), 0
    for count in _block_sizes(samples, len(keys), SAMPLE_CELLS):
        yield draw_counts(purpose, keys, start, count)
        start += count


def swap_flags(keys: Keys, samples: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Blocks of rows of 0 and 1: which units change places in each randomisation.

    As with samples, a flag depends on the seed, the row and the unit's key alone; whoever has seen enough may stop.
    """
    purpose, start = _of_stream(seed, "swaps"), 0
    for count in _block_sizes(samples, len(keys), SWAP_CELLS):
        yield draw_swaps(purpose, keys, start, count)
        start += count


def all_swaps(units: int) -> Iterator[NDArray[np.uint8]]:
    """Every way to swap, each once: rows of 0 and 1 that count up to 2 to the power of ``units``."""
    numbers = np.arange(2**units, dtype=np.uint64)
    bits = (numbers[:, None] >> np.arange(units, dtype=np.uint64)) & np.uint64(1)
    yield bits.astype(np.uint8)


def _block_sizes(samples: int, units: int, cells: int) -> Iterator[int]:
    if samples < 0:
        raise ParameterError(f"samples is {samples}, but it takes a whole number of at least 0.")
    rows = max(1, cells // max(units, 1))
    for start in range(0, samples, rows):
        yield min(rows, samples - start)


def weighted_sums(
    tables: Sequence[Array], blocks: Iterable[Array | NDArray[np.uint8]], samples: int,
    progress: _Progress | None = None,
) -> list[Array]:  # fmt: skip
    """For each table of rows (units by columns) its sums under every row of weights: samples by columns.

    All tables see the same weights.
    """
    if len(tables) > 1 and sum(table.size for table in tables) <= _STACKED_CELLS:
        (whole,) = weighted_sums([np.hstack(tables)], blocks, samples, progress)
        ends = np.cumsum([table.shape[1] for table in tables])
        return [np.ascontiguousarray(part) for part in np.split(whole, ends[:-1], axis=1)]
    sums = [np.empty((samples, table.shape[1])) for table in tables]
    done = 0
    for block in blocks:
        weights = np.asarray(block, dtype=np.float64)
        for table, total in zip(tables, sums, strict=True):
            np.matmul(weights, table, out=total[done : done + len(weights)])
        done += len(weights)
        if progress is not None:
            progress(done / samples)
    return sums


def resampled_scores(
    jobs: Sequence[tuple[_Scorer, Array]], units: Units, *, samples: int, seed: int, threads: int = 1,
    progress: _Progress | None = None,
) -> list[Array]:  # fmt: skip
    """The scores of tables of rows under the same bootstrap samples; NaN where nothing was drawn.

    Tables have a row per unit, or one per unit of the whole that these are a part of.
    """
    sums: dict[int, Array] = {}
    for keys in [each.keys for each in (units, units.whole) if each is not None]:
        tables = {
            number: rows for number, (_, rows) in enumerate(jobs) if len(rows) == len(keys) and number not in sums
        }
        if tables:
            found = weighted_sums([*tables.values()], bootstrap_counts(keys, samples, seed), samples, progress)
            sums |= dict(zip(tables, found, strict=True))
    work = [(score, sums[number]) for number, (score, _) in enumerate(jobs)]
    drawn = np.ones(samples, dtype=np.bool_)
    if len(units) <= _NEVER_EMPTY:
        drawn = np.concatenate([block.any(axis=1) for block in bootstrap_counts(units.keys, samples, seed)])

    def scored(job: tuple[_Scorer, Array]) -> Array:
        scores = np.full(samples, np.nan)
        scores[drawn] = job[0](job[1][drawn])
        return scores

    return in_threads(scored, work, threads)


@dataclass(frozen=True, eq=False)
class Draws:
    """How often each segment counts in each draw: first the data as they are, then the samples.

    Units are drawn: segments, documents or whatever is drawn as a whole. In a grid of systems by segments a cell counts
    as often as its unit times its system. ``blocks`` makes the samples anew each time, a block of rows after the other.
    """

    samples: int
    blocks: Callable[[], Iterator[Array]] = field(repr=False)
    #: The row of the data as they are.
    first: Array = field(repr=False)
    #: How often each system counts: draws by systems.
    systems: Array = field(repr=False)
    #: What is drawn, and the keys of systems.
    units: Units
    system_keys: Keys = field(repr=False)
    #: How many there are to draw from: units or, where they are drawn and are fewer, systems.
    size: int
    #: Whether systems are drawn, too.
    systems_vary: bool = False
    #: Whether rows that leave out a unit each come last.
    jackknife: bool = False
    #: Samples of the units of the whole that these are a part of, beyond these.
    beyond: Callable[[], Iterator[Array]] = field(default=lambda: iter(()), repr=False)

    @classmethod
    def of(
        cls,
        units: Units | int,
        samples: int,
        seed: int,
        *,
        among: Flags | None = None,
        systems: Keys | int = 1,
        vary: tuple[str, ...] = ("units",),
        jackknife: bool = False,
    ) -> Draws:
        """Bootstrap samples.

        ``among`` says which segments count; ``vary`` says whether units, systems or both are drawn. With
        ``jackknife`` few units are also left out one by one.
        """
        units = Units.segments(units) if isinstance(units, int) else units
        of_systems = numbered(systems) if isinstance(systems, int) else systems

        def blocks() -> Iterator[Array]:
            if "units" not in vary:
                yield units.spread(np.ones((samples, len(units))))
                return
            for block in bootstrap_counts(units.keys, samples, seed):
                yield units.spread(block) if among is None else units.spread(block) * among

        def beyond() -> Iterator[Array]:
            if units.whole is not None and "units" in vary:
                yield from bootstrap_counts(units.whole.keys[len(units) :], samples, seed)

        rows = list(bootstrap_counts(of_systems, samples, seed, "systems")) if "systems" in vary else []
        size = len(units) if among is None else units.count(among)
        drawn = [size] * ("units" in vary) + [len(of_systems)] * bool(rows)
        first = units.spread(np.ones((1, len(units))))
        return cls(
            samples,
            blocks,
            first,
            np.concatenate([np.ones((1, len(of_systems))), *rows]) if rows else np.ones((1 + samples, len(of_systems))),
            units,
            of_systems,
            min(drawn, default=size),
            bool(rows),
            jackknife and 2 <= len(units) <= _FEW_UNITS,
            beyond,
        )

    @classmethod
    def given(cls, weights: Array, systems: Array) -> Draws:
        """Draws that are made already, one row each: of units, and of systems."""
        if weights.ndim != 2 or systems.ndim != 2 or len(weights) != len(systems):
            raise ParameterError(
                f"Draws take two tables with one row per draw; these have shapes {weights.shape} (units) and "
                f"{systems.shape} (systems)."
            )
        for name, table in (("units", weights), ("systems", systems)):
            if not (np.isfinite(table).all() and (table >= 0).all()):
                raise ParameterError(f"Draws of {name} hold numbers that are negative or not finite.")
        drawn = int((weights[1:] > 0).any(axis=0).sum()), int((systems[1:] > 0).any(axis=0).sum())
        vary = not (systems == 1).all()
        return cls(
            len(weights) - 1,
            lambda: iter([weights[1:]]),
            weights[:1],
            systems,
            Units.segments(weights.shape[1]),
            numbered(systems.shape[1]),
            min(drawn) if vary else drawn[0],
            vary,
        )

    @classmethod
    def observed(cls, systems: int, units: int) -> Draws:
        """One draw in which everything counts once: the data as they are."""
        return cls.of(units, 0, 0, systems=systems)

    def __len__(self) -> int:
        return 1 + self.samples

    @cached_property
    def weights(self) -> Array:
        """All rows: draws by units."""
        left_out = [self.units.spread(1.0 - np.eye(len(self.units)))] if self.jackknife else []
        # In one order in memory, whatever they were indexed by: sums then have the same last digit.
        return np.ascontiguousarray(np.concatenate([self.first, *self.blocks(), *left_out]))

    @cached_property
    def by_unit(self) -> Array:
        """All rows turned: units by draws, as kernels take them."""
        return np.ascontiguousarray(self.weights.T)

    def of_units(self, whole: Units) -> Array:
        """How often each unit of a whole that these are a part of counts, draws by units; undrawn ones count once."""
        counts, samples = np.ones((len(self), len(whole))), self.weights[1 : len(self)]
        drawn = np.flatnonzero(samples.any(axis=0))
        keys, first = np.unique(self.units.keys[self.units.codes[drawn]], return_index=True)
        _fill(counts[1:], whole.keys, keys, samples[:, drawn[first]])
        others = list(self.beyond())
        if others and self.units.whole is not None:
            _fill(counts[1:], whole.keys, self.units.whole.keys[len(self.units) :], np.concatenate(others))
        return counts

    def without_samples(self) -> Draws:
        """The first draw alone: the data as they are."""
        systems, vary = self.systems[:1], not (self.systems[0] == 1).all()
        return replace(self, samples=0, blocks=lambda: iter(()), systems=systems, systems_vary=vary, jackknife=False)

    def cell_swaps(self, samples: int, seed: int) -> Iterator[NDArray[np.uint8]]:
        """Blocks of draws by systems by segments: 1 where a cell is swapped, with all cells of its system and unit."""
        for flags in swap_flags(crossed(self.system_keys, self.units.keys), samples, seed):
            yield self.units.spread(flags.reshape(len(flags), len(self.system_keys), -1))

    def slices(self, cells_per_draw: int) -> Iterator[slice]:
        """Stretches of draws that need no more than a block's memory."""
        size = max(1, BLOCK_CELLS // max(cells_per_draw, 1))
        for start in range(0, len(self), size):
            yield slice(start, min(start + size, len(self)))

    def estimate(self, values: Array, *, centred: bool = False, n: int = 0, epsilon: float | None = None) -> Estimate:
        """The value and its interval from the statistic under every row of weights; NaN where it is not defined.

        ``centred`` moves the samples, on Fisher's scale, until their median is the value: a segment that is drawn twice
        brings no new ratings, so that a reliability near 1 is lower in nearly all samples than in all the data.
        """
        drawn, left_out = values[: len(self)], values[len(self) :]
        if centred:
            drawn, left_out = recentred(drawn, scale="fisher"), np.tanh(fisher(left_out))
        return estimate(drawn, self.size, jackknife=left_out, n=n, epsilon=epsilon)


def _fill(counts: Array, keys: Keys, some: Keys, theirs: Array) -> None:
    """Write what some keys count, a column each, where all keys have their columns."""
    _, places, columns = np.intersect1d(keys, some, assume_unique=True, return_indices=True)
    counts[:, places] = theirs[:, columns]


@dataclass(frozen=True)
class Estimate:
    """A value and its 95 % interval; None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    #: How many points it is over.
    n: int = 0
    #: The difference up to which scores are a tie, where one was calibrated.
    epsilon: float | None = None
    #: The value under every draw, and of how many units these are.
    values: Array = field(default_factory=lambda: np.empty(0), repr=False, compare=False)
    units: int = field(default=0, repr=False, compare=False)

    def row(self, value: str = "value", low: str = "low", high: str = "high") -> dict[str, float | None]:
        """The cells of a table."""
        return {value: self.value, low: self.low, high: self.high}

    def __sub__(self, other: Estimate) -> Estimate:
        """The difference, with an interval from the same draws."""
        return estimate(self.values - other.values, self.units, n=self.n)


#: What is not defined.
NOTHING = Estimate(None)


def estimate(
    values: Array, units: int, *, jackknife: Array | None = None, n: int = 0, epsilon: float | None = None
) -> Estimate:
    """The estimate that draws make of a statistic: ``values`` has it on the data as they are, then in every draw.

    Where it has no value there is no interval either. See ``interval``.
    """
    value = number_or_none(float(values[0]))
    low, high = interval(values[1:], units, jackknife=jackknife) if value is not None else NO_INTERVAL
    return Estimate(value, low, high, n, epsilon, values, units)


def number_or_none(value: float) -> float | None:
    """What tables hold of a statistic that may not be defined."""
    return value if math.isfinite(value) else None


def fisher(values: Array) -> Array:
    """Correlations on Fisher's scale; 1 itself is nearly infinite there."""
    turned: Array = np.arctanh(np.clip(values, -1.0 + 1e-12, 1.0 - 1e-12))
    return turned


def recentred(values: Array, *, scale: Literal["fisher", "plain"]) -> Array:
    """Draws moved until their median is the value of the data as they are, which stands first and stays."""
    turned = fisher(values) if scale == "fisher" else values
    finite = turned[1:][np.isfinite(turned[1:])]
    if not len(finite):
        return values
    moved = turned[1:] + (turned[0] - np.median(finite))
    return np.concatenate([values[:1], np.tanh(moved) if scale == "fisher" else np.minimum(moved, 1.0)])


class Interval(NamedTuple):
    """The range that a value lies in, as far as chance goes; None for both ends where that cannot be said."""

    low: float | None
    high: float | None


#: Of what too little is known.
NO_INTERVAL = Interval(None, None)


def interval(drawn: Array, units: int, *, jackknife: Array | None = None, confidence: float = 0.95) -> Interval:
    """The middle ``confidence`` of what draws of ``units`` gave (Efron's percentile interval), widened if few.

    It is widened as Student's t is wider than the normal: by the number of units or, where ``jackknife`` has the value
    without each of them, by how unequal they are, too. There is no interval of fewer than five units, nor where most
    draws have no value: NaN.
    """
    if not 0.0 < confidence < 1.0:
        raise ParameterError(f"The confidence is {confidence}, but it takes a number between 0 and 1.")
    finite = drawn[np.isfinite(drawn)]
    if units < FEWEST_UNITS or len(finite) < max(0.5 * len(drawn), 2):
        return NO_INTERVAL
    tail = widened_tail((1.0 - confidence) / 2.0, units, jackknife)
    return Interval(*quantiles(finite, [tail, 1.0 - tail]))


def least_held(units: int) -> int | None:
    """In how many of 100 simulated test sets 95 % intervals held the truth, at worst; None where that is 93 or more.

    >>> least_held(12), least_held(100)
    (88, None)
    """
    return next((held for below, held in _HELD if units < below), None)


def quantiles(values: Array, levels: Sequence[float]) -> list[float]:
    """Values at these shares of the sorted ones, with straight lines between them.

    The k-th of n stands at k/(n+1), so that what lies beyond it is as likely as it is meant to be.
    """
    ordered = np.sort(values)
    places = np.asarray(levels) * (len(ordered) + 1) - 1
    ends: list[float] = np.interp(places, np.arange(len(ordered)), ordered).tolist()
    return ends


def bca_interval(drawn: Array, observed: float, jackknife: Array) -> Interval:
    """Efron's bias-corrected and accelerated 95 % interval; ``jackknife`` holds the score without each unit in turn.

    It is widened for few units as ``interval`` is.
    """
    normal, units = NormalDist(), len(jackknife)
    finite = drawn[np.isfinite(drawn)]
    below = (np.count_nonzero(finite < observed) + 0.5 * np.count_nonzero(finite == observed)) / max(len(finite), 1)
    influence = jackknife.mean() - jackknife
    square = float((influence**2).sum())
    if units < FEWEST_UNITS or not 0.0 < below < 1.0 or square == 0.0:
        # Nothing varies, or all to one side: there is no bias to correct.
        return interval(drawn, units)
    bias = normal.inv_cdf(below)
    acceleration = float((influence**3).sum()) / (6.0 * square**1.5)
    tail = widened_tail(_TAIL, units, jackknife)

    def level(quantile: float) -> float:
        shifted = bias + quantile
        return normal.cdf(bias + shifted / (1.0 - acceleration * shifted))

    return Interval(*quantiles(finite, [level(normal.inv_cdf(tail)), level(normal.inv_cdf(1.0 - tail))]))


def jackknife_interval(value: float, without: Array, beside: Interval) -> Interval:
    """95 % on Fisher's scale by Student's t, from the value ``without`` each of few units, such as raters, in turn.

    ``beside`` is the interval that drawing something else gave, such as items: what varies with either is added up, and
    degrees of freedom are Satterthwaite's. There is none of fewer than three units.
    """
    turned = fisher(without[np.isfinite(without)])
    units = len(turned)
    if units < FEWEST_LEFT_OUT or beside.low is None or beside.high is None:
        return NO_INTERVAL
    spread = (units - 1) / units * float(((turned - turned.mean()) ** 2).sum())
    low, high = fisher(np.array([beside.low, beside.high]))
    items = float((high - low) / 2.0 / NormalDist().inv_cdf(1.0 - _TAIL)) ** 2
    ends = summed_interval(float(fisher(np.array(value))), [(spread, units - 1.0), (items, math.inf)])
    return Interval(*(None if end is None else math.tanh(end) for end in ends))


def summed_interval(value: float, variances: Sequence[tuple[float, float]]) -> Interval:
    """95 % by Student's t, from what varies with one thing and with another, each with its degrees of freedom.

    Variances add up, and degrees of freedom are Satterthwaite's. A variance that is a difference may be negative by
    chance, and is 0 then; where one is not known there is no interval.

    >>> [round(end, 3) for end in summed_interval(0.0, [(1.0, 10.0)])]
    [-2.228, 2.228]
    """
    from scipy.special import stdtrit

    if not all(math.isfinite(variance) for variance, _ in variances):
        return NO_INTERVAL
    total, freedom = satterthwaite(variances)
    half = float(stdtrit(freedom, 1.0 - _TAIL)) * math.sqrt(total)
    return Interval(value - half, value + half)


def satterthwaite(variances: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The sum of variances, each with its degrees of freedom, and those of the sum; one that is not above 0 is none.

    >>> satterthwaite([(1.0, 10.0), (1.0, 10.0), (-1.0, 10.0)])
    (2.0, 20.0)
    """
    known = [(variance, freedom) for variance, freedom in variances if variance > 0.0]
    total, below = sum(variance for variance, _ in known), sum(variance**2 / freedom for variance, freedom in known)
    return total, min(total**2 / below, 1e6) if below > 0.0 else 1e6


def binomial_interval(count: int, of: int, confidence: float = 0.95) -> tuple[float, float]:
    """Clopper and Pearson's interval of a share, between 0 and 1."""
    from scipy.special import betaincinv

    tail = (1.0 - confidence) / 2.0
    low = 0.0 if count == 0 else float(betaincinv(count, of - count + 1, tail))
    high = 1.0 if count == of else float(betaincinv(count + 1, of - count, 1.0 - tail))
    return low, high


def wilson_interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval (1927) of a share, from 0 to 1; sound near both ends, where most shares of ours are.

    >>> low, high = wilson_interval(99, 100)
    >>> round(low, 4), round(high, 4)
    (0.9455, 0.9982)
    """
    if not 0.0 < confidence < 1.0:
        raise ParameterError(f"The confidence is {confidence}, but it takes a number between 0 and 1.")
    if not 0 <= successes <= trials or trials == 0:
        raise ParameterError(f"{successes} of {trials} is no share.")
    quantile = NormalDist().inv_cdf((1.0 + confidence) / 2.0)
    share, spread = successes / trials, quantile**2 / trials
    centre = share + spread / 2.0
    half = quantile * math.sqrt(share * (1.0 - share) / trials + spread / (4.0 * trials))
    low, high = (centre - half) / (1.0 + spread), (centre + half) / (1.0 + spread)
    return 0.0 if successes == 0 else low, 1.0 if successes == trials else high


def student_quantile(tail: float, freedom: float) -> float:
    """The quantile of Student's t, by Cornish and Fisher's series: right to a per cent from 3 degrees of freedom on.

    Loading scipy for it would take longer than a whole bootstrap.

    >>> round(student_quantile(0.025, 10), 3), round(student_quantile(0.025, 1000), 3)
    (-2.228, -1.962)
    """
    z = NormalDist().inv_cdf(tail)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def widened_tail(tail: float, units: int, jackknife: Array | None = None) -> float:
    """The tail of a bootstrap that stands for ``tail`` of the truth: few units leave less beyond an interval.

    Student's t is read instead of the normal. And samples of n vary less than the truth, by the root of n/(n-1).

    >>> round(widened_tail(0.025, 20), 4), round(widened_tail(0.025, 1000), 4)
    (0.0159, 0.0248)
    """
    freedom = degrees_of_freedom(units, jackknife)
    return NormalDist().cdf(student_quantile(tail, freedom) * float(np.sqrt(units / (units - 1))))


def degrees_of_freedom(units: int, jackknife: Array | None = None) -> float:
    """Of the t that stands for the error of so many units, at least 3.

    A variance that is estimated from n values of kurtosis k is as good as one from 2n/(k-1) normal ones. k comes from
    the value without each unit (``jackknife``); where that is not known units are taken as normal: n-1.
    """
    freedom = units - 1.0
    if jackknife is not None and len(jackknife) == units and np.isfinite(jackknife).all():
        influence = jackknife.mean() - jackknife
        square = float((influence**2).sum())
        if square > 0.0:
            kurtosis = units * float((influence**4).sum()) / square**2
            freedom = min(2.0 * units / max(kurtosis - 1.0, 1e-9), freedom)
    return max(freedom, 3.0)
