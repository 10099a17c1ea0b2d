"""Counting once for many values of a metric's parameters: the rows among which its formula chooses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from assay.arrays import Flags
from assay.data.corpus import Corpus
from assay.metrics.base import Metric, Rows, Scores
from assay.metrics.tunable import Candidates
from assay.scoring.evaluate import Counted, Engine, Progress, Shard, Task, shards_of, tasks_of, warn_of_remarks
from assay.scoring.statistics import attempt, misshapen


def evaluate_candidates(
    metric: Metric, corpora: Mapping[str, Corpus], *, threads: int | None = None, progress: Progress | None = None
) -> tuple[Metric, dict[str, Candidates]]:
    """The rows of each system that ``metric`` chooses among, and the metric, fitted where it asks for that.

    ``chosen_rows`` of them are the rows that ``evaluate_all`` gives, under any value of what changes the formula alone.
    """
    engine, shards = Engine(), shards_of(corpora, threads)
    tasks = tasks_of([metric], corpora, shards, Counted(), engine)
    counted = list(engine.map(lambda shard: [_candidates(task, shard) for task in tasks], shards, progress))
    joined = {
        task: Candidates(
            np.concatenate([part.rows for part in parts], axis=1),
            np.concatenate([part.present for part in parts], axis=1),
        )
        for task, *parts in zip(tasks, *counted, strict=True)
    }
    warn_of_remarks(
        {task: task.metric.remarks(chosen_rows(task.metric, candidates)) for task, candidates in joined.items()}
    )
    return tasks[0].metric, {task.system: candidates for task, candidates in joined.items()}


def candidates_of(systems: Iterable[Candidates], cells: Flags) -> Candidates:
    """The candidates of those cells (systems by segments) that take part, one system after the other."""
    parts = [(one.rows[:, here], one.present[:, here]) for one, here in zip(systems, cells, strict=True)]
    most = max(len(rows) for rows, _ in parts)
    missing = [(0, most - len(rows)) for rows, _ in parts]
    rows = [np.pad(part[0], (add, (0, 0), (0, 0)), "edge") for part, add in zip(parts, missing, strict=True)]
    present = [np.pad(part[1], (add, (0, 0))) for part, add in zip(parts, missing, strict=True)]
    # Formulas go through columns: each in one piece is twice as fast.
    columns = np.ascontiguousarray(np.moveaxis(np.concatenate(rows, axis=1), -1, 0))
    return Candidates(np.moveaxis(columns, 0, -1), np.concatenate(present, axis=1))


def chosen_rows(metric: Metric, candidates: Candidates) -> Rows:
    """The rows that count under this metric's parameters."""
    if len(candidates.rows) == 1:
        return np.asarray(candidates.rows[0])
    best = metric.choose(metric.compared_by(candidates.rows), candidates.present)
    return np.asarray(candidates.rows[best, np.arange(len(best))])


def chosen_scores(metric: Metric, candidates: Candidates) -> Scores:
    """The scores of those rows."""
    scores = np.asarray(metric.for_segments().score(candidates.rows), dtype=np.float64)
    if len(scores) == 1:
        return np.asarray(scores[0])
    best = metric.choose(scores, candidates.present)
    return np.asarray(scores[best, np.arange(len(best))])


def _candidates(task: Task, shard: Shard) -> Candidates:
    """The candidates of one shard, checked: a metric of a user's own may be wrong."""
    metric, batch = task.metric, shard.batch(task.corpus, task.metric)
    candidates = attempt(metric, "counting", metric.candidates, batch)
    rows = np.asarray(candidates.rows, dtype=np.float64)
    if rows.ndim != 3 or rows.shape[1:] != (len(batch), len(metric.columns)):
        raise misshapen(metric, rows, len(batch))
    return Candidates(rows, candidates.present)
