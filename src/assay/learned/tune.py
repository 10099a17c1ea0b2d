"""``assay.tune``: a metric's numbers fitted to judgements, and what that is worth on segments that it has not seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from assay.data.campaign import Campaign
from assay.data.reading import read
from assay.errors import InputError, UnknownName
from assay.learned.tuning.folds import GROUPS, USUAL_FOLDS, folds_of
from assay.learned.tuning.measures import (
    FEWEST_SYSTEMS,
    LEVELS,
    STATISTICS,
)
from assay.learned.tuning.result import Tuning
from assay.learned.tuning.run import Run, Task
from assay.learned.tuning.wanted import wanted_tunables
from assay.meta.choosing import people_of, usage_at
from assay.meta.people import People, Ratings
from assay.meta.post_edits import HTER, with_hter
from assay.meta.request import GROUPINGS, Names, Request, listed
from assay.metrics.base import Metric
from assay.metrics.registry import metric as named_metric
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
    folds: int | None = None,
    group: str | None = None,
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
    documents or systems; at the system level it is systems, unless you say otherwise, and intervals draw systems, too.
    There are ten ``folds``, or as many as there are systems. ``grouping`` is that of ``meta_evaluate``, at the segment
    level: all together (``none``), or the systems within each segment (``item``), which is how ``accuracy`` goes. The
    value of the untuned metric is that of ``meta_evaluate``. ``curves=False`` leaves out what the figure needs.
    """
    group = group or ("system" if level == "system" else "segment")
    given = named_metric(metric) if isinstance(metric, str) else metric
    wanted = wanted_tunables(given, listed(parameters))
    for what, name, known in (
        ("level", level, LEVELS), ("statistic", statistic, STATISTICS),
        ("group", group, GROUPS), ("grouping", grouping or "none", GROUPINGS),
    ):  # fmt: skip
        if name not in known:
            raise UnknownName.of(f"{what} to tune at" if what == "level" else what, name, known)
    request = Request(
        levels=(level,), samples=samples, seed=seed,
        resample="points" if level == group == "system" else "segments",
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
    task = Task(level, statistic, None if level == "system" else grouping or usual, request, threads, progress)
    _require_points(campaign, people, task)
    if level == "system" and group != "system" and isinstance(people, Ratings) and people.given:
        raise InputError(
            f"{campaign.name}: whole systems were judged, so nothing of these judgements can be held out by {group}. "
            "Take --group system."
        )
    usual_folds = min(USUAL_FOLDS, len(people.systems)) if group == "system" else USUAL_FOLDS
    shared_out = folds_of(campaign, people, group, folds or usual_folds, seed)  # type: ignore[arg-type]
    run = Run(campaign, people, metric=given, wanted=wanted, names=listed(parameters), folds=shared_out, task=task)
    return run.result(normalise, usage_at(level, people, usage), curves=curves)


def _require_points(campaign: Campaign, people: People, task: Task) -> None:
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
