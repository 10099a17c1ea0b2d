"""All that is to be judged: metrics that are computed here, score files, other kinds of judgement."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.errors import AssayWarning, InputError
from assay.meta.benches import document_labels
from assay.meta.choosing import OTHER_KIND, people_of
from assay.meta.people import Flags, People
from assay.meta.request import Request
from assay.meta.sources import RowSource, Source, external_source, human_source
from assay.meta.usage import Usage
from assay.metrics.base import Metric
from assay.scoring.evaluate import Progress, evaluate_all


def _mask(people: People, scope: str) -> Flags:
    return people.judged if scope == "judged" else np.ones_like(people.judged)


def own_sources(
    campaign: Campaign,
    metrics: Sequence[Metric],
    people: People,
    request: Request,
    *,
    threads: int | None,
    progress: Progress | None,
) -> list[Source]:
    """The metrics that Assay computes."""
    if not metrics:
        return []
    for metric in metrics:
        if metric.sees_targeted:
            campaign.require_targeted(metric.name)
    share = None if progress is None else lambda done: progress(done * 0.4)
    counted = evaluate_all(metrics, campaign.corpora(), threads=threads, progress=share)
    mask = _mask(people, request.scope)
    return [
        RowSource(str(metric), mask, [counted[row * len(metrics) + column] for row in range(len(people.systems))])
        for column, metric in enumerate(metrics)
    ]


def other_sources(
    campaign: Campaign,
    people: People,
    request: Request,
    *,
    scores: Sequence[ExternalScores],
    kinds: Sequence[str],
    missing: float | None,
) -> tuple[list[Source], dict[str, Usage]]:
    """Score files, and other kinds of judgement with what was used of them."""
    mask = _mask(people, request.scope)
    labels = document_labels(campaign.documents)
    found: list[Source] = [external_source(one, people.systems, mask, labels) for one in scores]
    used: dict[str, Usage] = {}
    for kind in kinds:
        other, usage = people_of(campaign, kind=[kind], missing=missing)
        found.append(human_source(f"human:{kind}", other, people.systems, mask))
        elsewhere = usage.unused.get(OTHER_KIND, 0)
        unused = {why: count for why, count in usage.unused.items() if why != OTHER_KIND}
        used[f"human:{kind}"] = Usage(usage.total - elsewhere, unused)
    return found, used


def warn_of_gaps(source: Source) -> None:
    """Say what a source lacks."""
    if source.missing and np.isfinite(source.segments()).any():
        warnings.warn(
            f"{source.name} has no score for {source.missing:,} of {int(source.mask.sum()):,} judged segments; they "
            "are left out of its own statistics.",
            AssayWarning,
            stacklevel=3,
        )
    if not source.resampled:
        warnings.warn(
            f"{source.name} has scores of systems that do not come from segments: its intervals allow for other "
            "systems and judgements, but not for what the metric would say of other segments.",
            AssayWarning,
            stacklevel=3,
        )


def require_different_names(sources: Sequence[Source]) -> None:
    names = [source.name for source in sources]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"Two metrics are called {twice!r}. Rename one of them.")
