"""Counting once for many values of a metric's parameters: the rows among which its formula chooses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from assay.arrays import Flags
from assay.data.corpus import Corpus
from assay.metrics.base import Metric, Rows, Scores
from assay.metrics.tunable import Candidates
from assay.scoring.evaluate import (
    Counted,
    Engine,
    Progress,
    RowMemory,
    Shard,
    Task,
    shards_of,
    tasks_of,
    warn_of_remarks,
)
from assay.scoring.statistics import attempt, misshapen


def evaluate_candidates(
    metric: Metric,
    corpora: Mapping[str, Corpus],
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    known: Counted | None = None,
) -> tuple[Metric, dict[str, Candidates]]:
    """The rows of each system that ``metric`` chooses among, and the metric, fitted where it asks for that.

    ``chosen_rows`` of them are the rows that ``evaluate_all`` gives, under any value of what changes the formula alone.
    What is ``known`` is not counted again.
    """
    known, engine, shards = known or Counted(RowMemory(limit=0)), Engine(), shards_of(corpora, threads)
    tasks = tasks_of([metric], corpora, shards, known, engine)
    kept = {task: known.rows.get(_of_candidates(task)) for task in tasks}
    joined = {task: _unfolded(rows, len(task.corpus)) for task, rows in kept.items() if rows is not None}
    missing = [task for task in tasks if task not in joined]
    counted = list(engine.map(lambda shard: [_candidates(task, shard) for task in missing], shards, progress))
    for task, *parts in zip(missing, *counted, strict=True):
        joined[task] = Candidates(
            np.concatenate([part.rows for part in parts], axis=1),
            np.concatenate([part.present for part in parts], axis=1),
        )
        known.rows.put(_of_candidates(task), _folded(joined[task]))
    joined = {task: joined[task] for task in tasks}
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


def _of_candidates(task: Task) -> Task:
    """What candidates are kept under."""
    return replace(task, key=f"{task.key}|candidates:all")


def _folded(candidates: Candidates) -> Rows:
    """Candidates as rows that can be kept: one behind the other, with whether each is there as the last number."""
    return np.concatenate([candidates.rows, candidates.present[..., None]], axis=2).reshape(
        -1, candidates.rows.shape[2] + 1
    )


def _unfolded(rows: Rows, segments: int) -> Candidates:
    cells = rows.reshape(-1, segments, rows.shape[1])
    return Candidates(cells[..., :-1], cells[..., -1] > 0)


def _candidates(task: Task, shard: Shard) -> Candidates:
    """The candidates of one shard, checked: a metric of a user's own may be wrong."""
    metric, batch = task.metric, shard.batch(task.corpus, task.metric)
    candidates = attempt(metric, "counting", metric.candidates, batch)
    rows = np.asarray(candidates.rows, dtype=np.float64)
    if rows.ndim != 3 or rows.shape[1:] != (len(batch), len(metric.columns)):
        raise misshapen(metric, rows, len(batch))
    return Candidates(rows, candidates.present)
