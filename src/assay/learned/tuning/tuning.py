"""One tuning: count once, search on all folds, and test where nothing was seen."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from statistics import mean, stdev
from typing import Any

import numpy as np

from assay.arrays import Flags
from assay.data.campaign import Campaign
from assay.errors import AssayWarning, InputError
from assay.learned.folds import Folds
from assay.learned.tuning.measures import CountedMetric, Measure, SegmentMeasure, SystemMeasure, Trial
from assay.learned.tuning.parameters import ParameterGrid, chosen_tunables, counted_variants, named_tunables
from assay.learned.tuning.search import NestedSearch, Point
from assay.metrics.base import Metric
from assay.metrics.tunable import Candidates
from assay.people.ratings import People
from assay.people.statistics.base import Grouping
from assay.scoring.candidates import evaluate_candidates
from assay.scoring.evaluate import Progress
from assay.significance.draws import Draws, estimate, number_or_none, recentred

_Row = dict[str, Any]
_Systems = dict[str, Candidates]
#: Makes a report on one part of the work, from a share of the whole to another.
_Part = Callable[[float, float], Progress | None]


class Tuning:
    """A metric whose numbers were searched on all folds; its methods give rows as JSON holds them."""

    def __init__(
        self,
        campaign: Campaign,
        people: People,
        metric: Metric,
        folds: Folds,
        *,
        parameters: Sequence[str],
        level: str,
        statistic: str,
        grouping: Grouping | None,
        seed: int,
        threads: int | None,
        part: _Part,
    ) -> None:
        self.campaign, self.people, self.metric, self.folds = campaign, people, metric, folds
        self.level, self.statistic, self.grouping = level, statistic, grouping
        self.part, self._threads, self._corpora = part, threads, campaign.corpora()
        tunables = chosen_tunables(metric, parameters)
        #: Whether parameters steer what is counted, so that held-out values have to be counted anew.
        self.steers = any(one.changes == "alignment" for one in tunables)
        #: What changes rows, in all its values; the text was counted for each, and for what is counted anew.
        self.variants, self.times_counted = counted_variants(tunables), 0
        counted = list(self._count_variants())
        self.cells = self._cells([systems for _, systems in counted])
        self.counts = []
        for fitted, systems in counted:
            own = named_tunables(fitted.tunables, parameters)
            grid = ParameterGrid(one for one in own if one.changes != "rows")
            self.counts.append(CountedMetric.of(fitted, systems.values(), self.cells, grid))
        self.measure = self._measure()
        self._require_value()
        self.search = NestedSearch(self.measure, self.counts, seed)
        #: What was chosen without each fold, and on everything.
        self.by_fold, self.final = self.search.run(part(0.2, 0.8))
        #: How many values of the parameters were tried; curves try further ones.
        self.tried = self.search.tried
        # Counted anew where their numbers steer what is counted.
        self._trials = {point: self._trial(point) for point, _ in (*self.by_fold.values(), self.final)}
        #: The metric that is fitted on everything.
        self.tuned = self._named(self.final.point)

    def _count_variants(self) -> Iterator[tuple[Metric, _Systems]]:
        share = 0.2 / len(self.variants)
        for number, values in enumerate(self.variants):
            progress = self.part(number * share, (number + 1) * share)
            yield self._count(self.metric.tuned(values) if number else self.metric, progress)

    def _count(self, metric: Metric, progress: Progress | None = None) -> tuple[Metric, _Systems]:
        self.times_counted += 1
        return evaluate_candidates(metric, self._corpora, threads=self._threads, progress=progress)

    def _cells(self, counted: Sequence[_Systems]) -> Flags:
        """Which segments of which systems take part: judged, and with a row in every count."""
        there, judged = np.ones_like(self.people.judged), self.people.judged
        for systems in counted:
            there &= np.stack([np.isfinite(one.rows).all(axis=(0, 2)) for one in systems.values()])
        if self.level == "segment":
            judged = judged & np.isfinite(self.people.segment_scores())
        lost = int((judged & ~there).sum())
        if lost:
            warnings.warn(
                f"{self.metric} has no score for {lost:,} of {int(judged.sum()):,} judged segments; they are left out.",
                AssayWarning,
                stacklevel=4,
            )
        if not (judged & there).any():
            raise InputError(f"{self.campaign.name}: {self.metric} has no score for any judged segment.")
        return judged & there

    def _measure(self) -> Measure:
        about = self.cells, self.folds, self.counts[0]
        if self.level == "system":
            return SystemMeasure(*about, people=self.people, statistic=self.statistic)
        human = self.people.segment_scores()
        return SegmentMeasure(*about, human=human, statistic=self.statistic, grouping=self.grouping or "none")

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
            f"{self.campaign.name}: {self.statistic} at the {self.level} level has no value, for {what}. "
            "There is nothing to tune to."
        )

    def _trial(self, point: Point) -> Trial:
        """The real metric at a point."""
        if not self.steers or not any(point.steps):
            return self.search.trial(point)
        fitted, systems = self._count(self.search.metric(point))
        return self.measure.trial(CountedMetric.of(fitted, systems.values(), self.cells, ParameterGrid(())), fitted)

    def _named(self, point: Point) -> Metric:
        """The metric at a point, as somebody would type it."""
        found = self.metric.tuned(self.variants[point.count] if point.count else {})
        return found.tuned(self.counts[point.count].grid.values(point.steps)) if any(point.steps) else found

    def results(self, draws: Draws) -> Iterator[_Row]:
        """The statistic on held-out folds, its interval, and what it is where the metric was fitted, which flatters."""
        measure, of_systems = self.measure, self.folds.group == "system"
        chosen = {fold: self._trials[one.point] for fold, one in self.by_fold.items()}
        default, tuned = (measure.pooled(one, draws) for one in (dict.fromkeys(chosen, measure.default), chosen))
        # How many segments, or systems, are drawn from: intervals are widened where they are few.
        units = draws.units if self.level == "segment" else len(self.people.systems) if of_systems else None
        if self.level == "system" and not of_systems and len(default) > 1:
            # Of few segments drawn anew systems' means agree worse, by the same for all.
            default, tuned = (recentred(values, scale="plain") for values in (default, tuned))
        before, fitted = (measure.value(one) for one in (measure.default, self._trials[self.final.point]))
        task = {"level": self.level, "statistic": self.statistic, "grouping": self.grouping}
        for which, name, values, flattered in (
            ("default", str(self.metric), default, before),
            ("tuned", str(self.tuned), tuned, fitted),
            ("difference", None, tuned - default, fitted - before),
        ):
            # The first value is of the data as they are, the others are of draws.
            value = estimate(values, units=units).row() | {"where_fitted": flattered}
            yield {"which": which, "metric": name, **task, **value}

    def _values(self, point: Point) -> dict[str, float]:
        return self.variants[point.count] | self.counts[point.count].grid.values(point.steps)

    @property
    def _log(self) -> dict[str, bool]:
        """The parameters, and whether each is looked for in ratios."""
        found = {one.name: one.log for counted in self.counts for one in counted.grid.ranges}
        return found | {name: found.get(name, False) for name in self.variants[0]}

    def parameters(self) -> Iterator[_Row]:
        """Each parameter before, after, and over folds; None where it does not apply."""
        origin = Point(0, self.counts[0].grid.origin)
        values = [
            self._values(point) for point in (origin, self.final.point, *(one.point for one in self.by_fold.values()))
        ]
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

    def chosen(self) -> Iterator[_Row]:
        """The numbers that were chosen without each fold."""
        for fold, one in self.by_fold.items():
            values = self._values(one.point)
            yield from ({"fold": fold, "parameter": name, "value": values.get(name)} for name in self._log)

    def by_folds(self) -> Iterator[_Row]:
        """The metric that was chosen without each fold, and what it is worth in training and on the fold."""
        for fold, one in self.by_fold.items():
            row = {"fold": fold, "metric": str(self._named(one.point)), "share": one.share}
            row |= {"points": int((self.measure.fold == fold).sum())}
            for name, excluded in (("training", frozenset([fold])), ("held_out", self.measure.every - {fold})):
                for suffix, trial in (("_default", self.measure.default), ("", self._trials[one.point])):
                    row[name + suffix] = number_or_none(self.measure.value(trial, excluded))
            yield row

    def curves(self) -> Iterator[_Row]:
        """The statistic over each parameter, the others as each fold chose them: in training and on held-out folds."""
        search, final, progress = self.search, self.final.point, self.part(0.85, 1.0)
        for place in range(len(final.steps)):
            yield from search.curve(place, self.by_fold, final)
            if progress is not None:
                progress((place + 1) / (len(final.steps) + len(self.variants[0])))
        for name in self.variants[0]:
            # It changes rows: for each of its values the best that was found beside it without the fold.
            for value in sorted({values[name] for values in self.variants}):
                points = {}
                for fold, one in self.by_fold.items():
                    count = self.variants.index({**self.variants[one.point.count], name: value})
                    points[fold] = search.best_of_counts(frozenset([fold]))[count][0]
                yield {"parameter": name, "value": value, **search.means(points)}
