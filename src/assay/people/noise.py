"""What chance hides in judgements: how far a perfect metric would get, and values corrected for noise.

Two random halves of the same judgements differ by noise alone. How far they agree is their reliability; Spearman and
Brown (1910) step it up to that of all judgements, and a metric that knows the true quality correlates with judgements
of a reliability R by the root of R (Spearman, 1904). Statistics that are no correlations go by way of the correlation
that normal scores of such a value have (``Statistic.as_pearson``); those that do not know it have no ceiling.

Scores of systems are means over segments, so noise of judgements and of which segments there were is in them, on both
sides, and some of it is the same: a segment that one system fails on looks bad to people and to the metric. How large
it is follows from what systems would score without each segment (or document) in turn. Less that noise, variances and
covariance are those of the scores that systems would have with endlessly many segments and judgements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Flags
from assay.people.levels import Cell, GridLevel, Level, RankingLevel, Resampling, SystemLevel, level_of
from assay.people.ratings import People, rows_of
from assay.people.scores import Scores
from assay.people.statistics.base import Statistic
from assay.people.statistics.registry import statistic as named_statistic
from assay.significance.association import BLOCK_CELLS, ROUNDING, pearson, stepped_up
from assay.significance.draws import (
    FEWEST_UNITS,
    NO_INTERVAL,
    NOTHING,
    Draws,
    Estimate,
    Interval,
    estimate,
    fisher,
    quantiles,
    recentred,
    stream,
)  # fmt: skip

#: Random halves that a reliability is averaged over.
_SPLITS = 20
#: Units are left out in so many parts at most.
_MOST_PARTS = 1000
#: The fewest degrees of freedom of a covariance, however unlike normal ones its points are.
_FEWEST_FREEDOM = 3.0


def ceilings(people: People, level: Level, cells: Sequence[Cell], *, seed: int) -> dict[Cell, Estimate]:
    """What a metric that knows the true quality would reach against these judgements; nothing where no split tells.

    Halves that have no item in common say nothing of items, but something of systems.
    """
    points = {cell: _points(level, cell) for cell in cells}
    # Statistics that say what they would be of correlated normal scores.
    known = [cell for cell in cells if named_statistic(cell[0]).as_pearson(np.zeros(1), points[cell]) is not None]
    shared = people if level.name == "system" else people.repeated()
    reached = dict.fromkeys(cells, NOTHING)
    if shared is None or isinstance(level, RankingLevel) or not known or _is_constant(level):
        return reached
    as_they_are = Resampling(units=level.draws.units, samples=0, seed=level.seed)
    drawn, sizes = _of_these_systems(level.draws), list[float]()
    agreed: dict[Cell, list[Array]] = {cell: [] for cell in known}
    # Splits share the draws among them.
    for number, rows in enumerate(np.array_split(np.arange(1, len(drawn)), _SPLITS)):
        halves = shared.halves(seed, number)
        half = level_of(level.name, halves[0], level.labels, as_they_are)
        # A half may have nothing to say here, which is no reason for the others not to.
        measured = {} if isinstance(half, str) else replace(half, draws=_only(drawn, rows)).measure(known, halves[1])
        sizes += [] if isinstance(half, str) else [_judgements_per_point(one, level) for one in halves]
        for cell, splits in agreed.items():
            splits.append(measured[cell].values if measured else np.full(1 + len(rows), np.nan))
    times = _judgements_per_point(people, level) * float(np.mean(1.0 / np.array(sizes))) if sizes else 2.0
    for cell, splits in agreed.items():
        statistic = named_statistic(cell[0])
        values = _over_splits(statistic, points[cell], splits)
        if values is not None:
            root = np.sqrt(np.clip(stepped_up(values, times), 0.0, 1.0))
            reached[cell] = estimate(statistic.from_pearson(root, points[cell]), drawn.size)
    return reached


def _over_splits(statistic: Statistic, points: int, splits: Sequence[Array]) -> Array | None:
    """Values of halves, as correlations: the mean over splits, then each split's draws; None where no split has one.

    A split's first value is of the data as they are. Its draws are moved by what the split itself is off, on Fisher's
    scale.
    """
    observed = np.array([split[0] for split in splits])
    if not np.isfinite(observed).any():
        return None
    mean, *turned = (
        np.asarray(statistic.as_pearson(values, points)) for values in (np.array([np.nanmean(observed)]), *splits)
    )
    drawn = [np.tanh(fisher(split[1:]) + fisher(mean) - fisher(split[:1])) for split in turned]
    # A segment that is drawn twice brings no new judgements: reliability is lower in samples than it is.
    return recentred(np.concatenate([mean, *drawn]), scale="fisher")


def _is_constant(level: SystemLevel | GridLevel) -> bool:
    """Whether people say the same of everything, so that halves agree without having said anything."""
    scores = level.human[0] if isinstance(level, SystemLevel) else level.human
    known = scores[np.isfinite(scores)]
    return len(known) > 0 and bool((known == known[0]).all())


def _points(level: Level, cell: Cell) -> int:
    """How many points a value is over, in the mean over groups."""
    if isinstance(level, RankingLevel):
        return len(level.pairs)
    if isinstance(level, SystemLevel):
        return len(level.people.systems)
    there = np.isfinite(level.human)
    counts = {"none": there.sum(keepdims=True), "item": there.sum(axis=0), "system": there.sum(axis=1)}[
        cell[1] or "none"
    ]
    return round(float(counts[counts > 0].mean()))


def _of_these_systems(draws: Draws) -> Draws:
    """Draws of units alone, where they are drawn: the question is about these systems."""
    if not draws.systems_vary or (draws.weights == draws.first).all():
        return draws
    return replace(draws, systems=np.ones_like(draws.systems), systems_vary=False, size=len(draws.units))


def _only(draws: Draws, rows: NDArray[np.intp]) -> Draws:
    """Some draws, after the data as they are."""
    weights, systems = draws.weights[rows], draws.systems[[0, *rows]]
    return replace(draws, samples=len(rows), blocks=lambda: iter([weights]), systems=systems, jackknife=False)


def _judgements_per_point(people: People, level: SystemLevel | GridLevel) -> float:
    """How many judgements are behind a point, so that its noise is by so much smaller than that of one.

    Of a mean over items of means over judgements that is the square of the items by the sum of 1 by the judgements of
    each. Over points it is the harmonic mean.
    """
    judgements = people.judgements
    unit = judgements.parts
    systems = len(people.systems)
    item, first, count = np.unique(
        unit * systems + rows_of(judgements, people.systems), return_index=True, return_counts=True
    )
    point = item if level.name == "segment" else item % systems
    if level.name == "document" and level.labels is not None:
        names = {name: place for place, name in enumerate(level.labels.names)}
        of_documents = np.array([names.get(name, -1) for name in judgements.document.names] + [-1])
        segment = judgements.segment[first]
        of_segment = np.where(
            segment >= 0, level.labels.codes[np.maximum(segment, 0)], of_documents[judgements.document.codes[first]]
        )
        point = (of_segment * systems + point)[of_segment >= 0]
        count = count[of_segment >= 0]
    _, group = np.unique(point, return_inverse=True)
    noise = np.bincount(group, 1.0 / count) / np.bincount(group) ** 2
    return float(1.0 / noise.mean())


@dataclass(frozen=True)
class _Disattenuated:
    """Pearson's r of systems corrected for noise, its 95 % interval for these systems, and the one for new systems."""

    value: float
    these: Interval
    new: Interval
    #: The shares of the variance between systems that are no noise: of people's scores, and of the metric's.
    reliability: tuple[float, float]


def disattenuated(level: SystemLevel, source: Scores, *, samples: int, seed: int) -> _Disattenuated | str:
    """Pearson's r of the scores of systems with endlessly many segments and judgements, or why there is none.

    (c - c') / sqrt((v - v') (w - w')), where v and w are the variances of people's and of the metric's scores between
    systems, c is their covariance, and v', w' and c' are those of their noise (Spearman, 1904, but for c').
    """
    points = np.stack([level.human[0], level.scores(source)[0]])
    there = np.isfinite(points).all(axis=0)
    known = np.array([name in level.people.given or name in source.given for name in level.people.systems])
    if known[there].any():
        return "scores of whole systems come from no segments"
    if there.sum() < FEWEST_UNITS or level.draws.size < FEWEST_UNITS:
        return f"it takes {FEWEST_UNITS} systems and {FEWEST_UNITS} {level.draws.units.name}s"
    noise = _noise(level, source, there)
    if noise is None:
        return f"some system was judged in one {level.draws.units.name} alone"
    points = points[:, there]
    total = np.cov(points)
    true = total - noise.mean(axis=0)
    if not np.isfinite(true).all() or (np.diag(true) <= ROUNDING * np.diag(total)).any():
        return "systems differ no more than noise alone would make them"
    value = float(np.clip(true[0, 1] / np.sqrt(true[0, 0] * true[1, 1]), -1.0, 1.0))
    these, new = _intervals(points, total, noise, value, samples=samples, seed=seed)
    return _Disattenuated(value, these, new, (float(true[0, 0] / total[0, 0]), float(true[1, 1] / total[1, 1])))


def _noise(level: SystemLevel, source: Scores, there: Flags) -> Array | None:
    """What noise adds to each system's part in variances and covariance, by the jackknife over units.

    Systems by people and metric by people and metric. What a unit does to all systems alike is no noise. Many units are
    left out several at a time. None where some system has no score without some unit.
    """
    units, sides = level.draws.units, (level.people, source)
    parts = min(len(units), _MOST_PARTS)
    part = np.arange(len(units)) % parts
    step = max(1, BLOCK_CELLS // max(level.draws.first.shape[1], 1))
    without: list[list[Array]] = [[], []]
    for start in range(0, parts, step):
        left_out = np.arange(start, min(start + step, parts))
        weights = units.spread((part != left_out[:, None]).astype(np.float64))
        for rows, side in zip(without, sides, strict=True):
            rows.append(side.system_scores(weights)[:, there])
    moved = np.stack([np.concatenate(rows) for rows in without])
    if not np.isfinite(moved).all():
        return None
    moved -= moved.mean(axis=1, keepdims=True)
    moved -= moved.mean(axis=2, keepdims=True)
    systems = int(there.sum())
    return np.asarray(np.einsum("aus,bus->sab", moved, moved) * (parts - 1) / parts * systems / (systems - 1))


def _intervals(
    points: Array, total: Array, noise: Array, value: float, *, samples: int, seed: int
) -> tuple[Interval, Interval]:
    """95 % intervals of the correlation of true scores: over these systems, and over systems like them.

    Covariance matrices are drawn from Fisher's fiducial distribution given the one that was seen, which makes exact
    intervals of a correlation of normal points (Berger and Sun, 2008); noise is taken off each of them. Given such a
    matrix, the true scores of these systems are normal around what is to be expected of them. Points with long tails
    count as fewer normal ones.
    """
    count = points.shape[1]
    if samples == 0 or abs(total[0, 1]) >= (1.0 - ROUNDING) * np.sqrt(total[0, 0] * total[1, 1]):
        return NO_INTERVAL, NO_INTERVAL
    generator = stream(seed, "true scores")
    freedom = max((count - 1) / max(1.0, _tails(points)), _FEWEST_FREEDOM)
    root = np.linalg.cholesky(total * freedom)
    # Bartlett (1933): the root of a matrix of sums of squares of independent normal points.
    bartlett = np.zeros((samples, 2, 2))
    bartlett[:, 0, 0] = np.sqrt(generator.chisquare(freedom, samples))
    bartlett[:, 1, 0] = generator.normal(size=samples)
    bartlett[:, 1, 1] = np.sqrt(generator.chisquare(freedom - 1.0, samples))
    drawn = root @ np.linalg.inv(bartlett)
    drawn = drawn @ drawn.transpose(0, 2, 1)
    left = generator.normal(size=(samples, 2, count))
    true = drawn - noise.mean(axis=0)
    defined = (true[:, 0, 0] > 0.0) & (true[:, 1, 1] > 0.0)
    if defined.sum() < samples / 2:
        return NO_INTERVAL, NO_INTERVAL
    true, left = true[defined], left[defined]
    scale = np.sqrt(true[:, 0, 0] * true[:, 1, 1])
    new = np.clip(true[:, 0, 1] / scale, -1.0, 1.0)
    true[:, 0, 1] = true[:, 1, 0] = new * scale
    # Draws by systems: noise is not the same for all of them.
    true = true[:, None]
    shrunk = true @ np.linalg.inv(true + noise)
    around = true - shrunk @ true
    first = np.sqrt(np.maximum(around[..., 0, 0], 0.0))
    second = np.divide(around[..., 0, 1], first, out=np.zeros_like(first), where=first > 0.0)
    third = np.sqrt(np.maximum(around[..., 1, 1] - second**2, 0.0))
    expected = (shrunk @ (points - points.mean(axis=1, keepdims=True)).T[..., None])[..., 0]
    of_people = expected[..., 0] + first * left[:, 0]
    of_metric = expected[..., 1] + second * left[:, 0] + third * left[:, 1]
    these = pearson(of_people, of_metric)
    ends = [quantiles(drawn_values, [0.025, 0.975]) for drawn_values in (these, new)]
    # The estimate is in its interval, also where it stands at 1.
    return tuple(Interval(min(low, value), max(high, value)) for low, high in ends)  # type: ignore[return-value]


def _tails(points: Array) -> float:
    """How many times more a correlation of such points varies than one of normal points, at least.

    The larger of two measures: Mardia's kurtosis (1970) by what it is of normal points, and the mean square of what
    each point does to the correlation by that of normal points.
    """
    count = points.shape[1]
    apart = points - points.mean(axis=1, keepdims=True)
    covariance = apart @ apart.T / count
    distance = np.einsum("ai,ab,bi->i", apart, np.linalg.inv(covariance), apart)
    kurtosis = float((distance**2).mean()) / 8.0 * (count + 1) / (count - 1)
    x, y = apart / np.sqrt(np.diag(covariance))[:, None]
    r = (x * y).mean()
    influence = (x * y - r * (x**2 + y**2) / 2.0) / (1.0 - r**2)
    weight: float = max(kurtosis, float((influence**2).mean()))
    return weight
