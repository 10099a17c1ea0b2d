"""Weights over segments: drawn once, used for all metrics and systems, so that comparisons are paired for free."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError

#: Weights in memory at a time: 32 MB of them.
BLOCK_CELLS = 4_000_000
#: Swaps in memory at a time: 64 MB of them.
SWAP_CELLS = 8_000_000
#: Tables with so many cells together are set side by side: one wide product is faster than many narrow ones.
STACKED_CELLS = 40_000_000


def bootstrap_counts(segments: int, samples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Blocks of rows that say how often each segment was drawn; every row sums to ``segments``.

    The rows depend on the seed alone, not on how they are cut into blocks.
    """
    _check(samples, seed)
    generator = np.random.default_rng(seed)
    per_block = max(1, BLOCK_CELLS // max(segments, 1))
    for start in range(0, samples, per_block):
        count = min(per_block, samples - start)
        drawn = generator.integers(segments, size=(count, segments))
        # Each row counts in a stretch of its own, so that one call counts all of them.
        drawn += segments * np.arange(count)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=count * segments)
        yield counts.reshape(count, segments).astype(np.float64)


def swap_flags(units: int, samples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Blocks of rows of 0 and 1: which units change places between two systems in each randomisation.

    The rows depend on the seed alone, not on how they are cut into blocks.
    """
    _check(samples, seed)
    generator = np.random.default_rng([seed, 1])
    # Whole words of 64 bits, so that blocks of any size draw the same.
    words = (units + 63) // 64
    per_block = max(1, SWAP_CELLS // max(units, 1))
    for start in range(0, samples, per_block):
        count = min(per_block, samples - start)
        drawn = generator.integers(2**64, size=(count, words), dtype=np.uint64).astype("<u8")
        yield np.unpackbits(drawn.view(np.uint8), axis=1, count=units).astype(np.float64)


def all_swaps(units: int) -> Iterator[NDArray[np.float64]]:
    """Every way to swap, each once: rows of 0 and 1 that count up to 2 to the power of ``units``."""
    numbers = np.arange(2**units, dtype=np.uint64)
    bits = (numbers[:, None] >> np.arange(units, dtype=np.uint64)) & np.uint64(1)
    yield bits.astype(np.float64)


def weighted_sums(
    tables: Sequence[NDArray[np.float64]],
    blocks: Iterable[NDArray[np.float64]],
    samples: int,
    progress: Callable[[float], None] | None = None,
) -> list[NDArray[np.float64]]:
    """For each table of rows (units by columns) its sums under every row of weights: samples by columns.

    All tables see the same weights.
    """
    if len(tables) > 1 and sum(table.size for table in tables) <= STACKED_CELLS:
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
    tables: Sequence[NDArray[np.float64]],
    samples: int,
    seed: int,
    progress: Callable[[float], None] | None = None,
) -> list[NDArray[np.float64]]:
    """For each table of rows (segments by columns) its sums under every bootstrap sample.

    All tables see the same samples.
    """
    _check(samples, seed)
    if not tables:
        return []
    return weighted_sums(tables, bootstrap_counts(len(tables[0]), samples, seed), samples, progress)


def _check(samples: int, seed: int) -> None:
    if seed < 0:
        raise ParameterError(f"The seed is {seed}, but it takes a whole number of at least 0.")
    if samples < 0:
        raise ParameterError(f"samples is {samples}, but it takes a whole number of at least 0.")
