"""What was learnt, and how far it can be trusted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from assay.learned.trials.examples import Array, Examples
from assay.learned.trials.folds import Folds
from assay.learned.trials.grades import Grades
from assay.learned.trials.tasks import Task
from assay.version import __version__


@dataclass(frozen=True)
class Result:
    """One number about one model, with its interval; the keys are those of the JSON output."""

    model: str
    task: str
    features: str
    statistic: str
    value: float | None
    low: float | None
    high: float | None
    #: What the folds kept together; ``none`` are random folds.
    group: str

    def row(self) -> dict[str, Any]:
        """As JSON holds it."""
        return dict(self.__dict__)


@dataclass(frozen=True)
class Stretch:
    """How often a model was right that was about so sure."""

    model: str
    low: float
    high: float
    n: int
    certainty: float
    accuracy: float
    accuracy_low: float | None
    accuracy_high: float | None

    def row(self) -> dict[str, Any]:
        """As JSON holds it."""
        return dict(self.__dict__)


@dataclass(frozen=True)
class LearningSetup:
    """How it was done."""

    kind: str
    features: tuple[str, ...]
    models: tuple[str, ...]
    tasks: tuple[str, ...]
    group: str
    folds: int
    unit: str
    samples: int
    seed: int
    #: Decided pairs and ties, where preferences were asked for.
    pairs: int = 0
    ties: int = 0


@dataclass(frozen=True, eq=False)
class Learning:
    """All that ``assay learn`` has to say."""

    examples: Examples = field(repr=False)
    grades: Grades
    setup: LearningSetup
    results: tuple[Result, ...] = field(repr=False)
    folds: Folds = field(repr=False)
    tasks: tuple[Task, ...] = field(repr=False)
    #: Of the task of grades, per model: truth by prediction.
    confusions: Mapping[str, Array] = field(default_factory=dict, repr=False)
    calibration: tuple[Stretch, ...] = field(default=(), repr=False)
    #: What was chosen in each fold: by model, task and features.
    chosen: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)

    def of(self, model: str, task: str, statistic: str, features: str = "all", group: str | None = None) -> Result:
        """One of the results."""
        wanted = (model, task, features, statistic, group or self.setup.group)
        for one in self.results:
            if (one.model, one.task, one.features, one.statistic, one.group) == wanted:
                return one
        raise LookupError(f"There is no {statistic} of {model} ({features}) for the task {task}.")

    def find(self, **wanted: str) -> list[Result]:
        """All results with these values, such as ``statistic="accuracy"``; folds are the usual ones unless named."""
        wanted.setdefault("group", self.setup.group)
        return [one for one in self.results if all(getattr(one, name) == value for name, value in wanted.items())]

    def table(self) -> list[dict[str, Any]]:
        """A row per model, task, features and statistic."""
        return [one.row() for one in self.results]

    def fold_rows(self) -> list[dict[str, Any]]:
        """A row per fold: how many examples and groups it tests, and what was chosen in its training part."""
        rows = []
        for number in range(len(self.folds)):
            tested = self.folds.tested(number)
            rows.append(
                {
                    "fold": number + 1,
                    "group": self.folds.group,
                    "translations": int(tested.sum()),
                    "groups": len(np.unique(self.folds.groups[tested])),
                    "segments": sorted(set(self.examples.segments[tested].tolist())),
                    "chosen": [
                        {key: one[key] for key in ("model", "task", "features")} | dict(one["folds"][number])
                        for one in self.chosen
                    ],
                }
            )
        return rows

    def to_dict(self) -> dict[str, Any]:
        """All that ``assay learn --format json`` prints."""
        setup = {
            name: list(value) if isinstance(value, tuple) else value for name, value in self.setup.__dict__.items()
        }
        return {
            "assay": __version__,
            "command": "learn",
            "campaign": self.examples.campaign.name,
            "setup": setup,
            "used": self.examples.usage.to_dict(),
            "translations": len(self.examples),
            "grades": self.grades.to_dict(self.grades.of(self.examples.target)),
            "results": self.table(),
            "folds": self.fold_rows(),
            "confusions": {model: counts.astype(int).tolist() for model, counts in self.confusions.items()},
            "calibration": [one.row() for one in self.calibration],
            "features": [
                {"name": feature.name, "spelling": str(feature), "higher_is_better": feature.higher_is_better}
                for feature in self.examples.table.features
            ],
        }

    def to_json(self) -> str:
        """The same as text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)

    def chart(self) -> Any:
        """Confusion, calibration, accuracies and importance, as an Altair chart; needs the extra ``plots``."""
        from assay.learned.charts import chart

        return chart(self)

    def _repr_html_(self) -> str:
        keys = ("model", "task", "features", "statistic", "value", "low", "high", "group")

        def cell(value: object) -> str:
            shown = "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
            return f"<td>{escape(shown)}</td>"

        lines = "".join(f"<tr>{''.join(cell(row[key]) for key in keys)}</tr>" for row in self.table())
        head = "".join(f"<th>{key}</th>" for key in keys)
        return f"<p>{escape(str(self.examples.usage))}</p><table><tr>{head}</tr>{lines}</table>"
