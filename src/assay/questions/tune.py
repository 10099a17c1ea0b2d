"""``assay tune``: a metric's numbers fitted to judgements, and what that is worth where they were not fitted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from assay.data.campaign import Campaign
from assay.errors import AssayError, InputError, ParameterError, counted
from assay.learned import pictures
from assay.learned.folds import USUAL_FOLDS, judged_folds, require_folds
from assay.learned.tuning.parameters import chosen_tunables
from assay.learned.tuning.tuning import Tuning
from assay.metrics.base import Metric
from assay.metrics.registry import metric as named_metric
from assay.people.levels import FEWEST_SYSTEMS, Resampling, document_labels
from assay.people.ratings import People, Ratings
from assay.people.usage import Usage, usage_at
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.judged import Judged
from assay.results.figure import Figure, Figures
from assay.results.result import Column, Result, Table, View
from assay.significance.draws import Draws

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
    if not isinstance(given, (str, Path)):
        return given  # type: ignore[no-any-return]
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
    question: ClassVar[str] = "Which parameters of a metric follow people best?"
    takes: ClassVar[tuple[str, ...]] = ("texts", "judgements")
    leading: ClassVar[str] = "metric"
    argument: ClassVar[str | None] = "metric"
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
        None, "What is held out as a whole. Default: segments; systems at the system level."
    )
    samples: int = option(1000, "Bootstrap samples; 0 for no interval.", metavar="N", least=0, most=1_000_000)
    curves: bool | None = option(None, "The statistic over each parameter, for the figure (default: yes).")

    def check(self) -> None:
        chosen_tunables(self.metric, self.parameters)
        if self.folds is not None:
            require_folds(self.folds)

    @property
    def _group(self) -> Literal["segment", "document", "system"]:
        return self.group or ("system" if self.level == "system" else "segment")

    @property
    def takes_kinds(self) -> bool:
        """No: parameters are best for one kind."""
        return False

    def answer(self, asked: Asked) -> Result:
        campaign = asked.judged_campaign(self.kind)
        people, usage = self.people(asked, campaign)
        campaign = replace(campaign, systems={name: campaign.systems[name] for name in people.systems})
        if self.metric.sees_targeted:
            campaign.require_targeted(self.metric.name)
        grouping = (
            None if self.level == "system" else self.grouping or ("item" if self.statistic == "accuracy" else "none")
        )
        self._require_points(campaign, people, grouping)
        usual = min(USUAL_FOLDS, len(people.systems)) if self._group == "system" else USUAL_FOLDS
        folds = judged_folds(campaign, people, self._group, self.folds or usual, asked.seed)
        found = Tuning(
            campaign, people, self.metric, folds, parameters=self.parameters, level=self.level,
            statistic=self.statistic, grouping=grouping, seed=asked.seed, threads=asked.threads, part=asked.part,
        )  # fmt: skip
        tables = {
            "results": list(found.results(self._draws(asked, campaign, people))),
            "parameters": list(found.parameters()),
            "chosen": list(found.chosen()),
            "folds": list(found.by_folds()),
            "curves": list(found.curves()) if self.curves is not False else [],
        }
        setup = self._setup(asked, found, usage_at(self.level, people, usage))
        drawable = any(row["training"] is not None for row in tables["curves"])
        for name in ("results", "folds", "curves"):
            tables[name] = [{"kind": people.kind} | row for row in tables[name]]
        return Result(
            "tune",
            tables,
            self._views(campaign.name, setup),
            (self._verdict(tables, setup), *_findings(tables, setup)),
            setup=setup,
            signatures={str(one): asked.signature(one, campaign) for one in (self.metric, found.tuned)},
            figures=Figures(lambda: (_figure(tables, campaign.name),) if drawable else ()),
            made=found.tuned,
        )

    def _draws(self, asked: Asked, campaign: Campaign, people: People) -> Draws:
        resampling = Resampling(
            samples=self.samples,
            seed=asked.seed,
            resample="points" if self.level == self._group == "system" else "segments",
            unit="document" if self._group == "document" else "segment",
        )
        return resampling.draws(people, self.level, document_labels(campaign.documents))

    def _setup(self, asked: Asked, found: Tuning, usage: Usage) -> dict[str, Any]:
        cells, systems = int(found.cells.sum()), list(found.people.systems)
        return {
            "metric": str(found.tuned),
            "kind": found.people.kind,
            "normalise": self.normalise,
            "level": self.level,
            "statistic": self.statistic,
            "grouping": found.grouping,
            "folds": len(found.folds),
            "group": self._group,
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

    def _views(self, campaign: str, setup: Mapping[str, Any]) -> tuple[View, View]:
        title = (
            f"{campaign}: {self.metric} tuned to {setup['kind']} by {self.statistic} at the {self.level} "
            f"level{_GROUPED[setup['grouping']]}"
        )
        return (
            View(title, "results", _VALUE_COLUMNS, keys=(Column("which", "metric"),)),
            View("Parameters", "parameters", _PARAMETER_COLUMNS, keys=(Column("parameter"),)),
        )

    def _require_points(self, campaign: Campaign, people: People, grouping: str | None) -> None:
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
        if not np.isfinite(people.segment_scores()).any():
            raise InputError(
                f"{campaign.name}: these judgements have no scores of single segments (they are ranks, or of whole "
                "documents or systems). Take --level system."
            )
        if grouping == "item" and count < 2:
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
        shown = f"{difference['value']:+.4f}" + ("" if low is None else f" [{low:+.4f}, {high:+.4f}]")
        if all(row["share"] == 0.0 for row in tables["folds"]):
            return f"Tuning does not help: in every fold the inner folds chose to keep {metric} as it is."
        if setup["share"] == 0.0:
            return f"Tuning does not help: fitted on everything, {metric} stays as it is ({shown} in folds)."
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


def _figure(tables: Mapping[str, Table], campaign: str) -> Figure:
    default, tuned, _ = tables["results"]
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
    drawn = "documents" if setup["group"] == "document" else "segments"
    intervals = f"; intervals: 95 % of {setup['samples']:,} samples of {drawn}" if setup["samples"] else ""
    yield setup["usage"]
    yield f"Judgements: {setup['kind']}{normalised}{intervals}; seed {setup['seed']}."
