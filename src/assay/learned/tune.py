"""``assay.tune``: a metric's numbers fitted to judgements, and what that is worth on segments that it has not seen."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from assay.data.campaign import Campaign
from assay.data.corpus import Corpus
from assay.data.reading import read
from assay.errors import AssayWarning, InputError, UnknownName
from assay.learned.tuning.board import Board, Cells, Counted
from assay.learned.tuning.curves import curves_of
from assay.learned.tuning.folds import GROUPS, Folds, folds_of
from assay.learned.tuning.measures import (
    FEWEST_SYSTEMS,
    LEVELS,
    STATISTICS,
    Array,
    Choice,
    Measure,
    SegmentMeasure,
    SystemMeasure,
)
from assay.learned.tuning.nested import Fitted, Nest, Point
from assay.learned.tuning.result import FittedNumber, FoldResult, Tuning, TuningSetup, Worth
from assay.learned.tuning.wanted import counted_variants, moving, wanted_tunables
from assay.meta.benches import Measured, document_labels, units_of
from assay.meta.choosing import people_of, usage_at
from assay.meta.drawing import Drawing
from assay.meta.people import People
from assay.meta.post_edits import HTER, with_hter
from assay.meta.request import GROUPINGS, Names, Request, listed
from assay.meta.result import interval_of, number_or_none
from assay.meta.statistics.draws import Draws
from assay.meta.usage import Usage
from assay.metrics.base import Metric
from assay.metrics.registry import metric as named_metric
from assay.metrics.tunable import Tunable
from assay.scoring.evaluate import Progress


def tune(
    campaign: Campaign | str | Path,
    metric: str | Metric,
    *,
    parameters: Names = None,
    kind: Names = None,
    level: str = "segment",
    statistic: str = "pearson",
    grouping: str | None = None,
    folds: int = 10,
    group: str = "segment",
    normalise: str = "none",
    ranking: str = "wins",
    references: Names = None,
    systems: Names = None,
    targeted: Names = None,
    missing: float | None = None,
    lower_is_better: bool = False,
    samples: int = 1000,
    seed: int = 1,
    curves: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Tuning:
    """Fit a metric's parameters to the judgements of one kind, and test them by nested cross-validation.

    Without ``parameters`` those of the formula alone are tuned. ``group`` says what is held out as a whole: segments,
    documents or systems. ``grouping`` is that of ``meta_evaluate``, at the segment level: all together (``none``), or
    the systems within each segment (``item``), which is how ``accuracy`` goes. The value of the untuned metric is that
    of ``meta_evaluate``. ``curves=False`` leaves out what the figure needs.
    """
    given = named_metric(metric) if isinstance(metric, str) else metric
    wanted = wanted_tunables(given, listed(parameters))
    for what, name, known in (
        ("level", level, LEVELS), ("statistic", statistic, STATISTICS),
        ("group", group, GROUPS), ("grouping", grouping or "none", GROUPINGS),
    ):  # fmt: skip
        if name not in known:
            raise UnknownName.of(f"{what} to tune at" if what == "level" else what, name, known)
    request = Request(
        levels=(level,), samples=samples, seed=seed, resample="segments",
        unit="document" if group == "document" else "segment",
    )  # fmt: skip
    if isinstance(campaign, (str, Path)):
        campaign = read(campaign)
    if not isinstance(campaign, Campaign):
        raise InputError(f"assay.tune takes a campaign or its path, not a {type(campaign).__name__}.")
    campaign = campaign.choose(systems=systems, references=references, targeted=targeted)
    kinds = listed(kind) or None
    if HTER in (kinds or ()):
        campaign = with_hter(campaign, threads=threads)
    people, usage = people_of(
        campaign, kind=kinds, method=normalise, ranking=ranking, missing=missing,
        lower_is_better=lower_is_better, seed=seed,
    )  # fmt: skip
    campaign = replace(campaign, systems={name: campaign.systems[name] for name in people.systems})
    if given.sees_targeted:
        campaign.require_targeted(given.name)
    usual = "item" if statistic == "accuracy" else "none"
    task = _Task(level, statistic, None if level == "system" else grouping or usual, request, threads, progress)
    _require_points(campaign, people, task)
    shared_out = folds_of(campaign, people, group, folds, seed)  # type: ignore[arg-type]
    run = _Run(campaign, people, metric=given, wanted=wanted, names=listed(parameters), folds=shared_out, task=task)
    return run.result(normalise, usage_at(level, people, usage), curves=curves)


@dataclass(frozen=True)
class _Task:
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


def _require_points(campaign: Campaign, people: People, task: _Task) -> None:
    """Refuse levels at which there is nothing to follow."""
    count = len(people.systems)
    if task.level == "system":
        if count < FEWEST_SYSTEMS:
            raise InputError(
                f"The system level takes {FEWEST_SYSTEMS} judged systems, and {campaign.name} has {count}. "
                "Take --level segment."
            )
        return
    scores = people.segment_scores()
    if scores is None or not np.isfinite(scores).any():
        raise InputError(
            f"{campaign.name}: these judgements have no scores of single segments (they are ranks, or of whole "
            "documents or systems). Take --level system."
        )
    if task.grouping == "item" and count < 2:
        raise InputError(
            f"{task.statistic} within segments compares systems, and {campaign.name} has one that was judged. "
            "Take pearson, spearman or kendall with --grouping none."
        )


class _Run:
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
        task: _Task,
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
        choices = self._choices(by_fold)
        draws = self._draws()
        default, tuned = self.measure.untuned(draws), self.measure.pooled(choices, draws)
        fitted = self._fitted_value(final)
        before = self.measure.value(self.measure.default)
        units = units_of(draws) if self.task.level == "segment" else None
        named = self._named(final.point)
        report = self.task.report(0.85, 1.0)
        found = curves_of(self.nest, by_fold, final, self.variants, self.wanted, progress=report) if curves else ()
        return Tuning(
            campaign=self.campaign.name,
            setup=self._setup(normalise),
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

    def _setup(self, normalise: str) -> TuningSetup:
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
            tried=self.nest.tried,
            counted=self.counts,
        )


def _worth(values: Array, fitted: float, units: int | None) -> Worth:
    """The first value is of the data as they are, the others are of draws."""
    measured = Measured(float(values[0]), values[1:], 0, units=units)
    return Worth(measured.value, interval_of(measured), fitted)
