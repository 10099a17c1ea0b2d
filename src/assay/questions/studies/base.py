"""Questions about metrics, each answered by a table and a figure: ``assay study NAME``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from assay.errors import InputError
from assay.metrics.base import Metric
from assay.questions.asked import Asked
from assay.questions.base import Question
from assay.results.figure import Figure, Figures
from assay.results.result import Column, Result, View
from assay.significance.proportions import wilson_interval

#: BLEU as scores of segments need it: without it, whatever has fewer than four words is worth 0. Scores of whole
#: texts are the same.
SENTENCE_BLEU = "bleu(effective_order=true)"

#: The row of all systems together.
ALL_SYSTEMS = "all systems"

Rows = Iterable[Mapping[str, Any]]


def share_of(count: int, total: int) -> dict[str, float | None]:
    """A share in percent with Wilson's interval, as cells of a table; None of nothing."""
    if total == 0:
        return {"share": None, "low": None, "high": None}
    low, high = wilson_interval(count, total)
    return {"share": 100.0 * count / total, "low": 100.0 * low, "high": 100.0 * high}


@dataclass(frozen=True, kw_only=True)
class Study(Question):
    """Base class of all studies; subclasses add their options as fields."""

    command: ClassVar[str] = "study"
    takes: ClassVar[tuple[str, ...]] = ("texts", "judgements")
    working: ClassVar[str] = "Studying"
    renamed: ClassVar[Mapping[str, str]] = {
        "--save": "A result is kept by -o FILE.json.",
        "metric": "Several metrics are metrics=['bleu', 'chrf'].",
    }
    #: What a printed table shows; JSON, TSV and CSV have every column.
    columns: ClassVar[tuple[Column, ...]]
    #: Further tables that are printed below, by name: those that people read rather than programs.
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {}

    def result(
        self,
        asked: Asked,
        rows: Rows,
        findings: Iterable[str],
        metrics: Iterable[Metric],
        picture: Callable[[], Figure],
        *,
        tables: Mapping[str, Rows] | None = None,
        usage: str | None = None,
        kind: str | None = None,
        hidden: Iterable[str] = (),
    ) -> Result:
        """The answer: its table, further ones by name, what they say in sentences, and a picture of them.

        ``metrics`` are those that were computed, ``usage`` says what became of the judgements, ``kind`` is theirs where
        it is the same in all rows, and ``hidden`` are columns that people need not see.
        """
        views = {"table": (f"{asked.campaign.name}: {self.question}", self.columns)}
        views |= {name: (name.replace("_", " ").capitalize(), columns) for name, columns in self.further.items()}
        named = {} if kind is None else {"kind": kind}

        def figures() -> Iterator[Figure]:
            # Where nothing is defined, as the table says, there is nothing to draw.
            with suppress(InputError):
                yield replace(picture(), name="figure")

        return Result(
            self.name,
            {name: [{**named, **row} for row in listed] for name, listed in {"table": rows, **(tables or {})}.items()},
            tuple(
                View(title, name, tuple(column for column in columns if column.name not in set(hidden)))
                for name, (title, columns) in views.items()
            ),
            tuple(findings),
            setup={} if usage is None else {"usage": usage},
            signatures={str(metric): asked.signature(metric) for metric in metrics},
            figures=Figures(figures),
        )
