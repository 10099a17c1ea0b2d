"""Counting once for many values of a metric's parameters: the rows among which its formula chooses."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np

from assay.data.corpus import Corpus
from assay.errors import AssayError, AssayWarning, InputError
from assay.metrics.base import Metric, Rows, Scores
from assay.metrics.tunable import Candidates
from assay.scoring.evaluate import Progress, Shard, fit_all, seen_by, shard_bounds, thread_count
from assay.text.batch import Batch


def evaluate_candidates(
    metric: Metric, corpora: Mapping[str, Corpus], *, threads: int | None = None, progress: Progress | None = None
) -> tuple[Metric, dict[str, Candidates]]:
    """The rows of each system that ``metric`` chooses among, and the metric, fitted where it asks for that.

    ``chosen_rows`` of them are the rows that ``evaluate_all`` gives, under any value of what changes the formula alone.
    """
    if not corpora:
        raise InputError("There is no system to score.")
    seen = seen_by([metric], corpora)
    first = next(iter(corpora.values()))
    shards = [Shard(start, stop, thread_count(threads)) for start, stop in shard_bounds(first.translations)]
    fitted = {name: found[0] for name, found in fit_all([metric], seen, shards).items()}
    parts: dict[str, list[Candidates]] = {name: [] for name in corpora}
    for done, shard in enumerate(shards, start=1):
        for name in corpora:
            parts[name].append(_candidates(fitted[name], shard.batch(seen[name, 0], fitted[name])))
        shard.forget()
        if progress is not None:
            progress(done / len(shards))
    joined = {name: _joined(found) for name, found in parts.items()}
    for name, candidates in joined.items():
        for remark in fitted[name].remarks(chosen_rows(fitted[name], candidates)):
            warnings.warn(f"{name}: {remark}", AssayWarning, stacklevel=2)
    return fitted[next(iter(fitted))], joined


def chosen_rows(metric: Metric, candidates: Candidates) -> Rows:
    """The rows that count under this metric's parameters."""
    if len(candidates.rows) == 1:
        only: Rows = candidates.rows[0]
        return only
    best = metric.choose(metric.score(candidates.rows), candidates.present)
    rows: Rows = candidates.rows[best, np.arange(len(best))]
    return rows


def chosen_scores(metric: Metric, candidates: Candidates) -> Scores:
    """The scores of those rows."""
    scores = np.asarray(metric.score(candidates.rows), dtype=np.float64)
    if len(scores) == 1:
        only: Scores = scores[0]
        return only
    best = metric.choose(scores, candidates.present)
    found: Scores = scores[best, np.arange(len(best))]
    return found


def _joined(parts: list[Candidates]) -> Candidates:
    if len(parts) == 1:
        return parts[0]
    return Candidates(
        np.concatenate([part.rows for part in parts], axis=1),
        np.concatenate([part.present for part in parts], axis=1),
    )


def _candidates(metric: Metric, batch: Batch) -> Candidates:
    """The candidates of one shard, checked: a metric of a user's own may be wrong."""
    try:
        found = metric.candidates(batch)
    except AssayError:
        raise
    except Exception as error:
        raise AssayError(f"{metric} failed while counting: {type(error).__name__}: {error}") from error
    rows = np.asarray(found.rows, dtype=np.float64)
    if rows.ndim != 3 or rows.shape[1:] != (len(batch), len(metric.columns)):
        raise AssayError(
            f"{metric} gave rows of shape {rows.shape} for {len(batch)} segments and {len(metric.columns)} columns."
        )
    return Candidates(rows, found.present)
