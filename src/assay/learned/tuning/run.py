"""One tuning: count once, search on all folds, and test where nothing was seen."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean, stdev
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.data.campaign import Campaign
from assay.errors import AssayWarning, InputError
from assay.learned.folds import Folds
from assay.learned.tuning.counted import Cells, CountedMetric, CountedTexts
from assay.learned.tuning.measures import Choice, Measure, SegmentMeasure, SystemMeasure
from assay.learned.tuning.parameters import chosen_tunables, counted_variants, named_tunables
from assay.learned.tuning.search import Curves, Fitted, NestedSearch, Point
from assay.metrics.base import Metric
from assay.people.levels import Resampling, document_labels
from assay.people.ratings import People
from assay.scoring.evaluate import Progress
from assay.significance.draws import Draws, estimate, number_or_none, recentred

_Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Task:
    """What is asked for, checked."""

    level: str
    statistic: str
    grouping: str | None
    resampling: Resampling
    threads: int | None
    progress: Progress | None

    def report(self, start: float, stop: float) -> Progress | None:
        """A report on one part of the work."""
        progress = self.progress
        return None if progress is None else lambda done: progress(start + done * (stop - start))


@dataclass(frozen=True, eq=False)
class Tuned:
    """What a tuning found: the metric that is fitted on everything, and what it is worth where it was not fitted."""

    metric: Metric
    #: How far it went from the present numbers towards the best ones, 0 to 1.
    share: float
    #: Rows as JSON holds them.
    results: _Rows = field(repr=False)
    parameters: _Rows = field(repr=False)
    chosen: _Rows = field(repr=False)
    folds: _Rows = field(repr=False)
    curves: _Rows = field(repr=False)
    #: How many segments of systems took part, how many points the statistic has, how many values of the parameters
    #: were tried, how often text was counted, and whether held-out values were counted anew.
    counts: Mapping[str, int | bool]


class Run:
    """One tuning: count, search, test."""

    def __init__(
        self, campaign: Campaign, people: People, metric: Metric, *, parameters: Sequence[str], folds: Folds, task: Task
    ) -> None:
        self.campaign, self.people, self.metric = campaign, people, metric
        self.folds, self.task = folds, task
        self.corpora = campaign.corpora()
        tunables = chosen_tunables(metric, parameters)
        #: Whether parameters steer what is counted, so that held-out values have to be counted anew.
        self.steers = any(one.changes == "alignment" for one in tunables)
        self.variants = counted_variants(tunables)
        self.times_counted = 0
        texts = list(self._texts())
        self.cells = self._cells(texts)
        self.counts = [
            one.of_cells(
                self.cells,
                [tunable for tunable in named_tunables(one.metric.tunables, parameters) if tunable.changes != "rows"],
            )
            for one in texts
        ]
        self.measure = self._measure()
        self._require_value()
        self.search = NestedSearch(self.measure, self.counts, task.resampling.seed, task.report(0.2, 0.8))

    def _texts(self) -> Iterator[CountedTexts]:
        share = 0.2 / len(self.variants)
        for number, values in enumerate(self.variants):
            report = self.task.report(number * share, (number + 1) * share)
            yield self._count(self.metric.tuned(values) if number else self.metric, report)

    def _count(self, metric: Metric, progress: Progress | None = None) -> CountedTexts:
        self.times_counted += 1
        return CountedTexts(metric, self.corpora, self.people.judged, threads=self.task.threads, progress=progress)

    def _cells(self, texts: Sequence[CountedTexts]) -> Cells:
        there = np.logical_and.reduce([one.finite for one in texts])
        scores = self.people.segment_scores()
        judged = self.people.judged
        if self.task.level == "segment":
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
        task = self.task
        about = self.cells, self.folds, self.counts[0]
        if task.level == "system":
            return SystemMeasure(*about, people=self.people, statistic=task.statistic)
        human = self.people.segment_scores()
        return SegmentMeasure(*about, human=human, statistic=task.statistic, grouping=task.grouping or "none")  # type: ignore[arg-type]

    def _require_value(self) -> None:
        """Refuse what nothing can be fitted to: all judgements, or all scores, alike."""
        if np.isfinite(self.measure.value(self.measure.default)):
            return
        judged = self.people.contributions()[self.people.judged]
        what = (
            "all judgements are the same"
            if np.ptp(judged[np.isfinite(judged)]) == 0.0
            else f"{self.metric} gives everything the same score, or too little was judged"
        )
        raise InputError(
            f"{self.campaign.name}: {self.task.statistic} at the {self.task.level} level has no value, for {what}. "
            "There is nothing to tune to."
        )

    def tuned(self, *, curves: bool) -> Tuned:
        """Search and test."""
        by_fold, final = self.search.run()
        # Curves try further values.
        tried = self.search.tried
        choices = self._choices(by_fold)
        metric = self._named(final.point)
        results = list(self._results(metric, self._fitted_value(final), choices))
        drawn = Curves(self.search, self.variants, by_fold)
        return Tuned(
            metric=metric,
            share=final.share,
            results=results,
            parameters=list(self._parameters(by_fold, final)),
            chosen=[
                {"fold": fold, "parameter": name, "value": self._values(one.point).get(name)}
                for fold, one in by_fold.items()
                for name in self._log
            ],
            folds=list(self._folds(by_fold, choices)),
            curves=drawn.rows(final, self.task.report(0.85, 1.0)) if curves else [],
            counts={
                "cells": len(self.cells),
                "points": len(self.cells) if self.task.level == "segment" else len(self.people.systems),
                "tried": tried,
                "counted": self.times_counted,
                "recounted": self.steers,
            },
        )

    def _results(self, metric: Metric, fitted: float, choices: dict[int, Choice]) -> Iterator[dict[str, Any]]:
        """The statistic on held-out folds, its interval, and what it is where the metric was fitted, which flatters."""
        draws = self._draws()
        default, tuned = (
            self._around(one) for one in (self.measure.untuned(draws), self.measure.pooled(choices, draws))
        )
        before, units = self.measure.value(self.measure.default), self._units(draws)
        task = {"level": self.task.level, "statistic": self.task.statistic, "grouping": self.task.grouping}
        for which, name, values, flattered in (
            ("default", str(self.metric), default, before),
            ("tuned", str(metric), tuned, fitted),
            ("difference", None, tuned - default, fitted - before),
        ):
            # The first value is of the data as they are, the others are of draws.
            value = estimate(values, units=units).row() | {"where_fitted": flattered}
            yield {"which": which, "metric": name, **task, **value}

    def _draws(self) -> Draws:
        labels = document_labels(self.campaign.documents)
        return self.task.resampling.draws(self.people, self.task.level, labels)

    def _around(self, values: Array) -> Array:
        """Draws around the first value: of few segments drawn anew systems' means agree worse, by the same for all."""
        if self.task.level == "segment" or self.folds.group == "system" or len(values) == 1:
            return values
        return recentred(values, scale="plain")

    def _units(self, draws: Draws) -> int | None:
        """How many segments, or systems, are drawn from: intervals are widened where they are few."""
        if self.task.level == "segment":
            return draws.units
        return len(self.people.systems) if self.folds.group == "system" else None

    def _choices(self, by_fold: dict[int, Fitted]) -> dict[int, Choice]:
        """The metrics of the folds; counted anew where their numbers steer what is counted."""
        if not self.steers:
            return self.search.choices(by_fold)
        anew = {one.point: self._counted_anew(one.point) for one in dict.fromkeys(by_fold.values())}
        return {
            fold: Choice(self.measure.trial(anew[one.point], anew[one.point].metric), frozenset([fold]))
            for fold, one in by_fold.items()
        }

    def _counted_anew(self, point: Point) -> CountedMetric:
        """The real metric at a point."""
        if not any(point.steps):
            return self.counts[point.count]
        return self._count(self.search.metric(point)).of_cells(self.cells)

    def _fitted_value(self, final: Fitted) -> float:
        """What the metric is worth on everything that it was fitted to."""
        if not self.steers:
            return self.search.value(final.point)
        anew = self._counted_anew(final.point)
        return self.measure.value(self.measure.trial(anew, anew.metric))

    def _named(self, point: Point) -> Metric:
        """The metric at a point, as somebody would type it."""
        found = self.metric.tuned(self.variants[point.count] if point.count else {})
        return found.tuned(self.counts[point.count].grid.values(point.steps)) if any(point.steps) else found

    def _values(self, point: Point) -> dict[str, float]:
        return self.variants[point.count] | self.counts[point.count].grid.values(point.steps)

    @property
    def _log(self) -> dict[str, bool]:
        """The parameters, and whether each is looked for in ratios."""
        found = {one.name: one.tunable.log for counted in self.counts for one in counted.grid.ranges}
        return found | {name: found.get(name, False) for name in self.variants[0]}

    def _parameters(self, by_fold: dict[int, Fitted], final: Fitted) -> Iterator[dict[str, Any]]:
        """Each parameter before, after, and over folds; None where it does not apply."""
        every = [Point(0, self.counts[0].grid.origin), final.point, *(one.point for one in by_fold.values())]
        values = [self._values(point) for point in every]
        for name, log in self._log.items():
            default, tuned, *by = (found.get(name) for found in values)
            chosen = [value for value in by if value is not None]
            yield {
                "parameter": name,
                "default": default,
                "tuned": tuned,
                "mean": mean(chosen) if chosen else None,
                "sd": stdev(chosen) if len(chosen) > 1 else None,
                "lowest": min(chosen, default=None),
                "highest": max(chosen, default=None),
                "log": log,
            }

    def _folds(self, by_fold: dict[int, Fitted], choices: dict[int, Choice]) -> Iterator[dict[str, Any]]:
        """The metric that was chosen without each fold, and what it is worth in training and on the fold."""
        for fold, one in by_fold.items():
            alone, others = frozenset([fold]), self.measure.every - {fold}
            trial, default = choices[fold].trial, self.measure.default
            yield {
                "fold": fold,
                "metric": str(self._named(one.point)),
                "share": one.share,
                "points": int((self.measure.fold == fold).sum()),
                "training_default": number_or_none(self.measure.value(default, alone)),
                "training": number_or_none(self.measure.value(trial, alone)),
                "held_out_default": number_or_none(self.measure.value(default, others)),
                "held_out": number_or_none(self.measure.value(trial, others)),
            }
