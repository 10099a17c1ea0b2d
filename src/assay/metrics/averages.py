"""Macro averages of any metric: the mean of the scores of its segments, or of its documents.

A metric whose ``average`` is not ``corpus`` counts what it counts anyway, and beside it what is averaged: the score of
a segment and a 1 or, of documents, shares that add up to a document's score and to 1 over its segments. Sums of rows so
give sums of scores and how many there are, and the score is their quotient: intervals, tests and groups follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from assay.arrays import Codes, Flags
from assay.errors import InputError
from assay.metrics.base import Counter, Influence, Metric, Rows, Scores, ratio, sums_of_units
from assay.metrics.tunable import Candidates, Tunable
from assay.properties import cached_property
from assay.text.batch import Batch

if TYPE_CHECKING:
    from assay.metrics.pictures import Picture


class Averaged(Metric):
    """What a metric becomes when its ``average`` says so: the same options, other rows."""

    #: The metric whose scores are averaged.
    plain_class: ClassVar[type[Metric]]

    @cached_property
    def plain(self) -> Metric:
        options = {one.name: getattr(self, one.name) for one in fields(self) if one.init and one.name != "average"}
        made = self.plain_class(**options)
        vars(made)["chosen"] = self.chosen - {"average"}
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        # The class is made when it is asked for, so that it cannot be found by its name.
        return _bare, (self.plain_class,), dict(vars(self))

    @property
    def is_average(self) -> bool:  # type: ignore[override]
        """Of segments it is; of documents it is an average of something else."""
        return self.average == "segments"

    @cached_property
    def _counted(self) -> int:
        """How many columns are the plain metric's."""
        return len(self.plain.columns)

    @property
    def columns(self) -> tuple[str, ...]:
        documents = ("document_scores", "documents") if self.average == "documents" else ()
        return (*self.plain.columns, "segment_scores", "segments", *documents)

    def count(self, batch: Batch) -> Rows:
        return self._with_scores(self.plain.count(batch))

    def counter(self, batch: Batch) -> Counter:
        count = self.plain.counter(batch)
        return lambda references: self._with_scores(count(references))

    def candidates(self, batch: Batch) -> Candidates:
        return Metric.candidates(self, batch)

    def _with_scores(self, rows: Rows) -> Rows:
        scores = self.plain.for_segments().score(rows)
        nothing = [np.zeros(len(rows))] * 2 if self.average == "documents" else []
        return np.column_stack([rows, scores, np.ones(len(rows)), *nothing])

    def in_documents(self, rows: Rows, documents: Sequence[str] | None, named: Flags | None = None) -> Rows:
        if self.average != "documents":
            return rows
        if documents is None or named is None:
            raise InputError(
                f"{self} is a mean over documents, and the texts name none. A campaign folder has them in docs.txt, "
                "one per line; a table in the column document; in Python Corpus(documents=[...])."
            )
        counted = rows[:, : self._counted]
        _, codes = np.unique(np.asarray(documents, dtype=object).astype(str), return_inverse=True)
        count = int(codes.max(initial=-1)) + 1
        size = np.bincount(codes[named], minlength=count)
        scores = self.plain.score(sums_of_units(np.where(named[:, None], counted, 0.0), codes, count))
        share = np.where(named, ratio(np.ones(count), size.astype(np.float64))[codes], 0.0)
        return np.column_stack([rows[:, :-2], np.where(named, scores[codes], 0.0) * share, share])

    def score(self, rows: Rows) -> Scores:
        place = self._counted + (2 if self.average == "documents" else 0)
        return ratio(rows[..., place], rows[..., place + 1])

    def sizes(self, rows: Rows) -> Scores | None:
        return rows[..., self._counted + 1] if self.average == "segments" else None

    def for_segments(self) -> Metric:
        # Scores of segments stand in the same columns whatever is averaged.
        return self if self.average == "segments" else replace(self, average="segments")

    def segment_scoring(self) -> str | None:
        return self.plain.segment_scoring()

    def zeros(self, rows: Rows) -> Mapping[str, Flags]:
        return self.plain.zeros(rows[:, : self._counted])

    @property
    def tunables(self) -> tuple[Tunable, ...]:
        """None: the formula is in the rows."""
        return ()

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        """How many scores the mean is over."""
        return {self.average: rows[..., -1]}

    def decompose(self, first: Rows, second: Rows) -> Mapping[str, float]:
        return {}

    def remarks(self, rows: Rows) -> Sequence[str]:
        said = list(self.plain.remarks(rows[:, : self._counted]))
        unnamed = int((rows[:, -1] == 0.0).sum())
        if unnamed:
            each = "segment names" if unnamed == 1 else "segments name"
            said.append(f"{self}: {unnamed:,} of {len(rows):,} {each} no document, and so no part of the mean.")
        return said

    def bounded(self, rows: Rows) -> Sequence[int]:
        return self.plain.bounded(rows[:, : self._counted])

    def picture(self, batch: Batch) -> Picture | None:
        return self.plain.picture(batch)

    def influence(self, batch: Batch, members: Codes, units: int) -> Influence:
        """What each unit's own rows are: the fit is taken as it is."""
        return lambda rows, _, of: sums_of_units(rows, of, units)

    def sacrebleu_signature(self, references: int) -> str | None:
        return None


@cache
def averaged(metric: type[Metric]) -> type[Metric]:
    """The class of a metric's averages."""
    about = {"plain_class": metric, "__doc__": metric.__doc__, "__module__": metric.__module__}
    return type(f"Averaged{metric.__name__}", (Averaged, metric), about)


def _bare(metric: type[Metric]) -> Metric:
    """An average without its fields, which come next."""
    return object.__new__(averaged(metric))
