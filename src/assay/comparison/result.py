"""What a comparison found: systems with their ranks, pairs with their p-values, clusters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.comparison.runs import Spread
from assay.errors import UnknownName
from assay.metrics.base import Metric
from assay.scoring.statistics import Statistics
from assay.significance.clusters import Cluster
from assay.significance.intervals import Interval
from assay.significance.power import Power
from assay.version import __version__


@dataclass(frozen=True)
class Standing:
    """One system under one metric: its score, and the ranks that the evidence leaves to it."""

    system: str
    metric: Metric
    score: float
    interval: Interval
    best_rank: int
    worst_rank: int
    spread: Spread
    #: The letter by which tables name the system.
    letter: str
    #: The letters of the systems that it significantly beats.
    beats: str


@dataclass(frozen=True)
class Pair:
    """Two systems under one metric; ``delta`` is the first's score minus the second's."""

    metric: Metric
    a: str
    b: str
    delta: float
    interval: Interval
    p: float
    p_adjusted: float
    significant: bool
    #: All swaps were tried, rather than some drawn.
    exact: bool
    #: The difference in standard deviations of one unit's share in it: Cohen's d for paired samples.
    effect: float | None
    #: Segments on which the first is better, worse, and equal.
    wins: int
    losses: int
    ties: int
    power: Power
    #: For BLEU: points that brevity and each precision contribute.
    decomposition: Mapping[str, float] | None = None

    def favours(self, system: str, other: str) -> bool:
        """Whether the evidence says that ``system`` is better than ``other``."""
        if not self.significant or {system, other} != {self.a, self.b}:
            return False
        ahead = self.delta > 0 if self.metric.higher_is_better else self.delta < 0
        return (system == self.a) == ahead

    def row(self) -> dict[str, Any]:
        """As JSON and tables hold it."""
        return {
            "metric": str(self.metric),
            "a": self.a,
            "b": self.b,
            "delta": self.delta,
            "low": self.interval.low,
            "high": self.interval.high,
            "p": self.p,
            "p_adjusted": self.p_adjusted,
            "significant": self.significant,
            "exact": self.exact,
            "effect": self.effect,
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            "detectable_delta": self.power.detectable,
            "needed_units": self.power.needed,
        }


@dataclass(frozen=True)
class TestSetup:
    """How the pairs were tested: enough to do it again."""

    test: str
    correction: str
    alpha: float
    unit: str
    units: int
    interval: str
    seed: int
    samples: int
    bootstrap_samples: int
    baseline: str | None = None


@dataclass(frozen=True, eq=False)
class Comparison:
    """All of it, per metric; ``statistics`` are the rows behind it, by run of a system and metric."""

    setup: TestSetup
    metrics: tuple[Metric, ...]
    standings: tuple[Standing, ...]
    pairs: tuple[Pair, ...]
    clusters: Mapping[str, tuple[Cluster, ...]]
    statistics: Mapping[tuple[str, str], Statistics] = field(repr=False)
    #: The names of each system's runs.
    runs: Mapping[str, tuple[str, ...]] = field(repr=False)

    def of(self, metric: Metric | str) -> list[Standing]:
        """The systems under one metric, the best first."""
        found = [standing for standing in self.standings if str(standing.metric) == str(metric)]
        if not found:
            raise UnknownName.of("metric", str(metric), map(str, self.metrics))
        return found

    def pair(self, metric: Metric | str, first: str, second: str) -> Pair:
        """The pair of two systems under one metric, whichever way round."""
        for pair in self.pairs:
            if str(pair.metric) == str(metric) and {pair.a, pair.b} == {first, second}:
                return pair
        raise UnknownName.of("pair", f"{first}, {second}", (f"{pair.a}, {pair.b}" for pair in self.pairs))

    def table(self) -> list[dict[str, Any]]:
        """A row per pair and metric."""
        return [pair.row() for pair in self.pairs]

    def to_dict(self) -> dict[str, Any]:
        """All that ``assay compare --format json`` prints."""
        return {
            "assay": __version__,
            "command": "compare",
            "test": vars(self.setup),
            "scores": [
                {
                    "system": standing.system,
                    "metric": str(standing.metric),
                    "score": standing.score,
                    "low": standing.interval.low,
                    "high": standing.interval.high,
                    "best_rank": standing.best_rank,
                    "worst_rank": standing.worst_rank,
                    "sigma_selection": standing.spread.selection,
                    "sigma_training": standing.spread.training,
                    "runs": standing.spread.runs,
                }
                for standing in self.standings
            ],
            "pairs": [
                {**pair.row(), **({"decomposition": dict(pair.decomposition)} if pair.decomposition else {})}
                for pair in self.pairs
            ],
            "clusters": [
                {"metric": metric, "rank": cluster.rank, "systems": list(cluster.systems)}
                for metric, found in self.clusters.items()
                for cluster in found
            ],
        }

    def to_json(self) -> str:
        """The same as text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)

    def _repr_html_(self) -> str:
        from html import escape

        keys = ("metric", "a", "b", "delta", "low", "high", "p", "p_adjusted", "significant")
        lines = "".join(
            "<tr>" + "".join(f"<td>{escape(_shown(row[key]))}</td>" for key in keys) + "</tr>" for row in self.table()
        )
        return f"<table><tr>{''.join(f'<th>{key}</th>' for key in keys)}</tr>{lines}</table>"


def _shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
