"""What a meta-evaluation found: agreement with people per metric, with intervals, and tests between metrics."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.meta.benches import Measured
from assay.meta.usage import Usage
from assay.significance.clusters import Cluster
from assay.significance.intervals import Interval, quantiles
from assay.significance.student import few_units_tail
from assay.version import __version__

Array = NDArray[np.float64]

#: What a 95 % interval leaves out at either end.
TAIL = 0.025
#: An interval needs a value in this share of the draws.
MOST = 0.5


def ends(interval: Interval | None) -> dict[str, float | None]:
    """Both ends of an interval as JSON holds them; null where there is none."""
    return {"low": None, "high": None} if interval is None else {"low": interval.low, "high": interval.high}


@dataclass(frozen=True)
class Result:
    """How far one metric follows people, by one statistic at one level."""

    metric: str
    level: str
    statistic: str
    #: How points are grouped below the system level: none, item or system.
    grouping: str | None
    #: None where the statistic is not defined, as for a constant metric.
    value: float | None
    interval: Interval | None
    n: int
    #: The same statistic between two halves of the judgements; None where they cannot be halved.
    ceiling: float | None = None
    #: The difference up to which the metric's scores are a tie, where one was calibrated.
    epsilon: float | None = None

    def row(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "metric": self.metric,
            "level": self.level,
            "statistic": self.statistic,
            "grouping": self.grouping,
            "value": self.value,
            **ends(self.interval),
            "n": self.n,
            "ceiling": self.ceiling,
            "epsilon": self.epsilon,
        }


@dataclass(frozen=True)
class MetricPair:
    """Two metrics compared by how far they follow people."""

    metric_a: str
    metric_b: str
    level: str
    statistic: str
    grouping: str | None
    delta: float
    interval: Interval | None
    p: float
    p_adjusted: float
    significant: bool

    def row(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "metric_a": self.metric_a,
            "metric_b": self.metric_b,
            "level": self.level,
            "statistic": self.statistic,
            "grouping": self.grouping,
            "delta": self.delta,
            **ends(self.interval),
            "p": self.p,
            "p_adjusted": self.p_adjusted,
            "significant": self.significant,
        }


@dataclass(frozen=True)
class Subset:
    """A system-level statistic over some of the systems only: without outliers, without one, the best k."""

    metric: str
    statistic: str
    #: ``without outliers``, ``without <system>`` or ``top <k>``.
    systems: str
    value: float | None
    interval: Interval | None
    n: int

    def row(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "metric": self.metric,
            "statistic": self.statistic,
            "systems": self.systems,
            "value": self.value,
            **ends(self.interval),
            "n": self.n,
        }


@dataclass(frozen=True)
class SystemPoint:
    """One system as a metric and as people see it."""

    metric: str
    system: str
    score: float
    higher_is_better: bool
    low: float | None
    high: float | None
    human: float
    human_low: float | None
    human_high: float | None
    segments: int
    outlier: bool

    def row(self) -> dict[str, Any]:
        """As JSON holds it."""
        return dict(self.__dict__)


@dataclass(frozen=True)
class MetaSetup:
    """How it was done."""

    kind: str
    normalise: str
    scope: str
    resample: str
    samples: int
    seed: int
    unit: str
    test: str
    correction: str
    alpha: float
    systems: tuple[str, ...]
    segments: int


@dataclass(frozen=True, eq=False)
class MetaEvaluation:
    """All that ``assay meta`` has to say."""

    campaign: Campaign = field(repr=False)
    setup: MetaSetup
    usage: Usage
    results: tuple[Result, ...] = field(repr=False)
    comparisons: tuple[MetricPair, ...] = field(default=(), repr=False)
    #: Metrics between which the tests do not decide, by level, statistic and grouping.
    clusters: Mapping[tuple[str, str, str | None], tuple[Cluster, ...]] = field(default_factory=dict, repr=False)
    robust: tuple[Subset, ...] = field(default=(), repr=False)
    top: tuple[Subset, ...] = field(default=(), repr=False)
    points: tuple[SystemPoint, ...] = field(default=(), repr=False)
    #: What was used of other kinds of judgement, by the name that they have as metrics.
    beside: Mapping[str, Usage] = field(default_factory=dict, repr=False)
    #: Which metric is which: names and signatures.
    signatures: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def metrics(self) -> list[str]:
        """Metrics in the order in which they were asked for."""
        return list(dict.fromkeys(result.metric for result in self.results))

    @property
    def outliers(self) -> list[str]:
        """Systems far from all others in the eyes of people."""
        return list(dict.fromkeys(point.system for point in self.points if point.outlier))

    def of(self, metric: str, statistic: str, level: str = "system", grouping: str | None = None) -> Result:
        """One of the results."""
        for result in self.results:
            if (result.metric, result.statistic, result.level) == (metric, statistic, level) and (
                grouping is None or result.grouping == grouping
            ):
                return result
        raise LookupError(f"There is no {statistic} of {metric} at the {level} level.")

    def table(self) -> list[dict[str, Any]]:
        """A row per metric, level, statistic and grouping."""
        return [result.row() for result in self.results]

    def to_dict(self) -> dict[str, Any]:
        """All that ``assay meta --format json`` prints."""
        setup = {**self.setup.__dict__, "systems": list(self.setup.systems)}
        return {
            "assay": __version__,
            "command": "meta",
            "campaign": self.campaign.name,
            "setup": setup,
            "used": self.usage.to_dict(),
            "beside": {name: usage.to_dict() for name, usage in self.beside.items()},
            "results": self.table(),
            "comparisons": [pair.row() for pair in self.comparisons],
            "clusters": [
                {
                    "level": level,
                    "statistic": statistic,
                    "grouping": grouping,
                    "rank": cluster.rank,
                    "metrics": list(cluster.systems),
                }
                for (level, statistic, grouping), found in self.clusters.items()
                for cluster in found
            ],
            "robust": [subset.row() for subset in self.robust],
            "top": [subset.row() for subset in self.top],
            "outliers": self.outliers,
            "points": [point.row() for point in self.points],
            "signatures": dict(self.signatures),
        }

    def to_json(self) -> str:
        """The same as text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)

    def chart(self, picture: str = "correlations", **options: Any) -> Any:
        """A picture of it, as an Altair chart; needs the extra ``plots``."""
        from assay.meta.charts import chart

        return chart(self, picture, **options)

    def _repr_html_(self) -> str:
        def cell(value: object) -> str:
            shown = "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
            return f"<td>{escape(shown)}</td>"

        keys = ("metric", "level", "statistic", "grouping", "value", "low", "high", "n", "ceiling")
        lines = "".join(f"<tr>{''.join(cell(row[key]) for key in keys)}</tr>" for row in self.table())
        head = "".join(f"<th>{key}</th>" for key in keys)
        return f"<p>{escape(str(self.usage))}</p><table><tr>{head}</tr>{lines}</table>"


def quantile_pair(drawn: Array, units: int | None = None) -> tuple[float | None, float | None]:
    """The middle 95 % of what the draws gave; nothing where more than half of them gave no value.

    With the number of ``units`` that were drawn from it is widened for few, as Student's t is against the normal.
    """
    finite = drawn[np.isfinite(drawn)]
    if len(finite) < MOST * len(drawn) or len(finite) < 2:
        return None, None
    tail = TAIL if units is None else few_units_tail(units, TAIL)
    low, high = quantiles(finite, [tail, 1.0 - tail])
    return low, high


def interval_of(measured: Measured) -> Interval | None:
    """The interval of a statistic; None where it, or too many draws, have no value."""
    low, high = quantile_pair(measured.drawn, measured.units)
    if low is None or high is None or not math.isfinite(measured.value):
        return None
    return Interval(low, high)


def number_or_none(value: float) -> float | None:
    """What JSON can hold of a statistic that may not be defined."""
    return value if math.isfinite(value) else None
