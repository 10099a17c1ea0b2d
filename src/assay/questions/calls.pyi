# Written by scripts/generate_docs.py; do not edit by hand.
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

from assay.data.campaign import Campaign
from assay.metrics.base import Metric
from assay.results.result import Result

CALLS: dict[str, str]

def call_of(name: str) -> Callable[..., Result]: ...

def score(
    campaign: Campaign | str | Path,
    metrics: Iterable[str | Metric] | str | Metric = ...,
    *,
    segments: bool = ...,
    documents: bool = ...,
    domains: bool = ...,
    samples: int = ...,
    sacrebleu_signature: bool = ...,
    references: Iterable[str] | str | None = ...,
    targeted: Iterable[str] | str | None = ...,
    systems: Iterable[str] | str | None = ...,
    where: Iterable[str] | str | None = ...,
    seed: int = ...,
    threads: int | None = ...,
    progress: Callable[[float], None] | None = ...,
) -> Result: ...

def compare(
    campaign: Campaign | str | Path,
    metrics: Iterable[str | Metric] | str | Metric = ...,
    *,
    baseline: str | None = ...,
    test: Literal['randomisation', 'bootstrap', 't', 'wilcoxon'] = ...,
    correction: Literal['holm', 'benjamini-hochberg', 'none'] = ...,
    alpha: float = ...,
    unit: Literal['segment', 'document'] = ...,
    interval: Literal['percentile', 'bca'] = ...,
    pairs: bool = ...,
    segments: int | None = ...,
    by: str | None = ...,
    calibrate: bool = ...,
    simulations: int = ...,
    fail_if_worse: bool = ...,
    min_delta: float = ...,
    samples: int = ...,
    permutations: int = ...,
    references: Iterable[str] | str | None = ...,
    targeted: Iterable[str] | str | None = ...,
    systems: Iterable[str] | str | None = ...,
    where: Iterable[str] | str | None = ...,
    seed: int = ...,
    threads: int | None = ...,
    progress: Callable[[float], None] | None = ...,
) -> Result: ...

def meta_evaluate(
    campaign: Campaign | str | Path,
    metrics: Iterable[str | Metric] | str | Metric = ...,
    *,
    kind: Iterable[str] | str | None = ...,
    normalise: str = ...,
    ranking: str = ...,
    missing: float | None = ...,
    lower_is_better: bool = ...,
    beside: Iterable[str] | str | None = ...,
    levels: Iterable[str] | str | None = ...,
    statistics: Iterable[str] | str | None = ...,
    groupings: Iterable[str] | str | None = ...,
    scope: Literal['judged', 'all'] = ...,
    resample: Literal['points', 'segments', 'systems', 'both'] = ...,
    unit: Literal['segment', 'document'] = ...,
    samples: int = ...,
    test: Literal['perm-both', 'williams', 'wilcoxon', 'none'] = ...,
    permutations: int = ...,
    correction: Literal['holm', 'benjamini-hochberg', 'none'] = ...,
    alpha: float = ...,
    pairs: bool = ...,
    top: bool = ...,
    references: Iterable[str] | str | None = ...,
    targeted: Iterable[str] | str | None = ...,
    systems: Iterable[str] | str | None = ...,
    where: Iterable[str] | str | None = ...,
    judgements: Any = ...,
    judgement_format: str | None = ...,
    weights: str | None = ...,
    scores: Any = ...,
    scores_lower: Iterable[str] | str | None = ...,
    seed: int = ...,
    threads: int | None = ...,
    progress: Callable[[float], None] | None = ...,
) -> Result: ...
