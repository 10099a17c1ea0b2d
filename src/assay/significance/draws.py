"""Random draws of units, and the estimates that are made under them: the only resampler, and the only interval rule.

Weights are drawn once and used for all metrics and systems, so that comparisons are paired for free. Whatever is random
in Assay comes from a named stream of this file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Flags
from assay.errors import ParameterError
from assay.significance.association import BLOCK_CELLS

_Progress = Callable[[float], None]

#: Streams of random numbers, and what stands beside the seed in each of them. Where two have the same numbers they
#: share what they draw, as they always did; they have two names so that one of them can move.
STREAMS: dict[str, tuple[int, ...]] = {
    "segments": (),  # bootstrap samples of segments, or of whatever is drawn as a whole
    "reference sets": (),  # with the size of a set beside it, which for 1 is what swaps have
    "swaps": (1,),
    "simulated pairs": (2,),
    "halves of judgements": (2,),  # with the number of the split beside it
    "halves of ratings": (2,),
    "simulated samples": (3,),
    "folds of acc23": (5,),
    "pairs of acc23": (6,),
    "pseudo-documents": (7,),
    "folds of examples": (7,),
    "one judge": (8,),
    "two judges": (9,),
    "halves of a campaign": (11,),
    "preferences": (11,),
    "places of dots": (12,),
    "shuffled features": (13,),
    "splits of trees": (17,),
    "folds of judgements": (29,),
    "starting points": (31,),
}
#: Systems are drawn under another seed.
_SYSTEMS_SEED = 1_000_003

#: Weights in memory at a time: 32 MB of them.
SAMPLE_CELLS = 4_000_000
#: Swaps in memory at a time: 64 MB of them.
SWAP_CELLS = 8_000_000
#: Tables with so many cells together are set side by side: one wide product is faster than many narrow ones.
_STACKED_CELLS = 40_000_000
#: Up to so many units each is left out once, so that intervals can be widened for their small number.
_FEW_UNITS = 250
#: What a 95 % interval leaves out at either end; and how the intervals of agreement have it, one rounding away.
_TAIL = 0.025
_TAIL_OF_AGREEMENT = (1.0 - 0.95) / 2.0


def stream(seed: int, name: str, *numbers: int) -> np.random.Generator:
    """The random numbers of one purpose; ``numbers`` tell apart what is drawn for it several times."""
    if seed < 0:
        raise ParameterError(f"The seed is {seed}, but it takes a whole number of at least 0.")
    if name == "systems":
        return np.random.default_rng([seed + _SYSTEMS_SEED, *numbers])
    return np.random.default_rng([seed, *STREAMS[name], *numbers])


def bootstrap_counts(units: int, samples: int, seed: int, name: str = "segments") -> Iterator[Array]:
    """Blocks of rows that say how often each unit was drawn; every row sums to ``units``.

    The rows depend on the seed alone, not on how they are cut into blocks.
    """
    generator = stream(seed, name)
    for count in _block_sizes(samples, units, SAMPLE_CELLS):
        drawn = generator.integers(units, size=(count, units))
        # Each row counts in a stretch of its own, so that one call counts all of them.
        drawn += units * np.arange(count)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=count * units)
        yield counts.reshape(count, units).astype(np.float64)


def swap_flags(units: int, samples: int, seed: int) -> Iterator[Array]:
    """Blocks of rows of 0 and 1: which units change places between two systems in each randomisation.

    The rows depend on the seed alone, not on how they are cut into blocks; whoever has seen enough may stop.
    """
    generator = stream(seed, "swaps")
    # Whole words of 64 bits, so that blocks of any size draw the same.
    words = (units + 63) // 64
    for count in _block_sizes(samples, units, SWAP_CELLS):
        drawn = generator.integers(2**64, size=(count, words), dtype=np.uint64).astype("<u8")
        yield np.unpackbits(drawn.view(np.uint8), axis=1, count=units).astype(np.float64)


def all_swaps(units: int) -> Iterator[Array]:
    """Every way to swap, each once: rows of 0 and 1 that count up to 2 to the power of ``units``."""
    numbers = np.arange(2**units, dtype=np.uint64)
    bits = (numbers[:, None] >> np.arange(units, dtype=np.uint64)) & np.uint64(1)
    yield bits.astype(np.float64)


def _block_sizes(samples: int, units: int, cells: int) -> Iterator[int]:
    if samples < 0:
        raise ParameterError(f"samples is {samples}, but it takes a whole number of at least 0.")
    rows = max(1, cells // max(units, 1))
    for start in range(0, samples, rows):
        yield min(rows, samples - start)


def weighted_sums(
    tables: Sequence[Array], blocks: Iterable[Array], samples: int, progress: _Progress | None = None
) -> list[Array]:
    """For each table of rows (units by columns) its sums under every row of weights: samples by columns.

    All tables see the same weights.
    """
    if len(tables) > 1 and sum(table.size for table in tables) <= _STACKED_CELLS:
        (whole,) = weighted_sums([np.hstack(tables)], blocks, samples, progress)
        ends = np.cumsum([table.shape[1] for table in tables])
        return [np.ascontiguousarray(part) for part in np.split(whole, ends[:-1], axis=1)]
    sums = [np.empty((samples, table.shape[1])) for table in tables]
    done = 0
    for weights in blocks:
        for table, total in zip(tables, sums, strict=True):
            np.matmul(weights, table, out=total[done : done + len(weights)])
        done += len(weights)
        if progress is not None:
            progress(done / samples)
    return sums


def resampled_sums(
    tables: Sequence[Array], samples: int, seed: int, progress: _Progress | None = None
) -> list[Array]:  # fmt: skip
    """For each table of rows (segments by columns) its sums under every bootstrap sample, the same ones for all."""
    if not tables:
        return []
    return weighted_sums(tables, bootstrap_counts(len(tables[0]), samples, seed), samples, progress)


@dataclass(frozen=True, eq=False)
class Draws:
    """How often each unit counts in each draw: first the data as they are, then the samples.

    Units are segments, documents or whatever is drawn as a whole. In a grid of systems by units a cell counts as often
    as its unit times its system. ``blocks`` makes the samples anew each time, a block of rows after the other.
    """

    samples: int
    blocks: Callable[[], Iterator[Array]] = field(repr=False)
    #: The row of the data as they are.
    first: Array = field(repr=False)
    #: How often each system counts: draws by systems.
    systems: Array = field(repr=False)
    #: Whether systems are drawn, too.
    systems_vary: bool = False
    #: Whether rows that leave out a unit each come last.
    jackknife: bool = False

    @classmethod
    def of(
        cls,
        units: int,
        samples: int,
        seed: int,
        *,
        among: Flags | None = None,
        members: NDArray[np.int64] | NDArray[np.intp] | None = None,
        systems: int = 1,
        vary: tuple[str, ...] = ("units",),
        jackknife: bool = False,
    ) -> Draws:
        """Bootstrap samples.

        ``among`` says which units can be drawn; ``members`` names the unit of each segment, so that weights are of
        segments; ``vary`` says whether units, systems or both are drawn. With ``jackknife`` few units are also left out
        one by one.
        """
        chosen = np.ones(units, dtype=np.bool_) if among is None else among

        def blocks() -> Iterator[Array]:
            count = int(chosen.sum())
            drawn = bootstrap_counts(count, samples, seed) if "units" in vary else iter([np.ones((samples, count))])
            for block in drawn:
                weights = block
                if among is not None:
                    weights = np.zeros((len(block), units))
                    weights[:, among] = block
                yield weights if members is None else weights[:, members]

        rows = list(bootstrap_counts(systems, samples, seed, "systems")) if "systems" in vary else []
        drawn_systems = np.concatenate([np.ones((1, systems)), *rows]) if rows else np.ones((1 + samples, systems))
        first = np.ones((1, units if members is None else len(members)))
        return cls(samples, blocks, first, drawn_systems, bool(rows), jackknife and 2 <= units <= _FEW_UNITS)

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
        return cls(len(weights) - 1, lambda: iter([weights[1:]]), weights[:1], systems, not (systems == 1).all())

    @classmethod
    def observed(cls, systems: int, units: int) -> Draws:
        """One draw in which everything counts once: the data as they are."""
        return cls.of(units, 0, 0, systems=systems)

    def __len__(self) -> int:
        return 1 + self.samples

    @cached_property
    def weights(self) -> Array:
        """All rows: draws by units."""
        left_out = [1.0 - np.eye(self.first.shape[1])] if self.jackknife else []
        # In one order in memory, whatever they were indexed by: sums then have the same last digit.
        return np.ascontiguousarray(np.concatenate([self.first, *self.blocks(), *left_out]))

    @cached_property
    def by_unit(self) -> Array:
        """All rows turned: units by draws, as kernels take them."""
        return np.ascontiguousarray(self.weights.T)

    @cached_property
    def units(self) -> int:
        """How many units could be drawn."""
        return int((self.weights[1 : len(self)] > 0).any(axis=0).sum())

    def without_samples(self) -> Draws:
        """The first draw alone: the data as they are."""
        systems, vary = self.systems[:1], not (self.systems[0] == 1).all()
        return replace(self, samples=0, blocks=lambda: iter(()), systems=systems, systems_vary=vary, jackknife=False)

    def slices(self, cells_per_draw: int) -> Iterator[slice]:
        """Stretches of draws that need no more than a block's memory."""
        size = max(1, BLOCK_CELLS // max(cells_per_draw, 1))
        for start in range(0, len(self), size):
            yield slice(start, min(start + size, len(self)))

    def estimate(self, values: Array, *, centred: bool = False) -> Estimate:
        """The value and its interval from the statistic under every row of weights; NaN where it is not defined.

        ``centred`` moves the samples, on Fisher's scale, until their median is the value: a segment that is drawn twice
        brings no new ratings, so that a reliability near 1 is lower in nearly all samples than in all the data.
        """
        drawn, left_out = values[: len(self)], values[len(self) :]
        if centred:
            drawn, left_out = recentred(drawn, scale="fisher"), np.tanh(fisher(left_out))
        several = self.first.shape[1] > 1
        return estimate(drawn, jackknife=left_out, several=several, half_is_enough=False, tail=_TAIL_OF_AGREEMENT)


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
    #: The value under every draw, and of how many units these are, if few of them widen the interval.
    values: Array = field(default_factory=lambda: np.empty(0), repr=False, compare=False)
    units: int | None = field(default=None, repr=False, compare=False)

    def row(self, value: str = "value", low: str = "low", high: str = "high") -> dict[str, float | None]:
        """The cells of a table."""
        return {value: self.value, low: self.low, high: self.high}

    def __sub__(self, other: Estimate) -> Estimate:
        """The difference, with an interval from the same draws."""
        return estimate(self.values - other.values, units=self.units, n=self.n)


#: What is not defined.
NOTHING = Estimate(None)


def estimate(
    values: Array,
    *,
    units: int | None = None,
    jackknife: Array | None = None,
    several: bool = True,
    half_is_enough: bool = True,
    tail: float = _TAIL,
    n: int = 0,
    epsilon: float | None = None,
) -> Estimate:
    """The estimate that draws make of a statistic: ``values`` has it on the data as they are, then in every draw.

    There is no interval where the statistic has no value, in most draws has none, or where there are not ``several``
    units: one says nothing of how others would turn out. Few units widen it, as Student's t is wider than the normal:
    by their number (``units``), or by what each does to the value, which is known without each of them (``jackknife``).
    ``half_is_enough`` says whether draws that have a value may be half of all.
    """
    drawn = values[1:] if several else np.full(len(values) - 1, np.nan)
    value = number_or_none(float(values[0]))
    low, high = None, None
    finite = drawn[np.isfinite(drawn)]
    enough = len(finite) >= max(0.5 * len(drawn), 2) if half_is_enough else len(finite) > 0.5 * len(drawn)
    if value is not None and enough:
        known = jackknife is not None and len(jackknife) > 1 and np.isfinite(jackknife).all()
        tail = widened_tail(tail, units, jackknife if known else None)
        low, high = quantiles(finite, [tail, 1.0 - tail])
    return Estimate(value, low, high, n, epsilon, np.concatenate([values[:1], drawn]), units)


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


@dataclass(frozen=True)
class Interval:
    """A range for a score, and how sure it is."""

    low: float
    high: float
    confidence: float = 0.95

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))


def percentile_interval(resampled: Array, confidence: float = 0.95, *, jackknife: Array | None = None) -> Interval:
    """The middle ``confidence`` of the resampled scores (Efron's percentile interval).

    With ``jackknife``, the score without each unit, it is widened for few units, as Student's t is against the normal.
    """
    if not 0.0 < confidence < 1.0:
        raise ParameterError(f"The confidence is {confidence}, but it takes a number between 0 and 1.")
    if len(resampled) == 0:
        raise ParameterError("An interval needs at least one sample.")
    tail = widened_tail((1.0 - confidence) / 2.0, jackknife=jackknife)
    low, high = quantiles(resampled, [tail, 1.0 - tail])
    return Interval(low, high, confidence)


def quantiles(values: Array, levels: Sequence[float]) -> list[float]:
    """Values at these shares of the sorted ones, with straight lines between them.

    The k-th of n stands at k/(n+1), so that what lies beyond it is as likely as it is meant to be.
    """
    ordered = np.sort(values)
    places = np.asarray(levels) * (len(ordered) + 1) - 1
    ends: list[float] = np.interp(places, np.arange(len(ordered)), ordered).tolist()
    return ends


def bca_interval(resampled: Array, observed: float, jackknife: Array, confidence: float = 0.95) -> Interval:
    """Efron's bias-corrected and accelerated interval; ``jackknife`` holds the score without each unit in turn.

    It is widened for few units, as Student's t is against the normal: see ``widened_tail``.
    """
    normal = NormalDist()
    below = (np.count_nonzero(resampled < observed) + 0.5 * np.count_nonzero(resampled == observed)) / len(resampled)
    influence = jackknife.mean() - jackknife
    square = float((influence**2).sum())
    if not 0.0 < below < 1.0 or square == 0.0:
        # Nothing varies, or all to one side: there is no bias to correct.
        return percentile_interval(resampled, confidence)
    bias = normal.inv_cdf(below)
    acceleration = float((influence**3).sum()) / (6.0 * square**1.5)
    tail = widened_tail((1.0 - confidence) / 2.0, jackknife=jackknife)

    def level(quantile: float) -> float:
        shifted = bias + quantile
        return normal.cdf(bias + shifted / (1.0 - acceleration * shifted))

    low, high = quantiles(resampled, [level(normal.inv_cdf(tail)), level(normal.inv_cdf(1.0 - tail))])
    return Interval(low, high, confidence)


def binomial_interval(count: int, of: int, confidence: float = 0.95) -> Interval:
    """Clopper and Pearson's interval of a share, between 0 and 1."""
    from scipy.special import betaincinv

    tail = (1.0 - confidence) / 2.0
    low = 0.0 if count == 0 else float(betaincinv(count, of - count + 1, tail))
    high = 1.0 if count == of else float(betaincinv(count + 1, of - count, 1.0 - tail))
    return Interval(low, high, confidence)


def wilson_interval(successes: int, trials: int, confidence: float = 0.95) -> Interval:
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
    return Interval(0.0 if successes == 0 else low, 1.0 if successes == trials else high, confidence)


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


def widened_tail(tail: float, units: int | None = None, jackknife: Array | None = None) -> float:
    """The tail of a bootstrap that stands for ``tail`` of the truth: few units leave less beyond an interval.

    A variance that is estimated from n values of kurtosis k is as good as one from 2n/(k-1) normal ones: those are the
    degrees of freedom of the t that is read instead of the normal; k comes from the score without each unit
    (``jackknife``), and where that is not known units are taken as normal. And samples of n vary less than the truth,
    by the root of n/(n-1). Of an unknown number of units the tail stays as it is.

    >>> round(widened_tail(0.025, 20), 4), round(widened_tail(0.025, 1000), 4)
    (0.0159, 0.0248)
    """
    units = units if jackknife is None else len(jackknife)
    if units is None or units < 2:
        return tail
    freedom = units - 1.0
    if jackknife is not None:
        influence = jackknife.mean() - jackknife
        square = float((influence**2).sum())
        if square == 0.0:
            return tail
        kurtosis = units * float((influence**4).sum()) / square**2
        freedom = min(2.0 * units / max(kurtosis - 1.0, 1e-9), freedom)
    return NormalDist().cdf(student_quantile(tail, max(freedom, 3.0)) * float(np.sqrt(units / (units - 1))))
