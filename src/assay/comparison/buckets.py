"""Where does the difference come from? Pairs again, within groups of segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.comparison.result import Comparison
from assay.data.campaign import Campaign
from assay.errors import InputError
from assay.metrics.base import Metric
from assay.significance.intervals import Interval, influence_of, percentile_interval
from assay.significance.weights import resampled_sums

#: Upper ends of the length buckets, in words of the first reference.
LENGTHS = (9, 19, 29, 39, 49)


@dataclass(frozen=True)
class Bucket:
    """Two systems on one group of segments."""

    by: str
    bucket: str
    segments: int
    metric: Metric
    a: str
    b: str
    score_a: float
    score_b: float
    delta: float
    interval: Interval

    def row(self) -> dict[str, Any]:
        """As JSON and tables hold it."""
        return {
            "by": self.by,
            "bucket": self.bucket,
            "segments": self.segments,
            "metric": str(self.metric),
            "a": self.a,
            "b": self.b,
            "score_a": self.score_a,
            "score_b": self.score_b,
            "delta": self.delta,
            "low": self.interval.low,
            "high": self.interval.high,
        }


def labels_of(campaign: Campaign, by: str) -> tuple[list[str], list[str]]:
    """The group of each segment, and the groups in their order: by ``length``, ``document``, ``domain`` or a column."""
    if by == "length":
        names = [_length_name(index) for index in range(len(LENGTHS) + 1)]
        reference = next(iter(campaign.references.values()))
        counts = np.array([len(text.split()) for text in reference])
        numbers = np.searchsorted(LENGTHS, counts)
        present = [names[number] for number in sorted(set(numbers.tolist()))]
        return [names[number] for number in numbers], present
    named = {"document": campaign.documents, "domain": campaign.domains}
    labels: Sequence[str] | None
    if by in named:
        labels = named[by]
    else:
        column = campaign.columns.get(by)
        labels = None if column is None else list(column)
    if labels is None:
        known = ["length", *(name for name, there in named.items() if there is not None), *campaign.columns]
        raise InputError(f"{campaign.name} has no {by} of the segments. It can be cut by {', '.join(known)}.")
    return list(labels), list(dict.fromkeys(labels))


def _length_name(index: int) -> str:
    low = 0 if index == 0 else LENGTHS[index - 1] + 1
    return f"{low}–{LENGTHS[index]} words" if index < len(LENGTHS) else f"{low}+ words"


def buckets(comparison: Comparison, campaign: Campaign, by: str) -> list[Bucket]:
    """Every pair within every group, with a bootstrap interval of the difference."""
    labels, names = labels_of(campaign, by)
    setup = comparison.setup
    found = []
    for name in names:
        there = np.array([label == name for label in labels])
        keys = list(comparison.statistics)
        tables = [comparison.statistics[key].rows[there] for key in keys]
        sums = dict(zip(keys, resampled_sums(tables, setup.bootstrap_samples, setup.seed), strict=True))
        rows = dict(zip(keys, tables, strict=True))
        for pair in comparison.pairs:
            metric = pair.metric
            means, drawn, without = [], [], []
            for system in (pair.a, pair.b):
                own = [(run, str(metric)) for run in comparison.runs[system]]
                means.append(float(np.mean([float(metric.score(rows[key].sum(0))) for key in own])))
                drawn.append(np.mean([metric.score(sums[key]) for key in own], axis=0))
                without.append(np.mean([metric.score(rows[key].sum(0) - rows[key]) for key in own], axis=0))
            influence = influence_of(without[0] - without[1])
            interval = percentile_interval(drawn[0] - drawn[1], influence=influence)
            a, b = means
            found.append(Bucket(by, name, int(there.sum()), metric, pair.a, pair.b, a, b, a - b, interval))
    return found
