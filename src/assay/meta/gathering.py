"""Where agreement looks for metrics as sources; they are in ``sources``."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.campaign import Campaign
from assay.meta.people import People
from assay.meta.resampling import Resampling
from assay.meta.sources import Source, metric_sources
from assay.metrics.base import Metric
from assay.scoring.evaluate import Progress


def own_sources(
    campaign: Campaign,
    metrics: Sequence[Metric],
    people: People,
    request: Resampling,
    *,
    threads: int | None,
    progress: Progress | None,
) -> list[Source]:
    """The metrics that Assay computes; they take the first two fifths of the time."""
    share = None if progress is None else lambda done: progress(done * 0.4)
    return metric_sources(campaign, metrics, people, request.scope, threads=threads, progress=share)
