"""One tuning: count once, search on all folds, and test where nothing was seen."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assay.data.campaign import Campaign
from assay.data.corpus import Corpus
from assay.errors import AssayWarning, InputError
from assay.learned.tuning.board import Board, Cells, Counted
from assay.learned.tuning.curves import curves_of
from assay.learned.tuning.folds import Folds
from assay.learned.tuning.measures import (
    Array,
    Choice,
    Measure,
    SegmentMeasure,
    SystemMeasure,
)
from assay.learned.tuning.nested import Fitted, Nest, Point
from assay.learned.tuning.result import FittedNumber, FoldResult, Tuning, TuningSetup, Worth
from assay.learned.tuning.wanted import counted_variants, moving
from assay.meta.benches import Measured, document_labels, units_of
from assay.meta.drawing import Drawing
from assay.meta.people import People
from assay.meta.request import Request
from assay.meta.result import interval_of, number_or_none
from assay.meta.statistics.draws import Draws
from assay.meta.usage import Usage
from assay.metrics.base import Metric
from assay.metrics.tunable import Tunable
from assay.scoring.evaluate import Progress


@dataclass(frozen=True)
class Task:
    """What is asked for, checked."""

    level: str
    statistic: str
    grouping: str | None
    request: Request
    threads: int | None
    progress: Progress | None

    def report(self, start: float, stop: float) -> Progress | None:
        """A report on one part of the work."""
        progress = self.progress
        return None if progress is None else lambda done: progress(start + done * (stop - start))


class Run:
    """One tuning: count, search, test."""

    def __init__(
        self,
        campaign: Campaign,
        people: People,
        *,
        metric: Metric,
        wanted: Sequence[Tunable],
        names: Sequence[str],
        folds: Folds,
        task: Task,
    ) -> None:
        self.campaign, self.people, self.metric, self.wanted = campaign, people, metric, wanted
        self.folds, self.task = folds, task
        self.corpora: dict[str, Corpus] = campaign.corpora()
        self.variants = counted_variants(wanted)
        self.counts = 0
        counted = list(self._counted())
        self.cells = self._cells(counted)
        self.boards = [one.board(self.cells, moving(one.metric, names)) for one in counted]
        self.measure = self._measure()
        self._require_value()
        self.nest = Nest(self.measure, self.boards, task.request.seed, task.report(0.2, 0.8))

    def _counted(self) -> Iterator[Counted]:
        share = 0.2 / len(self.variants)
        for number, values in enumerate(self.variants):
            report = self.task.report(number * share, (number + 1) * share)
            yield self._count(self.metric.tuned(values) if number else self.metric, report)

    def _count(self, metric: Metric, progress: Progress | None = None) -> Counted:
        self.counts += 1
        return Counted(metric, self.corpora, self.people.judged, threads=self.task.threads, progress=progress)

    def _cells(self, counted: Sequence[Counted]) -> Cells:
        there = np.logical_and.reduce([one.finite for one in counted])
        scores = self.people.segment_scores()
        judged = self.people.judged
        if self.task.level == "segment" and scores is not None:
            judged = judged & np.isfinite(scores)
        lost = int((judged & ~there).sum())
        if lost:
            warnings.warn(
                f"{self.metric} has no score for {lost:,} of {int(judged.sum()):,} judged segments; they are left out.",
                AssayWarning,
                stacklevel=4,
            )
        cells = Cells.where(judged & there)
        if not len(cells):
            raise InputError(f"{self.campaign.name}: {self.metric} has no score for any judged segment.")
        return cells

    def _measure(self) -> Measure:
        board, task = self.boards[0], self.task
        if task.level == "system":
            return SystemMeasure(self.cells, self.folds, board, people=self.people, statistic=task.statistic)
        human = self.people.segment_scores()
        if human is None or task.grouping is None:
            raise TypeError(task.level)
        return SegmentMeasure(
            self.cells, self.folds, board,
            human=human, statistic=task.statistic, grouping=task.grouping,  # type: ignore[arg-type]
        )  # fmt: skip

    def _require_value(self) -> None:
        """Refuse what nothing can be fitted to: all judgements, or all scores, alike."""
        if np.isfinite(self.measure.value(self.measure.default)):
            return
        judged = self.people.contributions()[self.people.judged]
        what = (
            "all judgements are the same"
            if np.ptp(judged[np.isfinite(judged)]) == 0.0
            else (f"{self.metric} gives everything the same score, or too little was judged")
        )
        raise InputError(
            f"{self.campaign.name}: {self.task.statistic} at the {self.task.level} level has no value, for {what}. "
            "There is nothing to tune to."
        )

    def result(self, normalise: str, usage: Usage, *, curves: bool) -> Tuning:
        """Search and test."""
        by_fold, final = self.nest.run()
        tried = self.nest.tried
        choices = self._choices(by_fold)
        draws = self._draws()
        default, tuned = (
            self._around(one) for one in (self.measure.untuned(draws), self.measure.pooled(choices, draws))
        )
        fitted = self._fitted_value(final)
        before = self.measure.value(self.measure.default)
        units = self._units(draws)
        named = self._named(final.point)
        report = self.task.report(0.85, 1.0)
        found = curves_of(self.nest, by_fold, final, self.variants, self.wanted, progress=report) if curves else ()
        return Tuning(
            campaign=self.campaign.name,
            setup=self._setup(normalise, tried),
            usage=usage,
            default_metric=self.metric,
            metric=named,
            default=_worth(default, before, units),
            tuned=_worth(tuned, fitted, units),
            difference=_worth(tuned - default, fitted - before, units),
            share=final.share,
            parameters=tuple(self._numbers(by_fold, final)),
            folds=tuple(self._folds(by_fold, choices)),
            curves=found,
            recounted=self._steers,
            signatures={str(one): self._signature(one) for one in dict.fromkeys((self.metric, named))},
        )

    def _around(self, values: Array) -> Array:
        """Draws around the first value: of few segments drawn anew systems' means agree worse, by the same for all."""
        if self.task.level == "segment" or self.folds.group == "system" or len(values) == 1:
            return values
        return np.concatenate([values[:1], np.minimum(values[1:] + (values[0] - np.nanmedian(values[1:])), 1.0)])

    def _units(self, draws: Draws) -> int | None:
        """How many segments, or systems, are drawn from: intervals are widened where they are few."""
        if self.task.level == "segment":
            return units_of(draws)
        return len(self.people.systems) if self.folds.group == "system" else None

    @property
    def _steers(self) -> bool:
        return any(one.changes == "alignment" for one in self.wanted)

    def _choices(self, by_fold: dict[int, Fitted]) -> dict[int, Choice]:
        """The metrics of the folds; counted anew where their numbers steer what is counted."""
        choices = self.nest.choices(by_fold)
        if not self._steers:
            return choices
        boards = {one.point: self._counted_anew(one.point) for one in dict.fromkeys(by_fold.values())}
        return {
            fold: Choice(self.measure.trial(boards[one.point], boards[one.point].metric), frozenset([fold]))
            for fold, one in by_fold.items()
        }

    def _counted_anew(self, point: Point) -> Board:
        """The real metric at a point."""
        if not any(point.steps):
            return self.boards[point.board]
        return self._count(self.nest.metric(point)).board(self.cells, ())

    def _fitted_value(self, final: Fitted) -> float:
        """What the metric is worth on everything that it was fitted to."""
        if not self._steers:
            return self.nest.value(final.point)
        board = self._counted_anew(final.point)
        return self.measure.value(self.measure.trial(board, board.metric))

    def _draws(self) -> Draws:
        labels = document_labels(self.campaign.documents)
        return Drawing(self.people, labels, self.task.request).of_segments(self.task.level)

    def _named(self, point: Point) -> Metric:
        """The metric at a point, as somebody would type it."""
        values = self.variants[point.board] if point.board else {}
        return self.metric.tuned(values).tuned(self._values(point)) if any(point.steps) else self.metric.tuned(values)

    def _values(self, point: Point) -> dict[str, float]:
        return self.boards[point.board].lattice.values(point.steps)

    def _numbers(self, by_fold: dict[int, Fitted], final: Fitted) -> Iterator[FittedNumber]:
        every = [Point(0, self.boards[0].lattice.origin), final.point, *(one.point for one in by_fold.values())]
        values = [self.variants[point.board] | self._values(point) for point in every]
        log = {axis.name: axis.tunable.log for board in self.boards for axis in board.lattice.axes}
        for name in [*log, *self.variants[0]]:
            default, tuned, *chosen = (found.get(name) for found in values)
            yield FittedNumber(name, default, tuned, tuple(chosen), log.get(name, False))

    def _folds(self, by_fold: dict[int, Fitted], choices: dict[int, Choice]) -> Iterator[FoldResult]:
        for fold, one in by_fold.items():
            alone, others = frozenset([fold]), self.measure.every - {fold}
            trial, default = choices[fold].trial, self.measure.default
            yield FoldResult(
                fold=fold,
                metric=str(self._named(one.point)),
                share=one.share,
                points=int((self.measure.fold == fold).sum()),
                training_default=number_or_none(self.measure.value(default, alone)),
                training=number_or_none(self.measure.value(trial, alone)),
                held_out_default=number_or_none(self.measure.value(default, others)),
                held_out=number_or_none(self.measure.value(trial, others)),
            )

    def _signature(self, metric: Metric) -> str:
        from assay.scoring.signature import Provenance

        corpus = next(iter(self.corpora.values()))
        seen = corpus if metric.sees_targeted else corpus.untargeted
        return Provenance.of(seen.translations, seen.references).signature(metric)

    def _setup(self, normalise: str, tried: int) -> TuningSetup:
        return TuningSetup(
            kind=self.people.kind,
            normalise=normalise,
            level=self.task.level,
            statistic=self.task.statistic,
            grouping=self.task.grouping,
            folds=self.folds.count,
            group=self.folds.group,
            samples=self.task.request.samples,
            seed=self.task.request.seed,
            systems=self.people.systems,
            cells=len(self.cells),
            points=len(self.cells) if self.task.level == "segment" else len(self.people.systems),
            tried=tried,
            counted=self.counts,
        )


def _worth(values: Array, fitted: float, units: int | None) -> Worth:
    """The first value is of the data as they are, the others are of draws."""
    measured = Measured(float(values[0]), values[1:], 0, units=units)
    return Worth(measured.value, interval_of(measured), fitted)
