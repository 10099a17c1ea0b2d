"""Questions about metrics, each answered by a table and a figure: ``assay study NAME``."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from assay.metrics.registry import metrics as named_metrics
from assay.questions.asked import Asked
from assay.questions.base import Question
from assay.results.figure import Figure
from assay.results.result import Column, Result, View

__all__ = ["Column", "Study", "StudyResult"]


@dataclass(frozen=True, kw_only=True)
class Study(Question):
    """Base class of all studies; subclasses add their options as fields."""

    command: ClassVar[str] = "study"
    takes: ClassVar[tuple[str, ...]] = ("texts", "judgements")
    leading: ClassVar[str] = "metric"
    working: ClassVar[str] = "Studying"
    renamed: ClassVar[Mapping[str, str]] = {"--save": "A result is kept by -o FILE.json."}
    #: What a printed table shows; JSON, TSV and CSV have every column.
    columns: ClassVar[tuple[Column, ...]]
    #: Further tables that are printed below, by name: those of the result that people read rather than programs.
    detail_columns: ClassVar[Mapping[str, tuple[Column, ...]]] = {}

    @abstractmethod
    def chart(self, result: StudyResult) -> Any:
        """The figure, as an Altair chart."""

    def result(
        self,
        asked: Asked,
        rows: Sequence[Mapping[str, Any]],
        findings: Sequence[str],
        points: Sequence[Mapping[str, Any]] = (),
        details: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    ) -> Result:
        """The answer: its table, further ones by name, and what they say in sentences."""
        tables = {"table": rows, **({"points": points} if points else {}), **(details or {})}
        views = [View(f"{asked.campaign.name}: {self.question}", "table", self.columns)]
        views += [View(name.capitalize(), name, columns) for name, columns in self.detail_columns.items()]
        drawn = StudyResult(self, asked.campaign.name, rows, tuple(findings), points, details or {})
        return Result(
            self.name,
            {name: [dict(row) for row in listed] for name, listed in tables.items()},
            tuple(views),
            tuple(findings),
            signatures={str(metric): asked.signature(metric) for metric in named_metrics(getattr(self, "metric"))},  # noqa: B009
            figures=(Figure("figure", lambda: self.chart(drawn).to_dict(), title=self.question),),
        )


@dataclass(frozen=True)
class StudyResult:
    """What a picture is drawn from."""

    study: Study
    campaign: str
    rows: Sequence[Mapping[str, Any]] = field(repr=False)
    findings: tuple[str, ...]
    points: Sequence[Mapping[str, Any]] = field(default=(), repr=False)
    details: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict, repr=False)

    def table(self) -> list[dict[str, Any]]:
        """The rows, every column of them."""
        return [dict(row) for row in self.rows]
