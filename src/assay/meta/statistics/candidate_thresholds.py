"""Agreement at a few tie thresholds when segments alone are drawn: all pairs, as quadratic forms of the draws.

All cells together, or the segments of a system, make millions of pairs: too many to go through in each draw. At a
given threshold, though, the pairs that agree are v'Mv, where v says how often each segment was drawn and M (segments
by segments) holds how many pairs of two segments agree. So draws choose among a few thresholds, spread over those at
which the observed agreement is near its best.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.meta.statistics.by_item import ItemPairs
from assay.meta.statistics.draws import Array, Draws, weighted_mean
from assay.meta.statistics.thresholds import SortedPairs

#: Tables of more segments by segments than this are slow and large.
FORM_SEGMENTS = 1500
#: Whole numbers up to this are exact in 32 bits.
EXACT_FLOAT32 = 2**24
#: Thresholds that draws choose among, near the observed best.
CANDIDATES = 9
#: Thresholds within segments, where each costs little: from 0 to the largest distance.
ITEM_CANDIDATES = 41
#: How far below its best the observed agreement may be at a candidate.
NEAR = 0.02


def candidates(pairs: SortedPairs, count: int, best: float) -> Array:
    """Thresholds near the best one, evenly spread over the distances of ``count`` pairs that these were sorted from."""
    curve = np.cumsum(pairs.gain)[pairs.ends] / max(count, 1)
    near = np.flatnonzero(curve >= max(curve.max(initial=0.0), 0.0) - NEAR)
    if not len(near):
        return np.array([best])
    low, high = pairs.ends[near[0]], pairs.ends[near[-1]]
    spread = pairs.distance[np.linspace(low, high, CANDIDATES - 1).astype(np.intp)]
    return np.unique(np.append(spread, best))


def spread_candidates(pairs: SortedPairs, best: float) -> Array:
    """Thresholds over the whole range, for draws of few systems may want quite another one than the observed data."""
    if not len(pairs.order):
        return np.array([best])
    places = np.linspace(0, len(pairs.order) - 1, ITEM_CANDIDATES - 2).astype(np.intp)
    return np.unique(np.concatenate([[0.0, best], pairs.distance[places]]))


def agreement_at(metric: Array, human: Array, segments: Array, grouping: str, epsilons: Array) -> Array:
    """The share of pairs that agree at each threshold (draws by thresholds), by ``none`` or by ``system``."""
    present = ~np.isnan(metric)
    if grouping == "none":
        return _share(_together(metric, human, epsilons), segments, present.sum(axis=0).astype(np.float64))
    if (present == present[0]).all():
        tables = np.zeros((len(epsilons), metric.shape[1], metric.shape[1]), dtype=np.int32)
        for x, y in zip(metric, human, strict=True):
            _add_own(tables, x, y, epsilons)
        return _share(tables, segments, present[0].astype(np.float64)) / len(metric)
    shares = []
    for x, y, there in zip(metric, human, present, strict=True):
        tables = np.zeros((len(epsilons), len(x), len(x)), dtype=np.int32)
        _add_own(tables, x, y, epsilons)
        shares.append(_share(tables, segments, there.astype(np.float64)))
    defined = ~np.isnan(shares)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(defined, shares, 0.0).sum(axis=0) / defined.sum(axis=0))


def agreement_by_item_at(metric: Array, human: Array, draws: Draws, epsilons: Array) -> Array:
    """The mean over segments of the share of pairs that agree at each threshold: draws by thresholds."""
    pairs = ItemPairs(metric, human)
    tied, concordant = pairs.present & (pairs.human_sign == 0), pairs.metric_sign * pairs.human_sign > 0
    with np.errstate(invalid="ignore"):
        agreeing = [
            np.where(np.abs(pairs.metric_difference) <= epsilon, tied, concordant).astype(np.float64)
            for epsilon in epsilons
        ]
    present = pairs.present.astype(np.float64)
    found = np.empty((len(draws), len(epsilons)))
    for here in draws.blocks(6 * (metric.shape[1] + len(pairs.first))):
        weights = pairs.weights(draws.systems[here])
        with np.errstate(invalid="ignore", divide="ignore"):
            total = weights @ present
            for column, table in enumerate(agreeing):
                found[here, column] = weighted_mean(weights @ table / total, draws.segments[here])
    return found


def _share(tables: NDArray[np.int32], segments: Array, counts: Array) -> Array:
    """Pairs that agree by all pairs of different cells, where a segment has ``counts`` of them."""
    pairs = ((segments @ counts) ** 2 - segments**2 @ counts) / 2.0
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack(quadratic_forms(tables, segments), axis=1) / np.where(pairs > 0, pairs, np.nan)[:, None]


def _together(metric: Array, human: Array, epsilons: Array) -> NDArray[np.int32]:
    tables = np.zeros((len(epsilons), metric.shape[1], metric.shape[1]), dtype=np.int32)
    for system in range(len(metric)):
        # A pair of systems comes up in both orders, a system with itself in one.
        parts = np.zeros(tables.shape, dtype=np.int16)
        for other in range(system):
            _add_agreeing(parts, (metric[system], metric[other]), (human[system], human[other]), epsilons)
        tables += parts
        tables += parts.transpose(0, 2, 1)
        _add_own(tables, metric[system], human[system], epsilons)
    return tables


def _add_own(tables: NDArray[np.int32], metric: Array, human: Array, epsilons: Array) -> None:
    """Adds the pairs of one system's segments; a cell is no pair with itself."""
    _add_agreeing(tables, (metric, metric), (human, human), epsilons)
    diagonal = np.arange(len(metric))
    tables[:, diagonal, diagonal] -= ~np.isnan(metric)


def _add_agreeing(
    tables: NDArray[np.int16] | NDArray[np.int32],
    metric: tuple[Array, Array],
    human: tuple[Array, Array],
    epsilons: Array,
) -> None:
    """Adds the pairs of one system's segments with another's that agree at each threshold."""
    difference = metric[0][:, None] - metric[1][None, :]
    tied = human[0][:, None] == human[1][None, :]
    above = human[0][:, None] > human[1][None, :]
    concordant = np.where(above, difference > 0, difference < 0) & ~tied
    distance = np.abs(difference)
    for table, epsilon in zip(tables, epsilons, strict=True):
        near = distance <= epsilon
        # NaN is near nothing and ordered like nothing: a missing cell agrees with none.
        np.add(table, (near & tied) | (concordant & ~near), out=table, casting="unsafe")


def quadratic_forms(tables: NDArray[np.int32], segments: Array) -> list[Array]:
    """v'Mv by 2 for each table, one number per draw."""
    largest = float(tables.max(initial=0)) * float(segments.sum(axis=1).max(initial=0.0))
    dtype = np.float32 if largest < EXACT_FLOAT32 and (segments % 1 == 0).all() else np.float64
    drawn = segments.astype(dtype)
    return [np.einsum("bs,bs->b", segments, drawn @ table.astype(dtype)) / 2.0 for table in tables]
