"""What metrics share whose score of a corpus is nothing but the mean over its segments."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay.metrics.base import BestReference, Metric, Rows, Scores, ratio
from assay.text.batch import Batch
from assay.text.recipe import Sequences


@dataclass(frozen=True, kw_only=True)
class SegmentMean(Metric):
    """A metric that scores each segment, and a corpus by the mean; what a score is made of is averaged, too."""

    is_average: ClassVar[bool] = True
    #: What is known of a segment: its score on 0 to 1 first, then parts of it.
    measured: ClassVar[tuple[str, ...]]
    #: Those parts that are shares, shown on 0 to 100 as the score.
    shares: ClassVar[tuple[str, ...]] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.measured, "segments")

    def score(self, rows: Rows) -> Scores:
        return 100.0 * ratio(rows[..., 0], rows[..., -1])

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        means = ratio(rows, rows[..., -1:])
        return {
            name: means[..., column] * (100.0 if name in self.shares else 1.0)
            for column, name in enumerate(self.measured)
            if column > 0
        }

    def rows(self, *measured: Scores) -> Rows:
        """Rows out of what was measured, in the order of ``measured``."""
        return np.column_stack([*measured, np.ones(len(measured[0]))])


@dataclass(frozen=True, kw_only=True)
class BestSegmentMean(SegmentMean, BestReference):
    """The same where each segment is held against the reference with the best score."""

    def count_each(self, batch: Batch) -> list[Rows]:
        return [self.against(batch, number, reference) for number, reference in enumerate(batch.references)]

    @abstractmethod
    def against(self, batch: Batch, number: int, reference: Sequences) -> Rows:
        """Rows against one reference, which is given by its number as well."""
