"""Which texts a page holds where there is no room for all: those of segments that one wants to read."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Flags
from assay.errors import counted
from assay.explorer.packing import Shown
from assay.metrics.base import Metric

#: So many systems, the best ones, are looked at for the largest differences.
_LOOKED_AT = 4


def said_of(shown: Shown, kept: Flags) -> str:
    """Which texts are in the page, where not all are."""
    count, rest = int(kept.sum()), "All scores are there. More of them: --most SIZE, or --bundle DIR."
    if not count:
        return f"{shown.campaign.name}: there is no room for texts of segments. {rest}"
    return (
        f"{shown.campaign.name}: the page has the texts of {count:,} of {counted(len(shown), 'segment')}: those on "
        f"which good systems differ most, on which metrics disagree, and every so many of the others. {rest}"
    )


def first(order: NDArray[np.intp], count: int) -> Flags:
    """The first of some places, as flags."""
    flags = np.zeros(len(order), dtype=np.bool_)
    flags[order[:count]] = True
    return flags


def by_worth(shown: Shown) -> NDArray[np.intp]:
    """Segments by how much one wants to read them: in turns one on which the best systems differ most, one on which
    metrics disagree most, and one of those that are spread evenly over all.
    """
    scores = {
        metric: np.array([_scores(shown, metric, system) for system in _best(shown)]).reshape(-1, len(shown))
        for metric in shown.metrics
    }
    lists = []
    apart = [np.ptp(values, axis=0) for values in scores.values() if len(values) > 1]
    if apart:
        # Each metric on a scale of its own.
        lists.append(_falling(np.max([gaps / (gaps.max(initial=0.0) or 1.0) for gaps in apart], axis=0)))
    ranks = [_ranks(values if metric.higher_is_better else -values) for metric, values in scores.items() if len(values)]
    if len(ranks) > 1:
        lists.append(_falling(np.ptp(np.array(ranks), axis=0).max(axis=0)))
    turns = np.stack([*lists, _evenly(len(shown))], axis=1).ravel()
    return turns[np.sort(np.unique(turns, return_index=True)[1])]


def _falling(values: Array) -> NDArray[np.intp]:
    return np.argsort(-values, kind="stable")


def _ranks(values: Array) -> NDArray[np.intp]:
    """The rank of each segment, system by system."""
    return np.argsort(np.argsort(values, axis=1, kind="stable"), axis=1, kind="stable")


def _evenly(count: int) -> NDArray[np.intp]:
    """All places so that those that come first are spread over the whole: halves, then quarters, then eighths.

    >>> _evenly(5).tolist()
    [0, 4, 2, 1, 3]
    """
    bits = max(count - 1, 1).bit_length()
    numbers = np.arange(1 << bits)
    places = np.zeros(len(numbers), dtype=np.intp)
    for bit in range(bits):
        places |= ((numbers >> bit) & 1) << (bits - 1 - bit)
    return places[places < count]


def _best(shown: Shown) -> list[str]:
    """The best systems by the first metric."""
    totals = {}
    for system in shown.systems if shown.metrics else ():
        statistics = shown.counted.get((system, str(shown.metrics[0])))
        if statistics is not None and len(statistics) and not statistics.failed.any():
            totals[system] = (-1.0 if statistics.metric.higher_is_better else 1.0) * statistics.corpus_score()
    return sorted(totals, key=lambda system: (math.isnan(totals[system]), totals[system]))[:_LOOKED_AT]


def _scores(shown: Shown, metric: Metric, system: str) -> Array:
    """Of each segment; 0 where it has none."""
    return np.nan_to_num(shown.counted[system, str(metric)].segment_scores())
