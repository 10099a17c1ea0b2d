"""Weights over segments: drawn once, used for all metrics and systems, so that comparisons are paired for free."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError

#: Weights in memory at a time: 32 MB of them.
BLOCK_CELLS = 4_000_000


def bootstrap_counts(segments: int, samples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Blocks of rows that say how often each segment was drawn; every row sums to ``segments``.

    The rows depend on the seed alone, not on how they are cut into blocks.
    """
    if seed < 0:
        raise ParameterError(f"The seed is {seed}, but it takes a whole number of at least 0.")
    if samples < 0:
        raise ParameterError(f"samples is {samples}, but it takes a whole number of at least 0.")
    generator = np.random.default_rng(seed)
    per_block = max(1, BLOCK_CELLS // max(segments, 1))
    for start in range(0, samples, per_block):
        count = min(per_block, samples - start)
        drawn = generator.integers(segments, size=(count, segments))
        # Each row counts in a stretch of its own, so that one call counts all of them.
        drawn += segments * np.arange(count)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=count * segments)
        yield counts.reshape(count, segments).astype(np.float64)


def resampled_sums(
    tables: Sequence[NDArray[np.float64]],
    samples: int,
    seed: int,
    progress: Callable[[float], None] | None = None,
) -> list[NDArray[np.float64]]:
    """For each table of rows (segments by columns) its sums under every bootstrap sample.

    All tables see the same samples.
    """
    if samples < 0:
        raise ParameterError(f"samples is {samples}, but it takes a whole number of at least 0.")
    if not tables:
        return []
    sums = [np.empty((samples, table.shape[1])) for table in tables]
    done = 0
    for weights in bootstrap_counts(len(tables[0]), samples, seed):
        for table, total in zip(tables, sums, strict=True):
            np.matmul(weights, table, out=total[done : done + len(weights)])
        done += len(weights)
        if progress is not None:
            progress(done / samples)
    return sums
