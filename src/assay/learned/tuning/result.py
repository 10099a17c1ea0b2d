"""What a tuning found: what the tuned metric is worth where it was not tuned, its numbers, and how steady they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from statistics import mean, stdev
from typing import Any

from assay.meta.result import ends
from assay.meta.usage import Usage
from assay.metrics.base import Metric
from assay.significance.intervals import Interval
from assay.version import __version__


@dataclass(frozen=True)
class Worth:
    """A statistic on held-out folds, its interval, and what it is where the metric was fitted, which flatters."""

    value: float
    interval: Interval | None
    fitted: float

    def row(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {"value": self.value, **ends(self.interval), "where_fitted": self.fitted}


@dataclass(frozen=True)
class FittedNumber:
    """One parameter: before, after, and what each fold chose without its own segments; None where it does not apply."""

    name: str
    default: float | None
    tuned: float | None
    by_fold: tuple[float | None, ...]
    #: Whether it is looked for in ratios.
    log: bool = False

    def _chosen(self) -> list[float]:
        return [value for value in self.by_fold if value is not None]

    @property
    def mean(self) -> float | None:
        """The mean over folds."""
        chosen = self._chosen()
        return mean(chosen) if chosen else None

    @property
    def sd(self) -> float | None:
        """The standard deviation over folds."""
        chosen = self._chosen()
        return stdev(chosen) if len(chosen) > 1 else None

    def row(self) -> dict[str, Any]:
        """As JSON holds it."""
        chosen = self._chosen()
        return {
            "parameter": self.name,
            "default": self.default,
            "tuned": self.tuned,
            "mean": self.mean,
            "sd": self.sd,
            "lowest": min(chosen, default=None),
            "highest": max(chosen, default=None),
            "by_fold": list(self.by_fold),
        }


@dataclass(frozen=True)
class FoldResult:
    """One outer fold: the metric that was chosen without it, and what it is worth in training and on the fold."""

    fold: int
    metric: str
    #: How far the metric went from the present numbers to the best ones of its training set, 0 to 1.
    share: float
    points: int
    training_default: float | None
    training: float | None
    held_out_default: float | None
    held_out: float | None

    def row(self) -> dict[str, Any]:
        """As JSON holds it."""
        return dict(self.__dict__)


@dataclass(frozen=True)
class CurvePoint:
    """The statistic at one value of one parameter, the others as each fold chose them; means over folds."""

    parameter: str
    value: float
    training: float | None
    held_out: float | None

    def row(self) -> dict[str, Any]:
        """As JSON holds it."""
        return dict(self.__dict__)


@dataclass(frozen=True)
class TuningSetup:
    """How it was done."""

    kind: str
    normalise: str
    level: str
    statistic: str
    grouping: str | None
    folds: int
    group: str
    samples: int
    seed: int
    systems: tuple[str, ...]
    #: How many segments of systems took part, and how many points the statistic has.
    cells: int
    points: int
    #: How many values of the parameters were tried, and how often text was counted.
    tried: int
    counted: int


@dataclass(frozen=True, eq=False)
class Tuning:
    """All that ``assay tune`` has to say."""

    campaign: str
    setup: TuningSetup
    usage: Usage
    #: The metric as it was given, and as it was tuned on everything.
    default_metric: Metric
    metric: Metric
    default: Worth
    tuned: Worth
    difference: Worth
    #: How far the metric that is fitted on everything went towards the best numbers.
    share: float
    parameters: tuple[FittedNumber, ...] = field(repr=False)
    folds: tuple[FoldResult, ...] = field(repr=False)
    curves: tuple[CurvePoint, ...] = field(default=(), repr=False)
    #: Whether parameters steer what is counted, so that held-out values were counted anew.
    recounted: bool = False
    signatures: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def verdict(self) -> str:
        """Whether tuning helped, in a sentence."""
        interval, value = self.difference.interval, self.difference.value
        units = {"segment": "segments", "document": "documents", "system": "systems"}[self.setup.group]
        if self.setup.level == "system" and self.setup.group != "system":
            units = f"{units} of these very systems"
        shown = f"{value:+.4f}" + ("" if interval is None else f" [{interval.low:+.4f}, {interval.high:+.4f}]")
        if all(one.share == 0.0 for one in self.folds):
            return f"Tuning does not help: in every fold the inner folds chose to keep {self.default_metric} as it is."
        if self.share == 0.0:
            return (
                f"Tuning does not help: fitted on everything, {self.default_metric} stays as it is ({shown} in folds)."
            )
        if interval is None:
            return f"On {units} that it has not seen the tuned metric differs by {shown}, without an interval."
        if interval.low > 0:
            return f"Tuning helps: {shown} on {units} that it has not seen."
        if interval.high < 0:
            return f"Tuning does harm: {shown} on {units} that it has not seen. Keep {self.default_metric}."
        return (
            f"Tuning does not surely help: {shown} on {units} that it has not seen, an interval that holds 0. "
            f"Keep {self.default_metric}, or judge more."
        )

    def table(self) -> list[dict[str, Any]]:
        """A row for the metric as it was, one for the tuned one, one for the difference."""
        setup = {"level": self.setup.level, "statistic": self.setup.statistic, "grouping": self.setup.grouping}
        shown = (
            ("default", str(self.default_metric), self.default),
            ("tuned", str(self.metric), self.tuned),
            ("difference", None, self.difference),
        )
        return [{"which": which, "metric": metric, **setup, **worth.row()} for which, metric, worth in shown]

    def to_dict(self) -> dict[str, Any]:
        """All that ``assay tune --format json`` prints."""
        return {
            "assay": __version__,
            "command": "tune",
            "campaign": self.campaign,
            "setup": {**self.setup.__dict__, "systems": list(self.setup.systems)},
            "used": self.usage.to_dict(),
            "metric": str(self.metric),
            "results": self.table(),
            "verdict": self.verdict,
            "share": self.share,
            "recounted": self.recounted,
            "parameters": [one.row() for one in self.parameters],
            "folds": [one.row() for one in self.folds],
            "curves": [one.row() for one in self.curves],
            "signatures": dict(self.signatures),
        }

    def to_json(self) -> str:
        """The same as text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)

    def chart(self) -> Any:
        """The statistic over each parameter, as an Altair chart; needs the extra ``plots``."""
        from assay.learned.tuning.picture import parameter_curves

        return parameter_curves(self)

    def _repr_html_(self) -> str:
        keys = ("which", "metric", "value", "low", "high", "where_fitted")

        def cell(value: object) -> str:
            shown = "–" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
            return f"<td>{escape(shown)}</td>"

        lines = "".join(f"<tr>{''.join(cell(row[key]) for key in keys)}</tr>" for row in self.table())
        head = "".join(f"<th>{escape(key)}</th>" for key in keys)
        return f"<p>{escape(self.verdict)}</p><table><tr>{head}</tr>{lines}</table>"
