"""``assay tune``: a metric's numbers fitted to judgements, and what that is worth where they were not fitted."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, replace
from pathlib import Path
from statistics import mean, stdev
from typing import Any, ClassVar, Literal

import numpy as np

from assay.arrays import Array, Flags
from assay.data.campaign import Campaign
from assay.errors import AssayError, AssayWarning, InputError, ParameterError, counted, shown
from assay.learned import pictures
from assay.learned.folds import USUAL_FOLDS, Folds, Group, judged_folds, require_folds
from assay.learned.tuning.measures import Measure, SegmentMeasure, SystemMeasure, Trial
from assay.learned.tuning.search import (
    CountedMetric,
    NestedSearch,
    ParameterGrid,
    Point,
    chosen_tunables,
    counted_variants,
    named_tunables,
)
from assay.metrics.base import Metric
from assay.metrics.registry import metric as named_metric
from assay.metrics.tunable import Candidates
from assay.people.levels import FEWEST_SYSTEMS, Resampling
from assay.people.ratings import People, Ratings
from assay.people.statistics.base import Grouping
from assay.people.usage import Usage, adjustment, usage_at
from assay.questions.asked import Asked, Judged, require_other, with_test
from assay.questions.base import SCORED, SEGMENTS, Campaigns, option, test_kind_option, test_on_option
from assay.results.figure import Figure, Figures
from assay.results.rendering import bracketed
from assay.results.result import Column, Result, Table, View
from assay.scoring.candidates import candidates_of, evaluate_candidates
from assay.scoring.evaluate import Progress
from assay.scoring.statistics import units_of
from assay.significance.draws import Draws, number_or_none, recentred

_Row = dict[str, Any]
_Systems = dict[str, Candidates]

_GROUPED = {None: "", "none": "", "item": ", systems within segments", "system": ", segments within systems"}

_VALUE_COLUMNS = (
    Column("value", "held out", ".4f"),
    Column("low", "95 % interval", ".4f", high="high"),
    Column("where_fitted", "where fitted (flatters)", ".4f"),
)
_PARAMETER_COLUMNS = (
    Column("default", None, ".4g"),
    Column("tuned", None, ".4g"),
    Column("mean", "mean of folds", ".4g"),
    Column("sd", None, ".4g"),
    Column("lowest", "range", ".4g", high="highest"),
)


def _one_metric(given: Any) -> Metric:
    """The metric of that spelling; a campaign in its place is told from it."""
    if isinstance(given, Metric):
        return given
    if not isinstance(given, (str, Path)):
        raise TypeError(f"{shown(given)} is no metric.")
    try:
        return named_metric(str(given))
    except AssayError:
        if Path(given).exists():
            raise ParameterError(f"{given} is no metric. The metric comes first: assay tune METRIC {given}") from None
        raise


@dataclass(frozen=True, kw_only=True)
class Tune(Judged):
    """Fit a metric's parameters to human judgements, and say what that is worth where it was not fitted.

      assay tune meteor campaign/ --kind mqm --figure curves.svg

      assay tune 'meteor(language=de)' campaign/ --kind mqm --parameters alpha,gamma --statistic kendall

      assay tune chrf campaign/ --kind da --level system --statistic accuracy

    Values come from nested cross-validation: no segment is scored by a metric that was fitted on it.
    """

    name: ClassVar[str] = "tune"
    campaigns: ClassVar[Campaigns] = "one"
    question: ClassVar[str] = "Which parameters of a metric follow people best?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, SCORED: 1, SEGMENTS: 3}
    takes: ClassVar[tuple[str, ...]] = ("texts", "metrics", "judgements", "units")
    arguments: ClassVar[tuple[str, ...]] = ("metric",)
    renamed: ClassVar[Mapping[str, str]] = {"--save": "A result is kept by -o FILE.json."}
    working: ClassVar[str] = "Tuning"

    metric: Metric = option(MISSING, "What to tune.", parse=_one_metric)
    parameters: tuple[str, ...] = option(
        (),
        "Which to tune: alpha, weights, weights[2], all. Default: those of the formula alone.",
        metavar="NAME,...",
    )
    level: Literal["system", "segment"] = option("segment", "Of what the statistic is.")
    statistic: Literal["pearson", "spearman", "kendall", "accuracy"] = option("pearson", "To tune for.")
    grouping: Literal["none", "item", "system"] | None = option(
        None, "Of segments, as in assay meta. Default: none, but item for accuracy."
    )
    folds: int | None = option(
        None, "Each is held out once. Default: 10, or as many as there are systems.", metavar="N"
    )
    group: Literal["segment", "document", "system"] | None = option(
        None,
        "What is held out as a whole. Default: what is drawn, --unit; systems at the system level.",
    )
    samples: int = option(1000, "Bootstrap samples; 0 for no interval.", metavar="N", least=0, most=1_000_000)
    curves: bool | None = option(None, "The statistic over each parameter, for the figure (default: yes).")
    test_on: str | None = test_on_option("Tune on all that was judged, and say what that is worth on this campaign.")
    test_kind: tuple[str, ...] = test_kind_option()

    def check(self) -> None:
        self.require(not self.test_kind or self.test_on is not None, "test_kind", "no value without test_on")
        chosen_tunables(self.metric, self.parameters)
        if self.folds is not None:
            require_folds(self.folds)

    @property
    def _group(self) -> Group:
        return self.group or ("system" if self.level == "system" else "segment")

    @property
    def grouped(self) -> Grouping | None:
        """How segments are grouped, unless systems are the points."""
        usual: Grouping = "item" if self.statistic == "accuracy" else "none"
        return None if self.level == "system" else self.grouping or usual

    @property
    def takes_kinds(self) -> bool:
        """No: parameters are best for one kind."""
        return False

    def answer(self, asked: Asked) -> Result:
        if self.group is None and self.level == "segment" and asked.units().name == "document":
            return replace(self, group="document").answer(asked)
        campaign, people, usage = self._judged(asked)
        # What is missing there is said before long work.
        test = None if self.test_on is None else self._elsewhere(asked, campaign)
        usual = USUAL_FOLDS
        # As many as there are, where these are few.
        if self._group == "system":
            usual = min(usual, len(people.systems))
        elif self._group == "document" and campaign.documents is not None:
            documents = units_of(campaign.documents, len(campaign), "document", campaign.places)
            usual = min(usual, len(documents.only(people.judged)))
        folds = judged_folds(campaign, people, self._group, self.folds or usual, asked.seed)
        found = _Tuning(self, asked, campaign, people, folds)
        tables = {
            "results": list(found.results(self._draws(asked, campaign, people))),
            "parameters": list(found.parameters()),
            "chosen": list(found.chosen()),
            "folds": list(found.by_folds()),
            "curves": list(found.curves()) if self.curves is not False else [],
        }
        setup = self._setup(asked, found, usage_at(self.level, people, usage))
        tested = None
        if test is not None:
            tested = _Tested(self, test, found)
            # What folds promised stays beside what came of it.
            tables = {"results": list(tested.results()), "held_out": tables.pop("results"), **tables}
            setup |= tested.setup()
        drawable = any(row["training"] is not None for row in tables["curves"])
        for name in ("results", "held_out", "folds", "curves"):
            if name in tables:
                tables[name] = [{"kind": people.name} | row for row in tables[name]]
        result = Result(
            "tune",
            tables,
            self._views(campaign.name, setup),
            (
                self._verdict(tables, setup),
                *_findings(tables, setup),
                *(adjustment(people) if self.level == "system" else ()),
                *found.about_units(),
                *(() if tested is None else tested.findings()),
            ),
            setup=setup,
            signatures={str(one): asked.signature(one, campaign) for one in (self.metric, found.tuned)},
            figures=Figures(lambda: (_figure(tables, campaign.name),) if drawable else ()),
            made=found.tuned,
        )
        return result if test is None else with_test(result, asked, test[0], (self.metric, found.tuned))

    def _judged(self, asked: Asked) -> tuple[Campaign, People, Usage]:
        """The systems that people judged, and what they said; refuses what the metric cannot be held against."""
        campaign = asked.judged_campaign(self.kind)
        people, usage = self.people(asked, campaign)
        campaign = replace(campaign, systems={name: campaign.systems[name] for name in people.systems})
        if self.metric.sees_targeted:
            campaign.require_targeted(self.metric.name)
        self._require_points(campaign, people)
        return campaign, people, usage

    def _elsewhere(self, asked: Asked, campaign: Campaign) -> tuple[Asked, Campaign, People, Usage]:
        """The campaign to test on, and what people say of its systems."""
        kind = self.test_kind or self.kind
        other = asked.elsewhere(self, self.test_on or "", kind)
        judged = replace(self, kind=kind)._judged(other)
        require_other(self.name, campaign, judged[0])
        return other, *judged

    def _draws(self, asked: Asked, campaign: Campaign, people: People) -> Draws:
        resampling = Resampling(
            samples=self.samples,
            seed=asked.seed,
            resample="points" if self.level == self._group == "system" else "segments",
            units=asked.units(campaign),
        )
        return resampling.draws(people, self.level, None)

    def _setup(self, asked: Asked, found: _Tuning, usage: Usage) -> dict[str, Any]:
        cells, systems = int(found.cells.sum()), list(found.people.systems)
        return {
            "metric": str(found.tuned),
            "kind": found.people.name,
            "normalise": self.normalise,
            "level": self.level,
            "statistic": self.statistic,
            "grouping": self.grouped,
            "folds": len(found.folds),
            "group": self._group,
            "unit": asked.units(found.campaign).name,
            "samples": self.samples,
            "seed": asked.seed,
            "systems": systems,
            #: How far the metric went from the present numbers towards the best ones, 0 to 1.
            "share": found.final.share,
            #: How many segments of systems took part, and how many points the statistic has.
            "cells": cells,
            "points": cells if self.level == "segment" else len(systems),
            #: How many values of the parameters were tried, how often text was counted, and whether held-out values
            #: were counted anew.
            "tried": found.tried,
            "counted": found.times_counted,
            "recounted": found.steers,
            "usage": str(usage),
            "used": usage.to_dict(),
        }

    def _views(self, campaign: str, setup: Mapping[str, Any]) -> tuple[View, ...]:
        title = (
            f"{campaign}: {self.metric} tuned to {setup['kind']} by {self.statistic} at the {self.level} "
            f"level{_GROUPED[setup['grouping']]}"
        )
        keys = (Column("which", "metric"),)
        views = (
            View(title, "results", _VALUE_COLUMNS, keys=keys),
            View("Parameters", "parameters", _PARAMETER_COLUMNS, keys=(Column("parameter"),)),
        )
        if self.test_on is None:
            return views
        value, *others = _VALUE_COLUMNS
        other = f"; tested on {setup['test_on']} ({setup['test_kind']})"
        tested = View(title + other, "results", (replace(value, heading="tested"), *others), keys=keys)
        return (tested, replace(views[0], title=f"What folds of {campaign} promised", table="held_out"), views[1])

    def _require_points(self, campaign: Campaign, people: People) -> None:
        """Refuse levels at which there is nothing to follow."""
        count = len(people.systems)
        if self.level == "system":
            if count < FEWEST_SYSTEMS:
                raise InputError(
                    f"The system level takes {FEWEST_SYSTEMS} judged systems, and {campaign.name} has {count}. "
                    "Take --level segment."
                )
            if self._group != "system" and isinstance(people, Ratings) and people.given:
                raise InputError(
                    f"{campaign.name}: whole systems were judged, so nothing of these judgements can be held out by "
                    f"{self._group}. Take --group system."
                )
            return
        if not np.isfinite(people.grid).any():
            raise InputError(
                f"{campaign.name}: these judgements have no scores of single segments (they are ranks, or of whole "
                "documents or systems). Take --level system."
            )
        if self.grouped == "item" and count < 2:
            raise InputError(
                f"{self.statistic} within segments compares systems, and {campaign.name} has one that was judged. "
                "Take pearson, spearman or kendall with --grouping none."
            )

    def _verdict(self, tables: Mapping[str, Table], setup: Mapping[str, Any]) -> str:
        """Whether tuning helped, in a sentence."""
        metric, difference = self.metric, tables["results"][-1]
        low, high = difference["low"], difference["high"]
        units = f"{self._group}s"
        if self.level == "system" and self._group != "system":
            units = f"{units} of these very systems"
        if self.test_on is not None:
            return self._verdict_elsewhere(difference, setup)
        shown = f"{difference['value']:+.4f}{bracketed(low, high, '+.4f')}"
        if all(row["share"] == 0.0 for row in tables["folds"]):
            return f"Tuning does not help: in every fold the inner folds chose to keep {metric} as it is."
        if setup["share"] == 0.0:
            return f"Tuning does not help: fitted on everything, {metric} stays as it is; in folds {shown}."
        if low is None:
            return f"On {units} that it has not seen the tuned metric differs by {shown}, without an interval."
        if low > 0:
            return f"Tuning helps: {shown} on {units} that it has not seen."
        if high < 0:
            return f"Tuning does harm: {shown} on {units} that it has not seen. Keep {metric}."
        return (
            f"Tuning does not surely help: {shown} on {units} that it has not seen, an interval that holds 0. "
            f"Keep {metric}, or judge more."
        )

    def _verdict_elsewhere(self, difference: Mapping[str, Any], setup: Mapping[str, Any]) -> str:
        """Whether what was chosen on one campaign helps on another."""
        other, low, high = setup["test_on"], difference["low"], difference["high"]
        if setup["share"] == 0.0:
            return f"Nothing to test on {other}: fitted on everything, {self.metric} stays as it is."
        if difference["value"] is None:
            return f"On {other} there is no {self.statistic}, for all scores or all judgements are the same there."
        shown = f"{difference['value']:+.4f}{bracketed(low, high, '+.4f')}"
        if low is None:
            return f"On {other} the tuned metric differs by {shown}, without an interval."
        if low > 0:
            return f"Tuning helps: {shown} on {other}, of which it has seen nothing."
        if high < 0:
            return f"Tuning does harm: {shown} on {other}, of which it has seen nothing. Keep {self.metric}."
        return f"Tuning does not surely help: {shown} on {other}, of which it has seen nothing. Keep {self.metric}."


def _figure(tables: Mapping[str, Table], campaign: str) -> Figure:
    default, tuned, _ = tables.get("held_out", tables["results"])
    said = (
        f"{campaign}: {default['statistic']} with {default['kind']} at the {default['level']} level; held out "
        f"{default['value']:.3f} as it is, {tuned['value']:.3f} tuned"
    )
    return pictures.tuned(
        tables["curves"], tables["parameters"], tables["chosen"],
        metric=default["metric"], statistic=default["statistic"], said=said,
    )  # fmt: skip


def _findings(tables: Mapping[str, Table], setup: Mapping[str, Any]) -> Iterable[str]:
    """Which metric came of it, how it was done, and on what."""
    kept = sum(row["share"] == 0.0 for row in tables["folds"])
    shares = f"; {kept} of {setup['folds']} folds keep the metric as it is" if kept else ""
    both = [(row["held_out"], row["held_out_default"]) for row in tables["folds"]]
    better = sum(after is not None and before is not None and after > before for after, before in both)
    yield f"Fitted on everything: -m '{setup['metric']}'"
    yield (
        f"{setup['folds']} folds of {setup['group']}s, {setup['points']:,} points; better on {better} of the held-out "
        f"folds{shares}. The metric that is fitted on everything goes {setup['share']:.0%} of the way to the best "
        "numbers."
    )
    yield f"{setup['tried']:,} values tried, text counted {counted(setup['counted'], 'time')}."
    if setup["recounted"]:
        yield (
            "Weights of modules also steer the alignment. The search keeps the alignments as they are; the values "
            "above are those of the metric counted anew."
        )
    normalised = "" if setup["normalise"] == "none" else f", raters normalised ({setup['normalise']})"
    intervals = f"; intervals: 95 % of {setup['samples']:,} samples of {setup['unit']}s" if setup["samples"] else ""
    yield setup["usage"]
    yield f"Judgements: {setup['kind']}{normalised}{intervals}; seed {setup['seed']}."


class _Counting:
    """A metric on the texts of a campaign, held against people by the statistic that was asked for."""

    cells: Flags

    def __init__(self, question: Tune, asked: Asked, campaign: Campaign, people: People, folds: Folds) -> None:
        self.question, self.asked, self.metric = question, asked, question.metric
        self.campaign, self.people, self.folds, self._corpora = campaign, people, folds, campaign.corpora()
        #: How often the text was counted.
        self.times_counted = 0

    def _count(self, metric: Metric, progress: Progress | None = None) -> tuple[Metric, _Systems]:
        self.times_counted += 1
        return evaluate_candidates(
            metric, self._corpora, threads=self.asked.threads, progress=progress, known=self.asked.counted
        )

    def _cells(self, texts: Sequence[_Systems]) -> Flags:
        """Which segments of which systems take part: judged, and with a row in every count.

        At the system level they are the same for all systems, unless means are plain.
        """
        there, judged = np.ones_like(self.people.mask), self.people.scored
        for systems in texts:
            there &= np.stack([np.isfinite(one.rows).all(axis=(0, 2)) for one in systems.values()])
        if self.question.level == "segment":
            judged = self.people.mask & np.isfinite(self.people.grid)
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

    def _measure(self, default: tuple[Metric, Candidates]) -> Measure:
        about = self.cells, self.folds, default
        if self.question.level == "system":
            return SystemMeasure(*about, people=self.people, statistic=self.question.statistic)
        human = self.people.grid
        return SegmentMeasure(
            *about, human=human, statistic=self.question.statistic, grouping=self.question.grouped or "none"
        )

    def about_units(self) -> list[str]:
        """What is drawn as a whole, where there are intervals."""
        if not self.question.samples:
            return []
        units, among = self.asked.units(self.campaign), np.asarray(self.cells.any(axis=0))
        return [self.asked.about_units(units, campaign=self.campaign, among=among)]

    def rows(
        self, draws: Draws, default: Array, tuned: Array, tuned_metric: Metric, where_fitted: tuple[float, float]
    ) -> Iterator[_Row]:
        """The statistic before and after, and what is between, each with its interval."""
        before, after = where_fitted
        task = {"level": self.question.level, "statistic": self.question.statistic, "grouping": self.question.grouped}
        for which, name, values, flattered in (
            ("default", str(self.metric), default, before),
            ("tuned", str(tuned_metric), tuned, after),
            ("difference", None, tuned - default, after - before),
        ):
            # What is chosen was chosen on nearly the same texts in all folds, and that is a matter of luck, too.
            drawn = values if which == "default" else self.folds.widened(values)
            if which == "tuned":
                # No statistic that is tuned to lies beyond 1, however far its draws are moved.
                drawn = np.clip(drawn, 0.0 if self.question.statistic == "accuracy" else -1.0, 1.0)
            # The first value is of the data as they are, the others are of draws.
            value = draws.estimate(drawn).row() | {"where_fitted": flattered}
            yield {"which": which, "metric": name, **task, **value}


class _Tested(_Counting):
    """A metric as it was and as it was tuned on another campaign, on one that neither has seen."""

    def __init__(self, question: Tune, test: tuple[Asked, Campaign, People, Usage], found: _Tuning) -> None:
        asked, campaign, people, usage = test
        # All of it is held out at once.
        whole = np.zeros(people.mask.shape[1], dtype=np.int64)
        super().__init__(question, asked, campaign, people, Folds("segment", whole, whole))
        self._found, self._usage = found, usage_at(question.level, people, usage)
        texts = [self._count(metric) for metric in (self.metric, found.tuned)]
        self.cells = self._cells([systems for _, systems in texts])
        counted = [(fitted, candidates_of(systems.values(), self.cells)) for fitted, systems in texts]
        self._measured = self._measure(counted[0])
        self._trials = self._measured.default, self._measured.trial(*counted[1])

    def results(self) -> Iterator[_Row]:
        """The statistic on all of the campaign; where the metric was fitted stands beside it, which flatters."""
        resampling = Resampling(
            samples=self.question.samples, seed=self.asked.seed, units=self.asked.units(self.campaign),
            resample="points" if self.question.level == "system" else "segments",
        )  # fmt: skip
        draws = resampling.draws(self.people, self.question.level, None)
        default, tuned = (self._measured.pooled({0: trial}, draws) for trial in self._trials)
        rows = self.rows(draws, default, tuned, self._found.tuned, self._found.where_fitted())
        yield from ({"test": self.campaign.name, "test_kind": self.people.name} | row for row in rows)

    def setup(self) -> dict[str, Any]:
        """Which campaign it is, and how much of it was used."""
        cells, systems = int(self.cells.sum()), list(self.people.systems)
        return {
            "test_on": self.campaign.name,
            "test_kind": self.people.name,
            "test_systems": systems,
            "test_points": cells if self.question.level == "segment" else len(systems),
            "test_unit": self.asked.units(self.campaign).name,
            "test_usage": str(self._usage),
        }

    def findings(self) -> Iterator[str]:
        """What was tested on, with its judgements, and what was drawn."""
        setup = self.setup()
        said = [f"{setup['test_points']:,} points, none of them chosen on.", setup["test_usage"], *self.about_units()]
        said += adjustment(self.people) if self.question.level == "system" else ()
        yield f"Tested on {setup['test_on']}, {setup['test_kind']}: {' '.join(said)}"


class _Tuning(_Counting):
    """One tuning: count once, search on all folds, and test where nothing was seen; its methods give rows."""

    def __init__(self, question: Tune, asked: Asked, campaign: Campaign, people: People, folds: Folds) -> None:
        super().__init__(question, asked, campaign, people, folds)
        tunables = chosen_tunables(self.metric, question.parameters)
        #: Whether parameters steer what is counted, so that held-out values have to be counted anew.
        self.steers = any(one.changes == "alignment" for one in tunables)
        #: What changes rows, in all its values; the text was counted for each, and for what is counted anew.
        self.variants = counted_variants(tunables)
        texts = []
        for number, values in enumerate(self.variants):
            progress = asked.part(0.2 * number / len(self.variants), 0.2 * (number + 1) / len(self.variants))
            texts.append(self._count(self.metric.tuned(values) if number else self.metric, progress))
        self.cells = self._cells([systems for _, systems in texts])
        self.counts = []
        for fitted, systems in texts:
            own = named_tunables(fitted.tunables, question.parameters)
            grid = ParameterGrid(one for one in own if one.changes != "rows")
            self.counts.append(CountedMetric(fitted, grid, candidates_of(systems.values(), self.cells)))
        self.measure = self._measure((self.counts[0].metric, self.counts[0].candidates))
        self._require_value()
        self.search = NestedSearch(self.measure, self.counts, asked.seed)
        #: What was chosen without each fold, and on everything.
        self.by_fold, self.final = self.search.run(asked.part(0.2, 0.8))
        #: How many values of the parameters were tried; curves try further ones.
        self.tried = self.search.tried
        # Counted anew where their numbers steer what is counted.
        self._trials = {point: self._trial(point) for point, _ in (*self.by_fold.values(), self.final)}
        #: The metric that is fitted on everything.
        self.tuned = self._named(self.final.point)

    def _require_value(self) -> None:
        """Refuse what nothing can be fitted to: all judgements, or all scores, alike."""
        if np.isfinite(self.measure.value(self.measure.default)):
            return
        judged = self.people.contributions()[self.people.mask]
        what = (
            "all judgements are the same"
            if np.ptp(judged[np.isfinite(judged)]) == 0.0
            else f"{self.metric} gives everything the same score, or too little was judged"
        )
        raise InputError(
            f"{self.campaign.name}: {self.question.statistic} at the {self.question.level} level has no value, for "
            f"{what}. There is nothing to tune to."
        )

    def _trial(self, point: Point) -> Trial:
        """The real metric at a point."""
        if not self.steers or not any(point.steps):
            return self.search.trial(point)
        fitted, systems = self._count(self.search.metric(point))
        return self.measure.trial(fitted, candidates_of(systems.values(), self.cells))

    def _named(self, point: Point) -> Metric:
        """The metric at a point, as somebody would type it."""
        found = self.metric.tuned(self.variants[point.count] if point.count else {})
        return found.tuned(self.counts[point.count].grid.values(point.steps)) if any(point.steps) else found

    def results(self, draws: Draws) -> Iterator[_Row]:
        """The statistic on held-out folds, its interval, and what it is where the metric was fitted, which flatters."""
        measure, of_systems = self.measure, self.folds.group == "system"
        chosen = {fold: self._trials[one.point] for fold, one in self.by_fold.items()}
        default, tuned = (measure.pooled(one, draws) for one in (dict.fromkeys(chosen, measure.default), chosen))
        if self.question.level == "system" and not of_systems and len(default) > 1:
            # Of few segments drawn anew systems' means agree worse, by the same for all.
            default, tuned = (recentred(values, scale="plain") for values in (default, tuned))
        yield from self.rows(draws, default, tuned, self.tuned, self.where_fitted())

    def where_fitted(self) -> tuple[float, float]:
        """The statistic of both metrics on everything, where the second of them was fitted."""
        before, after = (self.measure.value(one) for one in (self.measure.default, self._trials[self.final.point]))
        return before, after

    def _values(self, point: Point) -> dict[str, float]:
        return self.variants[point.count] | self.counts[point.count].grid.values(point.steps)

    @property
    def _log(self) -> dict[str, bool]:
        """The parameters, and whether each is looked for in ratios."""
        found = {one.name: one.log for counted in self.counts for one in counted.grid.ranges}
        return found | {name: found.get(name, False) for name in self.variants[0]}

    def parameters(self) -> Iterator[_Row]:
        """Each parameter before, after, and over folds; None where it does not apply."""
        points = [Point(0, self.counts[0].grid.origin), self.final.point, *(one.point for one in self.by_fold.values())]
        values = [self._values(point) for point in points]
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
            points = int((self.measure.fold == fold).sum())
            row = {"fold": fold, "metric": str(self._named(one.point)), "share": one.share, "points": points}
            for name, excluded in (("training", frozenset([fold])), ("held_out", self.measure.every - {fold})):
                for suffix, trial in (("_default", self.measure.default), ("", self._trials[one.point])):
                    row[name + suffix] = number_or_none(self.measure.value(trial, excluded))
            yield row

    def curves(self) -> Iterator[_Row]:
        """The statistic over each parameter, the others as each fold chose them: in training and on held-out folds."""
        search, final, progress = self.search, self.final.point, self.asked.part(0.85, 1.0)
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
