"""Whatever gives scores: metrics of ours, score files of others, and people.

All of them answer the same questions: scores of systems under weights over segments, scores of segments and of
documents, and what each segment contributes to its system's score. So what is held against what is a choice.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from assay.arrays import Array, Flags
from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.judgements import Factor
from assay.errors import AssayWarning, InputError
from assay.metrics.base import Metric
from assay.metrics.given import GivenScores
from assay.scoring.evaluate import Counted, Progress, evaluate_all
from assay.scoring.statistics import Statistics, drawn_rows
from assay.significance.draws import Draws

#: A system score that differs by more from the mean of its segments is something else than their mean.
_ROUNDING = 1e-4
#: Digits of a score that count.
_DIGITS = 12
#: Cells of equations in memory at a time.
_CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class Scores(ABC):
    """Scores of systems and segments; higher is better, whatever they were before, and NaN is a missing one."""

    name: str
    systems: tuple[str, ...]
    #: Which cells take part, systems by segments: those that two systems both have are what the two are tested on.
    #: Systems are scored on the same segments, all those on which some system takes part.
    mask: Flags = field(repr=False)
    #: Scores of segments: systems by segments.
    grid: Array = field(repr=False)
    #: What turns scores here into those that are printed: -1 for error rates.
    sign: float = field(default=1.0, kw_only=True)
    #: Scores of systems, and of documents by system, that are known as such, and do not follow the segments that are
    #: drawn. NaN says that there is none, whatever the segments have.
    given: Mapping[str, float] = field(default_factory=dict, kw_only=True, repr=False)
    documents: Mapping[str, Mapping[str, float]] = field(default_factory=dict, kw_only=True, repr=False)
    #: Whether means are adjusted for the segments that a system lacks; else they are over those that it has.
    adjusted: bool = field(default=True, kw_only=True, repr=False)

    @property
    def judged(self) -> Flags:
        """The segments on which some system takes part."""
        return np.asarray(self.mask.any(axis=0))

    @property
    def scored(self) -> Flags:
        """The cells that scores of systems are over: the same segments for all, unless means are plain."""
        return np.broadcast_to(self.mask.any(axis=0), self.mask.shape) if self.adjusted else self.mask

    @abstractmethod
    def system_scores(self, weights: Array) -> Array:
        """Scores of all systems under each row of weights over segments: draws by systems."""

    def drawn_scores(self, draws: Draws) -> Array:
        """Scores of all systems in every draw: draws by systems."""
        return self.system_scores(draws.weights)

    def document_scores(self, labels: Factor) -> Array:
        """Scores of documents, or of other groups of segments: systems by groups."""
        membership = np.asarray(labels.codes == np.arange(len(labels.names))[:, None], dtype=np.float64)
        # What is known of whole systems says nothing of their documents.
        scores = replace(self, given={}).system_scores(membership).T
        scores = np.where(self.mask @ membership.T > 0, scores, np.nan)
        for row, system in enumerate(self.systems):
            known = self.documents.get(system, {})
            for column, name in enumerate(labels.names):
                scores[row, column] = known.get(name, scores[row, column])
        return scores

    @abstractmethod
    def contributions(self) -> Array:
        """Values of segments whose mean is the system's score: systems by segments."""

    def there(self) -> Flags:
        """The segments that a system's score comes from: systems by segments."""
        return ~np.isnan(self.contributions())

    def only(self, cells: Flags) -> Self:
        """The same on some segments of systems alone."""
        return replace(self, mask=self.mask & cells, grid=np.where(cells, self.grid, np.nan))


@dataclass(frozen=True, eq=False)
class MetricScores(Scores):
    """A metric of ours: rows that add up, one table per system."""

    statistics: Sequence[Statistics] = field(repr=False)

    def _rows(self, index: int) -> Array:
        """One system's rows; those of segments that take no part, or failed, are 0."""
        counted = self.statistics[index]
        return counted.taking_part(self.scored[index] & ~counted.failed)

    def system_scores(self, weights: Array) -> Array:
        self.statistics[0].require_whole_documents(weights)
        score, systems = self.statistics[0].metric.score, range(len(self.systems))
        return self.sign * np.stack([score(weights @ self._rows(index)) for index in systems], axis=1, dtype=np.float64)

    def drawn_scores(self, draws: Draws) -> Array:
        """A metric that is fitted to the references depends on the units in two ways: see ``drawn_rows``."""
        if self.statistics[0].fit is None:
            return super().drawn_scores(draws)
        scores = np.repeat(self.system_scores(draws.first), len(draws), axis=0)
        parts: dict[bytes, list[int]] = {}
        counted = (draws.first[0] > 0) & self.scored & ~np.stack([one.failed for one in self.statistics])
        for index, segments in enumerate(counted):
            parts.setdefault(segments.tobytes(), []).append(index)
        for systems in parts.values():
            segments = counted[systems[0]]
            units = draws.units.only(segments)
            tables = drawn_rows([self.statistics[index].only(segments) for index in systems], units)
            for index, rows in zip(systems, tables, strict=True):
                weights = draws.of_units(units if len(rows) == len(units) or units.whole is None else units.whole)
                scores[1:, index] = self.sign * self.statistics[index].metric.score(weights[1:] @ rows)
        return scores

    def contributions(self) -> Array:
        """Jackknife pseudo-values (Tukey, 1958), moved until their mean is the score.

        They are n times the score less n-1 times the score without the segment. Where the formula has a kink, as BLEU
        has where the length reaches the reference's, their plain mean may be points away from the score. They are
        swapped between systems or metrics, which leaves the references as they are, and so the fit of the metric.
        """
        values = []
        for index, counted in enumerate(self.statistics):
            taking_part = self.scored[index] & ~counted.failed
            rows, count = self._rows(index), int(taking_part.sum())
            total = rows.sum(axis=0)
            whole, without = (
                self.sign * np.asarray(counted.metric.score(sums), dtype=np.float64) for sums in (total, total - rows)
            )
            apart = without[taking_part].mean() - without if count else without
            values.append(np.where(taking_part, whole + (count - 1) * apart, np.nan))
        return np.stack(values)

    def there(self) -> Flags:
        return self.mask & ~np.stack([counted.failed for counted in self.statistics])


@dataclass(frozen=True, eq=False)
class MeanScores(Scores):
    """Scores of segments; those of systems and documents are their means, unless they are given, too.

    Where systems have scores of different segments, the means are adjusted for that: see ``adjusted_means``.
    """

    def system_scores(self, weights: Array) -> Array:
        scores = (adjusted_means if self.adjusted else plain_means)(self.contributions(), weights)
        for index, name in enumerate(self.systems):
            if name in self.given:
                scores[:, index] = self.given[name]
        return steady(scores)

    def contributions(self) -> Array:
        return np.where(self.scored, self.grid, np.nan)


def plain_means(values: Array, weights: Array) -> Array:
    """Means of systems (draws by systems), each over the segments that it has: those of others may be easier."""
    there = ~np.isnan(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Array = _weighted(weights, np.where(there, values, 0.0)) / _weighted(weights, there)
    return means


def _weighted(weights: Array, values: Array | Flags) -> Array:
    """Sums of systems under weights over segments: draws by systems, and by whatever else values have."""
    rows = np.moveaxis(values, 1, 0)
    return (weights @ rows.reshape(len(rows), -1)).reshape(weights.shape[0], *rows.shape[1:])


def adjusted_means(values: Array, weights: Array) -> Array:
    """Means of systems (draws by systems) over the same segments, though some cells of ``values`` are NaN.

    ``values`` are systems by segments, ``weights`` draws by segments, an array or a sparse one; values may have a third
    axis, of scores that have the same gaps. Where all systems have all segments that count, these are their means. Else
    a cell is taken as the sum of what its system and its segment bring, fitted by least squares, and a system's score
    is its mean over all segments with what the model says of those that it lacks: so nobody is better for having easier
    segments. Systems that share no segment, not even by way of others, cannot be
    compared: the largest group of those that can has scores, the others NaN; of two such groups, none.

    >>> adjusted_means(np.array([[1.0, 5.0], [2.0, np.nan]]), np.ones((1, 2))).tolist()
    [[3.0, 4.0]]
    """
    there = ~np.isnan(values if values.ndim == 2 else values[..., 0])
    filled, means = np.nan_to_num(values, nan=0.0), plain_means(values, weights)
    # Draws in which some segment counts that some systems have and others lack.
    gaps = there.any(axis=0) & ~(there | ~there.any(axis=1, keepdims=True)).all(axis=0)
    unequal = np.asarray(weights @ gaps.astype(np.float64) > 0)
    for rows in np.array_split(np.flatnonzero(unequal), max(1, int(unequal.sum()) * len(values) ** 2 // _CELLS)):
        if len(rows):
            cubes = filled.reshape(*there.shape, -1)
            means[rows] = _least_squares(cubes, there, weights[rows]).reshape(len(rows), *means.shape[1:])
    return means


def _least_squares(filled: Array, there: Flags, weights: Array) -> Array:
    """Means adjusted for segments. Effects of segments are eliminated, which leaves equations of systems alone.

    ``filled`` is systems by segments by scores.
    """
    systems, count = len(there), np.maximum(there.sum(axis=0), 1)
    centre = filled.sum(axis=(0, 1)) / max(int(there.sum()), 1)
    values = np.where(there[..., None], filled - centre, 0.0)
    share, mean = there / count, values.sum(axis=0) / count[:, None]
    first, second = np.triu_indices(systems)
    matrix = np.zeros((weights.shape[0], systems, systems))
    matrix[:, first, second] = weights @ (there[first] * share[second]).T
    matrix[:, second, first] = matrix[:, first, second]
    linked = _groups(matrix > 0)
    number, shares, diagonal = weights @ there.T, weights @ share.T, np.arange(systems)
    kept = _largest(linked, number)
    matrix = np.where(kept[:, :, None] & kept[:, None, :], -matrix, 0.0)
    matrix[:, diagonal, diagonal] += np.where(kept, number, 1.0)
    # Effects are known but for a constant: their sum over the group is 0.
    scale = np.maximum(number.max(axis=1), 1.0)[:, None, None]
    matrix += np.where(kept[:, :, None] & kept[:, None, :], scale / systems, 0.0)
    columns = kept[..., None]
    right = np.where(columns, _weighted(weights, values - there[..., None] * mean), 0.0)
    effects = np.linalg.solve(matrix, right)
    shares = np.where(columns, shares[..., None], 0.0)
    total = np.where(columns, _weighted(weights, values / count[:, None]), 0.0).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        level = (total - (shares * effects).sum(axis=1)) / shares.sum(axis=1)
    return np.where(columns, effects + level[:, None] + centre, np.nan)


def _groups(linked: Flags) -> Flags:
    """Which systems are linked, by way of others too: draws by systems by systems."""
    for _ in range(max(1, int(np.ceil(np.log2(linked.shape[-1] + 1))))):
        linked = np.matmul(linked.astype(np.float32), linked.astype(np.float32)) > 0
    return linked


def _largest(linked: Flags, number: Array) -> Flags:
    """The group with the most systems, of several with the most cells; nobody where several have the same."""
    size = linked.sum(axis=2)
    cells = (linked * number[:, None, :]).sum(axis=2)
    most = size == size.max(axis=1, keepdims=True)
    most &= cells == np.where(most, cells, -1.0).max(axis=1, keepdims=True)
    alone = most.sum(axis=1, keepdims=True) == size.max(axis=1, keepdims=True)
    return np.asarray(most & (number > 0) & alone)


def steady(scores: Array) -> Array:
    """Scores without the last digits of their arithmetic: what is equal in truth is a tie here.

    >>> steady(np.array([100.00000000000003, 99.99999999999999, 50.0])).tolist()
    [100.0, 100.0, 50.0]
    """
    largest = np.nanmax(np.abs(scores), initial=0.0)
    if not np.isfinite(largest) or largest == 0.0:
        return scores
    # More decimals than that are none that numbers have.
    return np.round(scores, min(_DIGITS - int(np.ceil(np.log10(largest))), 300))


def metric_scores(
    campaign: Campaign,
    metrics: Sequence[Metric],
    people: Scores,
    mask: Flags | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    known: Counted | None = None,
) -> list[Scores]:
    """The metrics that Assay computes, and scores of other programs; what is ``known`` is not counted again.

    ``mask`` says which cells take part; without it those that people judged.
    """
    ours = [metric for metric in metrics if not isinstance(metric, GivenScores)]
    counted = evaluate_all(ours, campaign, threads=threads, progress=progress, known=known) if ours else {}
    return [
        external_scores(campaign.given(str(metric)), people, people.mask if mask is None else mask, campaign.documents)
        if isinstance(metric, GivenScores)
        else scores_of(metric, [counted[system, str(metric)] for system in people.systems], people, mask)
        for metric in metrics
    ]


def scores_of(
    metric: Metric, statistics: Sequence[Statistics], people: Scores, mask: Flags | None = None
) -> MetricScores:
    """A metric that was counted on the systems that people judged."""
    sign = 1.0 if metric.higher_is_better else -1.0
    grid, mask = sign * np.stack([each.segment_scores() for each in statistics]), people.mask if mask is None else mask
    return MetricScores(str(metric), people.systems, mask, grid, statistics, sign=sign, adjusted=people.adjusted)


def external_scores(scores: ExternalScores, people: Scores, mask: Flags, documents: Sequence[str] | None) -> Scores:
    """A score file; systems that it lacks have no score."""
    sign, systems = 1.0 if scores.higher_is_better else -1.0, people.systems
    grid = np.full(mask.shape, np.nan)
    for row, name in enumerate(systems):
        if scores.segments is not None and name in scores.segments:
            grid[row] = sign * scores.segments[name]
    given = {name: sign * (scores.systems or {}).get(name, np.nan) for name in systems}
    if scores.systems is None or (scores.segments is not None and _are_means(np.array([*given.values()]), grid)):
        # A mean can be taken over the judged segments and over any that are drawn.
        given = {}
    by_document = {}
    if documents is not None and scores.documents is not None:
        for name in systems:
            known = scores.documents.get(name, {})
            by_document[name] = {document: sign * known.get(document, np.nan) for document in set(documents)}
    made = MeanScores(scores.name, systems, mask, grid, sign=sign, given=given, documents=by_document)
    return replace(made, adjusted=people.adjusted)


def _are_means(given: Array, grid: Array) -> bool:
    """Whether scores of systems are those of their segments in the mean, up to rounding."""
    means = np.array([np.nanmean(line) if np.isfinite(line).any() else np.nan for line in grid])
    return bool(np.allclose(means, given, rtol=_ROUNDING, atol=_ROUNDING * np.nanstd(given), equal_nan=True))


def beside(name: str, other: Scores, people: Scores, mask: Flags) -> Scores:
    """Another kind of judgement under a name of its own, for the systems and in the place of a metric."""
    grid = np.full(mask.shape, np.nan)
    given = dict.fromkeys(people.systems, np.nan)
    scores = other.system_scores(np.ones((1, mask.shape[1])))[0]
    for row, system in enumerate(people.systems):
        if system in other.systems:
            place = other.systems.index(system)
            grid[row], given[system] = other.grid[place], float(scores[place])
    # Ranks have no scores of segments, and judgements of whole systems no segments.
    known = {} if np.isfinite(grid).any() else given
    return MeanScores(name, people.systems, mask | ~np.isnan(grid), grid, given=known, adjusted=people.adjusted)


def check_scores(sources: Sequence[Scores], kept: str) -> None:
    """Refuse two of one name, or one of the name that is ``kept`` for the ceiling, and say what each of them lacks."""
    names = [source.name for source in sources]
    if kept in names:
        raise InputError(
            f"No metric may be called {kept!r}: that is the line of the best that can be reached. Rename it."
        )
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"Two metrics are called {twice!r}. Rename one of them.")
    missing = {source.name: int((source.mask & np.isnan(source.grid)).sum()) for source in sources}
    gaps = [
        f"{source.name} ({missing[source.name]:,} of {int(source.mask.sum()):,})"
        for source in sources
        if missing[source.name] and np.isfinite(source.grid).any()
    ]
    if gaps:
        warnings.warn(
            f"Judged segments without a score are left out of a metric's statistics, and of its tests against other "
            f"metrics: {', '.join(gaps)}.",
            AssayWarning,
            stacklevel=2,
        )
    given = [source.name for source in sources if source.given]
    if given:
        warnings.warn(
            f"{', '.join(given)}: scores of systems do not come from segments. Intervals allow for other systems and "
            "judgements, but not for what the metric would say of other segments.",
            AssayWarning,
            stacklevel=2,
        )
