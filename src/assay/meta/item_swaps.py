"""Two metrics that swap scores cell by cell: all draws and all pairs of metrics together.

Within segments, a pair of systems shows one of four pairs of scores: both of the first metric, both of the second, or
one of each. Which one is decided by the two cells' flags, so the pairs that are ordered like people's are a quadratic
function of a segment's flags. With columns for 1, each flag and each product of two, one matrix product per segment
gives them for all draws and all pairs of metrics. Sums of scores and of their squares are linear in the flags.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from assay.meta.statistics.draws import Array
from assay.significance.association import ROUNDING, from_moments, standardised
from assay.significance.weights import swap_flags

Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Segment:
    """One segment's scores of all metrics (metrics by systems), people's, and its flags (draws by systems)."""

    scores: Array
    human: Array
    flags: Array


class Comparisons:
    """All pairs of metrics; values are (first metric, second metric) by draws by pairs of metrics."""

    def __init__(self, metrics: int) -> None:
        self.pairs = list(combinations(range(metrics), 2))
        self.first, self.second = np.array(self.pairs, dtype=np.intp).reshape(-1, 2).T

    def kendall(self, segment: Segment) -> Array:
        """Kendall's tau-b; NaN where a mixed metric ties all systems."""
        one, other, people, signs = _orders(segment)
        differing = np.abs(people).sum()
        columns = _columns(segment.flags, one, other)
        difference = self._counted(columns, signs * people, one, other)
        if signs.all():
            return np.asarray(difference / np.sqrt(len(one) * differing))
        differ = self._counted(columns, np.abs(signs), one, other)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(difference / np.sqrt(differ * differing))

    def tau23(self, segment: Segment) -> Array:
        """The share of pairs that agree, less that of the others."""
        one, other, people, signs = _orders(segment)
        right = self._counted(_columns(segment.flags, one, other), (signs == people) * 1.0, one, other)
        return 2.0 * right / len(one) - 1.0

    def pearson(self, segment: Segment) -> Array:
        """Pearson's correlation; NaN where a mixed metric is constant."""
        people = segment.human - segment.human.mean()
        people /= np.sqrt((people**2).sum())
        scores = segment.scores - segment.scores.mean()
        moments = [scores, scores * scores, scores * people]
        changes = [segment.flags @ (moment[self.second] - moment[self.first]).T for moment in moments]
        values = np.empty((2, *changes[0].shape))
        for number, (metric, sign) in enumerate(((self.first, 1.0), (self.second, -1.0))):
            total, squares, products = (
                moment[metric].sum(axis=1) + sign * change for moment, change in zip(moments, changes, strict=True)
            )
            variance = squares - total**2 / len(people)
            variance[variance <= ROUNDING * squares] = np.nan
            values[number] = products / np.sqrt(variance)
        return values

    def _counted(self, columns: NDArray[np.float32], table: Array, one: Indices, other: Indices) -> Array:
        """Sums over pairs of systems of what ``table`` (metrics by metrics by pairs of systems) says of those shown.

        They are small whole numbers, exact in 32 bits.
        """
        systems = np.arange(int(other.max()) + 1)
        belongs = [(column[:, None] == systems).astype(np.float64) for column in (one, other)]
        parts = []
        for x, y in ((self.first, self.second), (self.second, self.first)):
            xx, xy, yx, yy = table[x, x], table[x, y], table[y, x], table[y, y]
            alone = (yx - xx) @ belongs[0] + (xy - xx) @ belongs[1]
            parts.append(np.concatenate([xx.sum(axis=1)[:, None], alone, xx - xy - yx + yy], axis=1))
        coefficients = np.concatenate(parts).T.astype(np.float32)
        return np.stack(np.split((columns @ coefficients).astype(np.float64), 2, axis=1))


def item_swap_deltas(
    statistic: str, scores: Array, human: Array, samples: int, seed: int
) -> Iterator[tuple[int, int, float, Array]]:
    """For each pair of metrics their numbers, the difference seen, and those under random swaps.

    ``scores`` are metrics by systems by segments, with NaN where ``human`` (systems by segments) has it.
    """
    comparisons = Comparisons(len(scores))
    function = {"pearson": comparisons.pearson, "kendall": comparisons.kendall, "tau23": comparisons.tau23}[statistic]
    systems, segments = human.shape
    # The first row swaps nothing: the difference that was seen.
    flags = np.zeros((samples + 1, systems * segments), dtype=np.uint8)
    done = 1
    for block in swap_flags(systems * segments, samples, seed):
        flags[done : done + len(block)] = block
        done += len(block)
    by_segment = flags.reshape(samples + 1, systems, segments).transpose(2, 1, 0)
    sums, counts = np.zeros((2, 2, samples + 1, len(comparisons.pairs)))
    for number, (people, drawn) in enumerate(zip(human.T, by_segment, strict=True)):
        present = ~np.isnan(people)
        alike = present.sum() < 2 or (people[present] == people[present][0]).all()
        if present.sum() < 2 or (alike and statistic != "tau23"):
            continue
        segment = Segment(scores[:, present, number], people[present], drawn[present].T.astype(np.float64))
        values = function(segment)
        undefined = np.isnan(values)
        if undefined.any():
            values[undefined] = 0.0
            counts -= undefined
        sums += values
        counts += 1.0
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / counts
    for number, (one, other) in enumerate(comparisons.pairs):
        deltas = means[0, :, number] - means[1, :, number]
        yield one, other, float(deltas[0]), deltas[1:]


def pearson_swap_deltas(
    scores: Array, human: Array, samples: int, seed: int
) -> Iterator[tuple[int, int, float, Array]]:
    """The same for Pearson's correlation over all cells: sums of x, xx and xh are linear in what is swapped."""
    present = ~np.isnan(human)
    x, h = scores[:, present], standardised(human[present]) if present.any() else human[present]
    columns = np.concatenate([x, x * x, x * h])
    cells = present.ravel()
    moved = np.concatenate([flags[:, cells] @ columns.T for flags in swap_flags(human.size, samples, seed)])
    moved = moved.reshape(-1, 3, len(x))
    total = columns.sum(axis=1).reshape(3, len(x))
    count, sum_h, sum_hh = float(x.shape[1]), float(h.sum()), float((h * h).sum())

    def correlation(sums: Array) -> Array:
        ones = np.ones_like(sums[..., 0])
        return from_moments(
            np.stack([count * ones, sums[..., 0], sum_h * ones, sums[..., 1], sum_hh * ones, sums[..., 2]])
        )

    for first, second in combinations(range(len(x)), 2):
        change = moved[:, :, second] - moved[:, :, first]
        observed = float(correlation(total[:, first]) - correlation(total[:, second]))
        yield first, second, observed, correlation(total[:, first] + change) - correlation(total[:, second] - change)


def _orders(segment: Segment) -> tuple[Indices, Indices, Array, Array]:
    """Pairs of systems, people's signs of them, and those of one metric's score less another's (metrics by metrics)."""
    one, other = np.triu_indices(len(segment.human), k=1)
    people = np.sign(segment.human[one] - segment.human[other])
    return one, other, people, np.sign(segment.scores[:, None, one] - segment.scores[None, :, other])


def _columns(flags: Array, one: Indices, other: Indices) -> NDArray[np.float32]:
    """1, each flag, and each product of two: draws by columns."""
    small = flags.astype(np.float32)
    return np.concatenate([np.ones((len(flags), 1), dtype=np.float32), small, small[:, one] * small[:, other]], axis=1)
