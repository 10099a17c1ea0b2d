"""Where scores are held against people: systems, documents or segments, under the same draws for all scores.

The first of all draws has everything once: it gives the value, and the others give its interval.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from assay.arrays import Array, Flags
from assay.data.judgements import Factor
from assay.people.rankings import Pairs, Rankings
from assay.people.ratings import People, Ratings
from assay.people.scores import Scores, steady
from assay.people.statistics.base import Grid
from assay.people.statistics.registry import statistic as named_statistic
from assay.people.statistics.system_pairs import pair_p_normal, pair_p_values
from assay.properties import cached_property
from assay.scoring.statistics import NO_DOCUMENT
from assay.significance.draws import Draws, Estimate, Units, named, number_or_none

#: A statistic, and how points are grouped for it.
Cell = tuple[str, str | None]

#: What is drawn, in words: ``points`` are systems and segments at the system level, and segments below it.
DRAWN = {
    "points": "segments, at the system level of systems too",
    "segments": "segments",
    "systems": "systems",
    "both": "segments and systems",
}
#: Below so many systems no statistic over systems says anything.
FEWEST_SYSTEMS = 3
#: Random swaps behind the p-values of soft pairwise accuracy.
_PERMUTATIONS = 1000


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """What is drawn, as a whole or one by one, how often, and on which segments metrics score a system."""

    resample: str = "points"
    #: What is drawn as a whole.
    units: Units
    scope: str = "judged"
    samples: int = 1000
    seed: int = 1

    def draws(self, people: Scores, level: str, labels: Factor | None) -> Draws:
        """The draws of a level, the same ones whichever metric asks: of documents where these are points."""
        among, units = np.asarray(people.mask.any(axis=0)), self.units
        if self.scope != "judged" or not among.any():
            # Metrics score all segments, so all of them are drawn.
            among = np.ones_like(among)
        if level == "document" and labels is not None:
            units = Units("document", named(labels.names))
            known = labels.codes >= 0
            among = np.asarray(np.bincount(labels.codes[known], among[known], minlength=len(units)) > 0)
        fixed = ("segments",) if level == "system" else ("segments", "points")
        vary = () if self.resample == "systems" else ("units",)
        if self.resample not in fixed and len(people.systems) >= FEWEST_SYSTEMS:
            vary = (*vary, "systems")
        return Draws.of(units, self.samples, self.seed, among=among, systems=named(people.systems), vary=vary)


@dataclass(frozen=True, eq=False)
class SystemLevel:
    """Scores of systems: one point each."""

    name: ClassVar[str] = "system"
    labels: ClassVar[Factor | None] = None

    people: Scores
    draws: Draws
    seed: int = field(kw_only=True)
    _scores: dict[Scores, Array] = field(default_factory=dict, init=False, repr=False)
    _p_values: dict[tuple[Scores, bool], Array] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def human(self) -> Array:
        """People's scores: draws by systems."""
        return self.people.system_scores(self.draws.weights)

    def scores(self, source: Scores) -> Array:
        """What is held against people: draws by systems."""
        if source not in self._scores:
            self._scores[source] = steady(source.drawn_scores(self.draws))
        return self._scores[source]

    def measure(self, cells: Iterable[Cell], source: Scores, among: Flags | None = None) -> dict[Cell, Estimate]:
        """Several statistics of what gives scores, over the systems (or ``among`` some) that have one on both sides."""
        scores = self.scores(source)
        points = np.isfinite(self.human[0]) & np.isfinite(scores[0])
        weights = self.draws.systems * (points if among is None else points & among)
        estimates: dict[Cell, Estimate] = {}
        for cell in cells:
            statistic = named_statistic(cell[0])
            if statistic.of_p_values:
                of_metric = self._pair_p(source, of_segment_means=statistic.of_segment_means)
                values = statistic.compute(self._pair_p(self.people), of_metric, weights)
            else:
                values = statistic.over(self.human, scores, weights)
            estimates[cell] = self.draws.estimate(values, n=int((weights[0] > 0).sum()))
        return estimates

    def _pair_p(self, side: Scores, *, of_segment_means: bool = False) -> Array:
        """p-values of all pairs of systems in the eyes of one side: drawn for the value, normal for its interval."""
        key = side, of_segment_means
        if key not in self._p_values:
            # Of two systems, on the segments that people judged for both, unless metrics score all segments.
            values = np.where(side.mask, side.grid if of_segment_means else side.contributions(), np.nan)
            p_values = pair_p_normal(values, self.draws)
            p_values[0] = pair_p_values(values, self.draws.units, seed=self.seed, samples=_PERMUTATIONS)
            self._p_values[key] = p_values
        return self._p_values[key]


@dataclass(frozen=True, eq=False)
class GridLevel:
    """Scores of documents, where ``labels`` says which segments make them, or of segments: a point per system each."""

    #: People's scores: systems by items.
    human: Array = field(repr=False)
    draws: Draws
    seed: int = field(kw_only=True)
    name: str = "segment"
    labels: Factor | None = None
    _scores: dict[Scores, Array] = field(default_factory=dict, init=False, repr=False)

    def scores(self, source: Scores) -> Array:
        """What is held against people: systems by items."""
        if source not in self._scores:
            scores = source.grid if self.labels is None else source.document_scores(self.labels)
            self._scores[source] = steady(scores)
        return self._scores[source]

    def measure(self, cells: Iterable[Cell], source: Scores) -> dict[Cell, Estimate]:
        """Several statistics of what gives scores."""
        metric = self.scores(source)
        there = np.isfinite(metric) & np.isfinite(self.human)
        grids: dict[str | None, Grid] = {}
        estimates: dict[Cell, Estimate] = {}
        for name, grouping in cells:
            if grouping not in grids:
                grids[grouping] = Grid.of(metric, self.human, self.draws, grouping, self.seed)  # type: ignore[arg-type]
            values, epsilons = named_statistic(name).of_grid(grids[grouping])
            epsilon = number_or_none(float(np.mean(epsilons[0]))) if len(epsilons) else None
            estimates[name, grouping] = self.draws.estimate(values, n=int(there.sum()), epsilon=epsilon)
        return estimates


@dataclass(frozen=True, eq=False)
class RankingLevel:
    """Pairs of translations of one segment that people ranked: does the metric order them alike?"""

    name: ClassVar[str] = "segment"

    pairs: Pairs = field(repr=False)
    draws: Draws

    def measure(self, cells: Iterable[Cell], source: Scores) -> dict[Cell, Estimate]:
        """Several statistics of what gives scores."""
        pairs, grid, draws = self.pairs, source.grid, self.draws
        differences = grid[pairs.first, pairs.segment] - grid[pairs.second, pairs.segment]
        there = np.isfinite(differences)
        segment, first, second = pairs.segment[there], pairs.first[there], pairs.second[there]
        outcome, differences = pairs.outcome[there].astype(np.float64), differences[there]
        estimates: dict[Cell, Estimate] = {}
        for cell in cells:
            values = np.empty(len(draws))
            for here in draws.slices(len(differences)):
                systems = draws.systems[here]
                weights = draws.weights[here][:, segment] * systems[:, first] * systems[:, second]
                values[here] = named_statistic(cell[0]).compute(outcome, differences, weights)
            estimates[cell] = draws.estimate(values, n=int((outcome != 0).sum()))
        return estimates


#: Whatever people said of systems, documents or segments, it has a name and draws, and measures.
Level = SystemLevel | GridLevel | RankingLevel


def document_labels(documents: tuple[str, ...] | None) -> Factor | None:
    """The documents as groups; None where there is not more than one. Segments that name none are in no group."""
    if documents is None or len(set(documents).difference(NO_DOCUMENT)) < 2:
        return None
    return Factor.of(None if name in NO_DOCUMENT else name for name in documents)


def level_of(name: str, people: People, labels: Factor | None, resampling: Resampling) -> Level | str:
    """A level, or why nothing can be measured there."""
    seed, count = resampling.seed, len(people.systems)
    if name == "system":
        if count < FEWEST_SYSTEMS:
            return f"it takes {FEWEST_SYSTEMS} judged systems, not {count}."
        if isinstance(people, Ratings):
            scores = people.system_scores(np.ones((1, people.mask.shape[1])))
            able = int(np.isfinite(scores).sum())
            if able < FEWEST_SYSTEMS:
                return f"it takes {FEWEST_SYSTEMS} systems that were judged on common segments, not {able}."
        return SystemLevel(people, resampling.draws(people, name, labels), seed=seed)
    if name == "segment" and isinstance(people, Rankings):
        return RankingLevel(people.pairs, resampling.draws(people, name, labels))
    if name == "document" and labels is None:
        return "the campaign does not tell documents apart (docs.txt)."
    documents = labels if name == "document" else None
    human = people.grid if documents is None else people.document_scores(documents)
    if not np.isfinite(human).any():
        single = "no segment was judged on its own."
        return single if documents is None else "no document was judged, and no segment of one."
    return GridLevel(human, resampling.draws(people, name, labels), name, documents, seed=seed)
