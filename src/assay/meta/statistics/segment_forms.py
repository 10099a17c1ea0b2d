"""Pairs of all cells together when segments alone are drawn: quadratic forms of the draws.

A cell then counts as often as its segment. So the pairs of one kind are v'Mv, where v says how often each segment was
drawn and M (segments by segments) holds how many such pairs two segments have. M is counted once, one pair of systems
after the other, and all draws are one matrix product.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.meta.statistics.draws import Array
from assay.significance.association import PairSums

#: Tables of more segments by segments than this are slow and large; cells are then gone through one by one.
FORM_SEGMENTS = 1500
#: Whole numbers up to this are exact in 32 bits.
EXACT_FLOAT32 = 2**24


def segment_pair_sums(metric: Array, human: Array, segments: Array) -> PairSums:
    """What ``pair_sums`` gives for all cells, under draws of segments (draws by segments)."""
    counts = np.count_nonzero(~np.isnan(metric), axis=0).astype(np.float64)
    total = segments @ counts
    pairs = (total**2 - segments**2 @ counts) / 2.0
    difference, differ_x, differ_y, differ_both = quadratic_forms(_pair_tables(metric, human), segments)
    return PairSums(
        pairs=pairs,
        tied_x=pairs - differ_x,
        tied_y=pairs - differ_y,
        tied_both=pairs - differ_x - differ_y + differ_both,
        difference=difference,
        classes=_fewer_classes(metric, human, segments),
        total=total,
    )


def _pair_tables(metric: Array, human: Array) -> NDArray[np.int32]:
    """Segments by segments: concordant less discordant pairs, those that differ in x, in y, in both."""
    x, y = _ranks(metric), _ranks(human)
    segments = metric.shape[1]
    tables = np.zeros((4, segments, segments), dtype=np.int32)
    for system in range(len(x)):
        # A pair of systems comes up in both orders, a system with itself in one.
        parts = np.zeros((4, segments, segments), dtype=np.int16)
        for other in range(system):
            _count(parts, _signs(x[system], x[other]), _signs(y[system], y[other]))
        tables += parts
        tables += parts.transpose(0, 2, 1)
        _count(tables, _signs(x[system], x[system]), _signs(y[system], y[system]))
    return tables


def _count(tables: NDArray[Any], sign_x: NDArray[np.int8], sign_y: NDArray[np.int8]) -> None:
    product = sign_x * sign_y
    tables[0] += product
    tables[1] += np.abs(sign_x)
    tables[2] += np.abs(sign_y)
    tables[3] += np.abs(product)


def _ranks(scores: Array) -> NDArray[np.float32]:
    """Ranks in place of scores, for comparisons of few bytes; NaN, which is above and below nothing, stays."""
    ranks = np.full(scores.shape, np.nan, dtype=np.float32)
    present = ~np.isnan(scores)
    ranks[present] = np.unique(scores[present], return_inverse=True)[1].reshape(-1)
    return ranks


def _signs(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.int8]:
    above, below = one[:, None] > other[None, :], one[:, None] < other[None, :]
    return above.view(np.int8) - below.view(np.int8)


def quadratic_forms(tables: NDArray[np.int32], segments: Array) -> list[Array]:
    """v'Mv by 2 for each table, one number per draw."""
    largest = float(tables.max(initial=0)) * float(segments.sum(axis=1).max(initial=0.0))
    dtype = np.float32 if largest < EXACT_FLOAT32 and (segments % 1 == 0).all() else np.float64
    drawn = segments.astype(dtype)
    return [np.einsum("bs,bs->b", segments, drawn @ table.astype(dtype)) / 2.0 for table in tables]


def _fewer_classes(metric: Array, human: Array, segments: Array) -> Array:
    """How many distinct values the side with fewer of them has among the segments drawn."""
    drawn = (segments > 0).astype(np.float32)
    own_y, shared_y = _classes_by_segment(human)
    classes = drawn @ own_y + np.count_nonzero(drawn @ shared_y, axis=1)
    own_x, shared_x = _classes_by_segment(metric)
    at_least = drawn @ own_x
    if (at_least < classes).any():
        classes = np.minimum(classes, at_least + np.count_nonzero(drawn @ shared_x, axis=1))
    return np.asarray(classes, dtype=np.float64)


def _classes_by_segment(scores: Array) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How many values each segment has to itself, and which segments have each other value (segments by values)."""
    present = ~np.isnan(scores)
    segment = np.nonzero(present)[1]
    value = np.unique(scores[present], return_inverse=True)[1].reshape(-1)
    cells = np.unique(np.stack([value, segment]), axis=1)
    shared = np.bincount(cells[0], minlength=1)[cells[0]] > 1 if cells.size else np.zeros(0, dtype=bool)
    own = np.bincount(cells[1][~shared], minlength=scores.shape[1]).astype(np.float32)
    names, column = np.unique(cells[0][shared], return_inverse=True)
    table = np.zeros((scores.shape[1], len(names)), dtype=np.float32)
    table[cells[1][shared], column.reshape(-1)] = 1.0
    return own, table
