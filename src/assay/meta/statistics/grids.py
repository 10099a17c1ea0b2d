"""Statistics of two grids of scores (systems by segments, or systems by documents) under draws.

``grouping`` says what is correlated with what: ``none`` takes all cells together, ``item`` the systems within each
segment and then the mean over segments, ``system`` the segments within each system and then the mean over systems.
Groups in which a statistic is not defined do not take part in the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from assay.errors import ParameterError, UnknownName
from assay.meta.statistics.by_item import (
    ItemPairs,
    agreement_by_item,
    kendall_b_by_item,
    kendall_c_by_item,
    kendall_like_counts,
    pearson_by_item,
    spearman_by_item,
)
from assay.meta.statistics.calibration import calibrate, held_out
from assay.meta.statistics.draws import Array, Draws, check_grids, distinct_rows, weighted_mean
from assay.meta.statistics.resampled import (
    PairSums,
    from_moments,
    pair_sums,
    pearson_under,
    spearman_under,
    standardised,
)
from assay.meta.statistics.segment_forms import FORM_SEGMENTS, segment_pair_sums

Grouping = Literal["none", "item", "system"]
GROUPINGS: tuple[Grouping, ...] = ("none", "item", "system")
#: What has a value on a grid. ``tau23`` counts ties as they are; the acc23 statistics choose a tie threshold.
GRID_STATISTICS = (
    "pearson",
    "spearman",
    "kendall",
    "kendall-c",
    "kendall-like",
    "acc23",
    "acc23-heldout",
    "tau23",
)
PAIRWISE = ("kendall", "kendall-c", "tau23")
#: People's scores have to differ by so much for WMT's Kendall-like statistic, in raw points of 0 to 100.
KENDALL_LIKE_THRESHOLD = 25.0
#: Weights in cache at a time make long vectors twice as fast.
CACHED_CELLS = 1_600_000


def on_grid(
    statistic: str,
    metric: Array,
    human: Array,
    draws: Draws,
    grouping: Grouping,
    *,
    threshold: float = KENDALL_LIKE_THRESHOLD,
    seed: int = 1,
) -> Array:
    """One value per draw; NaN where it is not defined."""
    return several_on_grid([statistic], metric, human, draws, grouping, threshold=threshold, seed=seed)[statistic]


def several_on_grid(
    statistics: Sequence[str],
    metric: Array,
    human: Array,
    draws: Draws,
    grouping: Grouping,
    *,
    threshold: float = KENDALL_LIKE_THRESHOLD,
    seed: int = 1,
) -> dict[str, Array]:
    """Several statistics at once, which share what they count; ``threshold`` is kendall-like's.

    ``seed`` is for what acc23 samples where there are too many pairs, and for the folds of acc23-heldout.
    """
    for name in statistics:
        if name not in GRID_STATISTICS:
            raise UnknownName.of("statistic of a grid", name, GRID_STATISTICS)
    if grouping not in GROUPINGS:
        raise UnknownName.of("grouping", grouping, GROUPINGS)
    metric, human = check_grids(metric, human, draws)
    values: dict[str, Array] = {}
    if "acc23" in statistics:
        values["acc23"] = calibrate(metric, human, draws, grouping, seed=seed).values
    if "acc23-heldout" in statistics:
        values["acc23-heldout"] = held_out(metric, human, draws, grouping, seed=seed).values
    if "kendall-like" in statistics:
        values["kendall-like"] = _kendall_like(metric, human, draws, grouping, threshold)
    plain = [name for name in statistics if name not in values]
    if plain and grouping == "item":
        values |= _by_item(plain, metric, human, draws)
    elif plain and grouping == "system":
        values |= _by_system(plain, metric, human, draws)
    elif plain:
        values |= _together(plain, metric, human, draws)
    return {name: values[name] for name in statistics}


def _vectors(statistics: Sequence[str], x: Array, y: Array, weights: Array) -> dict[str, Array]:
    """Statistics of two vectors under each column of weights."""
    values = {}
    if any(name in PAIRWISE for name in statistics):
        values = _pairwise(pair_sums(x, y, weights))
    if "pearson" in statistics:
        values["pearson"] = pearson_under(x, y, weights)
    if "spearman" in statistics:
        values["spearman"] = spearman_under(x, y, weights)
    return {name: values[name] for name in statistics}


def _pairwise(sums: PairSums) -> dict[str, Array]:
    return {"kendall": sums.kendall_b(), "kendall-c": sums.kendall_c(), "tau23": 2.0 * sums.agreement() - 1.0}


def _together(statistics: Sequence[str], metric: Array, human: Array, draws: Draws) -> dict[str, Array]:
    found: dict[str, Array] = {}
    if "pearson" in statistics:
        found["pearson"] = _pearson_together(metric, human, draws)
    pairwise = any(name in PAIRWISE for name in statistics)
    if pairwise and len(draws) > 1 and metric.shape[1] <= FORM_SEGMENTS and (draws.systems == 1).all():
        found |= _pairwise(segment_pair_sums(metric, human, draws.segments))
    rest = [name for name in statistics if name not in found]
    return found | _cell_by_cell(rest, metric, human, draws) if rest else found


def _pearson_together(metric: Array, human: Array, draws: Draws) -> Array:
    """Sums over segments first, then over systems: no cell is weighed on its own."""
    present = ~np.isnan(metric)
    x, y = np.zeros(metric.shape), np.zeros(metric.shape)
    if present.any():
        x[present], y[present] = standardised(metric[present]), standardised(human[present])
    moments = np.stack([present.astype(np.float64), x, y, x * x, y * y, x * y])
    sums = draws.segments @ moments.reshape(-1, metric.shape[1]).T
    return from_moments(np.einsum("bmk,bk->mb", sums.reshape(len(draws), 6, len(metric)), draws.systems))


def _cell_by_cell(statistics: Sequence[str], metric: Array, human: Array, draws: Draws) -> dict[str, Array]:
    system, segment = np.nonzero(~np.isnan(metric))
    x, y = metric[system, segment], human[system, segment]
    values = {name: np.empty(len(draws)) for name in statistics}
    step = max(32, CACHED_CELLS // max(len(x), 1))
    for start in range(0, len(draws), step):
        here = slice(start, start + step)
        weights = draws.segments[here].T[segment]
        weights *= draws.systems[here].T[system]
        for name, value in _vectors(statistics, x, y, weights).items():
            values[name][here] = value
    return values


def _by_system(statistics: Sequence[str], metric: Array, human: Array, draws: Draws) -> dict[str, Array]:
    per_system: dict[str, list[Array]] = {name: [] for name in statistics}
    drawn = np.ascontiguousarray(draws.segments.T)
    for x, y in zip(metric, human, strict=True):
        present = ~np.isnan(x)
        for name, value in _vectors(statistics, x[present], y[present], drawn[present]).items():
            per_system[name].append(value)
    return {name: weighted_mean(np.stack(values, axis=1), draws.systems) for name, values in per_system.items()}


def _by_item(statistics: Sequence[str], metric: Array, human: Array, draws: Draws) -> dict[str, Array]:
    systems, which = distinct_rows(draws.systems)
    pairs = ItemPairs(metric, human)
    functions = {
        "pearson": lambda rows: pearson_by_item(metric, human, rows),
        "spearman": lambda rows: spearman_by_item(metric, human, rows),
        "kendall": lambda rows: kendall_b_by_item(pairs, rows),
        "kendall-c": lambda rows: kendall_c_by_item(pairs, metric, human, rows),
        "tau23": lambda rows: 2.0 * agreement_by_item(pairs, rows) - 1.0,
    }
    values = {name: np.empty(len(draws)) for name in statistics}
    for name in statistics:
        if len(systems) == 1:
            values[name] = weighted_mean(functions[name](systems), draws.segments)
            continue
        for here in draws.blocks(12 * metric.shape[1]):
            values[name][here] = weighted_mean(functions[name](systems[which[here]]), draws.segments[here])
    return values


def _kendall_like(metric: Array, human: Array, draws: Draws, grouping: Grouping, threshold: float) -> Array:
    """(Concordant less discordant) by their sum, over the pairs of all segments together."""
    if grouping != "item":
        raise ParameterError(f"kendall-like compares systems within a segment: its grouping is item, not {grouping}.")
    if not threshold > 0:
        raise ParameterError(f"kendall-like's threshold is {threshold}, but it takes a number above 0.")
    pairs = ItemPairs(metric, human)
    systems, which = distinct_rows(draws.systems)
    concordant, apart = np.empty(len(draws)), np.empty(len(draws))
    for here in draws.blocks(6 * metric.shape[1]):
        rows = systems if len(systems) == 1 else systems[which[here]]
        counts = kendall_like_counts(pairs, rows, threshold)
        for total, count in zip((concordant, apart), counts, strict=True):
            total[here] = (draws.segments[here] * count).sum(axis=1)
    # Without a pair to judge by it is 0, as in mt-metrics-eval.
    return np.divide(2.0 * concordant - apart, apart, out=np.zeros(len(draws)), where=apart > 0)
