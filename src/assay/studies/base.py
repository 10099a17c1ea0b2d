"""What a study is: a question about metrics, and how a campaign answers it.

A study is a dataclass. Its fields are its options, ``answer`` makes the table, and ``chart`` draws it. The result is a
plain value: rows of a table with the same columns throughout, and what they say in a sentence or two.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from html import escape
from typing import Any, ClassVar

from assay.data.campaign import Campaign
from assay.errors import ParameterError
from assay.metrics.options import declared_types, fit_option
from assay.metrics.spelling import spell_value
from assay.scoring.evaluate import Progress
from assay.studies.inquiry import Inquiry, Names
from assay.version import __version__


@dataclass(frozen=True)
class Column:
    """How people see a column of the table: under which heading, and in which format."""

    name: str
    heading: str
    #: As in ``format(value, spec)``; text stands left, everything else right.
    spec: str = ""

    def show(self, value: Any) -> str:
        """The value as it is read; a dash where there is none."""
        return "–" if value is None else format(value, self.spec) if self.spec else str(value)


@dataclass(frozen=True, kw_only=True)
class Study(ABC):
    """Base class of all studies; subclasses add their options as fields."""

    #: What one types.
    name: ClassVar[str]
    #: What is asked, in one line.
    question: ClassVar[str]
    #: Who asked first.
    source: ClassVar[str]
    #: What a printed table shows; JSON, TSV and CSV have every column.
    columns: ClassVar[tuple[Column, ...]]
    #: Further tables that are printed below, by name: those of the result that people read rather than programs.
    detail_columns: ClassVar[Mapping[str, tuple[Column, ...]]] = {}

    def __post_init__(self) -> None:
        types = declared_types(type(self))
        for option in fields(self):
            value = fit_option(self.name, option.name, getattr(self, option.name), types[option.name])
            object.__setattr__(self, option.name, value)
        self.check()

    def check(self) -> None:  # noqa: B027 - a study may have nothing to refuse
        """Refuse values that have the right type and make no sense."""

    def require(self, sound: bool, option: str, wanted: str) -> None:
        """Raise unless ``sound``: for use in ``check``."""
        if not sound:
            value = spell_value(getattr(self, option))
            raise ParameterError(f"{self.name}: {option} is {value}, but it takes {wanted}.")

    def run(
        self,
        campaign: Campaign,
        *,
        systems: Names = None,
        references: Names = None,
        seed: int = 1,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> StudyResult:
        """Answer the question for this campaign."""
        return self.answer(Inquiry(campaign, systems, references, seed, threads, progress))

    @abstractmethod
    def answer(self, asked: Inquiry) -> StudyResult:
        """Make the table, and say what it shows."""

    @abstractmethod
    def chart(self, result: StudyResult) -> Any:
        """The figure, as an Altair chart."""

    def options(self) -> dict[str, Any]:
        """Options and their values."""
        return {option.name: getattr(self, option.name) for option in fields(self)}


@dataclass(frozen=True)
class StudyResult:
    """What a study found."""

    study: Study
    campaign: str
    rows: Sequence[Mapping[str, Any]] = field(repr=False)
    #: The answer in sentences.
    findings: tuple[str, ...]
    #: What a figure shows beside the table, such as the dots of a scatter plot; JSON has them, too.
    points: Sequence[Mapping[str, Any]] = field(default=(), repr=False)
    #: Further tables by name, where one is not enough.
    details: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict, repr=False)

    def table(self) -> list[dict[str, Any]]:
        """The rows, every column of them."""
        return [dict(row) for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """All that ``assay study --format json`` prints."""
        return {
            "assay": __version__,
            "command": "study",
            "study": self.study.name,
            "campaign": self.campaign,
            "options": self.study.options(),
            "findings": list(self.findings),
            "table": self.table(),
            **({"points": [dict(point) for point in self.points]} if self.points else {}),
            **{name: [dict(row) for row in rows] for name, rows in self.details.items()},
        }

    def to_json(self) -> str:
        """The same as text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)

    def chart(self) -> Any:
        """The figure, as an Altair chart; needs the extra ``plots``."""
        return self.study.chart(self)

    def _repr_html_(self) -> str:
        columns = self.study.columns
        head = "".join(f"<th>{escape(column.heading)}</th>" for column in columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(column.show(row[column.name]))}</td>' for column in columns)}</tr>"
            for row in self.rows
        )
        said = "".join(f"<p>{escape(finding)}</p>" for finding in self.findings)
        return f"<p><b>{escape(self.study.question)}</b></p><table><tr>{head}</tr>{body}</table>{said}"
