"""The rows of a metric on all that people judged, counted once, and scored under any value of its formula's numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.arrays import Codes, Flags
from assay.data.corpus import Corpus
from assay.learned.tuning.parameters import ParameterGrid, Steps
from assay.metrics.base import Metric, Rows, Scores
from assay.metrics.tunable import Candidates, Tunable
from assay.scoring.candidates import chosen_rows, chosen_scores, evaluate_candidates
from assay.scoring.evaluate import Progress


@dataclass(frozen=True, eq=False)
class Cells:
    """The segments of systems that take part, one after the other: judged, and with a row."""

    system: Codes = field(repr=False)
    segment: Codes = field(repr=False)
    #: Systems by segments.
    shape: tuple[int, int]

    def __len__(self) -> int:
        return len(self.system)

    @classmethod
    def where(cls, flags: Flags) -> Cells:
        """Those of a table of systems by segments."""
        system, segment = np.nonzero(flags)
        return cls(system, segment, (flags.shape[0], flags.shape[1]))

    def grid(self, values: Scores) -> Scores:
        """Values of cells as systems by segments, NaN elsewhere."""
        table = np.full(self.shape, np.nan)
        table[self.system, self.segment] = values
        return table


@dataclass(frozen=True, eq=False)
class CountedMetric:
    """One count of the text: the metric as it was counted, and the grid of what can change without counting anew."""

    metric: Metric
    grid: ParameterGrid
    candidates: Candidates = field(repr=False)

    def at(self, steps: Steps) -> Metric:
        """The metric at a point of the grid."""
        return self.metric.tuned(self.grid.values(steps)) if any(steps) else self.metric

    def scores(self, metric: Metric) -> Scores:
        """Scores of the cells; higher is better, whatever they were before."""
        scores = chosen_scores(metric, self.candidates)
        return scores if metric.higher_is_better else -scores

    def rows(self, metric: Metric) -> Rows:
        """Rows of the cells."""
        return chosen_rows(metric, self.candidates)


class CountedTexts:
    """The candidates of all systems under one metric, before it is decided which cells take part."""

    def __init__(
        self,
        metric: Metric,
        corpora: Mapping[str, Corpus],
        judged: Flags,
        *,
        threads: int | None,
        progress: Progress | None = None,
    ) -> None:
        self.metric, found = evaluate_candidates(metric, corpora, threads=threads, progress=progress)
        self._systems = list(found.values())
        self.finite = judged & np.stack([np.isfinite(one.rows).all(axis=(0, 2)) for one in self._systems])

    def of_cells(self, cells: Cells, tunables: Sequence[Tunable] = ()) -> CountedMetric:
        """The rows of these cells, to be scored at any value of these numbers."""
        width = max(len(one.rows) for one in self._systems)
        rows, present = [], []
        for number, one in enumerate(self._systems):
            here = cells.segment[cells.system == number]
            missing = width - len(one.rows)
            rows.append(np.pad(one.rows[:, here], ((0, missing), (0, 0), (0, 0)), mode="edge"))
            present.append(np.pad(one.present[:, here], ((0, missing), (0, 0))))
        # Formulas go through columns: each in one piece is twice as fast.
        columns = np.ascontiguousarray(np.moveaxis(np.concatenate(rows, axis=1), -1, 0))
        joined = Candidates(np.moveaxis(columns, 0, -1), np.concatenate(present, axis=1))
        return CountedMetric(self.metric, ParameterGrid.of(tunables), joined)
